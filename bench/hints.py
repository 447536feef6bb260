"""What a hint without a key costs before the prompt behind a failure can be typed at, over that prompt without hints.

The hooks are called as the shell calls them, many times, in a shell at a real terminal; the least counts, for a busy
machine only adds. The rest is done when the prompt stands, and is timed to the screen: it may take longer.
"""

from __future__ import annotations

import shutil
import statistics
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.conftest import RunningAgent
from tests.shells.driver import PROMPT, Shell
from tests.shells.in_bash import bash
from tests.shells.in_zsh import zsh

Figure = tuple[str, float, str, str]  # name, value, unit, note
ROUNDS, SHOWN = 40, 20
# Both kinds of prompt by turns in one shell, and what a fork costs there: a ratio is the same on any machine.
FAILED = {
    "zsh": r"""
zmodload zsh/datetime
cost() {
  local -F began least=1 forked
  TERMA_HINTS=$1
  repeat 50; do
    began=$EPOCHREALTIME
    _terma_preexec "false" "" "false"; false; _terma_precmd
    (( (began = EPOCHREALTIME - began) < least )) && least=$began
    _terma_hint_drop # as the editor does when it waits for keys
  done
  began=$EPOCHREALTIME
  repeat 10; do (:); done
  print -r -- "cost=$(( least * 1e6 )) $(( (EPOCHREALTIME - began) / 10 * 1e6 ))="
}
""",
    "bash": r"""
cost() {
  local a b i least=1000000
  TERMA_HINTS=$1
  for ((i = 0; i < 50; i++)); do
    _terma_began=1
    a=${EPOCHREALTIME/[.,]/}
    false
    _terma_precmd
    b=${EPOCHREALTIME/[.,]/}
    if ((b - a < least)); then least=$((b - a)); fi
    if [[ -n $_terma_hint_asks ]]; then _terma_hint_asked; fi # as the terminal's answer does, at the prompt
  done
  a=${EPOCHREALTIME/[.,]/}
  for ((i = 0; i < 10; i++)); do (:); done
  b=${EPOCHREALTIME/[.,]/}
  echo "cost=$least $(((b - a) / 10))="
}
""",
}
OPEN: dict[str, Any] = {"zsh": zsh, "bash": bash}


@contextmanager
def shell(name: str, agent: RunningAgent, hints: str) -> Iterator[Shell]:
    env = {"TERMA_HINTS": hints, "TERMA_ENGINE": "scripted"}
    with OPEN[name](agent, after=FAILED[name], env=env) as opened:
        yield opened


def costs(name: str, agent: RunningAgent) -> tuple[float, float, float]:
    """Microseconds of both hooks for one command that fails, without hints and with them, and of one fork."""
    found: dict[str, list[float]] = {"false": [], "true": [], "fork": []}
    with shell(name, agent, "") as it:
        for _ in range(ROUNDS):
            for hints in ("false", "true"):
                it.mark().type(f"cost {hints}").press("Enter").wait_for("=\r\n")
                hooks, fork = it.since().split("cost=")[-1].split("=")[0].split()
                found[hints].append(float(hooks))
                found["fork"].append(float(fork))
                it.wait_for(PROMPT)
    return min(found["false"]), min(found["true"]), min(found["fork"])


def to_the_screen(name: str, agent: RunningAgent) -> list[float]:
    """Seconds from the prompt behind a failure to its hint."""
    taken = []
    with shell(name, agent, "true") as it:
        for number in range(SHOWN + 3):
            it.mark().type("cat none").line()
            it.mark().press("Enter").wait_for("No such file").wait_for(PROMPT)
            begun = time.perf_counter()
            if name == "bash":
                it.send("\x1b[0n")  # the terminal's answer, which starts it there
            it.wait_for("Ctrl+T: git status")
            if number >= 3:
                taken.append(time.perf_counter() - begun)
            it.press("C-u").line()
    return taken


def measure() -> list[Figure]:
    """Every figure; takes about half a minute."""
    figures: list[Figure] = []
    root = Path(tempfile.mkdtemp(prefix="terma-b", dir="/tmp"))
    agent = RunningAgent(root)
    try:
        agent.will_explain("misspelt", fixes=("git status",))
        agent.start()
        for name in [name for name in OPEN if shutil.which(name)]:
            off, on, fork = costs(name, agent)
            note = f"over {off:.0f} without hints; limit 150"
            figures.append((f"{name}, hint, before the prompt", on - off, "µs", note))
            note = f"one fork of that shell is {fork:.0f} µs here"
            figures.append((f"{name}, hint, before the prompt", (on - off) / fork, "forks", note))
            times = to_the_screen(name, agent)
            note = f"an engine that knows at once; max {max(times) * 1e3:.0f}"
            figures.append(
                (f"{name}, prompt to the hint on the screen", statistics.median(times) * 1e3, "ms", note)
            )
        return figures
    finally:
        agent.stop()
        shutil.rmtree(root, ignore_errors=True)
