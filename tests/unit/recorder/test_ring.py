"""The ring keeps two ends of each command and a bounded number of commands, under the shell that ran them."""

from __future__ import annotations

import pytest

from terma.marks import ENTER, LEAVE, AltScreen, Mark
from terma.recorder.ring import COMMANDS, HEAD, NESTED, TAIL, TOTAL, Ring, without_prompt_sp


def mark(letter: str, owner: bytes = b"1", status: int | None = None, **fields: bytes) -> Mark:
    return Mark(letter, status, {"aid": owner, **fields})


def ring_of(*parts: bytes | Mark | AltScreen) -> Ring:
    made = Ring()
    made.take(parts)
    return made


def test_output_belongs_to_the_command_between_its_marks_alone() -> None:
    made = ring_of(b"prompt", mark("C", cmdline_url=b"ls"), b"a", b"b", mark("D", status=1), b"prompt")
    assert made.last(5) == [
        {
            "command": "ls",
            "status": 1,
            "cwd": "",
            "output": "ab",
            "dropped": 0,
            "running": False,
            "alt_screen": False,
        }
    ]


@pytest.mark.parametrize("size", [1, 7, 4095, 65536, HEAD + TAIL, HEAD + TAIL + 1, 3 * (HEAD + TAIL) + 5])
def test_the_first_and_the_last_part_are_exact_whatever_the_size_of_the_pieces(size: int) -> None:
    whole = b"".join(b"%07d\n" % number for number in range((HEAD + 3 * TAIL) // 8))
    made = ring_of(mark("C"))
    for at in range(0, len(whole), size):
        made.take([whole[at : at + size]])
        if size == 1 and at > 1000:
            made.take([whole[at + 1 :]])
            break
    (command,) = made.running
    lost = len(whole) - HEAD - TAIL
    assert command.dropped == lost
    assert command.output() == whole[:HEAD] + f"\r\n… {lost} bytes dropped …\r\n".encode() + whole[-TAIL:]


def test_exactly_as_much_as_fits_loses_nothing() -> None:
    whole = bytes(range(256)) * ((HEAD + TAIL) // 256)
    made = ring_of(mark("C"), whole)
    assert (made.running[0].output(), made.running[0].dropped) == (whole, 0)


def test_the_oldest_commands_go_first_by_number_and_by_size() -> None:
    made = Ring()
    for number in range(COMMANDS + 5):
        made.take([mark("C"), b"%d" % number, mark("D", status=0)])
    assert [command["output"] for command in made.last(100)] == [str(n) for n in range(5, COMMANDS + 5)]
    for _ in range(2 * TOTAL // TAIL):
        made.take([mark("C"), b"x" * (HEAD + TAIL), mark("D", status=0)])
    assert sum(command.size for command in made.finished) <= TOTAL


def test_a_shell_within_a_shell_does_not_end_the_outer_ones_command() -> None:
    made = ring_of(
        mark("C", b"1", cmdline_url=b"zsh"),
        b"welcome",
        mark("A", b"2"),
        mark("C", b"2", cmdline_url=b"ls"),
        b"files",
        mark("D", b"2", status=0),
    )
    assert [(command["command"], command["running"]) for command in made.last(5)] == [
        ("ls", False),
        ("zsh", True),
    ]
    made.take([mark("C", b"2", cmdline_url=b"hang"), mark("D", b"1", status=137)])
    assert [(command["command"], command["status"]) for command in made.last(5)] == [
        ("ls", 0),
        ("hang", None),
        ("zsh", 137),
    ]


def test_an_end_or_a_prompt_without_a_beginning_changes_nothing() -> None:
    made = ring_of(
        mark("D", b"9", status=1), mark("A", b"9"), mark("C", cmdline_url=b"ls"), mark("D", b"9", status=3)
    )
    assert [(command["command"], command["running"]) for command in made.last(5)] == [("ls", True)]


def test_shells_within_shells_are_bounded() -> None:
    made = ring_of(*(mark("C", b"%d" % number) for number in range(3 * NESTED)))
    assert len(made.running) == NESTED
    assert len(made.finished) == 2 * NESTED


def test_the_alternate_screen_ends_with_the_next_command_at_the_latest() -> None:
    made = ring_of(
        mark("C"), b"a", ENTER, b"screen", mark("D", status=137), mark("C"), b"seen", ENTER, LEAVE, b"!"
    )
    first, second = made.last(5)
    assert (first["output"], first["alt_screen"]) == ("a", True)
    assert (second["output"], second["alt_screen"]) == ("seen!", True)


EOL = b"\x1b[1m\x1b[7m%\x1b[27m\x1b[1m\x1b[0m"


@pytest.mark.parametrize(
    ("output", "kept"),
    [
        (b"abc" + EOL + b" " * 79 + b"\r \r", b"abc"),
        (b"abc\r\n" + EOL + b" " * 78 + b"\r \r", b"abc\r\n"),
        (b"abc" + "⏎".encode() + b" " * 79 + b"\r \r", b"abc"),
        (b"abc<>" + b" " * 78 + b"\r  \r", b"abc"),
        (b"abc" + b" " * 79 + b"\r\r", b"abc"),
        (b"abc  \r \r", b"abc  \r \r"),
        (b"50%\r\n", b"50%\r\n"),
        (b"\r \r", b"\r \r"),
        (b"", b""),
    ],
)
def test_zshs_mark_of_an_unfinished_line_is_taken_away_and_nothing_like_it(
    output: bytes, kept: bytes
) -> None:
    assert without_prompt_sp(output, 80) == kept
    assert without_prompt_sp(output, 0) == output
