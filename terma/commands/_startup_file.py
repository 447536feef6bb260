"""The one line that terma adds to a start-up file, and its way back: every other byte of the file stays as it was.

What cannot be told from the file afterwards, that it was not there at all or that its last line had no end, stands in
front of the mark."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from terma import paths

MARK = "# added by terma init"
NEW = "# (with this file) "
OPEN = "# (with the end of the line before) "


def marked(file: Path) -> list[str]:
    """The lines that terma added to `file`, as `add` was given them."""
    try:
        rows = _rows(file.read_bytes())
    except OSError:
        return []
    return [_text(row).replace(NEW, "").replace(OPEN, "") for row in rows if _is_ours(row)]


def add(file: Path, line: str) -> None:
    """Append `line`, which ends in MARK, in place of what an earlier version added. A symbolic link stays one."""
    target = file.resolve()
    was_there = target.exists()
    rows = _rows(target.read_bytes()) if was_there else []
    note = "" if was_there else NEW
    for row in filter(_is_ours, rows):
        note = next((each for each in (NEW, OPEN) if each in _text(row)), note)
    whole = b"".join(row for row in rows if not _is_ours(row))
    if whole and not whole.endswith(b"\n"):
        whole, note = whole + b"\n", OPEN
    added = f"{line.removesuffix(MARK)}{note}{MARK}\n".encode("utf-8", "surrogateescape")
    paths.write_atomic(target, whole + added, _mode(target))


def remove(file: Path) -> None:
    """Take out what `add` put in. A file that it made and that holds nothing else goes as well."""
    target = file.resolve()
    kept: list[bytes] = []
    made = False
    for row in _rows(target.read_bytes()):
        if not _is_ours(row):
            kept.append(row)
            continue
        made = made or NEW in _text(row)
        if OPEN in _text(row) and kept:
            kept[-1] = kept[-1].removesuffix(b"\n")
    if made and not kept:
        target.unlink()
        return
    paths.write_atomic(target, b"".join(_ended(kept)), _mode(target))


def _ended(rows: list[bytes]) -> Iterable[bytes]:
    """`rows`, each but the last with its end: others may have added lines behind ours meanwhile."""
    yield from (row if row.endswith(b"\n") else row + b"\n" for row in rows[:-1])
    yield from rows[-1:]


def _rows(data: bytes) -> list[bytes]:
    """Lines with their ends, as a shell counts them: nothing but LF ends one."""
    return re.findall(rb"[^\n]*\n|[^\n]+", data)


def _text(row: bytes) -> str:
    return row.decode("utf-8", "surrogateescape").rstrip()


def _is_ours(row: bytes) -> bool:
    return _text(row).endswith(MARK)


def _mode(target: Path) -> int:
    return target.stat().st_mode & 0o777 if target.exists() else 0o644
