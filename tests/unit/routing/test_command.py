"""`terma route` for people and for programs."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from terma.cli import main


def test_it_says_the_decision_and_why(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["route", "why is the sky blue"]) == 0
    said = capsys.readouterr().out.splitlines()
    assert said[0].startswith("prompt  ")
    assert any("question" in line and "begins a question" in line for line in said[1:])


def test_an_unsure_line_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    main(["route", "> out.txt"])
    assert "unsure" in capsys.readouterr().out.splitlines()[0]


def test_json_for_programs(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["route", "--json", "ls -la"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert (said["kind"], said["unsure"]) == ("command", False)
    assert {"name", "weight", "why"} == set(said["signals"][0])


def test_control_characters_of_a_line_are_not_printed(capsys: pytest.CaptureFixture[str]) -> None:
    main(["route", "ls \x1b[31mred\x07"])
    assert "\x1b" not in capsys.readouterr().out


@pytest.mark.parametrize("words", [["route"], ["route", "ls", "--batch"]])
def test_a_line_or_a_batch(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words) == 2
    assert "give one LINE" in capsys.readouterr().err


def test_a_batch_answers_each_line_before_the_next_one_is_written(tmp_path: Path) -> None:
    batch = subprocess.Popen(
        [sys.executable, "-m", "terma.cli", "route", "--batch"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=tmp_path,
        env={**os.environ, "PATH": "/usr/bin:/bin"},
    )
    assert batch.stdin and batch.stdout
    asked = [
        (b"ls -la", b"command"),
        (b"make me a sandwich", b"prompt"),
        (b"", b"prompt"),
        (b"\xff\xfe what", b"prompt"),
        ("列出所有文件".encode(), b"prompt"),
        (b"git status\r", b"command"),
    ]
    for line, kind in asked:
        batch.stdin.write(line + b"\n")
        batch.stdin.flush()
        found, score = batch.stdout.readline().rstrip(b"\n").split(b"\t")
        assert found == kind
        assert 0.5 <= float(score) <= 1
    batch.stdin.close()
    assert batch.stdout.read() == b""
    batch.stdout.close()
    assert batch.wait(timeout=30) == 0
