"""From an engine's events to what may be shown: the one border that everything an engine says must pass.

Text is sanitised, its risk is read from the whole command, and `done` repeats it all, so that the prompt ends
byte for byte as the agent said, whatever was lost on the way.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterator
from dataclasses import replace

from terma.errors import ProviderError, UnknownAnswer
from terma.text import StreamSanitizer, one_line, sanitize
from terma.types import Candidate, Delta, Final, Note, Placeholder, Query, Raw, Risk, Translator

Assess = Callable[[str, str, str], Risk]  # of a command, in a directory, read by a shell
Frame = tuple[str, ...]  # a frame's fields without the request's id: ("delta", text)

MAX_COMMAND = (
    8_000  # code points: `done` fits a frame however it is escaped, and reading its risk takes no second
)
TOO_LONG = ("the answer is far too long for a prompt", "ask for one step at a time")
ONLY = "the only answer"  # beside what the same key brings once more
PIECE = 4_000  # code points of one delta frame


async def translate(query: Query, provider: Translator, assess: Assess) -> AsyncGenerator[Frame | Raw, None]:
    """The frames that answer `query`: notes, deltas, then at most one risk, a note, and `done`.

    Raises what the provider raises, UnknownAnswer when nothing visible is left of the answer, ProviderError
    when the engine ended without an answer or never ends."""
    yield ("note", f"{provider.name} · thinking")
    stream, said, shown = StreamSanitizer(), 0, _shown(query)
    events = provider.translate(query)
    try:
        async for event in events:
            match event:
                case Delta(text):
                    said += len(text)
                    if said > MAX_COMMAND:
                        raise ProviderError(*TOO_LONG)
                    for piece in _pieces(shown(stream.feed(text))):
                        yield ("delta", piece)
                case Note(text):
                    yield ("note", one_line(f"{provider.name} · {text}"))
                case Final():
                    for frame in closing(event, provider.name, query, assess):
                        yield frame
                    return
                case Raw():
                    yield event
    finally:
        await close(events)
    raise ProviderError(f"{provider.name} ended without an answer", "try again")


def _shown(query: Query) -> Callable[[str], str]:
    """What of each piece of a command the shell that asks may draw: xonsh has a syntax of its own."""
    if query.shell != "xonsh":
        return str
    from terma.dialect.xonsh.stream import Growing

    return Growing().feed


async def close(events: AsyncIterator[object]) -> None:
    """End a generator now, with its connections, and not when it happens to be collected."""
    aclose = getattr(events, "aclose", None)
    if aclose is not None:
        await aclose()


def _pieces(text: str) -> Iterator[str]:
    return (text[at : at + PIECE] for at in range(0, len(text), PIECE))


def closing(final: Final, engine: str, query: Query, assess: Assess) -> Iterator[Frame]:
    """The last frames of an answer: its danger, its state line, the whole command. Raises as translate."""
    candidate = clean(final.candidates[0]) if final.candidates else None
    if candidate is None or not candidate.command:
        raise UnknownAnswer(f"{engine} has no answer to that", "say it in other words")
    if len(candidate.command) > MAX_COMMAND:
        raise ProviderError(*TOO_LONG)
    risk = assess(candidate.command, query.cwd, query.shell)
    candidate = written(candidate, query)
    if risk.level != "low":
        yield ("risk", risk.level, one_line(", ".join(risk.reasons)))
    said = note(candidate, engine, final.index, final.total)
    only = query.attempt > 0 and final.total == 1 and not query.again
    yield ("note", f"{ONLY} · {said}" if only else said)
    extras = [f"index={final.index}", f"total={final.total}"]
    if candidate.placeholders:
        first = min(candidate.placeholders, key=lambda slot: slot.start)
        extras += [f"cursor={first.start}", f"select={first.end - first.start}"]
    yield ("done", "replace", candidate.command, *extras)


def note(candidate: Candidate, engine: str, index: int, total: int) -> str:
    """The state line beside a finished suggestion: `offline · extract · 1/3 · 2 lines · rsync is not installed`."""
    lines = candidate.command.count("\n") + 1
    engine = candidate.by or engine
    parts = [engine, in_words(candidate.source) if candidate.source != engine else ""]
    parts += [
        f"{index + 1}/{total}" if total > 1 else "",
        f"{lines} lines" if lines > 1 else "",
        candidate.note,
    ]
    return one_line(" · ".join(filter(None, parts)))


def in_words(source: str) -> str:
    """Where a command came from, for a person: the name of a rule without its family, in words; "" where that would
    only say the program again."""
    family, dot, name = source.partition(".")
    if family in ("grammar", "case"):
        return ""
    if family == "recipe":
        return "your recipe"
    return (name if dot else source).replace("-", " ")


def clean(candidate: Candidate) -> Candidate:
    """The candidate with its command sanitised and its placeholders where they stand now."""
    return _moved(candidate, sanitize(candidate.command))


def written(candidate: Candidate, query: Query) -> Candidate:
    """The candidate as the shell that asks would have it: a POSIX command in xonsh's own syntax."""
    if query.shell != "xonsh" or candidate.source == "history":
        return candidate
    from terma.dialect.xonsh.rewrite import for_xonsh

    return _moved(candidate, for_xonsh(candidate.command, query.style))


def _moved(candidate: Candidate, command: str) -> Candidate:
    """The candidate with another text, and its placeholders where they stand in that."""
    if command == candidate.command:
        return candidate
    slots: list[Placeholder] = []
    at = 0
    for slot in sorted(candidate.placeholders, key=lambda slot: slot.start):
        word = f"{{{slot.name}}}"
        found = command.find(word, at)
        if found >= 0:
            at = found + len(word)
            slots.append(Placeholder(slot.name, found, at))
    return replace(candidate, command=command, placeholders=tuple(slots))
