"""Watches what a shell runs after a suggestion: it tells its last command with every ask, and its history the rest."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import AsyncIterator, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher
from typing import cast

from terma.agent.learned import Learned, folded
from terma.types import Delta, Event, Final, Provider, Query, WhyEvent, WhyQuery

MAX_SHELLS = 50
MAX_HISTORY = 200  # of the newest commands, by which those since are told
MAX_WAITING = 8  # suggestions of one shell that were not run yet
EMBEDDED = "offline"
LIKE = 0.6  # of two commands of one program: one is the other, changed


@dataclass(slots=True)
class _Shown:
    """A suggestion that stood on a line: its commands in the order in which they stood there."""

    words: str
    ran_before: tuple[str, ...]
    history: tuple[str, ...]  # its newest end
    commands: list[str] = field(default_factory=list)


class Learning:
    """One for an agent. Nothing is kept of a shell that does not learn."""

    def __init__(self, learned: Learned | None = None) -> None:
        self.learned = learned or Learned()
        self._waiting: OrderedDict[str, list[_Shown]] = OrderedDict()

    def watched(self, provider: Provider, shell: str, run: tuple[str, ...]) -> Provider:
        """`provider`, whose answers are ordered by what was learned, and waited for."""
        return cast(Provider, _Watched(provider, self, shell, run))

    def showed(self, shell: str, run: tuple[str, ...], query: Query, command: str) -> None:
        """`command` stands on the line of `shell`, which ran `run` (command, status, duration) last."""
        waiting = self._waiting.setdefault(shell, [])
        self._waiting.move_to_end(shell)
        while len(self._waiting) > MAX_SHELLS:
            self._waiting.popitem(last=False)
        if query.attempt and waiting and waiting[-1].words == query.words:
            waiting[-1].commands.append(command)
            return
        waiting.append(_Shown(query.words, run, query.history[-MAX_HISTORY:], [command]))
        del waiting[:-MAX_WAITING]

    def ran(self, shell: str, run: tuple[str, ...], history: Sequence[str] = (), words: str = "") -> None:
        """`shell` asks again, for `words`, and tells what it ran: what was shown before is settled by that."""
        waiting = self._waiting.get(shell)
        if not waiting:
            return
        left = []
        for shown in waiting:
            commands = list(_since(_from(history, shown.history), shown.history))
            is_told = bool(commands) or run == shown.ran_before or list(history[-1:]) == [run[0]]
            if run != shown.ran_before and run[0]:
                commands.append(run[0])
            if not self._settled(shown, commands, words, is_told):
                left.append(shown)
        self._waiting[shell] = left

    def _settled(self, shown: _Shown, ran: Sequence[str], words: str, is_told: bool) -> bool:
        """Whether it is known what became of it, or never will be. `is_told`: `ran` is all that was run. A shell that
        writes its history when it ends, as bash and zsh do by themselves, tells of its last command alone."""
        plain = {folded(command): command for command in shown.commands}
        for command in reversed(ran):
            if folded(command) in plain:
                self.learned.accepted(shown.words, plain[folded(command)])
                return True
        last = shown.commands[-1]
        for command in reversed(ran):
            if _is_changed(last, command):
                self.learned.changed(shown.words, last, command)
                return True
        if words != shown.words:
            return False
        if is_told:  # asked anew, and nothing like it was run
            self.learned.undone(shown.words, last)
        return True


class _Watched:
    """A provider whose candidates are ordered, where it is the embedded one, and whose answer is waited for."""

    def __init__(self, inner: Provider, learning: Learning, shell: str, run: tuple[str, ...]) -> None:
        self._inner, self._learning, self._shell, self._run = inner, learning, shell, run

    @property
    def name(self) -> str:
        return self._inner.name

    @property
    def local(self) -> bool:
        return self._inner.local

    @property
    def notes(self) -> Sequence[str]:
        return cast(Sequence[str], getattr(self._inner, "notes", ()))

    async def translate(self, query: Query) -> AsyncIterator[Event]:
        async with aclosing(self._inner.translate(query)) as events:  # type: ignore[type-var]
            async for event in events:
                embedded = self._inner.name == EMBEDDED
                if isinstance(event, Delta) and embedded:
                    continue  # which one stands first is known at the end, which comes at once
                if not isinstance(event, Final) or not event.candidates:
                    yield event
                    continue
                final = self._ordered(event, query) if embedded else event
                first = final.candidates[0].command
                self._learning.showed(self._shell, self._run, query, first)
                if embedded:
                    yield Delta(first)
                yield final

    def _ordered(self, final: Final, query: Query) -> Final:
        """The engine's answer turns through its candidates; so does the learned order."""
        back = len(final.candidates) - final.index
        best = (*final.candidates[back:], *final.candidates[:back])
        ordered = self._learning.learned.prefer(query.words, best)
        if (
            ordered[0].command != best[0].command and best[0].note
        ):  # what is to be known of the answer as such
            note = " · ".join(filter(None, (ordered[0].note, best[0].note)))
            ordered = (replace(ordered[0], note=note), *ordered[1:])
        return Final((*ordered[final.index :], *ordered[: final.index]), final.index, final.total)

    def explain(self, query: WhyQuery) -> AsyncIterator[WhyEvent]:
        return self._inner.explain(query)


def _from(history: Sequence[str], before: Sequence[str]) -> Sequence[str]:
    """The part of a history that is not older than what `before` remembers of it."""
    known = set(before)
    at = next((number for number, command in enumerate(history) if command in known), len(history))
    return history[at:]


def _since(history: Sequence[str], before: Sequence[str]) -> Sequence[str]:
    """What was run since the history was as `before`, as far as it tells: each command stands once, where it was last
    used, so what was not run again stays in its order, and in front of all that was."""
    old = iter(before)
    for at, command in enumerate(history):
        if command not in old:  # goes on to where it stands
            return history[at:]
    return ()


def _is_changed(shown: str, ran: str) -> bool:
    """Whether a person made the one out of the other: the same program, and most of it."""
    first, other = shown.split(maxsplit=1)[:1], ran.split(maxsplit=1)[:1]
    return bool(first) and first == other and SequenceMatcher(None, shown, ran).ratio() >= LIKE
