"""Question patterns: how a line begins and ends when somebody asks."""

from __future__ import annotations

from collections.abc import Iterator

from terma import regex as re
from terma.routing import words
from terma.routing.evidence import Signal
from terma.routing.programs import table
from terma.routing.weights import of

_QUOTED = re.compile(r"""(?:^|(?<=[\s=:(]))(?:'[^']*'|"(?:[^"\\]|\\.)*"|`[^`]*`)""")
_ASKS = re.compile(
    r"\b(?:how (?:do|to|can|does|is|are|should|many|much|come|would|about)|(?:what|why|where|when|who|which) "
    r"(?:is|are|was|does|do|did|can|should|would|will|to|has|have|happens|happened|if)|what's|is there|are there|"
    r"can (?:i|you|we)|could you|would you|should i|do i|does it|is it|"
    r"i (?:want|need|would|have|am|can|don't|can't|get|got))\b",
    re.IGNORECASE,
)
_COMPLAINS = re.compile(
    r"\b(?:is|are|does|did|was|has)(?: ?n't|n’t| not)\b|\b(?:not|n't|stopped) (?:work|start|respond)|\bnot found$"
    r"|\b(?:won|can|don|couldn)['’]t\b|\bkeeps? \w+ing\b"
    r"|^\S+ (?:is|are|was|seems) (?:\w+ )?(?:broken|slow|stuck|down|missing|gone|wrong|\w+ing|great|hard|easy|weird)$",
    re.IGNORECASE,
)
_PLEASE = frozenset("please pls plz thanks thx bitte".split())
_REPORT = re.compile(
    r"^(?:\S+: ){1,3}\S+ \S+|^Traceback \(most|^\w*(?:Error|Exception|Warning): "
    r"|^(?:E|W|ERROR|WARN|error|fatal)\b[:!]|^\[\w+\] \S"
    r"|: (?:command not found|No such file or directory|Permission denied|not found)\b"
)
_OF = re.compile(r"\S+ of [a-z]")  # man of the house
_ENDS = re.compile(r"(?:^|[\s\w)\]'\"`”»])[?？]+[!?]*[\s.]*$")
_GLOB = re.compile(r"\w+ \?+")  # ls ?
_SENTENCE = re.compile(r"[A-Za-zÀ-ɏ]{2,}[.!…]$|[。！？]")
_LANGUAGE = re.compile(
    r" in (?:an? )?(?:bash|zsh|fish|sh|awk|sed|python|perl|ruby|php|java|javascript|typescript|rust|golang|c|vim|emacs"
    r"|powershell)\b(?![./-])"
)
_TO_ME = re.compile(r"\b(?:back (?:to|at)|for|tell|give|show|let) (?:me|us)\b")
_COMMA = re.compile(r"[^\W\d_]{2,}, ")


def weigh_line(line: str) -> Iterator[Signal]:
    """The evidence of `line` as a sentence: how it begins, what it asks, how it ends."""
    bare = _QUOTED.sub(" Q ", line)
    first = bare.split(" ", 1)[0].rstrip(",:").lower()
    if words.is_a("question", first):
        weight = of("question program" if first in ("who", "which", "whereis") else "question word")
        yield Signal("question", weight, f"{first!r} begins a question")
    elif words.is_a("asking", first) and " " in bare:
        yield Signal("question", of("asking word"), f"{first!r} begins a question")
    if bare.startswith(("?", "¿", "？")):
        yield Signal("question", of("question mark first"), "begins with a question mark")
    elif _ENDS.search(bare) and not _GLOB.fullmatch(bare):
        yield Signal(
            "question",
            of("question mark" if " " in bare else "word and question mark"),
            "ends with a question mark",
        )
    found = _COMPLAINS.search(bare)
    if found:
        yield Signal("question", of("complains"), f"{found.group().lower()!r} complains")
    found = None if _is_text(first) else _ASKS.search(bare, 1)
    if found:
        yield Signal("question", of("asks"), f"{found.group().lower()!r} asks")
    if _REPORT.search(bare):
        yield Signal("structure", of("pasted message"), "reads like a message that was pasted")
    spoken = bare.split()
    if len(spoken) > 2 and spoken[-1].rstrip(".!").lower() in _PLEASE:
        yield Signal("structure", of("ends politely"), "ends politely")
    if _TO_ME.search(bare):
        yield Signal("structure", of("for somebody"), "somebody is to have it")
    if _LANGUAGE.search(bare):
        yield Signal("structure", of("in a language"), "in a language")
    if _OF.match(bare):
        yield Signal("structure", of("of behind the first word"), "'of' behind the first word")
    if _COMMA.search(bare):
        yield Signal(
            "structure", of("comma in a text" if _is_text(first) else "comma"), "a comma as in a sentence"
        )
    if _SENTENCE.search(bare) and " " in bare:
        yield Signal("structure", of("ends like a sentence"), "ends like a sentence")


def _is_text(first: str) -> bool:
    """Whether `first` prints any words, like echo, and is no word of a sentence itself."""
    return table().kinds.get(first) == "text" and not words.is_english(first)
