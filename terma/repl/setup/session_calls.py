"""A session's operation for a conversation: what `terma session` does, on a thread, with its output as text."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

from terma import client
from terma.redact import marked, redact
from terma.sessions import pictures, remote
from terma.sessions.operations import BY_NAME
from terma.sessions.texts import behind
from terma.text import sanitize

_KEY = 100  # characters: a longer secret is a key or a token
MAX_OUTPUT = 2**20  # bytes of output that are kept: the last ones


async def called(name: str, arguments: Mapping[str, Any], cwd: str) -> dict[str, Any]:
    """The result, with "output" for operations that print. Cancelling it ends the wait, not the program.

    Raises TermaError."""
    agent = await asyncio.to_thread(client.connect)
    work = asyncio.ensure_future(asyncio.to_thread(_call, agent, name, dict(arguments), cwd))
    try:
        return await asyncio.shield(work)
    except asyncio.CancelledError:
        agent.cancel()
        await asyncio.wait([work])
        if not work.cancelled():
            work.exception()
        raise
    finally:
        agent.close()


def _call(agent: client.Connection, name: str, arguments: dict[str, Any], cwd: str) -> dict[str, Any]:
    if name == "line":
        return remote.line(agent, str(arguments["session"]))
    if name == "create" and cwd:
        arguments.setdefault("cwd", cwd)
    kept = bytearray()

    def sink(piece: bytes) -> None:
        kept.extend(piece)
        del kept[:-MAX_OUTPUT]

    if arguments.get("snapshot"):
        arguments["form"] = "ansi"  # comes with what stands above it
    streams = any(parameter.name == "timeout" for parameter in BY_NAME[name].parameters)
    result = remote.call(agent, name, arguments, sink if streams else None, lambda text: marked(redact(text)))
    if arguments.get("snapshot") and "above" in result:
        result["screen"] = _without_keys(result)
    for key in ("data", "cells", "above"):
        result.pop(key, None)
    row = result.pop("row", b"")
    screen = None if arguments.get("snapshot") else result.pop("screen", None)
    if streams and "screen" not in result and "ended_by" in result:
        text = "" if result.get("drawn") else behind(row if len(kept) < MAX_OUTPUT else b"", bytes(kept))
        result["output"] = sanitize("\n".join(filter(None, (text, screen))))
        if name == "read":
            start = result["position"] - len(kept)
            result["before"] = sanitize(remote.before(agent, str(arguments["session"]), start))
    return result


def _without_keys(shown: Mapping[str, Any]) -> str:
    """The text of a screen with stars for private keys, also where one begins above it. What is shorter gets its
    placeholder with the rest of what the model is told."""
    lines = pictures.hidden(
        pictures.lines_of(shown),
        shown["columns"],
        lambda text: [one for one in redact(text).secrets.values() if len(one) > _KEY],
        str(shown["above"]),
    )
    return sanitize(pictures.text_of(lines))
