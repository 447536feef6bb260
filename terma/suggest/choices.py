"""The list of candidates that a prompt shows: what each puts on the line, and a row of it that fits the terminal."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterator
from contextlib import aclosing, suppress
from dataclasses import replace

from terma.errors import ProviderError, TermaError
from terma.records import dataclass
from terma.suggest.translate import Assess, Frame, clean, close, closing, in_words, note, written
from terma.text import one_line
from terma.types import Candidate, Final, Note, Query, Raw, Risk, Translator

COUNT = 5  # a number key each, and no list that hides what stood above the prompt
FRAME = 6  # cells of a row that the shell draws: the mark of the chosen one, the number, and the two gaps
MARK = 3  # cells of the mark of a danger and its gap
NARROWEST = 20  # columns; below that the rows are cut by the terminal


@dataclass(frozen=True, slots=True)
class _Item:
    candidate: Candidate
    risk: Risk
    engine: str

    @property
    def why(self) -> str:
        """The word beside the command: its danger, else what is to be known of it, else where it came from."""
        if self.risk.level != "low":
            return f"{self.risk.level}: {one_line(', '.join(self.risk.reasons))}"
        source = in_words(self.candidate.source) if self.candidate.source != self.engine else ""
        return one_line(self.candidate.note or source or self.candidate.command.split(maxsplit=1)[0])


async def choices(
    query: Query, provider: Translator, beside: Translator | None, assess: Assess, columns: int, rows: int
) -> AsyncGenerator[Frame | Raw, None]:
    """Notes, then an `item` frame for each candidate and `done list`; where there is one alone, that one as an answer.

    A model's own answers come first, with what the engine `beside` it would say behind them. Raises as translate."""
    again = replace(query, attempt=0, again=query.attempt > 0)
    found: list[tuple[Candidate, str]] = []
    final: Final | None = None
    async with aclosing(_asked(provider, again)) as events:
        async for event in events:
            if isinstance(event, Final):
                final = event
            else:
                yield event
    if final is None:
        raise ProviderError(f"{provider.name} ended without an answer", "try again")
    found += [(each, each.by or provider.name) for each in final.candidates]
    if beside is not None and final.candidates[0].by:  # it led: the model has not said anything yet
        with suppress(TermaError):
            async with aclosing(_asked(provider, replace(query, attempt=1))) as events:
                async for event in events:
                    if isinstance(event, Final):
                        found += [(each, each.by or provider.name) for each in event.candidates]
                    else:
                        yield event
    if beside is not None:
        found += [(each, beside.name) for each in await _said(beside, again)]
    items = _items(found, query, assess, max(min(COUNT, rows - 3), 1))
    if len(items) < 2:
        for frame in closing(replace(final, index=0, total=1), provider.name, query, assess):
            yield frame
        return
    for shown in _frames(items, columns):
        yield shown
    yield ("done", "list", str(len(items)))


async def _asked(provider: Translator, query: Query) -> AsyncGenerator[Frame | Raw | Final, None]:
    """The notes of an answer as frames, and its Final. Raises what the provider raises."""
    events = provider.translate(query)
    try:
        async for event in events:
            match event:
                case Note(text):
                    yield ("note", one_line(f"{provider.name} · {text}"))
                case Final() | Raw():
                    yield event
    finally:
        await close(events)


async def _said(engine: Translator, query: Query) -> tuple[Candidate, ...]:
    """What the embedded engine offers; nothing where it does not know."""
    with suppress(TermaError):
        events = engine.translate(query)
        try:
            async for event in events:
                if isinstance(event, Final):
                    return event.candidates
        finally:
            await close(events)
    return ()


def _items(found: list[tuple[Candidate, str]], query: Query, assess: Assess, count: int) -> list[_Item]:
    """At most `count` of them, best first, none twice and none of which nothing visible is left."""
    items: dict[str, _Item] = {}
    for candidate, engine in found:
        whole = clean(candidate)
        if whole.command.strip() and whole.command not in items and len(items) < count:
            risk = assess(whole.command, query.cwd, query.shell)
            items[whole.command] = _Item(written(whole, query), risk, engine)
    return list(items.values())


def _frames(items: list[_Item], columns: int) -> Iterator[Frame]:
    """`item`: command, level and reasons of its risk, its state line, then its row: the command in its column, and the
    word beside it; at the end where the cursor belongs."""
    commands, words = _columns(items, columns)
    for number, item in enumerate(items):
        candidate = item.candidate
        said = note(candidate, item.engine, number, len(items))
        room = commands - (MARK if item.risk.level != "low" else 0)
        extras = []
        if candidate.placeholders:
            first = min(candidate.placeholders, key=lambda slot: slot.start)
            extras = [f"cursor={first.start}", f"select={first.end - first.start}"]
        reasons = one_line(", ".join(item.risk.reasons))
        row = _fitted(one_line(candidate.command), room, pad=True)
        yield (
            "item",
            candidate.command,
            item.risk.level,
            reasons,
            said,
            row,
            _fitted(item.why, words),
            *extras,
        )


def _columns(items: list[_Item], columns: int) -> tuple[int, int]:
    """How many cells the commands get, and the words beside them: what they need, the words a third at least."""
    room = max(columns, NARROWEST) - 1 - FRAME
    longest = max(
        _cells(one_line(each.candidate.command)) + (MARK if each.risk.level != "low" else 0) for each in items
    )
    words = max(_cells(each.why) for each in items)
    words = min(words, max(room // 3, room - longest))
    return min(longest, room - words), words


def _cells(text: str) -> int:
    from terma.output.cells import width  # brings what reads terminals, which only a list needs

    return sum(map(width, text))


def _fitted(text: str, room: int, pad: bool = False) -> str:
    """`text` in `room` cells, cut where it is longer, filled up with blanks where `pad` says so."""
    taken = _cells(text)
    if taken > room:
        while text and taken > room - 1:
            taken -= _cells(text[-1])
            text = text[:-1]
        text, taken = f"{text}…", taken + 1
    return text + " " * (room - taken) if pad else text
