"""Who answers a sentence next, the embedded engine or the model beside it, and what is said where one stands in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from terma.suggest.model_call import Lead, Offers
from terma.types import ENGINE, Candidate, Problem

SURE = 0.95  # share of right answers from which the engine is as good as a strong model, and at once
MOST_SAID = 100  # code points of a model's own words on a state line


@dataclass(slots=True)
class Sentence:
    """What was answered to one sentence so far, and what the embedded engine has for it."""

    answers: list[Candidate] = field(default_factory=list)
    offers: Offers = field(default_factory=Offers)
    shown: bool = False  # the engine's answer, while the model was silent

    @property
    def left(self) -> list[Candidate]:
        """What the engine would insert and has not answered yet."""
        given = {plain(answer.command) for answer in self.answers}
        return [one for one in self.offers.sure if plain(one.command) not in given]

    def engine_next(self, lead: Lead, small: bool, believed: float = 1.0) -> bool:
        """Whether the next answer is the engine's. The first is that of who leads, the second the other's; after them
        the engine goes on where it led, and the model is asked for other ways. `believed`: how likely a command of the
        model's is right."""
        if not self.left:
            return False
        if not self.answers:
            return lead == "engine" or (
                lead == "auto" and (small or self.offers.sure[0].score >= min(SURE, believed))
            )
        led = self.answers[0].by == ENGINE
        return not led if len(self.answers) == 1 else led


@dataclass(frozen=True, slots=True)
class Said:
    """What a model answered: a command with what is not so of it here, or none; and in a few words what speaks for
    another answer, "" when nothing does."""

    command: str = ""
    problems: tuple[Problem, ...] = ()
    fault: str = ""
    refusal: str = ""
    checked: bool = True  # whether it could be held against this machine

    def candidate(self) -> Candidate:
        """The command as it is offered, marked with what is not so here."""
        return Candidate(self.command, 1.0, "", note=", ".join(each.text for each in self.problems))


def plain(command: str) -> str:
    """A command to compare with others."""
    return " ".join(command.split())


def by_engine(candidate: Candidate, note: str = "") -> Candidate:
    """The engine's candidate among a model's answers: named, with what is to be said of it."""
    said = " · ".join(filter(None, (note, candidate.note)))
    return replace(candidate, by=ENGINE, note=said)


def fault_of(name: str, problems: Sequence[Problem]) -> str:
    """Why a command is not worth its place: it names what nothing on this machine knows."""
    wrong = next((each for each in problems if each.kind == "invented"), None)
    return f"{name} invented something: {wrong.text}" if wrong else ""


def weight(problems: Sequence[Problem]) -> tuple[int, int]:
    """How much is wrong, to compare: programs, subcommands and options first, since a file may yet come to be."""
    return sum(each.kind != "file" for each in problems), len(problems)


def _file(problem: Problem) -> str:
    return problem.text.rpartition(": ")[2]


def may_be_better(problems: Sequence[Problem], words: str, others_here: bool) -> bool:
    """Whether a model should be asked again for what is wrong here. A program that only has to be installed is a right
    answer: another is asked for where one that is here could do it, and the person did not name this one. A file that
    the person named is theirs, whether it is there or not."""
    said = set(words.lower().split())
    problems = [each for each in problems if not (each.kind == "file" and _file(each) in words)]
    absent = [each for each in problems if each.kind == "absent"]
    if not problems:
        return False
    if len(absent) < len(problems):
        return True
    return others_here and not all(each.program.lower() in said for each in absent)
