"""Whether a line of a shell may hold a secret: where it would be written to a file, it may not, and where its own
characters would be read as syntax, it may not either.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from terma.risk import assess
from terma.risk.model import Call
from terma.risk.syntax import read
from terma.risk.wrappers import inner_calls
from terma.tools._touching import writes

SHELLS = ("bash", "fish", "sh", "zsh")
_NO_FILE = re.compile(r"/dev/(?:null|std\w+|tty\w*|fd/\d+)|&?\d+|-|")
_AT_A_PROMPT = ("idle", "continuation")
_INTO_FILES = {"overwrites", "persists", "unread"}


def at_a_prompt(info: Mapping[str, object]) -> str:
    """The shell that would read what is typed into the session of `info`; "" where another program does."""
    shell = str(info.get("kind", ""))
    return shell if shell in SHELLS and info.get("state") in _AT_A_PROMPT else ""


def file_of(line: str, shell: str) -> str | None:
    """What `line` (without its secrets: names in their place) would write, by name; "" when it writes no file, None
    where the line cannot be read in full."""
    calls, _, whole = read(line, shell)
    if not whole:
        return None
    for outer in calls:
        for redirect in outer.redirects:
            if ">" in redirect.operator and not _NO_FILE.fullmatch(redirect.target.text):
                return redirect.target.text
        for call in (outer, *inner_calls(outer)):
            for name in writes(call):
                return name
    risk = assess(line, "", shell)
    return "a file" if _INTO_FILES & set(risk.kinds) else ""


def stands(line: str, filled: str, values: Mapping[str, str], shell: str) -> bool:
    """Whether `filled` is `line` with each name of `values` as its value, and nothing else to the shell: no value ends
    a quote, or is a substitution or an operator."""
    before, after = read(line, shell), read(filled, shell)
    return (
        before[2]
        and after[2]
        and [_filled(call, values) for call in before[0]] == [_filled(call, {}) for call in after[0]]
    )


def _filled(call: Call, values: Mapping[str, str]) -> list[object]:
    words = [*call.words, *call.assigned, *(redirect.target for redirect in call.redirects)]
    told: list[object] = [redirect.operator for redirect in call.redirects]
    for word in words:
        text = word.text
        for name, value in values.items():
            text = text.replace(name, value)
        told += [text, word.dynamic, word.globs]
    feed = (call.feed.text if call.feed is not None else None) or ""
    for name, value in values.items():
        feed = feed.replace(name, value)
    return [*told, feed]
