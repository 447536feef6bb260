"""xonsh with the embedded engine, and in a `terma shell`: the whole chain as a person has it."""

from __future__ import annotations

from pathlib import Path

from tests.conftest import RunningAgent
from tests.shells.driver import BASH_RC, TmuxShell
from tests.shells.in_xonsh import (
    XONSH,
    asked_until_seen,
    fill,
    fresh,
    needs_xonsh,
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
        fill(fresh(shell), "show disk usage of this directory", "offline · du.")
        assert shell.line().text.startswith("du")


def test_in_terma_shell_the_recording_tells_what_a_program_printed(agent: RunningAgent) -> None:
    agent.will_explain("so it is.\n")
    home: Path = agent.home
    env = xonsh_env(agent, SHELL=XONSH)
    (home / "recorded.xsh").write_text(xonsh_rc(), encoding="utf-8")
    with TmuxShell("bash", home, BASH_RC, env=env, size=(30, 100)) as shell:
        shell.type(f"{agent.env['TERMA_BIN']} shell -- --rc {home}/recorded.xsh").press("Enter")
        shell.wait_screen(lambda screen: screen.count("ready>") > 1, "the recorded shell")
        run(shell, "sh -c 'echo from the program; exit 3'")
        asked_until_seen(shell, "scripted · recording")
        assert "· exit status 3" in shell.screen()
        run(shell, "terma last").wait_for("Output, from recording:\nfrom the program")
