"""Beside a model the embedded engine's answer is shown ahead of all that is done for the model, as soon as alone."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Sequence

import pytest

from terma.chat import ChatEvent, ChatMessage, ChatRequest, Finish, ModelSpec, TextDelta
from terma.suggest.model_call import Helpers, Lead, Offers, Protocols, Task
from terma.suggest.prompt import Place
from terma.suggest.prompted import Prompted
from terma.types import Candidate, Delta, Event, Final, Note, Query, WhyQuery
from tests.patience import SECONDS as PATIENCE

OURS = "tar -xf backup.tar.gz"
SHOWN = f"{OURS} (offline) · the same key takes it"


class Recorded:
    """A model and the machine that is asked for its sake; `steps` tells what was begun, in order."""

    def __init__(self, said: str = "bsdtar -xf backup.tar.gz", sure: float = 0.7) -> None:
        self.steps: list[str] = []
        self.held: asyncio.Event | None = None
        self._said, self._sure = said, sure

    async def _step(self, name: str) -> None:
        self.steps.append(name)
        if self.held is not None:
            await self.held.wait()

    async def place(self, _: Query | WhyQuery) -> Place:
        await self._step("place")
        return Place()

    async def facts(self, _: Query, __: Offers) -> Sequence[str]:
        await self._step("facts")
        return ()

    async def offers(self, _: Query) -> Offers:
        self.steps.append("engine")
        return Offers(sure=(Candidate(OURS, self._sure, "extract"),))

    async def chat(self, _: ChatRequest) -> AsyncGenerator[ChatEvent, None]:
        await self._step("model")
        yield TextDelta(self._said)
        yield Finish()

    def preload(self, spec: ModelSpec) -> None:
        """Nothing waits."""

    async def close(self) -> None:
        """Nothing is open."""


def hidden(messages: Sequence[ChatMessage]):
    return tuple(messages), str


def prompted(model: Recorded, lead: Lead = "model", after: float = 1e-9) -> Prompted:
    helpers = Helpers(
        place=model.place,
        hide=hidden,
        told=lambda *_: None,
        used=lambda _: None,
        protocols=Protocols(None, "", None, None),  # type: ignore[arg-type]  # of ?why alone
        offers=model.offers,
        facts=model.facts,
        lead=lead,
        beside_after=after,
    )
    return Prompted(model, Task("You write commands.", ModelSpec(provider="test", model="m")), helpers)


async def begun(engine: Prompted, model: Recorded) -> tuple[Event, list[str]]:
    """The first event of an answer, and what had been begun by then."""
    events = engine.translate(Query(words="extract backup.tar.gz"))
    try:
        async with asyncio.timeout(PATIENCE):
            return await anext(events), list(model.steps)
    finally:
        await events.aclose()  # type: ignore[attr-defined]


@pytest.mark.parametrize("lead", ["model", "auto"])
def test_the_engines_answer_is_shown_before_anything_is_done_for_the_model(lead):
    model = Recorded()
    event, steps = asyncio.run(begun(prompted(model, lead), model))
    assert event == Note(SHOWN)
    assert steps == ["engine"]


def test_what_a_model_is_told_of_the_place_holds_the_engines_answer_up_no_longer():
    """A disk that hangs while the place is read keeps the model from being asked, and nothing else."""

    async def held() -> Event:
        model = Recorded()
        model.held = asyncio.Event()
        event, _ = await begun(prompted(model, after=0.01), model)
        return event

    assert asyncio.run(held()) == Note(SHOWN)


def test_a_model_that_answers_sooner_than_is_waited_for_is_all_that_is_shown():
    async def answered() -> list[Event]:
        return [
            event async for event in prompted(Recorded(), after=PATIENCE).translate(Query(words="extract it"))
        ]

    events = asyncio.run(answered())
    assert [event for event in events if isinstance(event, Note)] == []
    assert "".join(event.text for event in events if isinstance(event, Delta)) == "bsdtar -xf backup.tar.gz"
    assert isinstance(events[-1], Final)


@pytest.mark.parametrize(
    ("said", "sure", "first"),
    [
        ("git revert 77ab01d", 0.9, OURS),
        ("git revert 77ab01d", 0.6, "git revert 77ab01d"),
        ("tar -xzf backup.tar.gz", 0.9, "tar -xzf backup.tar.gz"),
    ],
)
def test_a_new_model_far_from_what_the_engine_is_sure_of_is_not_believed_at_once(said, sure, first):
    """Its first answer is the first that is known of it, and counts already when it is shown."""

    async def answered() -> Event:
        engine = prompted(Recorded(said, sure), "auto", after=PATIENCE)
        *_, last = [event async for event in engine.translate(Query(words="extract backup.tar.gz"))]
        return last

    final = asyncio.run(answered())
    assert isinstance(final, Final)
    assert final.candidates[0].command == first
    assert said in [one.command for one in final.candidates]


def test_a_model_that_answers_in_words_where_there_is_a_command_soon_comes_behind_the_engine():
    async def answered() -> list[str]:
        model = Recorded("# no command does that", 0.7)
        engine = prompted(model, "auto", after=PATIENCE)
        asked = []
        for number in range(4):
            model.steps.clear()
            events = [event async for event in engine.translate(Query(words=f"extract {number}.tar.gz"))]
            assert isinstance(events[-1], Final)
            assert events[-1].candidates[0].command == OURS
            asked.append("model" in model.steps)
        return asked

    assert asyncio.run(answered()) == [True, True, False, False]
