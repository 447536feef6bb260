"""Each shell's past is kept apart, without what says nothing, and never more of it than was allowed."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from terma.context.memory import LIMIT, MAX_EVENTS, MAX_OUTPUT, Event, Memory, Shell, is_trivial

ONE, OTHER = ("zsh", 1), ("bash", 2)


def memory(limit: int = LIMIT) -> Memory:
    return Memory(limit, alive=lambda _: True)


def commands(kept: Memory, shell: Shell = ONE) -> list[str]:
    return [event.command for event in kept.recent(shell, 10**9)]


@pytest.mark.parametrize(
    "command",
    ["ls", "ls -la", "  ll", "pwd", "clear", "cd", "cd ..", "cd -", "exit", "history 20", "terma why", "terma | cat",
     "?why", "?why is it so; rm x", "", "  ", "command ls", "\\ls", ".."],
)  # fmt: skip
def test_what_says_nothing_is_dropped_unless_it_failed(command: str) -> None:
    kept = memory()
    assert is_trivial(command)
    assert not kept.remember(ONE, Event(command, 0))
    assert not kept.remember(ONE, Event(command))
    assert kept.remember(ONE, Event(command, 2)) == bool(command.strip())


@pytest.mark.parametrize(
    "command", ["lsof -i", "ls | wc -l", "ls > files", "cd x && make", "git status", "lsblk", "./ls"]
)
def test_what_says_something_is_kept(command: str) -> None:
    kept = memory()
    assert kept.remember(ONE, Event(command, 0))
    assert commands(kept) == [command]


def test_shells_do_not_see_each_other() -> None:
    kept = memory()
    kept.remember(ONE, Event("make", 2))
    kept.remember(OTHER, Event("git push", 1))
    assert (commands(kept, ONE), commands(kept, OTHER)) == (["make"], ["git push"])
    assert kept.recent(("zsh", 3)) == ()


def test_the_same_again_only_counts() -> None:
    kept = memory()
    for status in (2, 2, 2, 0):
        kept.remember(ONE, Event("make test", status, output=f"ended with {status}"))
    first, last = kept.recent(ONE)
    assert (first.times, first.line) == (3, "make test (status 2, 3 times)")
    assert (last.times, last.line) == (1, "make test")
    kept.remember(ONE, Event("make test", 0))
    assert kept.recent(ONE)[-1].output == "ended with 0"


def test_the_oldest_goes_first_over_all_shells() -> None:
    kept = memory(limit=1_000)
    kept.remember(ONE, Event("first"))
    for number in range(20):
        kept.remember(OTHER, Event(f"echo {number}"))
    assert commands(kept, ONE) == []
    assert commands(kept, OTHER)[-1] == "echo 19"
    assert "echo 0" not in commands(kept, OTHER)
    assert 0 < kept.size <= 1_000


def test_of_an_output_the_end_is_kept() -> None:
    kept = memory()
    kept.remember(ONE, Event("make", 2, output="x" * 5_000 + "the end"))
    (event,) = kept.recent(ONE)
    assert len(event.output) == MAX_OUTPUT
    assert event.output.endswith("the end")


def test_recent_gives_the_newest_that_fit_oldest_first() -> None:
    kept = memory()
    for number in range(10):
        kept.remember(ONE, Event(f"echo {number}"))
    size = kept.recent(ONE)[-1].size
    assert [event.command for event in kept.recent(ONE, 3 * size)] == ["echo 7", "echo 8", "echo 9"]
    assert kept.recent(ONE, 0) == ()


def test_a_shell_keeps_a_bounded_number_of_events() -> None:
    kept = memory()
    for number in range(3 * MAX_EVENTS):
        kept.remember(ONE, Event(f"echo {number}"))
    assert len(commands(kept)) == MAX_EVENTS


def test_what_a_dead_shell_did_is_forgotten() -> None:
    child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    kept = Memory()
    mine, gone = ("zsh", os.getpid()), ("zsh", child.pid)
    kept.remember(mine, Event("mine", 1))
    kept.remember(gone, Event("gone", 1))
    kept.sweep()
    assert (commands(kept, mine), commands(kept, gone)) == (["mine"], ["gone"])
    child.communicate()
    kept.sweep()
    assert (commands(kept, mine), commands(kept, gone)) == (["mine"], [])
    assert kept.size == kept.recent(mine)[0].size


def test_a_new_shell_sweeps_out_the_dead() -> None:
    living = {ONE}
    kept = Memory(alive=living.__contains__)
    kept.remember(ONE, Event("make", 1))
    living.clear()
    kept.remember(OTHER, Event("git push", 1))
    assert commands(kept, ONE) == []


@given(
    st.lists(
        st.tuples(
            st.sampled_from([ONE, OTHER, ("bash", 7)]),
            st.sampled_from(["ls", "make", "git push", "x" * 3_000]),
            st.integers(-1, 2),
            st.text(max_size=30),
        ),
        max_size=80,
    ),
    st.integers(0, 3_000),
)
def test_the_sizes_add_up_and_stay_in_bounds(happened: list[tuple[Shell, str, int, str]], limit: int) -> None:
    kept = memory(limit)
    for shell, command, status, output in happened:
        kept.remember(shell, Event(command, status, output=output))
        assert kept.size <= limit
    shells = {shell for shell, *_ in happened}
    assert kept.size == sum(event.size for shell in shells for event in kept.recent(shell, 10**9))
