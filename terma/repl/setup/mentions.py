"""Files that a question names as @FILE come along with it, within bounds and without secrets."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from terma import reading
from terma.redact.private import is_private
from terma.repl.setup.context import MAX_GIVEN, Given
from terma.text import one_line

MOST = 5  # files of one question
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
    for match in _MENTION.finditer(question):
        found = _file(match[1] or re.sub(r"\\(.)", r"\1", match[2]), cwd)
        if found is None or found[1] in seen:
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
    return f"{MOST} files at most" if so_far >= MOST else ""


def _file(name: str, cwd: str) -> tuple[str, Path] | None:
    """The name and the file that it is of; without what a sentence puts behind it, where only that is one."""
    for one in (name, name.rstrip(_BEHIND)):
        if not one or "\0" in one:
            continue
        try:
            file = Path(cwd or "/") / Path(one).expanduser()
        except RuntimeError:
            continue
        if reading.is_regular(file):
            return one, file
    return None
