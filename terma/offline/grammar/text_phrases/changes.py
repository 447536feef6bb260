"""Phrases that change text: replace, case, order, tabs, line ends."""

from __future__ import annotations

from terma.offline.characters import CHARACTERS
from terma.offline.grammar.match import Match, Rules, is_path
from terma.offline.grammar.quoting import quoted, sed_side
from terma.offline.grammar.text_phrases.frame import CHANGE, COUNT, CUT, MACROS, SELECT, UNIQUE, TextFrame
from terma.offline.grammar.text_phrases.matches import NOT_TEXT
from terma.offline.tokens import Token

RULES: Rules[TextFrame] = Rules(MACROS)
_CHAR = "|".join(CHARACTERS)


def character(token: Token | None, low: str) -> str:
    """The character a word names (`commas`), or the quoted text itself."""
    if token is None:
        return ""
    return CHARACTERS.get(low, "") if token.kind != "quoted" else token.value


def _span_characters(frame: TextFrame, match: Match) -> list[str]:
    found = []
    for index in range(match.start, match.end):
        token = frame.token(index)
        if token is not None and (token.kind == "quoted" or frame.low(index) in CHARACTERS):
            found.append(character(token, frame.low(index)))
    return found


def _literal(token: Token) -> bool:
    return not (token.kind == "word" and token.text.lower() in NOT_TEXT) and not (
        is_path(token) and token.kind == "path"
    )


@RULES.on(
    "replace|change|substitute|swap $all? (occurrence|occurrences|instance|instances)? (of)? $word? #str "
    "(with|by|to|into|for) $word? #str",
    "replacing #str (with|by) #str",
    "turn $all? #str into #str",
)
def replace(frame: TextFrame, match: Match) -> bool | None:
    old, new = match.slots
    if (
        not _literal(old)
        or (old.kind == "file" and new.kind == "file")
        or (old.kind == "word" and old.text.lower() in CHARACTERS)
    ):
        return False
    replacement = "" if new.text.lower() == "nothing" else new.value
    frame.edits.append(f"s/{sed_side(old.value)}/{sed_side(replacement, replacement=True)}/")
    frame.flags.add("substitution")
    return None


@RULES.on(
    "(only)? (the)? first (occurrence|one|match|instance)? (of)? (on|in|of)? (each|every|per) line",
    "only first (occurrence|one|match)",
    "first (occurrence|match|instance) only",
)
def first_only(frame: TextFrame, match: Match) -> None:
    frame.flags.add("first only")


@RULES.on(
    f"replace|change|convert|turn|translate|substitute $all? (the)? {_CHAR}|#quoted (with|by|to|into) (a|an|"
    f"single)? {_CHAR}|#quoted",
    f"{_CHAR} (with|to|into) {_CHAR}",
)
def translate(frame: TextFrame, match: Match) -> bool | None:
    pair = _span_characters(frame, match)
    if len(pair) != 2 or any(len(c.removeprefix("\\")) != 1 for c in pair):
        return False
    if frame.low(match.start) not in ("replace", "change", "convert", "turn", "translate", "substitute"):
        return False
    frame.add(CHANGE, f"tr {quoted(pair[0])} {quoted(pair[1])}")
    return None


@RULES.on(
    "(to|in|into|all)? (upper|capital) case|letters?",
    "(to|in|into)? uppercase|upper-case|capitals|capitalize (letters)?",
    "uppercase (of)?",
    "in? all caps",
    "capitalise|capitalize",
)
def upper(frame: TextFrame, match: Match) -> None:
    frame.add(CHANGE, "tr '[:lower:]' '[:upper:]'")


@RULES.on("(to|in|into|all)? (lower|small) case|letters?", "(to|in|into)? lowercase|lower-case (letters)?")
def lower(frame: TextFrame, match: Match) -> None:
    frame.add(CHANGE, "tr '[:upper:]' '[:lower:]'")


@RULES.on(
    "convert|change|turn|transform|translate|make $all? (the)? (text|content|contents|letters|characters|"
    "everything|words|case)? (of|in)?"
)
def convert(frame: TextFrame, match: Match) -> None:
    frame.flags.add("convert")


@RULES.on(
    "squeeze|collapse|compress|merge|reduce (multiple|consecutive|repeated|adjacent|runs of|several)? "
    "(consecutive|adjacent)? (empty|blank) lines (into|to|together)? (one|a single one|single)?"
)
def squeeze_lines(frame: TextFrame, match: Match) -> None:
    frame.add(CHANGE, "cat -s")


@RULES.on(
    "squeeze|collapse|compress|merge|reduce|replace (multiple|consecutive|repeated|adjacent|runs of|"
    "several)? (consecutive|adjacent)? spaces|blanks|whitespace (into|to|with|by)? (one|a single one|single|"
    "a single)? (space)?"
)
def squeeze_spaces(frame: TextFrame, match: Match) -> None:
    frame.add(CHANGE, "tr -s ' '")


@RULES.on(
    "reverse|flip (the)? order of lines?",
    "(the)? (lines|line)? (of)? (in)? (reverse|reversed|backward|backwards) (line)? order",
    "(from)? (last|bottom) (line)? (to|first) (first|top) (line)?",
    "reverse (the)? line|lines (order)?",
    "upside down",
    "in reverse",
    "backwards",
    "last line first",
    "bottom up",
)
def reverse_lines(frame: TextFrame, match: Match) -> bool | None:
    if frame.sort:
        frame.sort.add("r")
        return None
    frame.add(SELECT, "tac")
    return None


@RULES.on(
    "reverse (the)? (characters|letters|text|content|contents)? (of|in|on)? (each|every) line|word?",
    "reverse (the)? characters|letters",
    "each|every line reversed|backwards",
    "reverse (the)? text",
)
def reverse_characters(frame: TextFrame, match: Match) -> None:
    frame.add(CHANGE, "rev")


@RULES.on("(convert|change|replace|expand) tabs (to|into|with) (#num)? spaces", "tabs to spaces")
def expand(frame: TextFrame, match: Match) -> None:
    frame.add(CHANGE, f"expand -t {match.value}" if match.slots else "expand")


@RULES.on("(convert|change|replace) spaces (to|into|with) tabs")
def unexpand(frame: TextFrame, match: Match) -> None:
    frame.add(CHANGE, "unexpand -a")


@RULES.on(
    "$del (the)? (carriage return|carriage returns|windows line endings|dos line endings) (characters)?",
    "(convert|change) (windows|dos|crlf) line endings (to|into) (unix|lf|linux) (ones|line endings|format)?",
    "$del (the)? #quoted (at|from) (the)? end of (each|every|all) line|lines",
)
def carriage(frame: TextFrame, match: Match) -> bool | None:
    frame.edits.append(
        f"s/{match.value if match.value.startswith(chr(92)) else sed_side(match.value)}$//"
        if match.slots
        else "s/\\r$//"
    )
    return None


@RULES.on(
    "(with|display|show)? non-printing|nonprinting|control|invisible characters",
    "show tabs and line ends",
    "(as|in|with|using)? (printable)? characters? (or|and|with)? backslash|octal|c-style escape|escapes",
)
def visible(frame: TextFrame, match: Match) -> None:
    frame.add(COUNT, "od -c" if "backslash" in frame.words(match.start, match.end) else "cat -A")


@RULES.on(
    "as|in? (a)? (neat|pretty|aligned)? table",
    "(align|aligned|line up) (the)? columns",
    "in aligned columns",
    "pretty print (the)? columns",
)
def table(frame: TextFrame, match: Match) -> bool | None:
    if match.end - match.start < 2:
        return False
    frame.add(UNIQUE, "column -t")
    frame.flags.add("table")
    return None


@RULES.on("(wrapped|folded)? (at|to) #num (characters|columns|chars)", "wrap|fold (long)? (lines)? (of)?")
def wrap_at(frame: TextFrame, match: Match) -> bool | None:
    if not match.slots:
        frame.flags.add("wrap")
        return None
    if "wrap" not in frame.flags:
        return False
    frame.add(CHANGE, f"fold -s -w {match.value}")
    return None


@RULES.on("(with)? one (word)? (per|on each|on every|a) line", "each on (its|a) (own|separate)? line")
def one_per_line(frame: TextFrame, match: Match) -> bool | None:
    frame.add(CUT, "tr -s '[:space:]' '\\n'")
    return None
