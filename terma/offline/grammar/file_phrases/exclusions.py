"""Phrases that leave names and directories out."""

from __future__ import annotations

from terma.offline.grammar.file_phrases.frame import MACROS, NOT_TEXT, FileFrame
from terma.offline.grammar.file_phrases.kinds import add_name, as_glob
from terma.offline.grammar.match import Match, Rules, is_path

RULES: Rules[FileFrame] = Rules(MACROS)
PLACES = frozenset("directory directories folder folders subdirectory in inside under within into".split())


@RULES.on(
    "$except (for)? (ones|those|files|file|any)? ($name)? #name",
    "but not (ones|those|files|file)? ($name)? #name",
    "not $name (like)? #bare",
    "whose name not #bare",
    "not (ending|matching) (in|with)? #name",
    "(that|which) (do|are) not $name? #name",
    "not #ext|#glob",
    "not (end|ending|ends) with|in #name",
    "not match|matching #glob",
    "but not #name",
    "not file #name",
    "with name not #bare",
    "$except #bare file|files",
    "other than #name",
    "except #bare",
    "but keep|leave #name",
    "and keep #name",
    "keeping|keep #name",
    "(do not|not) (contain|include|delete|remove|touch|match) (file|files)? ($name)? #name",
)
def exclude(frame: FileFrame, match: Match) -> bool | None:
    if not match.slots:
        return False
    token = match[0]
    said = {frame.low(i) for i in range(match.start, match.end)}
    if said & {"contain", "include"} and token.kind not in ("glob", "ext") and "." not in token.value:
        return False
    if (token.norm in NOT_TEXT and token.kind == "word") or is_path(token):
        return False
    if token.kind in ("word", "ident") and frame.low(match.start) in (
        "except",
        "other",
        "but",
        "ignoring",
        "skip",
        "skipping",
        "excluding",
        "exclude",
        "ignore",
        "omit",
    ):
        return directory(frame, match)
    frame.naming = "exclude"
    add_name(frame, as_glob(token))
    return None


@RULES.on(
    "$except|not (the|any|everything in|in|anything in|what is in|inside|under)? #bare $dir?",
    "$except|not (the|any)? $dir $name? #bare",
    "not|$except (in|inside|under|within) #bare $dir?",
    "but $except (the|any|everything in|in|anything in|inside)? #bare $dir?",
    "(do not|not|never|without) (look|search|go|descend|looking|searching|going|descending|including|"
    "include|contain) (in|into|inside)? #bare $dir?",
    "$except #bare and|or #bare $dir?",
    "but not (in|inside|under|within) #bare $dir?",
    "$except #path $dir?",
    "not in|under #path",
)
def directory(frame: FileFrame, match: Match) -> bool | None:
    names = list(match.slots)
    said = {frame.low(i) for i in range(match.start, match.end)}
    if frame.low(match.start) in ("not", "without", "no") and not said & PLACES:
        return False
    if not names or any(
        t.norm in NOT_TEXT
        or t.kind == "number"
        or t.norm in ("case", "accent", "space", "whitespace", "error")
        for t in names
    ):
        return False
    for token in names:
        if (
            token.kind == "file"
            and not any(frame.low(i).startswith(("dir", "fold", "in")) for i in range(match.start, match.end))
            and not token.value.startswith(".")
        ):
            return False
        frame.files.prune.append(token.value.strip("/").removeprefix("./"))
    if len(names) == 1 and frame.low(match.end) in ("and", "or", ""):
        frame.naming = "prune"
    return None


@RULES.on("and|or #bare $dir?")
def directory_too(frame: FileFrame, match: Match) -> bool | None:
    if (
        frame.naming != "prune"
        or match[0].norm in NOT_TEXT
        or match[0].norm in ("delete", "show", "count", "print", "copy", "move")
    ):
        return False
    frame.files.prune.append(match.value.strip("/"))
    return None
