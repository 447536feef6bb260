"""Phrases that sort lines."""

from __future__ import annotations

from terma.offline.grammar.match import Match, Rules
from terma.offline.grammar.text_phrases.frame import MACROS, SORT, TextFrame

RULES: Rules[TextFrame] = Rules(MACROS)


@RULES.on(
    "(sort|sorted|order|ordered|sorting) $them? $all? (the)? (line|lines|rows|words|names|numbers|entries|"
    "values|contents|content|file|records)? (of|in|from)?",
    "(and|then) sort $them?",
    "in (alphabetical|sorted|ascending) order",
    "in order",
    "alphabetically",
)
def sort(frame: TextFrame, match: Match) -> bool | None:
    if (
        frame.low(match.start) == "in"
        and "order" in frame.words(match.start, match.end)
        and match.end - match.start == 2
        and not frame.sort
    ):
        return False
    frame.sort.add("")
    if frame.words(match.start, match.end) & {"numbers"}:
        frame.sort.add("n")
    return None


@RULES.on(
    "(numerically|numeric|numerical) (order|ly)?",
    "in numeric|numerical order",
    "by number|value",
    "as numbers",
)
def numeric(frame: TextFrame, match: Match) -> bool | None:
    if not frame.sort and frame.low(match.start) == "by":
        return False
    frame.sort |= {"", "n"}
    return None


@RULES.on(
    "in? (descending|decreasing|reverse|reversed) (order|alphabetical|numerical|numeric|sorted)? (order)?",
    "(largest|biggest|highest|greatest) (first|to smallest|to lowest|one first|number first|numbers first)",
    "from? (largest|highest|biggest|z) to (smallest|lowest|a)",
    "reverse|reversed sort?",
    "descending",
    "with? (largest|highest|biggest) first|on top",
)
def descending(frame: TextFrame, match: Match) -> bool | None:
    if not frame.sort:
        return False
    frame.sort.add("r")
    if frame.words(match.start, match.end) & {
        "largest",
        "biggest",
        "highest",
        "greatest",
        "numerical",
        "numeric",
    }:
        frame.sort.add("n")
    return None


@RULES.on(
    "in? (ascending|increasing) (order)?",
    "(smallest|lowest) first",
    "from? (smallest|lowest|a) to (largest|highest|biggest|z)",
)
def ascending(frame: TextFrame, match: Match) -> bool | None:
    if not frame.sort and frame.low(match.start) in ("ascending", "increasing"):
        return False
    frame.sort.add("")
    if frame.words(match.start, match.end) & {"smallest", "lowest"}:
        frame.sort.add("n")
    return None


@RULES.on(
    "(by|on|according to|based on|using) (the|its|their)? $col (number)? #num",
    "(by|on|according to|based on|using) (the|its|their)? #ord $col",
    "(by|on) (the)? last $col",
)
def sort_column(frame: TextFrame, match: Match) -> bool | None:
    if not frame.sort or (not match.slots and "first" not in frame.words(match.start, match.end)):
        return False
    frame.sort_column = match.value or "1"
    return None


@RULES.on("(by|on) (the|its|their)? first $col")
def sort_first(frame: TextFrame, match: Match) -> bool | None:
    if not frame.sort:
        return False
    frame.sort_column = "1"
    return None


@RULES.on(
    "by (line)? length",
    "by (the)? length of (each|the|every)? line|lines",
    "(shortest|longest) (line|lines)? first",
)
def by_length(frame: TextFrame, match: Match) -> None:
    sign = "r" if "longest" in frame.words(match.start, match.end) else ""
    frame.sort.clear()
    frame.add(SORT, f"awk '{{print length, $0}}' | sort -n{sign} | cut -d' ' -f2-")


@RULES.on("by (human readable|human-readable)? size|sizes")
def by_human(frame: TextFrame, match: Match) -> bool | None:
    if not frame.sort:
        return False
    frame.sort.add("h")
    return None
