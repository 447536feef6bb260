"""Help behind a failed command, in bash: terma's `?why` beside oopsh (the fork of thefuck that is kept up) and
thebleep."""

from __future__ import annotations

import statistics
import subprocess
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field

from bench.peers.figures import Row, Table
from bench.peers.place import Place
from bench.peers.prompts import installed
from bench.peers.spending import WAIT, rounds, spent
from bench.peers.starts import LOADER
from tests.shells.driver import BASH_RC, PROMPT, Shell

ROUNDS = 12
FAILURES = {"git brnch": "git branch", "git stats": "git status"}


@dataclass
class Helper:
    """One that helps: what is typed behind the failure, and how its offer is left without running it."""

    who: str
    shell: Shell
    typed: str
    pids: tuple[int, ...]
    leave: Callable[[Shell], None]
    first: list[float] = field(default_factory=list)
    fix: list[float] = field(default_factory=list)
    processor: list[float] = field(default_factory=list)

    def round(self, number: int) -> None:
        failed, mended = list(FAILURES.items())[number % len(FAILURES)]
        shell = self.shell
        shell.run(failed)
        shell.type(self.typed).line()
        shell.mark()
        before = spent(*self.pids)
        begun = time.perf_counter()
        shell.press("Enter")
        first = 0.0
        while mended not in shell.since():
            if not shell.read(0.05) and time.perf_counter() - begun > WAIT:
                raise TimeoutError(f"{self.who} offers no {mended!r}: {shell.since()!r}")
            if not first and shell.since().strip():
                first = time.perf_counter() - begun
        fix = time.perf_counter() - begun
        self.leave(shell)
        shell.line()
        if number:
            self.first.append(first)
            self.fix.append(fix)
            self.processor.append(spent(*self.pids) - before)


def _cleared(shell: Shell) -> None:
    shell.wait_for(PROMPT).press("C-u")


def _refused(shell: Shell) -> None:
    shell.press("C-c").wait_for(PROMPT)


def measure(place: Place) -> Table:
    """The table; the helpers take turns."""
    subprocess.run(["git", "init", "-q", str(place.work)], check=True, env=place.env)
    with ExitStack() as stack:

        def shell(rc: str, env: dict[str, str]) -> Shell:
            history = "HISTFILE=$HOME/.bash_history\n"
            return stack.enter_context(
                Shell("bash", place.home, f"{BASH_RC}\n{history}{rc}", env=env, cwd=place.work)
            )

        ours = shell(installed("bash", place), place.terma_env(TERMA_ENGINE="offline"))
        helpers = [Helper("terma, ?why", ours, "?why", (ours.pid, place.agent.pid), _cleared)]
        if place.has("oopsh"):
            other = shell('eval "$(oopsh --alias)"', place.env)
            helpers.append(Helper("oopsh", other, "oops", (other.pid,), _refused))
        if place.has("thebleep"):
            other = shell(LOADER.format("bash"), place.env)
            helpers.append(Helper("thebleep", other, "bleep", (other.pid,), _refused))
        for number in rounds(ROUNDS):
            for helper in helpers:
                helper.round(number)
    return Table(
        "Behind a failed command, bash",
        ("first sign (ms)", "the fix (ms)", "processor (ms)"),
        tuple(
            Row(one.who, tuple(statistics.median(each) * 1e3 for each in (one.first, one.fix, one.processor)))
            for one in helpers
        ),
        "From Enter, over `git brnch` and `git stats` in turns. Not the same: oopsh and thebleep run "
        "the failed command again to read what it prints, and offer a correction that Enter runs; terma "
        "explains in words what happened, runs nothing, and puts the fix on the next prompt. No model is "
        "asked by any of them."
        " What the benches first asked, `gti --version`, was left out: oopsh offers `tic --version` there, "
        "and the bench waited for `git`.",
        (1, 2),
    )
