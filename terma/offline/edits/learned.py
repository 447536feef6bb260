"""What a change in words needs of the engine: how it reads a sentence, and what words ask for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from terma.offline.cases.flags import Flag
from terma.types import Candidate

Read = tuple[Sequence[Candidate], Sequence[Candidate]]


def _nothing(_: str) -> Read:
    return (), ()


def _none(_: str) -> Sequence[Flag]:
    return ()


@dataclass(frozen=True, slots=True)
class Learned:
    """`is_ordinary`: whether people say a word without naming anything by it. `reads`: what the engine would insert for
    a sentence, and what else it has, best first. `flags`: of a program, with its subcommand, the options that words
    ask for."""

    is_ordinary: Callable[[str], bool]
    reads: Callable[[str], Read] = _nothing
    flags: Callable[[str], Sequence[Flag]] = _none


__all__ = ["Learned", "Read"]
