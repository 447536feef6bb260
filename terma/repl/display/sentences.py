"""What is said of decisions and results, in one line each, wherever they are shown."""

from __future__ import annotations

import json

from terma.dialogue import Decided, Proposal, Ran, ToolAnswered
from terma.repl.display.spinner import span
from terma.text import one_line
from terma.types import Risk

RUN = "run_command"
LONG = 2.0  # seconds of a command that are worth telling
LONGEST = 300  # code points of a line


def risk_words(risk: Risk) -> str:
    """`high risk: deletes files, recursively`."""
    reasons = one_line(", ".join(risk.reasons), LONGEST)
    return f"{risk.level} risk" + (f": {reasons}" if reasons else "")


def subject(proposal: Proposal) -> str:
    """The command and whose it is, or the tool with its arguments, in one line."""
    if proposal.command and proposal.tool == RUN:
        return one_line(proposal.command, LONGEST)
    given = ", ".join(f"{name}={value}" for name, value in beside(proposal))
    what = f"{proposal.command} ({given})" if proposal.command else given
    return one_line(f"{proposal.tool} {what}", LONGEST)


def whole(proposal: Proposal) -> str:
    """The command, else the tool's name: what stands at the top."""
    return proposal.command or proposal.tool


def beside(proposal: Proposal) -> list[tuple[str, str]]:
    """Every argument beside the command, and where it would be done."""
    if proposal.where is not None:
        return list(proposal.where.items())
    return [
        (name, value if isinstance(value, str) else json.dumps(value, default=str))
        for name, value in proposal.arguments.items()
        if not (name == "command" and value == proposal.command)
    ]


def decided(event: Decided) -> str:
    """Said where no person was looking; "" where one decided and has seen it."""
    decision, what = event.decision, subject(event.proposal)
    reason = f" ({one_line(decision.reason, LONGEST)})" if decision.reason else ""
    match decision.by, decision.verdict:
        case "person", "modify":
            return f"as you changed it: {one_line(decision.command, LONGEST)}"
        case "person", _:
            return ""
        case "before", "approve":
            return f"approved before: {what}"
        case "settings", "approve":
            return f"allowed by the settings: {what}"
        case _, "approve":
            return f"{what}"
        case _:
            return f"not run: {what}{reason}"


def answered(event: ToolAnswered) -> str:
    """How it went: `exit status 1 · 3.2 s`; "" where that is known already."""
    ran = event.ran
    if ran is not None and ran.session:
        return ""  # where it goes on was told when the person chose that
    if ran is None and event.text.startswith("not run: "):
        return ""  # it was decided so, and that was told
    if ran is None:
        count = event.text.count("\n") + 1 if event.text else 0
        failed = f"failed: {one_line(event.text, 120)}" if event.failed else f"{count} lines"
        return f"{event.tool} · {'1 line' if count == 1 and not event.failed else failed}"
    return ran_words(ran) or "done"


def ran_words(ran: Ran) -> str:
    """How a command went, "" where there is nothing to say: it is done, and was quick."""
    good = ran.status == 0 and ran.ended_by not in ("interrupt", "stop")
    parts = [] if good else [_ending(ran.status, ran.ended_by)]
    if ran.seconds >= LONG:
        parts.append(span(ran.seconds))
        if good:
            parts.insert(0, "done")
    if ran.dropped:
        parts.append(f"{ran.dropped:,} bytes of output were not kept")
    if ran.restarted:
        parts.append("the shell had ended: this is a new one")
    elif ran.state == "exited":
        parts.append("the shell ended: the next command gets a new one")
    return " · ".join(parts)


def _ending(status: int | None, ended_by: str) -> str:
    if ended_by == "interrupt":
        return "interrupted"
    if ended_by == "end":
        return "stopped and ended"
    if ended_by == "stop":
        return "stopped: fg goes on with it, bg lets it run in the background"
    if status is None:
        return {"timeout": "still running: no longer waited for", "exit": "the shell ended"}.get(
            ended_by, "exit status unknown"
        )
    return "done" if status == 0 else f"exit status {status}"
