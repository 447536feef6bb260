"""GNU commands for a machine whose programs are BSD's: rewritten word by word, or marked where they cannot be."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from terma import registry
from terma.dialect import bsd
from terma.dialect.bsd import options, system, text
from terma.dialect.bsd.find import find
from terma.dialect.bsd.words import Piece, Unreadable, line_of, substituted
from terma.types import Candidate, Placeholder

NOTES = {
    "macos": "GNU form: brew install coreutils findutils",
    "bsd": "GNU form: pkg install coreutils findutils",
}
_PACKAGES = {"grep": "grep", "sed": "gnu-sed", "awk": "gawk", "tar": "gnu-tar"}
_PREFIXES = frozenset("sudo command nohup exec builtin env".split())
# What the modules of bsd/ rewrite: by program, a function of its words that says whether that was possible.
_MODULES = registry.modules(bsd.__name__)
_IN_PIPES: dict[str, Callable[[list[Piece], bool], bool]] = {
    name: rewrite for module in _MODULES for name, rewrite in getattr(module, "IN_PIPES", {}).items()
}
_ON_SYSTEMS: dict[str, Callable[[list[Piece], str], bool]] = {
    name: rewrite for module in _MODULES for name, rewrite in getattr(module, "ON_SYSTEMS", {}).items()
}


def portable(command: str, os: str) -> tuple[str, str]:
    """(the command for `os`, a note or ""). "linux" gives it back as it is. Never raises."""
    if os not in NOTES:
        return command, ""
    try:
        changed, good = _line(command, os)
    except (Unreadable, ValueError, IndexError, RecursionError):
        return command, NOTES[os]
    return changed, "" if good else _remark(command, os)


def adapted(candidate: Candidate, os: str) -> Candidate:
    """The candidate for `os`, its placeholders where they now stand. The person's own history stays as it is."""
    if os not in NOTES or candidate.source == "history":
        return candidate
    command, note = portable(candidate.command, os)
    if command == candidate.command and not note:
        return candidate
    places = []
    for place in candidate.placeholders:
        start = command.find("{" + place.name + "}")
        if start >= 0:
            places.append(Placeholder(place.name, start, start + len(place.name) + 2))
    places.sort(key=lambda place: place.start)
    missing, _, rest = candidate.note.partition(" is not installed")
    gone = not rest and missing != candidate.note and missing not in command.split()
    note = " · ".join(part for part in ("" if gone else candidate.note, note) if part)
    return replace(candidate, command=command, placeholders=tuple(places), note=note)


def _remark(command: str, os: str) -> str:
    words = {piece.value for words, _ in line_of(command).calls for piece in words}
    if words & system.LINUX or any(word.startswith(("/proc/", "/sys/")) for word in words):
        return "Linux only"
    more = [package for tool, package in _PACKAGES.items() if tool in words]
    return " ".join([NOTES[os], *more])


def _line(source: str, os: str) -> tuple[str, bool]:
    line = line_of(source)
    good = True

    def change(inner: str) -> str:
        nonlocal good
        text, fine = _line(inner, os)
        good = good and fine
        return text

    for piece, places in line.inner:
        substituted(piece, places, change)
    for words, alone in line.calls:
        good = _simple(words, os, alone) and good
    return str(line), good


def _simple(args: list[Piece], os: str, alone: bool) -> bool:
    """One simple command, changed in place. `alone`: stages of a pipe may be added to it."""
    at = 0
    while at < len(args) and (args[at].value in _PREFIXES or _assigns(args[at].text)):
        at += 1
    args = args[at:]
    if not args:
        return True
    tool = args[0].value
    if tool == "find":
        return find(args, lambda inner: _simple(inner, os, False))
    if tool in ("bash", "sh", "zsh") and len(args) > 2 and args[1].value == "-c":
        script, good = _line(args[2].value, os)
        if args[2].text == f"'{args[2].value}'" and "'" not in script:
            args[2].text = f"'{script}'"
            return good
        return good and script == args[2].value
    if tool in system.LINUX - {"free"} or (tool in system.ABSENT and not (os == "bsd" and tool == "timeout")):
        return False
    if any(arg.value.startswith(("/proc/", "/sys/")) for arg in args[1:]):
        return False
    if tool == "xargs":
        inner = _command(args)
        good = options.shorten(args[:inner]) and text.xargs(args[:inner], alone)
        return _simple(args[inner:], os, False) and good
    return _program(args, tool, os, alone)


def _program(args: list[Piece], tool: str, os: str, alone: bool) -> bool:
    if tool in _IN_PIPES or tool in _ON_SYSTEMS:
        known = options.shorten(args)
        special = _IN_PIPES[tool](args, alone) if tool in _IN_PIPES else _ON_SYSTEMS[tool](args, os)
        # a special form may have taken over a long option that the table does not have
        return special and (known or not any(_long(arg, tool) for arg in args[1:]))
    good = options.shorten(args)
    return good and not set(options.GNU_LETTERS.get(tool, "")) & set(options.letters(args))


def _long(arg: Piece, tool: str) -> bool:
    return arg.text.startswith("--") and arg.text != "--"


def _command(args: list[Piece]) -> int:
    """Where the command starts that xargs runs."""
    at = 1
    while at < len(args) and args[at].value[:1] == "-":
        at += 2 if args[at].value in ("-I", "-n", "-P", "-L", "-s", "-E", "-J", "-d", "-a") else 1
    return at


def _assigns(word: str) -> bool:
    name, equals, _ = word.partition("=")
    return bool(equals) and name.isidentifier()
