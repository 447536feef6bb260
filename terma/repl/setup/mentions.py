"""Files that a question names as @FILE come along with it, within bounds and without secrets."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from terma import reading
from terma.redact.private import is_private
from terma.repl.setup.context import MAX_GIVEN, Given
from terma.text import one_line

MAX_FILES = 5  # files of one question
_MENTION = re.compile(r"(?<![^\s(\[{<'\"`,;])@(?:\"([^\"\n]+)\"|((?:\\.|[^\s\\])+))")
_BEHIND = ".,;:!?)]}>'\"`"  # what a sentence puts behind a name


@dataclass(frozen=True, slots=True)
class Mentioned:
    """`given` goes to the model; `said` is for the person: what was told, and what was not and why."""

    given: tuple[Given, ...] = ()
    said: tuple[str, ...] = ()


def mentioned(question: str, cwd: str, allowed: bool) -> Mentioned:
    """The files of `question`, as seen from `cwd`. `allowed`: the settings let files be told (privacy.files). A word
    that is no file stays a word. Raises nothing."""
    given: list[Given] = []
    said: list[str] = []
    seen: set[Path] = set()
    for found in _files(question, cwd):
        if found[1] in seen:
            continue
        name, file = found
        seen.add(file)
        if why := _kept_back(file, allowed, len(given)):
            said.append(f"@{one_line(name, 80)} is not told to the model: {why}")
            continue
        try:
            data = reading.head(file, MAX_GIVEN)
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            said.append(f"@{one_line(name, 80)} cannot be read: {one_line(reason, 120)}")
            continue
        if b"\0" in data[:8192]:
            said.append(f"@{one_line(name, 80)} is not told to the model: it is no text")
            continue
        given.append(Given(one_line(name, 200), data.decode("utf-8", "replace")))
    if given:
        names = ", ".join(f"@{one_line(one.name, 80)}" for one in given)
        said.append(f"context: {names}")
    return Mentioned(tuple(given), tuple(said))


def _kept_back(file: Path, allowed: bool, so_far: int) -> str:
    if not allowed:
        return "privacy.files = false"
    if is_private(file):
        return "its name says that it holds secrets"
    return f"{MAX_FILES} files at most" if so_far >= MAX_FILES else ""


def _files(question: str, cwd: str) -> Iterator[tuple[str, Path]]:
    """Each name that is a file's, with that file. "(@a,@b)" names two: what ends a name ends it where no longer name is
    one."""
    at = 0
    while match := _MENTION.search(question, at):
        at = match.end()
        quoted, written = match[1], match[2]
        for end in [len(written), *_ends(written)] if written else [0]:
            name = quoted or re.sub(r"\\(.)", r"\1", written[:end])
            if file := _file(name, cwd):
                yield name, file
                break
        else:
            end = next(_ends(written or "", first=True), 0)
        if written and end:
            at = match.start(2) + end


def _ends(written: str, first: bool = False) -> Iterator[int]:
    """Where a name could end in `written`, the longest first."""
    found = [at for at in range(1, len(written)) if written[at] in _BEHIND and written[at - 1] != "\\"]
    yield from found if first else reversed(found)


def _file(name: str, cwd: str) -> Path | None:
    if not name or "\0" in name:
        return None
    try:
        file = Path(cwd or "/") / Path(name).expanduser()
    except RuntimeError:
        return None
    return file if reading.is_regular(file) else None
