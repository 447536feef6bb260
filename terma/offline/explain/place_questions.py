"""Questions about ports, paths, disks and memory, answered from the evidence or the machine."""

from __future__ import annotations

import os
import re

from terma.machine.ports import holder_of
from terma.offline.explain.case import Case
from terma.offline.explain.holders import process_of
from terma.offline.explain.neighbours import lying_near
from terma.offline.explain.outcome import (
    UNKNOWN,
    lies_elsewhere,
)

FULL = 0.02  # of a disk: with less left it is full for most purposes


def port_of(case: Case, asked: str) -> str | None:
    if not re.search(
        r"\bports?\b|listen|\b(?:server|service|daemon)\b.*\b(?:running|up|alive|there)\b|address already",
        f"{asked} {case.about_command.lower()}",
    ):
        return None
    found = re.search(r"\bport\s+(\d{1,5})\b", asked) or re.search(r"(?<![\d.:])(\d{2,5})(?![\d.:])", asked)
    found = found or _port_told(case)
    if not found:
        return None
    holder = holder_of(int(found[1]))
    if holder is None:
        return f"Nothing listens on port {found[1]} on this machine now."
    return f"Port {found[1]} is held by {holder}."


def _port_told(case: Case) -> re.Match[str] | None:
    """The port that a line about addresses names; the number of a line in a source is none."""
    for line in case.about_command.splitlines():
        if re.search(r"\bports?\b|address|listen|\bbind|connect|refused|://", line, re.IGNORECASE):
            found = re.search(
                r"(?:\bport[ =:]+(?=\d{1,5}\b)|(?<!\.\w\w)(?<!\.\w)(?<!\.\w\w\w):(?=\d{2}))(\d{1,5})\b(?!:)",
                line,
            )
            if found:
                return found
    return re.search(r"(?:^|[\s:=])(\d{4,5})(?=\s|$)", case.command)  # a server's bare argument


def how_to_stop(case: Case, asked: str) -> str | None:
    """What may be stopped, and that only the person knows who needs it."""
    if not re.search(r"address already in use|eaddrinuse|\bport\b", f"{case.low} {asked}"):
        return None
    told = _port_told(case)
    holder = holder_of(int(told[1])) if told else None
    if holder is None:
        return None
    return (
        f"It is {holder} that listens on port {told[1] if told else ''}; who needs it is not known from here."
    )


def of_address(case: Case, asked: str) -> str | None:
    return (
        port_of(case, f"port {asked}")
        if "address already in use" in case.low or "eaddrinuse" in case.low
        else None
    )


def user_of(case: Case, asked: str) -> str | None:
    """Who holds the file, the lock or the device that the output names."""
    told = re.search(r"\bprocess (\d+)(?: \(([^)]+)\))?|\bpid[ =:]+(\d+)", case.output, re.IGNORECASE)
    if told:
        return f"It is held by {told[2] or 'a program'} (process {told[1] or told[3]}), by its own message."
    for path in _paths(case):
        holder = process_of(str(case.at(path).resolve()))
        if holder:
            return f"{path} is open in {holder}."
    return "" if re.search(r"\b(?:us|hold|lock|block|open)\w*", asked) else None


def _paths(case: Case) -> list[str]:
    named = [name for name in case.evidence.names if "/" in name or "." in name]
    found = re.findall(r"(?:^|[\s'\"‘])((?:\.{0,2}/)?[\w./-]+)", case.about_command)
    return [
        path
        for path in dict.fromkeys([*named, *case.operands, *found])
        if len(path) > 1 and case.exists(path)
    ][:8]


def place_of(case: Case, asked: str) -> str | None:
    place = case.evidence.place
    if place:
        return f"It happened at {place}."
    near = lying_near(case)
    said = lies_elsewhere(case) or (near.said if near else "")
    return said or f"{UNKNOWN}: the output names no place in a file."


def disk_space(case: Case, asked: str) -> str | None:
    """Of the disk that the command wrote to: the path that the output names, else the last operand, else this folder."""
    if re.search(r"\bmemory|\bram\b", asked):
        return _memory()
    written = re.search(
        r"['‘\"]?(/[^:'’\"\n]+|[\w./-]+/[\w./-]*)['’\"]?: (?:No space|write|Disk)", case.output
    )
    named = (
        name
        for name in case.evidence.names
        if "/" in name and any(value.endswith(name) for value in case.args)
    )
    last = case.operands[-1] if case.operands and "/" in case.operands[-1] else "."
    target = written[1] if written else next(named, last)
    place = case.at(target)
    while not place.exists() and place != place.parent:
        place = place.parent
    try:
        disk = os.statvfs(place)
    except OSError:
        return ""
    left = case.free(str(place))
    if not left:
        return ""
    said = f"{left[:1].upper()}{left[1:]}."
    if disk.f_files and disk.f_favail == 0:
        return f"{said} But no inode is left there: it holds too many small files."
    full = disk.f_bavail < FULL * max(disk.f_blocks, 1)
    if "full" in asked and not full and "no space left" not in case.low:
        return f"That disk is not full, and the output does not say so. {said}"
    if "no space left" in case.low and not full:
        return f"{said} So there is room again by now, or a quota was met."
    return said


def _memory() -> str:
    try:
        with open("/proc/meminfo", encoding="utf-8", errors="replace") as rows:  # noqa: PTH123
            told = dict(row.split(":", 1) for row in rows if ":" in row)
        free, whole = (int(told[key].split()[0]) / (1 << 20) for key in ("MemAvailable", "MemTotal"))
    except (OSError, KeyError, ValueError):
        return ""
    return f"{free:.1f} of {whole:.1f} GiB of memory are available now."
