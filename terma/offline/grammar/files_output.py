"""Phrases that shape what is shown of the files: order, how many, sizes, details, names only, duplicates."""

from __future__ import annotations

from terma.offline.grammar.file_frame import MACROS, FileFrame
from terma.offline.grammar.files_what import as_glob
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
    "printing (info|information)? (message)? (on|for)? (each)? operation",
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
