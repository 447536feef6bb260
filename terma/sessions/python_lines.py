"""Makes a piece of Python fit to be typed: at a prompt a blank line ends a block, and a block needs one to end."""

from __future__ import annotations

import ast
import io
import tokenize


def typed(text: str) -> str:
    """`text` with blank lines where python wants them and nowhere else; as it is when it cannot be parsed."""
    try:
        statements = ast.parse(text).body
        blank = _blank_lines(text)
    except (SyntaxError, ValueError, MemoryError, RecursionError, tokenize.TokenError):
        return text
    lines = text.split("\n")
    result: list[str] = []
    at = 0
    for statement in statements:
        last = statement.end_lineno or statement.lineno
        result += [lines[number] for number in range(at, last) if number + 1 not in blank]
        if hasattr(statement, "body"):
            result.append("")
        at = max(at, last)
    result += [line for line in lines[at:] if line.strip()]
    return "\n".join(result)


def _blank_lines(text: str) -> set[int]:
    """The numbers of lines that hold nothing and stand in no string."""
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    return {token.start[0] for token in tokens if token.type == tokenize.NL and not token.line.strip()}
