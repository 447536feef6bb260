"""What a sign of the shell means by itself: `&&`, `2>`, `$?`, read off a line in which it stands."""

from __future__ import annotations

import re

from terma.pieces.explain import explain
from terma.pieces.model import Asked

# What people call them, each as it is written
_NAMES = {
    "pipe": "|", "pipe sign": "|", "vertical bar": "|", "double pipe": "||",
    "ampersand": "&", "double ampersand": "&&", "semicolon": ";",
    "redirect": ">", "greater than": ">", "greater than sign": ">", "less than": "<", "less than sign": "<",
    "double greater than": ">>", "append": ">>", "here string": "<<<",
    "backtick": "`", "backticks": "`", "asterisk": "*", "star": "*", "wildcard": "*",
    "command substitution": "$(", "process substitution": "<(",
    "dollar question mark": "$?", "dollar at": "$@", "dollar hash": "$#", "dollar bang": "$!",
    "dollar dollar": "$$", "dollar zero": "$0", "dollar one": "$1",
}  # fmt: skip
_NAME = re.compile(
    r"(?i)(?:(?:the|an?) )?(?:(?:shell|bash|zsh)(?:'s)? )?(?P<name>[a-z ]+?)(?: (?:sign|symbol|operator|character))?"
)
_LINES = (
    "first {} second",
    "first {} FILE",
    "first {}",
    "first {}second)",
    "first {}second`",
    "first {} END\nEND",
)
_CLOSED = re.compile(r"(?:\s*(?:\.{2,3}|…|\w+))?\s*([)`}])\Z")
_SIGN = re.compile(r"[^\w\s'\"\\/.,:][^\s'\"\\/]{0,3}|\d?[<>]{1,3}[&|!]?[\d-]?|&>>?|[*?]{1,2}")


def sign(text: str, asked: Asked) -> tuple[str, str] | None:
    """(the sign as it is used, what it does); None where `text` is none, or nothing is known of it."""
    called = _NAME.fullmatch(text.strip())
    bare = _NAMES.get(called["name"].lower(), "") if called else text.strip()
    bare = _CLOSED.sub("", bare) if len(bare) > 2 else bare
    if not bare or not _SIGN.fullmatch(bare):
        return None
    for line in _LINES:
        written = line.format(bare)
        start = len("first ")
        for piece in explain(Asked(written, asked.shell, asked.path, "")).pieces:
            if piece.start == start and piece.says and piece.text.startswith(bare):
                used, says = piece.text, piece.says.removesuffix("; handed to first")
                if piece.kind == "operand" and says.startswith("handed to"):
                    continue
                used = used.partition("\n")[0].replace("second", "FILE") if used[:1] != "`" else used[:1]
                return used, says.replace("second", "FILE").removeprefix(f"{used} is ")
    return None
