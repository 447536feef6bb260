"""A history that a shell appends to is read on from where it was read before, and gives what all of it would give."""

from __future__ import annotations

import json
import os
import random
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from terma import reading
from terma.context import history
from terma.context.history import following, xonsh
from terma.context.history.following import History

LINES = {
    ".zsh_history": lambda at, text: f": {1_700_000_000 + at}:0;{text}\n".replace("|", "\\\n"),
    "zsh_plain_history": lambda _, text: f"{text}\n".replace("|", "\\\n"),
    "bash_history": lambda _, text: f"{text}\n".replace("|", "; "),
    "bash_stamped": lambda at, text: f"#{1_700_000_000 + at}\n{text}\n".replace("|", "\n"),
    "fish_history": lambda at, text: f"- cmd: {text}\n  when: {1_700_000_000 + at}\n".replace("|", "\\n"),
}
LONG = 3_000  # commands: more than the beginning that is always compared


def written(line: Callable[[int, str], str], begin: int, end: int) -> str:
    return "".join(line(at, f"for f in {at}|echo {at} größe|done") for at in range(begin, end))


@pytest.fixture
def bytes_read(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    counted: list[int] = []
    real = reading.head

    def head(path: reading.Name, most: int, start: int = 0, *, follow: bool = True) -> bytes:
        found = real(path, most, start, follow=follow)
        counted.append(len(found))
        return found

    monkeypatch.setattr(reading, "head", head)
    return counted


@pytest.mark.parametrize("name", LINES)
def test_only_what_was_added_is_read(tmp_path: Path, name: str, bytes_read: list[int]) -> None:
    file = tmp_path / name
    file.write_text(written(LINES[name], 0, LONG))
    followed = History(file)
    followed.read()
    for at in range(LONG, LONG + 20):
        with file.open("a") as out:
            out.write(written(LINES[name], at, at + 1))
        bytes_read.clear()
        assert followed.read() == History(file).read()
        first_look = sum(bytes_read[: len(bytes_read) // 2])
        assert first_look < 10_000 < file.stat().st_size
    assert str(at) in followed.read()[-1]


@pytest.mark.parametrize("name", LINES)
@given(cuts=st.lists(st.integers(0, 4_000), max_size=12))
@settings(max_examples=25, deadline=None)
def test_a_line_that_is_half_written_is_read_again(
    tmp_path_factory: pytest.TempPathFactory, name: str, cuts: list[int]
) -> None:
    """However the writes fall, the last look gives what one look at the whole gives."""
    file = tmp_path_factory.mktemp("history") / name
    before, after = written(LINES[name], 0, 500).encode(), written(LINES[name], 500, 560).encode()
    file.write_bytes(before)
    followed = History(file)
    followed.read()
    for cut in sorted(cuts):
        file.write_bytes(before + after[:cut])
        followed.read()
    file.write_bytes(before + after)
    assert followed.read() == History(file).read()


@pytest.mark.parametrize("name", LINES)
def test_what_is_no_longer_there_is_forgotten(tmp_path: Path, name: str) -> None:
    file = tmp_path / name
    file.write_text(written(LINES[name], 0, LONG))
    followed = History(file)
    assert len(followed.read()) > 1
    now = file.stat().st_mtime_ns

    file.write_text(written(LINES[name], 10, 12))  # cut
    assert followed.read() == History(file).read()
    file.write_text(written(LINES[name], LONG, 2 * LONG))  # written anew, and longer
    os.utime(file, ns=(now - 10**12, now - 10**12))  # by a clock that was set back
    assert followed.read() == History(file).read()
    assert f"for f in {LONG - 1}" not in "\n".join(followed.read())
    other = tmp_path / "other"
    other.write_text(written(LINES[name], 0, LONG + 1))
    other.replace(file)  # rotated
    assert followed.read() == History(file).read()
    assert str(LONG) in followed.read()[-1]


def test_a_few_histories_are_followed_at_a_time(tmp_path: Path) -> None:
    from terma.context.history import _MAX_HISTORIES, _followed

    for number in range(2 * _MAX_HISTORIES):
        file = tmp_path / f"history{number}"
        file.write_text(f"ls {number}\n")
        assert history.read(str(file)) == (f"ls {number}",)
    assert len(_followed) == _MAX_HISTORIES


def test_of_xonsh_s_sessions_only_the_one_that_changed_is_read(tmp_path: Path, bytes_read: list[int]) -> None:
    def session(number: int, *commands: str) -> None:
        rows = ", ".join(f'{{"inp": "{one}", "ts": [{number}{at}, null]}}' for at, one in enumerate(commands))
        (tmp_path / f"xonsh-{number}.json").write_text(f'{{"locs": [], "data": {{"cmds": [{rows}]}}}}')

    for number in range(1, 6):
        session(number, f"echo {number}")
    assert history.read(str(tmp_path)) == tuple(f"echo {number}" for number in range(1, 6))
    bytes_read.clear()
    session(3, "echo 3", "make")
    assert history.read(str(tmp_path))[3] == "make"
    assert len(bytes_read) == 1


def test_of_xonsh_s_sessions_those_that_did_not_change_are_not_judged_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    judged: list[str] = []
    monkeypatch.setattr(following, "is_ours", lambda text: judged.append(text) is not None)
    source = random.Random(2)
    times = source.sample(range(10_000), 300)
    typed = [(time, f"echo {source.randint(1, 80)}") for time in times]

    def session(number: int) -> None:
        rows = [{"inp": command, "ts": [time, None]} for time, command in typed[number::5]]
        (tmp_path / f"xonsh-{number}.json").write_text(json.dumps({"locs": [], "data": {"cmds": rows}}))

    for number in range(5):
        session(number)
    history.read(str(tmp_path))
    typed.append((20_000, "make"))
    judged.clear()
    session(0)
    last = {command: time for time, command in sorted(typed)}
    assert history.read(str(tmp_path)) == tuple(sorted(last, key=last.__getitem__))
    assert len(judged) == len(typed[0::5])


def test_of_a_database_only_the_rows_that_were_added_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "xonsh-history.sqlite"
    taken: list[int] = []
    real = xonsh._entry
    monkeypatch.setattr(xonsh, "_entry", lambda *row: taken.append(1) or real(*row))
    with closing(sqlite3.connect(path)) as database:
        database.execute("CREATE TABLE xonsh_history (inp TEXT, rtn INT, tsb REAL, tse REAL, cwd TEXT)")

        def add(*rows: tuple[str, float]) -> None:
            insert = "INSERT INTO xonsh_history VALUES (?, 0, ?, 0, '/')"
            database.executemany(insert, rows)
            database.commit()

        add(*((f"echo {number}", float(number)) for number in range(1, 501)))
        assert history.read(str(path))[-1] == "echo 500"
        taken.clear()
        add(("make", 600.0))
        assert history.read(str(path))[-2:] == ("echo 500", "make")
        assert len(taken) == 1
        add(("sleep 900", 599.0))  # began before `make` and ended after it
        assert history.read(str(path)) == History(path).read()
        assert history.read(str(path))[-2:] == ("sleep 900", "make")
        database.execute("DELETE FROM xonsh_history WHERE inp = 'echo 250'")
        add(("ls", 700.0))
        assert history.read(str(path)) == History(path).read()
        assert "echo 250" not in history.read(str(path))
        database.execute("DELETE FROM xonsh_history")
        add(("pwd", 1.0))
        assert history.read(str(path)) == ("pwd",)
