"""What an engine says passes one border: clean, marked, whole."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from terma import wire
from terma.agent import inprocess
from terma.errors import ProviderError, UnknownAnswer
from terma.suggest.listing import listing
from terma.suggest.translate import MAX_COMMAND, clean, note, translate
from terma.text import sanitize
from terma.types import Candidate, Delta, Event, Final, Note, Placeholder, Query, Risk

HARMLESS = Risk()
DANGER = Risk("high", ("deletes files", "as root"))


class Saying:
    """An engine that says these events; `closed` once its generator was ended."""

    name = "test"

    def __init__(self, *events: Event) -> None:
        self.events = events
        self.closed = False

    async def translate(self, query: Query) -> AsyncIterator[Event]:
        try:
            for event in self.events:
                yield event
        finally:
            self.closed = True


def answer(*events: Event, risk: Risk = HARMLESS) -> list[tuple[str, ...]]:
    async def collect() -> list[tuple[str, ...]]:
        return [
            frame
            async for frame in translate(Query("words"), Saying(*events), lambda command, cwd, _shell: risk)
        ]

    return asyncio.run(collect())


def final(*commands: str, index: int = 0, total: int = 1) -> Final:
    return Final(tuple(Candidate(command, 0.5, "src") for command in commands), index, total)


def test_risk_stands_before_the_last_note_and_done():
    frames = answer(Delta("rm x"), final("rm x"), risk=DANGER)
    assert [frame[0] for frame in frames] == ["note", "delta", "risk", "note", "done"]
    assert frames[2] == ("risk", "high", "deletes files, as root")


def test_low_risk_is_not_said():
    assert "risk" not in [frame[0] for frame in answer(final("ls"))]


def test_risk_is_read_from_the_clean_command_that_done_gives():
    seen = []

    def assess(command: str, cwd: str, shell: str) -> Risk:
        seen.append(command)
        return Risk()

    async def run() -> None:
        async for _ in translate(Query("w"), Saying(final("r\x1b[0mm x\n")), assess):
            pass

    asyncio.run(run())
    assert seen == ["rm x"]


def test_done_gives_the_final_text_whatever_the_deltas_said():
    assert answer(Delta("something"), final("else"))[-1][:3] == ("done", "replace", "else")


def test_the_engine_is_closed_when_the_answer_is_there():
    engine = Saying(final("ls"), Delta("never read"))

    async def run() -> None:
        async for _ in translate(Query("w"), engine, lambda command, cwd, _shell: Risk()):
            pass

    asyncio.run(run())
    assert engine.closed


@pytest.mark.parametrize("events", [(Delta("ls"),), (), (Note("hm"),)])
def test_an_engine_that_ends_without_an_answer_failed(events):
    with pytest.raises(ProviderError, match="without an answer"):
        answer(*events)


@pytest.mark.parametrize("last", [Final(()), final(""), final("\x1b[2J\n")])
def test_nothing_to_see_is_no_answer(last):
    with pytest.raises(UnknownAnswer):
        answer(last)


def test_a_long_delta_comes_in_pieces_that_fit_a_frame():
    text = "\u0800\\" * (MAX_COMMAND // 2)
    frames = answer(Delta(text), final(text))
    assert "".join(frame[1] for frame in frames if frame[0] == "delta") == text
    assert all(len(wire.encode(frame[0], "1", *frame[1:])) <= wire.MAX_FRAME for frame in frames)


@given(
    st.lists(st.text(st.sampled_from("ab \n\t\r\x1b[]31m;\x07\x9b\u202e\u200d漢é\\{}\x1f\0")), max_size=12)
)
def test_however_the_answer_is_cut_the_pieces_join_to_the_whole(pieces: list[str]):
    text = sanitize("".join(pieces))
    assume(text)
    frames = answer(*map(Delta, pieces), final("".join(pieces)))
    assert frames[-1][2] == text
    assert "".join(frame[1] for frame in frames if frame[0] == "delta") == text


def test_placeholders_move_with_the_text_that_cleaning_removed():
    dirty = Candidate(
        "\x1b[1mcp\x1b[0m {a} {b} {a}",
        1.0,
        "s",
        tuple(Placeholder(name, at, at + 3) for name, at in (("a", 11), ("b", 15), ("a", 19))),
    )
    assert [(slot.name, slot.start, slot.end) for slot in clean(dirty).placeholders] == [
        ("a", 3, 6),
        ("b", 7, 10),
        ("a", 11, 14),
    ]


@pytest.mark.parametrize(
    ("candidate", "index", "total", "said"),
    [
        (Candidate("ls", 1, "find"), 0, 4, "offline · find · 1/4"),
        (Candidate("ls", 1, "find"), 0, 1, "offline · find"),
        (
            Candidate("a\nb", 1, "find", note="rsync is not installed"),
            1,
            3,
            "offline · find · 2/3 · 2 lines · rsync is not installed",
        ),
        (Candidate("ls", 1, "fi\x1b[31mnd\n", note="a\rb"), 0, 1, "offline · find · ab"),
    ],
)
def test_the_state_line(candidate, index, total, said):
    assert note(candidate, "offline", index, total).replace("  ", " ") == said


def test_a_program_s_list_has_each_command_once_and_no_more_than_it_asked_for():
    found = listing(
        final("ls", "ls\n", "pwd", "\x1b[0m", "df"),
        "test",
        Query("w"),
        2,
        lambda command, cwd, _shell: DANGER,
    )
    assert [each["command"] for each in found["candidates"]] == ["ls", "pwd"]
    assert found["candidates"][0]["risk"] == {"level": "high", "reasons": ["deletes files", "as root"]}


def test_the_same_answer_comes_without_an_agent(tmp_path, monkeypatch):
    (tmp_path / "script.json").write_text('[{"match": "", "steps": [{"delta": "ls -l"}]}]')
    monkeypatch.setenv("TERMA_SCRIPT", str(tmp_path / "script.json"))
    found = inprocess.ask_json("suggest", {"words": "list", "engine": "scripted"})
    assert found["command"] == "ls -l"


@pytest.mark.parametrize(
    ("command", "asked", "said"),
    [
        ('echo "Sorry, that cannot be done."', "extract a.tar", "Sorry, that cannot be done."),
        ("printf 'You should use the tar program'", "extract a.tar", "You should use the tar program"),
        ('echo "hello big wide world"', "print hello big wide world", ""),
        ('echo "nothing to be seen here" > a.txt', "write a.txt", ""),
        ('echo "the time here is $(date)"', "print the time", ""),
        ("echo done", "extract a.tar", ""),
        ("tar -xf a.tar && echo it has been done now", "extract a.tar", ""),
    ],
)
def test_a_sentence_that_is_only_printed_is_an_answer_in_words(command: str, asked: str, said: str) -> None:
    from terma.suggest.spoken import spoken

    assert spoken(command, asked) == said


@pytest.mark.parametrize(
    ("problems", "words", "again"),
    [
        ([("no such file: a.json", "file", "")], "pretty print a.json", False),
        ([("no such file: b.json", "file", "")], "pretty print a.json", True),
        ([("no such program: jqq", "absent", "jqq")], "pretty print a.json", True),
        ([("no such program: jqq", "absent", "jqq")], "pretty print a.json with jqq", False),
        (
            [("no such file: a.json", "file", ""), ("jq has no option --x", "invented", "jq")],
            "print a.json",
            True,
        ),
    ],
)
def test_a_model_is_asked_again_only_for_what_it_may_do_better(
    problems: list[tuple[str, str, str]], words: str, again: bool
) -> None:
    from terma.suggest.hybrid import may_be_better
    from terma.types import Problem

    assert may_be_better([Problem(*one) for one in problems], words, True) is again  # type: ignore[arg-type]
