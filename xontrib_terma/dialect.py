"""Whether xonsh's own parser reads a command: what it cannot read is never offered."""

from __future__ import annotations

from typing import Any


def parses(xsh: Any, text: str) -> bool:
    """Compiles `text` as a line at the prompt would be, and throws the result away. Nothing of it runs."""
    try:
        xsh.execer.compile(
            text.rstrip("\n") + "\n", mode="single", glbs=xsh.ctx, locs=None, filename="<terma>"
        )
    except Exception:  # SyntaxError, and whatever else the parser stumbles over
        return False
    return True
