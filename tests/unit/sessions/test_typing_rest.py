"""How long is waited before anything is typed: for a login that nobody has typed to, and behind a Ctrl+C."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest

from terma.agent.sessions import typing
from terma.sessions import clearing
from terma.sessions.probe import BUSY, READING, Look


class Clock:
    """A session whose time passes when somebody waits for it. `begins`: the second from which on it waits for keys."""

    def __init__(self, begins: float) -> None:
        self.begins, self.now = begins, 100.0
        self.kind = SimpleNamespace(marked=False)
        self.setting_up, self.interrupted, self.phase = False, True, "running"
        self.homes: list[str] = []
        self.rooms: list[str] = []

    def state(self) -> str:
        return "needs_input" if self.now - 100.0 >= self.begins else "running"

    def look(self) -> Look:
        return Look(True, READING if self.state() == "needs_input" else BUSY, canonical=False, echo=False)

    def quiet(self) -> float:
        return self.now - 100.0

    async def change(self, seconds: float) -> bool:
        self.now += seconds
        return False


def rested(session: Any, monkeypatch: pytest.MonkeyPatch, patience: float = 30.0) -> str:
    monkeypatch.setattr(typing.time, "monotonic", lambda: session.now)
    return asyncio.run(typing._rested(session, 0.5, patience))


@pytest.mark.parametrize(
    ("begins", "entered", "patience", "state"),
    [
        (6.0, [], 30.0, "needs_input"),  # ssh on a busy machine
        (6.0, ["$"], 30.0, "running"),  # a command that was entered runs
        (6.0, [], 1.0, "running"),
        (60.0, [], 30.0, "running"),
    ],
)
def test_a_login_that_nobody_has_typed_to_is_given_time_for_its_prompt(
    monkeypatch: pytest.MonkeyPatch, begins: float, entered: list[str], patience: float, state: str
) -> None:
    session = Clock(begins)
    session.homes = entered
    assert rested(session, monkeypatch, patience) == state


@pytest.mark.parametrize(("begins", "waited"), [(0.0, 0.08), (0.5, 0.5), (60.0, 60.0)])
def test_what_follows_a_ctrl_c_is_typed_when_that_was_taken(begins: float, waited: float) -> None:
    async def take(session: Any) -> None:
        async with asyncio.timeout(5):
            await clearing.taken(session)

    session = Clock(begins)
    session.interrupted = False
    asyncio.run(take(session))
    assert session.now == 100.0  # nothing to wait for
    session.interrupted = True
    if begins > 5:
        session.phase = clearing.EXITED
    asyncio.run(take(session))
    assert session.now >= 100.0 + (0.0 if begins > 5 else waited)
    assert session.interrupted is False
