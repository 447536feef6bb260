"""Programs on terminals that live on beside the conversation's own shell: servers, REPLs, logins elsewhere."""

from __future__ import annotations

import json
import os
import shlex
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from terma.chat import ToolSpec
from terma.dialogue import Proposal, Ran, World
from terma.errors import UsageError
from terma.sessions.draft import Draft, named
from terma.sessions.operations import BY_NAME, Operation, schema
from terma.sessions.sending import typed
from terma.text import one_line, sanitize
from terma.types import Risk, RiskLevel

PREFIX = "session_"
# What a model needs of each; their description is sent with every request.
OFFERED = {
    "create": "session command cwd kind",
    "exec": "session input wait settle timeout",
    "send": "session text enter keys",
    "read": "session all tail since wait settle timeout",
    "search": "session pattern context ignore_case",
    "list": "",
    "kill": "session",
}
# The operation's own words are for an agent that has nothing else; here is a shell, and each request repeats these.
# What an argument's name says needs no words.
_WORDS = {
    "create": "Start a shell (default), REPL or program on a terminal that lasts.",
    "exec": "Run a line there; gives output and status. needs_input: session_send answers; timeout: session_read has "
    "the rest. Passwords: the person types them (terma session attach NAME).",
    "send": "Type an answer or keys into it.",
    "read": "Output since the last read, all, its last lines, or a program's whole screen.",
    "search": "Lines of its output.",
    "list": "All sessions, with state.",
    "kill": "End the program and all it started; its output goes too.",
}
_ARGUMENTS = {
    "all": "",
    "command": "program and arguments",
    "context": "lines around",
    "cwd": "",
    "enter": "",
    "ignore_case": "",
    "input": "",
    "keys": "text holds keys: <Enter> <C-c> <F10> <Click:ROW,COLUMN>",
    "kind": "what reads commands (over ssh: sh)",
    "pattern": "regex",
    "session": "",
    "settle": "until silent for so many ms",
    "since": "position",
    "tail": "lines",
    "text": "",
    "timeout": "seconds (30)",
    "wait": "until this regex matches",
}
_TYPES = ("exec", "send")
BEFORE = "typed before, and not entered"
_UNSURE = Risk("medium", ("enters a line that is not known in full",))
_LEVELS = {"low": 0, "medium": 1, "high": 2}


class SessionTool:
    """One operation of terma.sessions.operations. What it would type or start is the proposal's command; what is
    approved is all of its arguments, in the directory and on the line where they are."""

    def __init__(self, operation: Operation) -> None:
        self._operation = operation
        self.read_only = operation.read_only
        whole = schema(operation)
        kept = OFFERED[operation.name].split()
        properties = {name: _brief(name, whole["properties"][name]) for name in kept}
        self.spec = ToolSpec(
            PREFIX + operation.name, _WORDS[operation.name], {**whole, "properties": properties}
        )

    def offered(self, world: World) -> bool:
        """Whether a model is told of it: what needs a session only once there is one."""
        return self._operation.name == "create" or world.sessions

    def propose(self, call_id: str, arguments: Mapping[str, Any], world: World) -> Proposal:
        """Raises UsageError where there is nothing to run or to type."""
        name = self._operation.name
        session = one_line(str(arguments.get("session", "")), 80)
        values = _clean({**arguments, "session": session} if session else arguments)
        command = self._command(arguments)
        if name in _TYPES and not command and not arguments.get("enter"):
            raise UsageError(f"{self.spec.name} has nothing to type")
        if name == "create":
            values["cwd"] = _directory(arguments, world.shell.cwd)
        proposal = Proposal(
            id=call_id,
            tool=self.spec.name,
            command=command if name != "send" else "",
            description=self._summary(session, arguments),
            touches=(f"session {session}",) if session and not self.read_only else (),
            arguments=values,
            where=self._shown(values),
        )
        return replace(proposal, risk=self._risk(proposal, world))

    async def looked(self, proposal: Proposal, world: World) -> Proposal:
        """With where the keys would go. Raises TermaError where there is no such session."""
        if self._operation.name not in _TYPES:
            return proposal
        asked = {"args": json.dumps({"session": proposal.arguments["session"]})}
        line = dict(await world.ask(PREFIX + "line", asked))
        cleared = self._operation.name == "exec" and bool(line["cleared"])
        sure = cleared or bool(line["sure"])
        before = "" if cleared else str(line["unentered"])
        where = dict(proposal.where or {}) | {
            "program": one_line(shlex.join(map(str, line["command"])), 120),
            "directory": str(line["cwd"]),
        }
        if before or not sure:
            where[BEFORE] = before + ("" if sure else " and what terma cannot follow")
        values = {**proposal.arguments, "seen": str(line["seen"])}
        looked = replace(proposal, where=where, before=before, arguments=values)
        return replace(looked, risk=self._risk(looked, world, sure))

    def _shown(self, values: Mapping[str, Any]) -> dict[str, str]:
        """Every argument as a person reads it, but for the command, which stands above: keys are decoded."""
        shown: dict[str, str] = {}
        for key, value in values.items():
            if key == "text":
                shown[key] = _keys(values)
            elif key == "cwd":
                shown["directory"] = str(value)
            elif key not in ("command", "input"):
                shown[key] = value if isinstance(value, str) else json.dumps(value, default=str)
        return shown

    def _risk(self, proposal: Proposal, world: World, sure: bool = True) -> Risk:
        """The worst of all that would be entered: each line with what stands there already, and without."""
        cwd = (proposal.where or {}).get("directory", "")
        if self._operation.name != "send":
            commands = dict.fromkeys((proposal.before + proposal.command, proposal.command))
            risks = [world.assess(command, cwd) for command in commands if command.strip()]
            return _worst([*risks, *([] if sure else [_UNSURE])])
        draft = Draft(proposal.before, sure)
        data = b"".join(typed(proposal.arguments))
        entered = draft.take(data)
        texts = [line.text for line in entered] + [draft.text, data.decode("utf-8", "replace")]
        unsure = [_UNSURE] if not all(line.sure for line in entered) else []
        found = [world.assess(sanitize(text), cwd) for text in dict.fromkeys(texts) if text.strip()]
        return _worst([*found, *unsure])

    def _summary(self, session: str, arguments: Mapping[str, Any]) -> str:
        if self._operation.name == "send":
            return f"type into {session}: {one_line(_keys(arguments))}"
        if self._operation.name == "list":
            return "list the sessions"
        return self._operation.summary.replace("it", session or "it", 1)

    def _command(self, arguments: Mapping[str, Any]) -> str:
        if self._operation.name == "exec":
            return sanitize(str(arguments.get("input", "")))
        if self._operation.name == "send":
            return _keys(arguments)
        if self._operation.name == "create":
            return sanitize(shlex.join(str(word) for word in arguments.get("command") or ()))
        return ""

    async def call(self, proposal: Proposal, world: World) -> tuple[str, Ran | None]:
        """Raises TermaError."""
        values = {key: value for key, value in proposal.arguments.items() if key != "command"}
        if self._operation.name == "exec":
            values["input"] = proposal.command
        elif self._operation.name == "create" and proposal.command:
            values["command"] = shlex.split(proposal.command)
        found = dict(await world.ask(self.spec.name, {"args": json.dumps(values)}))
        before, output = str(found.pop("before", "")), str(found.pop("output", ""))
        if before:  # what stands there says what this is a part of
            output = "\n".join(world.hide(before + output).split("\n")[before.count("\n") :])
        return f"{json.dumps(found, ensure_ascii=False)}\n{output}".strip(), None


def _keys(arguments: Mapping[str, Any]) -> str:
    """What would be typed, decoded, with the keys that are no characters by their names."""
    return named(b"".join(typed(arguments)).decode("utf-8", "replace"))


def _directory(arguments: Mapping[str, Any], cwd: str) -> str:
    """Where a program would start: all of the path, links followed, as it is told to the agent."""
    return os.path.realpath(os.path.join(cwd or ".", os.path.expanduser(str(arguments.get("cwd") or "."))))  # noqa: PTH111, PTH118


def _worst(risks: list[Risk]) -> Risk:
    """The highest level, with the reasons of all that have it."""
    levels = [risk.level for risk in risks]
    level: RiskLevel = max(levels, key=lambda one: _LEVELS[one], default="low")
    reasons = [reason for risk in risks if risk.level == level for reason in risk.reasons]
    return Risk(level, tuple(dict.fromkeys(reasons)))


def _brief(name: str, property_: Mapping[str, Any]) -> dict[str, Any]:
    """An argument as a model needs it; what its name says is not said again."""
    rest = {key: value for key, value in property_.items() if key != "description"}
    words = _ARGUMENTS[name]
    return {**rest, "description": words} if words else rest


def _clean(values: Mapping[str, Any]) -> dict[str, Any]:
    """What a terminal would obey is taken out of names and paths; keys stay as they are, and are shown decoded."""
    kept = ("text", "input")
    return {
        key: sanitize(value) if isinstance(value, str) and key not in kept else value
        for key, value in values.items()
    }


PLUGIN = tuple(SessionTool(BY_NAME[name]) for name in OFFERED)
