"""What several operations take."""

from __future__ import annotations

from terma.sessions.parameters import DEFAULT_TIMEOUT, Parameter

LIMIT = 30_000  # characters of output that a model is shown, where it asks for no other number
SESSION = Parameter("session", "string", "the session's name", positional="one")
TIMEOUT = Parameter(
    "timeout", "number", f"seconds to wait at most (default: {DEFAULT_TIMEOUT:g})", DEFAULT_TIMEOUT
)
WAIT = Parameter("wait", "string", "wait until this regular expression matches the output, behind the echo")
SETTLE = Parameter("settle", "integer", "wait until nothing was printed for this many milliseconds")
RAW = Parameter(
    "raw", "boolean", "the bytes as they were printed, escape sequences and all", False, only="cli"
)
LENGTH = Parameter(
    "limit", "integer", "characters of output at most; the middle is left out", LIMIT, only="mcp"
)
