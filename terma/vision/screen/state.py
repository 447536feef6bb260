"""One TerminalState, whoever read it: rows made fit to be shown, the cursor, the prompt, a question for a password."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import ValidationError

from terma.vision.errors import EyesError
from terma.vision.types import Cursor, TerminalState

PROMPT = r"[$#%>❯»] ?$"
_PASSWORD = re.compile(
    r"(password|passphrase|passcode|\bPIN\b|verification code|passwort|mot de passe|contraseña|密码)"
    r"[^\n]{0,60}[:：]\s*$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Looks:
    """How a prompt looks on this target: a regular expression for what a row ends with before anything is typed."""

    prompt: str = PROMPT


def state(
    rows: Sequence[str],
    confidence: Sequence[float],
    columns: int,
    reader: str,
    cursor: Cursor | None = None,
    looks: Looks | None = None,
) -> TerminalState:
    """What was read, validated. Raises EyesError where it is no screen."""
    trimmed = [row.rstrip() for row in rows]
    last = cursor.row if cursor is not None else _last(trimmed)
    said = trimmed[last] if 0 <= last < len(trimmed) else ""
    editing = cursor is not None and cursor.column < len(said)  # the cursor stands in a text
    said = "" if editing else said
    try:
        return TerminalState(
            rows=tuple(trimmed),
            columns=columns,
            cursor=cursor,
            prompt=re.search((looks or Looks()).prompt, said) is not None,
            password=_PASSWORD.search(said) is not None,
            confidence=tuple(min(max(float(sure), 0.0), 1.0) for sure in confidence),
            reader=reader,
        )
    except ValidationError as error:
        first = error.errors()[0]
        raise EyesError(
            f"what {reader} read is no screen: {first['msg']}", "look again, or use another reader"
        ) from None


def _last(rows: Sequence[str]) -> int:
    """The last row that says something."""
    return max((number for number, row in enumerate(rows) if row), default=0)
