"""Whether the screen shows what is claimed of it, and not merely what was typed there or stood there before."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from terma.vision.lines import logical_line, wraps
from terma.vision.strategy import Decided
from terma.vision.types import Line, TerminalState, Text

_SPACES = re.compile(r"\s+")
_SHORT = 4  # letters and digits
_MOST = 500  # screens of a run that are remembered


@dataclass
class Sightings:
    """The screens of one run, in order, each with whether a line that was entered (or nothing at all) brought it.

    What keys alone bring to the screen was there before: a line of the history, what stood behind a pager, another
    window. So it proves nothing, however new it is on the screen."""

    _screens: list[tuple[bool, TerminalState]] = field(default_factory=list)

    def add(self, state: TerminalState, *, entered: bool) -> None:
        """`entered`: the last keys that were sent entered a line, or none were sent yet."""
        if self._screens and self._screens[-1] == (entered, state):
            return
        self._screens.append((entered, state))
        if len(self._screens) > _MOST:
            del self._screens[1]  # the first one stays: it is what stood there when all began

    def new(self, evidence: str, now: TerminalState, typed: Sequence[Decided] = ()) -> bool:
        """Whether `evidence` stands there `now`, and came by what was entered since the run began: not with a prompt,
        which comes behind every command, where one told it before."""
        waiting = [(entered, _prompt(state)) for entered, state in self._screens if state.prompt]
        before = [prompt for entered, prompt in waiting if not entered] + [one for _, one in waiting[:1]]
        told = any(_expression(_plain(evidence)).search(prompt) for prompt in before)
        prompts = frozenset(prompt for _, prompt in waiting if told and prompt)
        found = [(entered, count(evidence, state, typed, prompts)) for entered, state in self._screens]
        old, came = found[0][1] if found else 0, False
        for entered, many in found[1:]:
            came = came or (entered and many > old)
            old = old if entered else max(old, many)
        return came and shown(evidence, now, typed)


def count(
    evidence: str,
    state: TerminalState,
    typed: Sequence[Decided] = (),
    prompts: frozenset[str] = frozenset(),
) -> int:
    """How often `evidence` stands on the screen, as `shown` looks for it; `prompts` are left out of it."""
    wanted = _plain(evidence)
    if not any(character.isalnum() for character in wanted):
        return 0
    found = _expression(wanted)
    text = "\n".join(_unprompted(_without(_plain(line), _echoes(typed)), prompts) for line in _lines(state))
    return max(len(found.findall(text)), len(found.findall(_plain(text))))


def told_by_typing(evidence: str, typed: Sequence[Decided]) -> bool:
    """Whether `evidence` is a piece of what was typed: a program that fails says it too ("cannot start NAME")."""
    wanted = _expression(_plain(evidence))
    return any(wanted.search(echo) for echo in _echoes(typed))


def _expression(wanted: str) -> re.Pattern[str]:
    """What finds it: a short one as words of their own, since nearly every word holds an `e`."""
    short = sum(map(str.isalnum, wanted)) < _SHORT
    return re.compile(rf"(?<!\w){re.escape(wanted)}(?!\w)" if short else re.escape(wanted))


def _echoes(typed: Sequence[Decided]) -> set[str]:
    return {_plain(one.text) for one in typed if isinstance(one, Line | Text) and one.text.strip()}


def _prompt(state: TerminalState) -> str:
    return _plain(logical_line(state))


def _unprompted(line: str, prompts: frozenset[str]) -> str:
    longest = max((one for one in prompts if line.startswith(one)), key=len, default="")
    return line[len(longest) :]


def shown(evidence: str, state: TerminalState, typed: Sequence[Decided] = ()) -> bool:
    """Whether `evidence` stands on the screen, outside the lines that were typed: `echo done` does not show that
    anything is done. Spaces count as one; a claim without a letter or digit is none."""
    return count(evidence, state, typed) > 0


def _without(line: str, echoes: set[str]) -> str:
    """`line` without a command that was typed at its end."""
    for echo in sorted(echoes, key=len, reverse=True):
        if line.endswith(echo):
            before = line[: -len(echo)]
            if not before or before[-1] in " $#%>❯»:":
                return before
    return line


def _lines(state: TerminalState) -> list[str]:
    """The rows, wrapped ones joined."""
    lines: list[str] = []
    wrapped = False
    for row in state.rows:
        if wrapped:
            lines[-1] = lines[-1].ljust(-(-len(lines[-1]) // state.columns) * state.columns) + row
        else:
            lines.append(row)
        wrapped = wraps(row, state.columns)
    return lines


def _plain(text: str) -> str:
    return _SPACES.sub(" ", text).strip()
