"""xonsh with the embedded engine, and in a `terma shell`: the whole chain as a person has it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import RunningAgent, wait_until
from tests.shells.driver import BASH_RC, TmuxShell
from tests.shells.in_xonsh import (
    NEWEST,
    OLDEST,
    START,
    asked_until_seen,
    fill,
    fresh,
    needs_xonsh,
    program,
    prompts,
    run,
    xonsh,
    xonsh_env,
    xonsh_rc,
)

pytestmark = needs_xonsh


def test_a_typo_is_explained_and_the_key_brings_the_fix(agent: RunningAgent) -> None:
    with xonsh(agent, env={"TERMA_ENGINE": "offline"}, inside=True) as shell:
        run(shell, "gti --version")
        shell.type("?why").press("Enter").wait_for("ready> git --version")
        fill(fresh(shell), "how big is this directory", "offline · dir")
        assert shell.line().text.startswith("du")


# What xontrib-term-integrations does: marks in the prompt, which is a function then, and from its own hooks.
INTEGRATION = r"""
def _marks(text):
    print(f'\x1b]133;{text}\a', end='', flush=True)

@events.on_precommand
def _output_begins(**_):
    _marks('C')

@events.on_postcommand
def _command_ended(rtn=0, **_):
    _marks(f'D;{rtn}')

def _marked_prompt(plain=$PROMPT):
    return '\x01\x1b]133;A\a\x02' + plain + '\x01\x1b]133;B\a\x02'
$PROMPT = _marked_prompt
"""


@pytest.mark.parametrize(
    ("which", "before", "after"), [(NEWEST, "", ""), (NEWEST, "", INTEGRATION), (OLDEST, INTEGRATION, "")]
)
def test_in_terma_shell_the_recording_tells_what_a_program_printed(
    agent: RunningAgent, which: str, before: str, after: str
) -> None:
    agent.will_explain("so it is.\n")
    home: Path = agent.home
    env = xonsh_env(agent, SHELL=program(which))
    (home / "recorded.xsh").write_text(xonsh_rc(before, after), encoding="utf-8")
    with TmuxShell("bash", home, BASH_RC, env=env, size=(40, 100)) as shell:
        start = f"{agent.env['TERMA_BIN']} shell -- --rc {home}/recorded.xsh"
        shell.type(f"sh -c '{start}; :'").press("Enter")  # from a script: $SHELL, not the shell one is in
        wait_until(lambda: prompts(shell), "the recorded shell", START)
        run(shell, "sh -c 'echo from the program; exit 3'")
        asked_until_seen(shell, "scripted · recording")
        assert "· exit status 3" in shell.screen()
        run(shell, "terma last").wait_for("Output, from recording:\nfrom the program")
        run(shell, "print('python says'); 1/0")
        run(shell, "terma last").wait_for("ZeroDivisionError: division by zero")
