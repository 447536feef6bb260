"""What the persistent shell is made of: modes that are put back, lines that nobody saw, output that is kept in part."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from terma.repl.shell import capture, replies
from terma.repl.shell.capture import Capture
from terma.repl.shell.following import shown_as_text
from terma.repl.shell.modes import Modes
from terma.repl.shell.passwords import STARS, Passwords


def undone(*pieces: bytes) -> bytes:
    modes = Modes()
    for piece in pieces:
        modes.feed(piece)
    return modes.undo()


CLEAN = b"\x1b(B\x0f\x1b[0m"  # what any use of colours or letters costs


@pytest.mark.parametrize(
    ("written", "cure"),
    [
        (b"plain text\r\n", b""),
        (b"\x1b[31mred\x1b[0m", CLEAN),
        (b"\x1b[?1049h", b"\x1b[?1049l" + CLEAN),
        (b"\x1b[?1049h\x1b[?1049l", CLEAN),
        (b"\x1b[?25l", b"\x1b[?25h" + CLEAN),
        (b"\x1b[?25l\x1b[?25h", CLEAN),
        (b"\x1b[?1000;1006h", b"\x1b[?1000l\x1b[?1006l" + CLEAN),
        (b"\x1b[?2004h\x1b[?1049h", b"\x1b[?1049l\x1b[?2004l" + CLEAN),
        (b"\x1b=", b"\x1b>" + CLEAN),
        (b"\x1b=\x1b>", CLEAN),
        (b"\x1b[>1u\x1b[>5u\x1b[<u", b"\x1b[<1u" + CLEAN),
        (b"\x1b[=5;1u", b"\x1b[=0u" + CLEAN),
        (b"\x1b[>4;2m", b"\x1b[>4m" + CLEAN),
        (b"\x1b[>4;2m\x1b[>4m", CLEAN),
        (b"\x1b[2;20r", b"\x1b7\x1b[r\x1b8" + CLEAN),
        (b"\x1b[2;20r\x1b[r", CLEAN),
        (b"\x1b[4 q", b"\x1b[0 q" + CLEAN),
        (b"\x1b[?1049h\x1b[?25l\x1bc", CLEAN),
        (b"\x1b[?12h\x1b[?1048h\x1b[?9999h", CLEAN),
        (b"half a title \x1b]0;ti", b"\x18\x1b\\" + CLEAN),
        (b"half a colour \x1b[3", b"\x18\x1b\\" + CLEAN),
        (b"a whole title \x1b]0;ti\x1b\\", CLEAN),
        (b"a whole title \x1b]0;ti\x07", CLEAN),
    ],
)
def test_what_was_switched_on_is_switched_off_and_nothing_else(written, cure):
    assert undone(written) == cure
    assert undone(*(bytes([byte]) for byte in written)) == cure


def test_it_is_put_back_once():
    modes = Modes()
    modes.feed(b"\x1b[?1049h")
    assert modes.undo()
    assert modes.undo() == b""


@given(st.lists(st.binary(max_size=40)))
def test_no_bytes_upset_it(pieces):
    assert isinstance(undone(*pieces), bytes)


def known(*typed: tuple[bytes, bool]) -> Passwords:
    passwords = Passwords()
    for data, unseen in typed:
        passwords.typed(data, unseen)
    return passwords


@pytest.mark.parametrize(
    "typed",
    [
        [(b"hunter2\r", True)],
        [(b"hun", True), (b"ter2", True), (b"\n", True)],
        [(b"hunteX\x7fr2\r", True)],
        [(b"wrong\x15hunter2\r", True)],
        [(b"ls\r", False), (b"hunter2\r", True)],
        [(b"hunter2", True), (b"\x03", True)],
    ],
)
def test_what_was_typed_unseen_is_in_no_text(typed):
    assert known(*typed).clean("it was hunter2, hunter2.") == f"it was {STARS}, {STARS}."


def test_what_was_typed_before_the_echo_went_off_is_none_of_anybodys_business_either():
    assert known((b"hunt", False), (b"hunter2\r", True)).clean("hunt Password:") == f"{STARS} Password:"


def test_what_was_seen_stays():
    assert known((b"yes\r", False), (b"y\r", True)).clean("yes y") == "yes y"


def test_it_is_forgotten_with_the_shell():
    passwords = known((b"hunter2\r", True))
    passwords.forget()
    assert passwords.clean("hunter2") == "hunter2"


def captured(*pieces: bytes) -> Capture:
    kept = Capture()
    kept.begin()
    for piece in pieces:
        kept.write(piece)
    return kept


def test_a_short_output_is_kept_whole():
    assert captured(b"one\r\n", b"two\r\n").taken().text(80, 24) == ("one\ntwo", 0)


def test_of_a_long_output_the_beginning_and_the_end_are_kept():
    lines = [f"line {number:07}\r\n".encode() for number in range(200_000)]
    text, dropped = captured(*lines).taken().text(80, 24)
    head, gap, tail = text.partition("\n[... ")
    assert head.startswith("line 0000000\nline 0000001\n")
    assert tail.endswith("line 0199998\nline 0199999")
    assert gap and f"{dropped} bytes ...]" in tail
    kept = (len(head) + len(tail.partition("]\n")[2])) * len(lines[0]) / len(lines[0].replace(b"\r", b""))
    assert abs(kept + dropped - sum(map(len, lines))) < 3 * len(lines[0])
    assert capture.HEAD + capture.TAIL - 100 < kept < capture.HEAD + 2 * capture.TAIL


def test_what_is_hidden_or_between_commands_is_not_output():
    kept = captured(b"seen")
    kept.hidden = lambda: True
    kept.write(b"a prompt")
    kept.hidden = lambda: False
    kept.taking = False
    kept.write(b"later")
    assert kept.taken().text(80, 24) == ("seen", 0)


def test_the_prompt_of_the_next_shell_is_cut_off():
    kept = captured(b"welcome\r\nuser@host $ ")
    kept.drop_line()
    kept.write(b"and on")
    assert kept.taken().text(80, 24) == ("welcome\nand on", 0)


def test_what_a_job_says_while_no_command_runs_is_kept_for_the_person_once(monkeypatch):
    monkeypatch.setattr(capture, "_PROMPT_SECONDS", 0)
    kept = captured(b"mine\r\n")
    kept.at_prompt()
    kept.write(b"\x1b[1mprompt drawn late\x1b[0m")
    kept.write(b"the job's\r\n")
    assert kept.taken().text(80, 24) == ("mine", 0)
    assert (kept.between(), kept.between()) == ("the job's", "")


@pytest.mark.parametrize(
    ("written", "asks"),
    [
        (b"\x1b[c", True),
        (b"\x1b[>c", True),
        (b"\x1b[6n", True),
        (b"\x1b]11;?\x1b\\", True),
        (b"\x1b[?u", True),
        (b"\x1b[31mred", False),
        (b"plain c", False),
        (b"\x1b[?25l", False),
        (b"\x1b]0;why?\x07", False),
    ],
)
def test_what_a_terminal_answers_to(written, asks):
    assert replies.asks(written) is asks


def test_answers_are_taken_out_of_what_was_typed():
    answers = b"\x1b[?62;22c\x1b[5;1R\x1b]11;rgb:0/0/0\x1b\\\x1bP>|xterm\x1b\\\x1b[?1u\x1b[?2004;1$y"
    assert replies.without_answers(b"l" + answers + b"s\x1b[A") == b"ls\x1b[A"


@pytest.mark.parametrize(
    ("pieces", "shown"),
    [((b"one\r\ntwo\r\n",), "one\ntwo\n"), ((b"one\r", b"\n"), "one\n"), ((b"x",), "x\n"), ((), "")],
)
def test_output_without_a_terminal_ends_its_last_line(pieces: tuple[bytes, ...], shown: str) -> None:
    """What is said next to it (that it still runs) stood on the line of the output."""
    kept, said = Capture(), list[str]()
    kept.begin()
    with shown_as_text(kept, said.append):
        for piece in pieces:
            kept.write(piece)
    assert "".join(said) == shown
