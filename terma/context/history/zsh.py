"""zsh's history file, plain or extended (`: START:SECONDS;command`), as savehistfile in its Src/hist.c writes it."""

from __future__ import annotations

from terma import regex as re
from terma.context.history.entry import Entry

STAMP = re.compile(rb"^: \d+:\d+;", re.M)
_STAMP = re.compile(r"\A: (\d{1,12}):(\d{1,9});")
_META = re.compile(
    rb"\x83(.)", re.S
)  # zsh writes some bytes above 0x82 as Meta and the byte with bit 5 flipped


def parse(data: bytes) -> list[Entry]:
    """The entries in `data`, oldest first. A backslash at the end of a line says that the command goes on."""
    data = _META.sub(lambda match: bytes((match[1][0] ^ 0x20,)), data)
    entries: list[Entry] = []
    part: list[str] = []
    for line in data.decode("utf-8", "replace").split("\n"):
        if line.endswith("\\"):
            part.append(line[:-1])
            continue
        entries.append(_entry("\n".join([*part, line])))
        part.clear()
    if part:
        entries.append(_entry("\n".join(part)))
    return entries


def _entry(text: str) -> Entry:
    stamp = _STAMP.match(text)
    if not stamp:
        return Entry(text)
    return Entry(text[stamp.end() :], float(stamp[1]), duration=int(stamp[2]) * 1_000_000)
