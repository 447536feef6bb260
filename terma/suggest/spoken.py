"""An answer in words that is dressed as a command: `echo "Sorry, that cannot be done."`."""

from __future__ import annotations

import re

from terma.shell_syntax import BASH, ShellSyntaxError, parse
from terma.shell_syntax import nodes as tree

_PRINTS = ("echo", "printf")
_FEW = 3  # words: fewer are no sentence


def spoken(command: str, asked: str) -> str:
    """What the command does no more than print, where that is a sentence that was not asked for in `asked`; "" else."""
    try:
        script = parse(command, BASH)
    except ShellSyntaxError:
        return ""
    calls = list(tree.commands(script))
    if len(calls) != 1 or not isinstance(one := calls[0], tree.Simple) or one.redirects or not one.words:
        return ""
    texts = [word.text for word in one.words]
    plain = all(isinstance(part, _LITERAL) for word in one.words for part in _parts(word.parts))
    if texts[0] not in _PRINTS or not plain:
        return ""
    said = " ".join(text for text in texts[1:] if not re.fullmatch(r"-[neE]+", text))
    words = re.findall(r"[^\W\d_]+", said.lower())
    wanted = set(re.findall(r"[^\W\d_]+", asked.lower()))
    named = sum(word in wanted for word in words)
    return said if len(words) > _FEW and 2 * named < len(words) else ""


_LITERAL = (tree.Literal, tree.SingleQuoted, tree.Escaped)


def _parts(parts: tuple[tree.Part, ...]) -> list[tree.Part]:
    return [
        inner
        for part in parts
        for inner in (_parts(part.parts) if isinstance(part, tree.DoubleQuoted) else [part])
    ]
