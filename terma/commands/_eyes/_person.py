"""The person at this terminal, asked before anything is typed on the other machine."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from terma.text import one_line, sanitize

if TYPE_CHECKING:
    from terma.errors import TermaError
    from terma.repl.tty.terminal import Terminal as Handles
    from terma.vision.parts import Answer, Seen
    from terma.vision.policy import Verdict
    from terma.vision.types import Act

_WIDEST = 4096  # more than an action may hold: what is approved is shown whole
_MARKS = {"send": "→", "refuse": "✗", "result": " ", "dry": "·", "error": "!", "dark": "…"}
_UNSURE = 0.9  # rows that are read less surely are marked
_YES, _NO, _STOP, _EDIT = ("y", "yes"), ("", "n", "no"), ("s", "stop", "q", "quit"), ("e", "edit")


class Terminal:
    """Asks on standard error, reads standard input. `asks` False: nobody is there, so everything is refused."""

    def __init__(self, *, asks: bool) -> None:
        self._asks = asks
        self._screen: tuple[str, ...] = ()

    async def approve(self, action: Act, verdict: Verdict, seen: Seen, why: str = "") -> Answer:
        """Only y is yes; what is none of the letters is a no, and the reason for it."""
        from terma.vision import lines
        from terma.vision.parts import Answer
        from terma.vision.policy import describe
        from terma.vision.types import Line, Text

        if not self._asks:
            return Answer("no", "nobody is there")
        self._show(seen)
        for line in lines.told(seen.state):
            self._say(f"  {_shown(line)}")
        if why:
            self._say(f"  why: {_shown(why)}")
        said, editable = describe(action), isinstance(action, Line | Text)
        note = f" ({verdict.reason})" if verdict.reason else ""
        keys = "[y/N, e to edit, s to stop, or why not]" if editable else "[y/N, s to stop, or why not]"
        answer = (await self._ask(f"type {sanitize(said)}{note}?", f"{keys} ")).strip()
        word = answer.lower()
        if word in _YES:
            return Answer("yes")
        if word in _STOP:
            return Answer("stop")
        if editable and word in _EDIT:
            return await self._instead(action)
        return Answer("no", "" if word in _NO else _shown(answer))

    async def _instead(self, action: Act) -> Answer:
        """The action as the person leaves it; a no where they leave nothing."""
        from pydantic import ValidationError

        from terma.repl.approval.editing import edit
        from terma.vision.parts import Answer
        from terma.vision.policy import describe

        text = await edit(self._handles(), describe(action))
        if text is None or not text.strip():
            return Answer("no")
        try:
            changed = type(action).model_validate({"kind": action.kind, "text": text})
        except ValidationError as error:
            self._say(f"✗ {error.errors(include_url=False)[0]['msg']}")
            return Answer("instead", action=action)
        return Answer("instead", action=changed)

    async def reached(self, evidence: str, seen: Seen) -> bool:
        """Only y is yes."""
        if not self._asks:
            return False
        self._show(seen)
        said = f"{_shown(repr(evidence))} may have stood there before, or is what was typed: is the goal reached?"
        return (await self._ask(said, "[y/N] ")).strip().lower() in _YES

    async def resume(self, error: TermaError) -> bool:
        """Only y is yes."""
        if not self._asks:
            return False
        self._say(f"! {_shown(error.message)}{f' ({_shown(error.hint)})' if error.hint else ''}")
        return (await self._ask("Put it right, then: go on?", "[y/N] ")).strip().lower() in _YES

    async def password(self, seen: Seen) -> str | None:
        """Enter: it was typed there. A name: that secret. q, or nobody there: the run ends."""
        if not self._asks:
            return None
        self._say(f"The screen asks: {_shown(_last_row(seen))}")
        asked = "Type it there, then Enter here; or the NAME of a secret, or q to stop"
        answer = await self._ask(asked, "> ")
        if not answer or answer.strip() == "q":
            return None
        return answer.strip()

    def told(self, what: str, text: str) -> None:
        self._say(f"{_MARKS.get(what, ' ')} {_shown(text)}")

    def _show(self, seen: Seen) -> None:
        """The screen that is decided on, unless it was shown just now."""
        rows = tuple(row.rstrip() for row in seen.state.rows)
        if rows == self._screen:
            return
        self._screen = rows
        last = max((number for number, row in enumerate(rows) if row), default=-1)
        self._say("  ┌ the screen")
        for row, sure in zip(rows[: last + 1], seen.state.confidence, strict=False):
            self._say(f"  │{'?' if sure < _UNSURE else ' '}{sanitize(row)}")
        self._say("  └" + (" (? is read with doubt)" if min(seen.state.confidence) < _UNSURE else ""))

    def _say(self, text: str) -> None:
        print(text, file=sys.stderr, flush=True)

    def _handles(self) -> Handles:
        from terma.repl.tty.terminal import Terminal as Handles

        return Handles(sys.stdin.fileno(), sys.stderr.fileno())

    async def _ask(self, question: str, prompt: str) -> str:
        """One line that was typed when the question could be read, "" at the end of the input."""
        from terma.repl.tty.answering import line

        return await line(self._handles(), question, prompt) or ""


def _shown(text: str) -> str:
    return one_line(sanitize(text), _WIDEST)


def _last_row(seen: Seen) -> str:
    state = seen.state
    if state.cursor is not None:
        return state.rows[state.cursor.row]
    return next((row for row in reversed(state.rows) if row.strip()), "")
