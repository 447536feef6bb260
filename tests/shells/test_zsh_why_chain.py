"""The whole chain in zsh, with nothing played: real failures, the screen as the source, the embedded engine, the fix
on the prompt, which then works."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import RunningAgent
from tests.e2e.recorded import LOAD, Recorded
from tests.shells.driver import PROMPT
from tests.shells.in_zsh import zsh, zsh_in_tmux
from tests.shells.test_zsh_neighbours import NO_GUARD, load
from tests.shells.test_zsh_why import ask_why, run

OFFLINE = {"TERMA_ENGINE": "offline"}


@pytest.fixture
def work(agent: RunningAgent) -> Path:
    made = agent.home / "work"
    made.mkdir()
    (made / "report.txt").write_text("the report\n")
    return made


@pytest.mark.parametrize(
    ("line", "seen", "named", "fix", "after"),
    [
        ("cat reprot.txt", "No such file", "reprot.txt", "cat report.txt", "the report"),
        ("mkdir a/b/c", "cannot create", "a/b", "mkdir -p a/b/c", "ready>"),
        ("gti --version", "not found", "gti", "git --version", "git version"),
    ],
)
@pytest.mark.parametrize("plugins", [False, True])
def test_in_tmux(
    agent: RunningAgent, work: Path, line: str, seen: str, named: str, fix: str, after: str, plugins: bool
) -> None:
    others = load("autosuggestions") + load("highlighting") if plugins else ""
    with zsh_in_tmux(agent, after=others + NO_GUARD, env=OFFLINE, cwd=work, inside=True) as shell:
        shell.type(line).press("Enter").wait_for(seen).line()
        shell.type("?why isn't it").press("Enter").wait_for(f"{PROMPT}{fix}")
        answer = shell.screen().split("ready> ?why", 1)[1]
        assert named in answer
        assert f"fix  {fix}" in answer
        assert "offline · tmux" in answer
        assert shell.line().text == fix
        shell.press("Enter").wait_screen(lambda screen: after in screen.split(f"{PROMPT}{fix}")[-1], after)


def test_in_a_bare_terminal(agent: RunningAgent) -> None:
    with zsh(agent, env=OFFLINE) as shell:
        run(shell, "gti --version")
        ask_why(shell, until="fix  git --version").wait_for("no output was seen")
        shell.wait_for(f"{PROMPT}git --version")
        assert shell.line().text == "git --version"
        assert [line for line in shell.ran if line.startswith("git")] == []


def test_a_syntax_error_in_tmux(agent: RunningAgent, work: Path) -> None:
    with zsh_in_tmux(agent, env=OFFLINE, cwd=work, inside=True) as shell:
        shell.type("echo a )").press("Enter").wait_for("parse error").line()
        shell.type("?why").press("Enter").wait_for("offline · ")
        assert "echo a ) · exit status 1" in shell.screen()


def test_the_key_alone(agent: RunningAgent, work: Path) -> None:
    with zsh_in_tmux(agent, env=OFFLINE, cwd=work, inside=True) as shell:
        shell.type("cat reprot.txt").press("Enter").wait_for("No such file").line()
        shell.press("C-t").wait_for(f"{PROMPT}cat report.txt")
        shell.wait_for("offline · fix")
        assert shell.line().text == "cat report.txt"


def test_in_terma_shell(agent: RunningAgent, work: Path) -> None:
    env = OFFLINE | {"TERMA_BIN": agent.env["TERMA_BIN"]}
    with Recorded("zsh", agent, LOAD["zsh"], env=env) as shell:
        shell.run("cd work")
        shell.run("cat reprot.txt")
        shell.mark().type("?why").press("Enter").wait_for("fix  cat report.txt").wait_for(
            "offline · recording"
        )
        shell.wait_for(f"{PROMPT}cat report.txt")
