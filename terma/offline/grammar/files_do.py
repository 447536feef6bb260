"""Phrases that say what to do with the files: verbs, the text inside them, where results go."""

from __future__ import annotations

import re

from terma.offline.grammar.file_frame import MACROS, NOT_TEXT, FileFrame
from terma.offline.grammar.files_what import as_glob
from terma.offline.grammar.files_where import add_root
from terma.offline.grammar.match import Match, Rules, is_path

RULES: Rules[FileFrame] = Rules(MACROS)
CONTENT_WORDS = frozenset(
    "contain contains containing mention mentions mentioning include includes including import imports "
    "importing use uses using "
    "reference references referencing call calls calling define defines defining match matches matching "
    "content contents text word string phrase pattern "
    "line character occurs appears found regex regexp expression holding".split()
)


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


@RULES.on("move $them?", "and|then move $them?", "relocate", "put $them?")
def move(frame: FileFrame, match: Match) -> bool | None:
    if frame.low(match.start).endswith("ed"):
        return False
    if match.end - match.start == 1 and frame.low(match.start) == "put":
        return False
    _verb(frame, "move")
    return None


@RULES.on("copy $them?", "and|then copy $them?", "back up", "backup")
def copy(frame: FileFrame, match: Match) -> bool | None:
    if frame.low(match.start).endswith("ed"):
        return False
    _verb(frame, "copy")
    return None


@RULES.on(
    "to|into|onto $dir? $name? #path $dir?",
    "to|into|onto $dir $name? #bare",
    "to|into|onto #bare $dir?",
    "to|into|onto #file",
)
def destination(frame: FileFrame, match: Match) -> bool | None:
    token = match[0]
    if (
        frame.action not in ("move", "copy", "archive", "concat", "zip", "cpio")
        or frame.dest
        or token.norm in ("file", "directory", "single", "one", "current")
    ):
        return False
    frame.dest = token.value
    return None


@RULES.on("to|into current|this $dir", "here")
def destination_here(frame: FileFrame, match: Match) -> bool | None:
    if frame.action not in ("move", "copy") or frame.dest or not frame.files.roots:
        return False
    frame.dest = "."
    return None


@RULES.on(
    "keeping|preserving|preserve|keep $dir (structure|tree|hierarchy)",
    "with $dir structure",
    "keeping|preserving (their)? path|paths|structure",
)
def keep_tree(frame: FileFrame, match: Match) -> bool | None:
    frame.flags.add("keep tree")
    return None if frame.action == "copy" else False


@RULES.on(
    "change|set|modify permission|permissions|mode (for|of|on)? all?",
    "(change|set) (their)? permission|permissions|mode",
    "chmod",
    "and|then (change|set) (the|their|its)? permission|permissions|mode",
    "give|grant|add|set",
    "make $them?",
    "restrict",
)
def chmod(frame: FileFrame, match: Match) -> bool | None:
    low = frame.low(match.start)
    if low in ("give", "grant", "add", "make", "restrict", "set") and match.end - match.start < 3:
        frame.verb = "make"
        return None if low in ("make", "set", "give") else False
    _verb(frame, "chmod")
    frame.verb = "chmod"
    return None


@RULES.on(
    "to #perm",
    "to mode? #perm",
    "as #perm",
    "#perm",
    "permission|permissions|mode (to|of|as)? #perm",
    "with (permission|mode)? #perm",
)
def new_perm(frame: FileFrame, match: Match) -> bool | None:
    if frame.action != "chmod" or frame.perm:
        return False
    frame.perm = match.value
    return None


_PERMS = {
    "executable": "+x",
    "execute": "+x",
    "readonly": "a=r",
    "read-only": "a=r",
    "writable": "u+w",
    "writeable": "u+w",
    "readable": "a+r",
}


@RULES.on(
    "to|be? executable|read-only|readonly|writable|readable (by|for|to)? (everyone|everybody|all|owner|me|"
    "group)?",
    "execute|executable permission|permissions|bit? (to|on|for)?",
    "read only",
)
def made(frame: FileFrame, match: Match) -> bool | None:
    if frame.verb not in ("make", "chmod", "change"):
        return False
    words = [frame.low(i) for i in range(match.start, match.end)]
    what = next((_PERMS[w] for w in words if w in _PERMS), "a=r" if "only" in words else "")
    if not what or frame.perm:
        return False
    frame.action = "chmod"
    frame.perm = what
    return None


@RULES.on(
    "change|set owner|ownership|user (of|for)?",
    "chown",
    "and|then change (their|the)? owner|ownership",
    "make #bare owner (of)?",
)
def chown(frame: FileFrame, match: Match) -> None:
    _verb(frame, "chown")
    if match.slots:
        frame.owner = match.value


@RULES.on(
    "to (user)? #bare (and|in|with)? group #bare",
    "to (user)? #bare and group to #bare",
    "to (user)? #bare user?",
    "to #bare",
)
def new_owner(frame: FileFrame, match: Match) -> bool | None:
    if frame.action != "chown" or frame.owner:
        return False
    frame.owner = ":".join(t.value for t in match.slots)
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


@RULES.on(
    "rename",
    "and|then rename $them?",
    "change|convert (extension|extensions|suffix|file extension|name|names|filenames) (of|for)?",
    "batch|bulk rename",
    "change|convert|make|turn all? file? name|names|filenames (of all files|of files)?",
)
def rename(frame: FileFrame, match: Match) -> None:
    frame.action = "rename"


@RULES.on(
    "(to|into|in|be)? (all)? (lower|small) (case)?",
    "(to|into)? lowercase|lower-case",
    "lowercase (name|names|filenames) (of)?",
)
def lower(frame: FileFrame, match: Match) -> bool | None:
    return _case(frame, match, "lower")


def _case(frame: FileFrame, match: Match, flag: str) -> bool | None:
    """Lower or upper case of names; the extension is as it was written, for once."""
    if frame.action != "rename":
        return False
    frame.flags.add(flag)
    names = frame.files.names
    if len(names) == 1 and names[0].startswith("*."):
        suffix = names[0][2:]
        old = suffix.upper() if flag == "lower" else suffix.lower()
        if flag == "upper" or re.search(rf"\b{re.escape(old)}\b", frame.sentence.raw):
            names[0] = "*." + old
    return None


@RULES.on("#ext $file?", "#bare")
def case_of_extension(frame: FileFrame, match: Match) -> bool | None:
    """`… to lower case jpg`: the extension is said once more."""
    return (
        None
        if frame.flags & {"lower", "upper"} and match.value.lower() in "".join(frame.files.names).lower()
        else False
    )


@RULES.on("(to|into|in)? (all)? (upper|capital) (case)?", "(to|into)? uppercase|upper-case")
def upper(frame: FileFrame, match: Match) -> bool | None:
    return _case(frame, match, "upper")


@RULES.on(
    "(to|into|with|by) (have|end with|end in|use|a|the)? (extension|suffix)? #ext (extension|suffix|ones)?",
    "from #ext to #ext",
    "to #ext",
    "from #bare to #bare",
    "(to|into|with) #bare (extension|suffix)?",
)
def new_extension(frame: FileFrame, match: Match) -> bool | None:
    if frame.action != "rename" or frame.new:
        return False
    values = [t.value.removeprefix("*").removeprefix(".") for t in match.slots]
    if any(not v.isalnum() or len(v) > 6 for v in values):
        return False
    if len(values) == 2:
        frame.files.names[:] = ["*." + values[0]]
    if not frame.files.names:
        return False
    frame.new = values[-1]
    frame.flags.add("extension")
    return None


@RULES.on(
    "(add|adding|append|prepend|put) prefix #str (to|on|in front of)?",
    "prefix (all|every|each)? (name|names|file|files|filenames)? (of)? (with|by) #str",
    "(add|put|prepend) #str (to the|at the|in)? (front|beginning|start) (of)?",
    "prefixed with #str",
)
def prefix(frame: FileFrame, match: Match) -> None:
    frame.action, frame.new = "rename", match.value
    frame.flags.add("prefix")


@RULES.on(
    "(add|append) (suffix|extension) #str (to)?",
    "(add|append) #ext (to|extension to)?",
    "(append) #str (to) (name|names)",
)
def suffix(frame: FileFrame, match: Match) -> None:
    frame.action = "rename"
    frame.new = "." + match.value if match[0].kind == "ext" else match.value
    frame.flags.add("suffix")


@RULES.on(
    "(replace|replacing|convert|change|turn|with)? (all)? space|spaces|whitespace (in|of)? (their|the|file|"
    "its)? (name|names|filenames)? (with|by|to|into) underscore|underscores|dash|dashes|hyphens"
)
def spaces(frame: FileFrame, match: Match) -> bool | None:
    if frame.action not in ("rename", "", "replace"):
        return False
    frame.action, frame.text = "rename", " "
    frame.new = "_" if frame.low(match.end - 1).startswith("under") else "-"
    frame.flags.add("infix")
    return None


@RULES.on("(in|of)? (their|the|all|file|its)? (name|names|filenames) (of)?")
def in_names(frame: FileFrame, match: Match) -> bool | None:
    if frame.action in ("replace", "rename"):
        frame.action = "rename"
        frame.flags.add("infix")
        return None
    return False


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
