"""The result of a tool as the text that a model reads: what happened on its first line, then what was printed.

Clients hand a model the structured form of a result where there is one, and drop text and pictures then. So there is
none: all that is to be known stands in the text. The first line is terma's own, whatever a program prints below.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterable, Mapping
from typing import Any

from terma.mcp.secrets import Secrets
from terma.mcp.shown import Shown
from terma.output import plain
from terma.sessions.operations import OPERATIONS
from terma.sessions.times import in_words
from terma.text import one_line

Result = Mapping[str, Any]
_BARE = re.compile(r"[\w./:@%+,=~-]+")
_FIRST = ("session", "exit_status", "ended_by", "state")  # in this order, where they are known
_APART = ("output", "screen", "ansi", "highlighted", "data", "items", "sessions", "matches", "created_now")
_ALWAYS = ("exit_status", "last_status", "start", "position", "total")  # also when they are 0
_SHORT = {
    "create": ("session", "state", "kind", "pid", "cwd", "tui"),
    "list": ("session", "state", "exit_status", "last_status", "lost", "kind", "position", "cwd", "command"),
}
_COMMAND = 80  # characters of a command line in a list
_LAST = 120  # characters of a last line
LOOKED_AT = 64 * 1024  # bytes of output in which secrets are looked for before its last line is told
_FLAGS = {parameter.flag: parameter.name for one in OPERATIONS for parameter in one.parameters}
_CALL = re.compile(
    rf"\b(?:terma )?session ({'|'.join(one.name for one in OPERATIONS if one.only != 'cli')})\b"
)
_FLAG = re.compile("|".join(sorted(map(re.escape, _FLAGS), key=len, reverse=True)) + r"\b")


def result(name: str, found: Result, output: Shown | None = None) -> str:
    """What operation `name` answers, `output` being what was printed."""
    if name == "list":
        rows = [_line({key: _listed(one, key) for key in _SHORT["list"]}) for one in found.get("items", ())]
        return "\n".join(rows) or "there is no session; session_create makes one"
    if name == "create":
        made = "created" if found.get("created_now") else "there already"
        return f"{made}: {_line({key: found.get(key) for key in _SHORT['create']})}"
    if name == "search":
        return "\n".join(
            [_line(_rest(found) | {"matches": len(found["matches"])}), *_matches(found["matches"])]
        )
    if name == "info":
        return _line(_rest(in_words(found, time.time())))
    if name == "wait":
        return "\n".join([_line(_rest(found)), *map(_line, found.get("sessions", ()))])
    return _shown(found, output)


def _shown(found: Result, output: Shown | None) -> str:
    head = _rest(found)
    if output is not None and output.length:
        head |= {"truncated": True, "length": output.length}
    if output is not None and output.redacted:
        head |= {"redacted": output.redacted}
    lines = [_line(head)]
    if output is not None and output.text:
        lines.append(output.text)
    screen = found.get("ansi") or found.get("screen")
    if screen is not None:
        lines += ["screen:", str(screen)] if output is not None and output.text else [str(screen)]
    if found.get("highlighted"):
        lines.append(f"highlighted: {json.dumps(found['highlighted'], ensure_ascii=False)}")
    return "\n".join(lines)


def failure(message: str, hint: str) -> str:
    """An error in the words of whoever calls tools: session_read, since; not terma session read --since."""
    text = one_line("; ".join(filter(None, (message, hint))), 1000)
    return _FLAG.sub(lambda found: _FLAGS[found[0]], _CALL.sub(r"session_\1", text))


def last_line(output: bytes, secrets: Secrets) -> str:
    """The last line of `output` that has ended: of one that goes on the end of a secret may be missing."""
    whole = output[: max(output.rfind(b"\n"), output.rfind(b"\r")) + 1]
    lines = secrets.hide(plain(whole.decode("utf-8", "replace"))).rstrip().split("\n")
    return one_line(lines[-1], _LAST)


def _rest(found: Result) -> dict[str, Any]:
    keys = [*(key for key in _FIRST if key in found), *(key for key in found if key not in _FIRST)]
    return {key: found[key] for key in keys if key not in _APART}


def _line(fields: Result) -> str:
    """`name=value` of all that says something: what is unknown, no or nothing is left out."""
    told = {
        key: value
        for key, value in fields.items()
        if value is not None
        and (value not in (False, 0, "", [], {}) or (key in _ALWAYS and value is not False))
    }
    return " ".join(f"{key}={_value(value)}" for key, value in told.items())


def _value(value: Any) -> str:
    if isinstance(value, str) and _BARE.fullmatch(value):
        return value
    return json.dumps(value, ensure_ascii=False)


def _listed(one: Result, key: str) -> Any:
    if key == "lost":
        return "lost" in one  # session_info has the words
    return one_line(" ".join(one["command"]), _COMMAND) if key == "command" else one.get(key)


def _matches(matches: Iterable[Result]) -> list[str]:
    """As grep shows them: `12:` before a match, `11-` before what stands around it."""
    lines: list[str] = []
    for match in matches:
        first = match["line"] - len(match["before"])
        around = [*match["before"], match["text"], *match["after"]]
        if lines and len(around) > 1:
            lines.append("--")
        lines += [f"{at}{':' if at == match['line'] else '-'}{line}" for at, line in enumerate(around, first)]
    return lines
