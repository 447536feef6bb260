"""Phrases that take something out of text: blanks, lines, characters."""

from __future__ import annotations

from terma.offline.grammar.match import Match, Rules
from terma.offline.grammar.quoting import quoted, sed_side
from terma.offline.grammar.text_phrases.changes import _CHAR, _span_characters
from terma.offline.grammar.text_phrases.frame import CHANGE, CUT, MACROS, TextFrame
from terma.offline.grammar.text_phrases.matches import NOT_TEXT

RULES: Rules[TextFrame] = Rules(MACROS)


@RULES.on(
    "$del (all|any|every)? (the)? (trailing|ending) (white)? space|spaces|whitespace|blanks (at end)? (of|"
    "from)? (each|every|all)? (line|lines)?",
    "$del (the)? (spaces|whitespace|space|blanks) (at|from) (the)? end (of)? (each|every|all)? (line|lines)?",
    "trailing whitespace|spaces|blanks (of|from)? (each|every)? (line)?",
    "without trailing whitespace|spaces",
)
def trailing(frame: TextFrame, match: Match) -> None:
    frame.edits.append("s/[[:space:]]*$//")


@RULES.on(
    "$del (all|any|every)? (the)? (leading|initial) (white)? space|spaces|whitespace|blanks|indentation (of|"
    "from)? (each|every|all)? (line|lines)?",
    "$del (the)? (spaces|whitespace|space|blanks) (at|from) (the)? (start|beginning) (of)? (each|every|"
    "all)? (line|lines)?",
    "leading whitespace|spaces|blanks (of|from)? (each|every)? (line)?",
    "$del (the)? indentation",
)
def leading(frame: TextFrame, match: Match) -> None:
    frame.edits.append("s/^[[:space:]]*//")


@RULES.on(
    "$del leading (and|or) trailing (white)? space|spaces|whitespace|blanks",
    "trim (whitespace|spaces)? (from|of)? (each|every)? (line|lines)?",
    "(strip|trim) whitespace (from)? (both ends|both sides)?",
)
def both_sides(frame: TextFrame, match: Match) -> bool | None:
    if frame.low(match.start) == "trim" and match.end - match.start == 1:
        return False
    frame.edits.append("s/^[[:space:]]*//; s/[[:space:]]*$//")
    return None


@RULES.on("$del (all|every|any)? (empty|blank) (line|lines|rows|ones)")
def delete_empty(frame: TextFrame, match: Match) -> None:
    frame.edits.append("/^$/d")


@RULES.on(
    "$del (all|every|any)? line|lines|rows (that|which)? (contain|containing|contains|with|matching|match|"
    "mention|mentioning|having|including) $word? #str",
    "$del (all|every)? #quoted line|lines",
    "$del (all)? lines with #quoted",
)
def delete_matching(frame: TextFrame, match: Match) -> bool | None:
    token = match.slots[-1]
    if token.kind == "word" and token.norm in NOT_TEXT:
        return False
    frame.edits.append(f"/{sed_side(token.value)}/d")
    return None


@RULES.on(
    "$del (all|every|any)? line|lines|rows (that|which)? (start|starting|starts|begin|begins|beginning) "
    "with #str"
)
def delete_starting(frame: TextFrame, match: Match) -> bool | None:
    if match[0].norm in NOT_TEXT and match[0].kind == "word":
        return False
    frame.edits.append(f"/^{sed_side(match.value)}/d")
    return None


@RULES.on("$del (all|every|any)? line|lines|rows (that|which)? (end|ends|ending) (with|in) #str")
def delete_ending(frame: TextFrame, match: Match) -> None:
    frame.edits.append(f"/{sed_side(match.value)}$/d")


@RULES.on("$del (all|every)? (comment|comments|commented) line|lines?", "$del (the)? comments")
def delete_comments(frame: TextFrame, match: Match) -> None:
    frame.edits.append(r"/^[[:space:]]*#/d")


@RULES.on(
    "$del (the)? first (line|row)",
    "$del (the)? header (line|row)?",
    "$del (the)? first #num lines|rows",
    "$del (the)? last line|row",
    "$del line|row (number)? #num",
    "$del (the)? #ord line|row",
    "$del line|lines|rows #num (to|through|-|until) #num",
    "$del (the)? top line|row",
)
def delete_lines(frame: TextFrame, match: Match) -> None:
    words = frame.words(match.start, match.end)
    numbers = [t.value for t in match.slots]
    if len(numbers) == 2:
        frame.edits.append(f"{numbers[0]},{numbers[1]}d")
    elif "last" in words:
        frame.edits.append("$d")
    elif words & {"first", "top", "header"}:
        frame.edits.append(f"1,{numbers[0]}d" if numbers else "1d")
    else:
        frame.edits.append(f"{numbers[0]}d")


@RULES.on(
    f"$del $all? (occurrence of|occurrences of)? (the)? {_CHAR}|#quoted character|characters?",
    f"(without|no) (any)? {_CHAR} character|characters?",
    f"$del $all? (the)? {_CHAR}|#quoted",
)
def delete_characters(frame: TextFrame, match: Match) -> bool | None:
    found = _span_characters(frame, match)
    after = frame.low(match.end)
    if (
        len(found) != 1
        or after in ("line", "lines", "separated", "at", "and", "or")
        or (after == "from" and frame.low(match.end + 1) in ("start", "beginning", "end"))
    ):
        return False
    if len(found[0].removeprefix("\\")) == 1:
        frame.add(CHANGE, f"tr -d {quoted(found[0])}")
    else:
        frame.edits.append(f"s/{sed_side(found[0])}//g")
    return None


@RULES.on("$del $all? (digit|digits|number|numbers)")
def delete_digits(frame: TextFrame, match: Match) -> None:
    frame.add(CHANGE, "tr -d '0-9'")


@RULES.on("$del $all? punctuation (marks|characters)?")
def delete_punctuation(frame: TextFrame, match: Match) -> None:
    frame.add(CHANGE, "tr -d '[:punct:]'")


@RULES.on(
    "$del (the)? last #num characters|chars|letters|character (of|from)? (each|every)? (line)?",
    "$del (the)? last character (of|from)? (each|every)? (line)?",
)
def chop(frame: TextFrame, match: Match) -> None:
    frame.edits.append(f"s/{'.' * min(int(match.value or 1), 12)}$//")


@RULES.on(
    "$del (the)? first #num characters|chars|letters|character (of|from)? (each|every)? (line)?",
    "$del (the)? first character (of|from)? (each|every)? (line)?",
)
def behead(frame: TextFrame, match: Match) -> None:
    frame.add(CUT, f"cut -c {int(match.value or 1) + 1}-")


@RULES.on("$del (everything|all|text)? (after|following) (the)? (first)? (character)? #str")
def cut_after(frame: TextFrame, match: Match) -> None:
    frame.edits.append(f"s/{sed_side(match.value)}.*/{sed_side(match.value, replacement=True)}/")


@RULES.on("$del (everything|all|text) (before|up to|preceding) (the)? (first)? (character)? #str")
def cut_before(frame: TextFrame, match: Match) -> None:
    frame.edits.append(f"s/^.*{sed_side(match.value)}/{sed_side(match.value, replacement=True)}/")
