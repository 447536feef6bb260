"""Half an answer: how dangerous what stands so far is, for a shell whose person types on in the middle of it.

A shell that says `half=1` gets a frame `sofar LEVEL REASONS` before the delta that changes it. It shows nothing of
that while the answer comes, since `| sh` may become `| shasum`; where a key ends it, what stands is the line."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing

from terma.suggest.translate import Assess, Frame, translate
from terma.text import one_line
from terma.types import Query, Raw, Risk, Translator

MAX_REREAD = 1_000  # code points that are read anew with each delta, which takes some 0.5 ms
Frames = AsyncGenerator[Frame | Raw, None]


def translated(query: Query, provider: Translator, assess: Assess, half: bool) -> Frames:
    """The frames that answer `query`, with those of `half` answers where the shell knows them. Raises as translate."""
    if not half:
        return translate(query, provider, assess)
    assess = _once(assess)
    return _with_half(translate(query, provider, assess), query, assess)


def _once(assess: Assess) -> Assess:
    """`assess`, which does not read a command twice in a row: a whole answer that came in one piece."""
    last: tuple[tuple[str, str, str], Risk] | None = None

    def read(command: str, cwd: str, shell: str) -> Risk:
        nonlocal last
        if last is None or last[0] != (command, cwd, shell):
            last = (command, cwd, shell), assess(command, cwd, shell)
        return last[1]

    return read


async def _with_half(frames: Frames, query: Query, assess: Assess) -> Frames:
    """`frames`, each delta behind what is true of all that stands with it. That it cannot be read in full goes without
    saying of a half. Raises what `frames` raises."""
    text, told = "", ("low", "")
    async with aclosing(frames):
        async for frame in frames:
            if isinstance(frame, tuple) and frame[0] == "delta" and len(text) <= MAX_REREAD:
                text += frame[1]
                risk = assess(text, query.cwd, query.shell)
                half = set(risk.kinds) <= {"unread"}
                now = ("low", "") if half else (risk.level, one_line(", ".join(risk.reasons)))
                if now != told:
                    told = now
                    yield ("sofar", *now)
            yield frame
