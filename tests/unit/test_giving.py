"""What is said while a model is silent about a failure, and how often a note about a key is."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from types import SimpleNamespace
from typing import Any, cast

import pytest

from terma.agent import patience, sooner
from terma.agent.chat.beside import Beside
from terma.agent.chat.beside import giving_way as giving_in
from terma.agent.engines import Choice
from terma.agent.giving import ReadNotes, at_once, giving_way, keeping_company
from terma.agent.patience import Patience
from terma.chat import ChatMessage, ModelError, ModelSpec
from terma.errors import UnknownAnswer
from terma.types import Candidate, Delta, Explained, Final, Fix, Note, Output, Query, WhyQuery

QUERY = WhyQuery("gti status", 127, 0, "/", Output("", ""), "bash")
NOTE = "ANTHROPIC_API_KEY is there: terma models --allow anthropic"


class Engine:
    """Says `words`, then its `fix`; before it waits for `go`, where there is one, and fails where it shall."""

    def __init__(self, name: str, words: str, fix: str, go: asyncio.Event | None = None, fails: bool = False):
        self.name, self.local = name, True
        self.words, self.fix, self.go, self.fails, self.closed = words, fix, go, fails, False

    async def explain(self, query: WhyQuery) -> AsyncIterator[Delta | Note | Explained]:
        try:
            yield Note("thinking")
            if self.go is not None:
                async with asyncio.timeout(60):
                    await self.go.wait()
            if self.fails:
                raise ModelError("timeout", f"{self.name} said nothing for 60 s", "is it busy?")
            yield Delta(self.words)
            yield Explained((Fix(self.fix, 1.0),))
        finally:
            self.closed = True


def told(model: Engine, behind: Engine, notes=(), once=lambda note: True, until: str = ""):
    """All that is said, the fixes, and the name at the end; `until` is said: then the model may go on."""

    async def run():
        provider = giving_way(model, behind, notes, once, Patience())
        said, fixes = "", ()
        async for event in provider.explain(QUERY):
            if isinstance(event, Delta):
                said += event.text
            if isinstance(event, Explained):
                fixes = tuple(fix.command for fix in event.fixes)
            if until and until in said and model.go is not None:
                model.go.set()
        return said, fixes, provider.name

    return asyncio.run(run())


@pytest.fixture(autouse=True)
def soon(monkeypatch):
    monkeypatch.setattr(sooner, "SOON", 0.02)
    monkeypatch.setattr(patience, "SOON", 0.02)


def test_a_silent_models_answer_comes_beneath_the_embedded_one():
    model = Engine("cloud", "the long answer", "git status -sb", asyncio.Event())
    said, fixes, name = told(model, Engine("offline", "a typo", "git status"), until="has said nothing yet")
    assert (
        said
        == "a typo\n\n    git status\n\noffline · cloud has said nothing yet …\n\ncloud:\n\nthe long answer"
    )
    assert fixes == ("git status -sb", "git status") and name == "cloud" and model.closed


def test_of_a_model_that_never_speaks_the_embedded_answer_stands():
    model = Engine("cloud", "", "", asyncio.Event(), fails=True)
    said, fixes, name = told(model, Engine("offline", "a typo", "git status"), until="has said nothing yet")
    assert said.count("a typo") == 1 and "cloud said nothing for 60 s (is it busy?)" in said
    assert fixes == ("git status",) and name == "offline"


def test_a_fix_that_destroys_is_shown_at_the_end_alone_where_it_is_marked():
    model = Engine("cloud", "the long answer", "git status", asyncio.Event())
    said, fixes, _ = told(
        model, Engine("offline", "in the way", "rm -rf build"), until="has said nothing yet"
    )
    assert "rm" not in said and fixes == ("git status", "rm -rf build")


def test_a_model_that_speaks_at_once_speaks_alone(monkeypatch):
    monkeypatch.setattr(sooner, "SOON", 60.0)
    said, fixes, name = told(Engine("cloud", "its answer", "git status"), Engine("offline", "a typo", "no"))
    assert (said, fixes, name) == ("its answer", ("git status",), "cloud")


def set_told(
    model: Engine, behind: Engine, until: str = ""
) -> tuple[str, tuple[str, ...], ModelError | None]:
    """All that a model that was set and the engine beside it say, the fixes, and how it failed."""

    async def run():
        said, fixes = "", ()
        try:
            async for event in keeping_company(model, behind).explain(QUERY):
                said += event.text if isinstance(event, Delta) else ""
                fixes = tuple(fix.command for fix in event.fixes) if isinstance(event, Explained) else fixes
                if until and until in said:
                    model.go.set()
        except ModelError as error:
            return said, fixes, error
        return said, fixes, None

    return asyncio.run(run())


def test_before_a_model_that_was_set_the_embedded_answer_stands_while_it_is_silent():
    model = Engine("cloud", "the long answer", "git status -sb", asyncio.Event())
    said, fixes, error = set_told(model, Engine("offline", "a typo", "git status"), "has said nothing yet")
    assert said.startswith("a typo") and said.endswith("cloud:\n\nthe long answer") and error is None
    assert fixes == ("git status -sb", "git status")


def test_a_model_that_was_set_and_never_speaks_is_named_below_the_embedded_answer():
    model = Engine("cloud", "", "", asyncio.Event(), fails=True)
    said, fixes, error = set_told(model, Engine("offline", "a typo", "git status"), "has said nothing yet")
    assert "cloud said nothing for 60 s (is it busy?)" in said
    assert fixes == ("git status",) and error is None


def test_what_was_set_and_fails_at_once_is_not_replaced(monkeypatch):
    monkeypatch.setattr(sooner, "SOON", 60.0)
    said, fixes, error = set_told(Engine("cloud", "", "", fails=True), Engine("offline", "a typo", "no"))
    assert (said, fixes) == ("", ()) and error is not None and "60 s" in error.message


def test_one_that_thinks_and_is_not_dead_is_awaited_the_next_time():
    """A program reads the answer whole: the first time it gets the engine's, and the model is heard out unseen."""

    async def run() -> tuple[str, str, bool]:
        seen = Patience()
        model, behind = (
            Engine("slow", "its own", "git status", asyncio.Event()),
            Engine("offline", "", "git st"),
        )

        async def asked() -> str:
            provider = at_once(giving_way(model, behind, (), lambda note: True, seen))
            async for event in provider.explain(QUERY):
                if isinstance(event, Explained):
                    return provider.name
            return "nobody"

        first = await asked()
        model.go.set()
        async with asyncio.timeout(60):
            await asyncio.gather(*seen._unseen.values())
        slow, model.go = seen.of("slow") > patience.SOON, asyncio.Event()
        seen._slowest["slow"] = 60.0  # a busy machine may take its time
        asyncio.get_running_loop().call_later(5 * patience.SOON, model.go.set)
        second = await asked()
        await seen.close()
        return first, second, slow

    assert asyncio.run(run()) == ("offline", "slow", True)


def test_who_is_given_up_is_listened_to_once_and_not_beyond_the_agents_end():
    async def run() -> list[bool]:
        seen, models = Patience(), [Engine("dead", "", "", asyncio.Event()) for _ in range(3)]
        for model in models:
            provider = at_once(giving_way(model, Engine("offline", "", "ls"), (), lambda note: True, seen))
            assert [event async for event in provider.explain(QUERY)]
        ended = [model.closed for model in models]
        await seen.close()
        return ended + [model.closed for model in models]

    assert asyncio.run(run()) == [False, True, True, True, True, True]


def test_who_stops_listening_ends_the_model():
    async def run() -> Engine:
        model = Engine("cloud", "", "", asyncio.Event())
        events = giving_way(
            model, Engine("offline", "a typo", "no"), (), lambda note: True, Patience()
        ).explain(QUERY)
        async for event in events:
            if isinstance(event, Delta):
                break
        await events.aclose()
        return model

    assert asyncio.run(run()).closed


def test_a_note_is_said_once_a_shell():
    read, offline = ReadNotes(), Engine("offline", "a typo", "git status")
    said = [
        told(offline, offline, [note], lambda note, shell=shell: read.news(shell, note))[0]
        for shell, note in (
            ("zsh 1", NOTE),
            ("zsh 1", NOTE),
            ("bash 2", NOTE),
            ("zsh 1", "another"),
            ("", NOTE),
            ("", NOTE),
        )
    ]
    assert [NOTE in one or "another" in one for one in said] == [True, False, True, True, True, True]


def test_shells_that_are_long_gone_are_forgotten():
    read = ReadNotes()
    for number in range(1000):
        read.news(f"zsh {number}", NOTE)
    assert len(read._read) <= 256 and read.news("zsh 0", NOTE)


class Partner:
    """An engine that knows one sentence."""

    name, local = "offline", True

    async def translate(self, query: Query) -> AsyncIterator[Final]:
        if "archive" not in query.words:
            raise UnknownAnswer("nobody knows")
        yield Final((Candidate("tar -xf backup.tar.gz", 1.0, "tar"),), 1)


@pytest.mark.parametrize(
    ("words", "begins", "who"),
    [
        ("extract the archive", True, "offline"),
        ("sing me a song", True, "m"),
        ("extract the archive", False, "m"),
    ],
)
def test_a_conversation_gives_way_only_to_who_knows_and_never_in_mid_question(
    words: str, begins: bool, who: str
) -> None:
    """The model that `auto` chose says a word long after the engine could have said all of its own."""

    async def run() -> list[list[object]]:
        go = asyncio.Event()

        async def model():
            yield ["Model", {"name": "m", "local": False}]
            async with asyncio.timeout(60):
                await go.wait()
            yield ["TextDelta", {"text": "late"}]

        async def typed() -> tuple[str, ...]:
            return ()

        told: list[str] = []
        choosing = cast(
            Any, SimpleNamespace(named=lambda name: Partner(), tell=lambda what, by: told.append(by.name))
        )
        beside = Beside(choosing, (ChatMessage("user", words),), (), Query(words, "bash", "/"), typed)
        spec, seen, gave = ModelSpec(provider="x", model="m"), Patience(), []
        events = giving_in(
            model(), Choice("x", "", True, spec), beside, begins, seen, lambda: gave.append(True)
        )
        if who == "m":
            asyncio.get_running_loop().call_later(5 * patience.SOON, go.set)
        said = [event async for event in events]
        await seen.close()
        assert gave == [True] * (who == "offline") and told == ["offline"] * (who == "offline")
        return said

    said = asyncio.run(run())
    assert [one[1]["name"] for one in said if one[0] == "Model"] == ["m", "offline"][
        : 2 if who == "offline" else 1
    ]
    text = "".join(one[1].get("text", "") for one in said if one[0] in ("TextDelta", "Note"))
    if who == "offline":
        assert "said nothing for" in text and "tar -xf backup.tar.gz" in text and "late" not in text
    else:
        assert text == "late"
