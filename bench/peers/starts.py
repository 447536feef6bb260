"""What each adds to a shell, to its start and to each command line: clock and processor time over the bare shell."""

from __future__ import annotations

import os
import pty
import select
import statistics
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from bench.peers.figures import Row, Table
from bench.peers.place import FILES, Place
from bench.peers.prompts import SGPT, installed
from bench.peers.spending import WAIT, rounds, spent
from tests.shells.driver import command_line

STARTS = 25
LINES = 60
READY = b"ready> "
FZF = {name: Path(f"/usr/share/doc/fzf/examples/key-bindings.{name}") for name in ("zsh", "bash")}
PLAIN = {
    "zsh": "PS1='ready> '\nunsetopt prompt_sp\nHISTFILE=\n",
    "bash": "PS1='ready> '\nHISTFILE=\n",
}


@dataclass
class Set:
    """One set-up: what its startup file says, and what was seen. Seconds."""

    who: str
    rc: str
    env: Mapping[str, str]
    clock: list[float] = field(default_factory=list)
    processor: list[float] = field(default_factory=list)
    lines: list[float] = field(default_factory=list)


def set_ups(name: str, place: Place) -> list[Set]:
    """Each as its documentation says, and the bare shell first."""
    found = [Set("bare", "", place.env), Set("terma", installed(name, place), place.terma_env())]
    if FZF[name].exists():
        found.append(Set("fzf", f"source {FZF[name]}\n", place.env))
    for who, file in FILES.items():
        if file.exists() and who.startswith(name):
            found.append(Set(who, f"source {file}\n", place.env))
    if place.has("sgpt"):
        found.append(Set("shell_gpt", SGPT[name], place.env))
    if place.has("llm"):
        found.append(Set("llm-cmd-comp", f'eval "$(llm cmdcomp --init {name})"\n', place.env))
    if place.has("oopsh"):
        found.append(Set("oopsh", 'eval "$(oopsh --alias)"\n', place.env))
    if place.has("thebleep"):
        found.append(Set("thebleep", LOADER.format(name), place.env))
    return found


# What `thebleep --alias-loader` prints, to be put into the startup file.
LOADER = """bleep() {{
    TB_EXIT=$?;
    eval "$(TB_SHELL={} thebleep --alias bleep)";
    TB_EXIT="$TB_EXIT" bleep "$@";
}}
"""


def once(name: str, place: Place, one: Set) -> None:
    """Start the shell, run LINES lines in it, leave."""
    words = command_line(name, place.home, PLAIN[name] + one.rc)
    begun = time.perf_counter()
    pid, master = pty.fork()
    if pid == 0:
        os.chdir(place.work)
        os.execvpe(words[0], words, dict(one.env))  # noqa: S606
    try:
        _until(master, READY)
        one.clock.append(time.perf_counter() - begun)
        one.processor.append(spent(pid))
        _line(master)
        before = spent(pid)
        for _ in range(LINES):
            _line(master)
        one.lines.append((spent(pid) - before) / LINES)
    finally:
        os.kill(pid, 9)
        os.close(master)
        os.waitpid(pid, 0)


def _line(master: int) -> None:
    os.write(master, b":\r")
    _until(master, READY)


def _until(master: int, wanted: bytes) -> None:
    seen = b""
    deadline = time.monotonic() + WAIT
    while wanted not in seen:
        if not select.select([master], [], [], max(0.0, deadline - time.monotonic()))[0]:
            raise TimeoutError(f"no {wanted!r} in {seen[-300:]!r}")
        seen += os.read(master, 65536)


def measure(name: str, place: Place) -> Table:
    """The table of one shell; the set-ups take turns."""
    found = set_ups(name, place)
    for _ in rounds(STARTS):
        for one in found:
            once(name, place, one)
    bare = found[0]

    def over(one: Set) -> tuple[float, float, float]:
        clock, processor, lines = (
            statistics.median(theirs) - statistics.median(plain)
            for theirs, plain in (
                (one.clock, bare.clock),
                (one.processor, bare.processor),
                (one.lines, bare.lines),
            )
        )
        return clock * 1e3, processor * 1e3, lines * 1e6

    plain = (statistics.median(bare.clock) * 1e3, statistics.median(bare.processor) * 1e3)
    return Table(
        f"What it adds to {name}",
        ("start-up (ms)", "start-up, processor (ms)", "a command line, processor (µs)"),
        tuple(Row(one.who, over(one)) for one in found[1:]),
        f"Over {name} without it, which takes {plain[0]:.1f} ms to its first prompt and {plain[1]:.1f} ms "
        f"of processor; {len(bare.clock)} starts of each, in turns. The line is `:`, {LINES} times a start. "
        "What adds nothing at each line may come out a little below nothing: that is the measurement's own "
        "noise. The processor time of a program that the startup file runs is counted in hundredths of a "
        "second.",
        (1, 2),
    )
