"""What a tmux pane shows, with its scrollback."""

from __future__ import annotations

import re

from terma.context.run import output_of
from terma.types import Capture, CaptureRequest

SCROLLBACK = 5000  # lines above the screen
_SOCKET = re.compile(r"(/.+),\d+,\d+\Z", re.S)
_PANE = re.compile(r"%\d{1,9}\Z", re.ASCII)


class Tmux:
    """The pane that `TMUX_PANE` names, on the server that `TMUX` (socket,pid,session) names."""

    name = "tmux"
    priority = 20
    variables = ("TMUX_PANE", "TMUX")

    async def capture(self, request: CaptureRequest) -> Capture | None:
        """The screen and the lines above it. tmux joins the lines it wrapped (`-J`) and says how wide the pane is;
        `-u` gives UTF-8 whatever the agent's locale. Raises TermaError when the server or the pane is gone."""
        pane = request.env.get("TMUX_PANE", "")
        server = _SOCKET.match(request.env.get("TMUX", ""))
        if not server or not _PANE.match(pane):
            return None
        said = await output_of(
            [
                *("tmux", "-u", "-S", server[1]),
                *("display-message", "-p", "-t", pane, "#{pane_width}", ";"),
                *("capture-pane", "-p", "-J", "-t", pane, "-S", f"-{SCROLLBACK}"),
            ],
            path=request.path,
        )
        width, _, text = said.decode("utf-8", "replace").partition("\n")
        return Capture(self.name, text, columns=int(width) if width.isdecimal() else request.columns)


PLUGIN = Tmux()
