"""Phrases that say what kind of files: nouns, hidden, empty, extensions, media."""

from __future__ import annotations

from terma.offline.grammar.file_phrases.fileset import MEDIA
from terma.offline.grammar.file_phrases.frame import MACROS, FileFrame
from terma.offline.grammar.match import Match, Rules, is_path
from terma.offline.lexicon import EXTENSIONS
from terma.offline.tokens import Token

RULES: Rules[FileFrame] = Rules(MACROS)


def as_glob(token: Token) -> str:
    """What a name, an extension or a glob selects, as a glob of base names."""
    if token.kind == "ext":
        typed = token.text.split()[0].lower().lstrip(".")
        return "*." + (typed if typed in EXTENSIONS else token.value)
    if (
        token.kind == "quoted"
        and token.value.startswith(".")
        and token.value[1:].isalnum()
        and len(token.value) < 6
    ):
        return "*" + token.value
    return token.value


def set_kind(frame: FileFrame, kind: str) -> None:
    frame.nouns += 1
    if frame.files.kind == "?" or (frame.files.kind == "f" and frame.nouns == 1):
        frame.files.kind = kind


def add_name(frame: FileFrame, glob: str) -> None:
    target = frame.files.not_names if frame.naming == "exclude" else frame.files.names
    if glob not in target:
        target.append(glob)


@RULES.on("regular|normal|ordinary? $file", "$file $name?", "document", "filename|filenames", "item", "entry")
def files(frame: FileFrame, match: Match) -> None:
    low = frame.low(match.start)
    if low == "regular" or frame.files.kind != "d":
        set_kind(frame, "" if low.startswith(("item", "entr")) else "f")


@RULES.on("$file and|or? $dir", "$dir and|or? $file", "everything|anything", "file object", "file type")
def anything(frame: FileFrame, match: Match) -> None:
    frame.nouns += 1
    frame.files.kind = ""


@RULES.on("directory|subdirectory|folder $name?")
def directories(frame: FileFrame, match: Match) -> None:
    set_kind(frame, "d")


@RULES.on("symbolic|soft link and? $name?", "symlink $name?", "link")
def links(frame: FileFrame, match: Match) -> None:
    set_kind(frame, "l")


@RULES.on(
    "broken|dangling|dead|orphaned|invalid (symbolic|soft)? link|symlink", "link|symlink (that|which)? broken"
)
def broken(frame: FileFrame, match: Match) -> None:
    frame.nouns += 1
    frame.files.kind = "-xtype l"


@RULES.on("named pipe", "fifo")
def pipes(frame: FileFrame, match: Match) -> None:
    set_kind(frame, "p")


@RULES.on("socket $file", "socket")
def sockets(frame: FileFrame, match: Match) -> None:
    set_kind(frame, "s")


@RULES.on(
    "hidden $file and|or $dir", "hidden $file", "dotfiles|dotfile|dot-files", "hidden $dir", "dot $file"
)
def hidden(frame: FileFrame, match: Match) -> None:
    span = {frame.low(i) for i in range(match.start, match.end)}
    is_dir = bool(span & {"directory", "directories", "folder", "folders", "subdirectories"})
    is_file = any(w.startswith(("file", "dot")) for w in span)
    frame.nouns += 1
    frame.files.kind = "" if is_dir and is_file else "d" if is_dir else "f"
    frame.files.names.append(".*")
    if is_dir:
        frame.files.min_depth = max(1, frame.files.min_depth)


@RULES.on(
    "including|include|with hidden|dot (ones|files|file|items)?",
    "also? hidden ones",
    "as well as hidden (files|ones)?",
)
def with_hidden(frame: FileFrame, match: Match) -> None:
    frame.flags.add("hidden too")


@RULES.on(
    "$except|not|no|non (any|the)? hidden|dot (files|file|ones|directories|items)?",
    "non-hidden|unhidden",
    "not including hidden (files|ones)?",
    "(do not|not) $go hidden (files|ones|directories)?",
    "that not hidden",
    "not hidden",
    "skipping dotfiles",
    "ignoring dotfiles",
)
def without_hidden(frame: FileFrame, match: Match) -> None:
    if frame.files.recursive is False:
        frame.files.not_names.append(".*")
    else:
        frame.files.tests.append("-not -path '*/.*'")


@RULES.on("executable $file?", "$file (that|which)? executable", "executable", "runnable $file?")
def executable(frame: FileFrame, match: Match) -> bool | None:
    if frame.verb in ("make", "set", "chmod"):
        return False
    frame.nouns += 1
    frame.files.kind = "f"
    frame.files.tests.append("-executable")
    return None


@RULES.on(
    "empty $file",
    "zero-byte|zero-length|zero-sized|0-byte $file",
    "$file (that|which)? empty",
    "empty",
    "zero byte|length (files|file)?",
    "blank $file",
)
def empty_files(frame: FileFrame, match: Match) -> None:
    if match.end - match.start > 1:
        set_kind(frame, "f")
    if "-empty" not in frame.files.tests:
        frame.files.tests.append("-empty")


@RULES.on("empty $dir", "$dir (that|which)? empty", "empty $file and|or $dir", "empty $dir and|or $file")
def empty_directories(frame: FileFrame, match: Match) -> None:
    span = {frame.low(i)[:4] for i in range(match.start, match.end)}
    frame.nouns += 1
    frame.files.kind = "" if "file" in span else "d"
    frame.files.tests.append("-empty")


@RULES.on(
    "non-empty|nonempty $file|$dir?",
    "not empty",
    "$except|not empty (files|file|ones)?",
    "(not|no) zero byte|length (files)?",
)
def not_empty(frame: FileFrame, match: Match) -> None:
    frame.files.tests.append("-size +0c" if frame.flags & {"smallest"} else "! -empty")


@RULES.on(
    "#ext $file?",
    "#ext|#glob",
    "$file (with|having|of) #ext extension|suffix|type?",
    "(with|having) extension|suffix|ending #name",
    "$file (ending|ends|end) (in|with) #name",
    "(ending|ends|end) (in|with) #name",
    "(with|having|have|has)? #ext extension|suffix|ending",
    "(of|with|having)? extension|type (is|of)? #ext",
    "with #quoted extension",
    "whose|with extension|ending (is)? #name",
)
def extension(frame: FileFrame, match: Match) -> bool | None:
    if not match.slots:
        return False
    token = match[0]
    if is_path(token):
        return _glob_path(frame, token)
    value = as_glob(token)
    if not any(c in value for c in "*?["):
        value = (
            "*" + value
            if value.startswith((".", "_", "-")) or (match.end - match.start > 2 and "." in value)
            else "*." + value
        )
    frame.nouns += 1
    if frame.files.kind == "?":
        frame.files.kind = "f"
    if frame.naming != "exclude":
        frame.naming = "include"
    add_name(frame, value)
    return None


def _glob_path(frame: FileFrame, token: Token) -> bool | None:
    """`/var/log/*.log`: a directory and a glob in it."""
    root, _, name = token.value.rpartition("/")
    if token.kind != "glob" or any(c in root for c in "*?["):
        return False
    frame.files.roots.append(root or "/")
    frame.files.recursive = False
    frame.nouns += 1
    frame.files.names.append(name)
    return None


@RULES.on("image|photo|picture $file?")
def images(frame: FileFrame, match: Match) -> None:
    _media(frame, "image")


@RULES.on("video|movie|film $file?")
def videos(frame: FileFrame, match: Match) -> None:
    _media(frame, "video")


@RULES.on("music|audio|song $file?")
def music(frame: FileFrame, match: Match) -> None:
    _media(frame, "music")


@RULES.on("log|logs $file?")
def logs(frame: FileFrame, match: Match) -> None:
    frame.nouns += 1
    frame.files.kind = "f"
    add_name(frame, "*.log")


@RULES.on("makefile|readme|dockerfile $file")
def famous(frame: FileFrame, match: Match) -> None:
    frame.nouns += 1
    add_name(frame, frame.token(match.start).text)  # type: ignore[union-attr]


def _media(frame: FileFrame, group: str) -> None:
    frame.nouns += 1
    frame.files.kind = "f"
    frame.files.ignore_case = True
    frame.files.names.extend("*." + suffix for suffix in MEDIA[group])
