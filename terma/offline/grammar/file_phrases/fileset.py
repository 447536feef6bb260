"""A set of files as the sentence describes it, and the tests of find that describe the same set."""

from __future__ import annotations

from dataclasses import field

from terma.offline.grammar.quoting import operand, quoted, word
from terma.records import dataclass

MEDIA = {
    "image": ("jpg", "jpeg", "png", "gif"),
    "video": ("mp4", "mkv", "avi", "mov"),
    "music": ("mp3", "flac", "wav", "ogg"),
    "archive": ("tar.gz", "tgz", "zip"),
}


@dataclass(slots=True)
class FileSet:
    """Which files are meant. `kind` is find's -type letter ("" = any, "?" = not said).

    `names` are globs of which one must fit, `not_names` globs that must not, `prune` names of directories to stay
    out of. `tests` are further find arguments, `recursive` is None when the sentence does not say. `contains` is
    text that the files must hold (`lacks` turns it round)."""

    roots: list[str] = field(default_factory=list)
    kind: str = "?"
    names: list[str] = field(default_factory=list)
    ignore_case: bool = False
    not_names: list[str] = field(default_factory=list)
    prune: list[str] = field(default_factory=list)
    tests: list[str] = field(default_factory=list)
    recursive: bool | None = None
    max_depth: int = 0
    min_depth: int = 0
    contains: list[str] = field(default_factory=list)
    lacks: bool = False
    whole_word: bool = False
    links: bool = False

    @property
    def plain(self) -> bool:
        """Nothing restricts the set but its place and names."""
        return not (self.tests or self.not_names or self.prune or self.max_depth or self.contains)

    def root_words(self) -> str:
        return " ".join(operand(root) for root in self.roots) or "."

    def find(self, *actions: str, default_kind: str = "f") -> str:
        """The find command for the set; `actions` are added at its end."""
        kind = default_kind if self.kind == "?" else self.kind
        parts = ["find", self.root_words()]
        if self.min_depth:
            parts.append(f"-mindepth {self.min_depth}")
        depth = self.max_depth or (1 if self.recursive is False else 0)
        if depth:
            parts.append(f"-maxdepth {depth}")
        for name in self.prune:
            parts.append(f"-not -path {quoted('*/' + name.strip('/') + '/*')}")
        if kind:
            parts.append(f"-type {kind}" if len(kind) == 1 else kind)
        parts += self.name_tests()
        parts += self.tests
        parts += [action for action in actions if action]
        return " ".join(parts)

    def name_tests(self) -> list[str]:
        """The -name tests, in parentheses when there are several names."""
        flag = "-iname" if self.ignore_case and not self.contains else "-name"
        tests = [f"{flag} {_glob(name)}" for name in self.names]
        found = tests if len(tests) < 2 else [r"\( " + " -o ".join(tests) + r" \)"]
        return found + [f"! -name {_glob(name)}" for name in self.not_names]

    def shell_glob(self) -> str:
        """The set as shell words where only names of one directory decide: `*.txt`, `docs/*.log`; else ''."""
        if not self.plain or len(self.roots) > 1 or self.recursive or self.kind not in ("?", "f"):
            return ""
        base = "" if not self.roots or self.roots[0] == "." else operand(self.roots[0].rstrip("/")) + "/"
        if self.ignore_case:
            return ""
        return " ".join(base + operand(name) for name in self.names)


def _glob(name: str) -> str:
    return quoted(name) if any(c in name for c in "*?[ '\"\\$&;()|<>#!") else word(name)


def size_test(sign: str, value: str) -> str:
    """`10M` with `+`, `-` or nothing in front, as find reads it."""
    amount, unit = value[:-1], value[-1]
    if "." in amount:
        factor = {"k": 1, "M": 1024, "G": 1024**2, "T": 1024**3, "c": 1}[unit]
        return f"-size {sign}{int(float(amount) * factor)}{'c' if unit == 'c' else 'k'}"
    if unit == "T":
        return f"-size {sign}{int(amount) * 1024}G"
    return f"-size {sign}{amount}{unit}"


_DAYS = {"day": 1, "week": 7, "month": 30, "year": 365}


def age_test(sign: str, duration: str, which: str = "m") -> str:
    """`7 days` with `+` (longer ago), `-` (within) or nothing, as -mtime or -mmin (or their a and c kin)."""
    amount, unit = duration.split()
    unit = unit.rstrip("s")
    count = float(amount)
    if unit in _DAYS:
        return f"-{which}time {sign}{int(count * _DAYS[unit])}"
    minutes = max(1, round(count * {"second": 1 / 60, "minute": 1, "hour": 60}.get(unit, 1)))
    if sign == "-" and unit == "hour" and minutes % 1440 == 0:
        return f"-{which}time -{minutes // 1440}"
    return f"-{which}min {sign}{minutes}"
