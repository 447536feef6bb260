"""The commands in the last answer of a conversation, for the empty prompt of the shell that asked: in memory alone."""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping
from contextlib import aclosing

from terma.agent.explaining import absolute, number
from terma.agent.remembering import shell_id
from terma.conversation.asker import shell_named
from terma.errors import UnknownAnswer, UsageError
from terma.suggest.translate import MAX_COMMAND, Frame, translate
from terma.suggest.why import Assess
from terma.types import Candidate, Delta, Event, Final, Query, Raw

Fields = Mapping[str, str]
Replies = AsyncGenerator[Frame | Raw, None]
MAX_SHELLS = 64
MAX_CODES = 20  # of one answer
NO_CODE = ("the last answer has no command", "type what you want, then press the key")


class Answered:
    """The ask `answered` brings them, and `fix` with the field `answered=1` asks for them; every other `fix` is that of
    `fix`."""

    name = "the answer's code"

    def __init__(self, fix: Callable[[Fields], Replies], assess: Assess) -> None:
        self._fix = fix
        self._assess = assess
        self._codes: OrderedDict[str, tuple[str, ...]] = OrderedDict()

    async def keep(self, fields: Fields) -> Replies:
        """`asker` is the shell (terma.conversation.asker), `codes` a JSON list of commands. Raises UsageError."""
        try:
            told = json.loads(fields.get("codes") or "[]")
        except (ValueError, RecursionError):
            told = None
        if not isinstance(told, list) or not all(isinstance(one, str) for one in told):
            raise UsageError("codes is not a JSON list of texts")
        fits = tuple(one for one in told[:MAX_CODES] if one.strip() and len(one) <= MAX_COMMAND)
        if asker := fields.get("asker", ""):
            self._codes[asker] = fits
            self._codes.move_to_end(asker)
            while len(self._codes) > MAX_SHELLS:
                self._codes.popitem(last=False)
        yield ("done", "json", json.dumps({"kept": len(fits)}))

    async def fix(self, fields: Fields) -> Replies:
        """The frames of `translate` with the codes of this shell's last answer, one a press; without any what mends the
        failure before it. Raises UnknownAnswer where there is neither."""
        codes = self._codes.get(shell_named(shell_id(fields)[1]), ()) if fields.get("answered") else ()
        if not codes:
            if fields.get("answered") and number(fields, "status", 0) == 0:
                raise UnknownAnswer(*NO_CODE)
            async with aclosing(self._fix(fields)) as others:
                async for frame in others:
                    yield frame
            return
        query = Query(
            words="",
            shell=fields.get("shell", "bash"),
            cwd=absolute(fields.get("cwd", "")),
            attempt=number(fields, "attempt", 0),
        )
        async with aclosing(translate(query, _Codes(self.name, codes), self._assess)) as frames:
            async for frame in frames:
                if frame != ("note", f"{self.name} · thinking"):
                    yield frame


class _Codes:
    """Told as a provider tells candidates: so they pass the border that every command passes."""

    def __init__(self, name: str, codes: tuple[str, ...]) -> None:
        self.name = name
        self._codes = codes

    async def translate(self, query: Query) -> AsyncIterator[Event]:
        index = query.attempt % len(self._codes)
        candidates = [Candidate(code, 1.0, self.name) for code in self._codes]
        yield Delta(candidates[index].command)
        yield Final((*candidates[index:], *candidates[:index]), index, len(candidates))
