"""What a model is shown of a session: without secrets, without what a terminal would obey, and not too long."""

from __future__ import annotations

import base64
from dataclasses import dataclass
from typing import Any

from terma.mcp.secrets import Secrets
from terma.output import digest
from terma.sessions import pictures, styled

Content = list[dict[str, Any]]
_SHORTEST = 200  # characters
_ENDS = 400_000  # characters that are searched for secrets at each end of an output longer than twice that, at most
_AROUND = 64 * 1024  # characters of them beside what is shown: as much as a private key may take


@dataclass(frozen=True, slots=True)
class Shown:
    """A text as a model may have it. `length` in characters before it was cut, 0 where nothing was left out;
    `redacted`: how many secrets were taken out of what is there."""

    text: str
    length: int = 0
    redacted: int = 0


def output(whole: str, limit: int, secrets: Secrets, before: str = "") -> Shown:
    """Output (as it looked: `plain`), not longer than `limit` characters: the middle is left out, as in conversations.
    `before` was printed before it, and is read for what that says of it."""
    limit = max(limit, _SHORTEST)
    if len(whole) <= 2 * _ENDS:
        text = secrets.hide(whole, before)
        cut = text if len(text) <= limit else digest(text, limit, limit // 4, limit // 2)
        length = 0 if cut is text else len(whole)
    else:
        room = min(limit, _ENDS)
        reach = min(room + _AROUND, _ENDS)
        first, last = (
            secrets.hide(whole[:reach], before)[: room // 4],
            secrets.hide(whole[-reach:])[-room // 2 :],
        )
        head, tail = first.rpartition("\n")[0] or first, last.partition("\n")[2] or last
        cut = f"{head}\n… {len(whole) - len(head) - len(tail):,} characters left out\n{tail}"
        length = len(whole)
    return Shown(cut, length, secrets.count(cut))


def snapshot(result: dict[str, Any], form: str, secrets: Secrets) -> tuple[dict[str, Any], Content]:
    """A screen (asked for as ansi or png) as data, and as what stands beside its text: a picture, for png.

    Raises UsageError where pictures cannot be drawn."""
    above = str(result.get("above", ""))
    lines = pictures.hidden(pictures.lines_of(result), result["columns"], secrets.values_in, above)
    shown = {key: value for key, value in result.items() if key not in ("data", "row", "above")}
    shown["screen"] = pictures.text_of(lines)
    shown["highlighted"] = styled.highlighted(lines)
    shown["title"] = secrets.hide(str(shown.get("title", "")))
    if form == "ansi":
        shown["ansi"] = pictures.coloured(lines)
    if form != "png":
        return shown, []
    picture = pictures.drawn(lines, result)
    if picture.note:
        shown["picture"] = picture.note
    return shown, [{"type": "image", "data": base64.b64encode(picture.png).decode(), "mimeType": "image/png"}]
