"""Phrases that choose what is printed of each file: attributes, names, lines, folders."""

from __future__ import annotations

from terma.offline.grammar.file_phrases.frame import MACROS, FileFrame
from terma.offline.grammar.file_phrases.kinds import as_glob
from terma.offline.grammar.match import Match, Rules, is_path

RULES: Rules[FileFrame] = Rules(MACROS)
_ATTRIBUTES = {
    "permission": "%M",
    "permissions": "%M",
    "mode": "%m",
    "owner": "%u",
    "user": "%u",
    "owners": "%u",
    "group": "%g",
    "groups": "%g",
    "size": "%s",
    "sizes": "%s",
    "path": "%p",
    "paths": "%p",
    "filepath": "%p",
    "filepaths": "%p",
    "filename": "%f",
    "filenames": "%f",
    "inode": "%i",
    "inodes": "%i",
    "time": "%t",
    "times": "%t",
    "date": "%t",
    "dates": "%t",
    "mtime": "%t",
    "pathname": "%p",
    "pathnames": "%p",
    "timestamp": "%t",
    "timestamps": "%t",
    "target": "%l",
    "targets": "%l",
}
_ATTR = (
    "permission|permissions|mode|owner|owners|user|group|size|sizes|path|paths|filepath|"
    "filepaths|inode|inodes|mtime|pathname|pathnames|timestamp|timestamps|target|targets|"
    "filename|filenames"
)
_ADJ = "(their|its|file|full|absolute|the|modification|last modification|last modified|creation)?"


@RULES.on(
    "with|in|show|showing|including|and|display? (all|long|full|their|its)? detail|details|information|"
    "listing|format|attributes",
    "in long|ls -l format|listing",
    "long listing|format",
    "ls -l",
    "in detail",
    "verbosely",
    "(in)? ls -l (format|style)?",
    "with details",
    "detailed (list|listing|information)? (of)?",
)
def details(frame: FileFrame, match: Match) -> bool | None:
    words = {frame.low(i) for i in range(match.start, match.end)}
    if not words & {
        "detail",
        "details",
        "information",
        "listing",
        "attributes",
        "long",
        "detailed",
        "-l",
        "verbosely",
        "ls",
    }:
        return False
    frame.flags.add("details")
    return None


@RULES.on(
    "human readable|readable|friendly (form|format|size|sizes|units)?",
    "human-readable (form|format|size|sizes|units)?",
    "in human-readable (form|format|size|sizes|units)",
    "with readable sizes",
)
def human(frame: FileFrame, match: Match) -> None:
    frame.flags.add("human")


@RULES.on(
    f"{_ADJ} {_ATTR} (number|time|in bytes)?",
    f"and|with {_ADJ} {_ATTR} (number|time|in bytes)?",
    "modification|last modification|last modified time|date|times|dates",
    "and modification time|date|times",
    "creation time|date",
    "and creation time|date",
)
def attribute(frame: FileFrame, match: Match) -> bool | None:
    if frame.action not in ("", "list", "stat"):
        return False
    words = [frame.low(i) for i in range(match.start, match.end)]
    found = next((_ATTRIBUTES[w] for w in words if w in _ATTRIBUTES), "")
    if not found:
        return False
    if found not in frame.attributes:
        frame.attributes.append(found)
    return None


@RULES.on(
    "(only|just) (their|base)? (name|names|filename|filenames|basename|basenames)",
    "(name|names|filename|filenames) only",
    "base name|names|filenames only?",
    "basename|basenames",
    "without (the|their)? (path|paths|directory|directories)",
    "not path|paths|full",
    "(without|no) leading path",
)
def names_only(frame: FileFrame, match: Match) -> None:
    frame.flags.add("names only")


@RULES.on(
    "(only|just) (the|their|full)? (path|paths|filepaths)",
    "(path|paths) only",
    "with? full|absolute|complete path|paths|pathname|pathnames",
    "full path|paths (of|to)?",
    "and? show their? full path",
    "with (their|its) path|paths|filenames",
    "path|paths (of|to)",
    "name|names|filename|filenames (of|for)",
    "with (file)? name|names|filename|filenames",
)
def paths_only(frame: FileFrame, match: Match) -> None:
    words = {frame.low(i) for i in range(match.start, match.end)}
    if words & {"absolute"}:
        frame.flags.add("absolute")
    if words & {"name", "names", "filename", "filenames"} and "of" in words and frame.files.contains:
        frame.flags.discard("lines")
    if words & {"name", "names", "filename", "filenames", "only", "just"}:
        frame.flags.add("files only")


@RULES.on(
    "(and)? (show|print|display|with)? (matching|matched) line|lines (with|and|including)? (their)? (name|"
    "names|filename|filenames)?",
    "and (show|print|display) line|lines",
    "(show|print|display) (matching|matched) line|lines",
)
def matched_lines(frame: FileFrame, match: Match) -> bool | None:
    frame.flags.add("lines")
    return None


@RULES.on(
    "with|and|including|show|showing|print|display? line (number|numbers)",
    "line-number|line-numbers",
    "(with|and)? (their)? line numbers",
)
def line_numbers(frame: FileFrame, match: Match) -> None:
    frame.flags.add("line numbers")


@RULES.on(
    "$dir (that|which) (contain|contains|hold|have|having|include) (a|any|some|at least one)? (file|files)? "
    "($name|like|matching)? #name",
    "$dir containing|holding|with (a|any|some|at least one)? (file|files)? ($name|like|matching)? #name",
    "(the|their)? (name|names|path|paths|list)? (of)? $dir (that|which)? (contain|contains|containing|with|"
    "holding) (any|a)? #ext",
    "(in)? (which|what) $dir (contain|contains|have|has)? (are|is)? #name",
    "$dir (that|which)? (have|contain|containing|with|contains) (file|files) ending (with|in) #name",
)
def folders_with(frame: FileFrame, match: Match) -> bool | None:
    if is_path(match[0]):
        return False
    frame.flags.add("folders")
    frame.nouns += 1
    frame.files.kind = "f"
    frame.files.names.append(as_glob(match[0]))
    return None


@RULES.on(
    "(and|then)? (show|print|prints|display|list|output) (only)? $dir (where|in which|containing|that "
    "contain|which contain|that hold) (they|them|it|these|those) (are|is)? (placed|located|stored|found|"
    "live|reside)?",
    "$dir of? (file|files) (containing|contain)?",
    "(parent|containing) $dir|directories (of)? (them|each|these)?",
    "where (they|it|these) (are|is)? (located|placed|stored|found)",
    "$dir they are in",
)
def folders_of(frame: FileFrame, match: Match) -> bool | None:
    words = {frame.low(i) for i in range(match.start, match.end)}
    if not words & {"they", "them", "it", "these", "those", "parent", "containing", "each"}:
        return False
    frame.flags.add("folders")
    if frame.files.kind in ("d", "?"):
        frame.files.kind = "f"
    return None
