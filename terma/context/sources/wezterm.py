"""What a WezTerm pane shows, with its scrollback."""

from __future__ import annotations

import re

from terma.context.run import output_of
from terma.types import Capture, CaptureRequest

SCROLLBACK = 2000  # lines above the screen
_PANE = re.compile(r"\d{1,9}\Z", re.ASCII)


class WezTerm:
    """The pane that `WEZTERM_PANE` names, asked of the server that `WEZTERM_UNIX_SOCKET` names.

    The command: https://wezterm.org/cli/cli/get-text.html (2023 and newer). It may not start a server of its own."""

    name = "wezterm"
    priority = 60
    variables = ("WEZTERM_PANE", "WEZTERM_UNIX_SOCKET")

    async def capture(self, request: CaptureRequest) -> Capture | None:
        """The screen and SCROLLBACK lines above it. Raises TermaError when wezterm is not there or does not know the
        pane."""
        pane = request.env.get("WEZTERM_PANE", "")
        socket = request.env.get("WEZTERM_UNIX_SOCKET", "")
        if not _PANE.match(pane) or not socket.startswith("/"):
            return None
        said = await output_of(
            [
                "wezterm",
                "cli",
                "--no-auto-start",
                "get-text",
                "--pane-id",
                pane,
                "--start-line",
                f"-{SCROLLBACK}",
            ],
            path=request.path,
            env={"WEZTERM_UNIX_SOCKET": socket, "WEZTERM_PANE": pane},
        )
        return Capture(self.name, said.decode("utf-8", "replace"), columns=request.columns)


PLUGIN = WezTerm()
