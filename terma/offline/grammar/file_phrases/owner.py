"""Phrases about owners, permissions and links."""

from __future__ import annotations

from terma.offline.grammar.file_phrases.frame import MACROS, FileFrame
from terma.offline.grammar.match import Match, Rules
from terma.offline.grammar.quoting import word

RULES: Rules[FileFrame] = Rules(MACROS)


@RULES.on(
    "(owned|belonging|belong|belongs) (by|to) user? #bare",
    "(of|whose owner is|with owner) user? #bare user?",
    "$file (of|by) user #bare",
    "owner (is)? #bare",
)
def owned(frame: FileFrame, match: Match) -> bool | None:
    if match[0].norm in ("group", "user", "owner"):
        return False
    if frame.low(match.start) == "of" and "user" not in {frame.low(i) for i in range(match.start, match.end)}:
        return False
    before = frame.low(match.start - 1)
    frame.files.tests.append(f"{'! ' if before == 'not' else ''}-user {word(match.value)}")
    return None


@RULES.on("not owned by user? #bare", "not belonging to user? #bare")
def not_owned(frame: FileFrame, match: Match) -> bool | None:
    if match[0].norm in ("group", "user", "owner"):
        return False
    frame.files.tests.append(f"! -user {word(match.value)}")
    return None


@RULES.on(
    "(owned|belonging|belong|belongs)? (by|to|with) group #bare",
    "group (is)? #bare",
    "(of|whose) group (is)? #bare",
    "belonging to #bare group",
)
def group(frame: FileFrame, match: Match) -> bool | None:
    if match[0].norm in ("owner", "user", "path", "name", "size"):
        return False
    frame.files.tests.append(f"-group {word(match.value)}")
    return None


@RULES.on("(owned by)? me", "that I own", "i own", "my own")
def mine(frame: FileFrame, match: Match) -> bool | None:
    if frame.low(match.start) == "me":
        return False
    frame.files.tests.append('-user "$USER"')
    return None


@RULES.on("no owner", "without owner", "belonging to no user", "with no owner|user")
def ownerless(frame: FileFrame, match: Match) -> None:
    frame.files.tests.append("-nouser")


@RULES.on(
    "(with|having|whose|have|has) permission|permissions|mode (is|are|set to|of)? #perm",
    "(with|having|that have|whose) #perm permission|mode",
    "permission|mode (is|are|of) #perm",
    "$file permission #perm",
    "(with|having) perm #perm",
    "#perm permission",
    "with mode #perm",
)
def perm(frame: FileFrame, match: Match) -> bool | None:
    if frame.action == "chmod" or frame.verb in ("make", "set", "chmod", "change"):
        return False
    frame.files.tests.append(f"-perm {match.value if match.value[0].isdigit() else '-' + match.value}")
    return None


@RULES.on(
    "world-writable|world-writeable",
    "writable|writeable by everyone|others|anyone|anybody|all|other",
    "world writable|writeable",
)
def world_writable(frame: FileFrame, match: Match) -> None:
    frame.files.tests.append("-perm -o=w")


@RULES.on("world-readable", "readable by everyone|others|anyone|anybody|all", "world readable")
def world_readable(frame: FileFrame, match: Match) -> None:
    frame.files.tests.append("-perm -o=r")


@RULES.on("(with|having)? setuid|suid bit? set?", "(with)? set-uid bit?")
def setuid(frame: FileFrame, match: Match) -> None:
    frame.files.tests.append("-perm -u=s")


@RULES.on("(with|having)? setgid|sgid bit? set?")
def setgid(frame: FileFrame, match: Match) -> None:
    frame.files.tests.append("-perm -g=s")


@RULES.on(
    "(that|which)? (i|we)? (can|may)? not readable|read|writable|executable",
    "not readable|writable|executable",
    "unreadable",
    "non-executable",
)
def inaccessible(frame: FileFrame, match: Match) -> None:
    low = frame.low(match.end - 1)
    what = (
        "executable" if low.endswith("executable") else "writable" if low.endswith("writable") else "readable"
    )
    frame.files.tests.append("! -" + what)


@RULES.on("(that|which) are readable|writable", "readable|writable $file")
def accessible(frame: FileFrame, match: Match) -> None:
    span = {frame.low(i) for i in range(match.start, match.end)}
    frame.files.tests.append("-readable" if "readable" in span else "-writable")


@RULES.on(
    "(with|having|that have) (more than) #num hard? link|links",
    "more than one hard? link",
    "with multiple hard links",
)
def hard_links(frame: FileFrame, match: Match) -> None:
    frame.files.tests.append(f"-links +{match.value or 1}")
