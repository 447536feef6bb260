"""Which package carries a program, by the system's own data or our table, and the line that installs it here."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

from terma.machine.carriers import carriers

Has = Callable[[str], bool]  # whether a program of that name is on the PATH
DATABASE = Path("/var/lib/command-not-found/commands.db")  # Debian and Ubuntu, package command-not-found
TIMEOUT = 0.1
# Programs that install packages, the system whose names they use, and the words that install.
_MANAGERS = (
    ("apt-get", "apt", "apt install"),
    ("apt", "apt", "apt install"),
    ("dnf", "dnf", "dnf install"),
    ("yum", "dnf", "yum install"),
    ("pacman", "pacman", "pacman -S"),
    ("zypper", "dnf", "zypper install"),
    ("apk", "apk", "apk add"),
    ("brew", "brew", "brew install"),
)
# What installs where no system's own repository has it, and the program that this needs.
_INSTALLERS = {
    "npm": ("npm install -g", "npm"),
    "cargo": ("cargo install", "cargo"),
    "gem": ("gem install", "gem"),
    "snap": ("sudo snap install", "snap"),
    "brew": ("brew install", "brew"),
}


def package_of(program: str, database: Path = DATABASE) -> str:
    """The package that carries `program`, "" when the data are not installed or do not know it. Never raises."""
    if not database.is_file():
        return ""
    import sqlite3  # here, since most machines have no such data

    query = (
        "SELECT packages.name FROM commands JOIN packages ON packages.pkgID = commands.pkgID"
        " WHERE commands.command = ? ORDER BY packages.priority DESC LIMIT 1"
    )
    with (
        suppress(sqlite3.Error),
        closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True, timeout=TIMEOUT)) as db,
    ):
        row = db.execute(query, (program,)).fetchone()
        return str(row[0]) if row else ""
    return ""


def package_line(package: str, has: Has) -> str:
    """The line that installs the system package `package` with the manager that is here (apt's names)."""
    kind, line = _manager(has)
    name = package.removesuffix("-dev") if kind in ("brew", "pacman") else package
    if kind == "dnf" and package.endswith("-dev"):
        name = package + "el"
    return f"{line} {name}"


def _manager(has: Has) -> tuple[str, str]:
    """This machine's package manager: its kind, and the words that install, with sudo where they need it."""
    found = next(((kind, line) for program, kind, line in _MANAGERS if has(program)), ("apt", "apt install"))
    root = "" if found[0] == "brew" or os.geteuid() == 0 else "sudo "
    return found[0], root + found[1]


def package_for(program: str, has: Has) -> str:
    """The package that carries `program`, by the system's own data or ours; "" when neither knows."""
    told = package_of(program)
    if told:
        return told
    carrier = carriers().get(program)
    return carrier.package_on(_manager(has)[0]) if carrier else ""


def install_line(program: str, has: Has) -> str:
    """The line that installs `program` with what this machine has, "" when no package is known to carry it."""
    told, carrier = package_of(program), carriers().get(program)
    if told or not carrier:
        return package_line(told, has) if told else ""
    kind, line = _manager(has)
    if not carrier.installer or kind in carrier.elsewhere:
        return f"{line} {carrier.package_on(kind)}"
    if carrier.installer == "pip":
        return f"{'pipx' if has('pipx') else 'python3 -m pip'} install {carrier.package}"
    words, needs = _INSTALLERS[carrier.installer]
    return f"{words} {carrier.package}" if has(needs) else ""
