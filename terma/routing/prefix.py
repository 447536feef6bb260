r"""The marks by which a person decides: `!`, `$` and `\` force a command, `>` forces a prompt."""

from __future__ import annotations

from terma import regex as re
from terma.routing.evidence import Kind

_EMPTIED = re.compile(r">\s*(?=\S*[./]\w)[\w~./-]+(?<![.])\s*")
_HISTORY = tuple("!$-#?0123456789")  # `!!`, `!$`, `!-2`, `!#`, `!?make?`, `!42`: the shell's own, kept whole


def forced(line: str) -> tuple[Kind | None, str]:
    r"""What a prefix decides, and the line without it; (None, line) when there is none.

    `!ls` and `$ ls` are commands: `$` only with a blank behind it, as pasted from a manual, since `$EDITOR x` begins
    a command anyway. `!!` and its like stay whole for the shell. `\ls` stays whole too: there the backslash passes
    aliases by. `> why?` is a prompt, even `>file`; a path alone, `> out.txt`, forces nothing."""
    text = line.lstrip()
    if text.startswith("!") and text[1:].strip():
        rest = text[1:].lstrip()
        return "command", text if text[1] in _HISTORY else rest
    if text[:2] in ("$ ", "$\t") and text[2:].strip():
        return "command", text[2:].lstrip()
    if text.startswith("\\") and text[1:].strip():
        return "command", text[1:].lstrip() if text[1].isspace() else text
    if _EMPTIED.fullmatch(text):
        return None, line
    if text.startswith(">") and not text.startswith((">>", ">&", ">|", ">(")) and text[1:].strip():
        return "prompt", text[1:].lstrip()
    return None, line
