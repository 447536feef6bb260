"""Past commands are read from what zsh and bash really write."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from terma.context import history


def test_bash_lines_and_time_stamps(tmp_path: Path):
    file = tmp_path / "history"
    file.write_text("ls -l\n#1700000000\ngit status\n\n# a comment\nls -l\n")
    assert history.read(str(file)) == ("git status", "# a comment", "ls -l")


def test_zsh_extended_lines():
    data = b": 1700000000:0;ls\n: 1700000001:12;for f in *; do\\\n  echo $f\\\ndone\nplain\n"
    assert history.parse(data) == ("ls", "for f in *; do\n  echo $f\ndone", "plain")


@pytest.mark.skipif(not shutil.which("zsh"), reason="needs zsh")
def test_what_zsh_writes_comes_back(tmp_path: Path):
    commands = ["echo größe 漢字 😀", "echo a\nb", "printf '%s\\n' x", "ls"]
    file = tmp_path / "history"
    script = 'for c in "$@"; do print -rs -- "$c"; done; fc -W "$HISTFILE"'
    subprocess.run(
        [
            "zsh",
            "-fic",
            f"HISTFILE={file} HISTSIZE=99 SAVEHIST=99; setopt extendedhistory; {script}",
            "zsh",
            *commands,
        ],
        env={"PATH": os.environ["PATH"], "HOME": str(tmp_path), "LC_ALL": "C.UTF-8"},
        check=True,
        timeout=30,
        stdin=subprocess.DEVNULL,
        capture_output=True,
    )
    assert history.read(str(file)) == tuple(commands)


def test_only_the_newest_end_of_a_large_file_is_read(tmp_path: Path):
    file = tmp_path / "history"
    file.write_text("".join(f"echo {number:0100}\n" for number in range(20_000)))
    commands = history.read(str(file))
    assert len(commands) <= history.MAX_COMMANDS
    assert commands[-1] == f"echo {19_999:0100}"
    assert all(command.startswith("echo ") and len(command) == 105 for command in commands)


def test_a_file_that_grew_is_read_again(tmp_path: Path):
    file = tmp_path / "history"
    file.write_text("one\n")
    assert history.read(str(file)) == ("one",)
    file.write_text("one\ntwo\n")
    assert history.read(str(file)) == ("one", "two")


def test_what_is_no_history_is_empty_and_nothing_hangs(tmp_path: Path):
    os.mkfifo(tmp_path / "pipe")
    for path in (
        "",
        "relative",
        str(tmp_path),
        str(tmp_path / "pipe"),
        str(tmp_path / "none"),
        "/dev/zero",
        "/\0",
    ):
        assert history.read(path) == ()


def test_binary_and_pasted_scripts_are_left_out():
    assert history.parse(b"\xff\xfe\x00\nls\n" + b"x" * 5000 + b"\n") == ("ls",)


@pytest.mark.parametrize(
    "line",
    [
        'terma "extract the backup"',
        "terma why is the backup slow",
        "  terma ask what is in backup.tar",
        "make 2>&1 | terma 'what is wrong'",
        "?why did the backup fail",
        "cd /srv && terma suggest list the backups",
        "/opt/venv/bin/terma chat",
        "python3 -m terma 'how do I do that'",
        "TERMA_DEBUG=1 terma why is the backup slow",
        "time terma 'what is in backup.tar'",
        "nice -n 10 /opt/venv/bin/python -m terma",
        "env LANG=C terma suggest list the backups",
        "uvx terma 'what is wrong'",
        "(cd /srv; terma 'list the backups')",
        "if make; then terma 'what now'; fi",
        "echo $(terma suggest list the backups)",
        "python -P -m terma chat",
    ],
)
def test_words_to_terma_are_no_commands_that_it_offers(line: str):
    assert history.parse(f"ls -l\n{line}\n".encode()) == ("ls -l",)


@pytest.mark.parametrize(
    "line",
    [
        "cd terma",
        "git commit -m 'fix; terma why'",
        "pip install xontrib-terma",
        "terma-build --fast",
        "vi terma.py",
        "sudo cp -r terma /opt/terma",
        "python -m venv terma",
        "find . -name terma -exec ls {} +",
        "export PROJECT=terma",
        "grep -rn terma src | head",
    ],
)
def test_a_command_that_only_names_terma_stays(line: str):
    assert history.parse(f"{line}\n".encode()) == (line,)
