"""Recordings of a session's screen, as files that other players read, and replayed."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from terma.sessions.casting import played
from tests.e2e.sessioned import SLOW, create, wait_until

TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"


def terma(agent, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-I", "-m", "terma.cli", "session", *words]
    return subprocess.run(
        command, env=agent.env, cwd=agent.home, capture_output=True, text=True, timeout=SLOW, check=False
    )


@pytest.fixture
def recorded(agent) -> Path:
    """What a program showed that drew, waited for a key, drew over it, and left."""
    script = (
        r"printf '\033[?1049h\033[2J\033[H\033[31mred\033[0m\r\n'; "
        rf"printf 'token={TOKEN[:9]}\033[1m{TOKEN[9:]}\033[0m'; read -r x; "
        r"printf '\033[3;1Hdone \033]52;c;AAAA\007'; read -r x"
    )
    session = create(agent, "sh", "-c", script, cols=60, rows=6)
    session.call("read", snapshot=True, wait="token=", timeout=SLOW)
    command = [sys.executable, "-I", "-m", "terma.cli", "session", "record", "work", "work.cast"]
    with subprocess.Popen(command, env=agent.env, cwd=agent.home, stderr=subprocess.PIPE) as recorder:
        assert recorder.stderr
        assert b"recording work" in recorder.stderr.readline()
        session.send(enter=True)
        path = agent.home / "work.cast"
        wait_until(lambda: "done" in path.read_text(), "the second screen")
        session.send(enter=True)
        assert recorder.wait(SLOW) == 0
    return path


def test_a_recording_is_an_asciicast_without_secrets_and_for_nobody_else(recorded):
    head, *events = map(json.loads, recorded.read_text().splitlines())
    assert (head["version"], head["width"], head["height"]) == (2, 60, 6)
    assert [kind for _, kind, _ in events] == ["o"] * len(events)
    assert events[0][0] <= events[-1][0]
    assert "38;5;1mred" in events[0][2]
    assert "*" * len(TOKEN) in events[0][2].replace("\x1b[0;1m", "").replace("\x1b[0m", "")
    assert TOKEN[9:20] not in recorded.read_text()
    assert "]52" not in recorded.read_text()
    assert recorded.stat().st_mode & 0o777 == 0o600


def test_it_is_played_and_never_written_over(agent, recorded):
    played = terma(agent, "replay", "work.cast")
    assert played.returncode == 0
    assert played.stdout.startswith("red\ntoken=****")
    assert "done" in played.stdout
    again = terma(agent, "record", "work", "work.cast")
    assert again.returncode != 0
    assert "there is work.cast already" in again.stderr


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        '{"version": 1}',
        '{"version": 3, "term": {"cols": 9}}',
        "[2]",
        '{"version": 2, "width": 100000, "height": 2}\n[0, "o", "x"]',
        '{"version": 2, "width": 9, "height": 2}\n[0]',
    ],
)
def test_what_is_no_recording_is_refused_in_one_line(agent, text):
    (agent.home / "other.cast").write_text(text)
    refused = terma(agent, "replay", "other.cast")
    assert refused.returncode != 0
    assert "is no recording" in refused.stderr
    assert "Traceback" not in refused.stderr


def test_what_others_have_recorded_does_nothing_but_show(agent):
    lines = [
        {"version": 2, "width": 20, "height": 3},
        [0.1, "o", "a\x1b]52;c;AAAA\x07b\r\n"],
        [0.2, "i", "x"],
        [0.3, "o", "c"],
    ]
    (agent.home / "other.cast").write_text("\n".join(map(json.dumps, lines)))
    assert terma(agent, "replay", "other.cast").stdout == "ab\nc\n"
    assert terma(agent, "record", "nowhere", "none.cast").returncode != 0
    assert not (agent.home / "none.cast").exists()


EVENTS = {
    2: '{"version": 2, "width": 20, "height": 3}\n[0.5, "o", "one\\r\\n"]\n[4.5, "o", "two\\r\\n"]\n[5, "o", "thr',
    3: '{"version": 3, "term": {"cols": 20, "rows": 3}, "idle_time_limit": 2}\n# told\n[0.5, "o", "one\\r\\n"]\n'
    '[1, "r", "30x4"]\n[3, "o", "two\\r\\n"]\n[0.1, "x", "0"]\n',
}


@pytest.mark.parametrize(("version", "times"), [(2, [0.5, 4.5]), (3, [0.5, 3.5])])
def test_a_recording_of_each_version_is_played_in_its_own_times_as_far_as_it_goes(tmp_path, version, times):
    path = tmp_path / "other.cast"
    path.write_text(EVENTS[version])
    shown = list(played(path))
    assert [seconds for seconds, _, _ in shown] == times
    assert [text.split() for _, _, text in shown] == [["one"], ["one", "two"]]
