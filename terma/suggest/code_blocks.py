"""The commands in the code blocks of an answer: what a person would copy to a prompt."""

from __future__ import annotations

import re

from terma.text import sanitize

_BLOCK = re.compile(r"^ *(```+|~~~+) *([\w+-]*)[^\n]*\n(.*?)^ *\1 *$", re.MULTILINE | re.DOTALL)
_SHELLS = ("", "sh", "bash", "zsh", "fish", "shell", "console", "shellsession", "xonsh", "terminal", "text")


def codes(answer: str) -> list[str]:
    """The commands in the fenced blocks of an answer, the first first. Of a console block what stands behind `$ `."""
    found = []
    for block in _BLOCK.finditer(answer):
        if block[2].lower() not in _SHELLS:
            continue
        lines = block[3].strip("\n").splitlines()
        typed = [line[2:] for line in lines if line.startswith("$ ")]
        text = sanitize("\n".join(typed or lines)).strip()
        if text:
            found.append(text)
    return found
