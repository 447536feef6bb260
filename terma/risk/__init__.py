"""What a command could destroy, told from how its shell reads it, before anyone presses Enter."""

from __future__ import annotations

from terma.types import Risk

_ORDER = {"low": 0, "medium": 1, "high": 2}
_MOST_REASONS = 4
UNREAD = Risk("medium", ("cannot be read in full",), ("unread",))


def assess(command: str, cwd: str = "", shell: str = "") -> Risk:
    """Level and reasons for `command`, read as `shell` (its name or path) reads it. Where nobody knows the shell, as
    each that is spoken here does: the worst counts, and what they read differently is never low.

    `cwd` is where it would run: whether `> file` hits something that is there is looked up. Never raises; what cannot
    be read is at least medium. Takes some 0.5 ms."""
    if not command.strip():
        return Risk()
    try:
        from terma.risk.judge import judge, looks

        found = sorted(
            [*judge(command, cwd, shell), *looks(command)], key=lambda finding: -_ORDER[finding.level]
        )
    except Exception:  # a hostile command must not take the request down; not knowing is itself an answer
        return UNREAD
    serious = [finding for finding in found if finding.level != "low"]
    told = serious or [finding for finding in found if finding.kind == "root"]
    reasons = list(dict.fromkeys(finding.said for finding in told))
    # "deletes files" says nothing beside "deletes files, recursively"
    telling = [
        reason
        for reason in reasons
        if not any(other != reason and other.startswith(reason) for other in reasons)
    ]
    kinds = tuple(dict.fromkeys(finding.kind for finding in told))
    return Risk(serious[0].level if serious else "low", tuple(telling[:_MOST_REASONS]), kinds)
