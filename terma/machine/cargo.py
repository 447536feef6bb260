"""The subcommands of cargo, from the pages and completions that its toolchains bring, and a person's own aliases."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from terma import reading

MAX_TEXT = 400_000
MAX_TOOLCHAINS = 16
_COMPLETED = re.compile(r"\bopt__([a-z][a-z_]*)=")


def subcommands(program: Path) -> frozenset[str]:
    """A page for each, and what its completions know options of; empty where there are no pages."""
    pages: set[str] = set()
    words: set[str] = set()
    with suppress(OSError):
        for home in _homes(program):
            pages |= {file.name.split(".")[0][6:] for file in home.glob("share/man/man1/cargo-*.1*")}
            words |= set(_COMPLETED.findall(reading.text(home / "etc/bash_completion.d/cargo", MAX_TEXT)))
    return frozenset(pages | {word.replace("_", "-") for word in words} | {"help"}) if pages else frozenset()


def programs(program: Path) -> Iterator[Path]:
    """Its own file, and behind rustup's that of each toolchain."""
    return (home / "bin/cargo" for home in _homes(program))


def settings(cwd: str) -> Iterator[Path]:
    """Where an alias may be set."""
    own = Path(os.environ.get("CARGO_HOME") or "~/.cargo").expanduser()
    folders = [own, *(above / ".cargo" for above in (Path(cwd), *Path(cwd).parents) if cwd)]
    return (folder / name for folder in folders for name in ("config.toml", "config"))


def _homes(program: Path) -> Iterator[Path]:
    """Its own installation; behind rustup's, each toolchain."""
    yield program.resolve().parent.parent
    if program.resolve().name == "rustup":
        rustup = Path(os.environ.get("RUSTUP_HOME") or program.parent.parent.parent / ".rustup")
        yield from sorted(rustup.glob("toolchains/*"))[:MAX_TOOLCHAINS]
