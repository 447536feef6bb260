"""Each session as two resources: terma://session/NAME/output and terma://session/NAME/state."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote, unquote

from terma.client import Connection
from terma.errors import TermaError
from terma.mcp.protocol import NO_RESOURCE, Failure, Message
from terma.text import one_line

if TYPE_CHECKING:
    from terma.mcp.secrets import Secrets

_URI = "terma://session/"
_OUTPUT, _STATE = "/output", "/state"
_LONGEST = 200_000  # characters
_KIND = {"mimeType": "text/plain"}
_KEPT = ("session", "state", "exit_status", "last_status", "position")


def templates() -> Message:
    """What answers resources/templates/list."""
    about = {_OUTPUT: "what a session has printed", _STATE: "whether it runs, and how its last command ended"}
    told = [
        {"uriTemplate": f"{_URI}{{name}}{end}", "name": f"session {end[1:]}", "description": words} | _KIND
        for end, words in about.items()
    ]
    return {"resourceTemplates": told}


def listing(agent: Connection, secrets: Secrets) -> Message:
    """What answers resources/list. Raises TermaError."""
    from terma.sessions import remote

    found = []
    for one in remote.call(agent, "list", {}).get("items", []):
        command = secrets.hide(" ".join(one["command"]))
        uri = _URI + quote(one["session"])
        about = {_OUTPUT: f"what {command} has printed ({one['state']})", _STATE: f"the state of {command}"}
        for end, words in about.items():
            told = {"uri": uri + end, "name": one["session"] + end, "description": one_line(words)}
            found.append(told | _KIND)
    return {"resources": found}


def reading(agent: Connection, uri: str, secrets: Secrets) -> Message:
    """What answers resources/read, without secrets. Raises Failure for what is not there."""
    from terma.mcp import told
    from terma.mcp.shown import output
    from terma.sessions import remote

    name = session_of(uri)
    try:
        if uri.endswith(_STATE):
            info = remote.call(agent, "info", {"session": name})
            text = told.result("info", {key: info.get(key) for key in _KEPT})
        else:
            result = remote.call(agent, "read", {"session": name, "all": True})
            text = output(remote.text_of(result), _LONGEST, secrets).text
    except TermaError as error:
        raise Failure(NO_RESOURCE, one_line(f"{error.message} ({error.hint})", 300)) from error
    return {"contents": [{"uri": uri, "text": text} | _KIND]}


def session_of(uri: str) -> str:
    """The session that `uri` is about. Raises Failure for a URI that is none of ours."""
    end = next((end for end in (_OUTPUT, _STATE) if uri.endswith(end)), "")
    name = unquote(uri.removeprefix(_URI).removesuffix(end)) if end else ""
    if not name or uri != _URI + quote(name) + end:
        raise Failure(NO_RESOURCE, f"there is no resource {one_line(uri, 100)}")
    return name
