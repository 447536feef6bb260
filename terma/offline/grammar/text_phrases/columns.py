"""Phrases about columns, sums and parts of lines."""

from __future__ import annotations

import re

from terma.offline.characters import CHARACTERS
from terma.offline.grammar.match import Match, Rules
from terma.offline.grammar.text_phrases.frame import CUT, MACROS, SELECT, TextFrame

RULES: Rules[TextFrame] = Rules(MACROS)
_CHAR = "|".join(CHARACTERS)
_SEP = "(separated|delimited|split|divided|seperated)"
_LIST = "#num (and|to|through|-)? #num? (and)? #num?"
_AGG = {
    "sum": "sum",
    "total": "sum",
    "add": "sum",
    "average": "mean",
    "mean": "mean",
    "avg": "mean",
    "maximum": "max",
    "max": "max",
    "largest": "max",
    "highest": "max",
    "biggest": "max",
    "greatest": "max",
    "minimum": "min",
    "min": "min",
    "smallest": "min",
    "lowest": "min",
    "summing": "sum",
    "median": "median",
}
_AGGS = (
    "sum|total|average|mean|avg|maximum|max|largest|highest|biggest|greatest|minimum|min|"
    "smallest|lowest|median|summing"
)
_OPS = {
    "greater": ">",
    "larger": ">",
    "more": ">",
    "bigger": ">",
    "over": ">",
    "above": ">",
    "higher": ">",
    "less": "<",
    "smaller": "<",
    "below": "<",
    "under": "<",
    "lower": "<",
    "least": ">=",
    "most": "<=",
    "not": "!=",
}
_CMP = (
    "(is|are)? (greater|larger|more|bigger|over|above|higher|less|smaller|below|under|lower|at "
    "least|at most|not) than? (equal to)?"
)


@RULES.on(
    f"{_SEP} (by|on|with|at) {_CHAR}|#quoted",
    f"(with|using) {_CHAR}|#quoted as? (the|a)? (delimiter|separator|field separator)",
    f"(delimiter|separator) (is)? {_CHAR}|#quoted",
    "comma-separated|tab-separated|space-separated|pipe-separated|colon-separated|semicolon-separated (file|"
    "values|list|columns|fields)?",
    f"(using|with) (the)? (delimiter|separator) {_CHAR}|#quoted",
    "comma|tab|colon|semicolon|pipe delimited|separated (file|values|list|columns|fields)?",
)
def separator(frame: TextFrame, match: Match) -> bool | None:
    for index in range(match.start, match.end):
        token, low = frame.token(index), frame.low(index)
        if token is not None and token.kind == "quoted":
            frame.separator = token.value
        elif low in CHARACTERS:
            frame.separator = CHARACTERS[low]
        elif low.partition("-")[0] in CHARACTERS and "-" in low:
            frame.separator = CHARACTERS[low.partition("-")[0]]
    return None


@RULES.on(
    f"(only|just)? (the)? $col|columns|fields (number|numbers)? {_LIST}",
    "(only|just)? (the)? #ord (and)? #ord? $col (only)?",
    "$col #num only",
    "(the)? #ord word|words (of|in|on|from)? (each|every|all)? (line|lines)?",
    "(the)? word #num (of|in)? (each|every)? (line)?",
    "#ord (value|item|element) (of|in|on|from)? (each|every) (line)?",
)
def columns(frame: TextFrame, match: Match) -> bool | None:
    words = frame.words(match.start, match.end)
    numbers = [t.value for t in match.slots]
    if words & {"to", "through", "-"} and len(numbers) == 2:
        numbers = [str(n) for n in range(int(numbers[0]), min(int(numbers[1]), int(numbers[0]) + 20) + 1)]
    if frame.condition == "pending":
        return False
    frame.columns.extend(numbers)
    return None


@RULES.on("(only|just)? (the)? first #num (columns|fields|words) (of|in|from)? (each|every)? (line)?")
def first_columns(frame: TextFrame, match: Match) -> None:
    frame.columns.extend(str(n) for n in range(1, min(int(match.value), 20) + 1))


@RULES.on("(only|just)? (the)? first $col|word (only)? (of|in|from|on)? (each|every|all)? (line|lines)?")
def first_column(frame: TextFrame, match: Match) -> None:
    frame.columns.append("1")


@RULES.on("(only|just)? (the)? last|final $col|word (only)? (of|in|from|on)? (each|every|all)? (line|lines)?")
def last_column(frame: TextFrame, match: Match) -> None:
    frame.columns.append("NF")


@RULES.on(
    "(everything|all|all columns|all fields|every column) (but|except|without) (the)? first $col|word?",
    "(without|except|excluding|omitting|remove|delete|drop|removing) (the)? first $col|word",
)
def not_first_column(frame: TextFrame, match: Match) -> None:
    frame.flags.add("cut 2-")


@RULES.on(
    "(remove|delete|drop|without|omit) (the)? (column|field) #num",
    "(remove|delete|drop|without|omit) (the)? #ord (column|field)",
)
def drop_column(frame: TextFrame, match: Match) -> None:
    frame.flags.add(f"drop {match.value}")


@RULES.on(
    "swap|exchange|switch (the)? (first|1st) (and|with) (the)? (second|2nd)? #ord? $col",
    "swap|exchange|switch (the)? (two)? columns #num (and|with) #num",
    "swap|exchange|switch (the)? (first) (two) $col",
    "swap (the)? two columns",
    "swap|exchange|switch $col #num (and|with) $col? #num",
)
def swap(frame: TextFrame, match: Match) -> None:
    frame.columns[:] = [t.value for t in reversed(match.slots)] if len(match.slots) == 2 else ["2", "1"]


@RULES.on(
    "(the)? first #num characters|chars|letters (of|from|in|on)? (each|every)? (line)?",
    "(the)? first character|letter (of|from|in) (each|every) (line)?",
)
def first_characters(frame: TextFrame, match: Match) -> None:
    frame.add(CUT, f"cut -c {'1-' + match.value if match.slots else '1'}")


@RULES.on("(the)? last #num characters|chars|letters (of|from|in|on)? (each|every)? (line)?")
def last_characters(frame: TextFrame, match: Match) -> None:
    frame.add(CUT, f"grep -o '.\\{{1,{match.value}\\}}$'")


@RULES.on(
    "characters|chars #num (to|through|-) #num (of|from|in|on)? (each|every)? (line)?",
    "(the)? #ord character (of|from|in|on) (each|every) (line)?",
)
def character_range(frame: TextFrame, match: Match) -> None:
    frame.add(CUT, "cut -c " + "-".join(t.value for t in match.slots))


@RULES.on(
    f"{_AGGS} (up)? (of)? (all|the)? (the)? (numbers|number|values|value|figures|entries|lines|ones|"
    f"amounts)? (of|in|from)?",
    "add (up)? (all|the)? (the)? (numbers|values|figures|lines|amounts)? (together)?",
    f"what is (the)? {_AGGS} (of)? (all)? (the)? (number|numbers|value|values)?",
)
def aggregate(frame: TextFrame, match: Match) -> bool | None:
    words = frame.words(match.start, match.end)
    found = next((_AGG[w] for w in words if w in _AGG), "")
    if (
        not found
        or (frame.sort and words & {"largest", "biggest", "smallest", "highest", "lowest"})
        or frame.low(match.end) in ("line", "lines", "first", "file")
    ):
        return False
    if "total" in words and (frame.low(match.end) in ("number", "count", "size") or "number" in words):
        return False
    frame.aggregate = found
    return None


@RULES.on(
    "$line? (in which|where|with|whose|for which|having|when) (the)? $col #num (is|are|value|equals|equal "
    "to|=|==|contains|has)? (a|the)? (value)? (equal to|exactly|of)? #str|#number",
    "$line? (in which|where|with|whose|for which|having|when) (the)? #ord $col (is|equals|equal to|"
    "contains)? (equal to|exactly)? #str|#number",
)
def column_equals(frame: TextFrame, match: Match) -> bool | None:
    column, value = match.slots[0], match.slots[-1]
    if value.norm in (
        "greater",
        "larger",
        "less",
        "smaller",
        "more",
        "bigger",
        "over",
        "above",
        "below",
        "not",
        "higher",
        "lower",
    ):
        return False
    if value.kind == "word" and value.norm in ("empty", "blank"):
        _filter(frame, column.value, "==", "")
        return None
    _filter(
        frame, column.value, "~" if "contains" in frame.words(match.start, match.end) else "==", value.value
    )
    return None


@RULES.on(
    f"$line? (in which|where|with|whose|for which|having|when) (the)? (value of|value in)? (the)? $col #num "
    f"{_CMP} #str|#number",
    f"$line? (in which|where|with|whose|for which|having|when) (the)? #ord $col {_CMP} #str|#number",
    f"$line? (in which|where|whose|with) (the)? first $col {_CMP} #str|#number",
)
def column_compares(frame: TextFrame, match: Match) -> bool | None:
    words = frame.words(match.start, match.end)
    sign = next((_OPS[w] for w in words if w in _OPS), "")
    if not sign:
        return False
    _filter(frame, match.slots[0].value if len(match.slots) > 1 else "1", sign, match.slots[-1].value)
    return None


def _filter(frame: TextFrame, column: str, sign: str, value: str) -> None:
    right = (
        value
        if re.fullmatch(r"-?\d+(\.\d+)?", value)
        else '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    )
    frame.condition = f"${column} {sign} {right}"


@RULES.on(
    "(list|find|show|print|extract|get|all)? (the|all)? (unique|distinct|different)? (ip|ips) (address|"
    "addresses|es)? (in|from|of)?",
    "(list|extract|find|show|get) (all)? (the)? (email|emails) (addresses|address)?",
    "(list|extract|find|show|get) (all)? (the)? (url|urls|links)",
    "(extract|list|find) (all)? (the)? (numbers) (from|in)",
)
def extract(frame: TextFrame, match: Match) -> bool | None:
    words = frame.words(match.start, match.end)
    if words & {"unique", "distinct", "different"}:
        frame.flags.add("unique")
    if words & {"ip", "ips"}:
        regex = r"[0-9]+\.[0-9]+\.[0-9]+\.[0-9]+"
    elif words & {"email", "emails"}:
        regex = r"[A-Za-z0-9._%+-]+@[A-Za-z0-9.-]+\.[A-Za-z]+"
    elif words & {"url", "urls", "links"}:
        regex = r'https?://[^ "]+'
    else:
        regex = "[0-9]+"
    frame.add(SELECT, f"grep -oE '{regex}'")
    return None
