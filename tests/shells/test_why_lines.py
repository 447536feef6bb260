"""`?why` with nothing played over every form of a line: lists, pipes, functions, aliases, scripts; and with a model."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import RunningAgent
from tests.model_server import ModelServer, says
from tests.shells.driver import PROMPT, TmuxShell
from tests.shells.in_bash import bash_in_tmux
from tests.shells.in_xonsh import needs_xonsh, xonsh
from tests.shells.in_zsh import zsh_in_tmux

OFFLINE = {"TERMA_ENGINE": "offline"}
Open = Callable[..., TmuxShell]
SHELLS: list[Any] = [bash_in_tmux, zsh_in_tmux, pytest.param(xonsh, marks=needs_xonsh)]
shells = pytest.mark.parametrize("open_shell", SHELLS)
DEFINE = "alias c=cat\nshow() { cat reprot.txt; }\n"
DEFINE_XONSH = (
    "aliases['c'] = 'cat'\ndef _show(args):\n    ![cat reprot.txt]\n    return 1\naliases['show'] = _show\n"
)


@pytest.fixture
def work(tmp_path: Path) -> Path:
    folder = tmp_path / "work"
    folder.mkdir()
    (folder / "report.txt").write_text("the report\n")
    script = folder / "run.sh"
    script.write_text("#!/bin/sh\necho begin\ncat reprot.txt\n")
    script.chmod(0o755)
    return folder


LINES = [
    ("echo ok; cat reprot.txt", "echo ok; cat report.txt"),
    ("echo ok && cat reprot.txt && echo never", "echo ok && cat report.txt && echo never"),
    ("cat reprot.txt | wc -l", "cat report.txt | wc -l"),
    ("c reprot.txt", "cat report.txt"),
    ("show", ""),
    ("./run.sh", ""),
]


@shells
@pytest.mark.parametrize(("line", "fix"), LINES)
def test_the_command_that_failed_is_blamed_and_mended(
    agent: RunningAgent, work: Path, line: str, fix: str, open_shell: Open
) -> None:
    define = DEFINE_XONSH if open_shell is xonsh else DEFINE
    with open_shell(agent, define, env=OFFLINE, cwd=work, inside=True, size=(40, 100)) as shell:
        shell.type(line).press("Enter").wait_for("No such file").line()
        shell.type("?why").press("Enter").wait_for("offline · ")
        if fix:
            shell.wait_for(f"{PROMPT}{fix}").line()
        answer = shell.screen().split("ready> ?why", 1)[1]
        assert "reprot.txt" in answer and "echo does" not in answer
        assert ("fix  " in answer) is bool(fix)
        assert shell.line().text == fix


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer() as made:
        yield made


@pytest.fixture
def modelled(place: Path, server: ModelServer) -> Iterator[RunningAgent]:
    """An agent whose model is the scripted server."""
    made = RunningAgent(place)
    del made.env["TERMA_ENGINE"]
    made.configure(
        {
            "TERMA_MODEL": "m",
            "TERMA_MODELS__M__MODEL": "scripted-large",
            "TERMA_MODELS__M__API_BASE": server.base,
            "TERMA_RETRIES": "0",
            "TERMA_LOCAL_PORTS": "[]",
        }
    )
    yield made.start()
    made.stop()


def proposing(text: str, command: str) -> str:
    return f"{text}\n" + json.dumps({"commands": [{"command": command, "description": "mends it"}]})


@shells
@pytest.mark.parametrize(
    ("answer", "fix"),
    [
        (proposing("It is misspelt.", "cat report.txt"), "cat report.txt"),
        (proposing("Get it.", "no-such-program-here reprot.txt"), "cat report.txt"),
        ("", "cat report.txt"),
    ],
    ids=["its fix holds", "its fix does not hold", "it is silent"],
)
def test_a_model_stands_on_what_was_looked_up(
    modelled: RunningAgent, server: ModelServer, work: Path, answer: str, fix: str, open_shell: Open
) -> None:
    server.will(says(answer))
    with open_shell(modelled, cwd=work, inside=True, size=(40, 100)) as shell:
        shell.type("cat reprot.txt").press("Enter").wait_for("No such file").line()
        shell.type("?why").press("Enter").wait_for(f"{PROMPT}{fix}").line()
        screen = shell.screen().split("ready> ?why", 1)[1]
        assert shell.line().text == fix
        assert "no-such-program-here" not in screen
        if not answer:
            assert "There is report.txt" in screen
    told = "\n".join(str(turn["content"]) for turn in server.seen[-1].body["messages"])
    assert "looked up on this machine" in told and "There is report.txt" in told
