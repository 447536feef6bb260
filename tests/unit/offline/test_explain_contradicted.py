"""What the output or the disk contradicts is not said: the name that was refused, the program that spoke."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from terma.offline.explain import Explanation, Failure, explain


def asked(command: str, output: str, cwd: Path, status: int = 1) -> Explanation:
    return explain(Failure(command, status, output, str(cwd), path=os.environ["PATH"]))


def git(folder: Path, *words: str) -> None:
    who = ("-c", "user.name=u", "-c", "user.email=u@example.org")
    subprocess.run(("git", *who, *words), cwd=folder, check=True, capture_output=True)


@pytest.mark.parametrize(
    ("command", "speaks", "value", "what"),
    [
        ("nice -n abc true", "nice", "abc", "adjustment"),
        ("timeout -k 5y 9 true", "timeout", "5y", "time interval"),
        ("stdbuf -o Q true", "stdbuf", "Q", "mode"),
    ],
)
def test_a_wrapper_that_complains_is_named_itself(
    command: str, speaks: str, value: str, what: str, tmp_path: Path
) -> None:
    found = asked(command, f"{speaks}: invalid {what} ‘{value}’\n", tmp_path, 125)
    assert found.text.startswith(f"{speaks} ")
    assert "chmod" not in found.text


def test_an_option_without_its_value_has_an_owner(tmp_path: Path) -> None:
    found = asked("env -u", "env: option requires an argument -- 'u'\n", tmp_path, 125)
    assert found.text.startswith("env's option -u")


def test_a_program_that_nohup_cannot_find_is_looked_for_in_path(tmp_path: Path) -> None:
    said = "nohup: ignoring input\nnohup: failed to run command 'zzprog': No such file or directory\n"
    assert asked("nohup zzprog", said, tmp_path, 127).text.startswith("zzprog: command not found")


def test_of_a_move_the_side_that_cannot_be_written_is_blamed(tmp_path: Path) -> None:
    (tmp_path / "a").touch()
    said = "mv: cannot move 'a' to '/proc/self/none/a': Permission denied\n"
    found = asked("mv a /proc/self/none/", said, tmp_path)
    assert found.text.startswith("/proc/self/none/a: permission denied")


def test_of_what_does_not_exist_yet_the_folder_has_an_owner(tmp_path: Path) -> None:
    owner = tmp_path.owner()
    found = asked(
        f"touch {tmp_path}/new", f"touch: cannot touch '{tmp_path}/new': Permission denied\n", Path("/")
    )
    assert f"Its folder {tmp_path} belongs to {owner}." in found.text


@pytest.mark.parametrize("name", ["401", "case-403/HTTP", "a 401 b", "publickey"])
def test_a_number_in_a_path_is_no_answer_of_a_server(name: str, tmp_path: Path) -> None:
    (tmp_path / name).mkdir(parents=True)
    path = f"{tmp_path}/{name}/new"
    found = asked(f"touch '{path}'", f"touch: cannot touch '{path}': Permission denied\n", Path("/"))
    assert f"Its folder {tmp_path}/{name} belongs to {tmp_path.owner()}." in found.text
    said = "curl: (22) The requested URL returned error: 403: Permission denied\n"
    assert "sudo" not in asked("curl -f https://example.org/a", said, tmp_path, 22).text


def test_a_file_whose_name_is_a_number_is_a_file(tmp_path: Path) -> None:
    (tmp_path / "401").touch()
    found = asked("rm 401", "rm: cannot remove '401': Permission denied\n", tmp_path)
    assert found.text.startswith("401: permission denied.")


def test_a_move_onto_a_full_folder_names_the_target(tmp_path: Path) -> None:
    found = asked("mv d/x e", "mv: cannot move 'd/x' to 'e/x': Directory not empty\n", tmp_path)
    assert found.text.startswith("e/x exists already")


def test_a_file_is_no_folder_that_mkdir_could_be_content_with(tmp_path: Path) -> None:
    (tmp_path / "logs").touch()
    found = asked("mkdir logs", "mkdir: cannot create directory ‘logs’: File exists\n", tmp_path)
    assert "as a file" in found.text and "-p" not in found.text
    found = asked("mv a b logs", "mv: target 'logs': Not a directory\n", tmp_path)
    assert "it is a file" in found.text and "mkdir" not in found.text


def test_a_branch_of_another_work_tree_is_not_freed_by_a_switch(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q", "-b", "main", ".")
    git(tmp_path, "commit", "-q", "--allow-empty", "-m", "one")
    git(tmp_path, "branch", "side")
    for how in ("checked out", "used by worktree"):
        said = f"error: Cannot delete branch 'side' {how} at '/srv/side'\n"
        found = asked("git branch -D side", said, tmp_path)
        assert not found.fixes and "another work tree, /srv/side" in found.text


def test_a_quoted_filter_is_not_told_to_be_quoted(tmp_path: Path) -> None:
    found = asked(
        "jq '.a |' a.json", "jq: error: foo/1 is not defined at <top-level>, line 1:\n", tmp_path, 3
    )
    assert "quotes" not in found.text


def test_the_well_known_package_is_meant_where_it_is_nearer(tmp_path: Path) -> None:
    said = "ModuleNotFoundError: No module named 'nunpy'\n"
    found = asked("python3 a.py", said, tmp_path)
    assert "numpy" in found.text and "runpy" not in found.text


def test_a_number_is_not_mended_to_nought(tmp_path: Path) -> None:
    assert not asked("fold -w 0x f", "fold: invalid number of columns: ‘0x’\n", tmp_path).fixes


def test_a_remote_that_cannot_be_removed_is_not_to_be_added(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q", ".")
    found = asked("git remote remove up", "error: No such remote: 'up'\n", tmp_path, 2)
    assert found.text.startswith("There is no such remote: up.") and "add" not in found.text


def test_a_line_of_the_data_is_no_line_of_the_script_that_read_it(tmp_path: Path) -> None:
    (tmp_path / "p.py").write_text('import json\njson.loads("{x")\n')
    said = (
        f'Traceback (most recent call last):\n  File "{tmp_path}/p.py", line 2, in <module>\n    json.loads("{{x")\n'
        "json.decoder.JSONDecodeError: Expecting property name: line 1 column 2 (char 1)\n"
    )
    found = asked("python3 p.py", said, tmp_path)
    assert "p.py:2: json.loads" in found.text and "p.py:1" not in found.text


def test_a_line_stands_under_the_command_that_printed_it(tmp_path: Path) -> None:
    found = asked("cat none | sort; false", "cat: none: No such file or directory\n", tmp_path)
    assert "$ cat none\n" in found.text and "$ false" not in found.text


def test_the_disk_asked_about_is_that_of_the_path_the_output_names(tmp_path: Path) -> None:
    said = "dd: failed to open '/nodir/x': No such file or directory\n"
    command = "dd if=/dev/zero of=/nodir/x count=1"
    failure = Failure(command, 1, said, str(tmp_path), path=os.environ["PATH"], question="how much is left")
    assert "the disk that holds /." in explain(failure).text
