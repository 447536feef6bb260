"""Models that answer as their text says, with known faults: what `bench.hybrid` asks beside the embedded engine."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from dataclasses import dataclass, field
from hashlib import blake2b

from terma.chat import ChatEvent, ChatRequest, Finish, ModelSpec, TextDelta

FIRST_WORD = 0.03  # seconds until a scripted model speaks: far less than any real one
PROSE = (
    "You can use {program} for that, with some of its options.",
    "use the {program} command and tell it which files you mean",
    "I would open a terminal and look at the manual page of {program} first.",
)
INVENTED = ("--do-what-was-asked", "--quickly-and-safely", "--for-all-of-them")


@dataclass(frozen=True)
class Line:
    """A sentence with the commands that answer it."""

    nl: str
    refs: tuple[str, ...]


@dataclass
class Scripted:
    """A model of known faults. `shares` are per cent: right, prose, invented options, empty; the rest is another
    sentence's command."""

    name: str
    shares: tuple[int, int, int, int]
    lines: dict[str, Line] = field(repr=False)
    small: bool = False
    asked: bool = False  # since whoever measures last looked

    def answer(self, words: str) -> str:
        """What it says to a sentence, always the same."""
        line = self.lines[words]
        mark = int.from_bytes(blake2b(f"{self.name} {words}".encode(), digest_size=4).digest())
        right = line.refs[0] if line.refs else "# no command does that"
        program, _, rest = right.partition(" ")
        kinds = [right, PROSE[mark % 3].format(program=program), f"{program} {INVENTED[mark % 3]} {rest}", ""]
        at = (mark >> 8) % 100
        for share, said in zip(self.shares, kinds, strict=True):
            if at < share:
                return said
            at -= share
        others = [other.refs[0] for other in self.lines.values() if other.refs and other.nl != words]
        return others[mark % len(others)]

    async def chat(self, request: ChatRequest) -> AsyncGenerator[ChatEvent, None]:
        self.asked = True
        await asyncio.sleep(FIRST_WORD)
        asked = request.messages[1].content
        yield TextDelta(self.answer(asked.rpartition("Words: ")[2]))
        yield Finish()

    def preload(self, spec: ModelSpec) -> None:
        """Nothing waits."""

    async def close(self) -> None:
        """Nothing is open."""


def all_of(lines: list[Line]) -> list[Scripted]:
    """Models from next to useless to strong."""
    known = {line.nl: line for line in lines}
    return [
        Scripted("tiny", (5, 45, 30, 10), known, small=True),
        Scripted("tiny, unmarked", (5, 45, 30, 10), known),
        Scripted("weak, unmarked", (20, 30, 30, 20), known),
        Scripted("plausible, unmarked", (20, 20, 20, 10), known),  # 30: commands for something else
        Scripted("middling", (60, 15, 15, 10), known),
        Scripted("good", (95, 1, 1, 1), known),
    ]
