"""Phrases that order files and limit how many are shown."""

from __future__ import annotations

from terma.offline.grammar.file_phrases.frame import MACROS, FileFrame
from terma.offline.grammar.file_phrases.kinds import as_glob
from terma.offline.grammar.match import Match, Rules, is_path

RULES: Rules[FileFrame] = Rules(MACROS)
_BY = {
    "size": "size",
    "large": "size",
    "time": "time",
    "date": "time",
    "modification": "time",
    "modified": "time",
    "age": "time",
    "mtime": "time",
    "name": "name",
    "filename": "name",
    "alphabetically": "name",
    "alphabetical": "name",
    "extension": "extension",
    "access": "access",
    "path": "name",
    "newest": "time",
    "names": "name",
    "depth": "depth",
}


@RULES.on(
    "(sorted|sort|ordered|order|ranked|arranged) $them? (by|on|in order of|according to) their? (file|"
    "modification|last|creation|access)? size|time|date|name|age|mtime|extension|modified|filename|depth "
    "(modified|order|time|date)?",
    "and sort $them? by (file|modification|last)? size|time|date|name|age|extension|path|filename",
    "(in) alphabetical order",
    "(sorted|sort|ordered) alphabetically",
    "alphabetically",
    "in (descending|ascending|reverse|increasing|decreasing) order of size|time|date|name",
    "by size|date|name|time",
)
def order(frame: FileFrame, match: Match) -> None:
    words = [frame.low(i) for i in range(match.start, match.end)]
    found = [_BY[w] for w in words if w in _BY]
    frame.order = ("access" if "access" in found else found[-1]) if found else "name"
    frame.descending = frame.order in ("size", "time", "access")
    if set(words) & {"ascending", "increasing"}:
        frame.descending = False
    elif set(words) & {"descending", "reverse", "decreasing"}:
        frame.descending = True
        frame.flags.add("reverse")


@RULES.on(
    "in? descending|decreasing|reverse|reversed order?",
    "from largest|biggest|newest|highest to smallest|oldest|lowest",
    "with? largest|biggest|newest|heaviest first|top?",
    "most recent|recently first",
    "latest first",
    "(largest|biggest) (one|ones|file|files) first",
    "with? largest|biggest at top",
    "recent first",
    "descending",
)
def downwards(frame: FileFrame, match: Match) -> bool | None:
    words = {frame.low(i) for i in range(match.start, match.end)}
    if not frame.order:
        if words & {"largest", "biggest", "heaviest", "smallest"}:
            frame.order = "size"
        elif words & {"newest", "latest", "recent", "recently", "oldest"}:
            frame.order = "time"
        else:
            return False if not words & {"descending", "reverse", "reversed"} else None
    frame.descending = True
    frame.flags.add("reverse")
    return None


@RULES.on(
    "in? ascending|increasing order?",
    "from smallest|oldest|lowest to largest|newest|highest|biggest",
    "with? smallest|oldest first|top?",
    "smallest (one|ones|file|files) first",
    "oldest (one|ones|file|files) first",
)
def upwards(frame: FileFrame, match: Match) -> None:
    words = {frame.low(i) for i in range(match.start, match.end)}
    if not frame.order:
        frame.order = "size" if "smallest" in words else "time" if "oldest" in words else "name"
    frame.descending = False


@RULES.on(
    "#num $largest $file",
    "#num $file (which|that)? (take|taking|use|using|occupy) most space|disk",
    "$largest #num $file",
    "top|first #num $largest $file",
    "#num $largest",
    "$largest $file",
    "top #num $file by size",
    "#num $smallest $file",
    "$smallest #num $file",
    "$smallest $file",
    "#num $smallest",
    "$largest #num",
    "top #num largest|biggest",
    "$file (with)? largest|biggest|smallest size",
    "what|which $file (is|are)? largest|biggest|smallest",
    "biggest|largest of them?",
)
def by_size(frame: FileFrame, match: Match) -> bool | None:
    words = {frame.low(i) for i in range(match.start, match.end)}
    small = bool(words & {"smallest", "tiniest", "small"})
    if words & {"large", "small"}:
        return False
    frame.order, frame.descending = "size", not small
    frame.limit = int(match.value) if match.slots else 1
    if small:
        frame.flags.add("smallest")
    frame.nouns += 1
    if words & {"file", "files"}:
        frame.files.kind = "f"
    return None


@RULES.on(
    "#num $largest $dir",
    "$largest #num $dir",
    "$largest $dir",
    "top #num $largest $dir",
    "#num $dir (that|which)? (take|taking|use|using|occupy|occupying) most space|disk",
)
def directories_by_size(frame: FileFrame, match: Match) -> bool | None:
    if frame.low(match.start) in ("large", "small"):
        return False
    frame.action, frame.order, frame.descending = "du", "size", True
    frame.limit = int(match.value) if match.slots else 1
    frame.files.kind = "d"
    frame.nouns += 1
    return None


@RULES.on(
    "#num (most)? recently? $newest (modified|changed|created|edited|updated)? $file",
    "$newest #num $file",
    "$newest $file",
    "#num most recently? (modified|changed|created|edited|updated) $file",
    "most recently? (modified|changed|created|edited|updated) $file",
    "#num $newest",
    "last #num (modified|changed|edited|updated) $file",
    "last (modified|changed|edited|updated) $file",
    "$file (that|which)? (was|were)? (modified|changed|edited) (most recently|last)",
    "most recent #num? $file",
    "#num $oldest $file",
    "$oldest #num $file",
    "$oldest $file",
    "latest $file",
    "#num least recently (modified|changed) $file",
)
def by_age(frame: FileFrame, match: Match) -> bool | None:
    words = [frame.low(i) for i in range(match.start, match.end)]
    if ("old" in words and not match.slots) or "old" in words:
        return False
    frame.order = "time"
    frame.descending = not set(words) & {"oldest", "least"}
    frame.limit = int(match.value) if match.slots else 1
    frame.nouns += 1
    if frame.files.kind == "?":
        frame.files.kind = "f"
    return None


@RULES.on(
    "(only)? (show|list|display|print|keep|limit to|just)? (only)? first|top #num (result|results|of them|"
    "ones|matches|file|files|entries|only)?",
    "limit|limited to? #num",
    "and? (show|list|display|print)? (only)? first|top #num (of them|results)?",
    "last #num (of them|results|entries)?",
)
def top(frame: FileFrame, match: Match) -> bool | None:
    if frame.action == "head" or frame.limit:
        return False
    frame.limit = int(match.value)
    if "last" in {frame.low(i) for i in range(match.start, match.end)}:
        frame.from_end = True
    return None


@RULES.on("(and)? (show|display|print|find|list) (only)? largest|biggest|smallest (one|file|of them)?")
def and_largest(frame: FileFrame, match: Match) -> bool | None:
    if frame.limit:
        return False
    words = {frame.low(i) for i in range(match.start, match.end)}
    frame.order, frame.limit, frame.descending = "size", 1, "smallest" not in words
    return None


@RULES.on(
    "null|nul separated|terminated|delimited",
    "separated by (null|nul|zero) (character|byte|bytes|characters)?",
    "null-separated",
)
def null_separated(frame: FileFrame, match: Match) -> None:
    frame.flags.add("print0")


@RULES.on("as? a? tree", "as a tree", "in tree (form|format|view|structure|like format)?")
def as_tree(frame: FileFrame, match: Match) -> bool | None:
    if frame.low(match.start) not in ("as", "in"):
        return False
    frame.flags.add("tree")
    return None


@RULES.on(
    "sort|sorted (output|result|results|list|them)?",
    "and sort (output|result|results|list|them)?",
    "sorted (list)? (of)?",
    "sorted by (filename|name|path)",
)
def sort_output(frame: FileFrame, match: Match) -> None:
    frame.order = frame.order or "output"
    if frame.order == "output":
        frame.descending = False


@RULES.on("unique|distinct (extension|extensions) (of)?", "(file)? (extension|extensions|types)")
def extensions(frame: FileFrame, match: Match) -> bool | None:
    if "unique" in frame.flags or frame.low(match.start) in ("unique", "distinct"):
        frame.action = "extensions"
        return None
    return False


@RULES.on(
    "suppress|suppressing|ignore|ignoring|hide|hiding|without|discarding (any|the)? (permission denied|"
    "permission|error|access)? (error|errors|warnings|messages|message)",
    "no error messages",
    "permission denied (errors|messages)?",
)
def quiet(frame: FileFrame, match: Match) -> None:
    frame.flags.add("quiet")


@RULES.on(
    "and|while (printing|print|show|showing|list|listing|display|displaying) (each|deleted|every|their|"
    "its)? (name|names|file|files|one|deletion|removed)? (deleted|removed)?",
    "printing|showing|reporting|logging (an|info|information)? (message|line|note|name) (on|for|at|per|"
    "about)? (each|every)? (operation|step|file|deletion|one)",
    "verbosely",
)
def verbose(frame: FileFrame, match: Match) -> bool | None:
    if frame.action not in ("delete", "move", "copy"):
        return False
    frame.flags.add("print")
    return None


@RULES.on(
    "(that|which)? (contain|contains|containing|have|having|hold|holding) (any|some|at least one)? file "
    "($name|like|matching|ending in|ending with)? #name",
    "(that|which)? (contain|contains|containing|have|having|hold|holding) (any|some)? #ext",
)
def folders_holding(frame: FileFrame, match: Match) -> bool | None:
    """`directories … that hold *.log files`, said away from the noun."""
    if frame.files.kind != "d" or is_path(match[0]):
        return False
    frame.flags.add("folders")
    frame.files.kind = "f"
    frame.files.names.append(as_glob(match[0]))
    return None


@RULES.on("$file? size|sizes only", "only (the)? size|sizes")
def sizes_only(frame: FileFrame, match: Match) -> None:
    frame.flags.add("sizes only")
    frame.nouns += 1


@RULES.on(
    "(and|by|while)? (suppress|suppressing|ignore|ignoring|hide|hiding|without) (any|the)? (error)? "
    "messages|message|errors (if|when|for)? (directory|folder|it|they)? (is|are)? (not)? (empty)?"
)
def quiet_empty(frame: FileFrame, match: Match) -> None:
    frame.flags.add("quiet")
