"""One proposal on the screen: all of it is shown first, and only a key that was pressed afterwards decides.

The keys that there are appear when they count: once nothing was typed for half a second. Enter approves what is
harmless, `y` what is not, and what destroys wants the word. Ctrl+C and the end of the input are a rejection.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from terma.dialogue import Decision, Proposal
from terma.quiet import EARLY, Quiet
from terma.repl.display.live import cells, cut, tail
from terma.repl.display.sentences import RUN, beside, risk_words, whole
from terma.repl.tty.terminal import END, Terminal
from terma.types import Risk

if TYPE_CHECKING:
    from terma.repl.display.drawing import Drawing

NOT_WANTED = "the person pressed Ctrl+C"
ALWAYS = "for the session"  # the reason of an approval that holds for the same command later
_EDIT = "edit"
REST = "\x0f"  # Ctrl+O
_ENTER, _STOP = ("\r", "\n"), ("\x03", "\x04")
_WORDS = {"y", "yes"}
_SPELLED = {"\r": "\r", "yes": "y", "no": "n", "edit": "e", "quit": "q"} | {key: key for key in "ynreaq?"}
WHY = "what should it know?"
_SHORTER = {"type yes, then Enter": "type yes", "? explain": "?"}
_STYLES = {"low": "green", "medium": "bold yellow", "high": "bold red"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Helpers:
    """What the approver is handed. `drained` waits until all that was said is on the screen. `allowed` says whether
    the settings let this command run unasked. `explain` tells, on the screen, what a command does, and runs nothing.
    `edit` gives back the command as the person left it, None when they gave up. `quiet` says when a key counts.
    `rest` is what was not shown of the latest output."""

    drained: Callable[[], Awaitable[None]]
    drawing: Callable[[], Drawing]
    assess: Callable[[str], Risk]
    explain: Callable[[Proposal], Awaitable[None]]
    edit: Callable[[Terminal, str], Awaitable[str | None]]
    allowed: Callable[[Proposal], Awaitable[bool]] | None = None
    quiet: Callable[[], Quiet] = Quiet
    rest: Callable[[], bytes] = bytes


class Question:
    """One proposal on the screen, until a key decides. `answer` returns None when the command is to be edited."""

    def __init__(
        self, terminal: Terminal, helpers: Helpers, proposal: Proposal, which: str = "", edited: bool = False
    ) -> None:
        self._terminal = terminal
        self._helpers = helpers
        self._proposal = proposal
        self._which = which
        self._edited = edited
        self._quiet = helpers.quiet()
        self._typed = ""  # of the word that what destroys wants
        self._note = ""  # what is said beside the keys, once

    async def answer(self) -> Decision | None:
        with self._terminal.raw():
            self._show()
            self._terminal.flush()  # keys from before it could be read
            self._quiet.drawn()
            while True:
                try:
                    found = await self._take(await self._answer())
                except asyncio.CancelledError:
                    self._end("interrupted")
                    raise
                if found is _EDIT:
                    return None
                if isinstance(found, Decision):
                    return found
                if not self._typed:  # it was no answer: whoever types is at something else
                    self._quiet.drawn()

    async def _answer(self) -> str:
        """What is typed once it is quiet, a whole word at once."""
        if self._typed:
            return await self._terminal.key()
        stopped = await self._terminal.settled(self._quiet)
        if stopped is not None:
            return stopped
        if self._quiet.early:
            self._note, self._quiet.early = self._note or EARLY, 0
        self._prompt(self._note)
        self._note = ""
        return await self._terminal.burst(self._quiet)

    async def _take(self, key: str) -> Decision | str | None:
        if key == END or any(stop in key for stop in _STOP):
            self._end("rejected")
            return Decision("reject", reason=NOT_WANTED)
        if key.startswith("\x1b") or (len(key) > 1 and not key.isascii()):
            return None  # an arrow, a paste
        if key == REST and (rest := self._helpers.rest()):
            self._erase()
            self._terminal.write(rest.decode("utf-8", "replace"))
            self._show()
            return None
        if self._dangerous and (self._typed or key[0].lower() == "y" or key[0] in _ENTER):
            return self._word(key)
        word = key.rstrip("\r\n").lower() or "\r"
        if word not in _SPELLED:
            return None  # a burst of keys, a paste: no decision
        return await self._key(_SPELLED[word])

    async def _key(self, key: str) -> Decision | str | None:
        proposal = self._proposal
        if key == "y" or (key in _ENTER and proposal.risk.level == "low"):
            self._end("approved")
            return Decision("approve")
        if key == "a" and not self._dangerous:
            self._end("approved, and from now on the very same command")
            return Decision("approve", reason=ALWAYS)
        if key == "n":
            self._end("rejected")
            return Decision("reject")
        if key == "r":
            return await self._reject_with_reason()
        if key == "e" and proposal.command:
            self._erase()
            return _EDIT
        if key == "?":
            self._erase()
            await self._explain()
        if key == "q":
            self._end("rejected, and no more questions")
            return Decision("quit")
        if key in _ENTER:
            self._note = "Enter alone does not run this: y does"
        return None

    async def _explain(self) -> None:
        """Ctrl+C ends the explanation, and the question stands as it did."""
        work = asyncio.ensure_future(self._helpers.explain(self._proposal))
        while not work.done():
            key = asyncio.ensure_future(self._terminal.key())
            try:
                await asyncio.wait({work, key}, return_when=asyncio.FIRST_COMPLETED)
                if key.done() and key.result()[:1] in (END, *_STOP):
                    work.cancel()
                    await asyncio.wait({work})
            except asyncio.CancelledError:
                work.cancel()
                raise
            finally:
                key.cancel()
                with suppress(asyncio.CancelledError):
                    await key
        if not work.cancelled() and (error := work.exception()):
            self._terminal.write(f"{error}\r\n")
        self._terminal.flush()

    def _word(self, key: str) -> Decision | None:
        """The word, letter by letter: what destroys is not approved by one key."""
        for char in key:
            if char in ("\x7f", "\b"):
                self._typed = self._typed[:-1]
            elif char in _ENTER:
                if self._typed.strip().lower() in _WORDS:
                    self._end("approved")
                    return Decision("approve")
                self._typed = ""
                self._note = "Enter alone does not run this: type yes, then Enter"
                return None
            elif char.isprintable():
                self._typed += char
            if not self._typed:
                break
        if self._typed:
            self._prompt()
        return None

    async def _reject_with_reason(self) -> Decision | None:
        """A line of words for the model; Ctrl+C and the end of the input reject without."""
        reason = ""
        while True:
            room = self._terminal.size[0] - len(WHY) - 3
            self._row(f"\x1b[1m{WHY}\x1b[0m {tail(reason, room)}")
            key = await self._terminal.key()
            if key == END or key[:1] in _STOP:
                reason = ""
                break
            if key.startswith("\x1b"):
                continue
            enter = False
            for char in key:
                if char in ("\x7f", "\b"):
                    reason = reason[:-1]
                elif char == "\x15":
                    reason = ""
                elif char in _ENTER:
                    enter = True
                    break
                elif char.isprintable():
                    reason += char
            if enter:
                break
        self._end(f"rejected: {reason}" if reason.strip() else "rejected")
        return Decision("reject", reason=reason.strip())

    @property
    def _dangerous(self) -> bool:
        return self._proposal.risk.level == "high"

    def _show(self) -> None:
        """All of the proposal, whole and exact, however long it is."""
        drawing, columns = self._helpers.drawing(), max(self._terminal.size[0] - 1, 10)
        proposal = self._proposal
        rows = [""]
        if self._which or self._edited:
            words = ", ".join(filter(None, (self._which, "as you changed it" if self._edited else "")))
            rows += drawing.text(words, "dim", columns)
        text = whole(proposal)
        rows += drawing.command(text, columns)
        if proposal.command and proposal.tool != RUN:
            rows += drawing.text(proposal.tool, "dim", columns, "  ")
        for name, value in beside(proposal):
            rows += drawing.fact(name, value, columns)
        if proposal.description and not self._edited:
            rows += drawing.text(proposal.description, "", columns, "  ")
        mark = "" if proposal.risk.level == "low" else drawing.danger_mark
        rows += drawing.text(mark + risk_words(proposal.risk), _STYLES[proposal.risk.level], columns, "  ")
        if proposal.touches:
            rows += drawing.text("touches: " + ", ".join(proposal.touches), "", columns, "  ")
        if proposal.lasts and not self._edited:
            rows += drawing.text(proposal.lasts, "", columns, "  ")
        if proposal.missing:
            rows += drawing.text("on this machine: " + ", ".join(proposal.missing), "yellow", columns, "  ")
        lines = text.count("\n") + 1
        if len(rows) >= self._terminal.size[1]:
            rows += drawing.text(
                f"(longer than the screen: {lines} lines, look above)", "yellow", columns, "  "
            )
        self._terminal.write("".join(row + "\r\n" for row in rows))

    def _prompt(self, note: str = "") -> None:
        """The keys there are, each the first letter of its word."""
        words = ["type yes, then Enter" if self._dangerous else "yes", "no", "reason"]
        words += ["edit"] if self._proposal.command else []
        words += [] if self._dangerous else ["always"]
        words += ["? explain", "quit"]
        columns = self._terminal.size[0] - 4
        if len("  ".join(words)) > columns:
            words = [_SHORTER.get(word, word) for word in words]
        coloured = self._helpers.drawing().coloured
        if note:
            self._row(f"  \x1b[33m{note}\x1b[0m" if coloured else f"  {note}")
            self._terminal.write("\r\n")
        if coloured:
            text = "  ".join(
                word if " " in word[1:5] else f"\x1b[1;4m{word[0]}\x1b[0m{word[1:]}" for word in words
            )
        else:
            text = "  ".join(words)
        self._row(f"  {text}  {self._typed}")

    def _row(self, text: str) -> None:
        """The last row anew: the end of it where it is too long."""
        columns = self._terminal.size[0] - 1
        if cells(text) > columns:
            text = cut(text, columns)
        self._terminal.write(f"\r\x1b[K{text}")

    def _erase(self) -> None:
        self._terminal.write("\r\x1b[K")

    def _end(self, words: str) -> None:
        """What was decided, in the place of the keys."""
        rows = self._helpers.drawing().text(words, "dim", max(self._terminal.size[0] - 1, 10), "  ")
        self._terminal.write("\r\x1b[K" + "\r\n".join(rows) + "\r\n")
