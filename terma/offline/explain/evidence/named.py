"""What an output names: quoted words, values that were expected and that came, proposals, commands to run."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

_QUOTED = re.compile(
    r"'([^'\n]{1,120})'|‘([^’\n]{1,120})’|`([^`'\n]{1,120})['`]|\"([^\"\n]{1,120})\"|“([^”\n]{1,120})”|«([^»\n]{1,120})»"
)
_OPTION = re.compile(r"(?<![\w-])(--?[A-Za-z][\w-]*)")
_VALUES = re.compile(
    r"^\s*(?:E\s+|\w+ (?:error|ERR!)\s+)?(?:assert(?:ion)?\b.*[=<>!]=|[-+]?\s*(?:left|right|expected|actual|received|got|want(?:ed)?|found)\b\s*:?\s*[:=`'\"\d\[{(]"
    r"|.*\b(?:expected|want(?:ed)?)\b.{1,80}\b(?:got|found|but|actual|received|was)\b|.*\b(?:got|returned|found|was)\b.{1,80}\b(?:want(?:ed)?|expected)\b"
    r"|\S+ [<>=~^!]*\S* (?:depends on|requires|needs|has requirement) .*\d|peer \S+@|found: \S+@\d|.*@\d\S* (?:does not satisfy|conflicts)|.*\d\S* is (?:in|not )compatible"
    r"|\d+ !== \d+|.*\bshould (?:be|equal)\b)",
    re.IGNORECASE,
)
_SUGGESTED = re.compile(
    r"(?:did you (?:mean|intend)|perhaps you meant|maybe you meant|do you mean|similar name exists:?|most similar \w+ (?:is|are)|closest match(?: is)?"
    r"|you probably meant|instead use|use instead)[^\n'\"`‘“?]{0,40}?:?\s*(?:[`'‘\"“]([^`'’\"”\n]{1,80})[`'’\"”]|([\w./:+-]{1,80}))",
    re.IGNORECASE,
)
# The other names of a list: "a, b or c?".
_BETWEEN = re.compile(r",? or |, ?")
_AS_WELL = re.compile(r"(?:(?:(?<=,) |,? or |, )['\"`‘“]?[\w.:+-]+['\"`’”]?)+(?=[?.]|$)", re.MULTILINE)
_ADVISED = re.compile(
    r"(?:\b(?:run|try|using|use|with|execute|by running|invoke|type|do|first)\b(?: the (?:following )?(?:command|package))?(?: it with)?:?\s*"
    r"(?:[`'‘\"“](?P<q>[a-z][\w.+-]*(?: [^`'’\"”\n]{1,160})?)[`'’\"”]|\n*\s{2,}(?:\$ )?(?P<i>[a-z][\w.+-]* [^\n]{1,160})))",
    re.IGNORECASE,
)
_ALONE = re.compile(r"^(?: {2,}|\t)(?:\$ )?(?P<line>[a-z][\w.+-]*(?: [^\n]{1,160})?)$")
_PLACEHOLDER = re.compile(r"<[^<>]*>|\[[^\]]*\]|\.\.\.|…|\bpath/to\b|\bxyz\b|\bNAME\b|\{\w+\}")
_TALK = re.compile(
    r"(?:^|\s)(?:-h|--?help|help|man|--version|-V|-X|--verbose|-v|--trace-\S+|--show-\S+|-Xlint\S*)(?=\s|$)"
)

_TO_READ = re.compile(
    r"[^\n.]{0,20}\b(?:for (?:a |the |more |further |all |complete )?(?:full |complete )?(?:list|help|info\w*|details|usage|options|valid|available|examples?)|to (?:see|list|show|get|view|learn|find out))\b",
    re.IGNORECASE,
)


def quoted(lines: Iterable[str]) -> tuple[str, ...]:
    """Names in quotes and options, in order, each once."""
    found: list[str] = []
    for line in lines:
        found += [next(filter(None, hit.groups())) for hit in _QUOTED.finditer(line)]
        found += _OPTION.findall(line)
    return tuple(dict.fromkeys(found))


def values(lines: Iterable[str]) -> tuple[str, ...]:
    """Lines that set what was expected against what came, without their margin."""
    return tuple(dict.fromkeys(line.strip() for line in lines if len(line) < 300 and _VALUES.match(line)))


def suggested(flat: str) -> tuple[str, ...]:
    """The names that the output proposes itself, all of a list; none that goes on behind its comma or equals sign, as
    '-Wa,' does."""
    names: list[str] = []
    for hit in _SUGGESTED.finditer(flat):
        if not re.match(r"-.*[,=]$", hit[1] or ""):
            more = _AS_WELL.match(flat, hit.end())
            names += [hit[1] or hit[2], *(_BETWEEN.split(more.group()) if more else ())]
    bare = (name.strip(" ,'\"`‘’“”").rstrip("?.,") for name in names)
    return tuple(dict.fromkeys(name for name in bare if name))


def advised(lines: Sequence[str], runs: Callable[[str], bool]) -> tuple[str, ...]:
    """The commands that the output says to run: their program is one that `runs`, and nothing in them is left open."""
    flat = "\n".join(lines)
    hits = (hit for hit in _ADVISED.finditer(flat) if not _TO_READ.match(flat, hit.end()))
    found = [hit["q"] or hit["i"] or "" for hit in hits]
    for before, line in zip(["", *lines], lines, strict=False):
        alone = _ALONE.match(line)
        if (
            alone
            and not re.search(r"id you mean|perhaps|instead of", before, re.IGNORECASE)
            and (
                not before.strip()
                or re.search(r"(?:run|use|try|command|following|with|:)\W*$", before, re.IGNORECASE)
            )
        ):
            found.append(alone["line"])
    kept = (line.strip().rstrip(".,;") for line in found)
    return tuple(dict.fromkeys(line for line in kept if line and is_runnable(line, runs)))


def is_runnable(line: str, runs: Callable[[str], bool]) -> bool:
    """Whether `line` is a whole command of a program that `runs`, and no way to its help."""
    words = line.split()
    if "$" in line or _PLACEHOLDER.search(line) or _TALK.search(line) or len(words) > 14:
        return False
    program = words[1] if words[0] in ("sudo", "doas") and len(words) > 1 else words[0]
    return (
        runs(program)
        and bool(re.fullmatch(r"[a-z][\w.+-]*", program))
        and (len(words) > 1 or program == words[0])
    )
