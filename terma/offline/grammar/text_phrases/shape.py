"""Phrases that join, split, wrap, indent and insert."""

from __future__ import annotations

from terma.offline.grammar.match import Match, Rules
from terma.offline.grammar.quoting import quoted, sed_side
from terma.offline.grammar.text_phrases.changes import _CHAR, _span_characters
from terma.offline.grammar.text_phrases.frame import CHANGE, CUT, MACROS, TextFrame

RULES: Rules[TextFrame] = Rules(MACROS)
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
