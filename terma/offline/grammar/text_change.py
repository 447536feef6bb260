"""Phrases that change text: replace, delete characters, case, blanks, joining, splitting, wrapping, inserting."""

from __future__ import annotations

from terma.offline.grammar.match import Match, Rules, is_path
from terma.offline.grammar.quoting import quoted, sed_side
from terma.offline.grammar.text_frame import CHANGE, COUNT, CUT, MACROS, SELECT, UNIQUE, TextFrame
from terma.offline.grammar.text_match import NOT_TEXT
from terma.offline.sentence import Token

RULES: Rules[TextFrame] = Rules(MACROS)

CHARACTERS = {
    "comma": ",",
    "commas": ",",
    "tab": "\\t",
    "tabs": "\\t",
    "space": " ",
    "spaces": " ",
    "semicolon": ";",
    "semicolons": ";",
    "colon": ":",
    "colons": ":",
    "pipe": "|",
    "pipes": "|",
    "dash": "-",
    "dashes": "-",
    "hyphen": "-",
    "hyphens": "-",
    "underscore": "_",
    "underscores": "_",
    "newline": "\\n",
    "newlines": "\\n",
    "slash": "/",
    "slashes": "/",
    "dot": ".",
    "dots": ".",
    "period": ".",
    "periods": ".",
    "whitespace": " ",
    "blank": " ",
    "blanks": " ",
    "plus": "+",
    "equals": "=",
    "quote": "'",
    "quotes": '"',
}
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


_JOIN = "(join|merge|combine|concatenate|put|paste|collapse|turn)"


@RULES.on(
    f"{_JOIN} $all? (the)? lines (into|on|in|to)? (one|a single|single)? (line)? (separated|delimited|"
    f"joined)? (with|by|using)? (a|an)? {_CHAR}|#quoted",
    f"(into|on|in|as) (one|a single|single) line (separated|delimited|joined)? (with|by|using)? {_CHAR}|"
    f"#quoted",
    f"(separated|delimited|joined|join) (with|by|using) {_CHAR}|#quoted",
    f"with {_CHAR}|#quoted between them|lines?",
    f"{_CHAR}-separated|comma-separated (list|line)?",
)
def join(frame: TextFrame, match: Match) -> bool | None:
    words = frame.words(match.start, match.end)
    if (
        not words
        & {
            "join",
            "merge",
            "combine",
            "concatenate",
            "put",
            "paste",
            "collapse",
            "turn",
            "one",
            "single",
            "comma-separated",
            "between",
        }
        and "joining" not in frame.flags
    ):
        return False
    found = _span_characters(frame, match) or ([","] if "comma-separated" in words else [])
    if not found or len(found[0].removeprefix("\\")) != 1:
        return False
    frame.add(CHANGE, f"paste -sd{found[0]} -" if found[0] == "," else f"paste -sd {quoted(found[0])} -")
    return None


@RULES.on(
    f"{_JOIN} $all? (the)? lines (into|on|in|to)? (one|a single|single)? (line)?",
    "(into|on|as|in) (one|a single|single) line",
    "all on (one|a single) line",
)
def join_plain(frame: TextFrame, match: Match) -> None:
    frame.flags.add("joining")
    if not any(step.startswith("paste") for _, step in frame.steps):
        frame.add(CHANGE, "paste -sd ' ' -")


@RULES.on(
    f"(with|by|using|separated by|delimited by) (single)? {_CHAR}|#quoted (between them|in between|"
    f"separator|as separator)?"
)
def join_mark(frame: TextFrame, match: Match) -> bool | None:
    """`join all lines of x … with commas`: the mark comes after the file."""
    found = _span_characters(frame, match)
    if "joining" not in frame.flags or not found or len(found[0].removeprefix("\\")) != 1:
        return False
    step = f"paste -sd{found[0]} -" if found[0] == "," else f"paste -sd {quoted(found[0])} -"
    frame.steps[:] = [(rank, step if old.startswith("paste") else old) for rank, old in frame.steps]
    return None


@RULES.on(
    "without newline|newlines|linebreaks (character|characters)?",
    "$del $all? newline|newlines|linebreaks (character|characters)?",
    "remove line breaks",
)
def no_newlines(frame: TextFrame, match: Match) -> None:
    frame.add(CHANGE, "tr -d '\\n'")


@RULES.on(
    "(one|each|every) word (on|per|in) (a|its|each|per)? (own|separate)? line",
    "split (the)? (text|it|file|content)? into words",
    "word by word",
    "(list|show|print) (all)? (the)? words (in|of)?",
    "split on (whitespace|spaces)",
)
def words(frame: TextFrame, match: Match) -> bool | None:
    if (
        frame.words(match.start, match.end) <= {"list", "show", "print", "all", "words", "in", "of", "the"}
        and "unique" not in frame.flags
    ):
        return False
    frame.add(CUT, "tr -s '[:space:]' '\\n'")
    return None


@RULES.on(f"split (on|at|by) (the)? {_CHAR}|#quoted", f"split (each)? line|lines? (on|at|by) {_CHAR}|#quoted")
def split(frame: TextFrame, match: Match) -> bool | None:
    found = _span_characters(frame, match)
    if not found or len(found[0].removeprefix("\\")) != 1:
        return False
    frame.add(CUT, f"tr {quoted(found[0])} '\\n'")
    return None


@RULES.on(
    "wrap|fold (lines|line|text|it|long lines)? (of)? (at|to|after) #num (characters|columns|chars|"
    "character)? (wide)?",
    "(wrapped|folded) (at|to) #num (characters|columns|chars)?",
    "wrap lines longer than #num (characters)?",
)
def wrap(frame: TextFrame, match: Match) -> None:
    frame.add(CHANGE, f"fold -w {match.value}")


@RULES.on(
    "indent (all|every|each)? (the)? (lines|line|text)? (of)? (by|with) #num (spaces|characters)?",
    "(with)? #num space|spaces indentation",
    "indented by #num spaces",
)
def indent(frame: TextFrame, match: Match) -> None:
    frame.edits.append(f"s/^/{' ' * min(int(match.value), 40)}/")


@RULES.on(
    "(add|put|insert|prepend|append) #str (to|at) (the)? (beginning|start|front) of (each|every|all) line|"
    "lines",
    "prefix (each|every|all) line|lines (of)? with #str",
    "prepend #str to (each|every|all) line|lines",
    "prepend (each|every) line with #str",
    "(put|add) #str (before|in front of) (each|every) line",
)
def prefix(frame: TextFrame, match: Match) -> None:
    frame.edits.append(f"s/^/{sed_side(match.value, replacement=True)}/")


@RULES.on(
    "(add|put|append|insert) #str (to|at) (the)? end of (each|every|all) line|lines",
    "suffix (each|every|all) line|lines (of)? with #str",
    "append #str to (each|every|all) line|lines",
    "(put|add) #str after (each|every) line",
    "end (each|every) line with #str",
)
def suffix(frame: TextFrame, match: Match) -> None:
    frame.edits.append(f"s/$/{sed_side(match.value, replacement=True)}/")


@RULES.on(
    "(add|append|put|write|insert) (the)? (line|text|string|word|words)? #quoted (to|at|onto) (the)? end of "
    "(the)? (file)? #file",
    "append (the)? (line|text|string|word)? #quoted to (the)? (file|end of|end of file)? #file",
    "(add) (the)? (line|text|string|word)? #quoted to (the)? (file)? #file",
)
def append_line(frame: TextFrame, match: Match) -> None:
    frame.whole = f"echo {quoted(match[0].value)} >> {match[1].value}"
    frame.sources.append(match[1].value)


@RULES.on(
    "(add|put|write|insert|prepend) (the)? (line|text|string|word)? #quoted (to|at|on|in) (the)? (beginning|"
    "start|top|first line) of (the)? (file)? #file",
    "prepend (the)? (line|text|string|word)? #quoted to (the)? (file)? #file",
    "insert (the)? (line|text)? #quoted (at|as) (the)? (top|first line) of #file",
)
def prepend_line(frame: TextFrame, match: Match) -> None:
    frame.edits.append("1i " + match[0].value)
    frame.flags.add("delete")
    frame.sources.append(match[1].value)


@RULES.on(
    "(insert|add|put) (the)? (line|text)? #quoted (before|above) line (number)? #num",
    "(insert|add|put) (the)? (line|text)? #quoted (after|below) line (number)? #num",
    "(insert|add|put) (the)? (line|text)? #quoted (at|as|on) line (number)? #num",
)
def insert_line(frame: TextFrame, match: Match) -> None:
    letter = "a" if frame.words(match.start, match.end) & {"after", "below"} else "i"
    frame.edits.append(f"{match[1].value}{letter} {match[0].value}")


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
    "(as)? printable characters or backslash escapes",
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
