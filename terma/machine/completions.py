"""Options as the completions of zsh, fish and bash know them: they widen what a program's own texts tell."""

from __future__ import annotations

import itertools
import shlex
from collections.abc import Iterator
from pathlib import Path

from terma import reading
from terma import regex as re
from terma.machine.notation import Options, parse

MAX_TEXT = 600_000  # zsh's for git is the longest, half of this
_ZSH = ("Unix", "Linux", "Darwin", "BSD", "Debian", "Redhat", "Zsh", "X")


def shipped(program: str, path: Path, sub: tuple[str, ...]) -> Options:
    """What the completions say that a program brought along, in its own installation: the author's word."""
    share = path.parent.parent / "share"
    places = [share / folder / f"_{program}" for folder in ("zsh/vendor-completions", "zsh/site-functions")]
    found = parse(_unquoted("\n".join(map(_text, places))))
    return found | _fish(_text(share / "fish/vendor_completions.d" / f"{program}.fish"), program, sub)


def mentions(program: str, sub: tuple[str, ...], option: str) -> bool:
    """Whether the shells' own collections know `option`. They often describe another version: good for leniency
    alone."""
    places = [Path(f"/usr/share/zsh/functions/Completion/{kind}/_{program}") for kind in _ZSH]
    places += [Path(f"/usr/share/bash-completion/completions/{program}")]
    whole = re.compile(rf"(?<![\w-]){re.escape(option)}(?![\w-])")
    if any(whole.search(_text(place)) for place in places):
        return True
    name = option.lstrip("-")
    lines = _text(Path(f"/usr/share/fish/completions/{program}.fish")).splitlines()
    found = _fish("\n".join(line for line in lines if name in line), program, sub)
    return option in found.long | found.dashed or (len(option) == 2 and name in found.letters)


def _text(file: Path) -> str:
    return reading.text(file, MAX_TEXT)


def _unquoted(text: str) -> str:
    """Completion code with what surrounds an option in it taken for blanks: `'(-a --all)'{-a,--all}'[all]'`."""
    return re.sub(r"[\"'{}(),*=+:\[\]]", " ", text.replace("\\", ""))


def _fish(text: str, program: str, sub: tuple[str, ...]) -> Options:
    """The `complete -c PROGRAM` lines that hold always, or for the subcommand `sub`."""
    long: set[str] = set()
    letters: set[str] = set()
    dashed: set[str] = set()
    for words in complete_lines(text, program):
        condition = " ".join(values(words, "-n", "--condition"))
        if (
            condition
            and sub
            and "not" not in condition
            and not set(sub) & set(re.findall(r"[\w-]+", condition))
        ):
            continue
        long.update(f"--{name}" for name in values(words, "-l", "--long-option"))
        letters.update(values(words, "-s", "--short-option"))
        dashed.update(f"-{name}" for name in values(words, "-o", "--old-option"))
    return Options(frozenset(long), frozenset(dashed), frozenset(letters))


def complete_lines(text: str, program: str) -> Iterator[list[str]]:
    for line in re.sub(r"\\\n", " ", text).splitlines():
        if line.lstrip().startswith("complete "):
            try:
                words = shlex.split(line, comments=True)
            except ValueError:  # fish's quoting is not sh's
                words = line.split()
            if program in values(words, "-c", "--command"):
                yield words


def values(words: list[str], *options: str) -> list[str]:
    return [after for option, after in itertools.pairwise(words) if option in options]
