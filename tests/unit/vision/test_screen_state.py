"""One state of the terminal, whoever read it: what does not validate is an error, never a guess."""

from __future__ import annotations

import pytest

from terma.vision.errors import EyesError
from terma.vision.screen.state import Looks, state
from terma.vision.types import Cursor


def of(*rows: str, cursor: Cursor | None = None, looks: Looks | None = None):
    return state(rows, [1.0] * len(rows), 80, "test", cursor, looks)


@pytest.mark.parametrize("row", ["user@box:~$", "root@box:/#", "box%", "~/src ❯", "PS C:\\>"])
def test_a_prompt_is_seen(row: str) -> None:
    assert of("total 84", row, "").prompt


@pytest.mark.parametrize("row", ["user@box:~$ make", "total 84", "", "100% done"])
def test_what_is_no_prompt_is_none(row: str) -> None:
    assert not of("x", row).prompt


def test_a_prompt_above_the_cursor_is_over() -> None:
    assert not of("user@box:~$", "Compiling", cursor=Cursor(row=1, column=9)).prompt


def test_a_prompt_of_its_own_kind_is_set() -> None:
    assert of("ready:", looks=Looks(r"ready:$")).prompt


@pytest.mark.parametrize(
    "row",
    [
        "[sudo] password for me:",
        "Enter passphrase for key '/home/me/.ssh/id':",
        "Password:",
        "PIN:",
        "me@box's password:",
    ],
)
def test_a_question_for_a_secret_is_seen(row: str) -> None:
    assert of("x", row).password


@pytest.mark.parametrize("row", ["the password was changed", "password: hunter2", "user@box:~$", "login:"])
def test_what_asks_for_no_secret_does_not(row: str) -> None:
    assert not of(row).password


@pytest.mark.parametrize("row", ["\x1b[31mred", "a\tb", "x\u202ey", "\x00", "x" * 81])
def test_what_is_no_screen_is_an_error(row: str) -> None:
    with pytest.raises(EyesError, match="is no screen"):
        of(row)


def test_a_cursor_outside_is_an_error() -> None:
    with pytest.raises(EyesError):
        of("x", cursor=Cursor(row=3, column=0))


def test_confidences_and_rows_are_as_many() -> None:
    with pytest.raises(EyesError):
        state(["a", "b"], [1.0], 80, "test")
