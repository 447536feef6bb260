"""Each shell's own way to write its past down is read, with the times, statuses and folders that it notes."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path

import pexpect
import pytest
from hypothesis import given
from hypothesis import strategies as st

from terma.context import history
from terma.context.history import Entry, bash, fish, xonsh, zsh
from tests.shells.driver import ended


def test_zsh_notes_start_and_seconds() -> None:
    data = b": 1700000000:0;ls\n: 1700000001:12;for f in *; do\\\n  echo $f\\\ndone\nplain\n"
    assert history.parse_entries(data) == (
        Entry("ls", 1_700_000_000),
        Entry("for f in *; do\n  echo $f\ndone", 1_700_000_001, duration=12_000_000),
        Entry("plain"),
    )


def test_zsh_without_stamps_is_known_by_its_name(tmp_path: Path) -> None:
    data = b"for f in *; do\\\n  echo\\\ndone\necho \xc3\x83\xbf\n"  # ß: its second byte is written as Meta and another
    file = tmp_path / ".zsh_history"
    file.write_bytes(data)
    assert history.read(str(file)) == ("for f in *; do\n  echo\ndone", "echo ß")


def test_bash_lines_between_stamps_are_one_command() -> None:
    data = b"#1700000000\nfor f in *\ndo\n  echo $f\ndone\n#1700000005\n# a comment\n"
    assert history.parse_entries(data) == (
        Entry("for f in *\ndo\n  echo $f\ndone", 1_700_000_000),
        Entry("# a comment", 1_700_000_005),
    )


def test_bash_stamps_that_came_later_belong_to_the_next_line() -> None:
    data = b"ls\n#1700000000\ngit status\npwd\n"
    assert history.parse_entries(data) == (Entry("ls"), Entry("git status", 1_700_000_000), Entry("pwd"))


def test_the_end_of_a_large_stamped_file_begins_with_a_whole_command(tmp_path: Path) -> None:
    file = tmp_path / "bash_history"
    command = "for f in *\ndo\n  echo " + "x" * 300 + "\ndone"
    file.write_text("".join(f"#{1_700_000_000 + number}\n{command} # {number}\n" for number in range(5_000)))
    found = history.read(str(file))
    assert all(command.startswith("for f in *\ndo\n") for command in found)
    assert found[-1].endswith("# 4999")
    assert 1_000 < len(found) < 5_000


@pytest.mark.skipif(not shutil.which("bash"), reason="needs bash")
@pytest.mark.parametrize("options", ["cmdhist", "cmdhist lithist"])
def test_what_bash_writes_comes_back(tmp_path: Path, options: str) -> None:
    file = tmp_path / "history"
    setup = f"HISTTIMEFORMAT='%s '; HISTFILE={file}; shopt -s {options}\n"
    typed = setup + "echo 'größe 漢字 \\'\nfor i in 1\ndo\n:\ndone\nexit\n"
    env = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "LC_ALL": "C.UTF-8", "PS1": ""}
    subprocess.run(
        ["bash", "--norc", "--noprofile", "-i"],
        input=typed,
        env=env,
        text=True,
        check=False,
        timeout=60,
        capture_output=True,
    )
    found = history.parse_entries(file.read_bytes())
    loop = "for i in 1\ndo\n:\ndone" if "lithist" in options else "for i in 1; do :; done"
    assert [entry.command for entry in found[-3:]] == ["echo 'größe 漢字 \\'", loop, "exit"]
    assert all(entry.time > 1_600_000_000 for entry in found)


def test_fish_escapes_and_paths() -> None:
    data = (
        "- cmd: echo a\\\\nb größe\n  when: 1700000000\n- cmd: for i in 1 2\\necho $i\\nend\n  when: 1700000001\n"
        "  paths:\n    - some/file\n- cmd: echo 'x: y'\n"
    )
    assert history.parse_entries(data.encode()) == (
        Entry("echo a\\nb größe", 1_700_000_000),
        Entry("for i in 1 2\necho $i\nend", 1_700_000_001),
        Entry("echo 'x: y'"),
    )


def test_the_end_of_a_large_fish_history(tmp_path: Path) -> None:
    file = tmp_path / "fish_history"
    file.write_text(
        "".join(f"- cmd: echo {number:0200}\n  when: {1_700_000_000 + number}\n" for number in range(5_000))
    )
    found = history.read(str(file))
    assert found[-1] == f"echo {4_999:0200}"
    assert all(len(command) == 205 for command in found)


@pytest.mark.skipif(not shutil.which("fish"), reason="needs fish")
def test_what_fish_writes_comes_back(tmp_path: Path) -> None:
    commands = ["echo a\\\\\\\\b größe", "for i in 1\necho $i\nend", "echo 'x: - cmd: y' # c"]
    env = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "LC_ALL": "C.UTF-8", "TERM": "dumb"}
    env |= {f"XDG_{name}_HOME": str(tmp_path) for name in ("DATA", "CONFIG", "CACHE")}
    shell = pexpect.spawn("fish", env=env, encoding="utf-8", timeout=60)
    try:
        for number, command in enumerate(commands):
            shell.send(f"{command}\r")
            shell.send(f"echo rea''dy-{number}\r")
            shell.expect(f"ready-{number}")
        shell.send("exit\r")
        shell.expect(pexpect.EOF)
    finally:
        ended(shell)
    read = history.read(str(tmp_path / "fish" / "fish_history"))
    assert [command for command in read if "rea''dy" not in command][:3] == commands


def session(*commands: dict[str, object]) -> str:
    """As xonsh 0.25 writes it: an index for lazy reading, then the data."""
    return json.dumps(
        {"locs": [1, 2, 3, 4], "index": {}, "data": {"cmds": commands, "locked": False, "sessionid": "s"}}
    )


def test_xonsh_sessions_are_one_history_in_the_order_of_time(tmp_path: Path) -> None:
    older = {"cwd": "/srv", "inp": "ls /gone\n", "rtn": 2, "ts": [100.0, 100.5]}
    newer = {"inp": "for i in range(2):\n    print(i)", "rtn": 0, "ts": [200.0, 200.25], "cwd": "/"}
    (tmp_path / "xonsh-b.json").write_text(session(older, {"inp": "make", "rtn": 0, "ts": [300.0, None]}))
    (tmp_path / "xonsh-a.json").write_text(session(newer))
    (tmp_path / "xonsh-broken.json").write_text('{"locs": [')
    (tmp_path / "other.json").write_text(session({"inp": "no"}))
    assert history.read(str(tmp_path)) == ("ls /gone", "for i in range(2):\n    print(i)", "make")
    assert history.parse_entries((tmp_path / "xonsh-b.json").read_bytes()) == (
        Entry("ls /gone", 100.0, 2, 500_000, "/srv"),
        Entry("make", 300.0, 0),
    )
    assert history.read(str(tmp_path / "xonsh-a.json")) == ("for i in range(2):\n    print(i)",)


def test_a_session_that_grew_is_read_again(tmp_path: Path) -> None:
    file = tmp_path / "xonsh-a.json"
    file.write_text(session({"inp": "one", "rtn": 0, "ts": [1, 2]}))
    assert history.read(str(tmp_path)) == ("one",)
    file.write_text(session({"inp": "one", "rtn": 0, "ts": [1, 2]}, {"inp": "two", "rtn": 1, "ts": [3, 4]}))
    assert history.read(str(tmp_path)) == ("one", "two")


def make_database(path: Path, mode: str) -> sqlite3.Connection:
    connection = sqlite3.connect(path, timeout=0)
    connection.execute(f"PRAGMA journal_mode={mode}")
    connection.execute(
        "CREATE TABLE xonsh_history (inp TEXT, rtn INTEGER, tsb REAL, tse REAL, sessionid TEXT, out TEXT, info TEXT, "
        "frequency INTEGER default 1, cwd TEXT)"
    )
    add(connection, "ls /gone", 2, 100.0)
    return connection


def add(connection: sqlite3.Connection, command: str, status: int, time: float) -> None:
    row = (command, status, time, time + 0.5, "/srv")
    connection.execute("INSERT INTO xonsh_history (inp, rtn, tsb, tse, cwd) VALUES (?, ?, ?, ?, ?)", row)
    connection.commit()


@pytest.mark.parametrize("mode", ["wal", "delete"])
def test_a_xonsh_database_is_read_while_the_shell_writes(tmp_path: Path, mode: str) -> None:
    path = tmp_path / "xonsh-history.sqlite"
    with closing(make_database(path, mode)) as connection:
        assert xonsh.database(path, 10) == [Entry("ls /gone", 100.0, 2, 500_000, "/srv")]
        assert history.read(str(path)) == ("ls /gone",)
        add(connection, "make", 0, 200.0)
        assert history.read(str(path)) == ("ls /gone", "make")
        connection.execute("BEGIN EXCLUSIVE")
        connection.execute("DELETE FROM xonsh_history")
        assert xonsh.database(path, 10)[-1].command == "make"  # neither waits nor sees what is not committed
        connection.rollback()
    assert history.read(str(path)) == ("ls /gone", "make")


def test_reading_a_database_leaves_nothing_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "xonsh-history.sqlite"
    make_database(path, "wal").close()
    before = path.read_bytes()
    assert history.read(str(path)) == ("ls /gone",)
    assert [file.name for file in tmp_path.iterdir()] == [path.name]
    assert path.read_bytes() == before


def test_another_database_or_a_broken_one_is_empty(tmp_path: Path) -> None:
    other, broken = tmp_path / "other.sqlite", tmp_path / "broken.sqlite"
    with closing(sqlite3.connect(other)) as connection:
        connection.execute("CREATE TABLE things (name TEXT)")
    broken.write_bytes(b"SQLite format 3\0" + b"\xff" * 4096)
    assert history.read(str(other)) == history.read(str(broken)) == ()


@pytest.mark.parametrize("module", [bash, zsh, fish, xonsh])
@given(
    st.binary(max_size=300)
    | st.lists(st.sampled_from([b"#17\n", b": 1:2;", b"- cmd: ", b"\\", b"\n", b"\x83", b"\xff", b"ls"])).map(
        b"".join
    )
)
def test_no_data_breaks_a_reader(module: object, data: bytes) -> None:
    entries = module.parse(data)  # type: ignore[attr-defined]
    assert all(isinstance(entry, Entry) for entry in entries)
    assert all(command.strip() for command in history.parse(data))


def test_a_database_that_never_ends_is_given_up(tmp_path: Path) -> None:
    file = tmp_path / "history.sqlite"
    endless = (
        "CREATE VIEW xonsh_history AS WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r)"
        " SELECT n AS rowid, 'ls' AS inp, 0.0 AS tsb, 0.0 AS tse, 0 AS rtn, '/' AS cwd FROM r"
    )
    with closing(sqlite3.connect(file)) as made:
        made.execute(endless)
        made.commit()
    assert history.read(str(file)) == ()
