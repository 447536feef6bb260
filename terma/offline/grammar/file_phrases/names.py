"""Phrases that name files: in full, by part, in lists."""

from __future__ import annotations

from terma.offline.grammar.file_phrases.frame import MACROS, NOT_TEXT, FileFrame
from terma.offline.grammar.file_phrases.kinds import add_name, as_glob, set_kind
from terma.offline.grammar.match import Match, Rules, is_path
from terma.offline.lexicon import EXTENSIONS

RULES: Rules[FileFrame] = Rules(MACROS)


@RULES.on(
    "$name|name like|either? #bare",
    "(with|having|whose|the) name|names|filename (is|are|of|like|matching|matches)? #bare",
    "matching|like|pattern #glob",
    "(with|matching|matches|match|like) (glob|pattern|name|wildcard)? (pattern)? #glob",
    "$file|$dir $name #bare",
    "$file|$dir #name",
    "like #quoted",
    "all #bare files",
    "$file $name like #bare",
    "$name #glob",
    "$file #file",
    "whose name match|matches #bare",
    "(matching|matches) pattern #quoted",
)
def named(frame: FileFrame, match: Match) -> bool | None:
    token = match[0] if match.slots else None
    if token is None or is_path(token) or token.norm in NOT_TEXT or token.text.lower() in NOT_TEXT:
        return False
    if match.end - match.start == 3 and frame.low(match.start) in ("all",) and token.kind == "word":
        return False
    low = frame.low(match.start)
    if low.startswith("director") or low.startswith("folder"):
        set_kind(frame, "d")
    elif low.startswith("file"):
        set_kind(frame, "f")
    frame.naming = "include"
    add_name(frame, as_glob(token))
    return None


@RULES.on("#file", "and|or #name", "#name")
def listed(frame: FileFrame, match: Match) -> bool | None:
    """`a.out, *.o and core.c`: a name by itself, or one more of a list."""
    token = match[0]
    if is_path(token) or token.kind in ("env", "domain"):
        return False
    if token.kind in ("ident", "quoted") and not frame.naming:
        return False
    if token.kind == "quoted" and frame.files.contains:
        return False
    if token.kind == "ident" and frame.low(match.start) not in ("and", "or"):
        before = frame.token(match.start - 1)
        if before is None or "," not in frame.between(before, token):
            return False
    if frame.naming != "exclude":
        frame.naming = "include"
    add_name(frame, as_glob(token))
    if frame.files.kind == "?" and token.kind in ("file", "glob", "ext"):
        frame.files.kind = "f"
    return None


@RULES.on("and|or #bare $file")
def listed_word(frame: FileFrame, match: Match) -> bool | None:
    if frame.naming != "include" or match[0].norm in NOT_TEXT or match[0].kind not in ("word", "ident"):
        return False
    add_name(frame, match.value)
    return None


@RULES.on(
    "$file|$dir? (whose|with|having|that have|which have)? name (starting|starts|start|beginning|begins|"
    "begin) with #str",
    "$file|$dir? (that|whose name|which)? (starting|starts|start|beginning|begins|begin) with #str",
    "$file|$dir (prefixed) with? #str",
    "(with|having) prefix #str",
)
def starts_with(frame: FileFrame, match: Match) -> bool | None:
    return _affix(frame, match, "{}*")


@RULES.on(
    "$file|$dir? (whose|with|having|that have|which have)? name ending|ends|end (in|with) #str",
    "$file|$dir? whose name end|ends|ending with|in #str",
)
def ends_with(frame: FileFrame, match: Match) -> bool | None:
    return _affix(frame, match, "*{}")


@RULES.on(
    "$file|$dir? (whose|with|having|that have|which have|in whose)? name|names|filename (containing|"
    "contains|contain|including|includes|having|has) $wordnoun? #str",
    "$file|$dir? (with|having|that have) #str in (its|their|the|file)? name|names|filename|filenames",
    "$file|$dir (with|having) $wordnoun? #str in (its|their|the|file)? name|names|filename|filenames",
    "(containing|contain|contains|with|having|have|has) $wordnoun? #str in (its|their|the|file)? name|names|"
    "filename|filenames",
)
def holds(frame: FileFrame, match: Match) -> bool | None:
    return _affix(frame, match, "*{}*")


def _affix(frame: FileFrame, match: Match, shape: str) -> bool | None:
    token = match[0]
    if (token.norm in NOT_TEXT and token.kind == "word") or is_path(token):
        return False
    if frame.flags & {"text search"} and "name" not in {
        frame.low(i)[:4] for i in range(match.start, match.end)
    }:
        return False
    low = frame.low(match.start)
    if low.startswith(("director", "folder")):
        set_kind(frame, "d")
    elif low.startswith("file"):
        set_kind(frame, "f")
    value = token.value if token.kind != "ext" else "." + token.value
    frame.naming = "include"
    add_name(frame, shape.format(value) if "*" not in value else value)
    return None


@RULES.on("#word and|or?")
def listed_extension(frame: FileFrame, match: Match) -> bool | None:
    """The `txt` of `txt and md files`."""
    low, place = match[0].text.lower(), match.end
    if low not in EXTENSIONS:
        return False
    while frame.low(place) in ("and", "or") or (
        frame.low(place) in EXTENSIONS and (token := frame.token(place)) is not None and token.kind == "word"
    ):
        place += 1
    after = frame.token(place)
    if after is None or after.kind != "ext":
        return False
    frame.naming = "include"
    add_name(frame, "*." + low)
    return None


@RULES.on(
    "(with|having|have|of|whose)? (file)? extension|suffix (is|of)? #bare",
    "$file (with|having) #bare extension|suffix",
)
def extension_word(frame: FileFrame, match: Match) -> bool | None:
    """`with the extension yml`: a bare word, said to be an extension."""
    value = match.value.lstrip("*.")
    if frame.action == "rename" or not value.isalnum() or len(value) > 6 or match[0].norm in NOT_TEXT:
        return False
    frame.nouns += 1
    frame.naming = "include"
    add_name(frame, "*." + value)
    return None
