"""A fix is a whole command that asks for what was asked; where that cannot be shown, nothing is offered."""

from __future__ import annotations

from pathlib import Path

import pytest

from terma.offline.explain import Failure, explain
from terma.offline.explain.case import Case

PAGE = (
    ".TH FROB 1\n.SH SYNOPSIS\nfrob verify FILE\n.br\nfrob merge FILE\n.SH DESCRIPTION\nIt is very good.\n.SH OPTIONS\n"
    ".TP\n-o, --output FILE\nWrite there.\n.TP\n-k, --keep\nKeep.\n"
    ".TP\n-m, --mode MODE\nHow to work (slow, fast or both).\n"
    ".TP\n--sure\nBe sure.\n"
)


@pytest.fixture
def work(tmp_path: Path) -> Path:
    """The folder to work in, beside a program with a manual page."""
    for folder in ("bin", "share/man/man1", "work"):
        (tmp_path / folder).mkdir(parents=True)
    program = tmp_path / "bin/frob"
    program.write_text("#!/bin/sh\n# verb very merge\n")
    program.chmod(0o755)
    (tmp_path / "share/man/man1/frob.1").write_text(PAGE)
    (tmp_path / "work/app.deb").write_text("x")
    (tmp_path / "work/style.css").write_text("a { color: $prmary; width: $gradul }\n")
    return tmp_path / "work"


CHOICES = "frob: invalid choice: 'lst'\nMaybe you meant:\n"


@pytest.mark.parametrize(
    ("command", "output", "fix"),
    [
        # Several proposals of which none is near: only the person knows which was meant.
        ("frob make lst", CHOICES + "  frob make sets one\n  frob make sets two\n", ""),
        ("frob make lst", CHOICES + "  frob make list\n  frob make sets\n", "frob make list"),
        (
            "frob mrege",
            "frob: command not found: mrege\nDid you mean one of these?\n  - merge\n",
            "frob merge",
        ),
        # An option that wants a value, is one of several ways, or is only spoken of.
        ("frob a.txt", "frob: error: nowhere to write to, please use --output", ""),
        ("frob a.txt", "frob: error: it would be lost, please use --keep", "frob --keep a.txt"),
        ("frob a.txt", "frob: error: Use the '--keep' option, or a file .frobrc in this folder.", ""),
        ("frob -k", "frob: error: --keep needs at least one file", ""),
        (
            "frob --kepe a",
            "frob: error: unknown option --kepe, only with --sure may it be used",
            "frob --keep a",
        ),
        # The values that the manual lists for the option, though the output names none.
        ("frob -m fsat a", "frob: invalid mode", "frob -m fast a"),
        # A form of the manual decides among words that are as near.
        ("frob verfy a", "frob: unknown command verfy", "frob verify a"),
        # A variable is nobody's word but the source's.
        ("frob style.css", "Error: undefined variable.\n  style.css:1:12", ""),
        # A banner that shows what else the program can do is no advice.
        (
            "frob start a",
            "  Watch a thing:\n    $ frob watch\n  Stop it:\n    $ frob stop x\n  Keep it:\n    $ frob keep\n"
            "  More:\n    $ frob start b\n\n[frob][ERROR] not a thing: a",
            "",
        ),
        # A page of usage alone: its examples are no advice, its list of options is.
        (
            "frob --kepe a",
            "usage: frob OPTION... FILE\nExamples:\n  frob --sure\n\nOptions:\n  --keep  Keep.\n  --sure  Be sure.\n",
            "frob --keep a",
        ),
        ("frob -x fsat a", "frob: mode must be one of <slow | fast | both>: <unspecified>", "frob -x fast a"),
        # What was selected stays selected.
        ("frob app.deb::one", "frob: error: not found: app.deb::one", ""),
        # Root does not open what is not there.
        ("frob ./app.debb", "frob: error: this must be run as root", ""),
    ],
)
def test_a_fix_is_offered_only_where_it_is_whole_and_asks_for_the_same(
    command: str, output: str, fix: str, work: Path
) -> None:
    found = explain(Failure(command, 1, output, str(work), path=f"{work.parent / 'bin'}:/usr/bin:/bin"))
    assert (found.fixes[0].command if found.fixes else "") == fix


def test_a_program_of_the_system_that_is_not_in_path_is_no_slip_for_another(tmp_path: Path) -> None:
    (tmp_path / "groupmod").write_text("#!/bin/sh\n")
    (tmp_path / "groupmod").chmod(0o755)
    output = "bash: groupadd: command not found"
    found = explain(Failure("groupadd devs", 127, output, str(tmp_path), path=str(tmp_path)))
    assert all("groupmod" not in fix.command for fix in found.fixes)


def test_what_goes_on_behind_a_dash_or_a_number_is_another_name(tmp_path: Path) -> None:
    (tmp_path / "wtmp").write_text("x")
    output = "frob: cannot open wtmp.1: No such file or directory"
    assert explain(Failure("frob wtmp.1", 1, output, str(tmp_path), path="/usr/bin")).fixes == ()
    output = "frob: package 'bash-nosuch' is not installed"
    assert explain(Failure("frob bash-nosuch", 1, output, str(tmp_path), path="/usr/bin")).fixes == ()


def test_what_is_read_of_a_program_is_of_the_part_that_is_looked_at(work: Path) -> None:
    case = Case(Failure("frob a; cat b", 1, "", str(work), path=f"{work.parent / 'bin'}:/usr/bin:/bin"))
    case.turn_to(0)
    assert case.program_file.endswith("/bin/frob") and "Keep." in case.manual
    case.turn_to(1)
    assert case.program_file.endswith("/cat") and "Keep." not in case.manual
