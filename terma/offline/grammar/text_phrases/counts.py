"""Phrases that count, and that treat repeated lines."""

from __future__ import annotations

from terma.offline.grammar.match import Match, Rules
from terma.offline.grammar.text_phrases.frame import COUNT, LIMIT, MACROS, UNIQUE, TextFrame
from terma.offline.grammar.text_phrases.matches import _text

RULES: Rules[TextFrame] = Rules(MACROS)


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
