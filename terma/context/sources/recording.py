"""What our own recorder (`terma shell`) heard of each command."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from terma.context import peer
from terma.context.lines import same_command
from terma.context.own import is_ours
from terma.context.recent import Past
from terma.errors import TermaError
from terma.types import Capture, CaptureRequest

_MAX_BYTES = 16 * 1024 * 1024
_NEWEST = 20  # commands asked for: empty Enters and questions may stand after the one that is meant


class Recording:
    """The recorder that listens on `TERMA_RECORDING`, a socket of ours in a folder of ours alone."""

    name = "recording"
    priority = 10
    variables = ("TERMA_RECORDING",)

    async def capture(self, request: CaptureRequest) -> Capture | None:
        """The output of the newest command that has ended, was no question to us, and is the request's, if that is
        known. Raises TermaError when the recording does not hold it, OSError when the recorder is gone."""
        address = request.env.get("TERMA_RECORDING", "")
        if not address.startswith("/"):
            return None
        recorded = await _asked(address)
        for command in reversed(recorded["commands"]):
            if _is_meant(command, request):
                return Capture(
                    self.name,
                    command["output"],
                    exact=True,
                    columns=_whole(recorded.get("columns"), request.columns),
                    status=_whole(command.get("status"), -1),
                    command=command.get("command") or "",
                )
        raise TermaError("the recording does not hold that command")

    async def recent(self, request: CaptureRequest) -> tuple[Past, ...] | None:
        """Every command that it holds, has ended and was none of ours, the oldest first; None without a recorder."""
        address = request.env.get("TERMA_RECORDING", "")
        if not address.startswith("/"):
            return None
        return tuple(
            Past(command["command"], command["output"], _whole(command.get("status"), -1))
            for command in (await _asked(address))["commands"]
            if (command.get("command") or "").strip()
            and not command.get("running")
            and not is_ours(command["command"])
        )


async def _asked(address: str) -> Mapping[str, Any]:
    return _read(await peer.ask(address, f"last {_NEWEST}\n".encode(), limit=_MAX_BYTES, private=True))


def _read(said: bytes) -> Mapping[str, Any]:
    """The recorder's answer, its shape checked. Raises TermaError."""
    try:
        recorded = json.loads(said)
        sound = all(
            isinstance(command["output"], str) and isinstance(command.get("command"), str | None)
            for command in recorded["commands"]
        )
    except (ValueError, TypeError, KeyError) as error:
        raise TermaError("the recording cannot be read") from error
    if not sound or not isinstance(recorded, Mapping):
        raise TermaError("the recording cannot be read")
    return recorded


def _is_meant(command: Mapping[str, Any], request: CaptureRequest) -> bool:
    typed = command.get("command")
    if command.get("running"):
        return False
    if typed is None:  # the shell did not say: then the exit status must do
        return request.status in (-1, command.get("status"))
    if is_ours(typed) or not typed.strip():
        return False
    return not request.command or same_command(typed, request.command)


def _whole(value: object, otherwise: int) -> int:
    return value if isinstance(value, int) else otherwise


PLUGIN = Recording()
