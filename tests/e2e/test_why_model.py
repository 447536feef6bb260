"""A model that explains stands on what is known without it: it is told that, and its fixes are held against it."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from terma.errors import TermaError
from tests.conftest import RunningAgent
from tests.model_server import ModelServer, Reply, says

SOURCE = "def area(w, h):\n    return w * hight\n"
OUTPUT = """Traceback (most recent call last):
  File "{here}/area.py", line 4, in <module>
    print(area(2, 3))
  File "{here}/area.py", line 2, in area
    return w * hight
NameError: name 'hight' is not defined. Did you mean: 'height'?
"""


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer() as made:
        yield made


@pytest.fixture
def agent(place: Path, server: ModelServer) -> Iterator[RunningAgent]:
    made = RunningAgent(place)
    del made.env["TERMA_ENGINE"]
    made.configure(
        {
            "TERMA_MODEL": "m",
            "TERMA_MODELS__M__MODEL": "tiny",
            "TERMA_MODELS__M__API_BASE": server.base,
            "TERMA_RETRIES": "0",
            "TERMA_TIMEOUTS__FIRST_TOKEN": "3",
            "TERMA_LOCAL_PORTS": "[]",
        }
    )
    try:
        yield made.start()
    finally:
        made.stop()


@pytest.fixture
def asked(agent: RunningAgent, tmp_path: Path) -> Any:
    """Asks why for a failure in a folder, and gives the answer as a program gets it."""
    (tmp_path / "area.py").write_text(SOURCE)

    def ask(**more: str) -> Any:
        fields = {
            "command": "python3 area.py",
            "status": "1",
            "cwd": str(tmp_path),
            "shell": "bash",
            "path": os.environ["PATH"],
            "output": OUTPUT.replace("{here}", str(tmp_path)),
        }
        return json.loads(agent.ask("why_json", **fields | more)[-1][2])

    return ask


def proposing(text: str, command: str) -> str:
    return f"{text}\n" + json.dumps({"commands": [{"command": command, "description": "mends it"}]})


def commands(answer: Any) -> list[str]:
    return [fix["command"] for fix in answer["fixes"]]


def test_the_model_is_told_what_was_read_and_looked_up(asked: Any, server: ModelServer) -> None:
    server.will(says("The name is misspelt."))
    answer = asked()
    told = "\n".join(str(turn["content"]) for turn in server.seen[-1].body["messages"])
    assert "looked up on this machine" in told
    assert "area.py:2: return w * hight" in told
    assert "The name is misspelt." in answer["explanation"]


def test_a_fix_of_the_model_that_nothing_supports_is_not_offered(asked: Any, server: ModelServer) -> None:
    server.will(says(proposing("Install it.", "pip install hight-utils")))
    assert "pip install hight-utils" not in commands(asked())


def test_the_embedded_answer_stands_where_the_model_is_silent(asked: Any, server: ModelServer) -> None:
    server.will(says(""))
    answer = asked()
    assert "NameError" in answer["explanation"]
    assert "area.py:2" in answer["explanation"]


def test_the_embedded_fix_stands_where_no_fix_of_the_model_holds(asked: Any, server: ModelServer) -> None:
    server.will(says(proposing("Use another tool.", "no-such-program-here --fix")))
    answer = asked(command="git stauts", output="git: 'stauts' is not a git command. See 'git --help'.\n\nThe most similar command is\n\tstatus\n")  # fmt: skip # noqa: E501
    assert commands(answer) == ["git status"]


def test_a_fix_of_the_model_that_holds_is_offered(asked: Any, server: ModelServer) -> None:
    server.will(says(proposing("It is misspelt.", "git status --short")))
    answer = asked(command="git stauts", output="git: 'stauts' is not a git command. See 'git --help'.")
    assert commands(answer) == ["git status --short"]


def test_a_command_in_a_code_block_is_a_fix_where_it_holds(asked: Any, server: ModelServer) -> None:
    output = "git: 'stauts' is not a git command. See 'git --help'."
    server.will(says("It is misspelt:\n\n```sh\ngit status --short\n```\n"))
    assert commands(asked(command="git stauts", output=output)) == ["git status --short"]
    server.will(says("Use this:\n\n```sh\nno-such-program-here --fix\n```\n"))
    assert commands(asked(command="git stauts", output=output)) == ["git status"]


def test_a_program_is_told_the_embedded_answer_behind_a_model_that_was_set_and_stayed_silent(
    asked: Any, server: ModelServer
) -> None:
    """Alone, and why: what a person sees while the model is awaited is none of it."""
    server.will(Reply(pieces=(), then="hang"))
    answer = asked()
    assert "NameError" in answer["explanation"] and "said nothing within 3 s" in answer["explanation"]
    assert "nothing yet" not in answer["explanation"]
    assert answer["engine"] == "offline"


def test_a_program_is_told_what_a_late_model_says_and_nothing_else(asked: Any, server: ModelServer) -> None:
    server.will(Reply(pieces=("The name is misspelt.",), wait=2.5))
    patient = "TERMA_TIMEOUTS__FIRST_TOKEN=60"  # half a second is little on a busy machine
    assert asked(settings=patient)["explanation"].strip() == "The name is misspelt."


def test_a_model_that_was_set_and_refuses_is_said_at_once(agent: RunningAgent, server: ModelServer) -> None:
    server.will(Reply(status=403))
    failed = {"command": "gti status", "status": "127", "cwd": "/", "shell": "bash"}
    with pytest.raises(TermaError, match="API key"):
        agent.ask("why_json", **failed)
