"""GNU commands for a machine whose programs are BSD's: rewritten word by word, or marked where they cannot be."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from terma.offline.bsd import options, system, text
from terma.offline.bsd.find import find
from terma.offline.bsd.words import Piece, Unreadable, joined, nested, pieces
from terma.types import Candidate, Placeholder

if TYPE_CHECKING:
    from terma.offline.rank import Ranked

NOTES = {
    "macos": "GNU form: brew install coreutils findutils",
    "bsd": "GNU form: pkg install coreutils findutils",
}
_PACKAGES = {"grep": "grep", "sed": "gnu-sed", "awk": "gawk", "tar": "gnu-tar"}
_PREFIXES = frozenset("do then else if while until ! time { sudo command nohup exec builtin env".split())
_TEXT: dict[str, Callable[[list[Piece], bool], bool]] = {
    "sed": text.sed, "grep": text.grep, "egrep": text.grep, "head": text.head, "tail": text.tail,
    "tac": text.tac, "shuf": text.shuf, "uniq": text.uniq, "cut": text.cut, "awk": text.awk,
    "gawk": text.awk, "paste": text.paste, "seq": text.seq,
}  # fmt: skip
_SYSTEM: dict[str, Callable[[list[Piece], str], bool]] = {
    "cp": system.copy, "mv": system.copy, "stat": system.stat, "date": system.date, "touch": system.touch,
    "ps": system.ps, "base64": system.base64, "nproc": system.renamed, "pidof": system.renamed,
    "xdg-open": system.renamed, "free": system.free, "pgrep": system.pgrep, "df": system.df, "tar": system.tar,
    "dd": system.dd, "md5sum": system.checksum, "sha1sum": system.checksum, "sha224sum": system.checksum,
    "sha256sum": system.checksum, "sha384sum": system.checksum, "sha512sum": system.checksum,
}  # fmt: skip


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


def for_system(ranked: list[Ranked], os: str) -> list[Ranked]:
    """The ranked candidates for `os`; of two that become the same command the better one stays."""
    found: dict[str, Ranked] = {}
    for one in ranked:
        candidate = adapted(one.candidate, os)
        found.setdefault(" ".join(candidate.command.split()), replace(one, candidate=candidate))
    return list(found.values())


def _remark(command: str, os: str) -> str:
    words = {part.value for part in pieces(command) if part.kind == "word"}
    if words & system.LINUX or any(word.startswith(("/proc/", "/sys/")) for word in words):
        return "Linux only"
    more = [package for tool, package in _PACKAGES.items() if tool in words]
    return " ".join([NOTES[os], *more])


def _line(line: str, os: str) -> tuple[str, bool]:
    parts = pieces(line)
    good = True
    simple: list[Piece] = []
    for part in [*parts, Piece("", "op")]:
        if part.kind == "word":
            if "$(" in part.text or part.text.startswith(("<(", ">(")):
                good = _substitution(part, os) and good
            simple.append(part)
        elif part.kind == "op":
            good = _simple(simple, os, _piped(parts, simple)) and good
            simple = []
    return joined(parts), good


def _piped(parts: list[Piece], simple: list[Piece]) -> bool:
    """Whether more stages may be added to the command: it has no redirection of its own."""
    if not simple:
        return False
    at = next(i for i, part in enumerate(parts) if part is simple[0])
    for part in parts[at:]:
        if part.kind == "op":
            break
        if part.kind == "redirect":
            return False
    return True


def _substitution(part: Piece, os: str) -> bool:
    """What stands inside `$(…)` and `<(…)`."""
    good, out, at, word = True, [], 0, part.text
    while at < len(word):
        if word[at] == "'" and '"' not in word[:at]:
            end = word.index("'", at + 1) + 1
            out.append(word[at:end])
        elif word.startswith(("$(", "<(", ">("), at) and not word.startswith("$((", at):
            end = nested(word, at + 2, ")")
            inner, fine = _line(word[at + 2 : end - 1], os)
            good = good and fine
            out.append(word[at : at + 2] + inner + ")")
        else:
            end = at + 1
            out.append(word[at])
        at = end
    part.text = "".join(out)
    return good


def _simple(args: list[Piece], os: str, alone: bool) -> bool:
    """One simple command, changed in place. `alone`: stages of a pipe may be added to it."""
    at = 0
    while at < len(args) and (args[at].value in _PREFIXES or _assigns(args[at].text)):
        at += 1
    args = args[at:]
    if not args or args[0].value in ("for", "case", "select", "function"):
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
    if tool in _TEXT or tool in _SYSTEM:
        known = options.shorten(args)
        special = _TEXT[tool](args, alone) if tool in _TEXT else _SYSTEM[tool](args, os)
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
