"""Nothing that a repository names is run for its state: a matrix of all the ways in which git could be told to."""

from __future__ import annotations

import asyncio
import os
import random
from pathlib import Path

import pytest

from terma.context import git
from tests.hostile_git import TRAPS, Maker, Witness, keys, setting, springs, work

PATIENT = 60.0  # seconds: a status that is cut off would prove nothing
AT_ONCE = 20  # keys in one configuration


def ids(make: Maker) -> str:
    return make.__name__


@pytest.mark.parametrize("make", TRAPS, ids=ids)
def test_no_trap_is_sprung(tmp_path: Path, make: Maker, monkeypatch: pytest.MonkeyPatch) -> None:
    witness = Witness.make(tmp_path / "witness")
    trap = make(tmp_path, witness)
    for name, value in trap.env:
        monkeypatch.setenv(name, value)
    path = dict(trap.env).get("PATH", os.environ["PATH"])
    state = asyncio.run(git.state(str(trap.cwd), path, limit=PATIENT))
    assert state
    assert state.branch in ("main", "side")
    assert not witness.ran.exists()
    if trap.spring:
        assert springs(trap, witness), "the trap is none"


def test_no_key_that_git_has_runs_anything(tmp_path: Path) -> None:
    """Some keys at once, each of them twice: one that keeps git from heeding another has other company then."""
    witness = Witness.make(tmp_path / "witness")
    made = work(tmp_path)
    plain = (made / ".git/config").read_bytes()
    listed = list(keys())
    shuffled = random.Random(13).sample(listed, len(listed))
    for some in (
        order[at : at + AT_ONCE] for order in (listed, shuffled) for at in range(0, len(order), AT_ONCE)
    ):
        (made / ".git/config").write_bytes(plain)
        with (made / ".git/config").open("a") as file:
            file.writelines(setting(key, witness.program) for key in some)
        state = asyncio.run(git.state(str(made), limit=PATIENT))
        assert state and state.counted, some
        assert not witness.ran.exists(), some
