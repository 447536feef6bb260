"""What a person ran by themselves since their last question, as a model is told of it: no failure is forgotten."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from terma.chat import PastCommand
from terma.dialogue import Ran
from terma.output import digest
from terma.redact import whole

TOLD = 6_000  # characters that a model is told of one command
MAX_CHARACTERS = 20_000  # characters of all of them
_SHORT = 300  # characters of one that is told in short
SUCCESSES = 5  # that are kept, the latest
FACTS = (
    200  # commands that are kept as facts, whatever they say; of what is over that the oldest successes go
)
MAX_OUTPUTS = (
    20_000  # characters that these printed, all of them; of what is over that the oldest successes' go first
)
_SAY_LITTLE = frozenset(
    "ls ll la l pwd clear cd pushd popd dirs true history exit fg bg jobs tput reset".split()
)


class Taken(NamedTuple):
    """What ran, the oldest first: `texts` for a model, `commands` as facts, those among them that say little too."""

    texts: Sequence[str]
    commands: Sequence[PastCommand]


class Remembered:
    """`add` what ran; `take` it, and begin anew."""

    def __init__(self) -> None:
        self._ran: list[tuple[bool, str]] = []  # whether it failed, and what is told
        self._facts: list[PastCommand] = []

    def add(self, ran: Ran) -> None:
        failed = ran.status != 0
        status = -1 if ran.status is None else ran.status
        self._fact(PastCommand(ran.command, status, _output(ran), round(ran.seconds, 1)))
        if not failed and not _says_something(ran.command):
            return
        self._ran.append((failed, _told(ran)))
        while self._over(sum(not bad for bad, _ in self._ran) > SUCCESSES):
            self._less()

    def _fact(self, made: PastCommand) -> None:
        self._facts.append(made)
        while sum(len(one.output or "") for one in self._facts) > MAX_OUTPUTS:
            self._less_output()
        if len(self._facts) > FACTS:
            success = next((n for n, one in enumerate(self._facts) if one.status == 0), 0)
            del self._facts[success]

    def _less_output(self) -> None:
        """What the oldest success printed goes; where only failures have printed, the oldest long one is shortened."""
        printed = [(n, one) for n, one in enumerate(self._facts) if one.output]
        at, oldest = next(((n, one) for n, one in printed if one.status == 0), printed[0])
        if oldest.status == 0:
            self._facts[at] = replace(oldest, output=None)
            return
        at, long = next(((n, one) for n, one in printed if len(one.output or "") > _SHORT), (at, oldest))
        text = long.output or ""
        short = digest(text, _SHORT, _SHORT // 2, _SHORT // 4)[:_SHORT] if len(text) > _SHORT else None
        self._facts[at] = replace(long, output=short)

    def _less(self) -> None:
        """The oldest success goes; where all are failures, the oldest long one is told in short."""
        success = next((n for n, (bad, _) in enumerate(self._ran) if not bad), -1)
        long = next((n for n, (_, text) in enumerate(self._ran) if len(text) > _SHORT), 0)
        if success < 0 and len(text := self._ran[long][1]) > _SHORT:
            self._ran[long] = (True, digest(text, _SHORT, _SHORT // 2, _SHORT // 4)[:_SHORT])
        else:
            del self._ran[max(success, 0)]

    def take(self) -> Taken:
        texts = [text for _, text in self._ran]
        if self._facts and (newest := self._facts[-1]).status == 0 and not _says_something(newest.command):
            texts.append(
                f"The person ran last: {newest.command}\nexit status 0"
            )  # else another one would be the last
        taken = Taken(texts, tuple(self._facts))
        self._ran = []
        self._facts.clear()
        return taken

    def _over(self, many: bool) -> bool:
        return many or sum(len(text) for _, text in self._ran) > MAX_CHARACTERS


def _says_something(command: str) -> bool:
    """Whether a success of it is worth telling: `ls` and `pwd` alone are looked at and forgotten."""
    words = command.split()
    return bool(words) and words[0] not in _SAY_LITTLE


def _told(ran: Ran) -> str:
    """What a model is told of a command that the person ran by themselves."""
    how = f"exit status {ran.status}" if ran.status is not None else f"ended by {ran.ended_by}"
    return f"The person ran: {ran.command}\n{how}\n{_output(ran) or '(it printed nothing)'}"


def _output(ran: Ran) -> str:
    """What it printed, without secrets, in at most TOLD characters."""
    output = whole(ran.output.strip("\n"), TOLD)
    return digest(output, TOLD, TOLD // 4, TOLD // 2) if len(output) > TOLD else output
