"""What the router is told and what it answers; how weights become a decision."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping
from dataclasses import field
from typing import Literal, NamedTuple

from terma.records import dataclass

Kind = Literal["command", "prompt"]
UNSURE = 1.1  # the sum of weights, either way, under which somebody should be asked: about 3 to 1


class Signal(NamedTuple):
    """One piece of evidence. `name` is "prefix", "dictionary", "question" or "structure"; `weight` is in log-odds,
    above 0 for a command and below for a prompt; `why` is a short phrase for people. `either`: whatever
    the weights say, it could be meant otherwise: a lone word, or one that is spelt as no program."""

    name: str
    weight: float
    why: str
    either: bool = False


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of the shell in which the line would run.

    `path` is its PATH, `shell` its name ("bash", "zsh", "fish"), `aliases` maps names to their text, `functions` are
    names. `cwd` is an absolute directory, "" when unknown: then no file counts as being there."""

    path: str
    shell: str = "bash"
    aliases: Mapping[str, str] = field(default_factory=dict)
    functions: Collection[str] = ()
    cwd: str = ""


@dataclass(frozen=True, slots=True)
class Route:
    """The decision. `score` is the certainty of `kind`, from 0.5 (a coin) to 1; `unsure` asks the person."""

    kind: Kind
    score: float
    unsure: bool
    signals: tuple[Signal, ...]


def weigh(signals: Iterable[Signal]) -> Route:
    """The decision that the weights add up to; a draw is a prompt, because a prompt runs nothing."""
    found = tuple(signal for signal in signals if signal.weight)
    total = sum(signal.weight for signal in found)
    certainty = 1 / (1 + math.exp(-min(abs(total), 30.0)))
    return Route("command" if total > 0 else "prompt", certainty, abs(total) < UNSURE, found)
