"""Where a terminal keeps the marks of shell integration, they say what the last command printed."""

from __future__ import annotations

import pytest

from terma.context.gather import read
from terma.context.marks import Marked, by_marks
from terma.types import Capture, CaptureRequest

A, B, C = "\x1b]133;A\x07", "\x1b]133;B\x07", "\x1b]133;C\x07"


def end(status: int = 1) -> str:
    return f"\x1b]133;D;{status}\x07"


def cut(raw: str, command: str = "make", asked: str = "?why", shell: str = "zsh") -> str | None:
    marked = by_marks(raw, CaptureRequest({}, shell=shell, command=command, asked=asked))
    return marked and marked.text


def test_the_output_stands_between_its_marks() -> None:
    raw = f"{A}$ {B}make\r\n{C}make: \x1b[31merror\x1b[0m\r\n{end(2)}{A}$ {B}?why\r\n{C}terma · offline\r\n"
    assert cut(raw) == "make: \x1b[31merror\x1b[0m\r\n"


def test_kitty_repeats_the_beginnings_alone() -> None:
    a, c = "\x1b]133;A\x1b\\", "\x1b]133;C\x1b\\"
    raw = f"\x1b[m{a}~ % make            14:23\n\x1b[m{c}make: error\n\x1b[m{a}~ % ?why            14:23\n{c}terma\n"
    assert cut(raw) == "make: error\n\x1b[m"


def test_questions_and_empty_prompts_in_between_are_passed_over() -> None:
    asked = f"{A}$ {B}?why\r\n{C}no rule\r\n{end(0)}{A}$ {B}terma doctor\r\n{C}fine\r\n{end(0)}{A}$ {B}\r\n{end(0)}"
    assert cut(f"{A}$ {B}make\r\n{C}error\r\n{end()}{asked}{A}$ {B}?why") == "error\r\n"


def test_the_newest_run_of_the_same_command_is_taken() -> None:
    run = f"{A}$ {B}make\r\n{C}%s\r\n{end()}"
    assert cut(run % "first" + run % "second" + f"{A}$ ", asked="") == "second\r\n"


def test_the_newest_command_is_taken_when_none_is_named() -> None:
    raw = f"{A}$ {B}ls\r\n{C}a\r\n{end(0)}{A}$ {B}make\r\n{C}error\r\n{end()}{A}$ {B}?why"
    assert cut(raw, command="") == "error\r\n"


def test_the_marks_tell_command_and_status() -> None:
    raw = f"{A}$ {B}make all\r\n{C}error\r\n{end(2)}{A}$ {B}?why"
    assert by_marks(raw, CaptureRequest({}, asked="?why")) == Marked("error\r\n", "make all", 2)


def test_a_command_that_printed_nothing_gives_an_empty_text() -> None:
    assert cut(f"{A}$ {B}false\r\n{end()}{A}$ {B}?why", command="false") == ""


def test_a_prompt_for_the_rest_of_a_command_begins_no_command() -> None:
    more = "\x1b]133;A;k=s\x1b\\"
    raw = f"{A}$ for i in 1\n{more}> do echo $i\n{more}> done\n{C}1\n{A}$ ?why"
    assert cut(raw, command="for i in 1") == "1\n"


def test_the_marks_of_vs_code_tell_the_command() -> None:
    mark = "\x1b]633;{}\x07".format
    raw = "".join(
        [mark("A"), "$ ", mark("B"), "ec\r\n", mark(r"E;echo a\x3b b;nonce"), mark("C"), "a\r\n", mark("D;0")]
    )
    assert cut(raw, command="echo a; b") == "a\r\n"
    assert cut(raw, command="echo c") is None


@pytest.mark.parametrize(
    "raw", ["", "$ make\nerror\n$ ?why", f"{A}$ {B}ls\r\n{C}a\r\n{end(0)}", f"{C}{end()}"]
)
def test_without_the_marks_of_the_command_nothing_is_claimed(raw: str) -> None:
    assert cut(raw) is None


def test_the_mark_of_an_unfinished_line_is_no_output() -> None:
    unfinished = "foo\x1b[1m\x1b[7m%\x1b[27m\x1b[1m\x1b[0m" + " " * 76 + "\r \r"
    raw = f"{A}$ {B}printf foo\r\n{C}{unfinished}{end(0)}{A}$ {B}?why"
    request = CaptureRequest({}, shell="zsh", command="printf foo", asked="?why")
    assert read(Capture("kitty", raw, columns=80), request).text == "foo"


def test_a_progress_bar_is_its_last_state_and_escapes_are_gone() -> None:
    raw = (
        f"{A}$ {B}make\r\n{C} 10%\r 50%\r100%\r\n\x1b]0;title\x07\x1b[31mfailed\x1b[0m\r\n{end()}{A}$ {B}?why"
    )
    seen = read(Capture("kitty", raw), CaptureRequest({}, command="make", asked="?why"))
    assert (seen.text, seen.source, seen.found) == ("100%\nfailed", "kitty", True)
