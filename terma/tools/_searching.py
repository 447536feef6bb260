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
from terma.redact import marked, redact
from terma.redact.private import is_private

MAX_FILES = 20_000
MAX_FILE = 4 * 2**20  # bytes of one file
MAX_BYTES = 256 * 2**20  # of all of them
MAX_LINE = 300  # characters of a line that is shown
AROUND = 32_000  # characters before and behind a line that are searched for secrets with it
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
    """{"lines", "files": how many were looked at, "stopped": why it ended early, "private": how many were passed over},
    or {"error"}. What is private is read only when it was asked for by itself."""
    root, pattern = str(wanted["path"]), str(wanted.get("pattern", ""))
    most, glob = int(wanted.get("max", 50)), str(wanted.get("glob", ""))
    looked = re.compile(pattern, re.IGNORECASE if wanted.get("ignore_case") else 0) if pattern else None
    if not os.path.exists(root):  # noqa: PTH110
        return {"error": f"{root}: no such file or directory"}
    lines: list[str] = []
    count = size = private = 0
    end, stopped = time.monotonic() + float(wanted["seconds"]), ""
    one = os.path.isfile(root)  # noqa: PTH113
    for path in [root] if one else files(root, glob, end):
        count += 1
        shown = path if one else os.path.relpath(path, root)
        if not one and is_private(path):
            private += 1
            if looked is None:
                lines.append(f"{shown} (private)")
        elif looked is None:
            lines.append(shown)
        else:
            size += _lines(path, shown, looked, lines, most)
        stopped = _stopped(len(lines) >= most, count, size, end)
        if stopped:
            break
    stopped = stopped or _stopped(False, 0, 0, end)
    return {"lines": lines[:most], "files": count, "stopped": stopped, "private": private if looked else 0}


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
    if b"\0" in data[:8192]:
        return len(data)
    rows = data.decode("utf-8", "replace").splitlines()
    found = [number for number, row in enumerate(rows) if looked.search(row[:10_000])]
    for number, text in _hidden(rows, found):
        if not looked.search(text[:10_000]):
            continue  # it was found in a secret alone
        text = text.strip()  # noqa: PLW2901
        lines.append(f"{shown}:{number + 1}: {text[:MAX_LINE]}{'…' if len(text) > MAX_LINE else ''}")
        if len(lines) >= most:
            break
    return len(data)


def _hidden(rows: list[str], wanted: list[int]) -> Iterator[tuple[int, str]]:
    """Those of `rows` that are wanted, without secrets: read together with what stands around them."""
    first, shown = 0, [""] * 0
    for number in wanted:
        if not first <= number < first + len(shown):
            first, last = _around(rows, number, -1), _around(rows, number, 1)
            shown = marked(redact("\n".join(rows[first : last + 1]))).split("\n")
            if last + 1 < len(rows):  # the next one wants lines behind it, too
                shown = shown[: max(number - first + 1, len(shown) // 2)]
        yield number, shown[number - first]


def _around(rows: list[str], at: int, step: int) -> int:
    size = 0
    while 0 <= at + step < len(rows) and size < AROUND:
        at += step
        size += len(rows[at]) + 1
    return at


if __name__ == "__main__":
    print(json.dumps(search(json.loads(sys.stdin.buffer.read()))))
