"""Phrases that name the text's files, pairs of files to compare, verbs of output, and where the result goes."""

from __future__ import annotations

import re

from terma.offline.grammar.match import Match, Rules
from terma.offline.grammar.quoting import operand, quoted, word
from terma.offline.grammar.text_phrases.frame import MACROS, TextFrame
from terma.offline.tokens import Token

RULES: Rules[TextFrame] = Rules(MACROS)


def file_name(token: Token) -> bool:
    """Whether a token names a file of text: a name with a suffix, or a path."""
    if token.kind in ("file", "env", "path", "domain"):
        return not token.value.endswith("/")
    if token.kind == "quoted":
        return bool(re.fullmatch(r"[~.]{0,2}/?[\w./+-]*[\w-](\.\w{1,6}|/\w+)", token.value))
    return token.kind in ("glob", "ext")


def _name(token: Token) -> str:
    return "*." + token.value if token.kind == "ext" else token.value


@RULES.on(
    "$in? (all|each|every)? (content|contents)? (of)? (file|document|log|text|list)? ($name)? #file|#glob|"
    "#ext (file|files)?",
    "#file|#glob|#ext (file)?",
    "(in|of|from) file #bare",
)
def source(frame: TextFrame, match: Match) -> bool | None:
    token = match[0]
    if not file_name(token) and frame.low(match.start + 1) != "file":
        return False
    if _name(token) not in frame.sources:
        frame.sources.append(_name(token))
    return None


@RULES.on(
    "(and)? (save|write|store|put|output|redirect|send|saving|writing|storing) (the)? $them? (in|into|to|"
    "as) (the|a)? (new)? (file)? ($name)? #file",
    "(to|into|in|as) (the|a|new|another)? (new|another)? file ($name)? #file",
    "to|into|as #file",
)
def sink(frame: TextFrame, match: Match) -> bool | None:
    if (
        not file_name(match[0])
        or match[0].kind in ("ext", "glob")
        or not frame.sources
        or match.value in frame.sources
        or "convert source" in frame.flags
    ):
        return False
    frame.sink = match.value
    return None


@RULES.on("(and)? append|appending (the)? $them? to (the)? (file|end of)? #file")
def append(frame: TextFrame, match: Match) -> bool | None:
    if not frame.sources:
        return False
    frame.sink, frame.append = match.value, True
    return None


@RULES.on(
    "in-place|inplace",
    "in place",
    "(and)? save (the)? (file|changes)",
    "(and)? (overwrite|update) (the|it)? (original)? (file)?",
    "directly in (the)? file",
)
def in_place(frame: TextFrame, match: Match) -> None:
    frame.flags.add("in place")


@RULES.on(
    "without changing|modifying (the)? (file|original|it)",
    "(do not|without) (change|modify|touch) (the)? (file|original)",
    "keep original",
)
def not_in_place(frame: TextFrame, match: Match) -> None:
    frame.flags.add("show")


@RULES.on(
    "$show me?",
    "and|then (show|print|display|list|output) (only)? $them?",
    "(and)? (display|show|print) (the)? (result|results|output|them)",
    "which|what",
    "find|get|grep|search|filter|select|keep|pick|take|extract|cut",
    "tell me",
    "write",
    "let me see",
    "show",
)
def show(frame: TextFrame, match: Match) -> None:
    if frame.low(match.start) not in ("write", "cut"):
        frame.flags.add("show")


@RULES.on("$del", "filter out", "get rid of", "rid of")
def delete(frame: TextFrame, match: Match) -> None:
    frame.flags.add("delete")


@RULES.on(
    "$line|$word|$line|content|number|value|name|entry|data|output|result|file|column|field (of|in|from)?",
    "$all",
    "then",
    "only|just",
    "together",
    "each|every of? $line?",
    "$in $all $line",
    "compute|calculate|find|work out|determine (the)?",
)
def fillers(frame: TextFrame, match: Match) -> None:
    return None


@RULES.on(
    "difference|differences|diff between #file and #file",
    "compare|diff #file (and|with|to|against) #file",
    "how (do|does) #file (and|differ from) #file differ?",
    "what (changed|is different|differs) (between|from) #file (and|to) #file",
    "(show|see|list) (the)? changes (between|from) #file (and|to) #file",
    "compare (the)? (files|contents of)? #file (and|with|to) #file (line by line)?",
)
def diff(frame: TextFrame, match: Match) -> bool | None:
    return _pair(frame, match, "diff")


@RULES.on(
    "(in)? unified (diff)? (format)?",
    "as (a)? (unified diff|patch)",
    "unified context",
    "with #num line|lines of unified? context",
    "with #num unified context lines?",
    "side by side",
    "side-by-side",
    "next to each other",
    "in parallel",
)
def diff_style(frame: TextFrame, match: Match) -> bool | None:
    words = frame.words(match.start, match.end)
    if match.slots and frame.flags & {"diff", "differing"}:
        frame.flags.add(f"-U {match.value}")
        return None
    if words & {"side", "side-by-side", "next", "parallel"}:
        frame.flags.add("beside")
        return None
    if "diff" not in frame.flags:
        return False
    frame.flags.add("-u")
    return None


@RULES.on(
    "(lines|line|words|entries|names|what is|which lines|rows)? (that are|are|which are|that|appear|occur|"
    "that appear)? (common|in common|shared|present|found) (to|in|between|by|lines of)? (both|the two)? "
    "(files)? #file and #file",
    "common lines (between|of|in|to|from)? (both)? #file and #file",
    "(lines|line|words|names|entries) (that)? (are|is|appear|occur|exist)? (in)? both (files)? #file and "
    "#file",
    "intersection of #file and #file",
    "lines (that)? #file (and|shares with|share with) #file (have in common|share|have both)?",
    "lines (that are)? in #file (that are)? and (also)? in #file",
    "(lines|line|names|words) of #file (that are|that appear)? also in #file",
)
def common(frame: TextFrame, match: Match) -> bool | None:
    return _pair(frame, match, "common")


@RULES.on(
    "(lines|line|names|words|entries|what is|rows)? (that are|which are|are|that appear|which)? (only|"
    "unique) (to|in)? #file (and|but)? not in #file",
    "(lines|line|names|words|entries|what is|rows)? (that are|which are|are|that appear|which appear|that)? "
    "(in|of|from) #file (and|but|that are|which are|that do|and are)? (do)? not (appear|occur|exist|present|"
    "found)? in #file",
    "(lines|names|words|what is) missing (from|in) #file (that are|but)? in #file",
    "lines of #file missing (from|in) #file",
    "(lines|line)? #file has that #file does not",
)
def only_in(frame: TextFrame, match: Match) -> bool | None:
    if _pair(frame, match, "only") is not None:
        return False
    if ("missing" in frame.words(match.start, match.end) and frame.low(match.start) != "lines") or (
        "of" not in frame.words(match.start, match.end) and "missing" in frame.words(match.start, match.end)
    ):
        frame.sources.reverse()
    return None


@RULES.on(
    "(paste|show|put|print|combine|display|place)? #file and #file (side by side|side-by-side|next to each "
    "other|in parallel|column by column|as two columns|as columns|line by line)",
    "(merge|paste|join|combine) (the)? (corresponding)? lines of #file and #file (side by side|together|"
    "line by line)?",
    "paste #file and|with #file together?",
)
def beside(frame: TextFrame, match: Match) -> bool | None:
    return _pair(frame, match, "beside files")


@RULES.on(
    "interleave (the)? (lines of)? #file and|with #file",
    "(alternate|alternating) (lines of|between) #file and #file",
)
def interleave(frame: TextFrame, match: Match) -> bool | None:
    return _pair(frame, match, "interleave")


@RULES.on(
    "join #file and|with #file (on|by) (the|their)? (first|common|key) (column|field)",
    "join #file and|with #file",
)
def join(frame: TextFrame, match: Match) -> bool | None:
    return _pair(frame, match, "join")


@RULES.on(
    "(are|is|check if|check whether|whether|if|do) #file (and|the same as|identical to) #file (are)? (the "
    "same|identical|equal|differ|have the same content|have the same contents)?",
    "compare #file and|with #file byte by byte",
)
def same(frame: TextFrame, match: Match) -> bool | None:
    if match.end - match.start < 4:
        return False
    return _pair(frame, match, "cmp")


@RULES.on(
    "(differing|different) lines (between|in|of)? #file and #file",
    "(number of|count|how many) (the)? (number of)? (differing|different) lines (between|in|of|are there "
    "between)? #file and #file",
    "(how many|number of|count) (lines)? (of)? differ|differences (between|in) #file and #file",
)
def differing(frame: TextFrame, match: Match) -> bool | None:
    if frame.words(match.start, match.end) & {"number", "count", "many"}:
        frame.flags.add("count")
    return _pair(frame, match, "differing")


def _pair(frame: TextFrame, match: Match, kind: str) -> bool | None:
    if len(match.slots) != 2 or not all(file_name(t) for t in match.slots):
        return False
    frame.sources[:] = [t.value for t in match.slots]
    frame.flags |= {"pair", kind}
    return None


@RULES.on(
    "(concatenate|combine|merge|join|cat) #file (and|with|then)? #file (and)? #file? (into|to|in|as) (a|one|"
    "single)? (file)? ($name)? #file"
)
def concatenate(frame: TextFrame, match: Match) -> bool | None:
    if not all(file_name(t) for t in match.slots):
        return False
    *parts, dest = [t.value for t in match.slots]
    frame.whole = f"cat {' '.join(operand(p) for p in parts)} > {word(dest)}"
    return None


@RULES.on("(merge|combine) (the)? sorted (files)? #file and #file")
def merge_sorted(frame: TextFrame, match: Match) -> None:
    frame.whole = f"sort -m {operand(match[0].value)} {operand(match[1].value)}"


@RULES.on(
    "(write|put|save|echo|store) (the)? (text|string|words|line|word|phrase)? #quoted (to|into|in) (the|a)? "
    "(new)? (file)? ($name)? #file",
    "create (a|the|new)? (new)? (file)? ($name)? #file (with|containing|that contains|that says) (the)? "
    "(text|content|contents|line|string|words|word)? #quoted",
)
def write(frame: TextFrame, match: Match) -> bool | None:
    tokens = match.slots
    text, dest = (
        (tokens[0], tokens[1])
        if tokens[0].kind == "quoted" and file_name(tokens[1])
        else (tokens[1], tokens[0])
    )
    if not file_name(dest):
        return False
    frame.whole = f"echo {quoted(text.value)} > {word(dest.value)}"
    return None


@RULES.on("#quoted")
def literal(frame: TextFrame, match: Match) -> bool | None:
    """Quoted text with nothing else to be read from: the text itself is the source."""
    if frame.sources or frame.keeps or file_name(match[0]):
        return False
    frame.flags.add("literal")
    frame.sources.append(match.value)
    return None
