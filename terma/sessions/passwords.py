"""A secret of the person's own settings, typed where a program asks for a password and nowhere else.

It is read where the person's environment is, by who asks the agent, and typed in the same step in which the agent sees
that a password is asked for: at a prompt it would be shown, run and remembered.
"""

from __future__ import annotations

import base64
from collections.abc import Callable
from typing import Any

from terma import paths
from terma.errors import UsageError

Request = Callable[[str, dict[str, Any]], dict[str, Any]]
_TABLE = "sessions.secrets"


def value(name: str) -> str:
    """What `name` stands for in the person's file. Raises TermaError."""
    from terma.config import places  # with pydantic half a second, that nobody else shall wait
    from terma.config.layers import load

    return places.value(load(paths.config_dir() / "config.toml", {}).settings.sessions.secrets, name, _TABLE)


def answer(request: Request, session: str, secret: str) -> dict[str, Any]:
    """Type `secret` and Enter into `session`. Raises TermaError where no password is asked for, and where its output
    is written to files."""
    about = request("info", {"session": session})
    if about.get("storage") == "file":
        raise UsageError("the output of this session is written to files", "use one in memory")
    keys = base64.b64encode(secret.encode() + b"\r").decode()
    sent = request("send", {"session": session, "data": keys, "expects": "password"})
    return {"session": session, "position": sent["position"]}
