"""Which word of a command may be the wrong one, and what of it; and the command with that changed."""

from __future__ import annotations

import re
from collections.abc import Iterator

from terma.offline.explain.case import Case
from terma.offline.explain.line import Word, quote


def pieces_of(case: Case) -> Iterator[tuple[Word, str]]:
    """The arguments and what they are put together of, the longest first; no file that is there."""
    first = next((w for w in case.words if w.value.rpartition("/")[2] == case.program), None)
    carried = [first] if first and first.start and not case.installed(first.value) else []
    for word in (*carried, *case.arguments):  # what `nice` or `env` was to start stands first
        value = word.value
        if case.exists(value) or "$" in value:
            continue
        bare = value.lstrip("-+")
        glued = bare[1:] if re.match(r"-[A-Za-z]\w", value) else ""  # a value behind the letter of its option
        parts = [
            value, bare, bare.partition("=")[2], bare.partition("=")[0], glued, *re.split(r"[=:,@]+", bare),
            *_quoted_in(case, value),
        ]  # fmt: skip
        for piece in dict.fromkeys(parts):
            if len(piece) >= 3 and re.fullmatch(r"[\w.+/-]+", piece) and not piece.isdigit():
                yield word, piece


def is_value(case: Case, line: str, word: Word, piece: str) -> bool:
    """Whether `line` calls the value of an option wrong without saying it, and `piece` is that value."""
    name, equals, value = word.value.partition("=")
    if not equals:
        at = case.arguments.index(word) if word in case.arguments else 0
        name, value = case.args[at - 1] if at else "", word.value
    bare = name.lstrip("-")
    return (
        piece == value
        and name.startswith("-")
        and len(bare) > 1
        and bool(re.search(rf"\bvalue\b.*(?<![\w-])-*{re.escape(bare)}(?![\w-])", line, re.IGNORECASE))
    )


def _quoted_in(case: Case, value: str) -> list[str]:
    """What the output quotes of `value`: one word of several, or a name without the sign before it; of a text in another
    language, as a filter is one, the words that the decisive line says."""
    names = [name for name in case.evidence.names if name != value and name in value]
    inside = re.findall(r"[A-Za-z_]\w{3,}", value) if " " in value else []
    names += [name for name in inside if says(case.evidence.line, name) and not case.installed(name)]
    return [name for name in names if re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", value)]


def says(line: str, piece: str) -> bool:
    return bool(re.search(rf"(?<![\w.])(?<!\w-){re.escape(piece)}(?![\w-]|\.\w)", line, re.IGNORECASE))


# What stands before a name that an output gives: what kind of thing it is, or how it is wrong.
_KIND = (
    r"(?:command|option|action|operation|keyword|verb|argument|value|name|signal|user|group|role|package|module|host|unit|service"
    r"|branch|tag|remote|ref|class|file|directory|type|format|codec|encoder|filter|target|task|goal|recipe|interface|device|zone"
    r"|key|field|column|table|database|variable|function|property|attribute|setting|shell|terminal|entry|for|named|called|of|with"
    r"|to|in|from|at|on|is|unknown|invalid|bad|illegal|undefined|unsupported|unrecogni[sz]ed|such|locate|find|open|resolve|\w+:)"
)


def is_named(line: str, piece: str) -> bool:
    """Whether `line` names `piece`, and does not only use that word in a sentence of its own: "a log of this run"."""
    if not says(line, piece):
        return False
    if not re.fullmatch(r"[a-z]+", piece) or not re.search(r"[a-z] [a-z]+ [a-z]", line):
        return True
    word = rf"(?<![\w.])(?<!\w-){re.escape(piece)}(?![\w-]|\.\w)"
    quoted = rf"['‘`\"“«(\[]{word}|{word}['’`\"”»)\]=:]"
    edge = rf"^\W*{word}|{word}\W*$|[:,;] *{word}|{word} *[,;]"
    return bool(
        re.search(
            rf"(?i){quoted}|{edge}|\b{_KIND} {word}|{word} (?:is|was|not|does|could|cannot|can't)\b", line
        )
    )


def exchanged(case: Case, word: Word, piece: str, meant: str) -> str:
    """The command with `piece` of `word` changed, the quotes of the word kept."""
    typed = case.command[word.start : word.end]
    if piece not in typed:
        return case.swap(word.value, word.value.replace(piece, meant, 1))
    changed = typed.replace(piece, meant, 1) if quote(meant) == meant else ""
    return case.command[: word.start] + changed + case.command[word.end :] if changed else ""
