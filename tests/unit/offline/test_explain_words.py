"""Words that only the program knows, looked up in its libraries and its package; names that files here define."""

from __future__ import annotations

from pathlib import Path

import pytest

from terma.offline.explain import Failure, explain, program_text
from terma.offline.explain.case import Case

HERE = "/usr/local/bin:/usr/bin:/bin"


@pytest.fixture(autouse=True)
def _loud(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERMA_DEBUG", "1")  # a rule that stumbles is a failure here


def first(
    folder: Path, command: str, output: str, status: int = 1, path: str = HERE, shell: str = "bash"
) -> str:
    found = explain(Failure(command, status, output, str(folder), shell, path=path))
    return found.fixes[0].command if found.fixes else ""


@pytest.fixture
def frob(tmp_path: Path) -> tuple[Path, str]:
    """A program of Python's that starts a package: the folder of its work, and its PATH."""
    home = tmp_path / "env"
    package = home / "lib/python3.11/site-packages/frobnicator/main"
    package.mkdir(parents=True)
    (package / "options.py").write_text('add("--max-line-length")\nadd("--report-file")\n')
    (home / "bin").mkdir()
    script = home / "bin/frob"
    script.write_text("#!/usr/bin/python3\nimport sys\nfrom frobnicator.main import cli\nsys.exit(cli())\n")
    script.chmod(0o755)
    work = tmp_path / "work"
    work.mkdir()
    return work, f"{home / 'bin'}:{HERE}"


def test_an_option_is_looked_up_in_the_package_that_a_script_starts(frob: tuple[Path, str]) -> None:
    work, path = frob
    output = "usage: frob [options]\nfrob: error: unrecognized arguments: --max-line-lenght"
    assert first(work, "frob --max-line-lenght 90 a.py", output, 2, path) == "frob --max-line-length 90 a.py"


def test_what_the_package_does_not_hold_is_not_made_up(frob: tuple[Path, str]) -> None:
    work, path = frob
    output = "frob: error: unrecognized arguments: --min-lines-lost"
    assert first(work, "frob --min-lines-lost 90 a.py", output, 2, path) == ""


def test_a_package_of_another_program_is_not_searched(frob: tuple[Path, str]) -> None:
    work, path = frob
    case = Case(Failure("frob --x", 2, "", str(work), "bash", path=path))
    assert program_text.holds(case, "--report-file")
    assert not program_text.holds(case, "--report")
    other = Case(Failure("ls --x", 2, "", str(work), "bash", path=path))
    assert not program_text.holds(other, "--report-file")


def test_a_value_behind_the_letter_of_its_option_is_looked_up(tmp_path: Path) -> None:
    output = 'Format: "pgn" not recognized. Use one of: canon eps gif pdf png ps svg'
    assert first(tmp_path, "dot -Tpgn a.dot -o a.png", output) == "dot -Tpng a.dot -o a.png"


@pytest.mark.parametrize(
    ("name", "text"),
    [("tasks.py", "@task\ndef build(c):\n    pass\n"), ("Taskfile.yml", "tasks:\n  build:\n    cmds: []\n")],
)
def test_a_task_that_a_file_here_defines(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text)
    assert first(tmp_path, "frob biuld", "No idea what 'biuld' is!") == "frob build"


def test_a_task_that_no_file_defines_is_not_offered(tmp_path: Path) -> None:
    (tmp_path / "tasks.py").write_text("@task\ndef deploy(c):\n    pass\n")
    assert first(tmp_path, "frob biuld", "No idea what 'biuld' is!") == ""


def test_a_pattern_whose_ending_no_file_here_has(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data/a.jsn").write_text("1")
    output = "cp: cannot stat 'data/*.json': No such file or directory"
    command = "mkdir -p out && cp data/*.json out/"
    assert first(tmp_path, command, output) == "mkdir -p out && cp data/*.jsn out/"
    (tmp_path / "data/b.jso").write_text("1")
    assert first(tmp_path, command, output) == ""


def test_a_bracket_that_closes_nothing(tmp_path: Path) -> None:
    assert (
        first(tmp_path, "echo ${name:u}}; ls", "zsh: parse error near `}'", shell="zsh")
        == "echo ${name:u}; ls"
    )


def test_a_pattern_of_case_closes_nothing_and_is_right(tmp_path: Path) -> None:
    output = "bash: syntax error near unexpected token `)'"
    assert "case x in a echo" not in first(tmp_path, "case x in a) echo; esac )", output)


def test_an_option_that_is_wrong_does_not_move_its_value(tmp_path: Path) -> None:
    (tmp_path / "main.py").write_text("print(1)\n")
    output = "usage: main.py [-h] [--port PORT]\nmain.py: error: unrecognized arguments: --prot 80"
    assert first(tmp_path, "python3 main.py --prot 80", output, 2) == "python3 main.py --port 80"


def test_a_checkers_proposal_for_a_source_is_no_command_to_run(tmp_path: Path) -> None:
    output = 'In a.sh line 3:\n  rm $f\n     ^-- SC2086 (info): Double quote.\n\nDid you mean: \n  rm "$f"\n'
    assert first(tmp_path, "shellcheck a.sh", output) == ""


def test_a_line_without_a_name_is_of_the_one_file_that_was_read(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text("<p>\n<sectoin>a</sectoin>\n<section>b</section>\n")
    output = "line 2 column 1 - Error: <sectoin> is not recognized!"
    assert (
        first(tmp_path, "frob page.html", output) == "sed -i 2s/sectoin/section/g page.html && frob page.html"
    )


def test_a_line_of_code_in_the_command_is_no_line_of_the_file(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("one\ntwo\n")
    found = explain(
        Failure("awk '{ print $1' a.txt", 2, "awk: line 2: missing } near end of file", str(tmp_path))
    )
    assert "a.txt:2" not in found.text


def test_do_is_put_behind_the_head_of_its_loop(tmp_path: Path) -> None:
    (tmp_path / "a.ksh").write_text("n=0\nfor i in 1 2 3\n  n=$((n+i))\ndone\n")
    output = "a.ksh: syntax error at line 3: `n=$((n+i))' unexpected"
    assert first(tmp_path, "ksh a.ksh", output, 3, "") == "sed -i '2s/$/; do/' a.ksh && ksh a.ksh"


def test_a_sign_that_the_other_lines_write_shorter(tmp_path: Path) -> None:
    (tmp_path / "g.dot").write_text("digraph g {\n a -> b\n b --> c\n}\n")
    output = "Error: g.dot: syntax error in line 3 near '--'"
    assert first(tmp_path, "dot g.dot", output, 1, "") == "sed -i '3s/-->/->/' g.dot && dot g.dot"


def test_docker_without_its_compose_plugin(tmp_path: Path) -> None:
    (tmp_path / "bin").mkdir()
    for name in ("docker", "docker-compose"):
        (tmp_path / "bin" / name).write_text("#!/bin/sh\n")
        (tmp_path / "bin" / name).chmod(0o755)
    output = "unknown shorthand flag: 'd' in -d\nSee 'docker --help'."
    assert (
        first(tmp_path, "docker compose up -d", output, 125, str(tmp_path / "bin")) == "docker-compose up -d"
    )
