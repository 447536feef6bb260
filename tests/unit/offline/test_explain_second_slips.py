"""Programs in a command that leave a bracket open, a PATH that was lost, folders that were meant, two slips at once."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from terma.offline.explain import Explanation, Failure, explain
from terma.offline.explain.families.inline import closed


@pytest.fixture(autouse=True)
def _loud(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERMA_DEBUG", "1")  # a rule that stumbles is a failure here


def told(
    folder: Path, command: str, output: str, status: int = 1, history: tuple[str, ...] = ()
) -> Explanation:
    path = os.environ["PATH"]
    return explain(
        Failure(command, status, output, cwd=str(folder), shell="bash", path=path, history=history)
    )


def first(found: Explanation) -> str:
    return found.fixes[0].command if found.fixes else ""


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        (".a | map(.b", ".a | map(.b)"),
        ("[.a[] | select(.b > 1]", "[.a[] | select(.b > 1)]"),
        ("{print substr($1,2", "{print substr($1,2)}"),
        ('print("(")', ""),
        ("print('a", ""),
        ('print "hi', 'print "hi"'),
        ('{print "n}', '{print "n"}'),
        ("f(1))", ""),
        ("f(1)", ""),
        (r"/\(/ {print", r"/\(/ {print}"),
    ],
)
def test_brackets_are_closed_where_they_must_be(text: str, whole: str) -> None:
    assert closed(text) == whole


@pytest.mark.parametrize(
    ("command", "output", "fix"),
    [
        ("jq '[.a[] | select(.b]' x.json", "jq: error: syntax error, unexpected ']', expecting ';' or ')' at <top-level>, line 1:\njq: 1 compile error", "jq '[.a[] | select(.b)]' x.json"),  # noqa: E501
        ("python3 -c 'print(max([3,4])'", "  File \"<string>\", line 1\n    print(max([3,4])\n         ^\nSyntaxError: '(' was never closed", "python3 -c 'print(max([3,4]))'"),  # noqa: E501
        ("awk '{print length($2}' x.json", "awk: line 1: syntax error at or near }", "awk '{print length($2)}' x.json"),
        ("python3 -c 'print(1 +* (2'", "SyntaxError: invalid syntax: unexpected", ""),  # closed, it is no Python either
    ],
)  # fmt: skip
def test_a_program_in_the_command_gets_its_bracket(
    tmp_path: Path, command: str, output: str, fix: str
) -> None:
    (tmp_path / "x.json").write_text("{}")
    assert first(told(tmp_path, command, output)) == fix


@pytest.mark.parametrize("lost", ["unset PATH;", "PATH=/nowhere;", "export PATH=$HOME/bin &&"])
def test_a_path_that_the_line_itself_lost_is_said_and_put_back(tmp_path: Path, lost: str) -> None:
    output = "bash: ls: No such file or directory" if "unset" in lost else "bash: ls: command not found"
    found = told(tmp_path, f"{lost} ls -l", output, 127)
    assert found.rule == "search_path.lost"
    assert first(found) == 'export PATH="$(command -p getconf PATH)" && ls -l'


def test_a_path_that_a_line_before_lost_is_told_and_one_that_was_added_to_is_not_blamed(
    tmp_path: Path,
) -> None:
    output = "bash: ls: command not found"
    assert told(tmp_path, "ls", output, 127, ("unset PATH",)).rule == "search_path.lost"
    assert told(tmp_path, "ls", output, 127, ("unset PATH", "PATH=/x:$PATH")).rule != "search_path.lost"
    assert told(tmp_path, "PATH=$PATH:/x; ls", output, 127).rule != "search_path.lost"


def test_what_a_shell_did_not_find_is_the_part_that_failed_in_a_list_too(tmp_path: Path) -> None:
    found = told(tmp_path, "echo ok && mkae test", "ok\nbash: mkae: command not found", 127)
    assert found.text.startswith("mkae: ")


@pytest.mark.parametrize(
    ("command", "output"),
    [
        ("mv a.txt arhcive/", "mv: cannot move 'a.txt' to 'arhcive/': Not a directory"),
        ("cp a.txt arhcive/", "cp: cannot create regular file 'arhcive/': Not a directory"),
    ],
)
def test_a_folder_by_its_slash_that_is_not_there_was_another(
    tmp_path: Path, command: str, output: str
) -> None:
    (tmp_path / "a.txt").touch()
    made = told(tmp_path, command, output)
    assert first(made) == f"mkdir -p arhcive && {command}"
    (tmp_path / "archive").mkdir()
    assert first(told(tmp_path, command, output)) == command.replace("arhcive", "archive")


def test_a_folder_without_a_makefile_is_not_the_one_that_make_was_sent_to(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    output = "make: *** scr: No such file or directory.  Stop."
    assert not told(tmp_path, "make -C scr all", output, 2).fixes
    (tmp_path / "src" / "Makefile").write_text("all:\n")
    assert first(told(tmp_path, "make -C scr all", output, 2)) == "make -C src all"


def test_an_option_that_wants_more_behind_its_comma_is_no_whole_proposal(tmp_path: Path) -> None:
    output = "gcc: error: unrecognized command-line option '-Wal'; did you mean '-Wa,'?"
    assert not told(tmp_path, "gcc -Wal a.c", output).fixes


def test_the_value_behind_a_mended_option_is_mended_with_it(tmp_path: Path) -> None:
    for typed, meant in (("--colour=alwyas", "--color=always"), ("--colour=always", "--color=always")):
        output = f"ls: unrecognized option '{typed}'\nTry 'ls --help' for more information."
        assert first(told(tmp_path, f"ls {typed}", output, 2)) == f"ls {meant}"


def test_a_script_that_complains_is_named_and_not_its_interpreter(tmp_path: Path) -> None:
    (tmp_path / "serve.py").touch()
    output = "usage: serve.py [-h] [--port PORT]\nserve.py: error: unrecognized arguments: --prot 80"
    found = told(tmp_path, "python3 serve.py --prot 80", output, 2)
    assert found.text.startswith("serve.py does not know the option --prot")


@pytest.mark.parametrize(
    "output",
    [
        "Can't find string terminator '\"' anywhere before EOF at -e line 1.",
        "can't find package tablelist",
        "can't find file to patch at input line 3",
    ],
)
def test_what_else_cannot_be_found_is_no_host(tmp_path: Path, output: str) -> None:
    assert "DNS" not in told(tmp_path, "perl -e 'print 1'", output, 255).text
    asked = told(tmp_path, "nslookup tank.example", "** server can't find tank.example: NXDOMAIN")
    assert "tank.example could not be resolved" in asked.text


@pytest.mark.parametrize(
    ("typed", "meant"), [("http.servr", "http.server"), ("json.tol", "json.tool"), ("vnev", "venv")]
)
def test_a_module_of_pythons_own_is_found_inside_its_package(tmp_path: Path, typed: str, meant: str) -> None:
    found = told(tmp_path, f"python3 -m {typed}", f"/usr/bin/python3: No module named {typed}")
    assert first(found) == f"python3 -m {meant}"
    assert f"{meant} is one" in found.text
    assert "your own" not in found.text


@pytest.mark.parametrize(
    ("command", "output", "fix"),
    [
        ("head -n 7z a.txt", "head: invalid number of lines: '7z'", "head -n 7 a.txt"),
        ("timeout 8x true", "timeout: invalid time interval '8x'", ""),
        ("split -b 9x a.txt", "split: invalid number of bytes: '9x'", ""),
    ],
)
def test_a_letter_behind_a_number_that_is_no_unit_goes(
    tmp_path: Path, command: str, output: str, fix: str
) -> None:
    (tmp_path / "a.txt").touch()
    assert first(told(tmp_path, command, output)) == fix


def test_the_option_of_the_subcommand_that_was_meant_is_mended_with_it(tmp_path: Path) -> None:
    output = "git: 'lgo' is not a git command. See 'git --help'.\n\nThe most similar command is\n\tlog"
    assert first(told(tmp_path, "git lgo --graph --onelien", output)) == "git log --graph --oneline"
    assert first(told(tmp_path, "git lgo --oneline", output)) == "git log --oneline"
    found = told(tmp_path, "git comit --amned", output.replace("lgo", "comit").replace("\tlog", "\tcommit"))
    assert not found.fixes  # it rewrites history, which is told and not offered
    assert "`git commit --amend`" in found.text


def test_a_source_for_javac_is_one_that_is_there(tmp_path: Path) -> None:
    output = (
        "error: Class names, 'Tank.jav', are only accepted if annotation processing is explicitly requested"
    )
    assert not told(tmp_path, "javac Tank.jav", output).fixes
    (tmp_path / "Tank.java").touch()
    assert first(told(tmp_path, "javac Tank.jav", output)) == "javac Tank.java"


def test_a_file_of_an_address_is_sought_beside_it(tmp_path: Path) -> None:
    (tmp_path / "tank.csv").touch()
    output = f"curl: (37) Couldn't open file {tmp_path}/tnak.csv"
    assert (
        first(told(tmp_path, f"curl file://{tmp_path}/tnak.csv", output, 37))
        == f"curl file://{tmp_path}/tank.csv"
    )


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("improt os", "import os"),
        ("fro x in [1]: print(x)", "for x in [1]: print(x)"),
        ("a = 1 +* 2", ""),
        ("retrun", ""),
    ],
)
def test_a_keyword_is_mended_where_python_can_read_what_comes_of_it(
    tmp_path: Path, typed: str, meant: str
) -> None:
    output = f'  File "<string>", line 1\n    {typed}\n           ^^\nSyntaxError: invalid syntax'
    assert first(told(tmp_path, f"python3 -c '{typed}'", output)) == (
        f"python3 -c '{meant}'" if meant else ""
    )


@pytest.mark.parametrize(("typed", "fix"), [("tank.o", ""), ("tnak.c", "nm tank.c")])
def test_what_was_not_compiled_yet_is_no_slip_for_its_source(tmp_path: Path, typed: str, fix: str) -> None:
    (tmp_path / "tank.c").touch()
    assert first(told(tmp_path, f"nm {typed}", f"nm: '{typed}': No such file")) == fix


def test_an_option_with_one_dash_is_ambiguous_too(tmp_path: Path) -> None:
    output = "gdb: option '-batc' is ambiguous; possibilities: '-batch-silent' '-batch'"
    assert first(told(tmp_path, "gdb -batc", output)) == "gdb -batch"


def git_here(folder: Path, settings: str = "") -> Failure:
    """A machine with git alone, which has `log`, `lg-all` and what the settings name."""
    for name in ("bin/git", "lib/git-core/git-log", "lib/git-core/git-lg-all", ".git/config"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).touch(mode=0o755)
    for one in "abcdef":
        (folder / f"lib/git-core/git-{one}").touch()
    (folder / ".git/config").write_text(settings)
    return Failure("", 127, "bash: gti: command not found", cwd=str(folder), path=f"{folder}/bin")


@pytest.mark.parametrize(
    ("command", "settings", "fix"),
    [
        ("gti lgo", "", "git log"),
        ("gti lgo -p && ls", "", "git log -p && ls"),
        ("gti lgo", "[alias]\n\tlgo = log --oneline\n", "git lgo"),
        ("gti lg-all", "", "git lg-all"),
        ("gti log", "", "git log"),
        ("gti frobnicate", "", "git frobnicate"),
        ("gti -C lgo log", "", "git -C lgo log"),
    ],
)
def test_the_subcommand_behind_a_misspelt_program_is_mended_as_well(
    tmp_path: Path, command: str, settings: str, fix: str
) -> None:
    assert first(explain(replace(git_here(tmp_path, settings), command=command))) == fix
