"""What an output names as the way on, and what a program looks for by itself: none of it is bound to a program."""

from __future__ import annotations

from pathlib import Path

import pytest

from terma.offline.explain import Failure, explain
from terma.offline.explain.case import Case
from terma.offline.explain.glued import glued
from terma.offline.explain.proposed import candidates


@pytest.fixture
def frob(tmp_path: Path) -> Path:
    """A program with a manual page, and an empty folder to work in; the folder."""
    for folder in ("bin", "share/man/man1", "work"):
        (tmp_path / folder).mkdir(parents=True)
    program = tmp_path / "bin/frob"
    program.write_text("#!/bin/sh\n# gradual sudden balance\n")
    program.chmod(0o755)
    page = ".TH FROB 1\n.SH OPTIONS\n.TP\n-r, --recursive\nGo into folders.\n.TP\n-k\nKeep.\n"
    (tmp_path / "share/man/man1/frob.1").write_text(page)
    return tmp_path / "work"


def first(command: str, output: str, cwd: Path) -> str:
    path = f"{cwd.parent / 'bin'}:/usr/bin:/bin"
    found = explain(Failure(command, 1, output, str(cwd), path=path))
    return found.fixes[0].command if found.fixes else ""


@pytest.mark.parametrize(
    ("command", "output", "fix"),
    [
        ("frob a.txt", "frob: the result is binary; did you mean to use -b/--binary?", "frob -b a.txt"),
        ("frob a.txt", "frob: error: a.txt is large, please pass '--large'", "frob --large a.txt"),
        (
            "frob make a.txt",
            "frob: error: this needs the option --large to go on.",
            "frob make --large a.txt",
        ),
        ("frob a.txt", "frob: error: -x cannot be used without a mode", ""),
        ("frob a.txt", "frob: error: bad file. See --formats for a list of formats", ""),
        ("frob a.txt", "frob: error: large. Use --large or --small to choose", ""),
        ("frob a.txt", "frob: error: give a name with '--name NAME'", ""),
        ("frob --large a.txt", "frob: error: --large needs more memory", ""),
    ],
)
def test_an_option_that_the_output_names_is_added_where_it_is_the_only_one(
    command: str, output: str, fix: str, frob: Path
) -> None:
    (frob / "a.txt").touch()
    assert first(command, output, frob) == fix


def test_a_folder_is_gone_into_with_the_option_that_the_manual_has_for_it(frob: Path) -> None:
    (frob / "logs").mkdir()
    assert first("frob -k logs", "frob: skipping: logs is a directory", frob) == "frob -r -k logs"
    assert first("frob -r logs", "frob: skipping: logs is a directory", frob) == ""
    assert first("frob other", "frob: skipping: other is a directory", frob) == "", "there is none"


def test_the_file_that_a_program_looks_for_by_itself_says_where_to_start_it(frob: Path) -> None:
    (frob / "docs").mkdir()
    (frob / "docs/outline.frob").touch()
    output = "frob: error: outline.frob not found"
    assert first("frob build", output, frob) == "cd docs && frob build"
    (frob / "more").mkdir()
    (frob / "more/outline.frob").touch()
    assert first("frob build", output, frob) == "", "there are two"


def test_a_configuration_that_is_not_named_is_one_of_the_programs_name(frob: Path) -> None:
    (frob / "site").mkdir()
    (frob / "site/frob.toml").touch()
    output = "Error: unable to find a configuration"
    assert first("frob build", output, frob) == "cd site && frob build"
    (frob / "frob.toml").touch()
    assert first("frob build", output, frob) == "", "one is here: something else is wrong"


def test_the_nearest_proposal_comes_first_and_help_is_none() -> None:
    output = "Error: unknown command\n\nDid you mean this?\n\tlink\n\tsync\n\nTry 'frob --help' for more."
    case = Case(Failure("frob synk a b", 1, output))
    assert candidates(case, "synk")[:2] == ["sync", "link"]
    quoted = (
        "Unrecognized command `frob inspct`\n\nDid you mean this?\n\tinspect\n\nTry 'frob --help' for more."
    )
    assert candidates(Case(Failure("frob inspct a", 1, quoted)), "inspct") == ["inspect"]


def test_two_neighbours_that_changed_places_are_nearer_than_any_other_slip(frob: Path) -> None:
    output = "frob: unknown mode 'opne', valid modes: open, one"
    assert first("frob --mode=opne", output, frob) == "frob --mode=open"


def test_the_first_letter_is_seldom_the_wrong_one(frob: Path) -> None:
    (frob.parent / "bin/frob").write_text("#!/bin/sh\n# glance balance\n")
    assert first("frob blance", "frob: command blance is not recognized", frob) == "frob balance"


def test_a_value_is_looked_up_where_only_its_option_is_named(frob: Path) -> None:
    assert first("frob --mode=gradaul x", "Invalid value for -mode", frob) == "frob --mode=gradual x"
    assert first("frob --mode=gradaul x", "Invalid value for -level", frob) == ""


def test_one_word_of_a_quoted_argument_is_mended_in_its_place(frob: Path) -> None:
    assert first("frob '3 gradaul' x", "Unknown mode 'gradaul'", frob) == "frob '3 gradual' x"


def test_an_advice_of_which_nothing_can_be_typed_gives_way(frob: Path) -> None:
    output = "Use:\n  nosuchtool prepare\n\nusage: frob COMMAND\ncommands: gradual, sudden\n"
    assert first("frob gradaul", output, frob) == "frob gradual"


def test_a_page_of_usage_advises_no_line_of_it(frob: Path) -> None:
    output = "Use:\n" + "".join(f"  frob -{letter} file{letter}\n" for letter in "abcd")
    assert first("frob", output, frob) == ""


def test_an_option_that_many_programs_have_is_proposed_where_this_one_has_it(frob: Path) -> None:
    (frob.parent / "share/man/man1/frob.1").unlink()
    output = "frob: error: unrecognized arguments: --srot"
    assert first("frob --srot a", output, frob) == ""
    (frob.parent / "bin/frob").write_text("#!/bin/sh\n# --sort\n")
    assert first("frob --srot a", output, frob) == "frob --sort a"


def test_a_program_glued_to_a_file_that_lies_here(frob: Path) -> None:
    (frob / "a.txt").touch()
    case = Case(Failure("froba.txt", 127, "", str(frob), path=str(frob.parent / "bin")))
    assert glued(case, "froba.txt") == "frob a.txt"
    assert glued(case, "frobb.txt") == "", "no such file"


def test_the_one_name_that_begins_a_longer_one_is_meant(frob: Path) -> None:
    (frob / "site.py").write_text("app = 1\n")
    output = 'Error: Attribute "application" not found in module "site".'
    assert first("frob site:application", output, frob) == "frob site:app"


def test_no_option_is_moved_where_the_output_calls_another_one_wrong(frob: Path) -> None:
    (frob / "a.gif").touch()
    output = "frob: unrecognized option '--colour=3'\nUsage: frob [OPTION | FILE]..."
    assert first("frob --colour=3 a.gif -o b.gif", output, frob) == ""
    assert first("frob a.gif -o b.gif", "frob: -o: no such file\nUsage: frob [OPTION]... FILE", frob) == (
        "frob -o b.gif a.gif"
    )


def test_of_two_slips_the_nearer_comes_first_also_where_the_help_has_it_in_capitals(tmp_path: Path) -> None:
    said = "docker: unknown command: docker rum\n\nRun 'docker --help' for more information\n"
    found = explain(Failure("docker rum hello", 1, said, str(tmp_path), path=""))
    assert [fix.command for fix in found.fixes][:2] == ["docker run hello", "docker rm hello"]


def test_a_key_that_was_pressed_twice_is_nearer_than_another_letter(tmp_path: Path) -> None:
    for name in ("hosts", "hosts-"):
        (tmp_path / name).touch()
    said = "head: cannot open 'hostss' for reading: No such file or directory"
    found = explain(Failure("head hostss", 1, said, str(tmp_path), path="/usr/bin:/bin"))
    assert found.fixes[0].command == "head hosts"


def test_the_command_itself_is_no_way_on(tmp_path: Path) -> None:
    said = "bash: export: `1A=2': not a valid identifier"
    assert "not sure enough" not in explain(Failure("export 1A=2", 1, said, str(tmp_path))).text


def test_a_sentence_around_a_name_is_no_name(tmp_path: Path) -> None:
    said = "Could not open file or uri for loading certificate from a.pem: No such file or directory"
    found = explain(Failure("openssl x509 -in a.pem", 1, said, str(tmp_path), path="/usr/bin:/bin"))
    assert found.text.startswith("a.pem: no such file")


def test_root_does_not_find_either_what_is_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said = (
        'rsync: change_dir "here/gone" failed: No such file or directory (2)\n'
        'rsync: mkdir "/opt/x" failed: Permission denied (13)'
    )
    monkeypatch.setattr("terma.offline.explain.reach.is_root", lambda: False)
    bin = tmp_path / "bin"
    bin.mkdir()
    for name in ("sudo", "rsync"):
        (bin / name).touch(mode=0o755)
    failure = Failure("rsync -a gone/ /opt/x", 11, said, str(tmp_path), path=str(bin))
    assert explain(failure).fixes == ()
    (tmp_path / "gone").mkdir()
    assert [fix.command for fix in explain(failure).fixes] == ["sudo rsync -a gone/ /opt/x"]
