"""What a kitty window shows, with its scrollback and the marks of kitty's shell integration."""

from __future__ import annotations

import json
import re

from terma.context import peer
from terma.errors import TermaError
from terma.types import Capture, CaptureRequest

_WINDOW = re.compile(r"\d{1,9}\Z", re.ASCII)
_OPEN, _CLOSE = b"\x1bP@kitty-cmd", b"\x1b\\"
_MAX_BYTES = 16 * 1024 * 1024
_HOW = "in kitty.conf, set allow_remote_control socket-only and listen_on unix:/tmp/kitty-{kitty_pid}"


class Kitty:
    """The window that `KITTY_WINDOW_ID` names, asked over the socket that `KITTY_LISTEN_ON` names.

    We speak kitty's own protocol (https://sw.kovidgoyal.net/kitty/rc_protocol/), as `kitten @ get-text --match id:N
    --extent all --ansi` would: the answer takes 2 ms where the program took 470. The last command's own output is
    not asked for, since to kitty that is `?why`; with --ansi the text holds the marks by which it can be cut out."""

    name = "kitty"
    priority = 50
    variables = ("KITTY_LISTEN_ON", "KITTY_WINDOW_ID", "TERM", "SSH_CONNECTION")

    async def capture(self, request: CaptureRequest) -> Capture | None:
        """The screen and all of the scrollback, with SGR and OSC 133. Raises TermaError when kitty does not listen,
        wants a password or does not know the window."""
        window, listen = request.env.get("KITTY_WINDOW_ID", ""), request.env.get("KITTY_LISTEN_ON", "")
        if not _WINDOW.match(window):
            return None
        if not listen.startswith(("unix:/", "unix:@")):
            if request.env.get("TERM") != "xterm-kitty" or request.env.get("SSH_CONNECTION"):
                return None  # it only was inherited
            raise TermaError("kitty does not let other programs read its text", _HOW)
        address = listen.removeprefix("unix:")
        question = {
            "cmd": "get-text",
            "version": [0, 26, 0],
            "no_response": False,
            "payload": {"match": f"id:{window}", "extent": "all", "ansi": True},
        }
        said = await peer.ask(
            "\0" + address[1:] if address.startswith("@") else address,
            _OPEN + json.dumps(question).encode() + _CLOSE,
            end=_CLOSE,
            limit=_MAX_BYTES,
        )
        return Capture(self.name, _text(said), columns=request.columns)


def _text(said: bytes) -> str:
    """The text in kitty's answer; raises TermaError with kitty's own words when it refused."""
    try:
        answer = json.loads(said[said.index(_OPEN) + len(_OPEN) : -len(_CLOSE)])
        refused = "" if answer.get("ok") else answer.get("error", "it refused")
        text = answer.get("data", "")
    except (ValueError, AttributeError) as error:
        raise TermaError("kitty gave an answer that cannot be read", _HOW) from error
    if refused or not isinstance(text, str):
        raise TermaError(f"kitty: {refused or 'it gave no text'}")
    return text


PLUGIN = Kitty()
