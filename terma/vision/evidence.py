"""Whether the screen shows what is claimed of it, and not merely what was typed there or stood there before."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from terma.vision.lines import logical_line, wraps
from terma.vision.strategy import Decided
from terma.vision.types import Keystroke, Line, TerminalState, Text

_SPACES = re.compile(r"\s+")
_QUOTES = re.compile(r"[\"'\\]")
_APART = re.compile(r"[\s=;|&<>]+")
_ABOUT = ".,:!?()[]{}"
_GAP = re.compile(r"\s{2,}(?=\S)")  # between a line that was typed and a prompt at the right
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
    echoes = _echoes(typed)
    text = "\n".join(_unprompted(_plain(_without(line, echoes)), prompts) for line in _lines(state))
    return max(len(found.findall(text)), len(found.findall(_plain(text))))


def told_by_typing(evidence: str, typed: Sequence[Decided]) -> bool:
    """Whether `evidence` is a piece of what was typed: a program that fails says it too ("cannot start NAME"). The
    words may have been typed apart, quoted, or key by key (`printf 'all %s' passed`)."""
    wanted = _plain(evidence)
    if any(_expression(wanted).search(echo) for echo in _echoes(typed)):
        return True
    words = _words(wanted)
    return bool(words) and words <= _words("".join(map(_typed, typed)))


def _typed(one: Decided) -> str:
    if isinstance(one, Keystroke) and one.key in (" ", "Space", "Enter", "Tab"):
        return " "
    if isinstance(one, Keystroke):
        return one.key if len(one.key) == 1 else ""
    return f"{one.text}\n" if isinstance(one, Line) else one.text if isinstance(one, Text) else ""


def _words(text: str) -> set[str]:
    """Words as a shell hands them on: without their quotes, and without what stands about them."""
    parts = (part.strip(_ABOUT) for part in _APART.split(_QUOTES.sub("", text)))
    return {part for part in parts if any(map(str.isalnum, part))}


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
    """`line` without a command that was typed at its end, or before a prompt at the right."""
    said = _plain(line)
    for echo in sorted((echo for echo in echoes if echo in said), key=len, reverse=True):
        for end in (len(line), *(gap.start() for gap in _GAP.finditer(line))):
            shown = _plain(line[:end])
            before = shown.removesuffix(echo)
            if before != shown and (not before or before[-1] in " $#%>❯»:"):
                return before + line[end:]
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
