"""The stand-in machine: a shell on a terminal of its own, and the picture of its screen."""

from __future__ import annotations

import asyncio
import contextlib
import os
import secrets
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

from terma.errors import UsageError
from terma.picture.painter import Painter
from terma.sessions import processes, pty
from terma.sessions.screen import Live
from terma.vision.errors import EyesError
from terma.vision.types import Image

_READ = 65536
_TOGETHER = 0.005  # seconds: what is printed within them makes one picture
_MOST_TYPED = 65536  # bytes that the program has not read yet
_GRACE = 0.5
_PROMPT = r"user@target:\w\$ "


class Machine:
    """`command` on `columns` by `rows` cells. Everything happens in one event loop.

    `number` counts the changes of the screen; `ended` says that the program is gone."""

    def __init__(self, command: Sequence[str], columns: int = 80, rows: int = 24, size: int = 20) -> None:
        """`size` is of the letters, in pixels. Raises UsageError without an emulator or a font."""
        self.command, self.columns, self.rows = tuple(command), columns, rows
        self.number, self.ended = 0, False
        self._screen = Live(columns, rows)
        self._screen.answer_with(self._typed)
        self._above: Live | None = None  # what is shown of the history, scrolled back
        self._back = 0  # rows
        self._painter = Painter(columns, rows, size)
        self._tag = f"eyes:{secrets.token_hex(8)}"
        self._to_type = bytearray()
        self._changed = asyncio.Condition()
        self._waiting: asyncio.Task[None] | None = None
        self._master = -1

    def start(self, directory: Path, environment: Mapping[str, str]) -> None:
        """Start the program. Raises UsageError when it cannot."""
        self._loop = asyncio.get_running_loop()
        tagged = dict(environment) | {processes.TAG: self._tag}
        self._process, self._master = pty.spawn(self.command, tagged, str(directory), self.columns, self.rows)
        self._loop.add_reader(self._master, self._readable)

    def scroll(self, rows: int) -> None:
        """Show what left the screen: so many rows further above, below 0 further down again. A key or anything that is
        printed shows the screen itself, as on a console."""
        text, self._back = self._screen.above(self._back + rows)
        self._above = None
        if self._back:
            self._above = Live(self.columns, self.rows)
            self._above.feed(b"\x1b[?25l" + text.encode())
        self._changes()

    def type(self, data: bytes) -> None:
        """Hand keys to the program, as fast as it reads. Raises EyesError when it is gone or reads none."""
        if self._back:
            self.scroll(-self._back)
        self._typed(data)

    def _typed(self, data: bytes) -> None:
        if self.ended or self._master < 0:
            raise EyesError("the target's shell has ended", "start the target again")
        if len(self._to_type) + len(data) > _MOST_TYPED:
            raise EyesError("the target's program does not read its keys", "press Ctrl+C there")
        self._to_type += data
        self._write()

    def picture(self) -> Image:
        """The screen as it is now; the same array each time. Call it in the loop's own thread."""
        return self._painter.paint((self._above or self._screen).grid())

    def text(self) -> dict[str, object]:
        """What stands on the screen, without a camera: to hold a reader against."""
        seen = (self._above or self._screen).picture()
        rows = seen["screen"].split("\n")
        return {
            "rows": rows + [""] * (self.rows - len(rows)),
            "columns": self.columns,
            "cursor": None if self._above else [seen["cursor_row"], seen["cursor_column"]],
            "above": self._back,
        }

    async def change(self, after: int, seconds: float) -> None:
        """Wait until `number` is above `after`, at most so long."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds), self._changed:
                await self._changed.wait_for(lambda: self.number > after or self.ended)

    async def stop(self) -> None:
        """End the program and all that it started."""
        if self._master < 0:
            return
        self._hang_up()
        await processes.end(self._process.pid, self._tag, _GRACE)
        await asyncio.to_thread(self._process.wait)

    def _readable(self) -> None:
        try:
            data = os.read(self._master, _READ)
        except BlockingIOError:
            return
        except OSError:  # EIO: nobody holds the other side
            data = b""
        if not data:
            self._hang_up()
            data = b"\r\n\x1b[0m[the shell has ended]"
        self._screen.feed(data)
        self._above, self._back = None, 0
        self._changes()

    def _changes(self) -> None:
        if self._waiting is None or self._waiting.done():
            self._waiting = self._loop.create_task(self._tell())

    async def _tell(self) -> None:
        await asyncio.sleep(_TOGETHER)
        async with self._changed:
            self.number += 1
            self._changed.notify_all()

    def _write(self) -> None:
        try:
            while self._to_type:
                del self._to_type[: os.write(self._master, self._to_type[:4096])]
        except BlockingIOError:
            self._loop.add_writer(self._master, self._write)
            return
        except OSError:
            self._to_type.clear()
        self._loop.remove_writer(self._master)

    def _hang_up(self) -> None:
        if not self.ended:
            self.ended = True
            self._loop.remove_reader(self._master)
            self._loop.remove_writer(self._master)
            os.close(self._master)


def default_command() -> list[str]:
    """A plain shell that reads nobody's start-up files. Raises UsageError where there is none."""
    bash = shutil.which("bash")
    if bash:
        return [bash, "--norc", "--noprofile"]
    sh = shutil.which("sh")
    if not sh:
        raise UsageError("there is no shell on PATH", "terma eyes target -- COMMAND")
    return [sh]


def environment(home: Path) -> dict[str, str]:
    """That of a machine of its own: nothing of the person's is in it."""
    kept = {name: os.environ[name] for name in ("PATH", "LC_ALL", "LC_CTYPE", "TZ") if name in os.environ}
    own = {"HOME": str(home), "TERM": "xterm-256color", "PS1": _PROMPT, "HISTFILE": "", "LANG": "C.UTF-8"}
    return kept | own | {"PROMPT_DIRTRIM": "2", "USER": "user", "BASH_SILENCE_DEPRECATION_WARNING": "1"}
