"""A program and its argument without the blank between them."""

from __future__ import annotations

import re

from terma.offline.explain.case import Case
from terma.offline.explain.everyday import EVERYDAY
from terma.offline.explain.subcommands import SUBCOMMANDS


def glued(case: Case, name: str) -> str:
    """`cd/etc`, `cd..`, `ls-la`, `gitstatus`: the program and its argument with the space put back."""
    for cut in range(2, len(name)):
        head, tail = name[:cut], name[cut:]
        if head in ("man", "sudo", "which") and case.installed(tail) and len(tail) > 2:
            return f"{head} {tail}"
        if tail[0] in "-_" and tail[1:] in SUBCOMMANDS.get(head, "").split():
            return f"{head} {tail[1:]}"
        if tail in SUBCOMMANDS.get(head, "").split():
            return f"{head} {tail}"
        if (
            (tail[0] in "/~." or re.fullmatch(r"-\w{1,2}|-[lahrtRS1]{1,4}", tail))
            and (head in EVERYDAY or case.installed(head))
            and (tail[0] != "." or tail[:2] == "..")
        ):
            return f"{head} {tail}"
        if "." in tail and case.is_file(tail) and case.installed(head) and not case.exists(name):
            return f"{head} {tail}"
    return ""
