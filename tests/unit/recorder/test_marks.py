"""The marks are found wherever reads cut the stream, and forged ones are not believed."""

from __future__ import annotations

import itertools
import re

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from terma.marks import ENTER, LEAVE, LONGEST_MARK, AltScreen, Mark, Scanner

NONCE = "0123456789abcdef"
OURS = f";terma={NONCE};aid=42".encode()


def scanned(*pieces: bytes, nonce: str | None = NONCE) -> list[bytes | Mark | AltScreen]:
    """Everything that a scanner finds in these reads, neighbouring output joined."""
    scanner = Scanner(nonce)
    found: list[bytes | Mark | AltScreen] = []
    for piece in pieces:
        for part in [piece] if scanner.is_plain(piece) else scanner.scan(piece):
            if isinstance(part, bytes) and found and isinstance(found[-1], bytes):
                found[-1] += part
            else:
                found.append(part)
    return found


STREAM = (
    b"prompt\x1b[0m\x1b]133;A"
    + OURS
    + b"\x07$ ls\r\n\x1b]133;C"
    + OURS
    + b";cmdline_url=a%20%C3%A9%3B;cwd_url=/x\x1b\\"
    b"out\x1b[31mput\x1b]0;title\x07\x1b[?25l\x1b[?1049hscreen\x1b[?1;1049lafter\x1b]133;D;127"
    + OURS
    + b"\x07"
)
FOUND = [
    b"prompt\x1b[0m",
    Mark("A", None, {"terma": NONCE.encode(), "aid": b"42"}),
    b"$ ls\r\n",
    Mark(
        "C", None, {"terma": NONCE.encode(), "aid": b"42", "cmdline_url": "a é;".encode(), "cwd_url": b"/x"}
    ),
    b"out\x1b[31mput\x1b]0;title\x07\x1b[?25l",
    ENTER,
    b"screen",
    LEAVE,
    b"after",
    Mark("D", 127, {"terma": NONCE.encode(), "aid": b"42"}),
]


def test_output_marks_and_screens_come_in_their_order() -> None:
    assert scanned(STREAM) == FOUND


@pytest.mark.parametrize("cut", range(1, len(STREAM)))
def test_it_makes_no_difference_where_a_read_ends(cut: int) -> None:
    assert scanned(STREAM[:cut], STREAM[cut:]) == FOUND


def test_it_makes_no_difference_when_every_byte_comes_alone() -> None:
    assert scanned(*(STREAM[at : at + 1] for at in range(len(STREAM)))) == FOUND


@pytest.mark.parametrize(
    "forged",
    [
        b"\x1b]133;D;0\x07",
        b"\x1b]133;D;0;terma=fedcba9876543210\x07",
        b"\x1b]133;D;0;terma=\x07",
        b"\x1b]133;D;0;terma=" + NONCE.encode() + b"0\x07",
        b"\x1b]133;D;0;xterma=" + NONCE.encode() + b"\x07",
        b"\x1b]133;Z" + OURS + b"\x07",
        b"\x1b]133;" + OURS + b"\x07",
        b"\x1b]133;D;0" + OURS + b"\n\x07",
        b"\x1b]1337;D;0" + OURS + b"\x07",
    ],
)
def test_what_is_no_mark_of_ours_is_output_to_the_last_byte(forged: bytes) -> None:
    real = b"\x1b]133;D;1" + OURS + b"\x07"
    assert scanned(b"a" + forged + b"b") == [b"a" + forged + b"b"]
    assert scanned(b"a" + forged + real) == [
        b"a" + forged,
        Mark("D", 1, {"terma": NONCE.encode(), "aid": b"42"}),
    ]


@pytest.mark.parametrize(
    "opened", [b"\x1b]133;", b"\x1b]133;C;cmdline_url=evil", b"\x1b", b"\x1b]", b"\x1b[?10"]
)
def test_what_was_begun_and_never_ended_does_not_hide_the_mark_behind_it(opened: bytes) -> None:
    assert scanned(opened, b"\x1b]133;D;1" + OURS + b"\x07")[-1] == Mark(
        "D", 1, {"terma": NONCE.encode(), "aid": b"42"}
    )


def test_a_mark_that_never_ends_is_given_up_and_kept_as_output() -> None:
    endless = b"\x1b]133;C;" + b"x" * (LONGEST_MARK + 1)
    assert scanned(endless[:100], endless[100:]) == [endless]


def test_without_a_nonce_every_mark_is_believed() -> None:
    assert scanned(b"\x1b]133;D;3\x07", nonce=None) == [Mark("D", 3, {})]


@settings(max_examples=300, deadline=None)
@given(st.lists(st.binary(max_size=40), max_size=8), st.lists(st.integers(0, 200), max_size=6))
def test_no_byte_of_noise_is_lost_or_changed(noise: list[bytes], cuts: list[int]) -> None:
    pieces = [
        piece + ending
        for piece, ending in zip(noise, [b"\x1b", b"\x1b]133;", b"\x1b[?", b"\x1b]13"] * 2, strict=False)
    ]
    whole = b"".join(pieces) + b"\n"
    assume(
        not re.search(rb"\x1b\[\?[0-9;]*(?:47|1047|1049)[0-9;]*[hl]", whole)
    )  # a change of screen is no noise
    assume(NONCE.encode() not in whole)  # and a mark of ours is none
    places = sorted({cut for cut in cuts if cut < len(whole)} | {0, len(whole)})
    reads = [whole[start:end] for start, end in itertools.pairwise(places)]
    assert b"".join(part for part in scanned(*reads) if isinstance(part, bytes)) == whole


def test_others_marks_count_until_ours_come() -> None:
    scanner = Scanner(NONCE, plain=True)
    theirs, ours = b"\x1b]133;C\x07", b"\x1b]133;C" + OURS + b"\x07"
    assert list(scanner.scan(theirs)) == [Mark("C")]
    assert list(scanner.scan(ours)) == [Mark("C", None, {"terma": NONCE.encode(), "aid": b"42"})]
    assert list(scanner.scan(theirs + b"x")) == [theirs + b"x"]
