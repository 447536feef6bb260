"""An engine that says what a test wrote down, with exact pieces and exact timing.

`$TERMA_SCRIPT` names a JSON file: a list of rules, the first whose `match` stands in the sentence answers.

    [{"match": "words or empty", "steps": [STEP, …], "candidates": ["the second answer", …]},
     {"why": "part of the command or the question, or empty", "steps": [STEP, …], "fixes": ["command", …]}]

A fix may also be ["command", confidence]. A STEP is one of: {"delta": "text"}, {"note": "text"}, {"wait": seconds},
{"until": "a file"} waits until the file is there, {"raw": "bytes as \\u00XX"} written to the socket as they are,
{"hang": true}, {"crash": true} ends the agent, {"disconnect": true} drops the connection,
{"error": [code, message, hint]}, {"unsure": ["command", ["word", …]]} is sure of nothing and has that near. The deltas
joined are the first answer. The file of rules is read again when it changes.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from terma.errors import ProviderError, UnknownAnswer, UnsureAnswer
from terma.types import (
    Candidate,
    Delta,
    Event,
    Explained,
    Final,
    Fix,
    Note,
    Placeholder,
    Query,
    Raw,
    WhyQuery,
)

_SLOT = re.compile(r"\{([a-z_]+)\}")
Rule = dict[str, Any]


class ScriptedProvider:
    """Plays the rule that fits the sentence; attempt N > 0 answers the rule's N-th further candidate."""

    name = "scripted"
    local = True

    def __init__(self) -> None:
        self._stamp: tuple[str, int, int] | None = None
        self._rules: list[Rule] = []

    def _read(self) -> list[Rule]:
        path = Path(os.environ.get("TERMA_SCRIPT", ""))
        try:
            info = path.stat()
            stamp = (str(path), info.st_mtime_ns, info.st_ino)
            if stamp != self._stamp:
                self._rules = json.loads(path.read_text(encoding="utf-8"))
                self._stamp = stamp
        except (OSError, ValueError) as error:
            raise ProviderError(
                f"the script cannot be read: {error}", "TERMA_SCRIPT names a JSON file"
            ) from error
        return self._rules

    async def translate(self, query: Query) -> AsyncIterator[Event]:
        """Raises UnknownAnswer when no rule fits, ConnectionAbortedError on a `disconnect` step."""
        rule = self._rule("match", query.words)
        steps: list[dict[str, Any]] = rule.get("steps", [])
        answers = ["".join(step.get("delta", "") for step in steps), *rule.get("candidates", [])]
        index = query.attempt % len(answers)
        if index:
            steps = [{"delta": answers[index]}]
        for step in steps:
            event = await self._play(step)
            if event is not None:
                yield event
        ordered = answers[index:] + answers[:index]
        yield Final(tuple(map(_candidate, ordered)), index, len(answers))

    async def explain(self, query: WhyQuery) -> AsyncIterator[Delta | Note | Explained | Raw]:
        """Plays the first rule whose `why` stands in the command or the question; raises as translate."""
        rule = self._rule("why", f"{query.command}\n{query.question}")
        for step in rule.get("steps", []):
            event = await self._play(step)
            if event is not None:
                yield event
        fixes = [[fix] if isinstance(fix, str) else fix for fix in rule.get("fixes", [])]
        yield Explained(tuple(Fix(*fix) for fix in fixes))

    def _rule(self, key: str, words: str) -> Rule:
        other = "why" if key == "match" else "match"
        for rule in self._read():
            if other not in rule and rule.get(key, "") in words:
                return rule
        raise UnknownAnswer("scripted does not know that", "add a rule to the file that TERMA_SCRIPT names")

    async def _play(self, step: dict[str, Any]) -> Delta | Note | Raw | None:
        match step:
            case {"delta": str(text)}:
                return Delta(text)
            case {"note": str(text)}:
                return Note(text)
            case {"raw": str(text)}:
                return Raw(text.encode("latin-1"))
            case {"wait": seconds}:
                await asyncio.sleep(seconds)
            case {"until": path}:
                while not os.path.exists(path):  # noqa: ASYNC110, ASYNC240, PTH110 - a file has no event
                    await asyncio.sleep(0.005)
            case {"hang": _}:
                await asyncio.Event().wait()
            case {"crash": _}:
                os._exit(70)
            case {"disconnect": _}:
                raise ConnectionAbortedError
            case {"error": [code, message, hint]}:
                failure = ProviderError(message, hint)
                failure.code = code
                raise failure
            case {"unsure": [str(nearest), list(words)]}:
                raise UnsureAnswer("not sure", f"nearest: {nearest}", nearest=nearest, unknown=tuple(words))
        return None


def _candidate(command: str) -> Candidate:
    slots = tuple(Placeholder(match[1], *match.span()) for match in _SLOT.finditer(command))
    return Candidate(command, 1.0, "script", slots)


PLUGIN = ScriptedProvider()
