"""`terma ask --yes` with a wide list, in directories that want to be run."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import Home
from tests.e2e.test_two_shells import call
from tests.hostile_git import Witness, work
from tests.hostile_places import OBEYED, PLACES, Place
from tests.model_server import ModelServer, says
from tests.shells.in_terma import MODEL, prepared, proposes

ALLOWED = "git ls cat find rg head wc file stat du tree grep make npm cargo yarn python3 sh".split()
ASKED = (
    "git status",
    "git diff",
    "git log -p -1",
    "git show",
    "git st",
    "ls",
    "ls -la *",
    "cat n*",
    "find . -name '*.txt'",
    "make -n",
    "npm run test",
    "yarn --version",
    "cargo --version",
    "python3 -c 1",
    "./git status",
)


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer() as made:
        yield made


@pytest.fixture
def asking(home: Home, server: ModelServer) -> Home:
    prepared(home, server)
    allow = json.dumps([f"{name} *" for name in ALLOWED])
    home.configure(MODEL | {"TERMA_MODELS__M__API_BASE": server.base, "TERMA_CONVERSATION__ALLOW": allow})
    return home


@pytest.mark.parametrize("make", PLACES, ids=lambda make: make.__name__)
def test_ask_yes_runs_nothing_of_the_directory(
    asking: Home, tmp_path: Path, server: ModelServer, make: Place
) -> None:
    """What the list lets through only reads; what would run the directory's own code is not run."""
    witness = Witness.make(tmp_path / "witness")
    where = make(tmp_path, witness)
    server.will(proposes(*ASKED, str(witness.program)), says("All done."))
    done = call(asking, {}, "ask", "--yes", "look around", cwd=where)
    assert (done.returncode, done.stdout) == (0, "All done.\n"), done.stderr
    for runs in ("make -n", "npm run test", "yarn --version", "python3 -c 1", "./git status", "git st"):
        assert f"not run: {runs}" in done.stderr
    assert not witness.ran.exists()
    assert not (where / "ran").exists()
    assert [one for one in OBEYED if one in done.stderr.encode()] == []


def test_a_repository_that_allows_itself_commands_is_refused(
    asking: Home, tmp_path: Path, server: ModelServer
) -> None:
    witness = Witness.make(tmp_path / "witness")
    where = work(tmp_path)
    (where / ".terma.toml").write_text('[conversation]\nallow = ["*"]\n')
    server.will(proposes(str(witness.program)), says("All done."))
    done = call(asking, {}, "ask", "--yes", "look around", cwd=where)
    assert done.returncode == 1
    assert "a project may not set conversation.allow" in done.stderr
    assert not witness.ran.exists()
    assert server.seen == []
