"""Phrases that read each file: counts of lines, first lines, checksums."""

from __future__ import annotations

from terma.offline.grammar.file_phrases.frame import MACROS, FileFrame
from terma.offline.grammar.match import Match, Rules

RULES: Rules[FileFrame] = Rules(MACROS)


@RULES.on("line|lines of code", "(and)? (count|number of|how many)? line|lines (of code)? (in|of)? (each)?")
def line_count(frame: FileFrame, match: Match) -> bool | None:
    said = {frame.low(i) for i in range(match.start, match.end)}
    if (
        frame.files.contains
        or "lines" in frame.flags
        or frame.action == "head"
        or not (frame.count or said & {"count", "number", "many"})
    ):
        return False
    frame.action = "wc"
    frame.count = True
    return None


@RULES.on("word|words|byte|bytes|character|characters (in|of)?")
def other_count(frame: FileFrame, match: Match) -> bool | None:
    if not frame.count or frame.action or frame.files.contains:
        return False
    frame.action = "wc"
    frame.flags.add({"w": "-w", "b": "-c", "c": "-m"}[frame.low(match.start)[0]])
    return None


@RULES.on(
    "(show|print|display|list)? first|top #num line|lines (of)?",
    "first|top line (of|in|from)?",
    "head (of)?",
    "last #num line|lines (of)?",
    "last line (of|in|from)?",
)
def head(frame: FileFrame, match: Match) -> bool | None:
    if frame.action not in ("", "list"):
        return False
    words = {frame.low(i) for i in range(match.start, match.end)}
    frame.action = "head"
    frame.limit = int(match.value) if match.slots else 1 if "line" in words else 10
    if "last" in words:
        frame.flags.add("tail")
    return None


@RULES.on(
    "(the|compute|calculate|print|show|get|find|and|then)? md5|md5sum|md5sums|sha1|sha1sum|sha256|sha256sum|"
    "checksum|checksums (sum|sums|checksum|checksums|hash|hashes)? (of|for)?"
)
def checksum(frame: FileFrame, match: Match) -> None:
    said = " ".join(frame.low(i) for i in range(match.start, match.end))
    tool = "sha256sum" if "sha256" in said else "sha1sum" if "sha1" in said else "md5sum"
    if frame.action == "sum":
        frame.flags.add("twice")
    frame.action, frame.text = "sum", tool


@RULES.on("compute|calculate|get")
def compute(frame: FileFrame, match: Match) -> None:
    frame.verb = frame.verb or "show"
