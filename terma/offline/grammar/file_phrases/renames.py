"""Phrases that rename files: extensions, case, prefixes, parts of names."""

from __future__ import annotations

import re

from terma.offline.grammar.file_phrases.frame import MACROS, FileFrame
from terma.offline.grammar.match import Match, Rules

RULES: Rules[FileFrame] = Rules(MACROS)


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
