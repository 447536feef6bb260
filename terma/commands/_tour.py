"""The first minute: three things of this very machine, one key each, and what it asks at its end.

The shell shows them (shell_hooks/tour.zsh, tour.bash): what is said stands above the prompt, the words stand on it, and
nothing runs but by the person's own Enter."""

from __future__ import annotations

import os
import shutil
import sys
import textwrap
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from terma import paths
from terma.commands import _xonsh_trial
from terma.errors import TermaError
from terma.machine import ports
from terma.quiet import STOP, Quiet, flush, keys_of, settle, unseen
from terma.shell_code import launcher, quote, root

SEEN = "tour-seen"  # in the state directory: it is shown once
MAX_FILES = 2000  # of this directory; more are not looked at
MAX_COLUMNS = 78  # of what is said; longer lines are hard to read
MAX_PORTS = 8  # whose owners are looked for


@dataclass(frozen=True, slots=True)
class Step:
    """One thing to try: what is said, and what stands on the line then."""

    said: str
    line: str


def seen() -> bool:
    return (paths.state_dir() / SEEN).exists()


def mark_seen() -> None:
    with suppress(OSError, TermaError):
        paths.write_atomic(paths.state_dir() / SEEN, b"")


def steps(here: Path, path: str) -> list[Step]:
    """What there is to try in the directory `here` with the programs on `path`."""
    tried = [*_words(here), *_typo(path)]
    total = len(tried)
    shown = [Step(f"{number}/{total}  {step.said}", step.line) for number, step in enumerate(tried, 1)]
    if " " not in tried[-1].line:  # what fails: below it stand no words that a complaint would have
        shown.append(Step("And why was that? Enter asks:", "?why"))
    return shown


def _words(here: Path) -> Iterator[Step]:
    keys = "Ctrl+T turns these words into a command; your Enter runs it, an empty line goes on:"
    if largest := _largest(here):
        yield Step(f"The largest file here (it is {largest}). {keys}", "which file is the largest")
    else:
        yield Step(f"How full the disk is. {keys}", "how full is the disk")
    if port := open_port():
        yield Step(
            f"{port} Ctrl+T; pressed twice quickly it lists all it knows:",
            f"what listens on port {port.number}",
        )
    else:
        yield Step(
            "How long it is up. Ctrl+T; twice quickly it lists all it knows:", "how long is this machine up"
        )


def _typo(path: str) -> Iterator[Step]:
    """A name with two letters swapped, of a program that is here and does no harm; never one that exists itself."""
    for name, slip in (("date", "dtae"), ("whoami", "whomai"), ("uname", "unmae")):
        if shutil.which(name, path=path) and not shutil.which(slip, path=path):
            yield Step("A typo, on purpose. Enter runs it, and nothing happens:", slip)
            return


def _largest(here: Path) -> str:
    """The name of the largest plain file in `here`, as text that fits a sentence; "" where there is none to name."""
    sizes: list[tuple[int, str]] = []
    with suppress(OSError), os.scandir(here) as entries:
        for entry in islice(entries, MAX_FILES):
            with suppress(OSError):
                if entry.is_file(follow_symlinks=False) and not entry.name.startswith("."):
                    sizes.append((entry.stat(follow_symlinks=False).st_size, entry.name))
    name = max(sizes, default=(0, ""))[1]
    return name if name.isprintable() and len(name) <= 30 else "a file" if name else ""


@dataclass(frozen=True, slots=True)
class Port:
    number: int
    owner: str

    def __str__(self) -> str:
        return f"Something listens on port {self.number}{f' ({self.owner})' if self.owner else ''}."


def open_port() -> Port | None:
    """A port that a program of this account listens on, else one that anybody's does, None where none is known."""
    listed = ports.listening()
    found = [
        Port(number, holder.name) for number in listed[:MAX_PORTS] if (holder := ports.holder_of(number))
    ]
    return next((port for port in found if port.owner), next(iter(found), None))


def fit(text: str, columns: int = 0) -> str:
    """`text` in lines that break between words and fit the terminal, or `columns`."""
    width = max(min((columns or shutil.get_terminal_size().columns) - 1, MAX_COLUMNS), 20)
    return textwrap.fill(text, width, break_on_hyphens=False)


def code(shell: str, loaded: str, tour: list[Step], columns: int, plain: bool, installed: bool) -> str:
    """What the start-up file of `shell` reads: `loaded` and `tour`, wrapped to `columns`; `plain`: without styles.
    `installed`: terma is in every shell already."""
    bold, off = ("", "") if plain else ("\x1b[1m", "\x1b[0m")

    def fitted(text: str, strong: str = "") -> str:
        return f"{strong}{fit(text, columns)}{off if strong else ''}"

    opening = "A first minute with terma. Only your Enter runs anything; Ctrl+G ends this at once."
    if shell == "xonsh":
        words = [launcher(), "try", "--tour-end", shell, *["--installed"] * installed]
        told = [fitted(loaded), fitted(opening)]
        said = [fitted(step.said, bold) for step in tour]
        return _xonsh_trial.code(told, said, [step.line for step in tour], words)
    says = " ".join(quote(fitted(step.said, bold)) for step in tour)
    lines = " ".join(quote(step.line) for step in tour)
    end = f"try --tour-end {shell}" + (" --installed" if installed else "")
    script = (root() / "shell_hooks" / f"tour.{shell}").read_text(encoding="utf-8")
    return (
        f"printf '%s\\n' {quote(fitted(loaded))} {quote(fitted(opening))}\n"
        f"_terma_tour_says=({says})\n_terma_tour_lines=({lines})\n"
        f"_terma_tour_end=({end})\n{script}"
    )


def finish(shell: str, installed: bool) -> None:
    """What is asked at the end: terma in every shell, and hints. One key each; anything but y is no."""
    mark_seen()
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        return
    print("\nThat was it.")
    if not installed:
        if key(f"terma in every {shell}?") == "y":
            installed = _install(shell) == 0
        else:
            print(f"Later: {'xontrib load terma' if shell == 'xonsh' else f'terma init {shell} --install'}")
    from terma.commands import config

    wanted = key("After a failure, a dim hint with the command that terma is sure of?") == "y"
    config.change("hints", "true" if wanted else "false")
    change, then = ("false", "ends them") if wanted else ("true", "turns them on")
    print(fit(f"Hints are {'on' if wanted else 'off'}; `terma config set hints {change}` {then}."))
    print(fit(f"`exit` ends this shell{f'; every new {shell} has terma' if installed else ''}."))


def _install(shell: str) -> int:
    """terma in every `shell`. Exit status."""
    if shell == "xonsh":
        return _xonsh_trial.install()
    from terma.commands import init

    return init.install(shell, launcher(), sure=True)


def key(question: str) -> str:
    """One key as the answer to `question`, in lower case; "" for anything that is none."""
    print(fit(f"{question} [y/N]").removesuffix("[y/N]"), end="", flush=True)
    handle = sys.stdin.fileno()
    with unseen(handle):
        stopped = settle(Quiet(), keys_of(handle))
        if stopped is None:
            flush(handle)
            print("[y/N] ", end="", flush=True)
            stopped = os.read(handle, 16)
    answer = "" if stopped[:1] in (b"", *STOP) else stopped.decode("ascii", "ignore").strip().lower()
    print(answer if answer.isprintable() else "")
    return answer
