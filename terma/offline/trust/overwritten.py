"""A command that writes over what it is still to read: `sort names > names` empties the file first, and ffmpeg, qpdf
and cp refuse to."""

from __future__ import annotations

from collections.abc import Iterator

from terma.offline.trust.command import Simple, simples
from terma.offline.trust.flow import ends

_TWO_FILES = frozenset("cp mv ln install ffmpeg sox qpdf pdftk pdftotext pandoc".split())
_NO_READERS = frozenset(("echo", "printf"))  # what stands behind them is text


def overwrites(command: str) -> bool:
    """Whether a pipeline reads a file that its own redirection empties, or a program's input is its output."""
    return any(map(_empties, _pipelines(simples(command)))) or any(
        simple.program in _TWO_FILES and not _bare(ends(simple)[0]).isdisjoint(_bare(ends(simple)[1]))
        for simple in simples(command)
    )


def _pipelines(parsed: tuple[Simple, ...]) -> Iterator[list[Simple]]:
    found: list[Simple] = []
    for simple in parsed:
        if found and simple.joined != "|":
            yield found
            found = []
        found.append(simple)
    if found:
        yield found


def _empties(pipeline: list[Simple]) -> bool:
    read = {
        word
        for simple in pipeline
        if simple.program not in _NO_READERS
        for word in (*simple.operands, *simple.reads)
    }
    written = tuple(word for simple in pipeline for word in simple.writes if word != "/dev/null")
    return not _bare(tuple(read)).isdisjoint(_bare(written))


def _bare(words: tuple[str, ...]) -> set[str]:
    return {word.removeprefix("./") for word in words}
