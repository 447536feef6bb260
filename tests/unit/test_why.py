"""What a shell is told of a failure: header, explanation, fixes with their risk, and what was seen."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator

import pytest

from terma.agent.explaining import as_json
from terma.errors import ProviderError
from terma.suggest.why import Answer, ending, fix_lines, header, why
from terma.types import Delta, Explained, Fix, Note, Output, Risk, WhyEvent, WhyQuery

FAILED = WhyQuery(command="make test", status=2, duration=3_100_000, cwd="/srv")


class Engine:
    """Says what it was made with."""

    name, local = "engine", True

    def __init__(self, *events: WhyEvent) -> None:
        self._events = events
        self.heard: list[WhyQuery] = []

    def translate(self, query: object) -> AsyncIterator[object]:
        raise AssertionError("nobody asked for a command")

    async def explain(self, query: WhyQuery) -> AsyncIterator[WhyEvent]:
        self.heard.append(query)
        for event in self._events:
            yield event


def assess(command: str, _cwd: str, _shell: str) -> Risk:
    return Risk("high", ("deletes files",)) if command.startswith("rm") else Risk()


def frames_of(
    engine: Engine, output: Output | None = None, asked: WhyQuery = FAILED
) -> list[tuple[str, ...]]:
    kept: list[Answer] = []

    async def see() -> WhyQuery:
        return WhyQuery(
            command=asked.command, status=asked.status, output=output or Output(), shell=asked.shell
        )

    async def collect() -> list[tuple[str, ...]]:
        replies = why(asked, see, engine, assess, 80, kept.append)  # type: ignore[arg-type]
        return [frame async for frame in replies if isinstance(frame, tuple)]

    frames = asyncio.run(collect())
    assert len(kept) == 1
    return frames


def said(frames: list[tuple[str, ...]]) -> str:
    return "".join(frame[2] for frame in frames if frame[0] == "say")


def test_the_header_comes_before_anything_was_looked_at():
    assert "".join(span.text for span in header(FAILED)) == "make test · exit status 2 · 3.1 s\n"


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (1, "exit status 1"),
        (130, "exit status 130, SIGINT"),
        (137, "exit status 137, SIGKILL"),
        (255, "exit status 255"),
    ],
)
def test_a_signal_is_named(status: int, words: str):
    assert ending(status) == words


def test_the_explanation_is_rendered_and_the_fixes_follow_with_their_risk():
    frames = frames_of(
        Engine(Delta("**No** rule"), Explained((Fix("make check"), Fix("rm -r build", note="start over"))))
    )
    assert ("say", "bold", "No") in frames
    assert [frame for frame in frames if frame[0] == "fix"] == [
        ("fix", "make check", "low", ""),
        ("fix", "rm -r build", "high", "deletes files"),
    ]
    assert "fix  make check\n" in said(frames)
    assert "or   rm -r build   start over\n     ⚠ high: deletes files\n" in said(frames)
    assert frames[-1] == ("done", "why")


def test_what_an_engine_says_is_data():
    frames = frames_of(
        Engine(
            Delta("a\x1b]0;x\x07b\x9b2Jc\u202e"),
            Note("n\x1b[1m\n"),
            Explained((Fix("ls\x1b[31m\n\n"), Fix("\x1b[2J"))),
        )
    )
    assert "abc" in said(frames)
    assert ("note", "engine · n") in frames
    assert [frame[1] for frame in frames if frame[0] == "fix"] == ["ls"]


@pytest.mark.parametrize(
    ("output", "words"),
    [
        (Output(), "no output was seen (terma shell would keep it)"),
        (Output(trouble="tmux: no answer within 0.3 s"), "no output was seen (tmux: no answer within 0.3 s)"),
        (Output("x", "tmux", found=True), "engine · tmux"),
        (Output("x", "tmux"), "engine · tmux, the end of the screen: the command was not found on it"),
    ],
)
def test_the_last_line_says_what_was_seen(output: Output, words: str):
    assert said(frames_of(Engine(Explained()), output)).splitlines()[-1].endswith(words)


def test_an_engine_that_never_explains_is_an_error():
    with pytest.raises(ProviderError, match="without an answer"):
        frames_of(Engine(Delta("well")))


def test_an_explanation_without_end_is_cut_off():
    with pytest.raises(ProviderError, match="never ends"):
        frames_of(Engine(*[Delta("word " * 1000)] * 20))


def test_of_many_fixes_the_first_different_ones_are_kept():
    fixes = tuple(Fix(f"echo {n // 2}") for n in range(20))
    kept = [frame[1] for frame in frames_of(Engine(Explained(fixes))) if frame[0] == "fix"]
    assert kept == [f"echo {n}" for n in range(5)]


def test_what_is_too_long_for_a_narrow_terminal_breaks_between_words_and_a_command_does_not() -> None:
    said = "".join(span.text for span in header(FAILED, columns=30))
    assert said == "make test\nexit status 2 · 3.1 s\n"
    fix = Fix("rm -r build && make a-target-with-a-long-name", 0.9)
    lines = fix_lines(
        Answer(FAILED, fixes=[(fix, Risk("high", ("deletes: a folder and all that is in it",)))]), 40
    )
    assert "".join(span.text for span in lines).splitlines() == [
        "",
        f"fix  {fix.command}",
        "     ⚠ high: deletes: a folder and all",
        "       that is in it",
    ]


def test_in_xonsh_a_call_of_pythons_is_offered_behind_no_command() -> None:
    asked = WhyQuery(command='make_in("out")', status=1, shell="xonsh")
    engine = Engine(Explained((Fix('mkdir -p out && make_in("out")'), Fix("ls"))))
    fixes = [frame[1] for frame in frames_of(engine, asked=asked) if frame[0] == "fix"]
    assert fixes == ["ls"]
    asked = WhyQuery(command="make_in out", status=1, shell="xonsh")
    engine = Engine(Explained((Fix("mkdir -p out && make_in out"),)))
    assert [frame[1] for frame in frames_of(engine, asked=asked) if frame[0] == "fix"] == [
        "mkdir -p out && make_in out"
    ]


class Slow(Engine):
    """Says nothing until somebody has seen the line that decides."""

    def __init__(self, *events: WhyEvent) -> None:
        super().__init__(*events)
        self.asked = asyncio.Event()

    async def explain(self, query: WhyQuery) -> AsyncIterator[WhyEvent]:
        await self.asked.wait()
        for event in self._events:
            yield event


def test_while_an_engine_is_silent_the_line_that_decides_is_shown(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("terma.suggest.why.SOON", 0.0)

    async def see() -> WhyQuery:
        return WhyQuery(command="make", status=2, output=Output("make: *** no\n", "given", found=True))

    async def collect() -> str:
        engine = Slow(Delta("There is no rule."), Explained(()))
        replies = why(FAILED, see, engine, assess, 80, lambda _: None, lambda query: query.output.text)  # type: ignore[arg-type]
        words = ""
        async for frame in replies:
            words += frame[2] if isinstance(frame, tuple) and frame[0] == "say" else ""
            if "make: ***" in words:
                engine.asked.set()
        return words

    said = asyncio.run(asyncio.wait_for(collect(), 90))
    assert said.index("make: *** no") < said.index("There is no rule.")


def test_a_look_is_told_and_kept_for_the_key_but_put_on_no_prompt():
    frames = frames_of(Engine(Delta("Nobody listens."), Explained((Fix("ss -ltn", look=True),))))
    assert "look ss -ltn" in said(frames)
    assert not [frame for frame in frames if frame[0] == "fix"]


def test_a_program_is_told_looks_beside_the_fixes():
    answer = Answer(FAILED, "Nobody listens.", [(Fix("ss -ltn", look=True), Risk())])
    told = json.loads(as_json(answer, "offline")[2])
    assert told["fixes"] == [] and [one["command"] for one in told["looks"]] == ["ss -ltn"]
