"""Watches what a shell runs after a suggestion: it tells its last command with every ask, and its history the rest."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import field, replace
from typing import cast

from terma.agent.learned import Learned, folded, has_secrets
from terma.agent.unsettled import Shown, Unsettled
from terma.context.history import since
from terma.context.history.since import Mark
from terma.records import dataclass
from terma.types import Delta, Event, Final, Provider, Query, WhyEvent, WhyQuery

MAX_HISTORY = 200  # of the newest commands, by which those since are told
EMBEDDED = "offline"
LIKE = 0.6  # of two commands of one program: one is the other, changed
PATIENCE = 0.25  # seconds for the history files of what was shown; a disk may hang


@dataclass(frozen=True, slots=True)
class Look:
    """At history files: the end of the asking shell's, and what was added to each since it ended at a mark."""

    end: Mark | None = None
    added: Mapping[Mark, tuple[str, ...] | None] = field(default_factory=dict)


class Learning:
    """One for an agent. Nothing is kept of a shell that does not learn."""

    def __init__(self, learned: Learned | None = None, waiting: Unsettled | None = None) -> None:
        self.learned = learned or Learned()
        self._waiting = waiting or Unsettled()
        self._looking: asyncio.Task[Look] | None = None

    def watched(
        self, provider: Provider, shell: str, run: tuple[str, ...], end: Mark | None = None
    ) -> Provider:
        """`provider`, whose answers are ordered by what was learned, and waited for."""
        return cast(Provider, _Watched(provider, self, shell, run, end))

    async def look(self, histfile: str) -> Look:
        """What the history files tell by now; nothing where one of them takes too long."""
        if self._looking is not None and not self._looking.done():
            return Look()  # one thread at a time waits for a disk
        marks = {one.mark for _, shown in self._waiting.all() for one in shown if one.mark is not None}

        def seen() -> Look:
            return Look(since.mark(histfile), {mark: since.since(mark) for mark in marks})

        looking = self._looking = asyncio.ensure_future(asyncio.to_thread(seen))
        done, _ = await asyncio.wait([looking], timeout=PATIENCE)
        return looking.result() if done else Look()

    def close(self) -> None:
        """What is not known yet is kept for the next agent."""
        self._waiting.save(has_secrets)

    def showed(
        self, shell: str, run: tuple[str, ...], query: Query, command: str, end: Mark | None = None
    ) -> None:
        """`command` stands on the line of `shell`, which ran `run` (command, status, duration) last, and whose history
        file ended at `end`."""
        waiting = self._waiting.of(shell)
        if query.attempt and waiting and waiting[-1].words == query.words:
            waiting[-1].commands.append(command)
            return
        shown = Shown(query.words, run, query.history[-MAX_HISTORY:], [command], end)
        self._waiting.keep(shell, [*waiting, shown])

    def ran(
        self,
        shell: str,
        run: tuple[str, ...],
        history: Sequence[str] = (),
        words: str = "",
        look: Look | None = None,
    ) -> None:
        """`shell` asks again, for `words`, and tells what it ran: what was shown before is settled by that. What other
        shells were shown is settled where the histories tell of it."""
        added = look.added if look is not None else {}
        for other, shown in self._waiting.all():
            if other != shell:
                self._waiting.keep(other, [one for one in shown if not self._elsewhere(other, one, added)])
        left = []
        for one in self._waiting.of(shell):
            told = added.get(one.mark) if one.mark is not None else None
            commands = list(_since(_from(history, one.history), one.history) if told is None else told)
            is_told = run == one.ran_before or run[0] in commands or list(history[-1:]) == [run[0]]
            if run != one.ran_before and run[0]:
                commands.append(run[0])
            if not self._settled(one, commands, words, is_told):
                left.append(one)
        self._waiting.keep(shell, left)

    def _settled(self, shown: Shown, ran: Sequence[str], words: str, is_told: bool) -> bool:
        """Whether it is known what became of it. `is_told`: `ran` is all that was run. A shell that writes its history
        when it ends, as bash and zsh do by themselves, tells of its last command alone."""
        if self._taken(shown, ran):
            return True
        if words != shown.words or not is_told:
            return False
        self.learned.undone(shown.words, shown.commands[-1])  # asked anew, and nothing like it was run
        return True

    def _elsewhere(self, shell: str, shown: Shown, added: Mapping[Mark, tuple[str, ...] | None]) -> bool:
        """Whether it is known what became of what another shell was shown, or never will be: one that ended has written
        its history. Other shells may share that, so what is not in it was not taken back."""
        ran = (added.get(shown.mark) if shown.mark is not None else None) or ()
        if _ended(shell):
            return self._taken(shown, ran) or shown.mark in added or shown.mark is None
        return self._taken(shown, ran, changed=False)

    def _taken(self, shown: Shown, ran: Sequence[str], *, changed: bool = True) -> bool:
        """Whether it was run, as it was shown or `changed`: then that is learned."""
        if shown.when < self.learned.forgotten:
            return True
        plain = {folded(command): command for command in shown.commands}
        for command in reversed(ran):
            if folded(command) in plain:
                self.learned.accepted(shown.words, plain[folded(command)])
                return True
        last = shown.commands[-1]
        other = next((one for one in reversed(ran) if _is_changed(last, one)), "") if changed else ""
        if other:
            self.learned.changed(shown.words, last, other)
        return bool(other)


def _ended(shell: str) -> bool:
    """Whether the process of a shell, its name and process id, is gone."""
    pid = shell.rpartition(" ")[2]
    if not pid.isdigit():
        return False
    try:
        os.kill(int(pid), 0)
    except (ProcessLookupError, OverflowError):
        return True
    except PermissionError:
        return True  # somebody else's by now
    return False


class _Watched:
    """A provider whose candidates are ordered, where it is the embedded one, and whose answer is waited for."""

    def __init__(
        self, inner: Provider, learning: Learning, shell: str, run: tuple[str, ...], end: Mark | None
    ) -> None:
        self._inner, self._learning, self._shell, self._run, self._end = inner, learning, shell, run, end

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
                self._learning.showed(self._shell, self._run, query, first, self._end)
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
    from difflib import SequenceMatcher  # no first question needs it

    first, other = shown.split(maxsplit=1)[:1], ran.split(maxsplit=1)[:1]
    return bool(first) and first == other and SequenceMatcher(None, shown, ran).ratio() >= LIKE
