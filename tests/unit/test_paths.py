"""On Linux the directories are written out, and are where platformdirs has them."""

from __future__ import annotations

import sys

import platformdirs
import pytest

from terma import paths

KINDS = ("config", "state", "cache", "data")


@pytest.mark.skipif(sys.platform != "linux", reason="written out for Linux")
@pytest.mark.parametrize("value", [None, "", " ", "/somewhere/else"])
@pytest.mark.parametrize("kind", KINDS)
def test_a_directory_is_where_platformdirs_has_it(
    kind: str, value: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = f"XDG_{kind.upper()}_HOME"
    monkeypatch.delenv(name, raising=False)
    if value is not None:
        monkeypatch.setenv(name, value)
    said = getattr(platformdirs, f"user_{kind}_path")("terma", appauthor=False)
    assert getattr(paths, f"{kind}_dir")() == said
