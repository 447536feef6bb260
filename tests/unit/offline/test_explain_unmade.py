"""What has to be there first: a folder to write into, packages, a script, a free port; known by what lies here."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from terma.offline.explain import Failure, explain

HERE = "/usr/local/bin:/usr/bin:/bin"


def first(command: str, output: str, cwd: Path, status: int = 1) -> str:
    found = explain(Failure(command, status, output, str(cwd), path=HERE))
    return found.fixes[0].command if found.fixes else ""


@pytest.mark.parametrize(
    ("command", "output"),
    [
        (
            "curl -o dl/x.html http://h/",
            "Warning: Failed to open the file dl/x.html: No such file or directory",
        ),
        ("frob in.md --output=dl/x", "frob: dl/x: openFile: does not exist (No such file or directory)"),
        ("frob in.md dl/", "frob: dl/: No such file or directory"),
        ("frob --go_out=dl in.md", "dl/: No such file or directory"),
        ("frob -f dl/key", 'Saving key "dl/key" failed: No such file or directory'),
    ],
)
def test_the_folder_that_is_written_into_is_made(command: str, output: str, tmp_path: Path) -> None:
    (tmp_path / "in.md").touch()
    assert first(command, output, tmp_path) == f"mkdir -p dl && {command}"


@pytest.mark.parametrize(
    ("command", "output"),
    [
        ("frob dl/in.md", "frob: dl/in.md: No such file or directory"),
        ("frob -o out.html dl/in.md", "frob: dl/in.md: No such file or directory"),
        ("cat dl/in.md", "cat: dl/in.md: No such file or directory"),
        ("true && cat dl/sub/in.md", "cat: dl/sub/in.md: No such file or directory"),
        ("frob -o /nowhere/at/all in.md", "frob: /nowhere/at/all: No such file or directory"),
    ],
)
def test_what_is_read_and_what_begins_nowhere_is_not_made(command: str, output: str, tmp_path: Path) -> None:
    (tmp_path / "in.md").touch()
    assert "mkdir" not in first(command, output, tmp_path)


def test_a_misspelt_folder_is_no_folder_to_make(tmp_path: Path) -> None:
    (tmp_path / "reports").mkdir()
    output = "frob: reprots/a: No such file or directory"
    assert "mkdir" not in first("frob -o reprots/a", output, tmp_path)


def test_a_program_that_the_project_lists_is_installed_with_the_project(tmp_path: Path) -> None:
    (tmp_path / "package.json").write_text(
        '{"scripts": {"b": "frobpack"}, "devDependencies": {"frobpack": "1"}}'
    )
    assert (
        first("npm run b", "> frobpack\n\nsh: 1: frobpack: not found", tmp_path, 127)
        == "npm install && npm run b"
    )


def test_configure_is_made_first_where_a_script_for_that_lies_here(tmp_path: Path) -> None:
    script = tmp_path / "autogen.sh"
    script.touch()
    script.chmod(0o755)
    output = "bash: ./configure: No such file or directory"
    assert first("./configure", output, tmp_path, 127) == "./autogen.sh && ./configure"


def test_the_one_compose_file_near_here_is_named(tmp_path: Path) -> None:
    (tmp_path / "app").mkdir()
    (tmp_path / "app" / "compose.yml").touch()
    command = "docker compose up -d"
    assert first(command, "no configuration file provided: not found", tmp_path, 14) == (
        "docker compose -f app/compose.yml up -d"
    )
    (tmp_path / "app" / "docker-compose.yml").touch()
    assert first(command, "no configuration file provided: not found", tmp_path, 14) == "", "two are a choice"


def test_the_next_port_is_offered_where_one_is_held(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        fix = first(f"frob serve {port}", f"OSError: [Errno 98] Address already in use: {port}", tmp_path)
    assert fix.startswith("frob serve ")
    assert port < int(fix.split()[-1]) <= port + 20


def test_a_time_is_no_port(tmp_path: Path) -> None:
    output = "23 Nov 2026 01:00:00.000 # Could not listen on *:6379: bind: Address already in use"
    assert "Port 6379" in explain(Failure("redis-server", 1, output, str(tmp_path))).text
