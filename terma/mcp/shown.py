"""What a model is shown of a session: without secrets, without what a terminal would obey, and not too long."""

from __future__ import annotations

import base64
from typing import Any

from terma.output import digest, plain
from terma.redact import Redactor, redact
from terma.sessions import pictures

Content = list[dict[str, Any]]


def output(data: bytes, limit: int, before: str = "") -> str:
    """Output as it looked, not longer than `limit` characters: the middle is left out. `before` was printed before it,
    and is read for what that says of it."""
    text = Redactor().redact(plain(data.decode("utf-8", "replace")), before).text
    limit = max(limit, 200)
    return text if len(text) <= limit else digest(text, limit, limit // 4, limit // 2)


def without_secrets(value: Any) -> Any:
    """The same JSON value with secrets taken out of every text in it."""
    if isinstance(value, str):
        return redact(value).text
    if isinstance(value, list):
        return [without_secrets(one) for one in value]
    if isinstance(value, dict):
        return {key: without_secrets(one) for key, one in value.items()}
    return value


def snapshot(result: dict[str, Any], form: str) -> tuple[dict[str, Any], Content]:
    """A screen (asked for as ansi or png) as data, and as what stands beside its text: a picture, for png.

    Raises UsageError where pictures cannot be drawn."""
    lines = pictures.hidden(
        pictures.lines_of(result), result["columns"], lambda text: redact(text).secrets.values()
    )
    shown = {key: value for key, value in result.items() if key != "data"}
    shown["screen"] = pictures.text_of(lines)
    if form == "ansi":
        shown["ansi"] = pictures.coloured(lines)
    if form != "png":
        return shown, []
    drawn = base64.b64encode(pictures.png(lines, result)).decode()
    return shown, [{"type": "image", "data": drawn, "mimeType": "image/png"}]
