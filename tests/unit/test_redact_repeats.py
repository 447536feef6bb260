"""A secret of a session is hidden again wherever it stands, whatever was glued to it; none is looked for in vain."""

from __future__ import annotations

import pytest

from terma.redact import Redactor
from terma.redact.repeats import Repeats

ODD = (
    "Xk29QmZr81LvTb47PwYc",  # one run
    "aB3-dE5-gH7-jK9-mN1-pQ3",  # runs too short for a word of their own
    "Xk29-QmZr81-LvTb47-PwYc",  # a run between two others
    "xK2mQ9a.Rt7_vWz",  # fifteen characters: found as a word alone
    "Zr81LvTb47PwYcQm.x",
    "Tb4Kq7z.Pw9Yc2m!x",  # two runs of less than eight
)


@pytest.mark.parametrize("value", ODD)
def test_one_that_stands_again_as_it_was_is_found(value: str) -> None:
    known = Repeats()
    known.add(value)
    held = [value] if len(known) else []
    assert sorted(known.in_text(f"and then ({value}) again", 0)) == held


@pytest.mark.parametrize("value", [value for value in ODD if len(value) >= 16 and value != ODD[1]])
@pytest.mark.parametrize("form", ["x{}", "{}x", "-p{}0", "ab{}yz"])
def test_a_long_one_is_found_inside_of_a_word(value: str, form: str) -> None:
    known = Repeats()
    known.add(value)
    assert known.in_text(f"say {form.format(value)} now", 0) == {value}


def test_a_text_that_holds_none_is_searched_for_none() -> None:
    known = Repeats()
    for number in range(500):
        known.add(f"Xk29QmZr81LvTb47PwYc{number:04}"[::-1])
    assert known.in_text("a log of plain words and a22fa0e70e239758b061a3ed96474138\n" * 50, 0) == set()


def test_those_that_were_looked_for_are_not_again() -> None:
    known = Repeats()
    known.add(ODD[0])
    before = len(known)
    known.add(ODD[2])
    assert known.in_text(f"{ODD[0]} {ODD[2]}", before) == {ODD[2]}


def test_what_a_session_hid_once_is_hidden_in_a_long_text_too_with_something_glued_to_it() -> None:
    session = Redactor()
    session.redact(f"API_TOKEN={ODD[0]}")
    text = "words of a log\n" * 12_000 + f"x{ODD[0]}\n"
    assert ODD[0] not in session.redact(text).text
