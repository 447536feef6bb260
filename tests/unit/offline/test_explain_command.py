"""`terma why` speaks to people, to programs, and in batches."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

from terma.cli import main

OUTPUT = "git: 'stauts' is not a git command. See 'git --help'.\n\nThe most similar command is\n\tstatus\n"


def test_it_explains_and_prints_the_fix(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "out").write_text(OUTPUT)
    assert main(["why", "--command", "git stauts", "--output-file", str(tmp_path / "out")]) == 0
    text = capsys.readouterr().out
    assert "stauts" in text
    assert text.splitlines()[-1] == "  git status"


def test_json_holds_explanation_fixes_engine_and_source(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "out").write_text(OUTPUT)
    assert main(["why", "--json", "--command", "git stauts", "--output-file", str(tmp_path / "out")]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["fixes"][0] == {"command": "git status", "risk": "low", "confidence": 0.9}
    assert (answer["engine"], answer["source"]) == ("offline", "output")


def test_a_batch_answers_each_line_and_survives_a_broken_one(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    good = json.dumps({"id": "a", "command": "git stauts", "exit_status": 1, "output": OUTPUT})
    monkeypatch.setattr(
        sys, "stdin", io.TextIOWrapper(io.BytesIO(f"{good}\nnot json\n".encode()), encoding="utf-8")
    )
    assert main(["why", "--batch"]) == 0
    one, two = map(json.loads, capsys.readouterr().out.splitlines())
    assert (one["id"], one["fixes"][0]["command"]) == ("a", "git status")
    assert "not a failure" in two["error"]


def test_without_a_command_it_says_what_to_give(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["why"]) == 2
    assert "terma why --command" in capsys.readouterr().err
