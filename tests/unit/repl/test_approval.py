"""Nothing is approved but by a key that was pressed after the whole proposal was there to be read."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

import pytest

from terma.dialogue import Decision, Proposal
from terma.quiet import EARLY, QUIET, Quiet
from terma.repl.approval.approver import NOBODY, TerminalApprover
from terma.repl.approval.question import Helpers
from terma.repl.display.drawing import Drawing
from terma.repl.tty.terminal import Terminal
from terma.types import Risk
from tests.conftest import WAIT
from tests.unit.repl.at_terminal import Person, person

LOW = Proposal("1", "run_command", "ls -l", "lists the files here")
MEDIUM = replace(LOW, command="sudo ls", risk=Risk("medium", ("needs root",)))
HIGH = replace(LOW, command="rm -rf build", risk=Risk("high", ("deletes files, recursively",)))
KEYS = "quit"


async def nothing(*_: Any) -> None:
    return None


def helpers(**more: Any) -> Helpers:
    made: dict[str, Any] = {
        "drained": nothing,
        "drawing": Drawing,
        "assess": lambda command: Risk("high", ("deletes",)) if "rm" in command else Risk(),
        "explain": nothing,
        "edit": nothing,
        "quiet": lambda: Quiet(seconds=0, alone=0),
    }
    return Helpers(**made | more)


def decide(
    proposal: Proposal, act: Callable[[Person], Awaitable[None]], columns: int = 80, **more: Any
) -> tuple[Decision, Person]:
    """What is decided when a person acts like that."""

    async def work(one: Person) -> Decision:
        approver = TerminalApprover(helpers(**more), one.terminal)
        task = asyncio.create_task(approver.decide(proposal, 1, 1))
        await act(one)
        return await asyncio.wait_for(task, WAIT)

    with person(columns) as one:
        decision = asyncio.run(work(one))
        assert one.echoes
        return decision, one


def pressing(*keys: str, at: str = KEYS) -> Callable[[Person], Awaitable[None]]:
    async def act(one: Person) -> None:
        await one.sees(at)
        for key in keys[:-1]:
            await one.presses(key)
        one.press(keys[-1])

    return act


class Clock:
    """Time that goes on when a test says so."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.made: list[Quiet] = []

    def quiet(self) -> Quiet:
        self.made.append(Quiet(clock=lambda: self.now, alone=0))
        return self.made[-1]

    async def early(self, count: int) -> None:
        """Until so many keys were dropped."""
        deadline = time.monotonic() + WAIT
        while sum(one.early for one in self.made) < count:
            assert time.monotonic() < deadline, f"{count} keys were not dropped"
            await asyncio.sleep(0.005)


@pytest.mark.parametrize("proposal", [LOW, MEDIUM, HIGH])
def test_what_is_typed_as_a_proposal_appears_decides_nothing(proposal: Proposal) -> None:
    clock = Clock()

    async def act(one: Person) -> None:
        await one.sees("risk")
        for number, key in enumerate("cat bad\ryes\ry\r", 1):
            one.press(key)
            await clock.early(number)
            clock.now += QUIET * 0.9  # slow fingers are fingers all the same
            assert KEYS not in one.seen
        clock.now += QUIET
        await one.sees(KEYS)
        one.press("n")

    decision, one = decide(proposal, act, quiet=clock.quiet)
    assert decision == Decision("reject")
    assert EARLY in one.seen


def test_a_word_that_begins_like_an_answer_is_none() -> None:
    async def act(one: Person) -> None:
        await one.sees(KEYS)
        for key in "yum all\r":
            one.press(key)
        await one.sees(KEYS, times=2)
        one.press("n")

    decision, _ = decide(LOW, act, quiet=lambda: Quiet(seconds=0, alone=0.3))
    assert decision == Decision("reject")


def test_to_stop_is_never_too_early() -> None:
    clock = Clock()

    async def act(one: Person) -> None:
        await one.sees("risk")
        one.press("y")
        await clock.early(1)
        one.press("\x03")

    assert decide(LOW, act, quiet=clock.quiet)[0].verdict == "reject"


def test_enter_approves_what_is_harmless() -> None:
    assert decide(LOW, pressing("\r"))[0] == Decision("approve")


@pytest.mark.parametrize("keys", [("y",), ("Y",), ("y\r",), ("yes\r",)])
def test_what_is_harmless_is_approved_by_a_key(keys: tuple[str, ...]) -> None:
    assert decide(LOW, pressing(*keys))[0] == Decision("approve")


@pytest.mark.parametrize(
    "keys", [("n",), ("no\n",), ("\x03",), ("\x04",), ("\r", "n"), ("xz y", "\x1b[A", "n")]
)
@pytest.mark.parametrize("proposal", [MEDIUM, HIGH])
def test_a_rejection_is_one(keys: tuple[str, ...], proposal: Proposal) -> None:
    assert decide(proposal, pressing(*keys))[0].verdict == "reject"


def test_enter_does_not_approve_what_needs_a_look() -> None:
    async def act(one: Person) -> None:
        await one.sees(KEYS)
        one.press("\r")
        await one.sees("Enter alone does not run this")
        await one.sees(KEYS, times=2)
        one.press("y")

    assert decide(MEDIUM, act)[0] == Decision("approve")


def test_what_destroys_wants_the_word() -> None:
    decision, one = decide(HIGH, pressing("\r", "\n", "y", "e", "\r", "yes", "\r"))
    assert decision == Decision("approve")
    assert "Enter alone does not run this: type yes" in one.seen


@pytest.mark.parametrize("keys", ["y", "yes", "yes please\r", "ye\r", "ok\r", "a", "always\r"])
def test_what_destroys_is_approved_by_nothing_less(keys: str) -> None:
    assert decide(HIGH, pressing(*keys, "\x03"))[0].verdict == "reject"


def test_keys_from_before_the_proposal_was_there_decide_nothing() -> None:
    asked = asyncio.Event()

    async def late() -> None:
        await asked.wait()

    async def act(one: Person) -> None:
        await one.arrives("y\ry\r\nyes\r")
        asked.set()
        await one.sees(KEYS)
        one.press("n")

    assert decide(LOW, act, drained=late)[0].verdict == "reject"


def test_a_paste_decides_nothing() -> None:
    assert decide(LOW, pressing("yes, and more\ry", "日本", "n"))[0].verdict == "reject"


def test_a_reason_goes_with_the_rejection() -> None:
    decision, _ = decide(LOW, pressing("r", "to", "x\x7fo slow, 慢", "\r"))
    assert decision == Decision("reject", reason="too slow, 慢")


def test_a_reason_that_is_given_up_is_a_rejection_all_the_same() -> None:
    assert decide(LOW, pressing("r", "because", "\x03"))[0] == Decision("reject")


def test_quitting_ends_it() -> None:
    assert decide(LOW, pressing("q"))[0].verdict == "quit"


def test_a_terminal_that_goes_away_is_a_rejection() -> None:
    async def act(one: Person) -> None:
        await one.sees(KEYS)
        one.hang_up()

    async def work(one: Person) -> Decision:
        approver = TerminalApprover(helpers(), one.terminal)
        task = asyncio.create_task(approver.decide(LOW, 1, 1))
        await act(one)
        return await asyncio.wait_for(task, WAIT)

    with person() as one:
        assert asyncio.run(work(one)).verdict == "reject"


def test_without_a_terminal_it_is_rejected_and_said() -> None:
    decision = asyncio.run(TerminalApprover(helpers(), lambda: None).decide(LOW, 1, 1))
    assert decision == Decision("reject", reason=NOBODY, by="nobody")


@pytest.mark.parametrize(("proposal", "by"), [(LOW, "settings"), (MEDIUM, "nobody"), (HIGH, "nobody")])
def test_the_settings_allow_what_is_harmless_alone(proposal: Proposal, by: str) -> None:
    async def allowed(_: Proposal) -> bool:
        return True

    decision = asyncio.run(TerminalApprover(helpers(allowed=allowed), lambda: None).decide(proposal, 1, 1))
    assert decision.by == by


def test_an_edited_command_is_marked_and_runs_as_edited() -> None:
    async def edit(_: Terminal, command: str) -> str:
        assert command == "ls -l"
        return "ls -la"

    decision, _ = decide(LOW, pressing("e"), edit=edit)
    assert decision == Decision("modify", command="ls -la")


def test_an_edited_command_that_destroys_is_asked_about_again() -> None:
    async def edit(_: Terminal, command: str) -> str:
        return "rm -rf /tmp/x"

    async def act(one: Person) -> None:
        await one.sees(KEYS)
        one.press("e")
        await one.sees("as you changed it")
        await one.sees("type yes")
        one.press("yes\r")

    decision, one = decide(LOW, act, edit=edit)
    assert decision == Decision("modify", command="rm -rf /tmp/x")
    assert "high risk: deletes" in one.seen


def test_an_edit_that_is_given_up_asks_again() -> None:
    async def act(one: Person) -> None:
        await one.sees(KEYS)
        one.press("e")
        await one.sees(KEYS, times=2)
        one.press("n")

    assert decide(LOW, act)[0].verdict == "reject"


def test_an_explanation_runs_nothing_and_asks_again() -> None:
    async def explain(proposal: Proposal) -> None:
        os.write(one_.slave, b"ls lists files\r\n")

    one_: Person

    async def act(one: Person) -> None:
        nonlocal one_
        one_ = one
        await one.sees(KEYS)
        one.press("?")
        await one.sees("ls lists files")
        await one.sees(KEYS, times=2)
        one.press("y")

    assert decide(LOW, act, explain=explain)[0] == Decision("approve")


def test_control_c_ends_an_explanation_and_the_question_stands() -> None:
    begun, ended = asyncio.Event(), asyncio.Event()

    async def explain(proposal: Proposal) -> None:
        begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    async def act(one: Person) -> None:
        await one.sees(KEYS)
        one.press("?")
        await begun.wait()
        one.press("\x03")
        await asyncio.wait_for(ended.wait(), WAIT)
        await one.sees(KEYS, times=2)
        one.press("y")

    assert decide(LOW, act, explain=explain)[0] == Decision("approve")


def test_the_very_same_command_is_not_asked_about_again() -> None:
    async def work(one: Person) -> list[Decision]:
        approver = TerminalApprover(helpers(), one.terminal)
        task = asyncio.create_task(approver.decide(LOW, 1, 1))
        await one.sees(KEYS)
        one.press("a")
        first = await asyncio.wait_for(task, WAIT)
        again = await asyncio.wait_for(approver.decide(replace(LOW, id="2"), 1, 1), WAIT)
        other = asyncio.create_task(approver.decide(replace(LOW, command="ls -l /"), 1, 1))
        await one.sees("ls -l /")
        one.press("n")
        return [first, again, await asyncio.wait_for(other, WAIT)]

    with person() as one:
        first, again, other = asyncio.run(work(one))
    assert (first.verdict, first.reason) == ("approve", "")
    assert again == Decision("approve", by="before")
    assert other.verdict == "reject"


def test_an_approval_for_the_session_holds_for_the_very_same_thing_in_the_very_same_place() -> None:
    create = Proposal(
        "1",
        "session_create",
        "make install",
        arguments={"session": "a", "command": ["make", "install"], "cwd": "/srv/good"},
        where={"session": "a", "directory": "/srv/good"},
    )
    others = [
        replace(create, where={"session": "a", "directory": "/srv/evil"}),
        replace(create, where={"session": "b", "directory": "/srv/good"}),
        replace(create, arguments={**create.arguments, "kind": "sh"}),
        replace(create, tool="session_exec"),
        replace(create, tool="run_command"),
    ]

    async def work(one: Person) -> list[str]:
        approver = TerminalApprover(helpers(), one.terminal)
        by = []
        for number, proposal in enumerate([create, replace(create, id="2"), *others]):
            task = asyncio.create_task(approver.decide(proposal, 1, 1))
            if number != 1:
                await one.sees(KEYS, times=number if number > 1 else 1)
                one.press("n" if number else "a")
            by.append((await asyncio.wait_for(task, WAIT)).by)
        return by

    with person() as one:
        assert asyncio.run(work(one)) == ["person", "before", *["person"] * len(others)]


def test_every_argument_and_the_directory_are_shown() -> None:
    hidden = {
        "session": "work",
        "directory": "/srv/evil\n  directory: /home/me",
        "keys": "\x1b[2J\u202e<Enter>",
    }
    proposal = Proposal("1", "session_create", "make install", where=hidden)
    _, one = decide(proposal, pressing("n"))
    for shown in ("session_create", "session: work", "directory: /srv/evil\\n  directory: /home/me"):
        assert shown in one.seen
    assert "keys: \\x1b[2J\\u202e<Enter>" in one.seen


def test_a_long_and_wide_command_is_shown_whole(columns: int = 44) -> None:
    command = (
        "for f in 图片*.jpg; do\n" + "\n".join(f"  echo '第{n}行' --option-{n}" for n in range(40)) + "\ndone"
    )
    proposal = replace(LOW, command=command, touches=("/tmp/图片",), missing=("jpegoptim is not installed",))
    decision, one = decide(proposal, pressing("n", at="quit"), columns)
    assert decision.verdict == "reject"
    joined = one.seen.replace("\r\r\n┆ ", "").replace("\r\n│ ", "\n")
    for line in command.split("\n"):
        assert line in joined
    for words in ("touches: /tmp/图片", "on this machine: jpegoptim", "longer than the screen: 42 lines"):
        assert words in one.seen


def test_cancelling_gives_the_terminal_back() -> None:
    async def work(one: Person) -> None:
        task = asyncio.create_task(TerminalApprover(helpers(), one.terminal).decide(LOW, 1, 1))
        await one.sees(KEYS)
        assert not one.echoes
        task.cancel()
        await asyncio.wait({task})
        assert task.cancelled()

    with person() as one:
        asyncio.run(work(one))
        assert one.echoes


def test_a_tool_without_a_command_shows_its_arguments_and_cannot_be_edited() -> None:
    proposal = Proposal("1", "read_file", arguments={"path": "/etc/hosts\x1b[31m", "lines": 20})
    decision, one = decide(proposal, pressing("e", "y"))
    assert decision == Decision("approve")
    assert "read_file" in one.seen
    assert "path: /etc/hosts\\x1b[31m" in one.seen
    assert "lines: 20" in one.seen
    assert "edit" not in one.seen


def test_an_approval_for_the_session_is_of_all_of_it_and_of_no_more_danger() -> None:
    long = "x" * 400
    typed = Proposal("1", "session_send", arguments={"text": f"{long}1"})

    async def work(one: Person) -> list[Decision]:
        approver = TerminalApprover(helpers(), one.terminal)
        found = []
        for proposal, key in [
            (typed, "a"),
            (replace(typed, arguments={"text": f"{long}2"}), "n"),
            (replace(LOW, command="echo > f"), "a"),
            (replace(LOW, command="echo > f", risk=Risk("medium", ("overwrites f",))), "n"),
        ]:
            seen = one.seen.count(KEYS)
            task = asyncio.create_task(approver.decide(proposal, 1, 1))
            await one.sees(KEYS, times=seen + 1)
            one.press(key)
            found.append(await asyncio.wait_for(task, WAIT))
        return found

    with person() as one:
        decisions = asyncio.run(work(one))
    assert [decision.verdict for decision in decisions] == ["approve", "reject", "approve", "reject"]
