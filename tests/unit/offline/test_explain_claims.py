"""Nothing is claimed that neither the output nor a look tells: what a tool takes, who refused, what is well."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from terma.offline.explain import Explanation, Failure, explain


def asked(command: str, output: str, cwd: Path, status: int = 1, shell: str = "bash") -> Explanation:
    return explain(Failure(command, status, output, str(cwd), shell, path=os.environ["PATH"]))


def first_fix(found: Explanation) -> str:
    return found.fixes[0].command if found.fixes else ""


def test_what_was_interrupted_may_have_complained_before(tmp_path: Path) -> None:
    found = asked("ed notes", "cannot read notes: Input/output error\n", tmp_path, 130)
    assert "Nothing is wrong" not in found.text


def test_a_patch_whose_names_are_shortened_wrongly(tmp_path: Path) -> None:
    (tmp_path / "x.c").touch()
    said = "can't find file to patch at input line 3\n|--- a/src/x.c\n|+++ b/src/x.c\nFile to patch: "
    assert first_fix(asked("patch -p1 < fix.diff", said, tmp_path, 130)) == "patch -p2 < fix.diff"
    (tmp_path / "x.c").unlink()
    assert not asked("patch -p1 < fix.diff", said, tmp_path, 130).fixes


def test_a_bus_is_no_port(tmp_path: Path) -> None:
    found = asked("systemctl --user restart x", "Failed to connect to bus: No medium found\n", tmp_path)
    assert "port" not in found.text and "refused" not in found.text


def test_a_socket_in_a_folder_has_no_port(tmp_path: Path) -> None:
    found = asked("client", "client: /run/x.sock: Connection refused\n", tmp_path)
    assert "that port" not in found.text


@pytest.mark.parametrize(("host", "sure"), [("localhost", True), ("192.0.2.1", False)])
def test_curl_does_not_tell_a_refusal_from_silence(host: str, sure: bool, tmp_path: Path) -> None:
    said = f"curl: (7) Failed to connect to {host} port 9 after 3 ms: Couldn't connect to server\n"
    found = asked(f"curl http://{host}:9/", said, tmp_path, 7)
    assert ("the machine is there" in found.text) is sure


def test_the_standard_that_was_asked_for_is_the_one_that_is_too_old(tmp_path: Path) -> None:
    said = "a.cpp:1:3: warning: extended initializer lists only available with ‘-std=c++11’\n"
    found = asked("g++ -std=c++98 a.cpp", said, tmp_path)
    assert "by default" not in found.text
    assert first_fix(found) == "g++ -std=c++11 a.cpp"
    assert first_fix(asked("g++ a.cpp", said, tmp_path)) == "g++ a.cpp -std=c++11"


def test_a_text_is_no_database_with_a_schema(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("hello")
    found = asked("sqlite3 notes.txt .tables", "Error: file is not a database\n", tmp_path)
    assert ".schema" not in found.text and "notes.txt does not begin as one does" in found.text


def test_tar_names_the_folder_and_not_what_it_could_not_do(tmp_path: Path) -> None:
    said = "tar (child): photos: Cannot open: Is a directory\ntar (child): Error is not recoverable: exiting now\n"
    (tmp_path / "photos").mkdir()
    assert asked("tar -czf photos", said, tmp_path, 2).text.startswith("photos is a directory")


@pytest.mark.parametrize(
    ("mode", "made"), [("xf", True), ("-x -f", True), ("--extract -f", True), ("cf", False), ("-tf", False)]
)
def test_a_folder_is_made_to_unpack_into_it_alone(mode: str, made: bool, tmp_path: Path) -> None:
    command = f"tar {mode} a.tar -C into ."
    found = asked(command, "tar: into: Cannot open: No such file or directory\n", tmp_path, 2)
    assert first_fix(found) == (f"mkdir -p into && {command}" if made else "")


def test_of_two_delimiters_side_by_side_neither_is_taken_for_the_end(tmp_path: Path) -> None:
    (tmp_path / "links").write_text("http://a\n")
    said = "sed: -e expression #1, char 10: unknown option to `s'\n"
    assert not asked("sed 's/http://https:/' links", said, tmp_path).fixes
    single = asked("sed 's/http://a/b/' links", said, tmp_path)
    assert first_fix(single) == "sed 's|http://a|b|' links"


@pytest.mark.parametrize(("typed", "meant"), [("10mb", "10M"), ("+4KB", "+4k"), ("1GiB", "1G")])
def test_find_has_letters_of_its_own_for_sizes(typed: str, meant: str, tmp_path: Path) -> None:
    found = asked(f"find . -size {typed}", f"find: Invalid argument `{typed}' to -size\n", tmp_path)
    assert first_fix(found) == f"find . -size {meant}"
