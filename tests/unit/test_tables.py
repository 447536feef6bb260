"""A table that is one test runs every row of it, and says of each row that failed which it was."""

from __future__ import annotations

import pytest

from tests.tables import every

SEEN: list[tuple[int, str]] = []


@pytest.mark.parametrize("letter", ["a", pytest.param("b")])
@pytest.mark.parametrize(("number", "twice"), [(1, 2), (2, 4), (3, 6)])
def test_each_row_runs(number: int, twice: int, letter: str) -> None:
    assert twice == 2 * number
    SEEN.append((number, letter))


def test_and_was_one_test(request: pytest.FixtureRequest) -> None:
    names = [
        item.name
        for item in request.session.items
        if item.nodeid.startswith(f"{__name__.replace('.', '/')}.py")
    ]
    if request.config.getoption("apart"):
        assert sum(name.startswith("test_each_row_runs[") for name in names) == 6
    elif "test_each_row_runs" in names:
        assert sorted(SEEN) == [(number, letter) for number in (1, 2, 3) for letter in "ab"]
    else:
        assert names == ["test_and_was_one_test"]


@pytest.mark.parametrize("number", [1, 2])
def test_what_a_fixture_makes_is_each_rows_own(
    number: int, request: pytest.FixtureRequest, tmp_path: object
) -> None:
    assert request.node.name == f"test_what_a_fixture_makes_is_each_rows_own[{number}]"


def _even(number: int, unit: str) -> None:
    if number == 7:
        pytest.skip("no sevens")
    if number == 9:
        pytest.fail("nine")
    assert number % 2 == 0, f"odd {unit}"


def test_one_row_that_fails_is_its_own_error_with_its_values() -> None:
    with pytest.raises(AssertionError, match="odd m") as caught:
        every(_even, [{"number": number} for number in (2, 3, 4, 7)], {"unit": "m"})
    assert caught.value.__notes__ == ["row: number=3"]


def test_every_row_that_fails_is_told() -> None:
    rows = [{"number": number} for number in range(60)]
    with pytest.raises(BaseExceptionGroup) as caught:
        every(_even, rows, {"unit": "m"})
    told = str(caught.value)
    assert told.startswith("29 of 60 rows failed")
    assert all((f"number={n}\n" in told) == (n % 2 == 1 and n != 7) for n in range(60))


def test_a_row_that_was_skipped_is_not_hidden() -> None:
    with pytest.raises(pytest.skip.Exception, match="1 of 3 rows: no sevens"):
        every(_even, [{"number": number} for number in (2, 7, 4)], {"unit": "m"})
