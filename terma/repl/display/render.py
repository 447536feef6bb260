"""A conversation on a terminal: markdown drawn while it arrives, and what is under way in the last row.

What is finished is written once. Drawing goes a block at a time between other work, so Ctrl+C ends it wherever it is.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING

from terma.dialogue import Decided, Event, Noted, Piece, Said, ToolAnswered, Used, Waiting
from terma.repl.display.blocks import Block, Blocks
from terma.repl.display.live import Live
from terma.repl.display.sentences import answered, decided
from terma.repl.display.spinner import INTERVAL, Spinner

if TYPE_CHECKING:
    from terma.repl.display.drawing import Drawing

FRAME = 0.04  # seconds between two drawings of a block that grows
_OPEN_LIMIT = 20_000  # characters of an open block that are drawn while it grows


class TerminalView:
    """`live` is the terminal. Runs on the event loop; `drained` waits until all that came is drawn, and everybody who
    writes to the terminal beside it waits for that first."""

    def __init__(self, live: Live, clock: Callable[[], float] = time.monotonic) -> None:
        self._live = live
        self._clock = clock
        self._made: Drawing | None = None
        self._coloured = not os.environ.get("NO_COLOR")
        self._blocks = Blocks()
        self._queue: deque[Event | Block] = deque()
        self._spinner: Spinner | None = None
        self._spent = 0
        self._spoken = False  # something of this answer is on the screen
        self._drawn_at = 0.0
        self._timer: asyncio.TimerHandle | None = None
        self._pump: asyncio.Handle | None = None
        self._idle = asyncio.Event()
        self._idle.set()

    @property
    def drawing(self) -> Drawing:
        """rich, imported at the first thing to draw."""
        if self._made is None:
            from terma.repl.display.drawing import Drawing

            self._made = Drawing()
        return self._made

    def show(self, event: Event) -> None:
        self._queue.append(event)
        self._idle.clear()
        if self._pump is None:
            self._pump = asyncio.get_running_loop().call_soon(self._step)

    async def drained(self) -> None:
        """Wait until nothing is left to draw and the last row is free."""
        while self._queue or not self._idle.is_set():
            await self._idle.wait()
        self._rest()

    def stop(self) -> None:
        """Draw no more of it: what is on the screen stays, what was under way goes."""
        self._queue.clear()
        self._cancel()
        if (rest := self._blocks.open) is not None:
            self._print_block(Block(rest.text[-_OPEN_LIMIT:], rest.joined))
        self._blocks = Blocks()
        self._rest()
        self._spoken = False
        self._idle.set()

    def begin(self) -> None:
        """A new question: its tokens count from here."""
        self._spent = 0
        self._spoken = False

    def _step(self) -> None:
        """Draw one thing, and come back for the next when others had their turn."""
        self._pump = None
        if self._queue:
            self._one(self._queue.popleft())
        if self._queue:
            self._pump = asyncio.get_running_loop().call_soon(self._step)
            return
        self._idle.set()
        if self._spinner is not None and self._clock() - self._drawn_at >= FRAME:
            self._draw_open()

    def _one(self, item: Event | Block) -> None:
        match item:
            case Block():
                self._print_block(item)
            case Waiting(what, whom):
                named = "" if what == "model" else what
                self._spinner = Spinner(self._clock(), named, whom, spent=self._spent)
                self._tick()
            case Piece(text):
                if self._spinner is not None:
                    self._spinner.characters += len(text)
                self._queue.extendleft(reversed(self._blocks.feed(text)))
            case Said():
                for block in self._blocks.close():
                    self._print_block(block)
                self._rest()
                self._spoken = False
            case Used(usage):
                self._spent += usage.prompt_tokens + usage.completion_tokens
                if self._spinner is not None:
                    self._spinner.spent, self._spinner.characters = self._spent, 0
            case Noted(text):
                self._remark(text, "dim")
            case _:
                self._rest()
                self._aside(item)

    def _aside(self, item: Event) -> None:
        match item:
            case Decided():
                self._remark(decided(item), "dim")
            case ToolAnswered():
                good = not item.failed and (item.ran is None or item.ran.status == 0)
                self._remark(answered(item), "dim" if good else "yellow")

    def _print_block(self, block: Block) -> None:
        rows = self.drawing.markdown(block.text, self._live.columns)
        if rows:
            gap = "\n" if self._spoken and not block.joined else ""
            self._spoken = True
            self._live.print(gap + "\n".join(rows) + "\n")

    def _remark(self, text: str, style: str) -> None:
        if text:
            rows = self.drawing.text(text, style, self._live.columns)
            self._live.print("\n".join(rows) + "\n")
            self._spoken = False

    def _rest(self) -> None:
        self._spinner = None
        self._cancel()
        self._live.clear()

    def _cancel(self) -> None:
        for handle in (self._timer, self._pump):
            if handle is not None:
                handle.cancel()
        self._timer = self._pump = None

    def _tick(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = None
        if self._spinner is not None:
            self._draw_open()
            self._timer = asyncio.get_running_loop().call_later(INTERVAL, self._tick)

    def _draw_open(self) -> None:
        """The block that grows, and the row beneath it."""
        if self._spinner is None:
            return
        rows: list[str] = []
        block = self._blocks.open
        if block is not None and not self._queue:
            rows = self.drawing.markdown(block.text[-_OPEN_LIMIT:], self._live.columns)
            if rows and self._spoken and not block.joined:
                rows = ["", *rows]
        row = self._spinner.row(self._clock(), self._coloured)
        self._live.draw([*rows, row])
        self._drawn_at = self._clock()
