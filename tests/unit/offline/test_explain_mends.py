"""Fixes that a look at the files proves: one edit of a source, a file in another folder, a name that data hold."""

from __future__ import annotations

import os
import sqlite3
import zipfile
from pathlib import Path

import pytest

from terma.offline.explain import Explanation, Failure, explain


@pytest.fixture(autouse=True)
def _loud(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERMA_DEBUG", "1")  # a rule that stumbles is a failure here


def told(folder: Path, command: str, output: str, status: int = 1, shell: str = "bash") -> Explanation:
    return explain(Failure(command, status, output, cwd=str(folder), shell=shell, path=os.environ["PATH"]))


def first(found: Explanation) -> str:
    return found.fixes[0].command if found.fixes else ""


def test_a_proposal_of_the_output_is_put_into_the_line_that_it_points_at(tmp_path: Path) -> None:
    (tmp_path / "tank.c").write_text("int main(void) {\n  int level = 3;\n  return lvel;\n}\n")
    output = "tank.c: In function 'main':\ntank.c:3:10: error: 'lvel' undeclared (first use in this function); did you mean 'level'?"  # noqa: E501
    assert first(told(tmp_path, "gcc tank.c", output)) == "sed -i 3s/lvel/level/ tank.c && gcc tank.c"


def test_a_proposal_that_the_line_does_not_hold_changes_nothing(tmp_path: Path) -> None:
    (tmp_path / "tank.c").write_text("int main(void) {\n  int level = 3;\n  return 0;\n}\n")
    output = "tank.c:3:10: error: 'lvel' undeclared (first use in this function); did you mean 'level'?"
    assert "sed" not in first(told(tmp_path, "gcc tank.c", output))


def test_a_box_may_break_the_line_before_the_proposed_name(tmp_path: Path) -> None:
    (tmp_path / "net.tf").write_text('variable "zone" {}\noutput "z" {\n  value = var.zoen\n}\n')
    output = (
        '╷\n│ Error: Reference to undeclared input variable\n│ \n│   on net.tf line 3, in output "z":\n│    3:   value = var.zoen\n│ \n'  # noqa: E501
        '│ An input variable with the name "zoen" has not been declared. Did you mean\n│ "zone"?\n╵\n'
    )
    assert first(told(tmp_path, "terraform plan", output)) == "sed -i 3s/zoen/zone/ net.tf && terraform plan"


@pytest.mark.parametrize(
    ("name", "source", "output", "edit"),
    [
        ("a.py", "while True\n    break\n", '  File "{f}", line 1\n    while True\n              ^\nSyntaxError: expected \':\'', "1s/$/:/"),  # noqa: E501
        ("a.c", "int f(void) {\n  return 2\n}\n", "a.c:2:11: error: expected ';' before '}' token", "2s/$/;/"),
        ("a.c", "int f(void) {\n  int n = 2\n  return n;\n}\n", "a.c:3:3: error: expected ‘,’ or ‘;’ before ‘return’", "2s/$/;/"),  # noqa: E501
        ("a.php", "<?php\n$a = 1\necho $a;\n", 'PHP Parse error:  syntax error, unexpected token "echo" in {f} on line 3', "2s/$/;/"),  # noqa: E501
    ],
)  # fmt: skip
def test_a_missing_mark_is_put_where_it_is_missing(
    tmp_path: Path, name: str, source: str, output: str, edit: str
) -> None:
    (tmp_path / name).write_text(source)
    runs = {"py": "python3", "c": "gcc", "php": "php"}[name.partition(".")[2]]
    found = told(tmp_path, f"{runs} {name}", output.replace("{f}", str(tmp_path / name)))
    assert edit in first(found)


def test_a_python_file_that_a_colon_would_not_mend_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("while True\n    break\nprint((\n")
    output = f"  File \"{tmp_path}/a.py\", line 1\n    while True\n              ^\nSyntaxError: expected ':'"
    assert not told(tmp_path, "python3 a.py", output).fixes


def test_the_source_line_stands_under_the_answer(tmp_path: Path) -> None:
    (tmp_path / "run.lua").write_text("local t = nil\nprint(t.size)\n")
    output = "lua: run.lua:2: attempt to index a nil value (local 't')"
    assert "run.lua:2: print(t.size)" in told(tmp_path, "lua run.lua", output).text


def test_the_project_lies_a_folder_down(tmp_path: Path) -> None:
    (tmp_path / "web").mkdir()
    (tmp_path / "web" / "Makefile").write_text("all:\n")
    output = "make: *** No targets specified and no makefile found.  Stop."
    assert first(told(tmp_path, "make", output, 2)) == "cd web && make"


def test_two_projects_below_are_named_and_neither_is_chosen(tmp_path: Path) -> None:
    for name in ("web", "api"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "Makefile").write_text("all:\n")
    found = told(tmp_path, "make", "make: *** No targets specified and no makefile found.  Stop.", 2)
    assert not found.fixes
    assert "web/Makefile" in found.text and "api/Makefile" in found.text


def test_a_name_that_another_file_defines(tmp_path: Path) -> None:
    (tmp_path / "m.go").write_text("package main\n\nfunc main() { greet() }\n")
    (tmp_path / "g.go").write_text("package main\n\nfunc greet() {}\n")
    assert first(told(tmp_path, "go run m.go", "./m.go:3:15: undefined: greet")) == "go run ."


def test_jq_is_given_the_one_key_that_fits(tmp_path: Path) -> None:
    (tmp_path / "d.json").write_text('{"rows": [{"id": 1}], "total": 1}')
    output = "jq: error (at d.json:1): Cannot iterate over null (null)"
    assert first(told(tmp_path, "jq '.items[].id' d.json", output, 5)) == "jq '.rows[].id' d.json"


def test_jq_is_given_no_key_where_two_fit(tmp_path: Path) -> None:
    (tmp_path / "d.json").write_text('{"rows": [{"id": 1}], "old": [{"id": 2}]}')
    assert not told(
        tmp_path, "jq '.items[].id' d.json", "jq: error (at d.json:1): Cannot iterate over null (null)", 5
    ).fixes


def test_sed_is_split_where_the_file_holds_what_is_looked_for(tmp_path: Path) -> None:
    (tmp_path / "e.conf").write_text("root /srv/www;\n")
    found = told(
        tmp_path,
        "sed -i 's/root /srv/www/root /var/www/' e.conf",
        "sed: -e expression #1, char 15: unknown option to `s'",
    )
    assert first(found) == "sed -i 's|root /srv/www|root /var/www|' e.conf"


def test_a_table_named_like_a_word_of_sql_is_quoted(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "s.db") as base:
        base.execute('CREATE TABLE "group" (id, name)')
    output = 'Error: in prepare, near "group": syntax error'
    assert (
        first(told(tmp_path, "sqlite3 s.db 'select * from group'", output))
        == "sqlite3 s.db 'select * from \"group\"'"
    )


def test_a_jar_without_a_main_class_is_started_by_its_one_main(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "t.jar", "w") as jar:
        jar.writestr("org/x/Tool.class", b"\xca\xfe\x01\x00\x04main\x01\x00\x16([Ljava/lang/String;)V")
        jar.writestr("org/x/Help.class", b"\xca\xfe")
    found = told(tmp_path, "java -jar t.jar", "no main manifest attribute, in t.jar")
    assert "org.x.Tool" in found.text


def test_a_damaged_jar_is_passed_over(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "t.jar", "w", zipfile.ZIP_DEFLATED) as jar:
        jar.writestr("org/x/Tool.class", " ".join(str(number * number) for number in range(900)))
    whole = (tmp_path / "t.jar").read_bytes()
    for at in range(30, len(whole), 97):
        (tmp_path / "t.jar").write_bytes(whole[:at] + bytes((whole[at] ^ 0xFF,)) + whole[at + 1 :])
        assert told(tmp_path, "java -jar t.jar", "no main manifest attribute, in t.jar").text


def test_an_empty_operand_of_a_numeric_test() -> None:
    found = explain(Failure("[ $N -lt 3 ] && echo few", 2, "bash: [: -lt: unary operator expected"))
    assert first(found) == "[[ $N -lt 3 ]] && echo few"


def test_names_with_blanks_are_parted_by_nul(tmp_path: Path) -> None:
    (tmp_path / "my log.txt").touch()
    output = "rm: cannot remove './my': No such file or directory\nrm: cannot remove 'log.txt': No such file or directory"  # noqa: E501
    assert (
        first(told(tmp_path, "find . -name '*.txt' | xargs rm", output, 123))
        == "find . -name '*.txt' -print0 | xargs -0 rm"
    )


def test_a_certificate_is_asked_of_a_key(tmp_path: Path) -> None:
    (tmp_path / "site.key").write_text("-----BEGIN PRIVATE KEY-----\nx\n")
    (tmp_path / "site.pem").write_text("-----BEGIN CERTIFICATE-----\nx\n")
    found = told(
        tmp_path,
        "openssl x509 -in site.key -noout -subject",
        "Could not read certificate from site.key\nUnable to load certificate",
    )
    assert "private key" in found.text
    assert first(found) == "openssl x509 -in site.pem -noout -subject"


def test_the_command_that_failed_of_a_list_is_named() -> None:
    found = explain(
        Failure("echo ok; grep x none.txt", 2, "ok\ngrep: none.txt: No such file or directory", statuses=(2,))
    )
    assert "$ grep x none.txt" in found.text


@pytest.mark.parametrize(
    ("command", "output", "fix"),
    [
        (
            "namei -l srv/wwww/index",
            "f: srv/wwww/index\n  wwww - No such file or directory",
            "namei -l srv/www/index",
        ),
        ("tool read srv/wwww/index", "tool: no folder wwww: not found", "tool read srv/www/index"),
        ("bc -q sums.bcc", "File sums.bcc is unavailable.", "bc -q sums.bc"),
        ("calc --quiet ./sums.bcc", "sums.bcc: gave up", "calc --quiet ./sums.bc"),
    ],
)
def test_a_file_is_found_by_what_the_output_names_and_not_by_its_wording(
    tmp_path: Path, command: str, output: str, fix: str
) -> None:
    (tmp_path / "srv" / "www").mkdir(parents=True)
    (tmp_path / "srv" / "www" / "index").touch()
    (tmp_path / "sums.bc").touch()
    assert first(told(tmp_path, command, output)) == fix


@pytest.mark.parametrize(
    ("command", "output"),
    [
        ("calc sums.bc -o sums.bb", "sums.bb: gave up"),
        ("calc sums.bc > sums.bb", "sums.bb: gave up"),
        ("calc sums.bc sums.bb", "cannot write sums.bb: gave up"),
        ("calc sums.bb", "gave up"),
        ("calc -C bild", "bild is not set up for calc"),
        ("cp page.html sums.bb", "cp: cannot create regular file 'sums.bb': Permission denied"),
    ],
)
def test_what_was_to_be_written_and_a_folder_become_no_other(
    tmp_path: Path, command: str, output: str
) -> None:
    (tmp_path / "sums.bc").touch()
    (tmp_path / "build").mkdir()
    assert first(told(tmp_path, command, output)) in ("", f"sudo {command}")
