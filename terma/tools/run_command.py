"""Runs a command in the conversation's own shell, in the person's sight, once they approved it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from terma.chat import ToolSpec
from terma.dialogue import Proposal, Ran, Running, World
from terma.errors import UsageError
from terma.text import one_line, sanitize
from terma.tools._lasting import detaches, lasts
from terma.tools._touching import touched

MAX_COMMAND = 16_000  # code points
LASTS = "runs on in the background, after this conversation too unless you end it then"
DETACHES = "runs on by itself when this command has ended, after this conversation too"
_EXIT = re.compile(r"exit status (\d+)(?:: the person pressed Ctrl\+\S+)?(?: after (\d+(?:\.\d)?) s)?")


class RunCommand:
    """The person sees the output as it comes; the model gets it when the command has ended."""

    read_only = False
    spec = ToolSpec(
        "run_command",
        "Run a command line in the person's own shell, which lasts; they approve it first. Gives output and status.",
        {
            "type": "object",
            "properties": {
                "command": {"type": "string"},
                "description": {"type": "string", "description": "in a few words"},
                "if_busy": {
                    "type": "string",
                    "enum": ["refuse", "wait", "interrupt"],
                    "description": "when an earlier one still runs",
                },
            },
            "required": ["command", "description"],
            "additionalProperties": False,
        },
    )

    def propose(self, call_id: str, arguments: Mapping[str, Any], world: World) -> Proposal:
        """Raises UsageError for a command that is empty or too long."""
        command = sanitize(str(arguments["command"])).strip()
        if not command:
            raise UsageError("the command is empty")
        if len(command) > MAX_COMMAND:
            raise UsageError(
                f"the command is longer than {MAX_COMMAND} characters", "write a script to a file"
            )
        return Proposal(
            id=call_id,
            tool=self.spec.name,
            command=command,
            description=one_line(str(arguments.get("description", ""))),
            risk=world.assess(command, world.shell.cwd, world.shell.name),
            touches=touched(command),
            lasts=_goes_on(command, world.shell.name),
            arguments={"command": command} | _busy(arguments),
        )

    async def call(self, proposal: Proposal, world: World) -> tuple[str, Ran | None]:
        """Raises TermaError when there is no shell to be had."""
        world.show(Running(proposal.command))
        wanted = _busy(proposal.arguments)
        if proposal.unasked:
            wanted["plain"] = True
        ran = await world.shell.run(proposal.command, **wanted)
        if ran.session:
            world.sessions = True
        return told(ran), ran


def _goes_on(command: str, shell: str) -> str:
    if lasts(command, shell):
        return LASTS
    return DETACHES if detaches(command, shell) else ""


def _busy(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """What was asked for, where something was."""
    wanted = arguments.get("if_busy")
    return {"if_busy": wanted} if wanted in ("wait", "interrupt") else {}


def told(ran: Ran) -> str:
    """A run in words: how it ended on the first line, what is known of the shell, then what it printed."""
    lines = [_ending(ran)]
    if ran.alone:
        lines.append(
            f"Ctrl+Z stopped {ran.alone} alone, and that is what this tells of: the shell did not keep the command "
            "together, its rest was given up or ran at once. Look how far it came"
        )
    if ran.session:
        lines.append(
            f"It goes on in the terma session {ran.session!r}, with its shell (session_read shows what it prints). The "
            "next command gets a new shell: variables of before are gone."
        )
    elif ran.restarted:
        lines.append("The shell had ended; this is a new one: directories and variables of before are gone.")
    elif ran.state == "exited":
        lines.append("The shell has ended with it; the next command gets a new one.")
    if ran.cwd:
        lines.append(f"directory: {ran.cwd}")
    lines += [
        f"In the background runs: {command} (it goes on after this conversation, unless the person ends it)"
        for command in ran.background
    ]
    if not ran.background and ran.state == "idle" and lasts(ran.command, ""):
        lines.append("Nothing of it runs in the background any more.")
    if ran.dropped:
        lines.append(f"{ran.dropped} bytes of its output were not kept")
    output = ran.output.strip("\n")
    lines.append(f"output:\n{output}" if output.strip() else "It printed nothing.")
    if ran.earlier is not None:
        lines.append(f"The earlier command {one_line(ran.earlier.command)}, since its time was up:")
        lines.append(told(ran.earlier))
    return "\n".join(lines)


def _ending(ran: Ran) -> str:
    if ran.ended_by == "interrupt":
        known = f"exit status {ran.status}: " if ran.status is not None else ""
        return (
            f"{known}the person pressed {ran.key} after {ran.seconds:.1f} s: what follows may be a part of its output. "
            "They ended this command, not their question"
        )
    if ran.ended_by == "stop":
        return f"no exit status yet: the person stopped it (Ctrl+Z) after {ran.seconds:.1f} s; fg goes on with it"
    if ran.ended_by == "end":
        return (
            f"no exit status: the person stopped it (Ctrl+Z) after {ran.seconds:.1f} s and then ended it: what follows "
            "may be a part of its output. They ended this command, not their question"
        )
    if ran.status is not None:
        return f"exit status {ran.status}" + (f" after {ran.seconds:.1f} s" if ran.seconds >= 1 else "")
    if ran.ended_by == "settle":
        waited = {
            "password": "it asked for a password, and nobody is here to type it",
            "continuation": "the command is not complete: the shell waited for the rest of it",
            "unsure": "a line like a question stood there, and nothing came after it",
        }.get(ran.state, "it waited for input that nobody is here to give")
        return f"no exit status: {waited}; it was interrupted"
    if ran.state == "exited":
        return "no exit status: the shell was lost with it"
    if ran.session:
        return f"no exit status yet: the person moved it to a terma session after {ran.seconds:.0f} s"
    return (
        f"no exit status yet: it still runs after {ran.seconds:.0f} s, and goes on when this conversation has ended, "
        "as a terma session whose name the person is told then. What follows is its output so far"
    )


@dataclass(frozen=True, slots=True)
class Outcome:
    """What `told` said of a run; `status` -1 where it said none, `seconds` below 0 where it was short."""

    status: int
    output: str
    changed: str = ""
    seconds: float = -1.0


def read(text: str) -> Outcome | None:
    """The outcome in the result of a run_command, None where nothing ran. `changed` is what ran instead."""
    changed = re.match(r"The person changed the command\. What ran: ([^\n]*)\n", text)
    body = text[changed.end() :] if changed else text
    first, _, rest = body.partition("\n")
    found = _EXIT.match(first)
    if found is None and not first.startswith("no exit status"):
        return None
    _, mark, output = f"\n{rest}".partition("\noutput:\n")
    return Outcome(
        int(found[1]) if found else -1,
        output if mark else "",
        changed[1] if changed else "",
        float(found[2]) if found and found[2] else -1.0,
    )


PLUGIN = RunCommand()
