"""xonsh's key on a line that is a command already: it does there what it did before terma."""

from __future__ import annotations

import pytest

from tests.conftest import RunningAgent
from tests.shells.driver import TmuxShell, wait_until
from tests.shells.in_xonsh import DONE, both, fill, fresh, needs_xonsh, run, xonsh

pytestmark = needs_xonsh
VI = "$VI_MODE = True\n"
# As a xontrib or a person binds a key; it leaves a trace of itself behind the cursor.
PICKER = """
@events.on_ptk_create
def _test_picker(bindings, **_):
    @bindings.add('c-t')
    def pick(event):
        event.current_buffer.insert_text('PICKED')
"""
GIVEN_BACK = "terma: a command already; the key did"


def pressed(shell: TmuxShell, line: str, becomes: str) -> TmuxShell:
    """Types the line, presses Ctrl+T and waits until it has become something else."""
    shell.type(line).press("C-t").wait_for(f"ready> {becomes}")
    wait_until(lambda: shell.line().text == becomes, becomes)
    return shell


@both
@pytest.mark.parametrize("order", ["before", "after"])
def test_the_displaced_binding_has_the_untouched_line_and_says_so_once(
    agent: RunningAgent, which: str, order: str
) -> None:
    agent.will_say("ls -la", candidates=("ls -lh",))
    with xonsh(agent, which=which, **{order: PICKER}) as shell:
        shell.type("ls -l src").press("Left", "Left", "Left", "C-t")
        shell.wait_for("ready> ls -l PICKEDsrc").wait_for(f"{GIVEN_BACK} pick as before")
        assert shell.line() == ("ls -l PICKEDsrc", 12)
        shell.press("C-_")
        assert shell.line().text == "ls -l src"
        pressed(fresh(shell), "cat ", "cat PICKED")
        assert GIVEN_BACK not in shell.screen()
        fill(fresh(shell), "list it", DONE)  # a sentence is terma's
        assert shell.line().text == "ls -la"
        shell.press("C-t").wait_for("ready> ls -lh").wait_for("2/2")  # and so is a command of its own
        pressed(fresh(shell), "", "PICKED")
        assert shell.ran == []


@both
@pytest.mark.parametrize("rc", ["", VI])
def test_what_prompt_toolkit_itself_has_there_is_done(agent: RunningAgent, rc: str, which: str) -> None:
    agent.will_say("wrong")
    with xonsh(agent, rc, which=which) as shell:
        pressed(shell, "ls -la src", "    ls -la src" if rc else "ls -la scr")
        shell.wait_for(f"{GIVEN_BACK} {'indent' if rc else 'transpose-chars'} as before")
        if rc:  # in command mode nothing had the key
            fresh(shell).type("ls -la").press("Escape", "C-t").wait_for("list what is in a folder")
            assert shell.line().text == "ls -la"


def test_where_nothing_was_displaced_it_is_explained_and_enter_runs_the_line(agent: RunningAgent) -> None:
    agent.will_say("wrong")
    with xonsh(agent, "$TERMA_KEY = 'c-x c-t'\n") as shell:
        shell.type("ls -d /").press("C-x", "C-t").wait_for("list what is in a folder")
        shell.press("Enter").wait_for("\n/\n")
        shell.type("ls -d .").press("C-x", "C-t").wait_for("list what is in a folder")
        assert shell.line().text == "ls -d ."


@pytest.mark.parametrize(("rc", "shown"), [("", "no fix is known for that"), (PICKER, "ready> PICKED")])
def test_on_an_empty_prompt_without_a_fix_a_binding_of_the_person_has_the_first_press(
    agent: RunningAgent, rc: str, shown: str
) -> None:
    """What prompt_toolkit itself has there does nothing on an empty line: then it is said that no fix is known."""
    agent.will_explain("it is so\n")
    with xonsh(agent, rc) as shell:
        run(shell, "ls /nowhere/at/all").press("C-t").wait_for(shown)


def test_it_can_be_turned_off(agent: RunningAgent) -> None:
    agent.will_say("uptime")
    with xonsh(agent, PICKER, env={"TERMA_SUGGESTIONS__ROUTE": "false"}) as shell:
        assert fill(shell, "ls -la src/", DONE).line().text == "uptime"


# What a picker does: a program has the terminal, in a task of its own, and its choice comes later.
IN_TERMINAL = """
@events.on_ptk_create
def _test_picker(bindings, **_):
    from prompt_toolkit.application import run_in_terminal
    @bindings.add('c-t')
    async def pick(event):
        chosen = await run_in_terminal(lambda: __import__('subprocess').check_output(
            ['sh', '-c', 'printf "which? " >/dev/tty; read -r name </dev/tty; echo "$name"'], text=True))
        event.current_buffer.insert_text(chosen.strip())
"""


@both
def test_a_picker_has_the_terminal(agent: RunningAgent, which: str) -> None:
    with xonsh(agent, IN_TERMINAL, which=which) as shell:
        shell.type("cat ").press("C-t").wait_for("which?").type("one.txt").press("Enter")
        shell.wait_for("ready> cat one.txt")
        assert shell.line() == ("cat one.txt", 11)


BROKEN = """
@events.on_ptk_create
def _test_picker(bindings, **_):
    @bindings.add('c-t')
    def pick(event):
        raise ValueError('of the person')
"""


def test_an_error_of_it_is_its_own(agent: RunningAgent) -> None:
    with xonsh(agent, BROKEN) as shell:
        shell.type("cat ").press("C-t").wait_for("of the person")
        assert "terma: of the person" not in shell.screen()
