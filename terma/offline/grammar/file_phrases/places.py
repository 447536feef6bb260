"""Phrases that say where files are and how deep to look."""

from __future__ import annotations

from terma.offline.grammar.file_phrases.frame import MACROS, NOT_TEXT, FileFrame
from terma.offline.grammar.match import Match, Rules, is_path

RULES: Rules[FileFrame] = Rules(MACROS)
_PLACES = {
    "home": "~",
    "root": "/",
    "parent": "..",
    "etc": "/etc",
    "tmp": "/tmp",  # noqa: S108 - a place that people name
    "temp": "/tmp",  # noqa: S108
    "var": "/var",
}
_NOT_PLACES = frozenset(
    "file directory line all current this same place order case size name total reverse detail descending "
    "ascending "
    "alphabetical column bytes human it them format recursive single each every other new given subdirectory "
    "least most working turn general only color content contents parallel text word names sorted".split()
)


def add_root(frame: FileFrame, root: str) -> bool:
    if root in frame.files.roots:
        return True
    if root == "." and frame.files.roots:
        return True
    frame.files.roots.append(root)
    return True


@RULES.on(
    "$in #path $dir tree|hierarchy",
    "$in $dir tree #path",
    "$in #path tree|hierarchy|downwards|recursively|recursive",
    "$in #path and|with its|all|any|the? $sub",
    "$in #path $dir and|with its|all|any|the? $sub",
    "$in #path $dir and its content recursively",
    "$in #path $dir (recursively|recursive)",
    "$in $dir #path (recursively|recursive)",
    "$in $dir #path and its|all|any? $sub",
    "$in subdirectory of #path",
)
def root_deep(frame: FileFrame, match: Match) -> bool:
    frame.files.recursive = True
    return add_root(frame, match.value)


@RULES.on(
    "$in #path $dir?",
    "$in $dir #path",
    "$in $dir $name #path",
    "$in content of #path",
    "$dir #path",
    "#path $dir",
    "search|scan|list|recursively|recursive|show #path",
)
def root(frame: FileFrame, match: Match) -> bool:
    if frame.low(match.start) in ("under", "below", "beneath", "throughout", "inside", "across"):
        frame.flags.add("under")
    tail = match.value.rstrip("/").rpartition("/")[2]
    said = {frame.low(i) for i in range(match.start, match.end)}
    if "." in tail.strip(".") and not said & {"directory", "folder", "dir"}:
        frame.flags.add("file root")
    if frame.low(match.start) == "of" and "directory" not in said:
        frame.flags.add("of")
    return add_root(frame, match.value)


@RULES.on("and|or #path $dir?", "and|or $dir #path")
def another_root(frame: FileFrame, match: Match) -> bool:
    return add_root(frame, match.value) if frame.files.roots else False


@RULES.on(
    "$in #bare $dir tree|hierarchy?", "$in $dir $name #bare", "$in $dir #bare", "$in #bare tree|hierarchy"
)
def bare_directory(frame: FileFrame, match: Match) -> bool:
    token = match[0]
    if {frame.low(i) for i in range(match.start, match.end)} & {"this", "current", "these", "that"}:
        return False
    if token.norm in NOT_TEXT:
        return False
    if (
        token.norm in _NOT_PLACES
        or token.text.lower() in _NOT_PLACES
        or (token.kind == "file" and match.end - match.start < 3)
    ):
        return False
    if token.text.lower() in _PLACES and token.kind == "word" and not frame.flags & {"never"}:
        return add_root(frame, _PLACES[token.text.lower()])
    if frame.low(match.end - 1) in ("tree", "hierarchy"):
        frame.files.recursive = True
    if frame.low(match.start) in ("under", "below", "beneath"):
        frame.flags.add("under")
    return add_root(frame, token.value)


@RULES.on("under|inside|in|within|from|throughout|across|below|beneath #bare")
def bare_place(frame: FileFrame, match: Match) -> bool:
    """`under docs`: a plain word after the preposition is a directory when nothing else can follow it."""
    token = match[0]
    low = token.text.lower()
    if token.norm in _NOT_PLACES or low in _NOT_PLACES or token.kind in ("file", "quoted") or is_path(token):
        return False
    after = frame.token(match.end)
    if after is not None and after.norm in ("file", "log", "name", "order", "place", "script", "image"):
        return False
    if low in ("home", "root"):
        return False
    if frame.low(match.start) in ("under", "below", "beneath"):
        frame.flags.add("under")
    return add_root(frame, token.value)


@RULES.on(
    "$in? current|this|working|present (working)? $dir tree and its|all|any? $sub",
    "$in? current|this|working|present (working)? $dir tree|recursively|recursive|downwards",
    "$in? current|this|working|present (working)? $dir and its|all|any|the? $sub",
    "$in? current|this|working|present (working)? $dir and below|down|under|everything",
    "here and below|down",
    "recursively from here",
)
def here_deep(frame: FileFrame, match: Match) -> bool:
    frame.files.recursive = True
    return add_root(frame, ".")


@RULES.on("$in? current|this|working|present (working)? $dir", "here", "$in here", "current|this $dir tree")
def here(frame: FileFrame, match: Match) -> bool:
    frame.flags.add("here")
    if "tree" in {frame.low(i) for i in range(match.start, match.end)}:
        frame.files.recursive = True
    return add_root(frame, ".")


@RULES.on("$in? my|the|your? home $dir", "$in? home $dir", "in my home")
def home(frame: FileFrame, match: Match) -> bool:
    return add_root(frame, "~")


@RULES.on(
    "$in? root of? filesystem|system|directory",
    "$in whole|entire|all system|filesystem|disk|machine|computer",
    "on (this|my|the)? system|machine|computer|disk|filesystem",
    "anywhere on? system|disk|machine?",
)
def whole_system(frame: FileFrame, match: Match) -> bool:
    return add_root(frame, "/")


@RULES.on("$in parent $dir")
def parent(frame: FileFrame, match: Match) -> bool:
    return add_root(frame, "..")


@RULES.on(
    "recursively|recursive",
    "downwards",
    "and|in|including|with|or|including all|any|its? $sub",
    "and $sub",
    "and everything below|under|beneath",
    "at any depth|level",
    "tree",
    "all the way down",
    "in all $sub",
    "in whole|entire tree",
)
def deep(frame: FileFrame, match: Match) -> None:
    if frame.files.recursive is None:
        frame.files.recursive = True


@RULES.on(
    "(do not|not|without) $go (in|into|to|through|down)? $sub",
    "not recursive|recursively|recurse",
    "non-recursive|non-recursively|nonrecursively",
    "(do|does) not $go $sub",
    "only in|at current|this|top|first $dir|level",
    "only current|this $dir",
    "not in $sub",
    "only (directly|immediately) in|under",
    "at? top level only?",
    "top-level only?",
    "but not (in|its|into)? $sub",
    "without $sub",
    "$except $sub",
    "directly|immediately in|under|inside",
    "first level only?",
    "not (in)? any|its|the? $sub",
    "only here",
    "here only",
    "one level only?",
    "not look|go deeper|deep",
    "this|current $dir only",
    "in current|this $dir only",
    "in just this $dir",
    "ignore $sub",
    "not $sub",
    "at first level",
)
def shallow(frame: FileFrame, match: Match) -> None:
    frame.files.recursive = False
    span = {frame.low(i) for i in range(match.start, match.end)}
    if span & {"current", "this", "here"}:
        add_root(frame, ".")


@RULES.on(
    "(at most|up to|maximum|max|no more than|not more than|down to|within) #num level|directory|layer deep|"
    "down?",
    "max|maximum|maxdepth depth? (of|is)? #num",
    "#num level deep|down|only",
    "depth of? #num",
    "to depth (of)? #num",
    "(at most|up to|no more than) #num level (below|under)?",
)
def max_depth(frame: FileFrame, match: Match) -> None:
    frame.files.max_depth = int(match.value)


@RULES.on("(at least|minimum|more than) #num level deep|down?", "min|minimum|mindepth depth? of? #num")
def min_depth(frame: FileFrame, match: Match) -> None:
    more = frame.low(match.start) == "more"
    frame.files.min_depth = int(match.value) + more


@RULES.on("immediate|direct|first-level $sub|directory|folder", "top level|top-level $dir")
def immediate(frame: FileFrame, match: Match) -> None:
    frame.files.kind = "d"
    frame.files.min_depth = frame.files.max_depth = 1
    frame.nouns += 1


@RULES.on("follow|following symlink|link", "following symbolic link")
def follow(frame: FileFrame, match: Match) -> None:
    frame.files.links = True
