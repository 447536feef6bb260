"""The search itself: run as a script, JSON in and out, standard library alone, so that it starts in a few ms."""

from __future__ import annotations

import fnmatch
import json
import os
import re
import sys
import time
from collections.abc import Iterator
from typing import Any

from terma import reading

SECONDS = 8.0
MAX_FILES = 20_000
MAX_FILE = 4 * 2**20  # bytes of one file
MAX_BYTES = 256 * 2**20  # of all of them
MAX_LINE = 300  # characters of a line that is shown
_SKIPPED = {"node_modules", "__pycache__", "venv"}
Rules = list[tuple[re.Pattern[str], bool, bool]]  # pattern, negated, directories alone


class Ignored:
    """The .gitignore of one directory and those above it, as far as most of them go."""

    def __init__(self, above: Ignored | None, folder: str) -> None:
        self._above = above
        self._folder = folder
        self._rules: Rules = []
        lines = reading.text(os.path.join(folder, ".gitignore"), 64 * 1024).splitlines()  # noqa: PTH118
        for line in lines[:2000]:
            if rule := _rule(line):
                self._rules.append(rule)

    def holds(self, path: str, directory: bool) -> bool:
        """Whether `path`, below this directory, is ignored: the last rule that matches decides, the nearest file
        first."""
        name = os.path.relpath(path, self._folder)
        for pattern, negated, directories in reversed(self._rules):
            if (directory or not directories) and pattern.match(name):
                return not negated
        return self._above.holds(path, directory) if self._above is not None else False


def _rule(line: str) -> tuple[re.Pattern[str], bool, bool] | None:
    text = line.rstrip()
    if not text or text.startswith("#"):
        return None
    negated = text.startswith("!")
    text = text.removeprefix("!").removeprefix("\\")
    directories = text.endswith("/")
    text = text.rstrip("/")
    anchored = "/" in text
    parts = []
    for part in text.lstrip("/").split("/"):
        if part == "**":
            parts.append("(?:.*/)?")
        else:
            inner = fnmatch.translate(part).removeprefix("(?s:").removesuffix(")\\Z").replace(".*", "[^/]*")
            parts.append(f"{inner}/")
    try:
        body = "".join(parts).removesuffix("/")
        return re.compile(("" if anchored else "(?:.*/)?") + f"(?:{body})\\Z"), negated, directories
    except re.error:
        return None


def files(root: str, glob: str, end: float) -> Iterator[str]:
    """Files below `root` in order of their names, whose name or path fits `glob`."""
    pending: list[tuple[str, Ignored | None]] = [(root, None)]
    while pending and time.monotonic() < end:
        folder, above = pending.pop()
        ignored = Ignored(above, folder)
        try:
            with os.scandir(folder) as found:
                entries = sorted(found, key=lambda entry: entry.name)
        except OSError:
            continue
        below = []
        for entry in entries:
            directory = entry.is_dir(follow_symlinks=False)
            if entry.name.startswith(".") or ignored.holds(entry.path, directory):
                continue
            if directory and entry.name not in _SKIPPED:
                below.append((entry.path, ignored))
            elif entry.is_file(follow_symlinks=False) and _fits(entry.path, root, glob):
                yield entry.path
        pending += reversed(below)


def _fits(path: str, root: str, glob: str) -> bool:
    name = os.path.basename(path)  # noqa: PTH119
    return not glob or fnmatch.fnmatch(name, glob) or fnmatch.fnmatch(os.path.relpath(path, root), glob)


def search(wanted: dict[str, Any]) -> dict[str, Any]:
    """{"lines", "files": how many were looked at, "stopped": why it ended early}, or {"error"}."""
    root, pattern = str(wanted["path"]), str(wanted.get("pattern", ""))
    most, glob = int(wanted.get("max", 50)), str(wanted.get("glob", ""))
    looked = re.compile(pattern, re.IGNORECASE if wanted.get("ignore_case") else 0) if pattern else None
    if not os.path.exists(root):  # noqa: PTH110
        return {"error": f"{root}: no such file or directory"}
    lines: list[str] = []
    count = size = 0
    end, stopped = time.monotonic() + SECONDS, ""
    one = os.path.isfile(root)  # noqa: PTH113
    for path in [root] if one else files(root, glob, end):
        count += 1
        shown = path if one else os.path.relpath(path, root)
        if looked is None:
            lines.append(shown)
        else:
            size += _lines(path, shown, looked, lines, most)
        stopped = _stopped(len(lines) >= most, count, size, end)
        if stopped:
            break
    return {"lines": lines[:most], "files": count, "stopped": stopped or _stopped(False, 0, 0, end)}


def _stopped(full: bool, count: int, size: int, end: float) -> str:
    if full:
        return "there may be more"
    if count >= MAX_FILES or size >= MAX_BYTES:
        return "stopped: too many files"
    return "stopped: out of time" if time.monotonic() >= end else ""


def _lines(path: str, shown: str, looked: re.Pattern[str], lines: list[str], most: int) -> int:
    try:
        data = reading.head(path, MAX_FILE, follow=False)
    except (OSError, ValueError):
        return 0
    if b"\0" not in data[:8192]:
        for number, line in enumerate(data.decode("utf-8", "replace").splitlines(), 1):
            if looked.search(line[:10_000]):
                text = line.strip()
                lines.append(f"{shown}:{number}: {text[:MAX_LINE]}{'…' if len(text) > MAX_LINE else ''}")
                if len(lines) >= most:
                    break
    return len(data)


if __name__ == "__main__":
    print(json.dumps(search(json.loads(sys.stdin.buffer.read()))))
