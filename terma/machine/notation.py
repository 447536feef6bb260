"""Options read out of the text that documents them: help, manual pages, completions."""

from __future__ import annotations

from terma import regex as re
from terma.records import dataclass

_LONG = re.compile(r"(?<![\w-])--(\[no-?\])?([A-Za-z0-9][\w.-]*)")
_DASHED = re.compile(r"(?<![\w-])-([A-Za-z][\w-]+)")
_LETTER = re.compile(r"(?<![\w-])-([A-Za-z0-9#@?!])")
_CLUSTER = re.compile(r"(?<![\w-])-([A-Za-z0-9]{2,})(?=\])")
_HEAD = re.compile(r"^[ \t]*(-[^ \t-]?\S*.*?)(?:[ \t]{2,}|\t|$)", re.MULTILINE)
_NAME = re.compile(r"(?<![\w-])(--?[A-Za-z0-9#][\w.-]*)")
_HEADING = re.compile(
    r"^[ \t]*[\w/() -]*\b(?:sub)?commands?(?: \([\w ]+\))?:[ \t]*$", re.IGNORECASE | re.MULTILINE
)
_USAGE = re.compile(r"^[ \t]*usage:?.*(?:\n[ \t]+.*)?", re.IGNORECASE | re.MULTILINE)
_SYNOPSIS = re.compile(r"^SYNOPSIS$.*?(?=^[A-Z][A-Z ]+$)", re.DOTALL | re.MULTILINE)
_COMMAND = re.compile(r"(?<![-\w])(?:sub-?)?command(?![-=\w])|\bOBJECT\b", re.IGNORECASE)

_VALUE = re.compile(r"\S+|(?:[\[(<=]\S*|[A-Z]+\S*)(?: (?:[\[(<=|]\S*|[A-Z]+\S*))*")  # and no prose


@dataclass(frozen=True, slots=True)
class Options:
    """What a program, or one of its subcommands, takes.

    `long` holds "--all", `dashed` words of one dash such as "-name", `letters` "a" for -a. `takes` are the options
    that want a value, `joins` those that may have one glued to them, as they are written. `commands`: the first
    operand is a command with options of its own. `sure`: nothing is left out."""

    long: frozenset[str] = frozenset()
    dashed: frozenset[str] = frozenset()
    letters: frozenset[str] = frozenset()
    takes: frozenset[str] = frozenset()
    joins: frozenset[str] = frozenset()
    commands: bool = False
    sure: bool = False

    def __or__(self, other: Options) -> Options:
        """What either takes; sure of the letters when one is."""
        return Options(
            self.long | other.long,
            self.dashed | other.dashed,
            self.letters | other.letters,
            self.takes | other.takes,
            self.joins | other.joins,
            other.commands or self.commands,
            self.sure or other.sure,
        )


def parse(text: str, *, sure: bool = False) -> Options:
    """The options that `text` names anywhere: a mention counts, since calling a right option wrong is the worse
    mistake."""
    long: set[str] = set()
    for negated, written in _LONG.findall(text):
        name = written.rstrip(".-")
        long.add(f"--{name}")
        if negated:
            long.add(f"--{negated.strip('[]')}{name}")
    letters = set(_LETTER.findall(text))
    for cluster in _CLUSTER.findall(text):
        letters.update(cluster)
    return Options(
        frozenset(long),
        frozenset(f"-{name.rstrip('-')}" for name in _DASHED.findall(text)),
        frozenset(letters),
        *_with_values(text),
        _has_commands(text),
        sure,
    )


def _with_values(text: str) -> tuple[frozenset[str], frozenset[str]]:
    """The options that are followed by a value which they cannot do without, and those that can."""
    takes: set[str] = set()
    joins: set[str] = set()
    for head in _HEAD.findall(text):
        names = _NAME.findall(head)
        value = _NAME.sub("", head).strip(" ,|")
        if value and value[0] not in ":;." and _VALUE.fullmatch(value):
            (joins if value[0] in "[(" else takes).update(names)
    return frozenset(takes), frozenset(joins)


def _has_commands(text: str) -> bool:
    """Whether a list of commands is there, or the usage wants one."""
    usages = _USAGE.findall(text) + _SYNOPSIS.findall(text)
    return bool(_HEADING.search(text)) or any(_COMMAND.search(usage) for usage in usages)
