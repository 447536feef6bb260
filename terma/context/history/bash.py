"""bash's history file: lines, with a `#SECONDS` line before each command where HISTTIMEFORMAT is set."""

from __future__ import annotations

from terma import regex as re
from terma.context.history.entry import Entry

STAMP = re.compile(rb"#\d+(?:\n|\Z)")
_STAMP = re.compile(r"\A#(\d{1,12})\Z")


def parse(data: bytes, *, stamped: bool | None = None) -> list[Entry]:
    """The entries in `data`, oldest first. `stamped`: whether the file begins with a time stamp; None is that `data` is
    all of it.

    bash takes the lines between two stamps for one command if the file begins with a stamp, and each line for one
    otherwise (readline's histfile.c); so it is here."""
    several = bool(STAMP.match(data)) if stamped is None else stamped
    entries: list[Entry] = []
    part: list[str] = []
    time = 0.0
    for line in data.decode("utf-8", "replace").split("\n"):
        stamp = _STAMP.match(line)
        if stamp or not several:
            if part:
                entries.append(Entry("\n".join(part), time))
            part.clear()
        if stamp:
            time = float(stamp[1])
        elif several:
            part.append(line)
        else:
            entries.append(Entry(line, time))
            time = 0.0
    if part:
        entries.append(Entry("\n".join(part), time))
    return entries
