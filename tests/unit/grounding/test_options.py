"""Options are judged where the program's own texts are found beside it, and nothing but its own words is judged."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from terma.grounding import budget
from terma.machine.notation import Options

from .conftest import Installation

PAGE = r""".TH FROB 1
.SH NAME
frob \- frobnicates
.SH SYNOPSIS
.B frob
[\fIOPTION\fR]... \fIFILE\fR
.SH OPTIONS
.TP
\fB\-a\fR, \fB\-\-all\fR
all of them
.TP
\fB\-e\fR, \fB\-\-expression\fR=\fIEXPR\fR
what to look for
.TP
.BR \-\-color [ =\fIWHEN\fR ]
in colour
.TP
\fB\-\-max\-depth\fR \fIN\fR
how deep
.TP
\fB\-\-[no\-]follow\fR
follow links
"""
WRONG = ["frob has no option --newest"]


@pytest.fixture
def frob(prefix: Installation) -> Installation:
    prefix.program("frob")
    prefix.page("frob.1.gz", PAGE)
    return prefix


def test_an_option_that_the_manual_page_does_not_have_is_marked(frob: Installation) -> None:
    assert frob.check("frob --newest x") == WRONG
    assert frob.check("frob --newest=3 --all x") == WRONG


@pytest.mark.parametrize(
    "command",
    [
        "frob --all -e x --color=auto --max-depth 3 f",
        "frob --no-follow f",
        "frob --follow f",
        "frob --expr=x f",  # the beginning of one
        "frob --max-d 3 f",
        "frob --help",
        "frob --version",
        "frob -- --newest",
        "frob -e --newest f",  # the value of -e
        "frob --expression --newest f",
        "frob --expression=--newest f",
        "frob -ae --newest f",
        'frob "--newest and more" f',
        "frob $OPTIONS f",
        "frob --$name f",
        "frob {option} f",
        "frob -Z f",  # a page may leave letters out
        "frob '--{name}' f",
        "ssh host frob --newest",
        "docker exec web frob --newest",
        "docker run --rm img frob --newest",
        "echo frob --newest",
        "echo 'frob --newest'",
        "# frob --newest",
        "cat <<'END'\nfrob --newest\nEND",
        "frob() { ls; }; frob --newest",
    ],
)
def test_what_is_an_option_or_not_the_programs_own_word_is_not(command: str, frob: Installation) -> None:
    assert [text for text in frob.check(command) if "option" in text] == []


@pytest.mark.parametrize(
    "command",
    [
        "env A=b frob --newest",
        "time frob --newest",
        "nohup frob --newest &",
        "timeout 5 frob --newest",
        "nice -n 5 frob --newest",
        "xargs -n1 frob --newest",
        "find . -exec frob --newest {} +",
        "ls | frob --newest",
        "A=1 frob --newest > out",
        "bash -c 'frob --newest'",
        "for x in 1 2; do frob --newest; done",
        "echo $(frob --newest)",
        "\\frob --newest",
        "command frob --newest",
    ],
)
def test_it_is_found_behind_wrappers_and_within(command: str, frob: Installation) -> None:
    assert frob.check(command) == WRONG


def test_a_program_without_texts_is_not_judged(prefix: Installation) -> None:
    prefix.program("frob")
    assert prefix.check("frob --newest") == []


def test_a_page_of_another_installation_says_nothing(prefix: Installation, tmp_path: Path) -> None:
    prefix.program("frob")
    Installation(tmp_path / "other").page("frob.1", PAGE)
    assert prefix.check("frob --newest") == []


def test_each_subcommand_has_options_of_its_own(frob: Installation) -> None:
    frob.page("frob-add.1", PAGE.replace("max\\-depth", "quickly"))
    assert frob.check("frob --all add --quickly") == []
    assert frob.check("frob add --newest") == ["frob add has no option --newest"]
    assert frob.check("frob drop --newest") == []  # of which nothing is known
    assert frob.check("frob --newest drop") == WRONG


def test_words_after_a_command_that_is_not_known_are_not_judged(prefix: Installation) -> None:
    prefix.program("frob")
    prefix.page("frob.1", PAGE.replace("FILE", "COMMAND"))
    assert prefix.check("frob run --newest") == []
    assert prefix.check("frob --newest run") == WRONG


def test_a_program_of_this_name_that_only_looks_known_is_never_run(
    prefix: Installation, tmp_path: Path
) -> None:
    marker = tmp_path / "ran"
    for name in ("ls", "git", "docker"):
        prefix.program(name, f"touch {marker}; echo 'usage: x --alpha --beta --gamma --delta'")
    assert prefix.check("ls --newest; git commit --newest; docker run --newest x") == []
    assert not marker.exists()


def test_nothing_of_the_command_is_ever_run(frob: Installation, tmp_path: Path) -> None:
    marker = tmp_path / "ran"
    frob.program("frob", f"touch {marker}")
    frob.check(f"frob --newest; touch {marker}; echo $(touch {marker}) <(touch {marker})")
    assert not marker.exists()


def test_what_is_not_found_out_in_time_is_not_marked_and_known_the_next_time(
    frob: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    go, asked = threading.Event(), []

    def slow(program: str, file: str, sub: tuple[str, ...]) -> Options | None:
        asked.append(program)
        go.wait(60)
        return Options(frozenset({"--all"}), sure=True)

    monkeypatch.setattr(budget, "options", slow)
    assert frob.check("frob --newest", seconds=0.01) == []
    go.set()
    assert frob.check("frob --newest") == WRONG
    assert asked


def test_a_page_that_names_the_same_program_is_followed(prefix: Installation) -> None:
    prefix.program("frob")
    prefix.page("frobnicate.1", PAGE)
    prefix.page("frob.1", ".so man1/frobnicate.1\n")
    assert prefix.check("frob --newest") == WRONG


def test_a_page_that_names_itself_is_no_trouble(prefix: Installation) -> None:
    prefix.program("frob")
    prefix.page("frob.1", ".so man1/frob.1\n")
    assert prefix.check("frob --newest") == []


def test_a_link_is_known_by_the_program_that_it_leads_to(prefix: Installation) -> None:
    prefix.program("frob.real")
    (prefix.root / "bin/frob").symlink_to("frob.real")
    prefix.page("frob.real.1", PAGE)
    assert prefix.check("frob --newest") == WRONG


def test_completions_that_came_with_a_program_are_its_word(prefix: Installation) -> None:
    prefix.program("frob")
    prefix.zsh(
        "frob",
        "#compdef frob\n_arguments '(-a --all)'{-a,--all}'[all of them]' '--depth=[how deep]:n:' \\\n"
        "  '--color=-[colour]:when:(auto never)' '*--skip[not]:file:_files' '--quiet'\n",
    )
    assert prefix.check("frob --all --depth=3 --color=auto --skip x --quiet") == []
    assert prefix.check("frob --newest") == WRONG


def test_so_are_those_of_fish(prefix: Installation) -> None:
    prefix.program("frob")
    lines = "".join(f"complete -c frob -l {name} -d 'x y'\n" for name in ("all", "depth", "color", "skip"))
    prefix.fish("frob", lines + "complete -c other -l newest\n")
    assert prefix.check("frob --all --depth 3") == []
    assert prefix.check("frob --newest") == WRONG
