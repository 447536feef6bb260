"""What a Zellij pane shows, with its scrollback."""

from __future__ import annotations

import asyncio
import re

from terma.context import scratch
from terma.context.run import MAX_BYTES, Failed, output_of
from terma.errors import TermaError
from terma.types import Capture, CaptureRequest

_SESSION = re.compile(r"[^\s/-][^\x00-\x1f\x7f/]{0,120}\Z")
_PANE = re.compile(r"\d{1,9}\Z", re.ASCII)
_USAGE = 2  # the status with which it refuses an option that it does not know
_POLL = 0.005  # seconds


class Zellij:
    """The pane that `ZELLIJ_PANE_ID` names in the session that `ZELLIJ_SESSION_NAME` names.

    The command: https://zellij.dev/documentation/cli-actions. From 0.44 on it takes a pane and writes to stdout;
    before, it wrote the focused pane (in which the person has just pressed Enter) to a file."""

    name = "zellij"
    priority = 30
    variables = ("ZELLIJ_PANE_ID", "ZELLIJ_SESSION_NAME")

    async def capture(self, request: CaptureRequest) -> Capture | None:
        """The pane's whole text. Raises TermaError when zellij is not there, does not know the session, or is too old
        to show another pane than the focused one."""
        session, pane = request.env.get("ZELLIJ_SESSION_NAME", ""), request.env.get("ZELLIJ_PANE_ID", "")
        if not _SESSION.match(session) or not _PANE.match(pane):
            return None
        dump = ["zellij", "--session", session, "action", "dump-screen", "--full"]
        try:
            said = await output_of([*dump, "--pane-id", f"terminal_{pane}"], path=request.path)
        except Failed as refusal:
            if refusal.status != _USAGE:
                raise
            if request.another:
                raise TermaError(
                    "this zellij shows the focused pane alone", "zellij 0.44 shows others"
                ) from None
            said = await self._through_a_file(dump, request.path)
        return Capture(self.name, said.decode("utf-8", "replace"), columns=request.columns)

    async def _through_a_file(self, dump: list[str], path: str) -> bytes:
        """The older form. The server writes the file, perhaps after the program has ended: wait until it stays as it
        is. Who calls bounds that."""
        with scratch.folder() as folder:
            file = folder / "text"
            await output_of([*dump, str(file)], path=path)
            size, before = -1, -2
            while size <= 0 or size != before:
                await asyncio.sleep(_POLL)
                size, before = (file.stat().st_size if file.exists() else -1), size
            with file.open("rb") as stream:
                stream.seek(max(0, size - MAX_BYTES))
                return stream.read(MAX_BYTES)


PLUGIN = Zellij()
