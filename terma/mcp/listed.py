"""Which tools there are, as a client lists them: all that is asked before the first is called, so it brings no more
with it than the definitions of the operations.
"""

from __future__ import annotations

from typing import Any

from terma.sessions.operations import BY_NAME, OPERATIONS, Operation, schema

PREFIX = "session_"
_TEXT = {"type": "string"}

OTHERS: dict[str, dict[str, Any]] = {
    "suggest": {
        "description": "A shell command for what the words ask, with its risk. Nothing is run.",
        "properties": {"words": _TEXT | {"description": "what is wanted, in plain words"}},
        "required": ["words"],
    },
    "why": {
        "description": "Why a command failed, and what to type instead. Nothing is run.",
        "properties": {
            "command": _TEXT | {"description": "the command line"},
            "status": {"type": "integer", "description": "its exit status", "default": 1},
            "output": _TEXT | {"description": "what it printed"},
            "cwd": _TEXT | {"description": "where it ran"},
            "question": _TEXT | {"description": "what to know of it"},
        },
        "required": ["command"],
    },
    "last_failure": {
        "description": "What the terminal around this server shows of the last command, with secrets taken out.",
        "properties": {},
        "required": [],
    },
}


def listing() -> list[dict[str, Any]]:
    """The tools as tools/list gives them."""
    tools = [
        {
            "name": PREFIX + operation.name,
            "title": operation.summary,
            "description": operation.words,
            "inputSchema": schema(operation),
            "annotations": _annotations(operation),
        }
        for operation in OPERATIONS
        if operation.only != "cli"
    ]
    for name, tool in OTHERS.items():
        wanted = {"type": "object", "properties": tool["properties"], "required": tool["required"]}
        tools.append(
            {
                "name": name,
                "description": tool["description"],
                "inputSchema": wanted | {"additionalProperties": False},
                "annotations": {"readOnlyHint": True, "openWorldHint": name != "last_failure"},
            }
        )
    return tools


def _annotations(operation: Operation) -> dict[str, Any]:
    reads = operation.read_only and not operation.consumes
    return {
        "title": operation.summary,
        "readOnlyHint": reads,
        "destructiveHint": operation.destructive,
        "idempotentHint": reads or operation.name in ("stop", "resize", "clear"),
        "openWorldHint": operation.name in ("create", "exec", "send"),
    }


def exists(name: str) -> bool:
    """Whether there is a tool of this name."""
    operation = BY_NAME.get(name.removeprefix(PREFIX)) if name.startswith(PREFIX) else None
    return name in OTHERS or (operation is not None and operation.only != "cli")
