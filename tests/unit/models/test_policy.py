"""Patience, pace and fallbacks: what holds for every model, with models made for the test."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from typing import get_args

import pytest

from terma.chat import (
    ChatEvent,
    ChatMessage,
    ChatModel,
    ChatRequest,
    Finish,
    ModelError,
    ModelSpec,
    TextDelta,
    Trouble,
)
from terma.models.policy.attempts import FIRST_WAIT, LONGEST_WAIT, MAX_RETRY_AFTER, attempts, delay
from terma.models.policy.fallbacks import FINAL, with_fallbacks
from terma.models.policy.pace import PATIENCE, Pace
from terma.types import Note
from tests.models import collect, of, text


def spec(name: str = "m", **more: object) -> ModelSpec:
    return ModelSpec(provider="scripted", model=name, **more)  # type: ignore[arg-type]


class Scripted:
    """A model that says, for each of its requests, events or an error; the name of the spec chooses which."""

    name = "scripted"

    def __init__(self, **scripts: list[ChatEvent | ModelError]) -> None:
        self.scripts = scripts
        self.asked: list[str] = []

    async def chat(self, request: ChatRequest) -> AsyncGenerator[ChatEvent, None]:
        self.asked.append(request.spec.model)
        for step in self.scripts[request.spec.model]:
            if isinstance(step, ModelError):
                raise step
            yield step

    def preload(self, spec: ModelSpec) -> None: ...

    async def close(self) -> None: ...


def ask(model: Scripted, first: str, *others: str) -> list[ChatEvent]:
    find: Callable[[str], ChatModel] = lambda _: model  # noqa: E731
    request = ChatRequest(spec=spec(first), messages=(ChatMessage("user", "hi"),))
    return asyncio.run(collect(with_fallbacks(request, [spec(name) for name in others], find)))


def trouble(code: Trouble, message: str = "it failed") -> ModelError:
    return ModelError(code, message, "do this")


def test_the_first_model_that_answers_is_used_and_named() -> None:
    model = Scripted(a=[trouble("server")], b=[trouble("quota")], c=[TextDelta("ls"), Finish()])
    events = ask(model, "a", "b", "c")
    assert text(events) == "ls"
    assert [note.text for note in of(Note, events)] == [
        "a: its server failed; using b",
        "b: its account has nothing left; using c",
    ]


def test_without_fallbacks_the_error_is_the_models_own() -> None:
    with pytest.raises(ModelError) as caught:
        ask(Scripted(a=[trouble("auth", "the key is wrong")]), "a")
    assert (caught.value.message, caught.value.hint) == ("the key is wrong", "do this")


def test_when_none_answers_the_error_is_the_chosen_models() -> None:
    model = Scripted(a=[trouble("auth", "the key is wrong")], b=[trouble("unreachable")])
    with pytest.raises(ModelError, match="the key is wrong") as caught:
        ask(model, "a", "b")
    assert caught.value.message.startswith("a: ")
    assert caught.value.hint.endswith("no answer either from b: no connection")


@pytest.mark.parametrize("script", [[TextDelta("rm "), trouble("unreachable")], [trouble("refused")]])
def test_an_error_of_a_fallback_says_whose_it_is_and_what_failed_before(script: list[object]) -> None:
    with pytest.raises(ModelError) as caught:
        ask(Scripted(a=[trouble("server")], b=script), "a", "b", "c")
    assert caught.value.message == "b: it failed"
    assert caught.value.hint == "do this; no answer either from a: its server failed"


def test_whatever_failed_is_told_in_words() -> None:
    for code in sorted(set(get_args(Trouble)) - FINAL):
        notes = of(Note, ask(Scripted(a=[trouble(code)], b=[TextDelta("ls")]), "a", "b"))
        assert [note.text.endswith("; using b") and "_" not in note.text for note in notes] == [True]


@pytest.mark.parametrize("code", ["refused", "no_tools", "context_length", "bad_request"])
def test_a_refusal_is_not_shopped_around(code: Trouble) -> None:
    model = Scripted(a=[trouble(code)], b=[TextDelta("ls")])
    with pytest.raises(ModelError):
        ask(model, "a", "b")
    assert model.asked == ["a"]


def test_a_model_that_has_begun_is_not_replaced() -> None:
    model = Scripted(a=[TextDelta("rm "), trouble("unreachable")], b=[TextDelta("ls")])
    with pytest.raises(ModelError):
        ask(model, "a", "b")
    assert model.asked == ["a"]


def test_the_waits_grow_with_jitter_and_stay_bounded() -> None:
    for number in range(12):
        full = min(FIRST_WAIT * 2**number, LONGEST_WAIT)
        waits = {delay(number, None) for _ in range(20)}
        assert all(wait is not None and full / 2 <= wait <= full for wait in waits)
        assert len(waits) > 1
    assert delay(0, 5.0) == 5.0
    assert delay(0, 0.0) == 0.0
    assert delay(0, MAX_RETRY_AFTER + 1) is None


def test_what_a_person_waits_for_is_closed_when_they_stop_waiting() -> None:
    closed = []

    async def once() -> AsyncGenerator[ChatEvent, None]:
        try:
            yield TextDelta("ls")
            await asyncio.Event().wait()
        finally:
            closed.append(True)

    async def first() -> None:
        events = attempts(once, spec())
        assert await anext(events) == TextDelta("ls")
        await events.aclose()

    asyncio.run(first())
    assert closed == [True]


def test_an_answer_without_end_is_ended() -> None:
    async def once() -> AsyncGenerator[ChatEvent, None]:
        while True:
            yield TextDelta("x" * 2**16)

    with pytest.raises(ModelError, match="does not stop"):
        asyncio.run(collect(attempts(once, spec(retries=3))))


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def test_no_limit_lets_everything_through() -> None:
    asyncio.run(pace_of(Pace(Clock()), spec(), 500))


def test_one_request_too_many_is_refused_with_the_time_to_wait_and_let_through_later() -> None:
    clock = Clock()
    pace, limited = Pace(clock), spec(requests_per_minute=3)
    asyncio.run(pace_of(pace, limited, 3))
    clock.now += 20
    with pytest.raises(ModelError, match="your own limit of 3") as caught:
        asyncio.run(pace.wait(limited))
    assert caught.value.hint.startswith("wait 40 s")
    asyncio.run(pace.wait(spec("another", requests_per_minute=3)))
    clock.now += 40.1
    asyncio.run(pace_of(pace, limited, 3))


def test_a_turn_that_comes_soon_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    clock = Clock()
    pace, limited = Pace(clock), spec(requests_per_minute=1)
    asyncio.run(pace.wait(limited))
    clock.now += 60 - PATIENCE / 2
    monkeypatch.setattr("terma.models.policy.pace.asyncio.sleep", sleep)
    asyncio.run(pace.wait(limited))
    assert slept == [PATIENCE / 2]


async def pace_of(pace: Pace, limited: ModelSpec, count: int) -> None:
    for _ in range(count):
        await pace.wait(limited)
