"""The second tier on a prompt: what is near and not sure is shown first, and answers only who asks again.

A shell says that it knows of that with a field `second`: "0" with a sentence, "1" with the same one behind which it has
shown what is near. One that sends no such field hears that the engine is not sure, and no more."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing

from terma.errors import UnsureAnswer
from terma.suggest.translate import ONLY, Assess, Frame, clean, closing, written
from terma.text import one_line
from terma.types import Candidate, Final, Query, Raw, Translator

NAMED = 4  # words that are named of those that are not answered
Frames = AsyncGenerator[Frame | Raw, None]


async def with_second(
    frames: Frames, asked: str, provider: Translator, query: Query, assess: Assess
) -> Frames:
    """`frames`, and where they end unsure: for `asked` "0" a risk and `done unsure COMMAND WHY`, for "1" the nearest
    command as an answer that says of itself that it is not sure. Raises what `frames` raises, else."""
    begun = False
    try:
        async with aclosing(frames):
            async for frame in frames:
                begun = begun or not isinstance(frame, tuple) or frame[0] != "note"
                yield frame
    except UnsureAnswer as error:
        engine = error.by or provider.name
        near = clean(Candidate(error.nearest, error.confidence, engine))
        if begun or asked not in ("0", "1") or not near.command:
            raise
        said = not_sure(error)
        shown = (
            _taken(near, said, engine, query, assess) if asked == "1" else _shown(near, said, query, assess)
        )
        for last in shown:
            yield last


def not_sure(error: UnsureAnswer) -> str:
    """Why it is not sure, for a state line: `not sure: does not answer 'weekly'`."""
    words = ", ".join(f"'{one_line(word)}'" for word in error.unknown[:NAMED])
    return f"not sure: does not answer {words}" if words else "not sure"


def _shown(near: Candidate, said: str, query: Query, assess: Assess) -> list[Frame]:
    """What is drawn below the sentence, and put nowhere."""
    risk = assess(near.command, query.cwd, query.shell)
    danger: list[Frame] = []
    if risk.level != "low":
        danger = [("risk", risk.level, one_line(", ".join(risk.reasons)))]
    return [*danger, ("done", "unsure", written(near, query).command, said)]


def _taken(near: Candidate, said: str, engine: str, query: Query, assess: Assess) -> list[Frame]:
    """The last frames of an answer. That it is not sure comes first on the state line, where nothing cuts it off."""
    only = f" · {ONLY}" if query.attempt and not query.again else ""

    def marked(frame: Frame) -> Frame:
        match frame:
            case ("risk", level, reasons):
                return ("risk", level, f"not sure, {reasons}")
            case ("note", _):
                return ("note", f"{said}{only} · {engine}")
        return frame

    return [marked(frame) for frame in closing(Final((near,), 0, 1), engine, query, assess)]
