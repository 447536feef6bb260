"""fish's history file: blocks of `- cmd:` and `when:` lines, not quite YAML (fish's src/history.cpp)."""

from __future__ import annotations

from terma import regex as re
from terma.context.history.entry import Entry

ENTRY = re.compile(rb"^- cmd: ", re.M)
_ESCAPE = re.compile(r"\\(.)", re.S)


def parse(data: bytes) -> list[Entry]:
    """The entries in `data`, oldest first; the paths that fish notes are left out."""
    entries: list[Entry] = []
    for line in data.decode("utf-8", "replace").split("\n"):
        if line.startswith("- cmd: "):
            entries.append(Entry(_ESCAPE.sub(_unescape, line[7:])))
        elif line.startswith("  when: ") and entries and line[8:].strip().isdecimal():
            entries[-1] = Entry(entries[-1].command, float(line[8:].strip()[:12]))
    return entries


def _unescape(match: re.Match[str]) -> str:
    return "\n" if match[1] == "n" else match[1]
