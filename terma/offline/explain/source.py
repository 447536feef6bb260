"""The line of a source that an output points at: read, so that it can be shown and a proposal be held against it."""

from __future__ import annotations

import os
import re
from contextlib import suppress

from terma.offline.explain.case import Case
from terma.offline.explain.evidence import Place
from terma.offline.explain.line import quote

MAX_SOURCE = 1 << 18  # bytes of a source that are read
MAX_SHOWN = 160
_MAX_FILES, _MAX_BYTES = 60, 1 << 16


def lines_of(case: Case, path: str) -> list[str]:
    """The lines of the text file `path`, [] when it is none or too long to be read whole."""
    text = case.read(path, MAX_SOURCE)
    return [] if "\0" in text or "\ufffd" in text or len(text) >= MAX_SOURCE else text.split("\n")


def line_at(case: Case, place: Place) -> str:
    """The line at `place`, "" when it cannot be read or is too long to show."""
    lines = lines_of(case, place.file) if place.own else []
    text = lines[place.line - 1] if 0 < place.line <= len(lines) else ""
    return text if len(text) <= MAX_SHOWN and text.replace("\t", " ").isprintable() else ""


def near_sources(case: Case) -> list[str]:
    """The text files in the folder of the failure, the command's own files first."""
    named = [value for value in case.operands if case.exists(value) and not case.is_dir(value)]
    found = (name for name in sorted(case.listing())[:400] if not name.startswith("."))
    rest = [name for name in found if not case.is_dir(name)]
    return list(dict.fromkeys([*named, *rest]))[:_MAX_FILES]


def holders(case: Case, name: str) -> list[tuple[str, int]]:
    """Where the whole word `name` stands in the files near here: the file, and the line from 1."""
    pattern = re.compile(rf"(?<![\w.-]){re.escape(name)}(?![\w.-])")
    return [
        (path, number)
        for path in near_sources(case)
        for number, line in enumerate(case.read(path, _MAX_BYTES).split("\n"), 1)
        if name in line and pattern.search(line)
    ]


def edited(case: Case, path: str, line: int, old: str, new: str) -> str:
    """The sed command that changes the word `old` to `new` in one line of `path`, and what failed again; "" where that
    line has it inside of other words too, or this user may not write the file."""
    lines = lines_of(case, path)
    text = lines[line - 1] if 0 < line <= len(lines) else ""
    times = text.count(old)
    whole = len(re.findall(rf"(?<!\w){re.escape(old)}(?!\w)", text)) == times
    if not times or (times > 1 and not whole) or "\n" in new:
        return ""
    mark = next((char for char in "/|#,@" if char not in old + new), "")
    pattern = re.sub(r"([\\.*\[\]^$])", r"\\\1", old)
    into = re.sub(r"([\\&])", r"\\\1", new)
    return sed(case, path, f"{line}s{mark}{pattern}{mark}{into}{mark}{'g' * (times > 1)}") if mark else ""


def ended(case: Case, path: str, line: int, mark: str) -> str:
    """The sed command that puts `mark` at the end of one line of `path`, and what failed again."""
    return sed(case, path, f"{line}s/$/{mark}/")


def sed(case: Case, path: str, script: str) -> str:
    """What sed's `script` does to `path`, and what failed again; "" where this user may not write the file."""
    root = ""
    with suppress(OSError, ValueError):
        if not os.access(case.at(path), os.W_OK):
            if not case.command.lstrip().startswith("sudo "):
                return ""
            root = "sudo "
    return f"{root}sed -i {quote(script)} {quote(path)} && {case.rest}"
