"""What one shell chose answers that shell alone: two shells with two models at one agent, and a third with none."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from terma.agent.endpoint import holder
from tests.conftest import WAIT, Home
from tests.model_server import ModelServer, says
from tests.shells import in_bash, in_xonsh, in_zsh
from tests.shells.in_terma import TERMA

KEYS = {"one": "sk-one-0123456789abcdef", "two": "sk-two-0123456789abcdef"}


@pytest.fixture
def servers() -> Iterator[dict[str, ModelServer]]:
    with ModelServer() as one, ModelServer() as two:
        yield {"one": one.will(says("echo one")), "two": two.will(says("echo two"))}


@pytest.fixture
def shells(home: Home, servers: dict[str, ModelServer]) -> dict[str, dict[str, str]]:
    """What each shell has in its environment. The agent is started by the first."""
    said = {
        "TERMA_SUGGESTIONS__OFFLINE_AFTER": "0",
        "TERMA_SUGGESTIONS__CHECK": "false",
        "TERMA_RETRIES": "0",
    }
    for name, server in servers.items():
        said |= {
            f"TERMA_MODELS__{name.upper()}__MODEL": name,
            f"TERMA_MODELS__{name.upper()}__API_BASE": server.base,
            f"TERMA_MODELS__{name.upper()}__API_KEY_ENV": "WORK_API_KEY",
        }
    home.configure(said | {"TERMA_LOCAL_PORTS": "[]"})
    made = {name: {"TERMA_MODEL": name, "WORK_API_KEY": KEYS[name]} for name in servers} | {"none": {}}
    started = made["one"] | {
        "OPENAI_API_KEY": "sk-openai-of-one",
        "TERMA_ENGINE": "litellm",
        "HTTPS_PROXY": "http://x",
    }
    assert call(home, started, "agent", "start").returncode == 0
    return made


def call(
    home: Home, env: dict[str, str], *words: str, cwd: Path | None = None
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [TERMA, *words],
        env=home.env | {"SHELL": "/bin/bash"} | env,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=3 * WAIT,
        cwd=cwd or home.home,
        start_new_session=True,
        check=False,
    )


def answered_by(servers: dict[str, ModelServer], name: str) -> None:
    """The model of that name was asked, with its shell's key; nobody else was."""
    other = "two" if name == "one" else "one"
    assert servers[name].wait_for(1).headers["authorization"] == f"Bearer {KEYS[name]}"
    assert servers[other].seen == []
    servers[name].seen.clear()


FAILED = ("why", "--command", "make tset", "--status", "2", "what is wrong?")


@pytest.mark.parametrize("words", [("suggest", "say which you are"), FAILED, ("ask", "which one are you?")])
def test_a_program_is_answered_by_its_shell_s_model(home, servers, shells, words: tuple[str, ...]) -> None:
    for name in ("two", "one"):
        done = call(home, shells[name], *words)
        assert done.returncode == 0, done.stderr
        answered_by(servers, name)
    call(home, shells["none"], *words)
    assert not servers["one"].seen and not servers["two"].seen


def test_models_names_what_answers_in_the_shell_that_asks(home, shells) -> None:
    for name, used in (("two", "two"), ("one", "one"), ("none", "offline")):
        shown = json.loads(call(home, shells[name], "models", "--json").stdout)
        assert (shown["used"], shown["keys"]) == (used, [])


@pytest.mark.parametrize("shell", [in_zsh.zsh, in_bash.bash, in_xonsh.xonsh], ids=["zsh", "bash", "xonsh"])
def test_the_key_is_answered_by_its_shell_s_model(home, servers, shells, shell) -> None:
    for name in ("two", "one"):
        with shell(home, env=shells[name]) as typing:
            typing.type("say which you are").line()
            typing.press("C-t").wait_for(f"echo {name}")
            answered_by(servers, name)
    with shell(home, env=shells["none"]) as typing:
        typing.type("extract backup.tar.gz").line()
        typing.press("C-t").wait_for("tar ")
    assert not servers["one"].seen and not servers["two"].seen


def test_the_agent_holds_nothing_of_the_shell_that_started_it(home, shells) -> None:
    pid = holder(home.runtime)
    held = Path(f"/proc/{pid}/environ").read_text()
    for word in ("sk-", "TERMA_MODEL", "TERMA_ENGINE", "_API_KEY", "PROXY"):
        assert word not in held
    assert f"HOME={home.home}" in held


def test_a_key_under_another_name_is_said_to_be_unknown(home, servers, shells) -> None:
    base = {"MODEL": "x", "API_BASE": servers["one"].base, "API_KEY_ENV": "SESAME"}
    home.configure({"TERMA_MODEL": "m"} | {f"TERMA_MODELS__M__{key}": value for key, value in base.items()})
    done = call(home, {"SESAME": "open"}, "suggest", "list files")
    assert done.returncode == 1
    assert "SESAME" in done.stderr and "_API_KEY" in done.stderr
    assert os.linesep.join(done.stderr.splitlines()[:2]) == done.stderr.rstrip()
