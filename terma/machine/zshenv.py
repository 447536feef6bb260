"""Whether the system's own zshenv, which zsh reads before anything of the person's, decides where it looks next."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

_GLOBAL = ("/etc/zsh/zshenv", "/etc/zshenv")


def moves_zdotdir(environment: Mapping[str, str]) -> bool:
    """Whether it sets ZDOTDIR, so that a directory of ours would never be looked into. Files that set it leave one
    that is in `environment` alone."""
    if "ZDOTDIR" in environment:
        return False
    for name in _GLOBAL:
        try:
            text = Path(name).read_text(encoding="utf-8", errors="replace")
        except OSError:
            continue
        if any("ZDOTDIR" in line.partition("#")[0] for line in text.splitlines()):
            return True
    return False
