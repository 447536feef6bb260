"""The output of each session as a resource: terma://session/NAME/output."""

from __future__ import annotations

from urllib.parse import quote, unquote

from terma.client import Connection
from terma.errors import TermaError
from terma.mcp.protocol import NO_RESOURCE, Failure, Message
from terma.text import one_line

_URI, _URI_END = "terma://session/", "/output"
_LONGEST = 200_000  # characters
_KIND = {"mimeType": "text/plain"}


def templates() -> Message:
    """What answers resources/templates/list."""
    told = {"uriTemplate": f"{_URI}{{name}}{_URI_END}", "name": "session output"}
    return {"resourceTemplates": [told | {"description": "what a session has printed"} | _KIND]}


def listing(agent: Connection) -> Message:
    """What answers resources/list. Raises TermaError."""
    from terma.redact import redact
    from terma.sessions import remote

    found = []
    for one in remote.call(agent, "list", {}).get("items", []):
        command = redact(" ".join(one["command"])).text
        about = one_line(f"what {command} has printed ({one['state']})")
        uri = _URI + quote(one["session"]) + _URI_END
        found.append({"uri": uri, "name": one["session"], "description": about} | _KIND)
    return {"resources": found}


def reading(agent: Connection, uri: str) -> Message:
    """What answers resources/read, without secrets. Raises Failure for what is not there."""
    from terma.mcp.shown import output
    from terma.sessions import remote

    name = unquote(uri.removeprefix(_URI).removesuffix(_URI_END))
    if uri != _URI + quote(name) + _URI_END:
        raise Failure(NO_RESOURCE, f"there is no resource {one_line(uri, 100)}")
    try:
        result = remote.call(agent, "read", {"session": name, "all": True})
    except TermaError as error:
        raise Failure(NO_RESOURCE, one_line(f"{error.message} ({error.hint})", 300)) from error
    return {"contents": [{"uri": uri, "text": output(result["data"], _LONGEST)} | _KIND]}
