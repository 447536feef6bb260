"""The last command's own output is found among everything else that a terminal shows."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as some

from terma.context.cut import TAIL, by_text
from terma.types import CaptureRequest
from tests.unit.context.screens import SCREENS, Seen


@pytest.mark.parametrize("seen", SCREENS.values(), ids=SCREENS.keys())
def test_the_output_of_the_last_command_is_cut_out(seen: Seen) -> None:
    request = CaptureRequest({}, shell=seen.shell, command=seen.command, asked=seen.asked)
    cut = by_text(seen.screen, request, seen.columns)
    assert cut.found == (seen.output is not None), cut.text
    if seen.output is not None:
        assert cut.text == seen.output


def test_what_is_not_found_gives_the_end_of_the_screen_without_the_question() -> None:
    rows = "\n".join(f"line {number}" for number in range(500))
    cut = by_text(f"{rows}\n$ ?why\n", CaptureRequest({}, command="make", asked="?why"))
    assert not cut.found
    assert cut.text.split("\n") == [f"line {number}" for number in range(500 - TAIL, 500)]


def test_a_command_that_was_not_known_is_told() -> None:
    cut = by_text("me@box:~$ make all       12:01\nerror\nme@box:~$ ?why", CaptureRequest({}, asked="?why"))
    assert (cut.text, cut.found, cut.command) == ("error", True, "make all")


def test_what_terma_has_said_already_may_stand_beneath_the_question() -> None:
    said = "\n".join(f"It said {number}." for number in range(25))
    cut = by_text(f"$ make\nerror\n$ ?why\n{said}", CaptureRequest({}, asked="?why"))
    assert (cut.text, cut.found, cut.command) == ("error", True, "make")


def test_a_long_output_is_given_whole() -> None:
    rows = "\n".join(f"line {number}" for number in range(4000))
    cut = by_text(f"$ make\n{rows}\n$ ?why", CaptureRequest({}, command="make", asked="?why"))
    assert cut.found
    assert cut.text == rows


def test_rows_that_begin_the_command_again_and_again_cost_no_more_than_a_look() -> None:
    hostile = "\n".join(["a" * 20_000] * 50)
    cut = by_text(f"{hostile}\n$ ?why", CaptureRequest({}, command="a" * 5_000 + "b", asked="?why"))
    assert not cut.found


_TEXT = some.text(alphabet=some.sampled_from(list("ab$ %\n?why>;\\⏎\u6f22\0\x1b")), max_size=200)


@given(_TEXT, _TEXT, _TEXT, some.sampled_from(["bash", "zsh", "fish"]), some.integers(0, 20))
def test_whatever_stands_there_something_is_said(
    screen: str, command: str, asked: str, shell: str, columns: int
) -> None:
    request = CaptureRequest({}, shell=shell, command=command, asked=asked)
    assert len(by_text(screen, request, columns).text) <= len(screen)
