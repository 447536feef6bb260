"""What is missing and near: a right of one's own, a sample, a value to fill in, a name that data or settings have."""

from __future__ import annotations

import os
import sqlite3
import subprocess
from pathlib import Path

import pytest

from terma.offline.explain import Explanation, Failure, explain

HERE = "/usr/local/bin:/usr/bin:/bin"
TRACE = 'Traceback (most recent call last):\n  File "{0}", line {1}, in <module>\n    {2}\n{3}'


def told(here: Path, command: str, output: str, status: int = 1, shell: str = "bash") -> Explanation:
    return explain(Failure(command, status, output, str(here), shell, path=HERE))


def first(here: Path, command: str, output: str, status: int = 1) -> str:
    found = told(here, command, output, status)
    return found.fixes[0].command if found.fixes else ""


def looks(here: Path, command: str, output: str, status: int = 1) -> list[str]:
    return [one.command for one in told(here, command, output, status).looks]


MODES = [
    ("tar czf d.tgz d", "tar: d/a: Cannot open: Permission denied", "d/a", 0o000, "chmod u+r d/a && tar czf d.tgz d"),
    ("git mv a b", "fatal: renaming 'a' failed: Permission denied", ".", 0o555, "chmod u+w . && git mv a b"),
    ("tar xf b.tar", "tar: a: Cannot open: File exists", ".", 0o555, "chmod u+w . && tar xf b.tar"),
    ("find d", "find: ‘d’: Permission denied", "d", 0o300, "chmod u+rx d && find d"),
    ("frob a", "frob: a: Permission denied", ".", 0o755, ""),  # no mode of mine bars me: somebody else refuses
]  # fmt: skip


def test_a_right_that_the_owner_lacks_is_given_and_root_not_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    owner = os.stat(tmp_path).st_uid  # noqa: PTH116
    (tmp_path / "d").mkdir()
    for name in ("a", "b.tar", "d/a"):
        (tmp_path / name).write_text("x")
    monkeypatch.setattr("terma.offline.explain.modes.os.geteuid", lambda: owner or 1000)
    if owner == 0:  # root's own files stand for those of a user here
        monkeypatch.setattr("terma.offline.explain.modes._is_mine", lambda found: found.st_uid == 0)
    for command, output, path, mode, right in MODES:
        (tmp_path / path).chmod(mode)
        fix = first(tmp_path, command, output)
        assert fix == right if right else "chmod" not in fix, command
        assert not right or "root may" not in told(tmp_path, command, output).text
        (tmp_path / path).chmod(0o755)


SAMPLES = [
    ("config.yml", "config.yml.example", "cp config.yml.example config.yml && frob"),
    ("config.json", "config.sample.json", "cp config.sample.json config.json && frob"),
    (".env", ".env.dist", "cp .env.dist .env && frob"),
    ("config.mk", "config.mk.in", "cp config.mk.in config.mk && frob"),
    ("config.h", "config.h.in", ""),  # configure fills it in
    ("config.yml", "other.yml.example", ""),
]  # fmt: skip


def test_a_missing_file_is_made_of_the_sample_beside_it(tmp_path: Path) -> None:
    for number, (missing, sample, right) in enumerate(SAMPLES):
        here = tmp_path / str(number)
        here.mkdir()
        (here / sample).write_text("@prefix@\n" if sample == "config.h.in" else "a\n")
        assert first(here, "frob", f"frob: cannot open {missing}: No such file or directory") == right, (
            missing
        )


ASKED = [
    ("python3 job.py a", "job.py: error: the following arguments are required: --out", "python3 job.py a --out {out}"),
    ("python3 job.py a", "job.py: error: the following arguments are required: dest", "python3 job.py a {dest}"),
    ("python3 job.py a", "job.py: error: the following arguments are required: b, c, d", ""),
    ("frob go", 'Error: required flag(s) "image-name" not set', "frob go --image-name {image_name}"),
    ("frob go", "Error: Missing option '--size'.", "frob go --size {size}"),
    ("frob go", "Error: Missing argument 'DEST'.", "frob go {dest}"),
    ("./copy.sh a", "usage: ./copy.sh SOURCE TARGET", "./copy.sh a {target}"),
    ("./copy.sh a", "usage: ./copy.sh [-f] SOURCE TARGET", ""),  # more than one thing may be missing
    ("./copy.sh a b", "usage: ./copy.sh SOURCE TARGET", ""),
]  # fmt: skip


def test_what_is_required_gets_a_place_for_its_value(tmp_path: Path) -> None:
    for name in ("job.py", "copy.sh", "a", "b"):
        (tmp_path / name).write_text("")
    for command, output, right in ASKED:
        assert first(tmp_path, command, output, 2) == right, output


def test_a_variable_that_nothing_sets_gets_a_place_for_its_value(tmp_path: Path) -> None:
    said = "start.sh: line 2: PORT: PORT must be set"
    (tmp_path / "start.sh").write_text(': "${PORT:?PORT must be set}"\n')
    assert first(tmp_path, "bash start.sh", said) == "export PORT={value} && bash start.sh"
    (tmp_path / "conf").mkdir()
    (tmp_path / "conf" / "app.env").write_text("PORT=\n")
    assert not first(tmp_path, "bash start.sh", said)  # what is read later empties it again
    assert looks(tmp_path, "bash start.sh", said) == ["grep -n PORT conf/app.env"]


def test_the_file_of_values_that_a_source_names_is_told_with_the_line(tmp_path: Path) -> None:
    (tmp_path / "s.py").write_text("import csv\nrows = csv.reader(open('d.csv'))\nint(rows[1])\n")
    (tmp_path / "d.csv").write_text("id,qty\n1,3\n2,n/a\n")
    error = "ValueError: invalid literal for int() with base 10: 'n/a'"
    assert (
        "n/a stands in d.csv, line 3."
        in told(tmp_path, "python3 s.py", TRACE.format("s.py", 3, "x", error)).text
    )
    error = "KeyError: 'mass'"
    assert "names the file d.csv." in told(tmp_path, "python3 s.py", TRACE.format("s.py", 3, "x", error)).text


def test_a_table_that_a_script_misspells_is_taken_from_its_database(tmp_path: Path) -> None:
    sqlite3.connect(tmp_path / "x.db").execute("create table items(a)").connection.commit()
    (tmp_path / "q.py").write_text(
        "import sqlite3\nc = sqlite3.connect('x.db')\nc.execute('select * from itms')\n"
    )
    out = TRACE.format(
        "q.py", 3, "c.execute('select * from itms')", "sqlite3.OperationalError: no such table: itms"
    )
    assert first(tmp_path, "python3 q.py", out) == "sed -i 3s/itms/items/ q.py && python3 q.py"


TOML = [
    ("version = 1.0.0", 'version = "1.0.0"'),
    ('name = "x', 'name = "x"'),
    ("size: 3", "size = 3"),
    ('list = ["a"', 'list = ["a"]'),
    ("name = a, {b", ""),
]  # fmt: skip


def test_a_slip_of_toml_is_mended_where_the_file_can_be_read_after_it(tmp_path: Path) -> None:
    for row, right in TOML:
        (tmp_path / "c.toml").write_text(f"[tool]\n{row}\n")
        fix = first(
            tmp_path, "frob c.toml", "frob: c.toml: TOML parse error: expected a value (at line 2, column 3)"
        )
        assert right in fix and bool(fix) == bool(right), row


def test_words_of_sources_and_statements(tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text("int main(){\n retrn 0;}\n")
    out = "a.c:2:2: error: ‘retrn’ undeclared (first use in this function)"
    assert first(tmp_path, "make", out, 2) == "sed -i 2s/retrn/return/ a.c && make"
    (tmp_path / "q.sql").write_text("select 1;\nselct 2;\n")
    out = 'Error: near line 2: near "selct": syntax error'
    assert (
        first(tmp_path, "sqlite3 x.db < q.sql", out)
        == "sed -i 2s/selct/select/ q.sql && sqlite3 x.db < q.sql"
    )
    (tmp_path / "main.c").write_text("int f(int);\nint main(){return f(1);}\n")
    (tmp_path / "f.c").write_text("int f(int x) {\n return x;\n}\n")
    out = "/usr/bin/ld: /tmp/x.o: in function `main':\nmain.c:(.text+0xa): undefined reference to `f'"
    assert first(tmp_path, "gcc -o p main.c", out) == "gcc -o p main.c f.c"


def test_a_file_that_a_script_names_and_that_lies_below_is_named_there(tmp_path: Path) -> None:
    (tmp_path / "etc").mkdir()
    (tmp_path / "etc" / "app.cfg").touch()
    (tmp_path / "inst.sh").write_text("set -e\ncp app.cfg /tmp/x\n")
    out = "cp: cannot stat 'app.cfg': No such file or directory"
    assert "etc/app.cfg" in first(tmp_path, "./inst.sh", out)
    found = looks(tmp_path, "ld a.o -lfoo", "ld: cannot find -lfoo: No such file or directory")
    assert found == ["apt-cache search libfoo"]


EDITS = [
    ("A.java", "javac A.java", "A.java:2: error: ';' expected\n int x = 1 return x; }\n          ^\n1 error",
     "class A { int f() {\n int x = 1 return x; }\n}\n", " int x = 1; return x; }"),
    ("b.pl", "perl b.pl", 'syntax error at b.pl line 2, near "1 {"\nExecution of b.pl aborted due to compilation errors.',  # noqa: E501
     "my $x = 1;\nif ($x == 1 {\n print 1;\n}\n", "if ($x == 1) {"),
    ("b.pl", "perl b.pl", 'syntax error at b.pl line 2, near "foo"', "my $x = (1,\n foo (2,\n 3));\n", ""),  # it goes on  # noqa: E501
    ("a.c", "make", "a.c:1:12: error: ‘xyz’ undeclared\n int main(){xyz 0;}\n            ^~~\n"
     "a.c:1:16: error: expected ‘;’ before numeric constant\n int main(){xyz 0;}\n               ^~", "int main(){xyz 0;}\n", ""),  # noqa: E501
]  # fmt: skip


def test_a_mark_inside_of_a_line_is_put_where_the_first_error_points(tmp_path: Path) -> None:
    for name, command, output, source, right in EDITS:
        (tmp_path / name).write_text(source)
        fix = first(tmp_path, command, output, 2)
        assert bool(fix) == bool(right), fix
        if right:
            subprocess.run(fix.partition(" && ")[0], shell=True, check=True, cwd=tmp_path)  # noqa: S602
            assert right in (tmp_path / name).read_text().splitlines()


def test_what_builds_this_folder_is_not_started_in_another(tmp_path: Path) -> None:
    (tmp_path / "build.ninja").write_text("rule cc\n command = cc $in\nbuild a.o: cc part.c\n")
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "part.c").touch()
    out = "ninja: error: 'part.c', needed by 'a.o', missing and no known rule to make it"
    assert first(tmp_path, "ninja", out) == "sed -i '3s|part\\.c|src/part.c|' build.ninja && ninja"


def test_a_file_that_was_typed_in_an_earlier_command_is_no_reason_to_go_elsewhere(tmp_path: Path) -> None:
    (tmp_path / "etc").mkdir()
    (tmp_path / "etc" / "app.cfg").touch()
    out = "cat: app.cfg: No such file or directory\n0"
    assert first(tmp_path, "cat app.cfg | wc -l; false", out) == ""


def test_looks_at_the_kind_of_a_file_and_at_what_was_silenced(tmp_path: Path) -> None:
    (tmp_path / "id").write_text("")
    assert looks(tmp_path, "ssh-keygen -y -f id", 'Load key "id": error in libcrypto', 255) == ["file id"]
    assert looks(tmp_path, "wget -q http://h.example/x", "", 8) == ["wget http://h.example/x"]
    assert looks(tmp_path, "xargs cp -t bak", "cp: cannot stat 'b': No such file or directory", 123) == ["ls"]
