"""What is said of values: quoted ones behind their letter, `-` in the place of a file, numbers with a sign, and options
that say what the first operand would."""

from __future__ import annotations

import pytest

from terma.pieces import Asked, explain


def says(line: str) -> dict[str, str]:
    return {piece.text: piece.says for piece in explain(Asked(line, "bash", "/usr/bin:/bin", "/")).pieces}


@pytest.mark.parametrize(
    ("line", "piece", "told"),
    [
        ("cut -d' ' -f2 log", "-d' '", "fields are separated by a blank"),
        ("awk -F'\\t' '{print $2}' log", "-F'\\t'", "fields are separated by a tab"),
        ('sort -rnt":" log', '-t":"', "fields are separated by :"),
        ('head -n"$N" log', '-n"$N"', "the first $N lines"),
        ('make -j"$(nproc)"', '-j"$(nproc)"', "$(nproc) jobs at a time"),
        ('grep -ie"two words" log', '-e"two words"', "the pattern two words"),
    ],
)
def test_a_quoted_value_may_be_glued_to_its_letter(line: str, piece: str, told: str) -> None:
    assert says(line)[piece] == told


@pytest.mark.parametrize(
    ("line", "operand", "told"),
    [
        ("cut -d' ' -f2 log", "log", "the file to read"),
        ("awk -F'\\t' '{print $2}' log", "{print $2}", "the program: what is done with each line"),
        ("grep -e foo log", "log", "where to look"),
        ("grep -f words log", "log", "where to look"),
        ("grep foo log", "log", "where to look"),
        ("sed -e s/a/b/ -e 5d log", "log", "the file to read"),
        ("sed 5d log", "5d", "delete line 5"),
        ("awk -f sum.awk log", "log", "the file to read"),
        ("jq -f one.jq log", "log", "the file to read"),
    ],
)
def test_an_operand_is_counted_from_where_the_options_leave_it(line: str, operand: str, told: str) -> None:
    found = {text.strip("'"): says for text, says in says(line).items()}
    assert found[operand] == told


@pytest.mark.parametrize(
    ("line", "piece", "told"),
    [
        ("cat - log", "-", "its input, in the place of a file"),
        ("pdftotext a.pdf -", "-", "its output, in the place of a file"),
        ("wget -qO- http://host/", "-O-", "write it to its output"),
        ("curl -o - http://host/", "-o -", "write it to its output"),
        ("kubectl apply -f -", "-f -", "as its input says"),
        ("cut -d - -f1", "-d -", "fields are separated by -"),
        ("echo -", "-", "a word to print"),
        ("cd -", "-", "to the folder before this one"),
        ("git switch -", "-", "the branch before this one"),
        ("su - maria", "-", "as if logged in anew"),
        ("curl -d @a.json http://host/", "-d @a.json", "send what a.json holds"),
        ("curl -d a@b http://host/", "-d a@b", "send a@b"),
    ],
)
def test_what_is_no_file_by_that_name(line: str, piece: str, told: str) -> None:
    assert says(line)[piece] == told


@pytest.mark.parametrize(
    ("line", "piece", "told"),
    [
        ("tail -n +2 log", "-n +2", "from line 2 on"),
        ("tail -c+10 log", "-c+10", "from byte 10 on"),
        ("tail -n -5 log", "-n -5", "the last -5 lines"),
        ("head -n -1 log", "-n -1", "all but the last 1 line"),
        ("head --lines=-3 log", "--lines=-3", "all but the last 3 lines"),
        ("less +F log", "+F", "go on, with what comes"),
        ("vim +12 log", "+12", "begin at line 12"),
        ("journalctl -b -1", "-1", "of the start that was 1 before this one"),
        ("sed -i.old 5d log", "-i.old", "in the files themselves; what they were is kept with .old"),
        ("sed -i 5d log", "-i", "in the files themselves"),
        ("env LANG=C sort log", "LANG=C", "the variable LANG is C"),
        ("sed -e 5d log", "-e 5d", "delete line 5"),
        ("git push origin :old", ":old", "the branch old is deleted there"),
        ("git push origin dev:main", "dev:main", "dev becomes the branch main there"),
        ("git push origin +dev", "+dev", "the branch dev; what is there is overwritten"),
        ("git push origin dev", "dev", "the branch dev"),
    ],
)
def test_a_value_is_told_by_its_form(line: str, piece: str, told: str) -> None:
    assert says(line)[piece] == told


def test_braces_of_a_manual_page_hold_no_value() -> None:
    from terma.pieces.sources import Option

    assert Option("run {} once", "manual page", True, False).of("ls") == "run {} once"
    assert Option("run {} once", "terma", True, False).of("ls") == "run ls once"


@pytest.mark.parametrize("when", ["never", "always"])
def test_when_there_are_colours_is_said(when: str) -> None:
    assert says(f"grep --color={when} x f")[f"--color={when}"] == f"what fits in colour: {when}"
