"""What changes a session as a whole, and ends it."""

from __future__ import annotations

from terma.sessions.operations._common import SESSION
from terma.sessions.parameters import Operation, Parameter

OPERATIONS: tuple[Operation, ...] = (
    Operation(
        "resize",
        "give its terminal another size",
        "Change the size of its terminal.",
        (
            SESSION,
            Parameter("cols", "integer", "columns", positional="one"),
            Parameter("rows", "integer", "rows", positional="one"),
        ),
    ),
    Operation(
        "clear",
        "drop its output",
        "Drop the output that is kept; positions go on.",
        (SESSION,),
        destructive=True,
    ),
    Operation(
        "stop",
        "end its program and all that it started; keep the output",
        "End the program and everything it started. The output can still be read.",
        (SESSION, Parameter("grace", "number", "seconds until it is ended by force", 2.0)),
        destructive=True,
    ),
    Operation(
        "kill",
        "end its program and all that it started; delete everything",
        "End the program and everything it started, at once, and delete the session with its output.",
        (SESSION,),
        destructive=True,
    ),
)
