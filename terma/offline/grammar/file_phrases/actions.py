"""Phrases that say what to do with the files: find, count, delete, compress, archive, join, write."""

from __future__ import annotations

from terma.offline.grammar.file_phrases.frame import MACROS, FileFrame
from terma.offline.grammar.file_phrases.kinds import as_glob
from terma.offline.grammar.file_phrases.places import add_root
from terma.offline.grammar.match import Match, Rules, is_path

RULES: Rules[FileFrame] = Rules(MACROS)


def _verb(frame: FileFrame, action: str) -> None:
    if not frame.action or frame.action == "list":
        frame.action = action


@RULES.on(
    "find|search|look|locate (for)? out?",
    "get|fetch",
    "search for",
    "identify|determine|detect|discover",
    "are there",
    "is there",
    "check whether|if there",
    "check for",
    "which",
    "what|where (is|are)",
    "look for",
    "see",
    "go through",
    "recursively find|search for?",
)
def find(frame: FileFrame, match: Match) -> None:
    frame.verb = frame.verb or "find"


@RULES.on(
    "$show",
    "show me",
    "tell me",
    "list all|out|up?",
    "and|then $show $them?",
    "$show $them",
    "display the result",
)
def show(frame: FileFrame, match: Match) -> None:
    low = frame.low(match.start)
    if not frame.verb:
        frame.verb = "list" if low.startswith("list") else "show"


@RULES.on(
    "count",
    "count number of",
    "how many",
    "number of",
    "(and|then) (show|print|display|tell|report|output|give)? me? (how many|number of)? count? (there are|"
    "matches|of them|were found|found)?",
    "and count $them?",
    "count of",
    "total number of",
    "and number of",
    "(show|print|display|give|get|report) me? (total)? (number|count) of",
    "(show|print|display|give|get|report|find) (how many)",
    "followed by number of",
)
def count(frame: FileFrame, match: Match) -> bool | None:
    said = {frame.low(i) for i in range(match.start, match.end)}
    if not said & {"count", "many", "number", "counts", "counting"}:
        return False
    frame.count = True
    frame.verb = frame.verb or "count"
    if frame.low(match.end) in ("line", "lines"):
        return False
    return None


@RULES.on(
    "$file|$dir|match|result? $mod|deleted|removed|moved|copied|matched|found|affected|renamed|processed"
)
def affected(frame: FileFrame, match: Match) -> bool | None:
    return None if frame.count and frame.action else False


@RULES.on(
    "$delete $them?", "and|then $delete $them?", "get rid of", "delete all|any?", "find and|to? delete|remove"
)
def delete(frame: FileFrame, match: Match) -> bool | None:
    if frame.low(match.start).endswith("ed"):
        return False
    _verb(frame, "delete")
    frame.verb = frame.verb or "delete"
    return None


@RULES.on(
    "compress|gzip (each|all|every|them)? (of them|one|individually)?",
    "gzip $them?",
    "and|then compress|gzip $them?",
    "compress individually",
    "compress with gzip",
    "with|using gzip",
    "individually|separately",
)
def compress(frame: FileFrame, match: Match) -> bool | None:
    if frame.low(match.start).endswith("ed"):
        return False
    low = frame.low(match.start)
    if low in ("with", "using", "individually", "separately"):
        return None if frame.action in ("gzip", "archive") else False
    _verb(frame, "gzip")
    return None


@RULES.on(
    "extract|gunzip|unzip|uncompress|decompress|unpack $them?",
    "and|then extract|gunzip|unzip|uncompress|decompress|unpack $them?",
)
def extract(frame: FileFrame, match: Match) -> bool | None:
    if frame.low(match.start).endswith("ed"):
        return False
    _verb(frame, "extract")
    return None


@RULES.on(
    "archive",
    "tar",
    "create (compressed)? (tar|gzipped)? archive|tarball (of|from|with|containing)?",
    "zip $them?",
    "and (zip|archive|tar|pack) $them?",
    "pack|bundle",
    "create zip (archive|file)? (of|from|with)?",
    "put",
)
def archive(frame: FileFrame, match: Match) -> bool | None:
    if frame.low(match.start).endswith("ed"):
        return False
    if frame.low(match.start) == "put" and "archive" not in frame.sentence.raw.lower():
        return False
    _verb(frame, "archive")
    return None


@RULES.on("(to|into|in|as|named|called)? (archive|tarball|file|zip)? (archive)? (named|called)? #file")
def archive_name(frame: FileFrame, match: Match) -> bool | None:
    if (
        frame.action not in ("archive", "gzip")
        or not match.value.endswith((".tar", ".gz", ".tgz", ".zip", ".bz2", ".xz", ".7z"))
        or frame.dest
    ):
        return False
    frame.action = "archive"
    frame.dest = match.value
    return None


@RULES.on(
    "join|concatenate|merge|combine",
    "and|then (join|concatenate|merge|combine) $them?",
    "show|display|print|output content|contents (of)?",
    "content|contents of",
    "cat",
    "and|then (show|print|display) (the|their|its)? content|contents",
    "content|contents",
    "into|to (single|one)? file $name?",
)
def concat(frame: FileFrame, match: Match) -> bool | None:
    low = frame.low(match.start)
    if low in ("into", "to"):
        return None if frame.action == "concat" else False
    if frame.action in ("", "list"):
        frame.action = "concat"
        return None
    return False


@RULES.on(
    "(and|then)? (write|save|store|put|redirect|send|output) (the|all)? (it|them|result|results|output|list|"
    "names|paths)? (in|into|to) (file)? ($name)? #file",
    "(and|then)? (save|write|store|redirect) $them? (in|into|to) file? #bare",
    "to|into (single|one|new)? file? ($name)? #file",
)
def sink(frame: FileFrame, match: Match) -> bool | None:
    if frame.low(match.start) in ("to", "into") and frame.action not in ("", "concat", "list"):
        return False
    if frame.sink or match.value.rstrip("/") in frame.files.roots:
        return False
    frame.sink = match.value
    return None


@RULES.on(
    "create|make (empty)? (file)? ($name)? #file (file)? (in|inside) (each|every|all)?",
    "touch|create #file in (each|every|all)?",
)
def create_in(frame: FileFrame, match: Match) -> bool | None:
    if frame.low(match.end - 1) not in ("each", "every", "all"):
        return False
    frame.action, frame.text = "touch in", match.value
    return None


@RULES.on("touch|update (timestamp|timestamps|modification time|access time) (of)?", "touch")
def touch(frame: FileFrame, match: Match) -> None:
    _verb(frame, "touch")


@RULES.on("to #name", "#quoted")
def leftover_name(frame: FileFrame, match: Match) -> bool | None:
    """A quoted word after find: a name when files are spoken of, else text to search for."""
    token = match[0]
    if (
        frame.low(match.start) == "to"
        or is_path(token)
        or frame.action
        or frame.files.contains
        or frame.files.names
    ):
        return False
    if frame.verb == "find" and frame.nouns and any(c in token.value for c in "*.?"):
        frame.files.names.append(as_glob(token))
        return None
    return False


@RULES.on("at|of|for|in|and all|each|every|any", "each one")
def quantifiers(frame: FileFrame, match: Match) -> None:
    return None


@RULES.on("#path")
def bare_root(frame: FileFrame, match: Match) -> bool | None:
    if frame.files.roots or frame.action in ("replace",):
        return False
    add_root(frame, match.value)
    tail = match.value.rstrip("/").rpartition("/")[2]
    if "." in tail.strip("."):
        frame.flags.add("file root")
    return None


@RULES.on(
    "create|make|build (compressed|gzipped)? tarball|tar|archive|zip (archive|file)? ($name)? #file (of|"
    "from|with|containing)?"
)
def archive_called(frame: FileFrame, match: Match) -> bool | None:
    frame.action = "archive"
    return archive_name(frame, match)


@RULES.on("$having both? $wordnoun? #str and $wordnoun? #str", "contain both $wordnoun? #str and #str")
def both_texts(frame: FileFrame, match: Match) -> bool | None:
    said = {frame.low(i) for i in range(match.start, match.end)}
    if "both" not in said or any(is_path(t) for t in match.slots):
        return False
    frame.files.contains.extend(t.value for t in match.slots)
    frame.flags.add("all texts")
    return None
