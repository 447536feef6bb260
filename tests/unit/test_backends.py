"""Backends are known by name: ours, and what a person adds; a name that nobody has is none."""

from __future__ import annotations

from pathlib import Path

import pytest

from terma import backends


def test_ours_are_known_and_a_name_that_nobody_has_is_not() -> None:
    assert all(backends.known(name) for name in backends.names())
    assert not backends.known("nobody")


def test_one_that_a_person_added_is_known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    folder = tmp_path / "terma" / "backends"
    folder.mkdir(parents=True)
    (folder / "parrot.py").write_text("PLUGIN = None\n", encoding="utf-8")
    assert backends.known("parrot")
    assert backends.names()[-1] == "parrot"
