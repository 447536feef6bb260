"""What others may have made is read within bounds, and nothing that stands in a file's place holds the reader."""

from __future__ import annotations

import ast
import os
import socket
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

import terma
from terma import reading

BOUND = 60.0  # seconds until a reader counts as held
HUGE = 3 * 2**30  # bytes of a sparse file


def fifo(path: Path) -> None:
    os.mkfifo(path)


def sparse(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(HUGE)


def folder(path: Path) -> None:
    path.mkdir()


def endless(path: Path) -> None:
    path.symlink_to("/dev/zero")


def tty(path: Path) -> None:
    path.symlink_to("/dev/tty")


def gone(path: Path) -> None:
    path.symlink_to(path.with_name("nowhere"))


def itself(path: Path) -> None:
    path.symlink_to(path)


def listener(path: Path) -> None:
    short = Path(tempfile.mkdtemp()) / "s"  # a socket's path has at most 103 bytes
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(str(short))
    short.rename(path)
    short.parent.rmdir()


STRANGE = (fifo, sparse, folder, endless, tty, gone, itself, listener)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.chdir(tmp_path)
    yield tmp_path


@pytest.mark.parametrize("make", STRANGE)
def test_nothing_holds_the_reader_or_fills_the_memory(here: Path, make) -> None:
    make(here / "file")
    said: list[object] = []

    def read() -> None:
        said.append(reading.text(here / "file", 4096))
        for attempt in (reading.head, reading.whole):
            try:
                said.append(attempt(here / "file", 4096))
            except OSError:
                said.append(None)

    worker = threading.Thread(target=read, daemon=True)
    worker.start()
    worker.join(BOUND)
    assert not worker.is_alive()
    zeros = "\0" * 4096
    assert said == ([zeros, zeros.encode(), None] if make is sparse else ["", None, None])


def test_a_file_is_read_from_where_one_likes(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"0123456789")
    (tmp_path / "b").symlink_to("a")
    assert reading.head(tmp_path / "b", 4, 3) == b"3456"
    assert reading.whole(tmp_path / "a", 10) == b"0123456789"
    assert reading.is_regular(tmp_path / "b")
    with pytest.raises(OSError, match="larger than"):
        reading.whole(tmp_path / "a", 9)
    with pytest.raises(OSError):
        reading.head(tmp_path / "b", 4, follow=False)
    assert reading.text("a\0b", 4) == ""


# Rooms that look into the person's directory, a repository or a history: all of their reads go through one function.
LOOKING = (
    "config/project.py context offline/explain routing/dictionary.py machine/completions.py machine/manual.py"
    " tools/_searching.py tools/search_files.py grounding agent/prompt_context.py"
).split()
# What else opens files there, and why it may.
OWN = {
    "context/system.py": "/proc and /etc",
    "offline/explain/holders.py": "/proc",
    "offline/explain/lookups.py": "the system's package lists",
    "offline/explain/members.py": "an archive, a regular file of bounded size, read by what knows its form",
    "offline/explain/place_questions.py": "/proc/meminfo",
    "offline/explain/reach.py": "/proc/net",
    "offline/explain/seen.py": "/proc",
    "offline/explain/trust.py": "a file of the package",
    "context/sources/screen.py": "a file in a folder of our own making",
    "context/sources/zellij.py": "a file in a folder of our own making",
}


def opens(path: Path) -> list[str]:
    """The calls in a module that open a file by themselves."""
    found = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if name in ("open", "read_text", "read_bytes", "fdopen"):
                found.append(f"line {node.lineno}: {name}")
    return found


def test_every_room_that_looks_into_a_directory_reads_through_one_function() -> None:
    package = Path(terma.__file__).parent
    rooms = [package / name for name in LOOKING]
    files = [file for room in rooms for file in ([room] if room.is_file() else sorted(room.rglob("*.py")))]
    assert len(files) > 40
    bare = {str(file.relative_to(package)): opens(file) for file in files if opens(file)}
    assert set(bare) <= set(OWN), bare


def test_a_single_byte_is_read_and_what_is_not_there_is_no_file(tmp_path: Path) -> None:
    file = tmp_path / "two"
    file.write_bytes(b"ab")
    assert (reading.head(file, 1), reading.head(file, 1, 1), reading.head(file, 3)) == (b"a", b"b", b"ab")
    assert reading.is_regular(file)
    assert not reading.is_regular(tmp_path / "gone")
    assert not reading.is_regular("no\0name")
