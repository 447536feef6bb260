"""The person at this terminal, asked before anything is typed on the other machine."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from terma.text import one_line, sanitize

if TYPE_CHECKING:
    from terma.vision.deciding import Act
    from terma.vision.parts import Seen
    from terma.vision.policy import Verdict

_WIDEST = 4096  # more than an action may hold: what is approved is shown whole
_MARKS = {"send": "→", "refuse": "✗", "result": " ", "dry": "·"}


class Terminal:
    """Asks on standard error, reads standard input. `asks` False: nobody is there, so everything is refused."""

    def __init__(self, *, asks: bool) -> None:
        self._asks = asks

    async def approve(self, action: Act, verdict: Verdict, seen: Seen) -> bool:
        """Only y is yes."""
        from terma.vision.lines import logical_line
        from terma.vision.policy import describe

        if not self._asks:
            return False
        line = logical_line(seen.state).strip()
        if line:
            self._say(f"  on the line: {_shown(line)}")
        said = describe(action)
        note = f" ({verdict.reason})" if verdict.reason else ""
        answer = await self._ask(f"type {_shown(said)}{note}?", "[y/N] ")
        return answer.strip().lower() in ("y", "yes")

    async def reached(self, evidence: str, seen: Seen) -> bool:
        """Only y is yes."""
        if not self._asks:
            return False
        said = f"The screen showed {_shown(repr(evidence))} before anything was done: is the goal reached?"
        return (await self._ask(said, "[y/N] ")).strip().lower() in ("y", "yes")

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

    def _say(self, text: str) -> None:
        print(text, file=sys.stderr, flush=True)

    async def _ask(self, question: str, prompt: str) -> str:
        """One line that was typed when the question could be read, "" at the end of the input."""
        from terma.repl.answering import line
        from terma.repl.terminal import Terminal as Handles

        return await line(Handles(sys.stdin.fileno(), sys.stderr.fileno()), question, prompt) or ""


def _shown(text: str) -> str:
    return one_line(sanitize(text), _WIDEST)


def _last_row(seen: Seen) -> str:
    state = seen.state
    if state.cursor is not None:
        return state.rows[state.cursor.row]
    return next((row for row in reversed(state.rows) if row.strip()), "")
