"""An Enter that is held down while an answer comes never runs it, nor does a key like it; a later one does."""

from __future__ import annotations

import time
from collections.abc import Callable

from tests.conftest import RunningAgent
from tests.shells.driver import Shell, wait_until
from tests.shells.in_bash import bash
from tests.shells.in_xonsh import needs_xonsh, xonsh_in_pty
from tests.shells.in_zsh import zsh

REPEAT = 0.03  # seconds between two keys of one that is held down
FIRST = 0.66  # seconds, more than QUIET, from one that is pressed to where it begins to come again
QUIET = 0.5  # seconds that the guard lasts here: a busy machine may not keep to REPEAT
BEYOND = 1.5  # seconds that Enter is held behind the answer's end; what else accepts a line, SHORTER
SHORTER = 1.3  # bash keeps the keys of a macro for QUIET, and what they enter does nothing for as long again
ANSWER = "echo made it"
ZSH_KEYS = "bindkey '^Xh' accept-and-hold"
BASH_GUARD = f"""
eval "$(declare -f _terma_guard | sed s/ticks=100/ticks={int(QUIET / 0.002)}/)"
eval "$(declare -f _terma_enter_late | sed s/200000/{int(QUIET * 1e6)}/)"
"""


def held(shell: Shell, key: str, is_whole: Callable[[], bool]) -> None:
    """Sends `key` as a keyboard repeats it, from now to a while after the answer is whole."""
    until = 0.0
    if is_whole():
        shell.send(key)
        time.sleep(FIRST)
        until = time.monotonic() + SHORTER - FIRST
    while not until or time.monotonic() < until:
        shell.send(key)
        time.sleep(REPEAT)
        shell.read()
        if not until and is_whole():
            until = time.monotonic() + (BEYOND if key == "\r" else SHORTER)


def deliberate(shell: Shell) -> None:
    """One Enter, and behind a pause another one where the machine was too busy for the first."""

    def has_run() -> bool:
        if not shell.ran:
            time.sleep(2 * QUIET)
            shell.press("Enter").line()
        return shell.ran == [ANSWER]

    wait_until(has_run, "an Enter that was meant")


def runs_nothing(shell: Shell, typed: str, keys: tuple[str, ...], is_whole: Callable[[], bool]) -> None:
    """Holds each of `keys`, the first of them from the beginning of the stream, the others from the answer's end."""
    for key in keys:
        shell.mark().type(typed).press("C-t")
        if key == keys[0]:
            wait_until(lambda: shell.read(0.01) is not None and not is_whole(), "the stream")
        else:
            wait_until(lambda: shell.read(0.01) is not None and is_whole(), "the answer")
        held(shell, key, is_whole)
        assert shell.line().text == ANSWER, repr(key)
        assert shell.ran == [], repr(key)
        if key != keys[-1]:
            shell.press("C-e", "C-u").line()
    deliberate(shell)


def test_zsh(agent: RunningAgent) -> None:
    agent.will_say("echo ", "made it", wait=0.3)
    with zsh(agent, ZSH_KEYS, f"_terma_guard={QUIET}") as shell:
        keys = ("\r", "\n", "\x0f", "\x18h")
        runs_nothing(shell, "say it", keys, lambda: "· script" in shell.since())


def test_bash(agent: RunningAgent) -> None:
    agent.will_say("echo ", "made it", wait=0.3)
    with bash(agent, r"""bind '"\C-xs": "\C-j"'""", BASH_GUARD) as shell:
        runs_nothing(shell, "say it", ("\r", "\n", "\x0f", "\x18s"), lambda: "· script" in shell.since())


@needs_xonsh
def test_xonsh(agent: RunningAgent) -> None:
    agent.will_say("echo ", "made it", wait=0.3)
    after = f"import xontrib_terma.prompt; xontrib_terma.prompt.GUARD = {QUIET}"
    with xonsh_in_pty(agent, after=after) as shell:
        busy = shell.home / "busy"
        for key in ("\r", "\n", "\x0f"):
            shell.type("say it").press("C-t")
            wait_until(lambda: shell.read() is not None and busy.read_text() == "True", "the stream")
            if key == "\n":
                wait_until(lambda: shell.read() is not None and busy.read_text() == "False", "the answer")
            held(shell, key, lambda: busy.read_text() == "False")
            assert shell.line().text == ANSWER, repr(key)
            assert shell.ran == [], repr(key)
            if key != "\x0f":
                shell.press("C-e", "C-u").line()
        deliberate(shell)
