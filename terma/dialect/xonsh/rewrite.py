"""A command for xonsh's prompt: simple commands, pipes, lists and redirections are written in its subprocess syntax;
what only a POSIX shell can say goes to one, as `bash -c '…'`, which xonsh can run as well.

With the style "python" a loop over files or words is written as Python's own.
"""

from __future__ import annotations

import ast
import builtins
import re
from contextlib import suppress

from terma.dialect.xonsh.lexer import GLUE, Token, Unreadable, lex
from terma.dialect.xonsh.split_for_bash import may_part, separators
from terma.dialect.xonsh.words import Part, Unwritable, Word, literal, write

# What a child of xonsh would do in vain, or what is syntax.
_BASH_ONLY = set(
    "if then else elif fi for while until do done case esac select function [[ { } ! time coproc read set shopt trap "
    "wait declare local typeset let hash bind enable builtin caller mapfile readarray exec eval getopts shift".split()
)
OWN_SYNTAX = re.compile(
    r"@\(|\$\[|!\[|!\(|@\$\(|(?<!\w)[gp]`|^\s*\$\w+\s*=|^aliases\["
)  # written for xonsh already
_ASSIGNMENT = re.compile(r"([A-Za-z_]\w*)=", re.ASCII)
_LOOP = re.compile(r"for\s+(\w+)\s+in\s+(.+?)\s*[;\n]\s*do\s+(.+?)\s*[;\n]\s*done\s*\Z", re.DOTALL)
_BETWEEN = ("&&", "||", "|", ";", "&", "\n")
_REDIRECTED = "\0>"  # how a word begins that is a redirection


def for_xonsh(command: str, style: str = "") -> str:
    """`command`, written for a POSIX shell, as xonsh runs it. What is xonsh's own already stays as it is."""
    if OWN_SYNTAX.search(command) or "\0" in command:
        return command
    try:
        return in_subprocess_syntax(command)
    except (Unreadable, Unwritable):
        pass
    try:
        loop = _LOOP.match(command) if style == "python" else None
        if loop:
            return _python_loop(*loop.groups())
    except (Unreadable, Unwritable):
        pass
    if is_python(command):
        return command
    try:
        head, rest = parted(command)
    except Unwritable:
        return _for_bash(command)
    return f"{head} {_for_bash(rest)}"


def parted(command: str) -> tuple[str, str]:
    """The longest beginning in xonsh's syntax that leaves the rest its meaning, and the rest for bash: a `cd` in front
    of a loop is the shell's own. Raises Unwritable when there is none."""
    command = command.strip()
    for start, end in reversed(separators(command)):
        head, between, rest = command[:start], command[start:end], command[end:].strip()
        if rest[:1] not in ("", *";&|\n") and may_part(head, between, rest):
            with suppress(Unreadable, Unwritable):
                gap = "" if between in ";\n" else " "
                return f"{in_subprocess_syntax(head)}{gap}{between}", rest
    raise Unwritable(command)


def _for_bash(command: str) -> str:
    try:
        return f"bash -c {literal(command)}"
    except Unwritable:
        return f"bash -c @({command!r})"


def is_python(command: str) -> bool:
    """Whether it is Python beyond doubt: a statement of several words, or a call."""
    try:
        body = ast.parse(command).body
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return False
    return all(
        not isinstance(each, ast.Expr) or isinstance(each.value, (ast.Call, ast.ListComp)) for each in body
    )


def in_subprocess_syntax(command: str, loop: str = "") -> str:
    """`command` in xonsh's subprocess syntax; `loop` is a variable of Python's. Raises Unreadable and Unwritable."""
    return _written(lex(command), loop)


def _written(tokens: list[Token], loop: str) -> str:
    pieces: list[str] = []
    words: list[Word] = []
    is_or = False  # behind a `||` of this list

    def flush() -> None:
        if words:
            pieces.append(_simple(words, loop))
            words.clear()

    for at, each in enumerate(tokens):
        if not isinstance(each, str):
            words.append(each)
        elif each in _BETWEEN:
            flush()
            if (
                not pieces
                or pieces[-1] in _BETWEEN
                or (each != "&" and at + 1 == len(tokens) and each != ";")
            ):
                raise Unreadable(each)
            if each == "&" and at + 1 < len(tokens):
                raise Unreadable("a background job among others")
            is_or = each == "||" or (is_or and each in ("&&", "|"))
            if is_or and each == "&&":
                raise Unwritable("a || b && c, which Python groups otherwise")
            pieces.append(each if each != ";" or at + 1 < len(tokens) else "")
        else:  # a redirection: words of this command may still follow
            words.append((Part("quoted", _REDIRECTED + each),))
    flush()
    text = ""
    for piece in filter(None, pieces):
        gap = "" if not text or piece in (";", "\n") or text.endswith("\n") else " "
        text += gap + piece
    return text


def _simple(words: list[Word], loop: str) -> str:
    """One simple command, its assignments in front and its redirections where they stand."""
    assigned: list[tuple[str, Word]] = []
    while words and (pair := _assignment(words[0])):
        assigned.append(pair)
        words = words[1:]
    if not words:
        return "; ".join(_set(name, value, loop) for name, value in assigned)
    name = _plain(words[0])
    if name in _BASH_ONLY:
        raise Unwritable(name)
    if not assigned and (own := _own(name, words[1:], loop)):
        return own.replace(f"{GLUE} ", "")
    written = [_word(word, loop) for word in words]
    if assigned:
        pairs = [_word((Part("bare", f"{key}="), *value), loop) for key, value in assigned]
        written = ["env", *pairs, *written]
    if len(written) == 1 and (hasattr(builtins, written[0]) or written[0].startswith("-")):
        return f"$[{written[0]}]"  # a name that Python knows would be read as Python
    return " ".join(written).replace(f"{GLUE} ", "")


def _own(name: str, rest: list[Word], loop: str) -> str:
    """What xonsh has another way for, "" for all else."""
    words = [_plain(word) for word in rest]
    if name == "export" and rest:
        pairs = [_assignment(word) for word in rest]
        if not all(pairs):
            raise Unwritable("export of a name alone")
        return "; ".join(_set(key, value, loop) for key, value in filter(None, pairs))
    if name == "unset" and rest and all(re.fullmatch(r"[A-Za-z_]\w*", word) for word in words):
        return "; ".join(f"del ${word}" for word in words)
    if name == "alias" and len(rest) == 1 and (pair := re.match(r"([\w.-]+)=(.*)\Z", words[0], re.DOTALL)):
        return f"aliases[{pair[1]!r}] = {pair[2]!r}"
    if name in ("source", ".") and len(rest) == 1:
        own = words[0].endswith((".xsh", ".xonshrc"))  # by the names that xonsh's files have
        return f"{'source' if own else 'source-bash'} {_word(rest[0], loop)}"
    if name == "[" and words and words[-1] == "]":
        return " ".join(["test", *(_word(word, loop) for word in rest[:-1])])
    if name == "type" or (name == "command" and words[:1] == ["-v"]):
        return " ".join(["which", *(_word(word, loop) for word in rest[name == "command" :])])
    return ""


def _set(name: str, value: Word, loop: str) -> str:
    known = [part.text if part.kind == "variable" else "" for part in value]
    if name == "PATH":  # a list, in xonsh
        if known[-1:] == ["PATH"] and value[-2].text.endswith(":"):
            return f"$PATH.insert(0, {_python((*value[:-2], _less(value[-2], last=True)))})"
        if known[:1] == ["PATH"] and value[1].text.startswith(":"):
            return f"$PATH.append({_python((_less(value[1], last=False), *value[2:]))})"
    if "PATH" in known:
        raise Unwritable(name)
    if any(part.kind == "command" for part in value):
        if len(value) > 1:
            raise Unwritable(name)
        return f"${name} = $({_inner(value[0].text)})"
    return f"${name} = {_python(value)}"


def _less(part: Part, *, last: bool) -> Part:
    return Part(part.kind, part.text[:-1] if last else part.text[1:], part.quoted)


def _python(value: Word) -> str:
    """The text that a word means, as an expression of Python's."""
    if all(part.kind in ("bare", "quoted") for part in value):
        text = _plain(value)
        if value and value[0].kind == "bare" and text.startswith("~"):
            return f"__import__('os').path.expanduser({text!r})"
        return repr(text)
    text = "".join(f"{{${part.text}}}" if part.kind == "variable" else part.text for part in value)
    if set(text) & set('"\\\n~') or any(set(part.text) & set("{}") for part in value):
        raise Unwritable(text)
    return f'f"{text}"'


def _word(word: Word, loop: str) -> str:
    if word and word[0].text.startswith(_REDIRECTED):
        return word[0].text.removeprefix(_REDIRECTED)
    return write(word, _inner, loop) if word else "''"


def _inner(command: str) -> str:
    """The command of a substitution: xonsh reads one pipeline there."""
    tokens = lex(command)
    if any(token in (";", "&", "\n", "&&", "||") for token in tokens if isinstance(token, str)):
        raise Unwritable(command)
    return _written(tokens, "")


def _assignment(word: Word) -> tuple[str, Word] | None:
    found = _ASSIGNMENT.match(word[0].text) if word and word[0].kind == "bare" else None
    if not found:
        return None
    rest = word[0].text[found.end() :]
    return found[1], ((Part("bare", rest),) if rest else ()) + word[1:]


def _plain(word: Word) -> str:
    return "".join(part.text for part in word if part.kind in ("bare", "quoted"))


def _python_loop(name: str, over: str, body: str) -> str:
    """`for f in *.txt; do wc "$f"; done` as a loop of Python's."""
    words = [token for token in lex(over) if not isinstance(token, str)]
    if len(words) == 1 and len(words[0]) == 1 and words[0][0].kind == "command":
        values = f"$({_inner(words[0][0].text)}).split()"
    elif len(words) == 1 and re.search(r"[*?\[]", _plain(words[0])) and "`" not in over:
        values = f"g`{_plain(words[0])}`"
    elif count := re.fullmatch(r"\{(\d+)\.\.(\d+)\}", over):
        values = f"range({count[1]}, {int(count[2]) + 1})"
    elif any(part.kind in ("variable", "command") for word in words for part in word):
        raise Unwritable(over)
    else:
        values = repr([_plain(word) for word in words])
    lines = in_subprocess_syntax(body, name).replace("; ", "\n").split("\n")
    return "\n".join([f"for {name} in {values}:", *(f"    {line}" for line in lines)])
