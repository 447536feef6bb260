"""What is wrong with the shape of a command, whatever its program is: words apart that belong together, words in each
other's place, a name read as an option, a value without its option.

A shape knows no program. It takes a word that the output calls wrong, and what the folder, the manual and the shell's
own grammar say of the words around it; each gives one command or none."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from terma.offline.explain.case import Case
from terma.offline.explain.finding import Finding
from terma.offline.explain.modes import barred
from terma.offline.explain.shapes.advised import advised
from terma.offline.explain.shapes.example import example
from terma.offline.explain.shapes.folder import folder
from terma.offline.explain.shapes.joined import joined, torn
from terma.offline.explain.shapes.near_file import beside
from terma.offline.explain.shapes.patterns import unmatched
from terma.offline.explain.shapes.placed import displaced, swapped
from terma.offline.explain.shapes.query import query
from terma.offline.explain.shapes.required import required
from terma.offline.explain.shapes.spelled import spelled
from terma.offline.explain.shapes.unclosed import unclosed
from terma.offline.explain.shapes.usage import wanted

Shape = Callable[[Case], Iterator[Finding]]
# What is read off the command itself stands before any rule's advice; the others speak where no rule has a fix.
_CERTAIN: tuple[Shape, ...] = (torn, swapped, barred)
_LIKELY: tuple[Shape, ...] = (
    joined,
    wanted,
    displaced,
    spelled,
    query,
    folder,
    beside,
    unmatched,
    unclosed,
    example,
    required,
    advised,
)


def certain(case: Case) -> Iterator[tuple[str, Finding]]:
    """The names and findings of the shapes that need no further sign."""
    return _found(case, _CERTAIN)


def likely(case: Case) -> Iterator[tuple[str, Finding]]:
    """The same of the shapes that are asked where nothing else had a fix."""
    return _found(case, _LIKELY)


def _found(case: Case, shapes: tuple[Shape, ...]) -> Iterator[tuple[str, Finding]]:
    of_place = {displaced, swapped} if case.script else set()  # what stands behind a script is its own
    for shape in shapes:
        if shape in of_place:
            continue
        for found in shape(case):
            if found.fix and found.fix != case.command:
                yield f"shape.{shape.__name__}", found
