"""The tools: every session operation, from its one definition, and what else the agent knows to answer."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from terma.client import Connection
from terma.errors import UsageError
from terma.mcp import shown
from terma.output import digest, plain
from terma.redact import marked, redact, whole
from terma.sessions import remote
from terma.sessions.operations import BY_NAME, OPERATIONS, Operation, checked, schema

PREFIX = "session_"
_LONGEST = 8_000  # characters of an output that an engine is told
_TEXT = {"type": "string"}
Arguments = Mapping[str, Any]
Surroundings = Callable[[], dict[str, str]]


@dataclass(frozen=True, slots=True)
class Answer:
    """What a tool says: text for the model, the same as data, and content of other kinds (a picture)."""

    text: str
    data: dict[str, Any]
    beside: tuple[dict[str, Any], ...] = ()


_OTHERS: dict[str, dict[str, Any]] = {
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
    for name, tool in _OTHERS.items():
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
    return {
        "title": operation.summary,
        "readOnlyHint": operation.read_only,
        "destructiveHint": operation.destructive,
        "idempotentHint": operation.read_only or operation.name in ("stop", "resize", "clear"),
        "openWorldHint": operation.name in ("create", "exec", "send"),
    }


def exists(name: str) -> bool:
    """Whether there is a tool of this name."""
    operation = BY_NAME.get(name.removeprefix(PREFIX)) if name.startswith(PREFIX) else None
    return name in _OTHERS or (operation is not None and operation.only != "cli")


def do(
    name: str, arguments: Arguments, agent: Connection, here: Surroundings, heard: Callable[[int], None]
) -> Answer:
    """Do what tool `name` does. Raises TermaError. `heard` is told how many bytes of output came so far."""
    if name.startswith(PREFIX):
        return _session(name.removeprefix(PREFIX), arguments, agent, heard)
    fields = here()
    known = set(_OTHERS[name]["properties"])
    if set(arguments) - known or set(_OTHERS[name]["required"]) - set(arguments):
        raise UsageError(f"{name} takes {', '.join(sorted(known)) or 'no arguments'}")
    if name == "suggest":
        found = agent.ask_json("suggest", fields | {"words": str(arguments["words"]), "count": "3"})
        return Answer(_candidates(found), found)
    if name == "why":
        found = agent.ask_json("why_json", fields | _failure(arguments))
        fixes = "".join(f"\n- `{fix['command']}` ({fix['risk']})" for fix in found["fixes"])
        return Answer(found["explanation"] + fixes, found)
    found = agent.ask_json("last", fields)
    return Answer(found["text"], found)


def _session(name: str, arguments: Arguments, agent: Connection, heard: Callable[[int], None]) -> Answer:
    operation = BY_NAME[name]
    values = checked(operation, arguments)
    limit = values.pop("limit", None)
    hidden = {parameter.name for parameter in operation.parameters if parameter.only == "cli"}
    if hidden & set(values):
        raise UsageError(f"{name} takes no {', '.join(sorted(hidden & set(values)))}")
    form = str(values.get("form") or "plain")
    if values.get("snapshot"):
        values["form"] = "ansi"  # with its places, so that a secret is found where the terminal wrapped it
    collected = bytearray()

    def sink(piece: bytes) -> None:
        collected.extend(piece)
        heard(len(collected))

    streams = any(parameter.name == "timeout" for parameter in operation.parameters)
    result = remote.call(agent, name, values, sink if streams else None, lambda text: marked(redact(text)))
    if "screen" in result:
        told, pictures = shown.snapshot(result | {"data": result["data"] or bytes(collected)}, form)
        return Answer(_told(told), told, tuple(pictures))
    result.pop("data", None)
    told = shown.without_secrets(result)
    if streams:
        earlier = ""
        if name == "read":
            earlier = remote.before(agent, str(values["session"]), result["position"] - len(collected))
        told["output"] = shown.output(bytes(collected), 30000 if limit is None else int(limit), earlier)
    return Answer(_told(told), told)


def _told(result: Mapping[str, Any]) -> str:
    """A result as text: its output, then the rest on one line."""
    body = str(result.get("output", result.get("ansi", result.get("screen", ""))))
    rest = {key: value for key, value in result.items() if key not in ("output", "screen", "ansi")}
    return f"{body}\n{json.dumps(rest, ensure_ascii=False)}" if body else json.dumps(rest, ensure_ascii=False)


def _candidates(found: Mapping[str, Any]) -> str:
    return "\n".join(str(one.get("command", one)) for one in found.get("candidates", ()))


def _failure(arguments: Arguments) -> dict[str, str]:
    status = arguments.get("status", 1)
    return {
        "command": str(arguments["command"]),
        "status": str(int(status)) if isinstance(status, int | float) else "1",
        "output": digest(whole(plain(str(arguments.get("output") or "")), _LONGEST), _LONGEST),
        "command_dir": str(arguments.get("cwd") or ""),
        "question": str(arguments.get("question") or ""),
    }
