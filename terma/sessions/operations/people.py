"""What a person does with a session: no tools of a model's."""

from __future__ import annotations

from terma.sessions.operations._common import SESSION
from terma.sessions.parameters import Operation, Parameter

OPERATIONS: tuple[Operation, ...] = (
    Operation(
        "attach",
        "put this terminal in its place; Ctrl+] comes back",
        "",
        (SESSION, Parameter("watch", "boolean", "look on without typing", False)),
        only="cli",
    ),
    Operation(
        "record",
        "record what it shows, until it exits or Ctrl+C, as an asciicast file",
        "",
        (SESSION, Parameter("file", "string", "the file to write", positional="one")),
        only="cli",
    ),
    Operation(
        "replay",
        "play such a recording",
        "",
        (
            Parameter("file", "string", "the file", positional="one"),
            Parameter("speed", "number", "times as fast", 1.0),
            Parameter("pause", "number", "seconds that nothing happens at most", 2.0),
        ),
        only="cli",
    ),
    Operation(
        "skills",
        "list, show or install what teaches a coding agent to use sessions",
        "",
        (
            Parameter("show", "string", "print this one"),
            Parameter("install", "string", "write all of them into this folder, such as ~/.claude/skills"),
        ),
        only="cli",
    ),
)
