"""A person's own tools: the example of docs/tools.md works as it stands, and a broken file costs only itself."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

import pytest

from terma import tools
from tests.unit.conversation.scripted import ScriptedModel, Stage, call, calls, says

PAGE = (Path(__file__).parents[3] / "docs/tools.md").read_text(encoding="utf-8")
EXAMPLE = re.search(r"```python\n(.*?)```", PAGE, re.DOTALL)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    made = tmp_path / "terma" / "tools"
    made.mkdir(parents=True)
    return made


def test_the_example_of_the_page_is_proposed_and_answers(folder: Path) -> None:
    assert EXAMPLE is not None
    (folder / "disk_free.py").write_text(EXAMPLE[1])
    stage = Stage(
        ScriptedModel(calls(call("disk_free", path="/")), says("Enough.")), tools=tools.load(["disk_free"])
    )
    asyncio.run(stage.talk.ask("is there room?"))
    assert stage.person.asked[0].description == "see what is free at /"
    assert re.fullmatch(r"[\d.]+ GiB", stage.screen.results[0])
    assert stage.model.tools[0] == ("disk_free",)


@pytest.mark.parametrize(
    "text", ["raise ValueError('no')", "x = 1", "def", "PLUGIN = 7", "import nothing_like_it"]
)
def test_a_broken_file_is_named_and_the_others_are_there(folder: Path, text: str) -> None:
    assert EXAMPLE is not None
    (folder / "a_broken.py").write_text(text)
    (folder / "disk_free.py").write_text(EXAMPLE[1])
    told: list[str] = []
    assert "disk_free" in {tool.spec.name for tool in tools.load(None, told.append)}
    assert len(told) == 1
    assert "a_broken.py" in told[0]


def test_what_others_may_write_is_not_loaded(folder: Path) -> None:
    assert EXAMPLE is not None
    file = folder / "disk_free.py"
    file.write_text(EXAMPLE[1])
    file.chmod(0o666)
    told: list[str] = []
    assert "disk_free" not in {tool.spec.name for tool in tools.load(None, told.append)}
    assert "chmod" in told[0]


def test_ours_win_over_one_of_the_same_name(folder: Path) -> None:
    assert EXAMPLE is not None
    (folder / "x.py").write_text(EXAMPLE[1].replace('"disk_free"', '"read_file"'))
    assert tools.load(["read_file"])[0].__class__.__name__ == "ReadFile"
