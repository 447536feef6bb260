"""What terma costs in zsh: at start-up, at each prompt, from a keypress to the screen.

Start-up is the time from starting zsh in a terminal to its first prompt, all variants taking turns, so that a busy
machine slows them alike. fzf and zsh-autosuggestions are Debian's, with what they bind at the first prompt.
"""

from __future__ import annotations

import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from tests.conftest import RunningAgent
from tests.shells.driver import PROMPT, ZSH_RC, Shell, sterile_env
from tests.shells.in_zsh import LOAD, TAKEN_BEFORE, ask, zsh

Figure = tuple[str, float, str, str]  # name, value, unit, note
STARTS = 60
PRESSES = 100
PLUGINS = {
    "fzf": Path("/usr/share/doc/fzf/examples/key-bindings.zsh"),
    "zsh-autosuggestions": Path("/usr/share/zsh-autosuggestions/zsh-autosuggestions.zsh"),
}
SENTENCE, COMMAND = "show free disk space", "df"
# One command line after another, as zsh itself calls the hooks; an empty pair of functions is the floor. Nanoseconds of
# processor where the system tells them, of the clock elsewhere.
HOOKS = r"""
zmodload zsh/datetime
_none() { }
_now() {
  local spent
  if [[ -r /proc/self/schedstat ]]; then read -r spent _ </proc/self/schedstat; REPLY=$spent
  else REPLY=$(( EPOCHREALTIME * 1e9 )); fi
}
_time() {
  local -F from
  _now; from=$REPLY
  repeat 2000; do $1 "a command" "a command" "a command"; $2; done
  _now; REPLY=$(( (REPLY - from) / 2000 / 1e3 ))
}
_time _none _none; base=$REPLY
_time _terma_preexec _terma_precmd
print -r -- "cost=$(( REPLY - base ))="
"""


def ms(seconds: list[float]) -> float:
    return statistics.median(seconds) * 1e3


def installed(home: Path) -> str:
    """The line for .zshrc after `terma init zsh --install`, which also compiles the code."""
    env = sterile_env(home)
    terma = Path(sys.executable).parent / "terma"
    subprocess.run([str(terma), "init", "zsh", "--install"], env=env, check=True, capture_output=True)
    entry = next((home / ".local/share").rglob("terma.zsh"))
    return f"source {entry}\n"


def start_up(home: Path) -> list[Figure]:
    rcs = {"bare": "", "terma from its files": LOAD, "terma installed (compiled)": installed(home)}
    rcs |= {name: f"source {path}\n" for name, path in PLUGINS.items() if path.exists()}
    times: dict[str, list[float]] = {name: [] for name in rcs}
    for _ in range(STARTS):
        for name, rc in rcs.items():
            begun = time.perf_counter()
            with Shell("zsh", home, ZSH_RC + rc):
                times[name].append(time.perf_counter() - begun)
    bare = ms(times["bare"])
    figures: list[Figure] = [("zsh start-up, bare, to the first prompt", bare, "ms", "")]
    for name in list(rcs)[1:]:
        figures.append((f"zsh start-up, {name}, over bare", ms(times[name]) - bare, "ms", ""))
    return figures


def prompts(agent: RunningAgent) -> list[Figure]:
    with zsh(agent, after=f"cost() {{ {HOOKS} }}") as shell:
        costs = []
        for _ in range(5):
            shell.mark().type("cost").press("Enter").wait_for("=\r\n")
            costs.append(float(shell.since().split("cost=")[-1].split("=")[0]))
            shell.wait_for(PROMPT)
    return [
        (
            "zsh hooks, one command line",
            statistics.median(costs),
            "µs",
            "processor, preexec and precmd, no fork; bar 50",
        )
    ]


def presses(
    shell: Shell, key: str, before: Callable[[int], None], shown: Callable[[int], str]
) -> list[float]:
    """Seconds from `key` to `shown`, PRESSES times; `before` sets the stage."""
    taken = []
    for number in range(PRESSES):
        before(number)
        shell.mark()
        begun = time.perf_counter()
        shell.press(key).wait_for(shown(number))
        taken.append(time.perf_counter() - begun)
        shell.at_rest().line()
        shell.press("C-u").line()
    return taken


def keys(agent: RunningAgent) -> list[Figure]:
    figures: list[Figure] = []
    with zsh(agent, env={"TERMA_ENGINE": "offline"}) as shell:
        ask(shell, SENTENCE, "offline").press("C-u").line()  # the agent reads its index once
        times = presses(shell, "C-t", lambda _: _typed(shell, SENTENCE), lambda _: COMMAND)
        figures.append(
            ("zsh, Ctrl+T to the first character", ms(times), "ms", _spread(times, "offline engine, warm"))
        )
    figures += why(agent)
    agent.will_do({"delta": "@@@@"}, {"hang": True})
    with zsh(agent) as shell:

        def streaming(number: int) -> None:
            _typed(shell, f"remove {number} old logs")
            shell.mark().press("C-t").wait_for("@@@@").at_rest()

        for name, key in [("Ctrl+C", "C-c"), ("Ctrl+G", "C-g"), ("Esc", "Escape")]:
            times = presses(shell, key, streaming, lambda number: f"remove {number} old logs")
            figures.append(
                (f"zsh, {name} to the sentence restored", ms(times), "ms", _spread(times, "streaming"))
            )
    return figures


def why(agent: RunningAgent) -> list[Figure]:
    """From Enter on `?why` to its first visible character, and to the fix on the next prompt."""
    first, whole = [], []
    with zsh(agent, env={"TERMA_ENGINE": "offline"}, after="_terma_guard=0") as shell:
        for _ in range(PRESSES):
            shell.press("C-u").line()
            _typed(shell, "gti --version")
            shell.mark().press("Enter").wait_for(PROMPT)
            _typed(shell, "?why")
            shell.mark()
            begun = time.perf_counter()
            shell.press("Enter").wait_for("gti --version")
            first.append(time.perf_counter() - begun)
            shell.wait_for(f"{PROMPT}git --version")
            whole.append(time.perf_counter() - begun)
    name = "zsh, Enter on ?why to the first character"
    return [
        (name, ms(first[3:]), "ms", _spread(first[3:], "offline engine, warm")),
        ("zsh, Enter on ?why to the fix on the prompt", ms(whole[3:]), "ms", _spread(whole[3:], "the same")),
    ]


def _typed(shell: Shell, sentence: str) -> None:
    shell.mark().type(sentence).wait_for(sentence)


def _spread(times: list[float], what: str) -> str:
    ordered = sorted(times)
    return f"{what}; p95 {ordered[int(len(ordered) * 0.95)] * 1e3:.1f}, max {ordered[-1] * 1e3:.1f}"


def measure() -> list[Figure]:
    """Every figure of zsh; takes about half a minute."""
    if shutil.which("zsh") is None:
        return []
    root = Path(tempfile.mkdtemp(prefix="terma-b", dir="/tmp"))
    agent = RunningAgent(root)
    mark = agent.home / TAKEN_BEFORE
    mark.parent.mkdir(parents=True)
    mark.touch()
    try:
        figures = start_up(agent.home)
        agent.start()
        return [*figures, *prompts(agent), *keys(agent)]
    finally:
        agent.stop()
        shutil.rmtree(root, ignore_errors=True)


if __name__ == "__main__":
    for figure, value, unit, note in measure():
        print(f"{figure:55} {value:9.2f} {unit:3} {note}")
