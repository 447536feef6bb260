"""Ctrl+T and ?why at a real terminal, in directories that want to be run: one shell of each kind walks them all."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.conftest import RunningAgent
from tests.hostile_git import Witness
from tests.hostile_places import OBEYED, PLACES
from tests.model_server import ModelServer, says
from tests.shells.driver import BEGINS, Shell, wait_until
from tests.shells.in_bash import bash
from tests.shells.in_xonsh import needs_xonsh, xonsh_in_pty
from tests.shells.in_zsh import zsh

Opened = Callable[..., Shell]
# What is nearly called as the file that is not there: a look-up finds it, and names it.
NEAR = ("note\u202es.txt", "notes\x1b]0;PWNED\x07.txt", "notes\u009b.txt")
FAILS = "cat ./nots.txt"
WORDS = "show the first lines of the file nots.txt"
ENGINE = {"zsh": "export TERMA_ENGINE={}", "bash": "export TERMA_ENGINE={}", "xonsh": "$TERMA_ENGINE = '{}'"}
# Enter counts at once behind an answer.
AFTER = {
    "zsh": "_terma_guard=0\n",
    "bash": "_terma_guard=0\n",
    "xonsh": "import xontrib_terma.prompt as _test_prompt\n_test_prompt.GUARD = 0\n",
}
SHELLS: dict[str, Opened] = {"zsh": zsh, "bash": bash, "xonsh": xonsh_in_pty}


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer() as made:
        yield made.will(says("head nots.txt"))


@pytest.fixture
def agent(place: Path, server: ModelServer) -> Iterator[RunningAgent]:
    """An agent with a model; the shell says which engine answers."""
    made = RunningAgent(place)
    made.configure(
        {
            "TERMA_MODEL": "m",
            "TERMA_MODELS__M__MODEL": "tiny",
            "TERMA_MODELS__M__API_BASE": server.base,
            "TERMA_SUGGESTIONS__OFFLINE_AFTER": "0",
            "TERMA_LOCAL_PORTS": "[]",
        }
    )
    yield made.start()
    made.stop()


def places(folder: Path, witness: Witness) -> Iterator[Path]:
    """Every one, with the names that are nearly right."""
    for make in PLACES:
        own = folder / make.__name__
        own.mkdir()
        made = make(own, witness)
        for name in NEAR:
            (made / name).touch()
        yield made


def asked_both_ways(shell: Shell) -> None:
    """A command fails, ?why is entered, and words are put to the key."""
    shell.run(FAILS)
    shell.type("?why").line()
    told(shell, "Enter", lambda new: BEGINS in new.partition(b"exit status 1")[2], "why, and a prompt")
    while shell.line().text:
        shell.press("C-e", "C-u")
    shell.type(WORDS).line()
    told(shell, "C-t", lambda new: b"head" in new, "an answer to the key")
    busy = shell.home / "busy"  # xonsh's: it takes no Enter before the end
    wait_until(lambda: shell.read() + b"-" and (not busy.exists() or busy.read_text() == "False"), "the end")
    assert shell.line().text.startswith("head")


def said(server: ModelServer, after: int) -> str:
    """All that the model was told since."""
    return "\n".join(str(turn["content"]) for seen in server.seen[after:] for turn in seen.body["messages"])


def told(shell: Shell, key: str, seen: Callable[[bytes], bool], what: str) -> None:
    """Press a key, and read until `seen` of what is written from then on."""
    begun = len(shell.raw)
    shell.press(key)
    wait_until(lambda: shell.read(0.01) + b"-" and seen(shell.raw[begun:]), what)


@pytest.mark.parametrize(
    "kind", [pytest.param(kind, marks=needs_xonsh if kind == "xonsh" else ()) for kind in SHELLS]
)
def test_neither_the_key_nor_why_runs_what_lies_there_or_repeats_its_orders(
    agent: RunningAgent, server: ModelServer, tmp_path: Path, kind: str
) -> None:
    witness = Witness.make(tmp_path / "witness")
    walked: list[str] = []
    with SHELLS[kind](agent, after=AFTER[kind]) as shell:
        for where in places(tmp_path, witness):
            shell.run(f"cd {where}")
            for engine in ("offline", "auto"):
                shell.run(ENGINE[kind].format(engine))
                asked, begun = len(server.seen), len(shell.raw)
                asked_both_ways(shell)
                assert (len(server.seen) > asked) is (engine == "auto"), where
                assert [one for one in OBEYED if one in shell.raw[begun:]] == [], where
                assert [one for one in OBEYED if one.decode() in said(server, asked)] == [], where
            walked += [str(where)] * (not witness.ran.exists() and not (where / "ran").exists())
        entered = [line.partition(" ")[0] for line in shell.ran]
        assert {*entered} <= {"cd", "export", "$TERMA_ENGINE", "cat", "?why", "_terma_why", "terma"}
    assert len(walked) == len(PLACES)
