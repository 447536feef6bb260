"""What the tools do: every session operation, from its one definition, and what else the agent knows to answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from terma.client import Connection
from terma.errors import UsageError
from terma.mcp import shown, told
from terma.mcp.listed import OTHERS, PREFIX
from terma.mcp.secrets import Secrets
from terma.output import digest, plain
from terma.redact import whole
from terma.sessions import passwords, remote, screens
from terma.sessions.operations import BY_NAME, LIMIT, Operation, checked
from terma.sessions.texts import Texts

_LONGEST = 8_000  # characters of an output that an engine is told
Arguments = Mapping[str, Any]
Surroundings = Callable[[], dict[str, str]]


@dataclass(frozen=True, slots=True)
class Answer:
    """What a tool says: text for the model, and content of other kinds (a picture)."""

    text: str
    beside: tuple[dict[str, Any], ...] = ()


@dataclass(frozen=True, slots=True)
class Caller:
    """Who calls: where it runs, what it knows of secrets, and its ear: all output so far, as it comes."""

    here: Surroundings
    secrets: Secrets
    heard: Callable[[bytearray], None]


def do(name: str, arguments: Arguments, agent: Connection, caller: Caller) -> Answer:
    """Do what tool `name` does. Raises TermaError."""
    if name.startswith(PREFIX):
        return _session(name.removeprefix(PREFIX), arguments, agent, caller)
    fields = caller.here()
    known = set(OTHERS[name]["properties"])
    if set(arguments) - known or set(OTHERS[name]["required"]) - set(arguments):
        raise UsageError(f"{name} takes {', '.join(sorted(known)) or 'no arguments'}")
    if name == "suggest":
        found = agent.ask_json("suggest", fields | {"words": str(arguments["words"]), "count": "3"})
        return Answer(_candidates(found))
    if name == "why":
        found = agent.ask_json("why_json", fields | _failure(arguments))
        fixes = "".join(f"\n- `{fix['command']}` ({fix['risk']})" for fix in found["fixes"])
        return Answer(found["explanation"] + fixes)
    return Answer(agent.ask_json("last", fields)["text"])


class _Collected(Texts):
    def __init__(self, heard: Callable[[bytearray], None]) -> None:
        super().__init__()
        self._heard = heard

    def __call__(self, data: bytes) -> None:
        super().__call__(data)
        self._heard(self.raw)


def _session(name: str, arguments: Arguments, agent: Connection, caller: Caller) -> Answer:
    operation, secrets = BY_NAME[name], caller.secrets
    values = _values(operation, arguments)
    values = secrets.put_back(
        name,
        values,
        lambda: (
            remote.call(agent, "info", {"session": values["session"]})
            | remote.line(agent, str(values["session"]))
        ),
    )
    if name == "secret":
        value = passwords.value(values["secret"])
        secrets.give(values["secret"], value)
        return Answer(told.result(name, remote.answer_password(agent, values["session"], value)))
    limit = values.pop("limit", None)
    form = str(values.get("form") or "plain")
    if values.get("snapshot"):
        values["form"] = "ansi"  # with its places, so that a secret is found where the terminal wrapped it
    collected = _Collected(caller.heard)
    streams = any(parameter.name == "limit" for parameter in operation.parameters)
    result = remote.call(agent, name, values, collected if streams else None, secrets.hide_lines)
    if values.get("snapshot"):
        seen, pictures = shown.snapshot(
            result | {"data": result["data"] or bytes(collected.raw)}, form, secrets
        )
        if values.get("changed"):
            seen |= {"screen": screens.changed(seen), "ansi": None, "highlighted": []}
        seen.pop("changed")
        return Answer(told.result(name, seen), tuple(pictures))
    cells = result.pop("cells", None)  # a full-screen program draws: its screen stands beside the output
    found = secrets.hide_all({key: value for key, value in result.items() if key not in ("data", "row")})
    if cells is not None:
        found |= shown.snapshot(result | {"data": cells}, "plain", secrets)[0]
        if values.get("tail") is not None:
            found["screen"] = screens.last_lines(found["screen"], int(values["tail"]))
    if not streams or "ended_by" not in result:
        return Answer(told.result(name, found))
    earlier = remote.before(agent, str(values["session"]), result["start"]) if name == "read" else ""
    text = "" if result.get("drawn") else collected.text()
    printed = shown.output(text, LIMIT if limit is None else int(limit), secrets, earlier)
    return Answer(told.result(name, found, printed))


def _values(operation: Operation, arguments: Arguments) -> dict[str, Any]:
    """The arguments, checked. Raises UsageError, which tells what there is."""
    taken = [parameter for parameter in operation.parameters if parameter.only != "cli"]
    hint = f"it takes {', '.join(parameter.name for parameter in taken) or 'no arguments'}"
    values = checked(operation._replace(name=PREFIX + operation.name), arguments, hint)
    hidden = set(values) - {parameter.name for parameter in taken}
    if hidden:
        raise UsageError(f"{PREFIX}{operation.name} takes no {', '.join(sorted(hidden))}", hint)
    return values


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
