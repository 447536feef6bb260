"""Plug-ins are found by the file that exports them, and not imported before they are named."""

from __future__ import annotations

import subprocess
import sys
import textwrap
import threading
from pathlib import Path

import pytest

from terma import registry
from terma.errors import UsageError
from tests.conftest import WAIT


def test_a_file_in_the_package_is_a_plug_in():
    assert {"offline", "scripted"} <= set(registry.names("terma.providers"))
    assert registry.load("terma.providers", "scripted").name == "scripted"


@pytest.mark.parametrize("name", ["quantum", "", "../errors", "__init__", "offline.x"])
def test_a_name_that_is_none_says_which_there_are(name: str):
    with pytest.raises(UsageError, match="there is no") as caught:
        registry.load("terma.providers", name)
    assert "offline" in caught.value.hint


def test_listing_imports_none_of_them():
    code = """
import sys
from terma import registry
registry.names("terma.providers")
print("terma.providers.scripted" in sys.modules)
"""
    said = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, text=True, check=True)
    assert said.stdout == "False\n"


def test_another_distribution_adds_one_by_entry_point(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "elsewhere.py").write_text("PLUGIN = 'mine'\n")
    info = tmp_path / "elsewhere-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: elsewhere\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(
        textwrap.dedent("""\
            [terma.plugins]
            providers.mine = elsewhere:PLUGIN
        """)
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    assert registry.load("terma.providers", "mine") == "mine"


LOADING = threading.Event()
GO_ON = threading.Event()


def test_one_that_another_question_is_loading_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder := tmp_path / "loaded_by_two").mkdir()
    (folder / "__init__.py").touch()
    (folder / "slow.py").write_text(
        f"from {__name__} import GO_ON, LOADING\nLOADING.set()\nGO_ON.wait()\nPLUGIN = 'whole'\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    first = threading.Thread(target=registry.load, args=("loaded_by_two", "slow"))
    first.start()
    assert LOADING.wait(WAIT)
    threading.Timer(0.1, GO_ON.set).start()
    assert registry.load("loaded_by_two", "slow") == "whole"
    first.join()
