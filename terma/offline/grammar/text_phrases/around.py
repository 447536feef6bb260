"""Phrases about the length of lines and what is shown around a match."""

from __future__ import annotations

from terma.offline.grammar.match import Match, Rules
from terma.offline.grammar.text_phrases.frame import MACROS, SELECT, TextFrame

RULES: Rules[TextFrame] = Rules(MACROS)


@RULES.on(
    "$line? (that|which)? (are|is|have|with|having)? (longer|more|greater|over|above|exceed|exceeding) "
    "than? #num (character|characters|chars)? (in length|long|wide)?",
    "$line? (with|of) length (greater|more|over|larger) than? #num",
)
def longer(frame: TextFrame, match: Match) -> bool | None:
    return _length(frame, match, ">")


@RULES.on(
    "$line? (that|which)? (are|is|have|with|having)? (shorter|less|fewer|under|below|smaller) than? #num "
    "(character|characters|chars)? (in length|long|wide)?",
    "$line? (with|of) length (less|under|smaller|fewer) than? #num",
)
def shorter(frame: TextFrame, match: Match) -> bool | None:
    return _length(frame, match, "<")


@RULES.on(
    "$line (that|which)? (are|is|have|with|having|of)? exactly? #num characters|chars|character (in length|"
    "long|wide)?"
)
def exactly(frame: TextFrame, match: Match) -> bool | None:
    return _length(frame, match, "==")


def _length(frame: TextFrame, match: Match, sign: str) -> bool | None:
    words = frame.words(match.start, match.end)
    if not words & {"character", "characters", "chars", "length", "long", "longer", "shorter", "wide"}:
        return False
    if frame.flags & {"delete"}:
        sign = {">": "<=", "<": ">=", "==": "!="}[sign]
    frame.keeps.append(("length", f"{sign} {match.value}"))
    return None


@RULES.on("longest $line")
def longest(frame: TextFrame, match: Match) -> None:
    frame.add(SELECT, "awk 'length > n {n = length; s = $0} END {print s}'")


@RULES.on("shortest $line")
def shortest(frame: TextFrame, match: Match) -> None:
    frame.add(SELECT, "awk 'NR == 1 || length < n {n = length; s = $0} END {print s}'")


@RULES.on(
    "$line? between (the)? (lines|line|words|markers|patterns)? (containing|with)? #quoted and #quoted",
    "(everything|text|lines) between #str and #str",
    "from line? (containing|with|matching) #str (to|until|through) (line)? (containing|with|matching)? #str",
)
def between(frame: TextFrame, match: Match) -> None:
    from terma.offline.grammar.quoting import sed_side

    frame.add(SELECT, f"sed -n '/{sed_side(match[0].value)}/,/{sed_side(match[1].value)}/p'")


@RULES.on(
    "(with|and|plus|show|showing) #num $line (of context)? (of context)? (after|following|below) (each|it|"
    "the match|match|every match)?",
    "(with|and) (following|next) #num $line",
    "#num $line (of context)? after (each|it|the match|match|every match)?",
)
def context_after(frame: TextFrame, match: Match) -> None:
    frame.flags.add(f"-A {match.value}")


@RULES.on(
    "(with|and|plus|show|showing) #num $line (of context)? (before|preceding|above) (each|it|match|every "
    "match)?",
    "(with|and) (preceding|previous) #num $line",
    "#num $line (of context)? before (each|it|match|every match)?",
    "(with)? #num $line of context before",
)
def context_before(frame: TextFrame, match: Match) -> None:
    frame.flags.add(f"-B {match.value}")


@RULES.on(
    "(with|and|plus|show|showing)? #num $line (of)? context|around (before and after|around|on each side|"
    "around it|around each)?",
    "(with|and)? #num $line (before and after|around) (each|it|match|every match)?",
    "(with)? #num $line of context",
)
def context(frame: TextFrame, match: Match) -> None:
    frame.flags.add(f"-C {match.value}")


@RULES.on(
    "(ignore|ignoring|regardless of|disregarding) case|capitalization",
    "case insensitive|insensitively",
    "case-insensitive|case-insensitively",
    "(in)? any case",
    "upper or lower case",
    "case insensitive search",
)
def ignore_case(frame: TextFrame, match: Match) -> None:
    frame.flags.add("ignore case")


@RULES.on(
    "(with|and|show|including|showing|along with|together with|plus) (their|its|the)? line number|numbers",
    "with line-numbers",
    "(number|numbering) (all|every|each)? (the)? $line",
    "line numbers (of|for|to|in front of)?",
    "numbered $line?",
    "add line numbers (to|in front of)?",
    "prefix|prefixed (each|every)? line with? its? number",
    "on? (what|which) line number|numbers?",
)
def line_numbers(frame: TextFrame, match: Match) -> None:
    frame.flags.add("numbers")


@RULES.on(
    "only (the)? (matching|matched) (part|parts|text|string|word|words)",
    "(matching|matched) (part|parts|text) only",
)
def only_matching(frame: TextFrame, match: Match) -> None:
    frame.flags.add("-o")


@RULES.on("(as)? (a)? whole|entire|exact word|words (only)?", "whole-word")
def whole_word(frame: TextFrame, match: Match) -> None:
    frame.flags.add("word")
