"""A directory that means harm: nothing of it is run and nothing in it holds the agent, from whatever terma is asked."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from terma.errors import TermaError
from tests.conftest import WAIT, RunningAgent, wait_until
from tests.e2e.test_mcp import Client
from tests.e2e.test_two_shells import call
from tests.hostile_git import TRAPS, Maker, Trap, Witness, setting, springs, work
from tests.model_server import ModelServer, says
from tests.shells import in_bash, in_xonsh, in_zsh
from tests.unit.test_reading import STRANGE

FAILED = {"command": "git push", "status": "128", "output": "fatal: no upstream branch"}


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer() as made:
        yield made.will(says("echo told"))


@pytest.fixture
def agent(place: Path, server: ModelServer) -> Iterator[RunningAgent]:
    """An agent with a model, which is told of the repository; the test starts it, in the trap's own environment."""
    made = RunningAgent(place)
    del made.env["TERMA_ENGINE"]
    made.configure(
        {
            "TERMA_MODEL": "m",
            "TERMA_MODELS__M__MODEL": "tiny",
            "TERMA_MODELS__M__API_BASE": server.base,
            "TERMA_SUGGESTIONS__OFFLINE_AFTER": "0",
            "TERMA_SUGGESTIONS__CHECK": "false",
            "TERMA_LOCAL_PORTS": "[]",
        }
    )
    yield made
    made.stop()


def told(server: ModelServer) -> str:
    """All that the model was told last."""
    return "\n".join(str(turn["content"]) for turn in server.seen[-1].body["messages"])


def asked_everything(agent: RunningAgent, trap: Trap) -> None:
    """Every question that looks at the repository, as the shells and the programs put it."""
    path = dict(trap.env).get("PATH", os.environ["PATH"])
    here = {"cwd": str(trap.cwd), "path": path, "shell": "zsh"}
    agent.ask("translate", buffer="say it", **here)
    agent.ask("suggest", words="say it", **here)
    for engine in ("offline", "auto"):
        agent.ask("why", **here, **FAILED, engine=engine)
        with suppress(TermaError):  # no fix is no answer, and no harm
            agent.ask("fix", **here, **FAILED, engine=engine)
    agent.ask("why_json", **here, **FAILED)
    agent.ask("last", **here, **FAILED)
    agent.ask("place", question="what changed?", **here)


@pytest.mark.parametrize("make", TRAPS, ids=lambda make: make.__name__)
def test_no_question_springs_a_trap(agent: RunningAgent, tmp_path: Path, make: Maker) -> None:
    witness = Witness.make(tmp_path / "witness")
    trap = make(tmp_path, witness)
    agent.start(**dict(trap.env))
    asked_everything(agent, trap)
    assert not witness.ran.exists()
    if trap.spring:
        assert springs(trap, witness), "the trap is none"


@pytest.fixture
def trap(tmp_path: Path) -> tuple[Trap, Witness]:
    """Everything at once that git itself survives to read."""
    witness = Witness.make(tmp_path / "witness")
    made = work(tmp_path)
    with (made / ".git/config").open("a") as file:
        file.write(f'[core] [filter "trap"] clean = {witness.program}\n')
        for key in (
            "core.fsmonitor",
            "core.pager",
            "core.editor",
            "diff.external",
            "core.sshCommand",
            "core.askPass",
        ):
            file.write(setting(key, witness.program))
    for name in ("post-index-change", "pre-commit", "post-checkout", "reference-transaction"):
        (made / ".git/hooks").mkdir(exist_ok=True)
        hook = made / ".git/hooks" / name
        hook.write_text(witness.program.read_text())
        hook.chmod(0o755)
    return Trap(made, "status"), witness


# Enter counts at once behind an answer.
GUARD = {"zsh": "_terma_guard=0\n", "bash": "_terma_guard=0\n", "xonsh": ""}
SHELLS = {"zsh": in_zsh.zsh, "bash": in_bash.bash, "xonsh": in_xonsh.xonsh}


@pytest.mark.parametrize("shell", SHELLS)
def test_neither_the_key_nor_why_runs_it(agent, server, trap: tuple[Trap, Witness], shell: str) -> None:
    where, witness = trap
    agent.start()
    with SHELLS[shell](agent, after=GUARD[shell], cwd=where.cwd) as typing:
        typing.type("false").press("Enter").line()
        typing.type("?why").press("Enter")
        wait_until(lambda: server.seen and "Command: false" in told(server), "the model to be asked why")
        assert "Git: on main" in told(server)
        typing.line()
        typing.type("say it").line()
        typing.press("C-t")
        wait_until(lambda: "Words: say it" in told(server), "the model to be asked for a command")
        assert "Git: on main" in told(server)
    assert not witness.ran.exists()
    assert springs(where, witness)


def test_no_program_runs_it(
    agent, server, trap: tuple[Trap, Witness], monkeypatch: pytest.MonkeyPatch
) -> None:
    where, witness = trap
    agent.start()
    for words in (
        ("suggest", "say it"),
        ("why", "--command", "git push", "--status", "128", "--cwd", str(where.cwd)),
        ("ask", "what has changed here?"),
    ):
        done = call(agent, {}, *words, cwd=where.cwd)
        assert done.returncode == 0, done.stderr
        assert "Git: on main" in told(server)
    made = Client(agent, where.cwd, "auto")
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
    made.ask("initialize", **hello)
    assert "echo told" in json.dumps(made.tool("suggest", words="say it"))
    made.tool("why", command="git push", status=128, output="fatal: no upstream", cwd=str(where.cwd))
    assert "Git: on main" in told(server)
    made.tool("last_failure")
    made.close()
    assert not witness.ran.exists()


# What terma looks for in a directory, a repository or a history.
LOOKED_FOR = (
    ".terma.toml .git .git/HEAD .git/config .git/packed-refs .git/index .git/commondir .git/info/exclude .git/shallow"
    " .git/rebase-merge/head-name .git/objects .gitignore Makefile package.json pyproject.toml history"
).split()


@pytest.mark.parametrize("make", STRANGE)
def test_nothing_in_a_directory_holds_the_agent(
    agent: RunningAgent, tmp_path: Path, make: Callable[[Path], None]
) -> None:
    """Each name in turn is no file; the agent answers there, and everybody else meanwhile."""
    agent.start()
    for number, name in enumerate(LOOKED_FOR):
        (folder := tmp_path / str(number)).mkdir()
        here = work(folder)
        at = here / name
        if at.is_dir():
            at.rename(folder / "moved")
        at.unlink(missing_ok=True)
        at.parent.mkdir(parents=True, exist_ok=True)
        make(at)
        answers: list[str] = []
        asking = threading.Thread(target=_ask_in, args=(agent, here, answers), daemon=True)
        asking.start()
        assert json.loads(agent.ask("status")[-1][2])["pid"] == agent.pid
        asking.join(WAIT)
        assert len(answers) == 4, f"{name} as {make.__name__}: {answers}"


def _ask_in(agent: RunningAgent, here: Path, answers: list[str]) -> None:
    fields = {"cwd": str(here), "path": os.environ["PATH"], "shell": "zsh", "histfile": str(here / "history")}
    failed = {**FAILED, "command": "make tset", "output": "make: *** No rule to make target 'tset'.  Stop."}
    for kind, more in (
        ("translate", {"buffer": "run the tests", "displaced": ""}),
        ("why", failed),
        ("why", failed | {"engine": "offline"}),
        ("place", {"question": "what is here?"}),
    ):
        try:
            answers.append(agent.ask(kind, **fields, **more)[-1][0])
        except TermaError as error:  # to say what is wrong is an answer
            answers.append(error.message)


EXPORT = {"zsh": "export {}={}", "bash": "export {}={}", "xonsh": "${} = '{}'"}


@pytest.mark.parametrize(
    "name", ["TERMA_BIN", "TERMA_MODELS__M__API_KEY_COMMAND", "TERMA_MODELS__M__API_BASE"]
)
@pytest.mark.parametrize("shell", SHELLS)
def test_what_a_directory_exports_runs_nothing_and_moves_nothing(
    agent, server, tmp_path: Path, shell: str, name: str
) -> None:
    """As direnv does it: the variable comes after the shell has started, and before the agent has."""
    witness = Witness.make(tmp_path / "witness")
    with ModelServer() as elsewhere, SHELLS[shell](agent) as typing:
        value = elsewhere.base if name.endswith("BASE") else witness.program
        typing.type(EXPORT[shell].format(name, value)).press("Enter").line()
        typing.type("say it").line()
        if name == "TERMA_BIN":
            typing.press("C-t").wait_for("echo told")
        else:
            typing.press("C-t").wait_for(f"{name}: only your own file")
            assert server.seen == []
        assert elsewhere.seen == []
    assert not witness.ran.exists()
