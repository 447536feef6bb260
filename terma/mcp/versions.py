"""What differs from one version of the protocol to the next.

Up to 2025-11-25 a connection begins with `initialize`. From 2026-07-28 on each request says its version itself, in
`_meta`, and each result says what it is; `server/discover` tells what there is.
"""

from __future__ import annotations

from typing import Any

from terma import __version__
from terma.mcp.protocol import BAD_PARAMS, Failure, Message

HANDSHAKE = ("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05")  # the newest first
STATELESS = ("2026-07-28",)
UNSUPPORTED = -32022
_VERSION, _CAPABILITIES, _SERVER = (
    f"io.modelcontextprotocol/{name}" for name in ("protocolVersion", "clientCapabilities", "serverInfo")
)
_CACHED = ("server/discover", "tools/list", "resources/templates/list")  # the same until terma is upgraded
_NEVER_OLD = ("resources/list", "resources/read")
_HOUR = 3_600_000  # milliseconds
INFO = {"name": "terma", "version": __version__}
CAPABILITIES: Message = {"tools": {}, "resources": {"subscribe": True}}


def stateless(params: Message) -> str:
    """The version that a request says by itself; "" for one of a connection that began with `initialize`.

    Raises Failure for one that is not spoken here, or when what belongs to it is missing."""
    meta = params.get("_meta")
    if not isinstance(meta, dict) or _VERSION not in meta:
        return ""
    version = meta[_VERSION]
    if not isinstance(version, str) or not isinstance(meta.get(_CAPABILITIES), dict):
        raise Failure(BAD_PARAMS, f"_meta wants {_VERSION} (text) and {_CAPABILITIES} (an object)")
    if version not in STATELESS:
        told = {"supported": list(STATELESS), "requested": version}
        raise Failure(UNSUPPORTED, "this version of the protocol is not spoken here", told)
    return version


def agreed(wanted: Any) -> str:
    """The version of a connection whose client asked for `wanted`."""
    return wanted if wanted in HANDSHAKE else HANDSHAKE[0]


def initialized(version: str, instructions: str) -> Message:
    """What answers `initialize`."""
    told = {"protocolVersion": version, "capabilities": CAPABILITIES, "serverInfo": INFO}
    return told | {"instructions": instructions}


def discovered(instructions: str) -> Message:
    """What answers `server/discover`."""
    versions = [*STATELESS, *HANDSHAKE]
    return {"supportedVersions": versions, "capabilities": CAPABILITIES, "instructions": instructions}


def finished(method: str, result: Message) -> Message:
    """A result as a stateless version wants it."""
    told: Message = {"resultType": "complete", "_meta": {_SERVER: INFO}} | result
    if method in _CACHED or method in _NEVER_OLD:
        told |= {"ttlMs": _HOUR if method in _CACHED else 0, "cacheScope": "private"}
    return told
