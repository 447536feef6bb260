"""A word that a program does not know, looked up in the output's own list, the machine's, or the program's text."""

from __future__ import annotations

from pathlib import Path

import pytest

from terma.offline.explain import Failure, explain


def first(command: str, output: str, cwd: Path, path: str = "/usr/bin:/bin") -> str:
    found = explain(Failure(command, 1, output, str(cwd), path=path))
    return found.fixes[0].command if found.fixes else ""


@pytest.mark.parametrize(
    ("command", "output", "fix"),
    [
        ("bash -c 'kill -HPU 1'", "bash: line 1: kill: HPU: invalid signal specification", ""),
        ("timeout -s TREM 5 ls", "timeout: ‘TREM’: invalid signal", "timeout -s TERM 5 ls"),
        (
            "nice -n 5 slepe 3",
            "nice: failed to run command ‘slepe’: No such file or directory",
            "nice -n 5 sleep 3",
        ),
        ("id rooot", "id: ‘rooot’: no such user", "id root"),
    ],
)
def test_a_word_is_looked_up_in_the_list_of_its_kind(
    command: str, output: str, fix: str, tmp_path: Path
) -> None:
    assert first(command, output, tmp_path) == fix


def test_the_right_words_that_an_output_lists_are_taken_though_it_names_no_wrong_one(tmp_path: Path) -> None:
    output = "Unknown value for --level. Valid options are: quiet, warning, verbose"
    assert first("frob --level=warnign x", output, tmp_path) == "frob --level=warning x"
    assert first("frob --level=loud x", output, tmp_path) == ""


def test_a_class_is_looked_up_among_the_files_that_hold_classes(tmp_path: Path) -> None:
    (tmp_path / "Ledger.class").touch()
    assert first("javap -c Legder", "Error: class not found: Legder", tmp_path) == "javap -c Ledger"


def test_the_programs_own_text_holds_its_words(tmp_path: Path) -> None:
    program = tmp_path / "frob"
    program.write_text("#!/bin/sh\n# modes: gradual sudden\n")
    program.chmod(0o755)
    here = f"{tmp_path}:/usr/bin"
    assert first("frob gradaul", "frob: unknown mode gradaul", tmp_path, here) == "frob gradual"
    assert first("frob gradaul", "frob: table gradaul does not exist", tmp_path, here) == "", (
        "no word of its own"
    )


def test_two_names_that_are_as_near_are_none(tmp_path: Path) -> None:
    assert first("frob --mode=tast", "frob: invalid mode tast, valid modes: test, task", tmp_path) == ""


def test_a_word_that_its_list_holds_is_right(tmp_path: Path) -> None:
    assert first("frob -u root", "frob: unknown user root", tmp_path) == ""


@pytest.mark.parametrize(
    ("typed", "there", "fix"),
    [
        ("fixes.diff", ["fix.diff"], "fix.diff"),
        ("aa.diff", ["a.diff"], "a.diff"),
        ("a.diff", ["b.diff"], ""),
        ("part1.txt", ["part2.txt"], ""),
    ],
)
def test_the_only_file_that_begins_and_ends_so(
    typed: str, there: list[str], fix: str, tmp_path: Path
) -> None:
    for name in there:
        (tmp_path / name).touch()
    output = f"patch: **** Can't open patch file {typed} : No such file or directory"
    assert first(f"patch -p1 -i {typed}", output, tmp_path) == (f"patch -p1 -i {fix}" if fix else "")


def test_gem_without_a_network_is_not_told_that_there_is_no_gem(tmp_path: Path) -> None:
    output = (
        "ERROR:  Could not find a valid gem 'rake' (>= 0), here is why:\n          Unable to download data from"
        " https://gems.example.org/ - SocketError: getaddrinfo: Name or service not known"
    )
    text = explain(Failure("gem install rake", 2, output, str(tmp_path))).text
    assert "could not reach" in text
    assert "There is no gem" not in text


def test_frames_of_javas_own_classes_are_no_place_of_the_person(tmp_path: Path) -> None:
    output = (
        "java.nio.file.NoSuchFileException: in.csv\n"
        "\tat java.base/sun.nio.fs.UnixException.rethrow(UnixException.java:92)\n"
        "\tat Load.main(Load.java:7)\n"
    )
    text = explain(Failure("java Load.java", 1, output, str(tmp_path))).text
    assert "UnixException.java:92" not in text
    assert "Load.java:7" in text


def test_a_library_is_installed_only_by_a_name_that_is_known(tmp_path: Path) -> None:
    output = "/usr/bin/ld: cannot find -lqqqzz: No such file or directory\ncollect2: error: ld returned 1 exit status"
    assert first("gcc a.c -lqqqzz", output, tmp_path) == ""


def test_lines_that_are_not_in_order_are_sorted_on_their_way(tmp_path: Path) -> None:
    for name in ("x.txt", "y.txt"):
        (tmp_path / name).touch()
    output = "comm: file 1 is not in sorted order\ncomm: input is not in sorted order"
    assert first("comm -12 x.txt y.txt", output, tmp_path) == "comm -12 <(sort x.txt) <(sort y.txt)"
    plain = Failure("comm x.txt y.txt", 1, output, str(tmp_path), "sh", "/usr/bin:/bin")
    assert explain(plain).fixes == (), "a plain sh has no such substitution"


def test_a_manifest_is_asked_for_by_half_its_name(tmp_path: Path) -> None:
    (tmp_path / "app").mkdir()
    (tmp_path / "app" / "pom.xml").touch()
    output = (
        "[ERROR] The goal you specified requires a project but there is no POM in this directory. Not found."
    )
    assert first("mvn compile", output, tmp_path) == "cd app && mvn compile"


def test_a_header_is_shown_to_whatever_reads_the_source(tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text('#include "cfg.h"\n')
    (tmp_path / "inc").mkdir()
    (tmp_path / "inc" / "cfg.h").touch()
    output = "a.c:1:10: fatal error: cfg.h: No such file or directory\ncompilation terminated."
    assert first("cpp a.c", output, tmp_path) == "cpp -Iinc a.c"


@pytest.mark.parametrize(
    ("command", "meant"),
    [("tar -cfz a.tgz src", "tar -czf a.tgz src"), ("tar -czf a.tgz src", ""), ("tar -xfz a.tgz", "")],
)
def test_the_letters_behind_f_are_no_archive(command: str, meant: str, tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    assert first(command, "tar: a.tgz: Cannot stat: No such file or directory", tmp_path) == meant


def test_a_word_keeps_the_case_in_which_it_was_typed(tmp_path: Path) -> None:
    program = tmp_path / "frob"
    program.write_text("#!/bin/sh\n# digests: SHA384\n# columns: SIZE\n")
    program.chmod(0o755)
    here = f"{tmp_path}:/usr/bin"
    assert first("frob -d sha348", "frob: unknown digest: sha348", tmp_path, here) == "frob -d sha384"
    assert first("frob -o SZIE", "frob: unknown column: SZIE", tmp_path, here) == "frob -o SIZE"
