"""What went wrong is told with what to do about it, at any width: the hint is never what is cut."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import RunningAgent, wait_until
from tests.shells.driver import TmuxShell
from tests.shells.in_bash import bash_in_tmux
from tests.shells.in_xonsh import xonsh
from tests.shells.in_zsh import zsh_in_tmux


@pytest.mark.parametrize("columns", [30, 44, 80])
@pytest.mark.parametrize("open_shell", [zsh_in_tmux, bash_in_tmux, xonsh])
def test_the_hint_stands_whole_below_the_line(
    agent: RunningAgent, open_shell: type[TmuxShell], columns: int
) -> None:
    agent.will_say("no", match="something else")
    with open_shell(agent, size=(20, columns)) as shell:
        shell.type("what nobody knows").press("C-t").wait_screen(
            lambda screen: "TERMA_SCRIPT names" in " ".join(screen.split())
        )
        hint = "add a rule to the file that TERMA_SCRIPT names"
        screen = " ".join(shell.screen().split())
        assert f"terma: scripted does not know that {hint}" in screen
        assert shell.line().text == "what nobody knows"


@pytest.mark.parametrize("open_shell", [zsh_in_tmux, bash_in_tmux, xonsh])
def test_what_went_wrong_under_why_breaks_between_words(
    agent: RunningAgent, open_shell: type[TmuxShell]
) -> None:
    agent.will_say("no", match="something else")
    with open_shell(agent, size=(20, 44)) as shell:
        shell.type("cat nope").press("Enter").wait_for("such file").line()
        shell.type("?why").press("Enter")
        told = "terma: scripted does not know that; add a rule to the file that TERMA_SCRIPT names"
        shell.wait_screen(lambda screen: told in " ".join(screen.split()), "what went wrong, between words")


def test_in_bash_the_danger_stands_below_its_line_where_the_terminal_becomes_narrow_and_wide_again(
    agent: RunningAgent,
) -> None:
    """readline draws its own rows anew and knows of no others: the danger was gone, or stood in pieces on the line."""
    command = "rm -rf build/a/very/long/path/that/goes/on/and/on"
    agent.will_say(command, match="delete")
    danger = "⚠ high: deletes files, recursively · scripted · script"
    with bash_in_tmux(agent) as shell:
        shell.type("delete it").line()
        shell.press("C-t").wait_for("⚠ high")
        for columns in (44, 100):
            shell._tmux("resize-window", "-x", str(columns), "-y", "24")
            shell.wait_screen(
                lambda screen: _joined(f"ready> {command}{danger}") == _joined(screen), f"{columns}"
            )
        shell.type("x").wait_screen(lambda screen: screen == f"ready> {command}x", "the danger to leave")
        wait_until(lambda: processes_of(shell.pid) == 1, "what had listened for sizes to end")
        shell.press("C-e", "C-u").line()
        shell.type("trap -p; jobs").press("Enter").wait_screen(lambda screen: screen.endswith("jobs\nready>"))


def _joined(text: str) -> str:
    """Without what differs where rows are broken elsewhere."""
    return "".join(text.split())


def processes_of(shell: int) -> int:
    """How many processes stand in the shell's own group."""
    return sum(stat.rpartition(") ")[2].split()[2] == str(shell) for stat in stats())


def stats() -> Iterator[str]:
    """What the kernel tells of each process."""
    for each in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            yield each.read_text(encoding="utf-8", errors="replace")
