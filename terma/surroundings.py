"""The variables by which the agent finds a terminal's text: every front end sends those that are set, as env.NAME.

Each source in terma/context/sources declares its own; a test holds this list, theirs and the shells' (in
shell_hooks/wire.sh) together. They stand here as plain words because what asks must load no source.
"""

from __future__ import annotations

from collections.abc import Mapping

TERMINAL = (
    "TERM TERM_PROGRAM TMUX TMUX_PANE STY WINDOW SCREENDIR ZELLIJ_SESSION_NAME ZELLIJ_PANE_ID KITTY_LISTEN_ON "
    "KITTY_WINDOW_ID WEZTERM_PANE WEZTERM_UNIX_SOCKET TERMA_RECORDING SSH_CONNECTION"
).split()
# With one of these the agent sees the terminal itself: the first that a source declares.
SCREENS = ("TMUX_PANE", "STY", "ZELLIJ_PANE_ID", "KITTY_LISTEN_ON", "WEZTERM_PANE", "TERMA_RECORDING")
OWN = "TERMA_TERMINAL_VARIABLES"  # names those of a terminal of the person's own, with blanks between (docs/plugins.md)
KEYS = ("_API_KEY", "_TOKEN")  # what the names of models' keys end in: the agent has them from who asks alone


def terminal_fields(environ: Mapping[str, str]) -> dict[str, str]:
    """The fields env.NAME of those that are set in `environ`."""
    return {
        f"env.{name}": environ[name]
        for name in (*TERMINAL, *environ.get(OWN, "").split())
        if environ.get(name)
    }
