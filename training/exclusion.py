"""Learns the signs by which each program leaves something out: those that stand far oftener in the commands of
sentences that deny something than in the program's other commands."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable

from terma.offline.trust.command import simples
from terma.offline.trust.exclusion import signs
from terma.offline.trust.facts import Facts

OFTENER = math.log(3.0)  # how much oftener a sign must be beside a denial
SEEN = 2  # denials that a sign must stand beside
_DOUBT = 2.0  # commands as they are on the average that are added to what was seen of each sign

Counted = tuple[bool, frozenset[str], frozenset[str]]


def counted(facts: Facts, command: str) -> Counted:
    """(whether the sentence denies something, the command's signs, its programs with their subcommands)."""
    names = frozenset(f"{one.program} {one.sub}".strip() for one in simples(command))
    return bool(facts.denials), frozenset(sign for _, found in signs(command) for sign in found), names


def table(lines: Iterable[Counted]) -> str:
    """The signs of exclusion, one a line. The most telling is taken first, with all commands that have it: what only
    stands beside it (`find … ! -user`) tells nothing by itself."""
    seen = _Seen()
    rows = list(lines)
    having: dict[str, list[int]] = defaultdict(list)
    for at, (denies, found, names) in enumerate(rows):
        seen.add(denies, found, names, 1)
        for sign in found:
            having[sign].append(at)
            seen.programs[sign].update(names)
    chosen: list[str] = []
    candidates = {sign for sign, times in seen.beside[True].items() if times >= SEEN}
    gone: set[int] = set()
    while candidates:
        best = max(sorted(candidates), key=seen.gain)
        if seen.gain(best) <= 0:
            break
        chosen.append(best)
        candidates.remove(best)
        for at in having[best]:
            if at not in gone:
                gone.add(at)
                seen.add(*rows[at], -1)
    return "\n".join(sorted(chosen))


class _Seen:
    """How often each sign and program stood in commands of sentences that deny nothing, and that deny something."""

    def __init__(self) -> None:
        self.beside: tuple[Counter[str], Counter[str]] = (Counter(), Counter())
        self.programs: dict[str, set[str]] = defaultdict(set)
        self._runs: tuple[Counter[str], Counter[str]] = (Counter(), Counter())

    def add(self, denies: bool, found: frozenset[str], names: frozenset[str], times: int) -> None:
        for counts, keys in ((self.beside[denies], found), (self._runs[denies], names)):
            for key in keys:
                counts[key] += times

    def gain(self, sign: str) -> float:
        """How much the sign tells: times seen beside a denial by how much oftener that is than elsewhere; 0.0 for
        one that is too seldom or not oftener enough."""
        times, others = self.beside[True][sign], self.beside[False][sign]
        if times < SEEN:
            return 0.0
        programs = self.programs[sign] if sign[0] in "-~" else {self._program(sign)}
        without, within = (sum(self._runs[k][program] for program in programs) for k in (False, True))
        usual = _DOUBT * (times + others + 1) / (without + within + 4)
        lift = math.log(((times + usual) / (within + _DOUBT)) / ((others + usual) / (without + _DOUBT)))
        return times * lift if lift >= OFTENER else 0.0

    def _program(self, sign: str) -> str:
        """The program of a sign, with its subcommand where it has one."""
        words = sign.split(" ")
        both = " ".join(words[:2])
        return both if both in self._runs[True] or both in self._runs[False] else words[0]
