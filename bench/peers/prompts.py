"""From a key to the command on the prompt: terma's Ctrl+T beside what the others have, all with one model."""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from bench.peers.figures import Row, Table
from bench.peers.place import FIRST, LAST, Place
from bench.peers.spending import rounds, spent
from tests.shells.driver import BASH_RC, PROMPT, ZSH_RC, Shell

ROUNDS = 15
BASE = {"zsh": ZSH_RC, "bash": BASH_RC}
# Word for word what `sgpt --install-integration` adds to the startup file, but for its comments.
SGPT = {
    "zsh": """
_sgpt_zsh() {
if [[ -n "$BUFFER" ]]; then
    _sgpt_prev_cmd=$BUFFER
    BUFFER+="⌛"
    zle -I && zle redisplay
    BUFFER=$(sgpt --shell <<< "$_sgpt_prev_cmd" --no-interaction)
    zle end-of-line
fi
}
zle -N _sgpt_zsh
bindkey ^l _sgpt_zsh
""",
    "bash": """
_sgpt_bash() {
if [[ -n "$READLINE_LINE" ]]; then
    READLINE_LINE=$(sgpt --shell <<< "$READLINE_LINE" --no-interaction)
    READLINE_POINT=${#READLINE_LINE}
fi
}
bind -x '"\\C-l": _sgpt_bash'
""",
}
ACCEPT = "leave blank to finish\r\n>"  # what llm-cmd-comp says below its command; Enter takes it
Pressed = tuple[float, float]  # seconds to the first and to the last character


@dataclass
class Way:
    """One way to get a command: who, its shell, and what a person does in it in round n."""

    who: str
    shell: Shell
    once: Callable[[Shell, int], Pressed]
    pids: tuple[int, ...]
    taken: list[Pressed] = field(default_factory=list)
    processor: list[float] = field(default_factory=list)

    def round(self, number: int) -> None:
        self.shell.line()
        before = spent(*self.pids)
        taken = self.once(self.shell, number)
        self.shell.line()  # it has waited for what it started
        if number:  # the first loads what is loaded once
            self.taken.append(taken)
            self.processor.append(spent(*self.pids) - before)
        while self.shell.line().text:
            self.shell.press("C-e", "C-u")


def installed(shell: str, place: Place) -> str:
    """The line that `terma init SHELL --install` puts into the startup file."""
    terma = Path(sys.executable).parent / "terma"
    subprocess.run(
        [str(terma), "init", shell, "--install", "--yes"],
        env=place.terma_env(),
        check=True,
        capture_output=True,
    )
    entry = next((place.home / ".local/share").rglob(f"terma.{shell}"))
    return f"source {entry}\n"


def key(press: str, sentence: str, first: str, last: str) -> Callable[[Shell, int], Pressed]:
    """A key on a sentence; `first` and `last` are what its answer begins and ends with."""

    def once(shell: Shell, number: int) -> Pressed:
        shell.type(sentence.format(number)).line()
        shell.mark()
        begun = time.perf_counter()
        shell.press(press).wait_for(first)
        seen = time.perf_counter()
        shell.wait_for(last)
        return seen - begun, time.perf_counter() - begun

    return once


def accepted(once: Callable[[Shell, int], Pressed]) -> Callable[[Shell, int], Pressed]:
    """The same, where the command stands below the prompt until Enter takes it."""

    def and_taken(shell: Shell, number: int) -> Pressed:
        taken = once(shell, number)
        shell.wait_for(ACCEPT).mark().press("Enter").wait_for("sort")
        return taken

    return and_taken


def entered(shell: Shell, number: int) -> Pressed:
    """`llm cmd SENTENCE`, which shows its command in an editor of its own; ^C leaves that without running it."""
    shell.type(f"llm cmd 'SIZES OF ALL FOLDERS {number}'").line()
    shell.mark()
    begun = time.perf_counter()
    shell.press("Enter").wait_for("du")
    seen = time.perf_counter()
    shell.wait_for("sort")
    taken = seen - begun, time.perf_counter() - begun
    shell.mark().press("C-c").wait_for(PROMPT)
    return taken


SENTENCE = "SIZES OF ALL FOLDERS {}"  # in capitals: an editor draws nothing anew that stood there before


def ways(name: str, place: Place, stack: ExitStack) -> Iterator[Way]:
    """Every way that this machine has in the shell `name`, each in a shell of its own."""
    agent = place.agent.pid

    def shell(rc: str, env: dict[str, str]) -> Shell:
        return stack.enter_context(Shell(name, place.home, f"{BASE[name]}\n{rc}", env=env, cwd=place.work))

    ours = installed(name, place)
    asked = shell(ours, place.terma_env(TERMA_MODEL="played"))
    yield Way("terma, Ctrl+T, the model", asked, key("C-t", SENTENCE, "du", "sort"), (asked.pid, agent))
    alone = shell(ours, place.terma_env(TERMA_ENGINE="offline"))
    at_once = key("C-t", "SHOW FREE DISK SPACE", "df", "offline")
    yield Way("terma, Ctrl+T, embedded engine", alone, at_once, (alone.pid, agent))
    if place.has("sgpt"):
        other = shell(SGPT[name], place.env)
        yield Way("shell_gpt, Ctrl+L", other, key("C-l", SENTENCE, "du", "sort"), (other.pid,))
    if place.has("llm"):
        other = shell(f'eval "$(llm cmdcomp --init {name})"', place.env)
        once = accepted(key("M-\\", SENTENCE, "du", "sort"))
        yield Way("llm-cmd-comp, Alt+\\", other, once, (other.pid,))
        other = shell("", place.env)
        yield Way("llm-cmd, `llm cmd`", other, entered, (other.pid,))


def measure(name: str, place: Place) -> Table:
    """The table of one shell."""
    with ExitStack() as stack:
        found = list(ways(name, place, stack))
        for number in rounds(ROUNDS):
            for way in found:
                way.round(number)
    rows = []
    for way in found:
        first, last = (statistics.median(column) * 1e3 for column in zip(*way.taken, strict=True))
        rows.append(Row(way.who, (first, last, statistics.median(way.processor) * 1e3)))
    return Table(
        f"From the key to the command, {name}",
        ("first character (ms)", "last character (ms)", "processor a question (ms)"),
        tuple(rows),
        f"The model says its first piece after {FIRST * 1e3:.0f} ms and its last after {LAST * 1e3:.0f} ms: "
        "less than that nobody can take who asks it. Processor time is that of the shell, of what it "
        "started, and of terma's agent. Not the same: shell_gpt shows the whole command at once; "
        "llm-cmd-comp shows it below the prompt, where Enter takes it; llm-cmd is a command to type, and "
        "its command stands in an editor of its own, where Enter runs it. The embedded engine asks no "
        "model, and its sentence is another.",
        (0, 2),
    )
