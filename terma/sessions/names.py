"""What a session may be called."""

from __future__ import annotations

import re

from terma.errors import UsageError

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")


def is_name(text: str) -> bool:
    """Whether a session may be called that: it is a file's name as well."""
    return _NAME.fullmatch(text) is not None


def check(text: str) -> None:
    """Raises UsageError for a name that is none."""
    if not is_name(text):
        raise UsageError(
            f"{text!r} is no name for a session",
            "letters, digits, _ . - (at most 64, a letter or digit first)",
        )
