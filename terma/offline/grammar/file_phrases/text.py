"""Phrases about the text inside files: which hold it, where it stands, what replaces it."""

from __future__ import annotations

from terma.offline.grammar.file_phrases.frame import MACROS, NOT_TEXT, FileFrame
from terma.offline.grammar.match import Match, Rules, is_path

RULES: Rules[FileFrame] = Rules(MACROS)


@RULES.on(
    "$having $wordnoun? #str",
    "$having $wordnoun (of)? #str",
    "(with|contain|containing|contains|whose|have|having) content|text|contents #str",
    "in which #str (occurs|appears)",
    "where #str (occurs|appears|is found)",
    "(that|which) (contain|contains|mention|mentions|include|includes|have|match|use|uses|import|imports|"
    "reference|references|call|calls|define|defines) $wordnoun? #str",
    "(using|importing|referencing|calling|defining|mentioning) #str",
    "(with|matching) (regex|regexp|regular expression) #str",
    "$having #str in (their|its|the)? text|content|contents|body",
)
def containing(frame: FileFrame, match: Match) -> bool | None:
    token = match[-1]
    low = frame.low(match.start)
    if (
        (token.norm in NOT_TEXT and token.kind == "word")
        or is_path(token)
        or token.kind in ("ext", "glob")
        or (frame.files.contains and low in ("with", "have"))
    ):
        return False
    if (
        low in ("with", "having", "have", "matching", "including", "include", "has")
        and token.kind != "quoted"
        and match.end - match.start < 3
    ):
        return False
    if frame.low(match.start - 1) == "not" or (
        frame.low(match.start - 2) in ("not", "don't", "doesn't") and frame.low(match.start - 1) != "and"
    ):
        frame.files.lacks = True
    if token.kind == "number" and frame.low(match.end) in ("line", "lines", "word", "words"):
        return False
    if frame.low(match.start + 1) == "word" or frame.low(match.start + 2) == "word":
        frame.flags.add("word")
    frame.files.contains.append(token.value)
    frame.naming = ""
    return None


@RULES.on(
    "(do not|does not|not|without) (contain|containing|include|mention|have|having|hold|match)? $wordnoun? "
    "#quoted",
    "(do not|does not|not|never) (contain|containing|mention|mentioning) $wordnoun? #str",
    "without $wordnoun #str",
    "lacking|lack|missing $wordnoun? #str",
)
def lacking(frame: FileFrame, match: Match) -> bool | None:
    token = match[-1]
    if token.norm in NOT_TEXT or is_path(token) or token.kind in ("ext", "glob") or frame.files.contains:
        return False
    frame.files.contains.append(token.value)
    frame.files.lacks = True
    return None


@RULES.on(
    "(search|look|grep|scan|find|hunt)? (for)? (all)? occurrence|occurrences|instances|mentions|uses|usage "
    "(of)? $wordnoun? #str",
    "grep|search|look|scan (for)? $wordnoun? #str",
    "find|search|list|show (for)? $wordnoun #str",
    "find|search (for)? #quoted",
    "(which|all|every|the|find|show|list|print|display)? line|lines|matches (that|which)? (contain|"
    "containing|with|matching|match|of|mentioning|mention|have|having|for) $wordnoun? #str",
    "(where|what file|in which file|which file) (is|does)? #str (defined|used|occurs|mentioned|appear|occur)",
    "(where|everywhere)? #str (is)? (used|mentioned|defined|appears|occurs)",
)
def grep(frame: FileFrame, match: Match) -> bool | None:
    token = match[-1]
    if (
        (token.norm in NOT_TEXT and token.kind == "word")
        or is_path(token)
        or token.kind in ("ext", "glob", "file")
    ):
        return False
    if token.kind in ("word", "ident") and frame.low(match.end) in (
        "file",
        "files",
        "directory",
        "directories",
        "folder",
        "folders",
        "images",
        "scripts",
    ):
        return False
    low = frame.low(match.start)
    if frame.files.contains or (low in ("where", "everywhere") and frame.nouns):
        return False
    frame.files.contains.append(token.value)
    frame.flags.add("lines")
    frame.naming = ""
    return None


@RULES.on("and #quoted", "or #quoted", "and|or $wordnoun #str")
def more_text(frame: FileFrame, match: Match) -> bool | None:
    if not frame.files.contains or frame.naming:
        return False
    frame.files.contains.append(match.value)
    frame.flags.add("any text" if frame.low(match.start) == "or" else "all texts")
    return None


@RULES.on(
    "replace|change|substitute (all|every)? (occurrence|occurrences|instance|instances)? (of)? $wordnoun? "
    "#str (with|by|to|into|for) $wordnoun? #str",
    "(and|then|to)? replace|change|substitute (it|them|that) (with|by|to) #str",
    "replacing|changing #str (with|by|to|into) #str",
    "(find|search) (for)? #str and replace (it|them|with)? (with|by)? #str",
)
def replace(frame: FileFrame, match: Match) -> bool | None:
    tokens = match.slots
    if tokens[0].text.lower() in ("space", "spaces", "whitespace", "comma", "commas", "tab", "tabs"):
        return False
    if any(t.text.lower() in NOT_TEXT and t.kind == "word" for t in tokens) or any(
        t.kind == "ext" for t in tokens
    ):
        return False
    if frame.action == "rename":
        if len(tokens) == 2:
            frame.text, frame.new = tokens[0].value, tokens[1].value
            frame.flags.add("infix")
            return None
        return False
    if len(tokens) == 1:
        if not frame.files.contains:
            return False
        frame.text, frame.new = frame.files.contains[0], tokens[0].value
    else:
        frame.text, frame.new = tokens[0].value, tokens[1].value
    frame.action = "replace"
    return None


@RULES.on("in-place|inplace", "in place")
def in_place(frame: FileFrame, match: Match) -> bool | None:
    return None if frame.action in ("replace", "", "delete") else False


@RULES.on(
    "case insensitive|insensitively",
    "case-insensitive|case-insensitively",
    "(ignore|ignoring|regardless of|regardless|disregarding|irrespective of) case",
    "insensitive|insensitively (to|of)? case?",
    "upper or lower case",
    "(in)? any case",
    "not case sensitive",
)
def ignore_case(frame: FileFrame, match: Match) -> None:
    frame.files.ignore_case = True


@RULES.on("(as)? whole|entire|exact word|words (only)?", "whole word match")
def whole_word(frame: FileFrame, match: Match) -> None:
    frame.files.whole_word = True


@RULES.on("(in|within|inside|across|through|for)? (all|every|each)? (of the)? file|files $name?")
def in_files(frame: FileFrame, match: Match) -> bool | None:
    if frame.low(match.start) not in ("in", "within", "inside", "across", "through"):
        return False
    frame.nouns += 1
    return None
