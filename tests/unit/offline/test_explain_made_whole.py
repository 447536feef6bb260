"""What a fix needs beside the mended word, and what must not be taken for a message of the program itself."""

from __future__ import annotations

import os
import shlex
import subprocess
from pathlib import Path

import pytest

from terma.offline.explain import Explanation, Failure, explain, reach


@pytest.fixture(autouse=True)
def _loud(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERMA_DEBUG", "1")  # a rule that stumbles is a failure here


def told(folder: Path, command: str, output: str, status: int = 1, shell: str = "bash") -> Explanation:
    path = os.environ["PATH"]
    statuses = (status,)
    return explain(
        Failure(command, status, output, cwd=str(folder), shell=shell, path=path, statuses=statuses)
    )


def first(found: Explanation) -> str:
    return found.fixes[0].command if found.fixes else ""


@pytest.mark.parametrize(
    ("command", "fix"),
    [
        ("mv reprot.txt old/", "mkdir -p old && mv report.txt old/"),
        ("cp -v reprot.txt a/b/", "mkdir -p a/b && cp -v report.txt a/b/"),
        ("mv reprot.txt there/", "mv report.txt there/"),
        ("mv reprot.txt old", "mv report.txt old"),
    ],
)
def test_the_folder_behind_a_mended_name_is_made_too(tmp_path: Path, command: str, fix: str) -> None:
    (tmp_path / "report.txt").touch()
    (tmp_path / "there").mkdir()
    output = f"{command[:2]}: cannot stat 'reprot.txt': No such file or directory"
    assert first(told(tmp_path, command, output)) == fix


@pytest.mark.parametrize(("body", "made"), [("cp a out/", True), ("cd sub\ncp a out/", False)])
def test_a_folder_that_a_script_writes_into_is_made_where_the_script_stays(
    tmp_path: Path, body: str, made: bool
) -> None:
    (tmp_path / "m.sh").write_text(body + "\n")
    found = told(tmp_path, "bash m.sh", "cp: cannot create regular file 'out/': Not a directory")
    assert first(found) == ("mkdir -p out && bash m.sh" if made else "")


@pytest.mark.parametrize(
    ("command", "output"),
    [
        ("dd if=/dev/zero of=img bs=1Q count=1", "dd: invalid number: ‘1Q’"),
        ("truncate -s 5X f", "truncate: Invalid number: ‘5X’"),
    ],
)
def test_a_capital_behind_a_number_was_to_be_a_unit(tmp_path: Path, command: str, output: str) -> None:
    assert not first(told(tmp_path, command, output))


@pytest.mark.parametrize(
    ("text", "target", "fix"),
    [
        (b"caf\xe9\n", "ascii", ""),  # it would stop at the same place again
        (b"caf\xe9\n", "utf-16", "iconv -f ISO-8859-1 -t utf-16 f"),
        (b"caf\xe9\n", "ascii//TRANSLIT", "iconv -f ISO-8859-1 -t ascii//TRANSLIT f"),
    ],
)
def test_another_source_is_offered_where_the_target_has_its_characters(
    tmp_path: Path, text: bytes, target: str, fix: str
) -> None:
    (tmp_path / "f").write_bytes(text)
    output = "caficonv: illegal input sequence at position 3"
    assert first(told(tmp_path, f"iconv -f utf-8 -t {target} f", output)) == fix


@pytest.mark.parametrize(("staged", "remote"), [(False, False), (True, False), (False, True), (True, True)])
def test_a_first_commit_is_offered_where_it_can_be_made_and_pushed(
    tmp_path: Path, staged: bool, remote: bool
) -> None:
    def git(*words: str) -> None:
        subprocess.run(["git", "-C", str(tmp_path), *words], check=True, capture_output=True)

    git("init")
    (tmp_path / "a").touch()
    if staged:
        git("add", "a")
    if remote:
        git("remote", "add", "origin", "https://example.com/a.git")
    found = told(tmp_path, "git push origin main", "error: src refspec main does not match any")
    assert ("Initial commit" in first(found)) == (staged and remote)
    assert ("git add" in found.text) == (not staged)


def test_an_operand_that_an_expression_lacks_is_none_of_the_program(tmp_path: Path) -> None:
    found = told(tmp_path, "tclsh a.tcl", 'missing operand at _@_\nin expression "1 +_@_"')
    assert "too few arguments" not in found.text
    assert "too few arguments" in told(tmp_path, "comm f", "comm: missing operand after ‘f’").text


@pytest.mark.parametrize(
    ("command", "token", "fix"),
    [
        ("for i in 1 2 3; echo $i; done", "echo", "for i in 1 2 3; do echo $i; done"),
        ("while true; sleep 1; done", "done", "while true; do sleep 1; done"),
        ("if [ -f x ]; echo a; fi", "fi", "if [ -f x ]; then echo a; fi"),
    ],
)
def test_a_missing_do_or_then_is_put_in(tmp_path: Path, command: str, token: str, fix: str) -> None:
    found = told(tmp_path, command, f"bash: syntax error near unexpected token `{token}'", 2)
    assert first(found) == fix


def test_arithmetic_is_one_word_and_its_octal_number_is_mended(tmp_path: Path) -> None:
    found = told(tmp_path, "echo $((08 + 1))", 'bash: 08: value too great for base (error token is "08")')
    assert first(found) == "echo $((10#08 + 1))"
    assert "$ echo $((08 + 1))\n" in found.text


def test_a_comma_before_a_bracket_goes_from_the_file_that_the_source_opens(tmp_path: Path) -> None:
    (tmp_path / "conf.json").write_text('{"a": 1,\n "b": [2,]}\n')
    (tmp_path / "a.py").write_text('import json\nd = json.load(open("conf.json"))\n')
    output = (
        f'Traceback (most recent call last):\n  File "{tmp_path}/a.py", line 2, in <module>\n'
        '    d = json.load(open("conf.json"))\n'
        "json.decoder.JSONDecodeError: Expecting value: line 2 column 10 (char 18)"
    )
    found = told(tmp_path, "python3 a.py", output)
    assert "Line 2 of conf.json has a comma behind the last value" in found.text
    subprocess.run(shlex.split(first(found).partition(" && ")[0]), check=True, cwd=tmp_path)
    assert (tmp_path / "conf.json").read_text() == '{"a": 1,\n "b": [2]}\n'


def test_a_module_asked_for_by_a_near_name_is_found_without_its_ending(tmp_path: Path) -> None:
    (tmp_path / "util.js").touch()
    (tmp_path / "a.js").write_text('const x = require("./utils");\n')
    output = (
        f"Error: Cannot find module './utils'\nRequire stack:\n- {tmp_path}/a.js\n    at Object.<anonymous> "
        f"({tmp_path}/a.js:1:11)"
    )
    assert first(told(tmp_path, "node a.js", output)).startswith("sed -i '1s|\\./utils|./util|' a.js")


@pytest.mark.parametrize(
    ("command", "output", "failed"),
    [
        ("ls *.nope; echo hi", "zsh: no matches found: *.nope", "ls *.nope"),
        ("echo a == b; print c", "zsh: = not found", "echo a == b"),
    ],
)
def test_where_zsh_gave_a_line_up_its_word_tells_the_part(
    tmp_path: Path, command: str, output: str, failed: str
) -> None:
    assert f"$ {failed}\n" in told(tmp_path, command, output, shell="zsh").text


@pytest.mark.parametrize(
    ("command", "output", "never"),
    [
        ("source ~/.bashrcc", "bash: /root/.bashrcc: No such file or directory", "compiler"),
        (
            "tail -f5x a | wc",
            "tail: option used in invalid context -- 5\nsort: write error: Broken pipe",
            "Its log",
        ),
        ("ldd nofile", "ldd: ./nofile: No such file or directory", "exist in .."),
        (
            "ssh -i k host",
            "Warning: Identity file k not accessible: No such file or directory.\n"
            "ssh: connect to host host port 22: Connection refused",
            "key file",
        ),
    ],
)
def test_words_that_only_look_like_a_rules_are_not_taken_for_it(
    tmp_path: Path, command: str, output: str, never: str
) -> None:
    assert never not in told(tmp_path, command, output).text


def test_a_compiler_that_is_missing_is_told(tmp_path: Path) -> None:
    output = "make: cc: No such file or directory"
    assert "C compiler" in explain(Failure("make", 2, output, str(tmp_path), path=str(tmp_path))).text
    (tmp_path / "cc").touch(0o755)
    assert "C compiler" not in explain(Failure("make", 2, output, "/", path=str(tmp_path))).text


@pytest.mark.parametrize(
    ("command", "output"),
    [
        ("xargs -n0 echo", "xargs: value 0 for -n option should be >= 1"),
        ("stat -f %z reprot.txt", "stat: cannot read '%z': No such file or directory\nstat: cannot read 'reprot.txt': No such file or directory"),  # noqa: E501
    ],
)  # fmt: skip
def test_what_would_fail_again_is_not_offered(tmp_path: Path, command: str, output: str) -> None:
    (tmp_path / "report.txt").touch()
    assert not first(told(tmp_path, command, output))


def test_a_name_that_needs_another_is_not_the_unknown_one(tmp_path: Path) -> None:
    (tmp_path / "Makefile").write_text("all: a\n\techo $(call foo)\n")
    assert not first(
        told(tmp_path, "make", "make: *** No rule to make target 'a', needed by 'all'.  Stop.", 2)
    )


def test_the_branch_that_is_checked_out_is_not_to_be_deleted(tmp_path: Path) -> None:
    subprocess.run(["git", "init", "-b", "master", str(tmp_path)], check=True, capture_output=True)
    (tmp_path / ".git/refs/heads/master").write_text("0" * 40 + "\n")
    assert not first(told(tmp_path, "git branch -d mster", "error: branch 'mster' not found."))


def test_a_program_of_a_recipe_is_no_missing_file(tmp_path: Path) -> None:
    (tmp_path / "Makefile").write_text("all:\n\tnosuchtool --x\n")
    output = (
        "nosuchtool --x\nmake: nosuchtool: No such file or directory\nmake: *** [Makefile:2: all] Error 127"
    )
    assert "no program nosuchtool" in told(tmp_path, "make", output, 2).text


def test_a_call_that_lacks_an_argument_has_no_wrong_type(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("f(1)\n")
    row = "TypeError: f() missing 1 required positional argument: 'b'"
    output = f'  File "{tmp_path}/a.py", line 1, in <module>\n    f(1)\n{row}'
    found = told(tmp_path, "python3 a.py", "Traceback (most recent call last):\n" + output)
    assert "another type" not in found.text
    assert "argument: 'b'." in found.text


def test_the_symbol_that_javac_does_not_find_is_named(tmp_path: Path) -> None:
    output = "A.java:1: error: cannot find symbol\nclass A { Strin s; }\n          ^\n  symbol:   class Strin\n1 error"
    assert "cannot find symbol class Strin." in told(tmp_path, "javac A.java", output).text


def test_sudo_is_not_installed_with_sudo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reach, "is_root", lambda: False)
    assert not first(told(tmp_path, "sudo ls", "bash: sudo: command not found", 127))


def test_a_path_behind_a_tilde_is_mended_behind_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / ".bashrc").touch()
    output = f"bash: {tmp_path}/.bashrcc: No such file or directory"
    assert first(told(tmp_path, "source ~/.bashrcc", output)) == "source ~/.bashrc"


@pytest.mark.parametrize(
    ("command", "output", "said"),
    [
        ("nc localhst 80", 'nc: getaddrinfo for host "localhst" port 80: Name or service not known', "name localhst"),
        ("python3 -m pip install x", "/usr/bin/python3: No module named pip", "has no pip"),
    ],
)  # fmt: skip
def test_the_name_is_the_one_that_the_output_gives(
    tmp_path: Path, command: str, output: str, said: str
) -> None:
    assert said in told(tmp_path, command, output).text


def test_another_module_than_pip_is_not_pip(tmp_path: Path) -> None:
    found = told(tmp_path, "python3 -m pipp install x", "/usr/bin/python3: No module named pipp")
    assert "has no pip" not in found.text


def test_an_option_is_no_slip_for_itself_without_its_dash(tmp_path: Path) -> None:
    output = "error: invalid source release: 99\nUsage: javac <options> <source files>"
    assert "misspelt" not in told(tmp_path, "javac -source 99 M.java", output, 2).text
