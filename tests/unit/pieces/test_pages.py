"""What a program's own manual page adds to an explanation: values, operands, words with a value, subcommands."""

from __future__ import annotations

from pathlib import Path

import pytest

from terma.machine import builtins, roff
from terma.pieces import Asked, explain

FROB = r"""
.TH FROB 1
.SH NAME
frob \- turn things over
.SH SYNOPSIS
.B frob
[\fIOPTION\fR]... \fISOURCE DEST\fR
.br
.B frob
[\fIOPTION\fR]... \fISOURCE\fR... \fIDIRECTORY\fR
.SH OPTIONS
.TP
\fB\-\-pair\fR \fIname value\fR
Set a variable.
.TP
\fB\-j\fR, \fB\-\-jobs\fR=\fIN\fR
Work on N things at a time. A value of 0 means as many as there are processors.
.TP
\fB\-\-expire\fR=\fITIME\fR
Forget what is older. \-\-expire=never keeps all of it.
.TP
\fB\-\-loud\fR
Usually frob says nothing. This option makes it tell what it does, as frob\*(Aqs old version did.
.IP "\[ci]" 4
\fB\-\-slow\fR:
.IP
Take one\*(Aqs time.
"""
DUB = r"""
.TH DUB 1
.SH NAME
dub \- run something twice
.SH SYNOPSIS
.B dub
[\fIoptions\fR] \fInumber command\fR [\fIarguments\fR...]
"""
NET = r"""
.TH NET-LINE 1
.SH NAME
net-line \- lines of a net
.SH SYNOPSIS
.ti -8
.B "net line add"
.IR ADDRESS " [ "
.B dev
.IR IFNAME " ]"
.SH DESCRIPTION
.SS net line add - add a new line
.TP
.BI dev " IFNAME"
the device that gets the line
.SS net line show - list lines
.TP
.BI dev " IFNAME"
only those of the device
"""
CTL = r"""
.SH NAME
dubctl \\- what runs twice
.SH SYNOPSIS
dubctl [OPTIONS...] {\\fICOMMAND\\fR} [NAME...]
.SH COMMANDS
.SS "Those of people"
.PP
\\fBkeep\\-on\\fR [\\fIUSER\\fR...], \\fBkeep\\-off\\fR [\\fIUSER\\fR...]
.RS 4
Let it go on or not.
.RE
.SH EXAMPLES
.PP
\\fBother\\fR [X]
.RS 4
No command.
.RE
"""
LOOP = r"""
.SH NAME
loop \\- rings of files
.SH SYNOPSIS
.B loop
\\fIring\\fR
.sp
.B loop
[-v] \\fB-f\\fR \\fIfile\\fR
.SH OPTIONS
.TP
-f
The first that is free.
.TP
-v
Say more.
.TP
-<n>
Only n of them.
"""
LOG = r"""
.SH NAME
net-log \- print what was said
.SH SYNOPSIS
.nf
\fBnet log\fR [<options>] <revision>... [\-\-] [<path>...]
.fi
"""


@pytest.fixture
def says(tmp_path: Path):
    """The pieces of a line on a machine with these programs and their pages."""
    for name, text in {
        "frob": FROB,
        "dub": DUB,
        "net": "",
        "net-line": NET,
        "net-log": LOG,
        "dubctl": CTL,
        "loop": LOOP,
    }.items():
        program, page = tmp_path / "bin" / name, tmp_path / "share/man/man1" / f"{name}.1"
        page.parent.mkdir(parents=True, exist_ok=True)
        program.parent.mkdir(exist_ok=True)
        program.write_text("#!/bin/sh\n")
        program.chmod(0o755)
        if text:
            page.write_text(text.replace("\\\\", "\\"))

    def pieces(line: str) -> dict[str, str]:
        return {piece.text: piece.says for piece in explain(Asked(line, "bash", f"{tmp_path}/bin")).pieces}

    return pieces


def test_an_option_takes_as_many_values_as_its_page_names(says) -> None:
    found = says("frob --pair a b c.txt d")
    assert (found["--pair a b"], found["c.txt"], found["d"]) == ("Set a variable", "the source", "the dest")


def test_operands_are_called_as_the_usage_calls_them(says) -> None:
    found = says("frob a b c d")
    assert [found[one] for one in "abcd"] == ["the source", "the source", "the source", "the directory"]


def test_a_value_with_a_meaning_of_its_own_is_told(says) -> None:
    zero = "Work on N things at a time; A value of 0 means as many as there are processors"
    assert says("frob -j0 a b")["-j0"] == says("frob --jobs=0 a b")["--jobs=0"] == zero
    assert says("frob -j4 a b")["-j4"] == "Work on N things at a time"
    assert "keeps all of it" in says("frob --expire=never a b")["--expire=never"]


def test_the_sentence_that_tells_of_the_option_is_the_one_told(says) -> None:
    assert (
        says("frob --loud a b")["--loud"]
        == "This option makes it tell what it does, as frob's old version did"
    )
    assert says("frob --slow a b")["--slow"] == "Take one's time", "listed with dots"


def test_a_command_that_the_usage_names_is_read_as_one(says) -> None:
    found = says("dub 3 rm -r build")
    assert (found["3"], found["rm"].partition(";")[0]) == ("the number", "delete files for good")
    assert found["-r"] == "folders with all that is in them"


def test_a_program_whose_texts_are_not_here_has_pieces_that_nobody_knows(says) -> None:
    assert says("net frob --x")["--x"] == ""


def test_subcommands_are_read_from_the_section_on_commands(says) -> None:
    assert says("dubctl keep-off me")["keep-off"] == "Let it go on or not"
    assert says("dubctl other")["other"] == ""


def test_operands_of_a_form_with_options_of_its_own_are_not_guessed(says) -> None:
    assert says("loop -v a")["a"] == "the ring"
    assert says("loop -f a")["a"] == ""
    assert says("loop -3 a")["-3"] == "Only n of them"


def test_words_with_a_value_are_told_by_the_subcommand_that_they_stand_behind() -> None:
    from terma.machine.told import page

    found = page(NET.replace("\\\\", "\\"), ("net", "line"))
    assert found.keywords["add dev"].says == "the device that gets the line"
    assert found.keywords["show dev"].says == "only those of the device"
    assert found.commands["show"].says == "list lines"


SHARED = """.SH COMMANDS
.TP
net line add
add one
.TP
net line change
change one
.RS
.TP
.BI via " ADDRESS"
the next machine
.RE
.TP
net line delete
delete one. It takes what add takes.
.TP
net line show
list some
.RS
.TP
.BI via " PREFIX"
only those through there
.RE
"""


def test_commands_that_stand_one_below_the_other_share_what_follows() -> None:
    from terma.machine.told import page

    found = page(SHARED, ("net", "line")).keywords
    assert found["add via"].says == found["change via"].says == "the next machine"
    assert "delete via" not in found and found["show via"].says == "only those through there"
    assert (found["via"].says, found["via"].value) == ("", "ADDRESS")


def test_what_stands_behind_two_dashes_keeps_its_role() -> None:
    from terma.machine.usage import read

    found = read(LOG.replace("\\\\", "\\"), ("net", "log"))
    assert (found.operand(0, 2), found.operand(1, 2), found.behind) == ("revision", "revision", "path")


@pytest.mark.parametrize(
    ("tag", "value"),
    [
        ("--arg name value:", "name value"),
        ("-x, --extract archive directory", "archive directory"),
        ("--install link name path priority [--slave link]", "link name path priority"),
        ("--full-history without parent rewriting", ""),
        ("-C, --monochrome-output and -M:", ""),
        ("-p, --property=", "value"),
        ("-0 ... -9", ""),
    ],
)
def test_the_names_of_values_are_no_prose(tag: str, value: str) -> None:
    assert {told for _, told, _ in roff.names(tag)} == {value}


def test_a_builtins_options_stand_below_it_in_its_shells_page(monkeypatch: pytest.MonkeyPatch) -> None:
    text = (
        ".SH SHELL BUILTIN COMMANDS\n.TP\nhoard [-t] [-n count] [array]\nKeep lines in an array. More.\n.RS\n"
        ".TP\n-t\nRemove the line's end.\n.TP\n-n\nAt most count lines.\n.RE\n.TP\nidle [n]\nDo nothing.\n"
        ".TP\n-x\nNot of hoard.\n"
    )
    monkeypatch.setattr(builtins.manual, "source", lambda *_: text)
    found = builtins._read("hoard", "bash", "bash")
    assert (found.about, found.usage.operand(0, 1)) == ("Keep lines in an array", "array")
    assert {name: one.says for name, one in found.options.items()} == {
        "-t": "Remove the line's end", "-n": "At most count lines",
    }  # fmt: skip
