"""One session: types commands and keys to a program on its terminal, sets a shell up, and says what it does."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from terma.sessions import doing, prompts, pty, shells
from terma.sessions.doing import EXITED, IDLE, MORE, RUNNING, STARTING, TYPED
from terma.sessions.draft import Draft
from terma.sessions.homes import Homes
from terma.sessions.marked import Marked
from terma.sessions.probe import Look, look
from terma.sessions.terminal import Parts

__all__ = [
    "EXITED",
    "IDLE",
    "INTERRUPT",
    "MORE",
    "RUNNING",
    "STARTING",
    "TYPED",
    "Parts",
    "Session",
    "Typed",
]
INTERRUPT = b"\x03"


@dataclass(frozen=True, slots=True)
class Typed:
    """What tells the end of a command that was typed: how many had ended then. `position`: the output's end then."""

    ends: int
    position: int


class Session(Marked):
    """One program on its terminal: what is typed to it, and what it is doing."""

    def __init__(self, parts: Parts) -> None:
        super().__init__(parts)
        self.line = Draft()  # what was typed and not entered, wherever it stands
        self.interrupted = False  # by what was typed last
        self.homes = Homes()  # the prompts at which something was entered, where no marks tell
        self.row: Callable[[], str] = (
            str  # tells what stands before the cursor on its screen, "" where none is drawn
        )
        self._rooms = (0, Homes())  # the same on the alternate screen, and since where that is shown
        self._begun_at: tuple[str, bool] | None = None  # where the line that was typed stands
        self._entered = ""  # the last line that was entered, with the prompt before it
        self._answers: deque[bytes] = deque()  # to questions, not typed yet
        self._answering: asyncio.Task[None] | None = None
        self.late = False  # it is asked for marks at its first prompt, as one at the far end of a login is

    def given(self, idle: bool, status: int | None) -> None:
        """It was somebody else's until now: at its prompt, or in the middle of a command."""
        self.phase, self.status = (IDLE if idle else RUNNING), status
        self._prompting = False
        self._show()

    def kept(self) -> dict[str, Any]:
        return (
            super().kept()
            | {"line": self.line.kept(), "homes": self.homes.kept(), "late": self.late}
            | {"rooms": [self.modes.since, self.rooms.kept()]}
        )

    def go_on(self, kept: Mapping[str, Any], spans: Iterable[Sequence[int]]) -> None:
        super().go_on(kept, spans)
        self.line.go_on(kept["line"])
        self.homes.go_on(kept.get("homes", ()))  # an agent of an earlier version says nothing of them
        since, rooms = kept.get("rooms", (0, ()))
        self._rooms = (int(since), Homes())
        self._rooms[1].go_on(rooms)
        self.late = bool(kept["late"])

    # what it is told

    def type(self, data: bytes) -> Typed:
        """Hand over keys; they are written as fast as the program reads. Raises TermaError when it does not."""
        note = Typed(self.ends, self.store.end)
        begun = self._begun()
        self.written(data)
        if self.phase in (IDLE, MORE):
            self._hide()
            self._echo = not self.kind.marks_start
        if b"\r" in data or b"\n" in data:
            self.draft = False
            if self.phase in (IDLE, MORE):
                self.phase = TYPED
        elif self.phase == IDLE and INTERRUPT not in data:
            self.draft = True
        self._typed(data, begun)
        return note

    def _begun(self) -> tuple[str, bool] | None:
        """Where the next keys go: the line that a program may wait at, when nothing was typed there yet."""
        if self.line.text or not self.line.sure:
            return self._begun_at
        waits = self.phase not in (IDLE, MORE) and self.state() in ("needs_input", "unsure")
        return (self.standing(), self.modes.paste) if waits else None

    @property
    def rooms(self) -> Homes:
        """The shell's prompts, on the alternate screen that is shown, at which something was entered."""
        if self._rooms[0] != self.modes.since:
            self._rooms = (self.modes.since, Homes())
        return self._rooms[1]

    def standing(self) -> str:
        """The line at which a program may wait; "" on a screen that it draws itself."""
        if not self.modes.alternate:
            return prompts.standing(self.tail())
        return self.row() if self.look().relays else ""

    def _typed(self, data: bytes, begun: tuple[str, bool] | None) -> None:
        """`data` was typed. Who enters a line has seen that the program waits there."""
        self._begun_at, self.interrupted = begun, INTERRUPT in data
        lines = self.line.take(data)
        if lines and begun is not None:
            self._entered = f"{begun[0]} {lines[-1].text}"
            if not self.modes.alternate:
                self.homes.learn(*begun)
            elif prompts.is_shells(begun[0]):
                self.rooms.learn(*begun)

    def refused(self) -> bool:
        """Whether what was entered last stands at its prompt still, in a line editor that did not take it (fish)."""
        entered = "".join(self._entered.split())
        edited = self.modes.paste or not self.look().canonical
        return bool(entered) and edited and "".join(self.standing().split()) == entered

    def answer(self, data: bytes) -> None:
        """Reply to a program's question about the terminal; it is no input of anybody's.

        Who asks reads keys and not lines. What a text that is only shown asks gets no answer: that would stand on
        the next prompt. Which of the two it was is known when all that was printed with it has been looked at."""
        self._answers.append(data)
        if self._answering is None:
            self._answering = self._loop.create_task(self._answer())

    async def _answer(self) -> None:
        try:
            while self._answers:
                if self._asks():
                    await self.catch_up()  # a shell says that its command has ended before it reads keys
                data = self._answers.popleft()
                if self._asks() and self._keyboard.takes(1):
                    self._keyboard.write(data)
        finally:
            self._answering = None

    def _asks(self) -> bool:
        """Whether what runs may have asked, and reads keys."""
        return self._takes_answers() and pty.takes_keys(self.master)

    def _takes_answers(self) -> bool:
        return self.phase not in (IDLE, MORE, EXITED) and not (
            self.phase == RUNNING and self.kind.marked and self._prompting
        )

    def keys(self, data: bytes) -> bool:
        """Hand a person's keys to what runs; False, and nothing is done, when it does not take them."""
        if self.phase == EXITED or not self._keyboard.takes(len(data)):
            return False
        begun = self._begun()
        self.written(data)
        self._typed(data, begun)
        return True

    def enter(self, text: str) -> Typed:
        """Enter a command at the prompt. Raises UsageError for control characters in it."""
        shells.check(text)
        first, *more = shells.encode(self.kind, shells.marking(self.kind, text.rstrip("\n")))
        self.wrong = self.begun = False
        note = self.type(first)
        self._lines = deque(more)
        return note

    def ask_marks(self) -> None:
        """Its prompt draws none, whatever was tried: print them around each command from now on."""
        self.unmarked = False
        self.kind = replace(self.kind, asks=True)
        self.type(shells.END.encode())

    def give_up(self) -> None:
        """Forget the lines that have not been entered yet."""
        self._lines.clear()

    def finished(self, typed: Typed) -> bool:
        """Whether what was entered has run, all of it: the prompt is back."""
        return self.phase == IDLE and self.ends > typed.ends

    def replaced(self) -> bool:
        """Whether the shell has become another program that may print no marks (exec bash), once for each time."""
        image = self.inspector.image(self.process.pid)
        if not image or not self._image or image == self._image:
            return False
        self._image = image
        self.told("X")
        self.unmarked = True
        command = self.inspector.command(self.process.pid)
        self.kind = shells.kind_of(command) if command else shells.NONE
        self.set_up()
        return True

    def set_up(self) -> None:
        """Type into the shell what makes it print marks, and show nothing of that."""
        keys = shells.bootstrap(self.kind, self.nonce)
        if keys:
            self.type(keys.encode())
            self._muffled.begin(keys.encode())

    def unmark(self) -> None:
        """It prints no marks, whatever was tried: prompts must do."""
        self.kind, self.phase = shells.NONE, RUNNING if self.phase != EXITED else EXITED
        self.late = False
        self.unmuffle()
        self._show()

    # what it is doing

    @property
    def setting_up(self) -> bool:
        """Whether a shell will be asked for marks as soon as it stands at its prompt."""
        return (self.kind.far or self.late) and not self.ends

    def look(self) -> Look:
        return look(self.master, self.process.pid, self.inspector)

    def tail(self) -> bytes:
        """The end of what was printed."""
        return self.store.read(max(self.store.end - prompts.TAIL, 0), prompts.TAIL)

    def waits(self, seen: Look) -> str:
        """Whether what `seen` shows waits for somebody: password, needs_input, unsure or ""."""
        return doing.waits(self, seen)

    def state(self) -> str:
        """idle, running, needs_input, unsure, password, continuation or exited."""
        return doing.state(self)

    def gone(self) -> None:
        self.phase = EXITED
        self.told("")
