"""Phrases that choose lines: by number, by what they hold, by length, by being repeated."""

from __future__ import annotations

from terma.offline.grammar.match import Match, Rules
from terma.offline.grammar.text_frame import COUNT, LIMIT, MACROS, SELECT, SORT, UNIQUE, TextFrame

RULES: Rules[TextFrame] = Rules(MACROS)
NOT_TEXT = frozenset(
    "line row word column field character number file all every each blank empty duplicate unique only "
    "first last sort count show "
    "least most more less than repeated it them they both either largest smallest biggest highest lowest "
    "longest shortest "
    "start end starting ending symlink broken hidden executable world-writable random average sum total "
    "maximum minimum mean "
    "difference directory name".split()
)


# Levels of a log are written in capitals as often as not.
_LEVELS = frozenset("error errors warning warnings warn info debug fatal critical".split())


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


_ALL_BUT = (
    "(everything but|everything except|all but|all lines except|all lines but|all except|"
    "without|skip|skipping|except|excluding|omit|omitting|ignoring|ignore|but not|not)"
)


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


@RULES.on(
    "(empty|blank) $line", "$line (that|which)? (are)? (empty|blank)", "empty|blank|whitespace-only ones"
)
def empty(frame: TextFrame, match: Match) -> None:
    before = {frame.low(match.start - 1), frame.low(match.start - 2)}
    if frame.flags & {"delete"} or before & {
        "without",
        "not",
        "non",
        "ignoring",
        "skipping",
        "excluding",
        "except",
        "no",
        "omit",
        "skip",
        "ignore",
        "exclude",
    }:
        frame.keeps.append(("nonblank", ""))
    else:
        frame.keeps.append(("blank", ""))


@RULES.on(
    "(with|containing|or|and|having|consisting of) $line? (only|just)? (of)? space|spaces|blank|blanks|"
    "whitespace (only|characters)?",
    "and|or $line with|containing|of spaces|whitespace only?",
    "(only|just) whitespace|spaces",
)
def whitespace_lines(frame: TextFrame, match: Match) -> bool | None:
    for index, (kind, _text) in enumerate(frame.keeps):
        if kind in ("blank", "nonblank"):
            frame.keeps[index] = (kind, "white")
            return None
    return False


@RULES.on(
    "non-empty|nonempty|non-blank|nonblank $line",
    "$line (that|which)? (are)? not (empty|blank)",
    "not (empty|blank)",
)
def full(frame: TextFrame, match: Match) -> None:
    frame.keeps.append(("nonblank", ""))


_OF_LINES = "(all|every|each|only|the)? $line? (that|which|where)? (it|they)?"


@RULES.on(
    "$line? (that|which|where|in which)? $has $word? #str",
    "$line (that|which) (have|has) $word #str",
    "$line where #str (occurs|appears)",
    "(search|grep|look|find) (for)? $word? #str",
    "all|every|each occurrence|occurrences|mention|mentions|instance|instances of $word? #str",
    "occurrence|occurrences|mentions of $word? #str",
    "#str $line",
)
def has(frame: TextFrame, match: Match) -> bool | None:
    token = match.slots[-1]
    words = frame.words(match.start, match.end)
    if not _text(token) or (
        not words & {"line", "lines", "row", "rows", "entries", "records"}
        and token.kind not in ("quoted", "ident")
        and not words
        & {
            "contain",
            "containing",
            "contains",
            "mention",
            "mentioning",
            "search",
            "grep",
            "find",
            "look",
            "matching",
            "occurrence",
            "occurrences",
            "word",
            "mentions",
        }
    ):
        return False
    if frame.low(match.start) in ("with", "having", "for", "have") and token.kind != "quoted":
        return False
    negative = _negated(frame, match.start)
    if (words & {"word"} and token.kind != "quoted") or "whole" in words:
        frame.flags.add("word")
    frame.keeps.append(("not" if negative or frame.flags & {"delete"} else "has", token.value))
    frame.flags.add("keep list")
    if token.kind == "word" and token.text in _LEVELS:
        frame.flags.add("ignore case")
    return None


def _text(token: object) -> bool:
    kind, norm = getattr(token, "kind", ""), getattr(token, "norm", "")
    return kind not in ("path", "file", "env", "ext", "glob") and not (kind == "word" and norm in NOT_TEXT)


def _negated(frame: TextFrame, start: int) -> bool:
    return bool(
        {frame.low(start - 1), frame.low(start - 2)}
        & {
            "not",
            "don't",
            "doesn't",
            "without",
            "no",
            "except",
            "excluding",
            "ignoring",
            "skipping",
            "cannot",
            "never",
        }
    )


@RULES.on(
    "$line? (that|which)? (do not|does not|not|without|but not|and not|but do not|and do not|don't) $has? "
    "$word? #str",
    "$line without $word? #str",
    "(except|excluding|ignoring|skipping|but not|not) (those|ones|lines|the ones)? $has $word? #str",
    "(except|excluding|ignoring|skipping|omitting) $line? $has? #quoted",
)
def lacks(frame: TextFrame, match: Match) -> bool | None:
    token = match.slots[-1]
    if not _text(token) or (token.kind not in ("quoted", "ident") and match.end - match.start < 3):
        return False
    frame.keeps.append(("has" if frame.flags & {"delete"} else "not", token.value))
    return None


@RULES.on(
    "and (also)? $has? $word? #str",
    "but (also)? $has $word? #str",
    "or $has? $word? #str",
    "nor $has? #str",
    "both #str and #str",
    "either #str or #str",
    "neither #str nor #str",
)
def also(frame: TextFrame, match: Match) -> bool | None:
    words = frame.words(match.start, match.end)
    if any(not _text(t) for t in match.slots) or (not frame.keeps and len(match.slots) < 2):
        return False
    if (
        len(match.slots) == 1
        and match[0].kind not in ("quoted", "ident")
        and not words & {"contain", "containing", "contains", "word", "mention", "mentioning"}
        and "keep list" not in frame.flags
    ):
        return False
    kind = frame.keeps[-1][0] if frame.keeps else "not" if "neither" in words else "has"
    if kind not in ("has", "not", "start", "end"):
        return False
    frame.keeps.extend((kind, token.value) for token in match.slots)
    if words & {"or", "either"}:
        frame.flags.add("either")
    return None


@RULES.on("$line? (that|which)? (start|starts|starting|begin|begins|beginning) (with|by|in) $word? #str")
def starts(frame: TextFrame, match: Match) -> bool | None:
    return _edge(frame, match, "start")


@RULES.on("$line? (that|which)? (end|ends|ending) (with|in|by) $word? #str")
def ends(frame: TextFrame, match: Match) -> bool | None:
    return _edge(frame, match, "end")


@RULES.on(
    "$line? (that|which)? (start|starts|starting|begin|begins|beginning) with|by",
    "$line? (that|which)? (end|ends|ending) with|in",
)
def edge_mark(frame: TextFrame, match: Match) -> bool | None:
    """`starting with #`: a mark that is no word stands between two tokens of the raw sentence."""
    last, after = frame.token(match.end - 1), frame.token(match.end)
    if last is None:
        return False
    gap = frame.sentence.raw[last.end : after.start if after else len(frame.sentence.raw)]
    marks = gap.split()
    if not marks or not marks[0]:
        return False
    kind = "end" if any(w.startswith("end") for w in frame.words(match.start, match.end)) else "start"
    negative = _negated(frame, match.start) != bool(frame.flags & {"delete"})
    frame.keeps.append((("not " if negative else "") + kind, marks[0]))
    return None


@RULES.on(
    "(but)? (keep|keeping|preserve|preserving|maintaining|in|without changing) (the|their|its)? (original|"
    "first)? order",
    "without sorting",
)
def keep_order(frame: TextFrame, match: Match) -> bool | None:
    if "unique" not in frame.flags:
        return False
    frame.flags.discard("unique")
    frame.add(UNIQUE, "awk '!seen[$0]++'")
    return None


def _edge(frame: TextFrame, match: Match, kind: str) -> bool | None:
    token = match.slots[-1]
    if token.kind == "word" and token.norm in NOT_TEXT:
        return False
    negative = _negated(frame, match.start) or "not" in frame.words(match.start, match.end)
    frame.keeps.append((("not " if negative != bool(frame.flags & {"delete"}) else "") + kind, token.value))
    return None


@RULES.on(
    "$line? (that|which)? (start|starts|starting|begin|begins|beginning) with (a|an|the)? (digit|number|"
    "capital letter|uppercase letter|lowercase letter|vowel|space|tab|letter)"
)
def starts_class(frame: TextFrame, match: Match) -> None:
    words = frame.words(match.start, match.end)
    known = {
        "digit": "[0-9]",
        "number": "[0-9]",
        "capital": "[A-Z]",
        "uppercase": "[A-Z]",
        "lowercase": "[a-z]",
        "vowel": "[AEIOUaeiou]",
        "space": " ",
        "tab": "\t",
        "letter": "[A-Za-z]",
    }
    found = next(known[w] for w in known if w in words)
    frame.keeps.append(("regex", "^" + found))


@RULES.on(
    "$line? (that|which)? $has (a|an|any|at least one|only)? (digit|digits|number|numbers)",
    "(without|no|skip|ignoring)? comment|commented $line?",
    "(without|no|skip|ignoring)? comments",
)
def classes(frame: TextFrame, match: Match) -> bool | None:
    words = frame.words(match.start, match.end)
    kind = (
        "not regex"
        if _negated(frame, match.start + 1) or _negated(frame, match.start) or frame.flags & {"delete"}
        else "regex"
    )
    if words & {"comment", "commented", "comments"}:
        frame.keeps.append((kind, r"^\s*#"))
        return None
    frame.keeps.append((kind, "[0-9]" if "only" not in words else "^[0-9]*$"))
    return None


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


@RULES.on(
    "(count|number of|how many|total|count of|count number of|total number of) (are)? (there)? (of)? $line?",
    "(and)? count $them?",
    "and (print|show|report|tell me) (how many|number of|count) (of them|there are|lines)? $line?",
    "and? how many there are?",
    "count them?",
)
def count(frame: TextFrame, match: Match) -> bool | None:
    words = frame.words(match.start, match.end)
    if not words & {"count", "many", "number"}:
        return False
    after = frame.low(match.end)
    if after in ("words", "word", "characters", "character", "bytes", "chars", "times", "columns", "fields"):
        return False if not words & {"line", "lines"} else None
    frame.flags.add("count")
    return None


@RULES.on(
    "(count|number of|how many|count number of) (are)? (there)? word|words", "word count", "and word|words"
)
def word_count(frame: TextFrame, match: Match) -> bool | None:
    if frame.low(match.start) == "and" and "count" not in frame.flags:
        return False
    if frame.low(match.end) in ("occur", "appear", "frequency"):
        return False
    frame.add(COUNT, "wc -w")
    return None


@RULES.on(
    "(count|number of|how many|count number of) (are)? (there)? character|characters|chars|letters",
    "character count",
)
def character_count(frame: TextFrame, match: Match) -> None:
    frame.add(COUNT, "wc -m")


@RULES.on("(count|number of|how many|count number of) (are)? (there)? byte|bytes")
def byte_count(frame: TextFrame, match: Match) -> None:
    frame.add(COUNT, "wc -c")


@RULES.on(
    "(how many times|number of times|number of occurrences of|count occurrences of|count number of times|"
    "how often|count how many times|count how often|number of occurrence of|count all occurrences of) "
    "(does)? (the)? $word? #str (occur|occurs|appear|appears|is found|is mentioned|show up|occurred|"
    "appeared)?",
    "how many occurrences of $word? #str (are there)?",
)
def times(frame: TextFrame, match: Match) -> bool | None:
    token = match.slots[-1]
    if not _text(token) or token.text.lower() in ("each", "every"):
        return False
    frame.keeps.append(("has", token.value))
    frame.flags |= {"-o", "count"}
    if "word" in frame.words(match.start, match.end):
        frame.flags.add("word")
    return None


@RULES.on(
    "(remove|delete|drop|eliminate|filter out|strip|without) duplicate|duplicated|repeated $line? (keeping|"
    "but keep|preserving|keep|while preserving|without changing|while keeping|and keep) (the|original|"
    "first)? (order|original order|occurrence|the order)",
    "(remove|delete|drop|without) duplicate|duplicated|repeated $line? without sorting",
    "(unique|distinct) $line (keeping|in|preserving|in the|in their) (original)? order",
)
def dedupe_in_order(frame: TextFrame, match: Match) -> None:
    frame.add(UNIQUE, "awk '!seen[$0]++'")


@RULES.on(
    "(remove|delete|drop|eliminate|strip|discard|get rid of|filter out|removing|without|dropping|no|"
    "ignoring) (all|any|the)? (adjacent|consecutive)? duplicate|duplicated|duplicates|repeated (ones|lines|"
    "line|entries|rows|names|words|values)?",
    "(unique|distinct|uniq|deduplicated) $line|value|values|word|words|ones|entries|names|names?",
    "deduplicate|dedupe $line? (of|in)?",
    "(only|each) (once|unique)",
    "uniq",
    "unique",
    "distinct",
    "without repetition|repetitions|repeats",
)
def unique(frame: TextFrame, match: Match) -> None:
    if frame.words(match.start, match.end) & {"adjacent", "consecutive"}:
        frame.add(UNIQUE, "uniq")
    else:
        frame.flags.add("unique")


@RULES.on(
    "(which|what|find|show|list|only|print|display)? (all|the)? (duplicate|duplicated|repeated) (lines|line|"
    "entries|rows|names|words|values|ones|numbers)?",
    "(which|what|all)? (lines|line|entries|rows|names|words|values|ones|numbers)? (that|which|who)? (occur|"
    "occurs|appear|appears|occurring|appearing|repeat|are repeated|exist|are listed|show up) (more than "
    "once|twice or more|several times|multiple times|at least twice|repeatedly|more than one time)",
    "duplicates (in)?",
)
def duplicates(frame: TextFrame, match: Match) -> bool | None:
    if frame.flags & {"delete"} or frame.low(match.start - 1) in ("remove", "delete", "without"):
        return False
    frame.flags.add("duplicates")
    return None


@RULES.on(
    "(lines|line|names|words|values|entries|that|which|only)? (that|which)? (occur|occurs|appear|appears|"
    "occurring|appearing|exist|are) (only|exactly|just)? (once)",
    "(lines|line|names|values|words) (that are)? not (repeated|duplicated)",
    "(occur|appear|occurs|appears) exactly one time",
)
def singles(frame: TextFrame, match: Match) -> None:
    frame.flags.add("singles")


@RULES.on(
    "(count|counts|how many times|how often|number of times|frequency of|tally|count how many times|count "
    "how often|with how often|count number of times|count occurrences of|number of occurrences of|with "
    "counts of|with count of) (each|every|the)? (distinct|unique|different)? (line|lines|value|values|name|"
    "entry|one|item|word|of the lines) (occurs|appears|occur|appear|is repeated|is listed|is there|"
    "occurred)?",
    "(with|and) (their|its|the)? (count|counts|frequency|frequencies|number of occurrences|occurrence count)",
    "(number|count) of occurrences (of|for) each|every (line|name|value|word|entry)",
    "count (by|per) (line|name|value|word)",
)
def each_count(frame: TextFrame, match: Match) -> bool | None:
    words = frame.words(match.start, match.end)
    if (
        not words & {"each", "every", "distinct", "unique", "different"}
        and frame.low(match.start) not in ("with", "and", "tally", "frequency")
        and not words & {"per"}
    ):
        return False
    frame.flags.add("tally")
    if words & {"word", "words"}:
        frame.flags.add("by word")
    return None


@RULES.on(
    "#num most (common|frequent|frequently used|used|often used|repeated|popular|frequently occurring) "
    "(line|lines|value|values|word|words|names|name|entries|numbers)?",
    "(top|first) #num (most)? (common|frequent|frequently used|used|popular)? (line|lines|word|words|values|"
    "names|value)",
    "most (common|frequent|frequently used|used|repeated) (line|lines|word|words|value|values|name|names|"
    "entry)",
    "(line|word|value|name) (that)? (occurs|appears) most (often|frequently)?",
    "most (common|frequent) #num (line|lines|word|words|value|values|name|names)",
    "#num (word|words|lines|line) (that)? (occur|appear) most (often)?",
)
def most_common(frame: TextFrame, match: Match) -> bool | None:
    words = frame.words(match.start, match.end)
    if not words & {"most", "common", "frequent", "popular"}:
        return False
    frame.flags |= {"tally", "by count"}
    if words & {"word", "words"}:
        frame.flags.add("by word")
    singular = words & {"line", "word", "value", "name", "entry"} and not match.slots
    if match.slots or singular:
        frame.add(LIMIT, f"head -n {match.value or 1}")
    return None


@RULES.on(
    "(sorted|sort|ordered|ranked) by (count|frequency|occurrence|number of occurrences|occurrences|how "
    "often)",
    "(by|in order of) (frequency|count|number of occurrences)",
    "most (frequent|common|often) first",
    "(sorted|sort) (with)? most (frequent|common) first",
)
def by_count(frame: TextFrame, match: Match) -> None:
    frame.flags |= {"tally", "by count"}
