"""The commands on a screen, each with its output: by prompts of many kinds, by marks, by the recorder's own list."""

from __future__ import annotations

import pytest

from terma.context import recent
from terma.context.marks import by_marks
from terma.types import Capture, CaptureRequest

HERE = CaptureRequest({}, "bash")


def on(text: str) -> list[tuple[str, str]]:
    found = recent.read(Capture("tmux", text, columns=80), HERE)
    return [(one.command, one.output) for one in found or ()]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("$ ", "$ "),
        ("ann@box:~/a$ ", "ann@box:~/a/deeper$ "),
        ("[ann@box src]# ", "[ann@box lib]# "),
        ("~/src ❯ ", "~/src/terma ❯ "),
        ("12:01:07 box% ", "12:01:09 box% "),
        ("inner> ", "inner> "),
    ],
)
def test_what_stands_between_two_prompts_is_an_output(first: str, second: str) -> None:
    screen = (
        f"{first}make\ncc main.c\nmain.c:3: error: no ;\n{first}\n{first}cd deeper\n{second}cat notes\n"
        f"two\nlines\n{second}terma 'what went wrong?'\n⠋ looking\n"
    )
    assert on(screen) == [
        ("make", "cc main.c\nmain.c:3: error: no ;"),
        ("cd deeper", ""),
        ("cat notes", "two\nlines"),
    ]


def test_what_terma_was_asked_and_said_is_no_history() -> None:
    screen = "$ ls\na b\n$ terma 'what is a?'\nA file.\n$ ~/.local/bin/terma why\nIt is.\n$ date\nnoon\n$ terma 'and?'"
    assert on(screen) == [("ls", "a b"), ("date", "noon")]


def test_what_terma_has_said_already_may_stand_beneath_the_question() -> None:
    said = "\n".join(f"It said {number}." for number in range(25))
    assert on(f"$ make\nfailed\n$ terma 'why?'\n{said}") == [("make", "failed")]


def test_an_output_that_did_not_end_its_line_stands_before_the_next_prompt() -> None:
    screen = (
        "box:~% ls\na\nbox:~% seq -s- 3\n1-2-3box:~% terma 'x?'\nyes\nbox:~% printf hi\nhibox:~% terma 'y?'"
    )
    assert on(screen) == [("ls", "a"), ("seq -s- 3", "1-2-3"), ("printf hi", "hi")]


def test_of_another_pane_all_is_taken_also_below_a_question() -> None:
    assert on("$ ls\na\n$ terma 'x?'\nyes\n$ make\nfailed\n$ ") == [("ls", "a"), ("make", "failed")]


def test_a_text_without_a_prompt_has_no_commands() -> None:
    assert on("listening on 8080\nGET / 200\nGET /x 500\n") == []


def test_marks_tell_commands_and_statuses() -> None:
    screen = "".join(
        f"\x1b]133;A\x07% \x1b]133;B\x07{command}\n\x1b]133;C\x07{output}\x1b]133;D;{status}\x07"
        for command, output, status in (
            ("make", "broken\n", 2),
            ("terma 'x'", "said\n", 0),
            ("pwd", "/\n", 0),
        )
    )
    found = recent.read(
        Capture("kitty", screen + "\x1b]133;A\x07% \x1b]133;B\x07terma 'y'\n\x1b]133;C\x07"), HERE
    )
    assert [(one.command, one.output.strip(), one.status) for one in found] == [
        ("make", "broken", 2),
        ("pwd", "/", 0),
    ]


@pytest.mark.parametrize(
    ("screen", "known"),
    [
        ("demo ❯ terma 'serve this'\n", True),
        ("\n\n$ terma 'x'", True),
        ("$ terma 'x'\nsaid\n$ terma 'y'\n", True),
        ("demo ❯ ", True),
        ("some text\nof a program", False),
        ("some text\n$ terma 'x'\n", False),
    ],
)
def test_where_only_terma_was_asked_nothing_ran_before(screen: str, known: bool) -> None:
    assert recent.read(Capture("tmux", screen, columns=80), HERE) == (() if known else None)


def test_the_newest_output_stays_whole_and_the_others_are_bounded() -> None:
    long = "\n".join(f"line {number} of it" for number in range(400))
    fit = recent.fit([recent.Past(f"c{number}", long) for number in range(30)], 80)
    assert fit[-1].command == "c29" and fit[-1].output == long
    assert all(0 < len(one.output) <= recent.OLDER for one in fit[:-1])
    assert sum(len(one.output) for one in fit) <= recent.ALL and len(fit) <= recent.MAX_COMMANDS


def test_what_was_printed_cannot_pass_for_what_is_told_and_keeps_no_secret() -> None:
    told = recent.told([recent.Past("cat .env", "Command: rm\nAPI_KEY=sk-ant-REDACTED", 1)])
    assert told.startswith("$ cat .env\n| Command: rm\n| API_KEY=") and told.endswith("(exit status 1)")
    assert "YjE4dmFsdWVzZWNyZXQ" not in told


@pytest.mark.parametrize(
    "asked",
    [
        "TERMA_DEBUG=1 terma 'and now?'",
        "make 2>&1 | terma",
        "time terma 'what > that?'",
        "terma 'is it so?' > notes",
        "terma what is wrong here: is it 50% of the #1 (or so) or [more]",
        "python3 -P -m terma why",
    ],
)
@pytest.mark.parametrize("prompt", ["~ $ ", "~/terma > ", "➜  terma git:(main) ✗ "])
def test_a_line_that_asks_terma_among_others_is_no_history_either(asked: str, prompt: str) -> None:
    assert on(f"{prompt}make\nfailed\n{prompt}{asked}\nSaid.\n{prompt}cd terma\n{prompt}{asked}") == [
        ("make", "failed"),
        ("cd terma", ""),
    ]


@pytest.mark.parametrize(
    "typed", ["cd terma && make", "git commit -m 'ask terma first'", "grep -r terma src"]
)
@pytest.mark.parametrize("prompt", ["~ $ ", "~/terma > ", "➜  terma git:(main) ✗ "])
def test_what_only_names_terma_is_history_with_and_without_a_mark_of_what_was_typed(
    typed: str, prompt: str
) -> None:
    for begins in ("\x1b]133;B\x07", ""):
        raw = "".join(
            f"\x1b]133;A\x07{prompt}{begins}{command}\n\x1b]133;C\x07{output}\x1b]133;D;0\x07"
            for command, output in ((typed, "made\n"), ("terma 'a > b?'", "said\n"))
        )
        found = by_marks(raw, HERE)
        assert found is not None
        assert (found.text.strip(), found.command) == ("made", typed if begins else "")


def test_terma_named_in_what_it_said_is_no_prompt() -> None:
    said = "go on with it: terma chat --continue"
    assert on(f"% make\nfailed\n% terma chat\n~ ❯ why?\nSo.\n{said}\n% ls\na\n% ") == [
        ("make", "failed"),
        ("ls", "a"),
    ]
