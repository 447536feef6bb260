"""What is said while a model is silent about a failure, and how often a note about a key is."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from terma.agent import sooner
from terma.agent.giving import ReadNotes, giving_way, keeping_company
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
