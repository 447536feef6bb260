"""Questions about options: answered off terma's texts and the machine's pages, or said to be unknown."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from terma.agent.chat.offline_answers import told
from terma.agent.chat.option_questions import answered
from terma.types import Query

PAGE = """.TH PACKZ 1
.SH NAME
packz \\- an archiving utility
.SH OPTIONS
.TP
\\fB\\-x\\fR, \\fB\\-\\-extract\\fR
Extract files from an archive.
.TP
\\fB\\-q\\fR, \\fB\\-\\-quiet\\fR
Say nothing while files are extracted.
.TP
\\fB\\-f\\fR, \\fB\\-\\-file\\fR=\\fIARCHIVE\\fR
Use archive file ARCHIVE.
.TP
\\fB\\-\\-sparse\\fR
Handle sparse files efficiently.
"""


def asked(question: str, path: str = os.environ["PATH"]) -> list[str]:
    return answered(question, Query(words="", shell="bash", cwd="/", path=path, os="linux")).splitlines()


@pytest.fixture
def packz(tmp_path: Path) -> str:
    """A PATH with one program, whose page stands where pages stand."""
    page = tmp_path / "share" / "man" / "man1" / "packz.1"
    page.parent.mkdir(parents=True)
    page.write_text(PAGE)
    program = tmp_path / "bin" / "packz"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    return str(program.parent)


@pytest.mark.parametrize(
    ("question", "options"),
    [
        ("what does the -p option of mkdir do", ["mkdir -p"]),
        ("mkdir -p?", ["mkdir -p"]),
        ("what's the -z in tar for", ["tar -z"]),
        ("difference between cp -r and cp -a", ["cp -r", "cp -a"]),
        ("du -s vs du -sh", ["du -s", "du -h"]),
        ("does git commit have --amend", ["git commit --amend"]),
        ("what does the j in tar xjf stand for", ["tar j"]),
        ("what does tar xzf do", ["tar x", "tar z", "tar f"]),
        ("meaning of sort -t and -k", ["sort -t …", "sort -k …"]),
    ],
)
def test_what_an_option_does(question: str, options: list[str]) -> None:
    found = asked(question)
    assert [row.split("`")[1] for row in found] == options
    assert all(row.split("`: ", 1)[1] for row in found)


@pytest.mark.parametrize(
    ("question", "option"),
    [
        ("which option of tar keeps permissions", "tar -p, --preserve-permissions"),
        ("how do I make grep ignore case", "grep -i, --ignore-case"),
        ("is there a flag in wget that limits the rate", "wget --limit-rate"),
        ("option of journalctl to follow", "journalctl -f, --follow"),
    ],
)
def test_which_option_does_it(question: str, option: str) -> None:
    assert option in [row.split("`")[1] for row in asked(question)]


def test_a_page_of_the_machine_answers_both_ways(packz: str) -> None:
    assert asked("what does packz -q do?", packz) == ["- `packz -q`: Say nothing while files are extracted"]
    assert asked("which flag of packz handles sparse files", packz) == [
        "- `packz --sparse`: Handle sparse files efficiently"
    ]


def test_what_nobody_knows_is_said(packz: str) -> None:
    assert asked("does mkdir have a --frobnicate option") == [
        "- `mkdir --frobnicate`: `mkdir` has no such option here"
    ]
    assert "Nothing that is known here" in asked("which option of packz encrypts with a passphrase", packz)[0]
    assert "nothing here says" in asked("what does the --turbo option of packz do", packz)[0]


@pytest.mark.parametrize(
    "words",
    [
        "find files larger than 10M",
        "grep -i error in app.log",
        "why does tar -xzf fail",
        "how do I make tar extract into /tmp",
        "what is the time in Tokyo",
        "how do I make a directory",
        "which flag did they wave",
        "how does tar do it",
        "can you sort the lines of a.txt",
    ],
)
def test_what_asks_for_no_option_is_left_to_others(words: str) -> None:
    assert asked(words) == []


def test_the_partner_says_it() -> None:
    query = Query(words="", shell="bash", cwd="/", path=os.environ["PATH"], os="linux")
    assert told("which option of tar keeps permissions", query).startswith("- `tar -p")
    assert told("explain mkdir -p a/b", query).startswith("- `mkdir`")
