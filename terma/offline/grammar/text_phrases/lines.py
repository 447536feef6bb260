"""Phrases that choose lines by number: first, last, ranges, every other, at random."""

from __future__ import annotations

from terma.offline.grammar.match import Match, Rules
from terma.offline.grammar.text_phrases.frame import LIMIT, MACROS, SELECT, SORT, TextFrame

RULES: Rules[TextFrame] = Rules(MACROS)
_ALL_BUT = (
    "(everything but|everything except|all but|all lines except|all lines but|all except|"
    "without|skip|skipping|except|excluding|omit|omitting|ignoring|ignore|but not|not)"
)


def _rank(frame: TextFrame) -> int:
    return LIMIT if frame.after_sort else SELECT


@RULES.on(
    "first|top|initial|leading #num $line?",
    "#num first $line",
    "head -n #num",
    "only? first #num $line|result|entry|ones?",
    "beginning #num $line",
    "up to? line #num",
    "start #num $line",
)
def first(frame: TextFrame, match: Match) -> bool | None:
    if frame.low(match.end) in (
        "characters",
        "character",
        "chars",
        "bytes",
        "columns",
        "fields",
        "words",
        "letters",
    ):
        return False
    frame.add(_rank(frame), f"head -n {match.value}")
    return None


@RULES.on("last|bottom|final #num $line?", "#num last $line", "tail -n #num", "end #num $line")
def last(frame: TextFrame, match: Match) -> bool | None:
    if frame.low(match.end) in (
        "characters",
        "character",
        "chars",
        "bytes",
        "columns",
        "fields",
        "words",
        "letters",
    ):
        return False
    frame.add(_rank(frame), f"tail -n {match.value}")
    return None


@RULES.on("first|top $line", "line 1", "first|top $line only")
def first_one(frame: TextFrame, match: Match) -> None:
    frame.add(_rank(frame), "head -n 1")


@RULES.on("last|final|bottom $line")
def last_one(frame: TextFrame, match: Match) -> None:
    frame.add(_rank(frame), "tail -n 1")


@RULES.on("line (number)? #num", "#ord $line", "line #num only")
def nth(frame: TextFrame, match: Match) -> None:
    frame.add(_rank(frame), f"sed -n '{match.value}p'")


@RULES.on("(second to last|second last|penultimate|next to last|last but one) $line")
def penultimate(frame: TextFrame, match: Match) -> None:
    frame.add(_rank(frame), "tail -n 2 | head -n 1")


@RULES.on(
    "line|lines|rows (number|numbers)? #num (to|through|until|-|thru|and) (line)? #num",
    "between? line|lines #num and line? #num",
    "from line #num (to|through|until) line? #num",
    "from #ord to|through|until #ord $line",
    "line (between|from) #num (and|to) #num",
    "#ord (to|through) #ord $line",
    "lines? #num and #num inclusive?",
)
def span(frame: TextFrame, match: Match) -> None:
    words = frame.words(match.start, match.end)
    two = "and" in words and not words & {"between", "inclusive"}
    low, high = match[0].value, match[1].value
    frame.add(SELECT, f"sed -n '{low}p;{high}p'" if two else f"sed -n '{low},{high}p'")


@RULES.on(
    "(from line #num|line #num) (to|until|through|on) (the|its)? end",
    "everything|lines? (from|starting at|starting from|starting with) line? #num (on|onwards|to end)?",
    "starting (at|from|with) line? #num",
    "from line #num (on|onwards|onward)",
    "after line #num",
    "(everything|lines) after line? #num",
    "from #ord line on|onwards|onward",
)
def onward(frame: TextFrame, match: Match) -> None:
    after = "after" in frame.words(match.start, match.end)
    frame.add(SELECT, f"tail -n +{int(match.value) + after}")


@RULES.on(
    f"{_ALL_BUT} (its|first|header) (header|line|row)? (line|row)?",
    f"{_ALL_BUT} first|top line|row",
    "after? header|first line|row on",
    "without|no|skip|skipping|ignoring|excluding header|headers|heading",
    "strip|skip header|heading|first (line|row)?",
)
def headless(frame: TextFrame, match: Match) -> bool | None:
    words = frame.words(match.start, match.end)
    if (
        not words & {"header", "headers", "heading"} and not ("first" in words or "top" in words)
    ) or not words & {"header", "headers", "heading", "line", "row"}:
        return False
    frame.add(1, "tail -n +2")
    return None


@RULES.on(f"{_ALL_BUT} first|top #num line|lines|row|rows", "skip|skipping first #num line|lines|rows")
def skip_first(frame: TextFrame, match: Match) -> None:
    frame.add(SELECT, f"tail -n +{int(match.value) + 1}")


@RULES.on(f"{_ALL_BUT} last|final|bottom #num line|lines|row|rows")
def skip_last(frame: TextFrame, match: Match) -> None:
    frame.add(SELECT, f"head -n -{match.value}")


@RULES.on(f"{_ALL_BUT} last|final|bottom line|row")
def skip_last_one(frame: TextFrame, match: Match) -> None:
    frame.add(SELECT, "sed '$d'")


@RULES.on(
    "(every|each) other|second|2nd|alternate $line",
    "every #ord $line",
    "every #num $line",
    "odd (numbered|number)? $line",
    "even (numbered|number)? $line",
    "odd-numbered|even-numbered $line",
    "alternate|alternating $line",
    "every (second|third|fourth|fifth|tenth) $line",
)
def every(frame: TextFrame, match: Match) -> None:
    words = frame.words(match.start, match.end)
    if match.slots and match.value != "2":
        frame.add(SELECT, f"awk 'NR % {match.value} == 0'")
    elif words & {"even", "even-numbered"}:
        frame.add(SELECT, "awk 'NR % 2 == 0'")
    else:
        frame.add(SELECT, "awk 'NR % 2 == 1'")


@RULES.on(
    "#num (random|randomly) (chosen|selected|picked)? $line",
    "(a|one|single)? random|randomly (chosen|selected|picked)? $line",
    "random (sample)? (of)? #num $line",
    "(pick|choose|select|sample) #num $line (at random|randomly)?",
    "(pick|choose|select) $line (at random|randomly)",
    "#num $line at random",
)
def random(frame: TextFrame, match: Match) -> None:
    frame.add(SORT, f"shuf -n {match.value or 1}")


@RULES.on(
    "shuffle|randomize|randomise $line? (order)? (of)? $line?",
    "(in) random order",
    "randomly (shuffle|order|sort)",
)
def shuffle(frame: TextFrame, match: Match) -> None:
    frame.add(SORT, "shuf")
