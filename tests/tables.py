"""A table of cases is one test, and each row that fails is told.

Thousands of rows take a microsecond each and were a test each: to collect, send to a worker and report one costs
milliseconds, in every worker. So a parametrised test runs all its rows in one go, where no row needs a fixture of its
own. `pytest --apart` makes each row a test again, for work on one of them.
"""

from __future__ import annotations

import functools
import inspect
import itertools
from collections.abc import Callable, Collection, Mapping

import pytest

SHOWN = 10  # rows whose failure is shown whole; of the others the values alone
_OUTCOMES = (Exception, pytest.fail.Exception, pytest.skip.Exception)
_PARAM = type(pytest.param())

Row = dict[str, object]


def folded(collector: pytest.Module, test: object) -> Callable[..., None] | None:
    """One function that runs every row of the parametrised `test`; None where it has to stay as it is."""
    marks = _marks(test)
    if not inspect.isfunction(test) or not marks or hasattr(test, "hypothesis"):
        return None
    tables = [_table(mark) for mark in marks]
    if None in tables or not _shares(
        collector, test, {name for table in tables for row in table or () for name in row}
    ):
        return None
    rows = [_joined(parts) for parts in itertools.product(*(table for table in tables if table is not None))]
    return _over(test, rows) if rows else None


def _marks(test: object) -> list[pytest.Mark]:
    return [mark for mark in getattr(test, "pytestmark", ()) if mark.name == "parametrize"]


def _table(mark: pytest.Mark) -> list[Row] | None:
    """A mark's rows by name; None for what only pytest can do: marks on a row, values for fixtures, another scope."""
    if len(mark.args) != 2 or set(mark.kwargs) - {"ids"} or not isinstance(mark.args[1], Collection):
        return None
    named, values = mark.args
    names = [name.strip() for name in named.split(",")] if isinstance(named, str) else list(named)
    rows: list[Row] = []
    for value in values:
        if isinstance(value, _PARAM):
            if value.marks:
                return None
            cells = value.values
        else:
            cells = tuple(value) if len(names) > 1 else (value,)
        rows.append(dict(zip(names, cells, strict=True)))
    return rows


def _shares(collector: pytest.Module, test: Callable[..., None], own: set[str]) -> bool:
    """Whether no fixture of the test is made anew for each row. `own` are the names that the rows give."""
    info = collector.session._fixturemanager.getfixtureinfo(node=collector, func=test, cls=None)
    for name in set(info.names_closure) - own:
        found = info.name2fixturedefs.get(name)
        if not found or found[-1].scope == "function":
            return False
    return True


def _joined(parts: tuple[Row, ...]) -> Row:
    return {name: value for part in parts for name, value in part.items()}


def _over(test: Callable[..., None], rows: list[Row]) -> Callable[..., None]:
    @functools.wraps(test)
    def table(**shared: object) -> None:
        every(test, rows, shared)

    given = inspect.signature(test).parameters.values()
    table.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        [one.replace(kind=one.KEYWORD_ONLY) for one in given if one.name not in rows[0]]
    )
    table.pytestmark = [mark for mark in test.pytestmark if mark.name != "parametrize"]  # type: ignore[attr-defined]
    return table


def every(test: Callable[..., None], rows: list[Row], shared: Mapping[str, object]) -> None:
    """Run `test` on each row. Raises what failed: the one error, or a group of them whose message has every row. Where
    rows were skipped and none failed, the test is."""
    failed: list[tuple[Row, BaseException]] = []
    skipped: list[BaseException] = []
    for row in rows:
        try:
            test(**row, **shared)
        except _OUTCOMES as error:
            if isinstance(error, pytest.skip.Exception):
                skipped.append(error)
                continue
            error.add_note(f"row: {_shown(row)}")
            failed.append((row, error))
    if len(failed) == 1:
        raise failed[0][1]
    if failed:
        told = "\n".join(_shown(row) for row, _ in failed)
        raise BaseExceptionGroup(
            f"{len(failed)} of {len(rows)} rows failed:\n{told}\n", [error for _, error in failed[:SHOWN]]
        )
    if skipped:
        pytest.skip(f"{len(skipped)} of {len(rows)} rows: {skipped[0]}")


def _shown(row: Row) -> str:
    return ", ".join(f"{name}={_short(value)}" for name, value in row.items())


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 200 else f"{text[:150]}…{text[-40:]}"
