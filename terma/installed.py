"""How a package is added to this installation of terma: pipx, uv and pip each want other words."""

from __future__ import annotations

import os
import shlex
import sys
from itertools import pairwise
from pathlib import Path

NAME = "xontrib-terma"


def adding(package: str, prefix: str = sys.prefix) -> str:
    """The command that installs `package` beside terma, where it finds it."""
    parts = Path(prefix).parts
    for above, folder in (("pipx", "venvs"), ("uv", "tools")):
        if any(pair == (above, folder) for pair in pairwise(parts)):
            own = parts[parts.index(folder, parts.index(above)) + 1] if parts[-1] != folder else NAME
            return (
                f"pipx inject {own} {package}"
                if above == "pipx"
                else f"uv tool install {own} --with {package}"
            )
    python = shlex.quote(str(Path(prefix) / "bin" / "python"))
    if _made_by_uv(prefix):
        return f"uv pip install --python {python} {package}"
    return f"{python} -m pip install {package}"


def _made_by_uv(prefix: str) -> bool:
    """Whether uv made this environment, which then has no pip."""
    from terma import reading

    made = reading.text(os.path.join(prefix, "pyvenv.cfg"), 4096)  # noqa: PTH118
    return any(line.partition("=")[0].strip() == "uv" for line in made.splitlines())
