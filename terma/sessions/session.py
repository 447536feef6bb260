"""One program on its terminal: what it printed, where its commands end, and whether it waits for somebody."""

from __future__ import annotations

import asyncio
import os
import subprocess
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace

from terma.errors import TermaError, UsageError
from terma.marks import Mark, Scanner
from terma.sessions import pty, shells
from terma.sessions.draft import Draft
from terma.sessions.exits import watch_exit
from terma.sessions.pace import Pace
from terma.sessions.probe import Inspector, Look, look
from terma.sessions.ring import Store

_READ = (
    65536  # bytes asked for at once; Linux gives some 4 KiB of a PTY, and the agent serves others in between
)
_LAST_READS = 1024  # after the program's end
_BEHIND = 16  # reads that catch up
_MOST_TYPED = 1024 * 1024  # bytes that a program has not read yet
_MOST_SPANS = 4096
INTERRUPT = b"\x03"
STARTING, IDLE, TYPED, RUNNING, MORE, EXITED = "starting", "idle", "typed", "running", "more", "exited"


@dataclass(frozen=True, slots=True)
class Typed:
    """What tells the end of a command that was typed: how many had ended then. `position`: the output's end then."""

    ends: int
    position: int


class Session:
    """`process` with the master side of its PTY. Needs a running event loop. `ended` is called once, at its end."""

    def __init__(
        self,
        process: subprocess.Popen[bytes],
        master: int,
        kind: shells.Kind,
        nonce: str,
        store: Store,
        inspector: Inspector,
        ended: Callable[[], None] = lambda: None,
    ) -> None:
        self.process, self.kind, self.nonce, self.store = process, kind, nonce, store
        self.phase = STARTING if kind.marked else RUNNING
        self.status: int | None = None  # of the last command that said so
        self.exit_status: int | None = None  # of the program, once it has exited
        self.ends = 0
        self.ended_at = 0  # the offset behind the last command's output
        self.last_output = self.last_input = time.monotonic()
        self.wrong = False  # what was entered is no command: it was told so, and stands there still (fish)
        self.unmarked = False  # it is another shell now, and has said nothing yet
        self.begun = False  # what was entered runs, or has run
        self.draft = False  # something stands on the prompt that nobody has entered
        self.line = Draft()  # what was typed and not entered, wherever it stands
        self.master = master
        self.inspector = inspector
        self.watch: Callable[[bytes], None] | None = None  # sees the live stream (a screen)
        self.told: Callable[[str], None] = _nobody  # hears marks' letters, X: another shell, "": its end
        self.pace = Pace()
        self._paused = False
        self._ended = ended
        self._scanner = Scanner(nonce, screens=False)
        self._hidden: deque[tuple[int, int]] = deque(maxlen=_MOST_SPANS)  # prompts, and what was typed there
        self._hidden_from: int | None = 0 if kind.marked else None
        self._echo = False  # what comes back first is what was typed, up to a newline
        self._prompting = kind.marked
        self._lines: deque[bytes] = deque()  # to enter, one at each prompt
        self._image = inspector.image(process.pid) if kind.marked else ""
        self._to_type = bytearray()
        self._changes: set[asyncio.Future[None]] = set()
        self._loop = asyncio.get_running_loop()
        self._loop.add_reader(master, self._readable)
        self._pidfd = watch_exit(process, self._loop, self._exited)

    # what it prints

    def _readable(self) -> None:
        before = self.store.end
        if not self._read_once():
            self._loop.remove_reader(self.master)
        elif rest := self.pace.rest(self.store.end - before):
            self._loop.remove_reader(self.master)
            self._loop.call_later(rest, self._read_on)

    def _read_on(self) -> None:
        if self.master >= 0 and not self._paused:
            self._loop.add_reader(self.master, self._readable)

    def _read_once(self) -> bool:
        """Whether there may be more."""
        try:
            data = os.read(self.master, _READ)
        except BlockingIOError:
            return True
        except OSError:  # EIO: nobody holds the other side
            return False
        if not data:
            return False
        self.last_output = time.monotonic()
        if self.watch is not None:
            self.watch(data)
        if self._scanner.is_plain(data) and not self._echo:
            self.store.write(data)
        else:
            for part in self._scanner.scan(data):
                self._take(part)
        self._notify()
        return True

    def catch_up(self) -> None:
        """Read what was printed already, within a bound."""
        for _ in range(0 if self._paused or self.master < 0 else _BEHIND):
            if not self._read_once():
                break

    def _take(self, part: object) -> None:
        if isinstance(part, Mark):
            self._mark(part)
        elif isinstance(part, bytes):
            if self._echo and self.phase == TYPED and (end := part.find(b"\n")) >= 0:
                self.store.write(part[: end + 1])
                self._show()
                part = part[end + 1 :]
            self.store.write(part)

    def _mark(self, mark: Mark) -> None:
        self.unmarked = self.unmarked and mark.letter != "B"
        if mark.letter == "D":
            self.status, self.phase = mark.status, RUNNING
            self.ends += 1
            self.ended_at = self.store.end
            self._prompting = True
            self._hide()
        elif mark.letter == "A" and mark.fields.get("k") == b"c":
            self.phase, self._prompting = MORE, True
            self.wrong = "wrong" in mark.fields
            self._hide()
        elif mark.letter == "B" and self._prompting:
            self._at_prompt()
        elif mark.letter == "C":
            self.phase, self._prompting, self.begun = RUNNING, False, True
            self._show()
        self.told(mark.letter)

    def _at_prompt(self) -> None:
        if self._lines:
            self.phase, self._echo = TYPED, True
            self._write(self._lines.popleft())
        elif self.phase != MORE:
            self.phase, self.draft, self._prompting = IDLE, False, False
            self._show()  # what comes now is of programs in the background
            if not self._image:
                self._image = self.inspector.image(self.process.pid)

    @property
    def hidden(self) -> bool:
        """Whether what comes now is a prompt, or what was typed there, and no program's output."""
        return self._hidden_from is not None

    def _hide(self) -> None:
        if self._hidden_from is None:
            self._hidden_from = self.store.end

    def _show(self) -> None:
        self._echo = False
        if self._hidden_from is not None:
            self._hidden.append((self._hidden_from, self.store.end))
            self._hidden_from = None

    def printed(self, at: int, limit: int, until: int) -> tuple[bytes, int]:
        """What programs printed from offset `at` on and before `until`, without prompts and what was typed there;
        where to go on."""
        end = min(self.store.end if self._hidden_from is None else self._hidden_from, until)
        for first, last in self._hidden:
            if first <= at < last:
                at = last
            elif at < first:
                end = min(end, first)
                break
        if at >= end:
            return b"", at
        at = max(at, self.store.start)
        data = self.store.read(at, min(limit, end - at))
        return data, at + len(data)

    # what it is told

    def type(self, data: bytes) -> Typed:
        """Hand over keys; they are written as fast as the program reads. Raises TermaError when it does not."""
        if self.phase == EXITED:
            raise TermaError("the program of this session has exited", "terma session create makes another")
        if len(self._to_type) + len(data) > _MOST_TYPED:
            raise TermaError(
                "the program does not read what is typed", "terma session kill, or wait until it does"
            )
        note = Typed(self.ends, self.store.end)
        self.last_input = time.monotonic()
        if self.phase in (IDLE, MORE):
            self._hide()
            self._echo = not self.kind.marks_start
        if b"\r" in data or b"\n" in data:
            self.draft = False
            if self.phase in (IDLE, MORE):
                self.phase = TYPED
        elif self.phase == IDLE and INTERRUPT not in data:
            self.draft = True
        self.line.take(data)
        self._write(data)
        return note

    def drop_keys(self) -> None:
        """Forget what was typed and has not reached the terminal."""
        self._to_type.clear()

    def _write(self, data: bytes = b"") -> None:
        self._to_type += data
        try:
            while self._to_type:
                del self._to_type[: os.write(self.master, self._to_type[:4096])]
        except BlockingIOError:
            self._loop.add_writer(self.master, self._write)
            return
        except OSError:
            self._to_type.clear()
        self._loop.remove_writer(self.master)

    def answer(self, data: bytes) -> None:
        """Reply to a program's question about the terminal; it is no input of anybody's.

        Who asks reads keys and not lines. What a text that is only shown asks gets no answer: that would stand on
        the next prompt. Which of the two it was is known when all that was printed with it has been looked at."""
        self._loop.call_soon(self._answer, data)

    def _answer(self, data: bytes) -> None:
        if not self._takes_answers() or not pty.takes_keys(self.master):
            return
        if not self._paused:
            self._read_once()  # a shell says that its command has ended before it reads keys: that may wait there
        if self._takes_answers() and len(self._to_type) < _MOST_TYPED:
            self._write(data)

    def _takes_answers(self) -> bool:
        return self.phase not in (IDLE, MORE, EXITED) and not (
            self.phase == RUNNING and self.kind.marked and self._prompting
        )

    def keys(self, data: bytes) -> bool:
        """Hand a person's keys to what runs; False, and nothing is done, when it does not take them."""
        if self.phase == EXITED or len(self._to_type) + len(data) > _MOST_TYPED:
            return False
        self.last_input = time.monotonic()
        self.line.take(data)
        self._write(data)
        return True

    def pause(self) -> None:
        """Read no more of what is printed: the program waits when the terminal is full."""
        self._paused = True
        if self.master >= 0:
            self._loop.remove_reader(self.master)

    def resume(self) -> None:
        self._paused = False
        self._read_on()

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

    def resize(self, columns: int, rows: int) -> None:
        if self.phase == EXITED:
            raise UsageError("the program of this session has exited", "there is no terminal to resize")
        pty.resize(self.master, columns, rows)

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
        keys = shells.bootstrap(self.kind, self.nonce)
        if keys:
            self.type(keys.encode())
            self._hide()
        return True

    # what it is doing

    def look(self) -> Look:
        return look(self.master, self.process.pid, self.inspector)

    def quiet(self) -> float:
        """Seconds since anything was printed or typed."""
        return time.monotonic() - max(self.last_output, self.last_input)

    def state(self) -> str:
        """idle, running, needs_input, password, continuation or exited."""
        if self.phase in (IDLE, EXITED):
            return self.phase
        if self.phase == MORE:
            return "continuation"
        seen = self.look()
        if self.phase == TYPED and self.kind.pastes and seen.leader and seen.waits == "needs_input":
            return "continuation"  # fish goes on to the next line without a mark
        return seen.waits or "running"

    async def change(self, seconds: float | None) -> bool:
        """Wait until something is printed or it exits; False after `seconds` without that."""
        future: asyncio.Future[None] = self._loop.create_future()
        self._changes.add(future)
        try:
            async with asyncio.timeout(seconds):
                await future
            return True
        except TimeoutError:
            return False
        finally:
            self._changes.discard(future)

    def _notify(self) -> None:
        for future in self._changes:
            if not future.done():
                future.set_result(None)

    # its end

    def _exited(self) -> None:
        if self.phase == EXITED:
            return
        code = self.process.wait()
        for _ in range(_LAST_READS):
            if not self._read_once():
                break
        self.exit_status = code if code >= 0 else 128 - code
        self.phase = EXITED
        self.store.finish()
        self.close()
        self._notify()
        self.told("")
        self._ended()

    def close(self) -> None:
        """Give back the terminal; a program that still has it is hung up on."""
        if self.master >= 0:
            self._loop.remove_reader(self.master)
            self._loop.remove_writer(self.master)
            os.close(self.master)
            self.master = -1
        if self._pidfd >= 0:
            self._loop.remove_reader(self._pidfd)
            os.close(self._pidfd)
            self._pidfd = -1


def _nobody(_: str) -> None:
    pass
