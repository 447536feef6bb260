"""The whole chain in bash, with nothing played: real failures, the screen as the source, the embedded engine, the fix
on the prompt, which then works."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import RunningAgent
from tests.e2e.recorded import LOAD, Recorded
from tests.shells.driver import PROMPT
from tests.shells.in_bash import BASHES, answered, bash, bash_in_tmux

every_bash = pytest.mark.parametrize("which", BASHES)
OFFLINE = {"TERMA_ENGINE": "offline"}


@pytest.fixture
def place_with_files(agent: RunningAgent) -> Path:
    work = agent.home / "work"
    work.mkdir()
    (work / "report.txt").write_text("the report\n")
    return work


@every_bash
@pytest.mark.parametrize(
    ("line", "seen", "named", "fix", "after"),
    [
        ("cat reprot.txt", "No such file", "reprot.txt", "cat report.txt", "the report"),
        ("mkdir a/b/c", "cannot create", "a/b", "mkdir -p a/b/c", "ready>"),
        ("gti --version", "not found", "gti", "git --version", "git version"),
    ],
)
def test_in_tmux(
    agent: RunningAgent,
    place_with_files: Path,
    line: str,
    seen: str,
    named: str,
    fix: str,
    after: str,
    which: str,
) -> None:
    with bash_in_tmux(agent, env=OFFLINE, cwd=place_with_files, inside=True, which=which) as shell:
        shell.type(line).press("Enter").wait_for(seen).line()
        shell.type("?why").press("Enter").wait_for(f"{PROMPT}{fix}").line()
        shell.wait_for(f"{PROMPT}{fix}")
        answer = shell.screen().split("ready> ?why", 1)[1]
        assert named in answer and f"fix  {fix}" in answer
        assert "offline · tmux" in answer
        assert shell.line().text == fix
        shell.press("Enter").wait_screen(lambda screen: after in screen.split(f"{PROMPT}{fix}")[-1], after)


@every_bash
def test_in_a_bare_terminal(agent: RunningAgent, which: str) -> None:
    with bash(agent, env=OFFLINE, which=which) as shell:
        assert "not found" in shell.run("gti --version")
        said = shell.run("?why")
        assert "fix  git --version" in said and "no output was seen" in said
        assert answered(shell).line().text == "git --version"
        assert [line for line in shell.ran if line.startswith("git")] == []


@every_bash
def test_the_key_alone(agent: RunningAgent, place_with_files: Path, which: str) -> None:
    with bash_in_tmux(agent, env=OFFLINE, cwd=place_with_files, inside=True, which=which) as shell:
        shell.type("cat reprot.txt").press("Enter").wait_for("No such file").line()
        shell.press("C-t").wait_for(f"{PROMPT}cat report.txt")
        shell.wait_for("offline · fix")
        assert shell.line().text == "cat report.txt"


def test_in_terma_shell(agent: RunningAgent, place_with_files: Path) -> None:
    env = OFFLINE | {"TERMA_BIN": agent.env["TERMA_BIN"]}
    with Recorded("bash", agent, LOAD["bash"], env=env) as shell:
        shell.run("cd work")
        shell.run("cat reprot.txt")
        said = shell.run("?why")
        assert "fix  cat report.txt" in said and "offline · recording" in said
        answered(shell.mark()).wait_for("cat report.txt")
