"""Ctrl+T in terma's own prompt, as in the shell: a sentence becomes a command, again the next; on the empty prompt the
last answer's code or the fix of what failed last. Nothing runs: it stands on the line, to be read and entered.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass

from terma.errors import TermaError
from terma.text import one_line, sanitize

Ask = Callable[[str, Mapping[str, str]], AsyncGenerator[tuple[str, ...], None]]
MAX_OUTPUT = 16_000  # characters of a failed command's output that an engine is handed
NOTHING = "nothing failed here, and no answer has a command: type what you want, then Ctrl+T"


@dataclass(frozen=True, slots=True)
class Failure:
    """A command that the person ran here, and how it went."""

    command: str
    status: int
    output: str
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Newest:
    """What the empty prompt's Ctrl+T is about: the code of an answer, else a failure, whichever came last."""

    codes: Sequence[str] = ()
    failure: Failure | None = None


@dataclass(frozen=True, slots=True)
class Put:
    """What stands on the line from now on, and a remark beside it. `text` None: the line stays."""

    text: str | None
    remark: str = ""


class Gesture:
    """`ask` asks the agent; `fields` are those of each request; `newest` says what the empty prompt is about."""

    def __init__(
        self, ask: Ask, fields: Callable[[], Mapping[str, str]], newest: Callable[[], Newest]
    ) -> None:
        self._ask = ask
        self._fields = fields
        self._newest = newest
        self._from = ""  # the sentence that became what stands there
        self._given = ""
        self._attempt = 0

    async def press(self, line: str) -> Put:
        """What the line becomes. Pressed again on what this gave, the next one. Raises nothing but CancelledError."""
        if line.strip() and line == self._given:
            self._attempt += 1
        else:
            self._from, self._attempt = line, 0
        try:
            put = await (self._translated() if self._from.strip() else self._offered())
        except TermaError as error:
            return Put(None, one_line(error.message, 200))
        self._given = put.text if put.text is not None else self._given
        return put

    async def _translated(self) -> Put:
        return await self._asked("translate", {"buffer": self._from.strip(), "displaced": "1"})

    async def _offered(self) -> Put:
        newest = self._newest()
        if newest.codes:
            at = self._attempt % len(newest.codes)
            return Put(newest.codes[at], f"the answer's {at + 1} of {len(newest.codes)}")
        failed = newest.failure
        if failed is None:
            return Put(None, NOTHING)
        return await self._asked(
            "fix",
            {
                "command": failed.command,
                "status": str(failed.status),
                "duration": str(int(failed.seconds)),
                "output": failed.output[-MAX_OUTPUT:],
            },
        )

    async def _asked(self, kind: str, more: Mapping[str, str]) -> Put:
        remark = ""
        fields = {**self._fields(), **more, "attempt": str(self._attempt)}
        async with aclosing(self._ask(kind, fields)) as frames:
            async for frame in frames:
                if frame[0] == "note" and len(frame) > 1:
                    remark = frame[1]
                if frame[:2] == ("done", "replace") and len(frame) > 2:
                    return Put(sanitize(frame[2]), remark)
        return Put(None, "that is a command already: Enter runs it, Ctrl+G asks the model instead")
