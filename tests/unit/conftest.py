"""Unit tests: their tables are one test each (tests/tables.py)."""

from __future__ import annotations

import pytest

from tests import tables


def pytest_pycollect_makeitem(
    collector: pytest.Module | pytest.Class, name: str, obj: object
) -> list[pytest.Function] | None:
    if collector.config.getoption("apart") or not isinstance(collector, pytest.Module):
        return None
    if not name.startswith("test"):
        return None
    one = tables.folded(collector, obj)
    return None if one is None else [pytest.Function.from_parent(collector, name=name, callobj=one)]
