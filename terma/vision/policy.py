"""What may be typed on the machine that is watched: refused, allowed, or a person's to decide.

A model sees a screen that anybody may have written on, so nothing that it says is trusted: a dangerous line is never
entered, with or without --auto, whatever was approved before.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from terma import risk
from terma.config import eyes
from terma.conversation.allowing import covers
from terma.errors import UsageError
from terma.vision.keyboards import _secrets
from terma.vision.lines import Composer, bare, logical_line
from terma.vision.types import Act, Click, Combination, Line, TerminalState, Text

_LEVELS = {"low": 0, "medium": 1, "high": 2}
_PROGRAM = r"(?:^|[;&|({`]\s*|\b(?:sudo|doas|exec|nohup|time|then|do|else)\s+(?:-\S+\s+)*)(?:\S*/)?"
# What no run has to do with, whatever the rest of the line is.
_NEVER = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        _PROGRAM + r"(?:shutdown|poweroff|halt|reboot|telinit|init\s+[0-6])\b",
        _PROGRAM + r"(?:insmod|rmmod|modprobe|visudo|passwd|chpasswd|useradd|userdel|usermod)\b",
        r"\bsystemctl\s+(?:-\S+\s+)*(?:poweroff|halt|reboot|kexec|rescue|emergency)\b",
        r"/proc/sys(?:rq-trigger|/kernel/)",
        r"authorized_keys",
        r"\biptables\s+(?:-\S+\s+)*-F\b|\bnft\s+flush\b",
        r"\bhistory\s+-c|\bunset\s+HISTFILE\b",
        r":\s*\(\s*\)\s*\{",
    )
)
_REDACTED = re.compile(r"<SECRET(?:_\d+)?>")
_DANGEROUS_KEYS = ({"ctrl", "alt", "Delete"}, {"ctrl", "alt", "Backspace"})


@dataclass(frozen=True, slots=True)
class Verdict:
    """`ask`: a person decides. `reason` is one phrase, for the person and the log."""

    what: Literal["allow", "ask", "refuse"]
    reason: str = ""


class Policy:
    """`auto`: what the allow-list matches is typed without asking."""

    def __init__(self, settings: eyes.Policy, *, auto: bool = False) -> None:
        """Raises UsageError for --auto without an allow-list."""
        if auto and not settings.allow:
            raise UsageError(
                "--auto needs to know what may be typed without asking",
                '[eyes.policy] allow = ["ls *", "df -h"]',
            )
        self._auto, self._from = auto, _LEVELS[settings.risk]
        self._deny = [re.compile(pattern) for pattern in settings.deny]
        self._allow = settings.allow

    def before(self, action: Act, composer: Composer) -> Verdict:
        """Whether `action` may be typed at all. Enter is judged by `entering`, with the screen."""
        text = action.text if isinstance(action, Text | Line) else ""
        if isinstance(action, Line) and _secrets.has(text):
            return Verdict("refuse", "a secret on a line would be shown: type it where nothing is echoed")
        if _REDACTED.search(text):
            return Verdict("refuse", "it holds the placeholder of a secret that was taken out of the screen")
        if isinstance(action, Combination) and {*action.modifiers, action.key} in _DANGEROUS_KEYS:
            return Verdict("refuse", f"{describe(action)} restarts machines")
        whole = (composer.text or "") + text
        for candidate in dict.fromkeys((whole, text)):
            if candidate and (why := self.denied(candidate)):
                return Verdict("refuse", why)
        risky = risk.assess(whole)
        if risky.level != "low":  # marked, and a person's to decide, on whatever list it is
            return Verdict("ask", risky.reasons[0])
        if isinstance(action, Click):
            return Verdict("ask", "what a click does, no rule knows")
        if self._auto and self._allowed(action):
            return Verdict("allow", "it is on the allow-list")
        return Verdict("ask", "it is not on the allow-list" if self._auto else "")

    def standing(self, composer: Composer, state: TerminalState) -> Verdict:
        """Whether a key may be pressed that may be bound to run what stands on the line: refused where any reading of
        it is dangerous."""
        for candidate in composer.candidates(state):
            if why := self.denied(candidate):
                return Verdict("refuse", why)
        return Verdict("allow")

    def entering(self, composer: Composer, state: TerminalState, approved: str | None = None) -> Verdict:
        """Whether Enter may be pressed now, on the row as it stands. Refused where any reading of it is dangerous, or
        where what was typed is not what stands there. `approved` is the row that what was typed has been approved for,
        None where nobody decided on it yet."""
        if state.password:
            return Verdict("refuse", "it asks for a password")
        standing = self.standing(composer, state)
        if standing.what == "refuse":
            return standing
        if composer.text and not composer.arrived(state):
            return Verdict("refuse", "the screen does not show what was typed")
        if composer.text is None:
            return Verdict("ask", "the line was not typed by terma: it is known from the screen alone")
        stood = (composer.before if composer.before is not None else logical_line(state)).rstrip()
        approved_so = approved is not None and approved.rstrip() == stood
        if composer.pushed(state) or not (bare(stood) or approved_so):
            return Verdict("ask", "more may stand on the line than was typed")
        if approved is None and self._auto and composer.text and not covers(self._allow, composer.text):
            return Verdict("ask", "it is not on the allow-list")
        return Verdict("allow")

    def denied(self, line: str) -> str:
        """Why `line` is never entered; "" where nothing speaks against it."""
        for pattern in (*_NEVER, *self._deny):
            if found := pattern.search(line):
                return f"{found[0][:40]!r} is never entered"
        found_risk = risk.assess(line)
        if _LEVELS[found_risk.level] >= self._from:
            return found_risk.reasons[0] if found_risk.reasons else "it is dangerous"
        return ""

    def _allowed(self, action: Act) -> bool:
        if isinstance(action, Text | Line):
            return covers(self._allow, action.text)
        return describe(action) in self._allow


def describe(action: Act) -> str:
    """What a person reads and the allow-list matches: a line or text as it is, keys as <Up> and <ctrl+c>, a
    click as <click 50% 25%>."""
    if isinstance(action, Text | Line):
        return action.text
    if isinstance(action, Combination):
        return f"<{'+'.join([*action.modifiers, action.key])}>"
    if isinstance(action, Click):
        button = "" if action.button == "left" else f"{action.button} "
        return f"<{button}click {action.x:.0%} {action.y:.0%}>"
    return f"<{action.key}>"
