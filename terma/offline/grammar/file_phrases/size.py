"""Phrases about total and single sizes, and about files that are the same."""

from __future__ import annotations

from terma.offline.grammar.file_phrases.frame import MACROS, FileFrame
from terma.offline.grammar.match import Match, Rules

RULES: Rules[FileFrame] = Rules(MACROS)


@RULES.on(
    "(total|combined|overall|cumulative|whole) (disk|file)? size|sizes|space|usage (taken|used|occupied)? "
    "(of|by)? (all)?",
    "how much (disk)? (space|room) (do|does|is|are)? (used|taken)? (by)?",
    "sum of sizes (of)?",
    "sum (up)? sizes (of)?",
    "(total)? disk usage (of)?",
    "how (big|large) (is|are)",
    "add up sizes (of)?",
    "(take|taken|use|used|occupy|occupied) (up)? (in total|altogether|together)?",
    "and (print|show|display)? (their|the)? total size",
    "together|altogether",
)
def total_size(frame: FileFrame, match: Match) -> bool | None:
    low = frame.low(match.start)
    if low in ("take", "taken", "use", "used", "occupy", "occupied", "together", "altogether"):
        return None if frame.action == "du" else False
    if frame.action not in ("", "list"):
        return False
    frame.action = "du"
    frame.flags.add("total")
    return None


@RULES.on("in bytes", "in byte")
def in_bytes(frame: FileFrame, match: Match) -> None:
    frame.flags.add("bytes")


@RULES.on(
    "size|sizes (of|for)? (each|every|all)? $file|$dir?",
    "(disk)? usage (of)? (each|every)? $dir",
    "how big each|every $dir",
)
def each_size(frame: FileFrame, match: Match) -> bool | None:
    words = {frame.low(i) for i in range(match.start, match.end)}
    if not words & {"each", "every", "all"} or frame.action not in ("", "list", "du"):
        return False
    frame.action = "du"
    frame.nouns += 1
    frame.flags.add("each")
    if words & {
        "directory",
        "directories",
        "folder",
        "folders",
        "subdirectory",
        "subdirectories",
        "subfolder",
    }:
        frame.files.kind = "d"
    elif words & {"file", "files"}:
        frame.files.kind = "f"
    return None


@RULES.on(
    "duplicate|duplicated $file? (by|based on|with|having)? (same)? content|contents|md5|checksum|hash",
    "(duplicate|identical|duplicated) (file|files)",
    "(file|files) (with|having|that have)? (paths)? (that have)? (identical|same|duplicate) (content|"
    "contents|md5|checksum|hash)",
    "(with|that have|have|having) (identical|same) (content|contents|data)",
    "duplicates",
    "(file|files) (that are)? identical",
)
def same_content(frame: FileFrame, match: Match) -> None:
    frame.action = "same content"
    frame.nouns += 1
    frame.files.kind = "f"


@RULES.on(
    "(duplicate|duplicated|repeated) (case insensitive|case-insensitive)? (file)? (name|names|filename|"
    "filenames)",
    "(file|files) (with|having|that have|that share) (same|duplicate|identical) (name|names|filename)",
    "(name|names|filename|filenames) (that)? (occur|appear|are|exist) (more than once|twice|duplicated|"
    "several times|multiple times)",
)
def same_name(frame: FileFrame, match: Match) -> None:
    frame.action = "same name"
    frame.nouns += 1
    frame.files.kind = "f"
    if "insensitive" in {frame.low(i) for i in range(match.start, match.end)} | {
        frame.low(i).rpartition("-")[2] for i in range(match.start, match.end)
    }:
        frame.files.ignore_case = True
