"""What a window of GNU screen shows, with its scrollback."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

from terma.context import scratch
from terma.context.run import MAX_BYTES, output_of
from terma.errors import TermaError
from terma.types import Capture, CaptureRequest

_SESSION = re.compile(r"\d{1,10}\.[\w.@%+-]{1,120}\Z")
_WINDOW = re.compile(r"\d{1,4}\Z", re.ASCII)
_POLL = 0.002  # seconds
_PATIENCE = 0.2  # seconds from the program's end to the file: a window that is not there makes none
_NOT_SHOWN = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f]")


class Screen:
    """The window that `WINDOW` names in the session that `STY` names."""

    name = "screen"
    priority = 40
    variables = ("STY", "WINDOW", "SCREENDIR")

    async def capture(self, request: CaptureRequest) -> Capture | None:
        """The window's `hardcopy -h`. screen writes it to a file after its client has gone, so a second file says that
        the first is whole. Both in one `eval` would be of the window that is in front, whatever `-p` says. Raises
        TermaError when the session or window is gone."""
        session, window = request.env.get("STY", ""), request.env.get("WINDOW", "")
        if not _SESSION.match(session) or not _WINDOW.match(window):
            return None
        with scratch.folder() as folder:
            text, whole = folder / "text", folder / "whole"
            for copy in (("-h", str(text)), (str(whole),)):
                await output_of(
                    ["screen", "-S", session, "-p", window, "-X", "hardcopy", *copy],
                    path=request.path,
                    env={name: request.env[name] for name in ("SCREENDIR",) if request.env.get(name)},
                )
            await self._written(whole, window)
            with text.open("rb") as file:
                file.seek(max(0, text.stat().st_size - MAX_BYTES))
                data = file.read(MAX_BYTES)
        # A hardcopy holds the lowest byte of each character alone: Latin-1 survives, the rest cannot be read back.
        shown = _NOT_SHOWN.sub("\N{REPLACEMENT CHARACTER}", data.decode("latin-1"))
        return Capture(self.name, shown, columns=request.columns)

    async def _written(self, whole: Path, window: str) -> None:
        for _ in range(int(_PATIENCE / _POLL)):
            if _is_there(whole):
                return
            await asyncio.sleep(_POLL)
        raise TermaError(f"screen: window {window} gave no text", "check that it is still there: screen -ls")


def _is_there(file: Path) -> bool:
    return file.exists()


PLUGIN = Screen()
