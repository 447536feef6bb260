"""Phrases that choose lines by what they hold, start or end with."""

from __future__ import annotations

from terma.offline.grammar.match import Match, Rules
from terma.offline.grammar.text_phrases.frame import MACROS, UNIQUE, TextFrame

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
