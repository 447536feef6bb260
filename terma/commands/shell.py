"""`terma shell`: your own shell, with what commands print kept in memory, for terminals that cannot be asked."""

from __future__ import annotations

import argparse
import os
import sys

HELP = "your shell, recorded in memory, so that ?why can see what a command printed"
DESCRIPTION = """Start the shell that you are in once more in this terminal; what its last commands print stays in
memory for ?why.
For terminals that cannot be asked what they show; tmux, kitty, wezterm, zellij and screen need no recording.
Nothing is written to disk, no key that you press is kept, and it is all gone when the shell ends.
Arguments for the shell stand behind --:   terma shell -- -l"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("argument", nargs="*", help="for the shell itself; behind --")


def run(args: argparse.Namespace) -> int:
    """The shell's own exit status."""
    from terma.errors import TermaError
    from terma.recorder.session import record
    from terma.shell_code import root

    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise TermaError("terma shell needs a terminal", "run it where you type commands")
    return record(_own_shell(), args.argument, root() / "shell_hooks")


def _own_shell() -> str:
    """The shell that called, else $SHELL, else the shell of the account, else sh."""
    import pwd

    from terma.machine.caller import calling_shell

    if calling := calling_shell():
        return calling

    try:
        account = pwd.getpwuid(os.geteuid()).pw_shell
    except KeyError:
        account = ""
    for path in (os.environ.get("SHELL", ""), account):
        if path.startswith("/") and os.access(path, os.X_OK):
            return path
    return "/bin/sh"
