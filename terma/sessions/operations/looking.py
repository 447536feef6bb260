"""What is told of sessions: their output, their screens, their state."""

from __future__ import annotations

from terma.sessions.operations._common import LENGTH, RAW, SESSION, SETTLE, TIMEOUT, WAIT
from terma.sessions.parameters import Operation, Parameter

OPERATIONS: tuple[Operation, ...] = (
    Operation(
        "read",
        "show what it printed",
        "Output since the last read (default), all of it, its first or last lines, or the screen of a full-screen "
        "program. With wait or settle it waits first.",
        (
            SESSION,
            Parameter("all", "boolean", "everything that is kept", False),
            Parameter("head", "integer", "the first N lines"),
            Parameter("tail", "integer", "the last N lines"),
            Parameter("since", "integer", "from this position on"),
            Parameter("cursor", "string", "read on behalf of this reader: each has its own place", ""),
            Parameter("snapshot", "boolean", "the screen as it looks now", False),
            Parameter(
                "form",
                "string",
                "how the screen is shown: text, text with its colours, or a picture",
                choices=("plain", "ansi", "png"),
                default="plain",
            ),
            Parameter(
                "changed",
                "boolean",
                "with snapshot: only the rows that this reader has not seen so, with their numbers from 0",
                False,
            ),
            Parameter("follow", "boolean", "go on until it exits", False, only="cli"),
            WAIT,
            SETTLE,
            TIMEOUT,
            RAW,
            LENGTH,
        ),
        read_only=True,
        consumes=True,
    ),
    Operation(
        "search",
        "find lines of its output",
        "Lines of the output that match a regular expression, with their context.",
        (
            SESSION,
            Parameter("pattern", "string", "a regular expression", positional="one"),
            Parameter("context", "integer", "lines around each", 0),
            Parameter("ignore_case", "boolean", "upper and lower case are alike", False),
            Parameter("max", "integer", "matches at most", 100),
        ),
        read_only=True,
    ),
    Operation("list", "show the sessions there are", "All sessions with their state.", (), read_only=True),
    Operation(
        "info",
        "show all about one",
        "State, process, times, sizes, cursors and exit status of one session.",
        (SESSION, Parameter("size", "boolean", "its position alone: how much it has printed", False)),
        read_only=True,
    ),
    Operation(
        "wait",
        "wait until one of several is idle, has exited, or prints something",
        "Wait until one of the sessions is idle (its command has ended, or it waits for an answer), has exited, or "
        "prints what one of the patterns matches. What is not read yet counts; no reader's place moves.",
        (
            Parameter("sessions", "array", "the names of sessions", positional="some"),
            Parameter(
                "until",
                "string",
                "what ends it beside a pattern and an exit (default: idle, with patterns: exit)",
                choices=("idle", "exit"),
            ),
            Parameter(
                "pattern", "array", "NAME=REGEX or REGEX: the first that is printed ends it, by its name"
            ),
            TIMEOUT,
        ),
        read_only=True,
    ),
    Operation(
        "cursor",
        "list, move or drop the places of its readers",
        "The places where readers of one session stopped: list them, move one, or drop it.",
        (
            SESSION,
            Parameter("cursor", "string", 'the reader (default: the one without a name, "")', ""),
            Parameter("to", "string", "move it to this position, to the start or to the end"),
            Parameter("drop", "boolean", "forget it: it begins anew", False),
        ),
    ),
)
