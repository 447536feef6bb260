"""The subcommands that a program has here, where its own installation names all of them."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from terma import reading
from terma.machine import aws, cargo, helps, manual
from terma.machine.nested import nested

FEW = 6  # a list that names fewer is not all of it
MAX_CONFIG = 200_000
# Their help names every subcommand of theirs, each at the beginning of a line.
_WHOLE = frozenset(
    "docker kubectl terraform systemctl loginctl timedatectl hostnamectl networkctl resolvectl".split()
)
_PIP = frozenset("pip pip3".split())
# Their manual pages, of these names, have every subcommand of theirs as a word somewhere.
_PAGED = {
    "apt": ("apt", "apt-get", "apt-cache"),
    "apt-get": ("apt-get",),
    "apt-cache": ("apt-cache",),
    "ip": ("ip", "ip-address", "ip-route", "ip-link"),
    "nmcli": ("nmcli",),
    "virsh": ("virsh",),
    "flatpak": ("flatpak",),
    "tmux": ("tmux",),
    "openssl": ("openssl",),
    "systemd-analyze": ("systemd-analyze",),
}
_SHORTENED = frozenset(("ip", "nmcli", "tmux"))  # the beginning of a name is one as well: ip a
_MANY = 100  # words of a page; one with fewer is none
PROGRAMS = _WHOLE | _PIP | {"git", "npm", "cargo", "aws", *_PAGED}
OWN = _PIP | {
    "git",
    "npm",
    "cargo",
    "aws",
}  # their own installation is the whole truth; completions tell of others
_NAMED = re.compile(r"^[ \t]{1,10}([a-z][a-z0-9-]{1,30})(?=[*]?(?:[ \t]|$))", re.MULTILINE)
_TMUX = tuple(Path(name) for name in ("~/.tmux.conf", "~/.config/tmux/tmux.conf", "/etc/tmux.conf"))
_MAYBE = re.compile(r"^\s*\[\s*include", re.MULTILINE | re.IGNORECASE)  # git's settings go on elsewhere


def listed(program: str, path: Path, sub: str = "") -> frozenset[str]:
    """All subcommands of `program`, the file at `path`, or of its subcommand `sub`; empty where nobody here names all
    of them. May ask for help: half a second. Raises TimeoutError where that took too long."""
    if sub:
        return nested(program, path, sub)
    found: frozenset[str] = frozenset()
    if program == "git":
        found = _git(path)
    elif program in _PIP:
        found = _pip(path)
    elif program == "npm":
        found = _npm(path)
    elif program == "cargo":
        found = cargo.subcommands(path)
    elif program == "aws":
        found = aws.services(path)
    elif program in _PAGED:
        found = _paged(program, path)
    elif program in _WHOLE and (said := helps.help_text(program, path)):
        text = f"{said}\n{manual.page(program, path)}"
        also = re.findall(rf"\b{program} ([a-z][a-z-]+)", text)
        found = frozenset(_NAMED.findall(text)).union(
            also, helps.SUBCOMMANDS.get(program, ("", ()))[1], ["help"]
        )
    return found if len(found) >= FEW else frozenset()


def added(program: str, word: str, path: str, cwd: str) -> bool:
    """Whether `word` may be a subcommand of the person's own: a program `git-WORD`, a plug-in, an alias."""
    folders = [*path.split(os.pathsep), str(Path("~/.docker/cli-plugins").expanduser())]
    names = {f"{program}-{word}", f"{program}-{word.replace('-', '_')}"}
    if any(reading.is_regular(f"{folder or '.'}/{name}") for folder in folders for name in names):
        return True
    if program == "git":
        return _is_alias(word, cwd)
    whole = re.compile(rf"(?m)(?:^\s*|\bcommand-alias.*\s)(?:alias\.)?[\"']?{re.escape(word)}[\"']?\s*=")
    files = cargo.settings(cwd) if program == "cargo" else _TMUX if program == "tmux" else ()
    return any(whole.search(reading.text(file.expanduser(), MAX_CONFIG)) for file in files)


def has(program: str, known: frozenset[str], word: str) -> bool:
    """Whether `word` is among the subcommands that are `known` of the program, or the beginning of one."""
    return (aws.squeezed(word) if program == "aws" else word) in known


def _git(path: Path) -> frozenset[str]:
    """git's own folder holds a program for each."""
    above = path.resolve().parent.parent
    for folder in (above / "lib/git-core", above / "libexec/git-core"):
        with suppress(OSError):
            names = [file.name.removeprefix("git-") for file in folder.glob("git-*")]
            if names:
                return frozenset(names) | {"help", "version"}
    return frozenset()


def _pip(path: Path) -> frozenset[str]:
    """pip's own package holds a module for each."""
    above = path.resolve().parent.parent
    places = "python3*/*-packages/pip/_internal/commands"
    with suppress(OSError):  # pyenv keeps its versions beside its shims
        folders = [*above.glob(f"lib/{places}"), *above.glob(f"versions/*/lib/{places}")]
        return frozenset(file.stem for folder in folders for file in folder.glob("[a-z]*.py"))
    return frozenset()


def _npm(path: Path) -> frozenset[str]:
    """npm's own package holds a module for each, and a list of their other names; it takes beginnings of them too."""
    above = path.resolve().parent.parent / "lib"
    with suppress(OSError):
        own = [file.stem for file in (above / "commands").glob("[a-z]*")]
        others = re.findall(r"[a-z][a-z-]+", reading.text(above / "utils/cmd-list.js", MAX_CONFIG))
        if own and others:
            return _beginnings({*own, *others})
    return frozenset()


def _beginnings(words: Iterable[str]) -> frozenset[str]:
    return frozenset(word[:size] for word in words for size in range(1, len(word) + 1))


def _paged(program: str, path: Path) -> frozenset[str]:
    """Every word of its pages, subcommand or not: what is none of them is certainly no subcommand."""
    pages = [manual.page(name, path) for name in _PAGED[program]]
    words = frozenset(re.findall(r"[a-z][a-z0-9-]+", "\n".join(pages))) if pages[0] else frozenset()
    if len(words) < _MANY:
        return frozenset()
    if program in _SHORTENED:
        words = _beginnings(words)
    return words | {"help", "version"}


def _is_alias(word: str, cwd: str) -> bool:
    """Whether git's settings name it; also where they go on in another file, which is not followed."""
    return any(
        _MAYBE.search(text)
        or re.search(rf"(?mi)^\s*{re.escape(word)}\s*=|\[\s*alias\b[^\]]*{re.escape(word)}", text)
        for text in _settings(cwd)
    )


def _settings(cwd: str) -> Iterable[str]:
    home = Path.home()
    config = Path(os.environ.get("XDG_CONFIG_HOME") or home / ".config")
    files = [home / ".gitconfig", config / "git/config", Path("/etc/gitconfig")]
    above = [Path(cwd), *Path(cwd).parents] if cwd else []
    files += [folder / ".git/config" for folder in above]
    for file in files:
        yield reading.text(file, MAX_CONFIG)
    for folder in above:  # a worktree's lie in the repository that it belongs to
        named = reading.text(folder / ".git", 4096)
        if named.startswith("gitdir:"):
            own = folder / named.removeprefix("gitdir:").strip()
            shared = own / (reading.text(own / "commondir", 4096).strip() or ".")
            yield reading.text(shared / "config", MAX_CONFIG)
            yield reading.text(own / "config.worktree", MAX_CONFIG)
    if os.environ.get("GIT_CONFIG_GLOBAL") or os.environ.get("GIT_CONFIG_COUNT"):
        yield "[include]"
