"""Slips that a second reading proves: a Python source, a bracket, a setting in a file, paths seen from a script."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from terma.offline.explain import Explanation, Failure, explain

HERE = "/usr/local/bin:/usr/bin:/bin"


def told(here: Path, command: str, output: str, status: int = 1, shell: str = "bash") -> Explanation:
    return explain(Failure(command, status, output, str(here), shell, path=HERE))


def first(here: Path, command: str, output: str, status: int = 1, shell: str = "bash") -> str:
    found = told(here, command, output, status, shell)
    return found.fixes[0].command if found.fixes else ""


NEVER = "SyntaxError: '(' was never closed"
BLOCK = "IndentationError: expected an indented block after 'if' statement on line 2"
LEVEL = "IndentationError: unindent does not match any outer indentation level"
STRING = "SyntaxError: unterminated string literal (detected at line 1)"
EQUALS = "SyntaxError: invalid syntax. Maybe you meant '==' or ':=' instead of '='?"
PRINT = "SyntaxError: Missing parentheses in call to 'print'. Did you mean print(...)?"
SOURCES = [
    ("def f(x):\n    if x:\n    return 1\n", 3, BLOCK, "def f(x):\n    if x:\n        return 1\n"),
    ("print 'hi'\n", 1, PRINT, "print('hi')\n"),
    ("x = 3\nif x = 3:  # three\n    pass\n", 2, EQUALS, "x = 3\nif x == 3:  # three\n    pass\n"),
    ("print(len([1, 2])\nprint(2)\n", 1, NEVER, "print(len([1, 2]))\nprint(2)\n"),
    ("if len([1]\n    pass\n", 1, NEVER, ""),  # a bracket and a colon are two slips
    ("x = 'abc\nprint(x)\n", 1, STRING, "x = 'abc'\nprint(x)\n"),
    ("print('abc)\n", 1, STRING, "print('abc')\n"),
    ("if 1:\n    pass\nelse if 2:\n    pass\n", 3, "SyntaxError: expected ':'", "if 1:\n    pass\nelif 2:\n    pass\n"),
    ("a = [\n    1\n    2]\n", 2, "SyntaxError: invalid syntax. Perhaps you forgot a comma?", "a = [\n    1,\n    2]\n"),  # noqa: E501
    ("def f():\n    if 1:\n        b = 1\n     c = 1\n", 4, LEVEL, "def f():\n    if 1:\n        b = 1\n    c = 1\n"),
    ("def f():\n  if 1:\n    b = 1\n   c = 1\n", 4, LEVEL, ""),  # as near to both levels
    ("def f():\n    if 1:\n    a = 1\n    return a\n", 3, BLOCK, ""),  # how far the block goes is not known
    ("print('hi')\n", 1, PRINT, ""),  # the file is not the one that failed
]  # fmt: skip


def test_a_python_source_is_mended_where_one_change_makes_it_python(tmp_path: Path) -> None:
    source = tmp_path / "m.py"
    for text, line, message, right in SOURCES:
        source.write_text(text)
        fix = first(tmp_path, "python3 m.py", f'  File "m.py", line {line}\n    x\n    ^\n{message}')
        assert bool(fix) == bool(right), (text, fix)
        if right:
            edit, _, again = fix.partition(" && ")
            assert again == "python3 m.py"
            subprocess.run(edit, shell=True, check=True, cwd=tmp_path)  # noqa: S602
            assert source.read_text() == right


def test_a_trailing_comma_is_seen_where_only_the_line_is_told(tmp_path: Path) -> None:
    (tmp_path / "c.json").write_text('{\n "a": 1,\n}\n')
    said = "Expecting property name enclosed in double quotes: line 3 column 1 (char 12)"
    fix = first(tmp_path, "python3 -m json.tool c.json", said)
    assert fix == "sed -i '2s/, *$//' c.json && python3 -m json.tool c.json"


BRACKETS = [
    ("jq .a[0 d.json", "jq: error: syntax error, unexpected $end at <top-level>, line 1:", "jq '.a[0]' d.json"),
    ("awk '{ print $1' d.json", "awk: line 1: syntax error at or near end of line", "awk '{ print $1}' d.json"),
    ("jq '.a[0]' d.json", "jq: error: syntax error, unexpected $end", ""),
    ("jq '.a)' d.json", "jq: error: syntax error, unexpected ')'", ""),
    ("[ 1 = 1", "bash: [: missing `]'", "[ 1 = 1 ]"),  # the shell's own rule
    ("if [ 1 = 1 ]; then echo hi", "bash: syntax error: unexpected end of file", ""),
]  # fmt: skip


def test_a_bracket_that_a_word_leaves_open_is_closed(tmp_path: Path) -> None:
    (tmp_path / "d.json").write_text("{}")
    for command, output, right in BRACKETS:
        assert first(tmp_path, command, output, 2) == right, command


def test_an_example_of_the_output_that_goes_on_from_the_command_is_taken(tmp_path: Path) -> None:
    said = "Makefile:2: *** Set VERSION, for example: {}.  Stop."
    assert first(tmp_path, "make tag", said.format("make tag VERSION=1.2"), 2) == "make tag VERSION=1.2"
    assert not first(tmp_path, "make tag", said.format("make tag VERSION=NUMBER"), 2)
    assert not first(tmp_path, "make tag", said.format("make all VERSION=1.2"), 2)


KEY = 'Traceback (most recent call last):\n  File "app.py", line 2, in <module>\n    os.environ["DB"]\n  File "<frozen os>", line 679, in __getitem__\nKeyError: \'DB\''  # noqa: E501


def test_the_file_of_settings_that_gives_the_missing_variable_is_read_first(tmp_path: Path) -> None:
    (tmp_path / "app.py").write_text("import os\nos.environ['DB']\n")
    (tmp_path / ".env.example").write_text("DB=x\n")
    assert ".env" not in first(tmp_path, "python3 app.py", KEY)  # a sample holds no values
    (tmp_path / ".env").write_text("# local\nDB=sqlite:///x.db\n")
    assert first(tmp_path, "python3 app.py", KEY) == "set -a && . ./.env && set +a && python3 app.py"
    assert "DB" not in first(tmp_path, "python3 app.py", KEY, shell="xonsh")
    said = "app.sh: line 2: DB: unbound variable"
    (tmp_path / "app.sh").write_text("set -u\necho $DB\n")
    assert first(tmp_path, "bash app.sh", said) == "set -a && . ./.env && set +a && bash app.sh"
    (tmp_path / ".env").write_text("DB=$(frob)\n")  # it would run something
    assert ".env" not in first(tmp_path, "python3 app.py", KEY)


def test_a_file_that_lies_beside_the_script_is_found_from_its_folder(tmp_path: Path) -> None:
    (tmp_path / "tools").mkdir()
    (tmp_path / "tools" / "data.csv").write_text("1")
    (tmp_path / "tools" / "run.py").write_text("open('data.csv')\n")
    out = "Traceback (most recent call last):\n  File \"tools/run.py\", line 1, in <module>\n    open('data.csv')\nFileNotFoundError: [Errno 2] No such file or directory: 'data.csv'"  # noqa: E501
    assert first(tmp_path, "python3 tools/run.py", out) == "cd tools && python3 run.py"


SMALL = [
    ("tar -cf site.tar -C public", "tar: Cowardly refusing to create an empty archive", "tar -cf site.tar -C public ."),
    ("sed 's/(a)/<\\1>/' f", "sed: -e expression #1, char 12: invalid reference \\1 on `s' command's RHS", "sed -E 's/(a)/<\\1>/' f"),  # noqa: E501
    ("sed 's/a/<\\1>/' f", "sed: -e expression #1, char 10: invalid reference \\1 on `s' command's RHS", ""),
    ("git add src/*.py", "fatal: pathspec 'src/*.py' did not match any files", "git add lib/*.py"),
    ("python3 -m unittest test_m.TestAd", "AttributeError: module 'test_m' has no attribute 'TestAd'", "python3 -m unittest test_m.TestAdd"),  # noqa: E501
]  # fmt: skip


def test_small_slips(tmp_path: Path) -> None:
    for name in ("public/a", "src/a.c", "lib/a.py", "lib/b.py", "f"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("a")
    (tmp_path / "test_m.py").write_text("class TestAdd:\n    pass\n")
    for command, output, right in SMALL:
        assert first(tmp_path, command, output, 2) == right, command


def test_a_piece_of_a_missing_name_is_not_what_was_meant(tmp_path: Path) -> None:
    (tmp_path / "Makefile").write_text("main.o: main.c parser.h\n\tcc -c main.c\n")
    out = "make: *** No rule to make target 'parser.h', needed by 'main.o'.  Stop."
    found = told(tmp_path, "make", out, 2)
    assert not found.fixes and "there is parser" not in found.text


@pytest.mark.parametrize("sudo", [True, False])
def test_root_is_spoken_of_as_this_machine_has_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sudo: bool
) -> None:
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    for name in ("apt", "su", *(["sudo"] if sudo else [])):
        (tmp_path / name).touch(mode=0o755)
    said = "E: Could not open lock file /var/lib/dpkg/lock-frontend - open (13: Permission denied)"
    found = explain(Failure("apt install tree", 100, said, str(tmp_path), path=str(tmp_path)))
    assert ("with sudo." in found.text) == sudo and ("with su." in found.text) != sudo


LOOKS = [
    ("kill %3", "bash: kill: %3: no such job", "jobs"),
    ("git stash apply stash@{2}", "fatal: log for 'stash' only has 1 entries", "git stash list"),
    ("git cherry-pick abc1234", "fatal: bad revision 'abc1234'", "git log --oneline"),
    ("git worktree add wt main", "fatal: 'main' is already checked out at '/home/user/x'", "git worktree list"),
    ("git clone orig full", "fatal: destination path 'full' already exists and is not an empty directory.", "ls -A full"),  # noqa: E501
    ("bash open.sh", "open.sh: line 3: syntax error: unexpected end of file", "cat -n open.sh"),
]  # fmt: skip


def test_looks_at_what_there_is_of_a_kind(tmp_path: Path) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "a").touch()
    (tmp_path / "open.sh").write_text("if true; then\necho\n")
    for command, output, look in LOOKS:
        assert [one.command for one in told(tmp_path, command, output).looks] == [look], command


def test_a_data_file_in_another_encoding_is_looked_at_and_not_the_script(tmp_path: Path) -> None:
    (tmp_path / "d.csv").write_bytes(b"caf\xe9;1\n")
    (tmp_path / "rd.py").write_text("print(open('d.csv').read())\n")
    out = "Traceback (most recent call last):\n  File \"rd.py\", line 1, in <module>\n    print(open('d.csv').read())\nUnicodeDecodeError: 'utf-8' codec can't decode byte 0xe9 in position 3: invalid continuation byte"  # noqa: E501
    assert [one.command for one in told(tmp_path, "python3 rd.py", out).looks] == ["file d.csv"]
