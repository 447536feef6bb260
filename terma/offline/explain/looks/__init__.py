"""The look that an expert types first where no command mends a failure: what shows the state that the message is about.

A look changes nothing. It is made of the kind of the thing that the output names (a path, an archive, a port, a host,
a process, a branch), and not of the program that failed; it is offered apart from the fixes, as a look, and only where
its program is here. What `?why` shows itself, such as the line of a source, needs none."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator

from terma.offline.explain.case import Case
from terma.offline.explain.line import program_at, words_of
from terma.offline.explain.looks.content import content, kind_of_file
from terma.offline.explain.looks.data import data
from terma.offline.explain.looks.kinds import kinds, own_list
from terma.offline.explain.looks.paths import paths
from terma.offline.explain.looks.quiet import quiet
from terma.offline.explain.looks.reached import reached
from terma.offline.explain.looks.read import named_files, to_read

Look = Callable[[Case], Iterator[str]]
# The surest first: what the output itself says, what a socket or a path is, then lists of all there is of a kind.
_LOOKS: tuple[Look, ...] = (
    to_read,
    reached,
    content,
    kinds,
    paths,
    data,
    own_list,
    quiet,
    named_files,
    kind_of_file,
)
_STOPPED = range(129, 161)  # statuses of what a signal ended


def look(case: Case) -> tuple[str, str]:
    """The name of the kind of look and its command; ("", "") where there is none."""
    ended = case.ended  # of a pipe that part's which failed
    if ended in _STOPPED or ended <= 0 or case.only_contents or not case.cwd:
        return "", ""
    for one in _LOOKS:
        try:
            for command in one(case):
                if _can_be_typed(case, command):
                    return f"look.{one.__name__}", command
        except Exception:  # a file that cannot be read the way it looks
            if os.environ.get("TERMA_DEBUG"):
                raise
    return "", ""


def _can_be_typed(case: Case, command: str) -> bool:
    """Whether the program of the look is here, and it is not what has just failed."""
    words = words_of(command)
    index = program_at(words, 0)
    if index < 0 or command.strip() in (case.command.strip(), case.failed_text.strip()):
        return False
    plain = all(re.fullmatch(r"[^\n\x00-\x1f]+", word.value) for word in words)
    return plain and case.installed(words[index].value)
