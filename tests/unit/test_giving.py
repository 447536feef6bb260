"""What is said while a model is silent about a failure, and how often a note about a key is."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from terma.agent import sooner
from terma.agent.giving import ReadNotes, giving_way
from terma.chat import ModelError
from terma.types import Delta, Explained, Fix, Note, Output, WhyQuery

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
        provider = giving_way(model, behind, notes, once)
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


def test_who_stops_listening_ends_the_model():
    async def run() -> Engine:
        model = Engine("cloud", "", "", asyncio.Event())
        events = giving_way(model, Engine("offline", "a typo", "no"), (), lambda note: True).explain(QUERY)
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
