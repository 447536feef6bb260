"""Phrases that move, copy, and change permissions and owners of files."""

from __future__ import annotations

from terma.offline.grammar.file_phrases.actions import _verb
from terma.offline.grammar.file_phrases.frame import MACROS, FileFrame
from terma.offline.grammar.match import Match, Rules

RULES: Rules[FileFrame] = Rules(MACROS)
_PERMS = {
    "executable": "+x",
    "execute": "+x",
    "readonly": "a=r",
    "read-only": "a=r",
    "writable": "u+w",
    "writeable": "u+w",
    "readable": "a+r",
}


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
