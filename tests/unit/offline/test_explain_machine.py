"""Facts of the machine: each is read, bounded, and never by running what failed."""

from __future__ import annotations

import os
import socket
import sqlite3
from pathlib import Path

import pytest

from terma.machine.carriers import carriers
from terma.machine.helps import SAFE
from terma.machine.options import options_of
from terma.machine.packages import package_of
from terma.machine.ports import Holder, holder_of
from terma.offline.explain import Failure, explain
from terma.offline.explain.case import Case
from terma.types import Output, WhyQuery


@pytest.fixture
def port() -> object:
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen()
        yield server.getsockname()[1]


def programs(folder: Path, *names: str) -> str:
    for name in names:
        (folder / name).touch(mode=0o755)
    return str(folder)


def test_a_port_is_held_by_the_process_that_listens(port: int) -> None:
    holder = holder_of(port)
    assert holder is not None
    assert holder.pid == os.getpid()
    assert str(os.getpid()) in str(holder)


def test_a_free_port_and_a_wrong_one_are_held_by_nobody(port: int) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))  # bound, but it does not listen
        assert holder_of(other.getsockname()[1]) is None
    assert holder_of(0) is None
    assert holder_of(70000) is None


def test_a_holder_that_may_not_be_looked_at_is_said_so() -> None:
    assert "may not look" in str(Holder())


def test_a_question_about_a_port_is_answered_first(port: int) -> None:
    asked = WhyQuery(
        "make serve", 1, Output("make: *** [serve] Error 1", "tmux", True), f"who holds port {port}?"
    )
    said = explain(asked).text
    assert said.startswith(f"Port {port} is held by ")
    assert f"process {os.getpid()}" in said


@pytest.mark.parametrize("command", ["python3 -m http.server {}", "serve --port={}", "nc -l localhost:{}"])
def test_a_question_may_leave_the_number_to_the_command(port: int, command: str) -> None:
    said = explain(Failure(command.format(port), 1, "", question="is the port busy")).text
    assert said.startswith(f"Port {port} is held by ")


def test_a_busy_port_in_the_output_names_its_holder(port: int) -> None:
    found = explain(Failure("node s.js", 1, f"Error: listen EADDRINUSE: address already in use :::{port}"))
    assert f"process {os.getpid()}" in found.text


def test_a_question_without_facts_changes_nothing() -> None:
    plain = explain(Failure("false", 1, ""))
    assert explain(Failure("false", 1, "", question="what is the meaning of life?")) == plain


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("is the disk full?", "free on the disk"),
        ("who owns this file?", "belongs to"),
        ("which folder was that", "ran in"),
    ],
)
def test_questions_are_answered_from_the_machine(tmp_path: Path, question: str, words: str) -> None:
    (tmp_path / "notes").touch()
    found = explain(
        Failure("cat notes", 1, "cat: notes: Input/output error", str(tmp_path), question=question)
    )
    assert words in found.text


def test_options_come_from_the_programs_own_help() -> None:
    assert {"--recursive", "--all"} <= options_of("ls", "/bin/ls") or os.uname().sysname != "Linux"


def test_a_program_that_is_not_on_the_list_is_never_started(tmp_path: Path) -> None:
    marker = tmp_path / "ran"
    script = tmp_path / "frobnicate"
    script.write_text(f"#!/bin/sh\ntouch {marker}\necho --al''pha --be''ta --ga''mma --del''ta --eps''ilon\n")
    script.chmod(0o755)
    found = explain(
        Failure("frobnicate --aplha", 2, "frobnicate: unknown option --aplha", "/", path=str(tmp_path))
    )
    assert found.fixes == ()
    assert not marker.exists()
    assert "frobnicate" not in SAFE


def test_a_program_of_the_list_outside_the_systems_folders_is_never_started(tmp_path: Path) -> None:
    marker = tmp_path / "ran"
    script = tmp_path / "wc"
    script.write_text(f"#!/bin/sh\ntouch {marker}\n")
    script.chmod(0o755)
    options_of("wc", str(script))
    assert not marker.exists()


@pytest.mark.parametrize("name", ["../../etc/passwd", "a b", "", "x" * 100, "-h"])
def test_a_strange_program_name_has_no_options(name: str) -> None:
    assert options_of(name, "") == frozenset()


def test_command_not_found_data_are_asked_where_they_are(tmp_path: Path) -> None:
    file = tmp_path / "commands.db"
    with sqlite3.connect(file) as database:
        database.execute(
            "CREATE TABLE packages (pkgID INTEGER PRIMARY KEY, name TEXT, version TEXT, priority INTEGER)"
        )
        database.execute("CREATE TABLE commands (pkgID INTEGER, command TEXT)")
        database.execute("INSERT INTO packages VALUES (1, 'frob-tools', '1', 2)")
        database.execute("INSERT INTO commands VALUES (1, 'frobnicate')")
    database.close()
    assert package_of("frobnicate", file) == "frob-tools"
    assert package_of("nothing", file) == ""


def test_damaged_command_not_found_data_are_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "commands.db"
    file.write_bytes(b"no database at all" * 100)
    assert package_of("ls", file) == ""
    assert package_of("ls", tmp_path / "missing.db") == ""


def test_the_table_names_at_least_800_programs_once_each() -> None:
    assert len(carriers()) >= 800
    known = {"", "pip", "npm", "cargo", "gem", "snap", "brew"}
    assert all(carrier.package and carrier.installer in known for carrier in carriers().values())


@pytest.mark.parametrize(
    ("manager", "line"),
    [
        ("apt-get", "apt install imagemagick"),
        ("dnf", "dnf install ImageMagick"),
        ("pacman", "pacman -S imagemagick"),
        ("brew", "brew install imagemagick"),
    ],
)
def test_a_package_is_installed_the_way_of_this_system(tmp_path: Path, manager: str, line: str) -> None:
    path = programs(tmp_path, manager)
    found = explain(Failure("mogrify x.png", 127, "bash: mogrify: command not found", "/", path=path))
    fix = found.fixes[0].command
    assert fix.removeprefix("sudo ") == line
    assert fix.startswith("sudo ") == (os.geteuid() != 0 and manager != "brew")


def test_a_python_tool_is_no_system_package(tmp_path: Path) -> None:
    found = explain(
        Failure(
            "poetry install",
            127,
            "bash: poetry: command not found",
            "/",
            path=programs(tmp_path, "apt", "python3"),
        )
    )
    assert found.fixes[0].command == "python3 -m pip install poetry"


def test_an_alias_is_seen_through() -> None:
    found = explain(
        Failure("gs -x", 1, "git: 'stauts' is not a git command.", "/", aliases={"gs": "git stauts"})
    )
    assert found.fixes[0].command == "git status -x"


def test_the_free_space_of_a_missing_folder_is_that_of_the_disk_above(tmp_path: Path) -> None:
    assert "are free" in Case(Failure("x", cwd=str(tmp_path))).free("not/there/yet")
