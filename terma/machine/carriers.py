"""Our own table of the packages that carry well-known programs, for machines without command-not-found data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from functools import cache
from pathlib import Path

from terma.records import dataclass

TABLE = Path(__file__).with_name("programs.txt")


@dataclass(frozen=True, slots=True)
class Carrier:
    """A package by its Debian name. `installer` is "pip", "npm" and so on where no system's own repository has it;
    `elsewhere` holds its names on other systems: {"dnf": "ImageMagick"}."""

    package: str
    installer: str = ""
    elsewhere: Mapping[str, str] = field(default_factory=dict)

    def package_on(self, kind: str) -> str:
        """Its name for the package manager `kind`: "apt", "dnf", "pacman", "brew", "apk"."""
        return self.elsewhere.get(kind, self.package)


@cache
def carriers() -> Mapping[str, Carrier]:
    """The package of each program in the table, by the program's name; read once."""
    table: dict[str, Carrier] = {}
    for line in TABLE.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            carrier, programs = _row(line)
            table |= dict.fromkeys(programs, carrier)
    return table


def names(line: str) -> list[str]:
    """The programs of one line of the table."""
    package, _, programs = line.partition("|")[0].partition(": ")
    return programs.split() or [package.rpartition(":")[2]]


def _row(line: str) -> tuple[Carrier, list[str]]:
    """One line of the table: `PACKAGE: PROGRAM PROGRAM|dnf=NAME`, or `pip:PACKAGE`."""
    head, _, others = line.partition("|")
    package, _, programs = head.partition(": ")
    installer, _, name = package.rpartition(":")
    elsewhere = dict(pair.split("=", 1) for pair in others.split())
    return Carrier(name, installer, elsewhere), programs.split() or [name]
