"""`terma init`: gives a shell its code, once as text, or for good as a file that starts without Python."""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
from pathlib import Path

from terma import paths
from terma.commands import _startup_file, _tour
from terma.errors import UsageError
from terma.quiet import yes

HELP = "print the code that gives zsh or bash its key; --install sets it up for good"
DESCRIPTION = """Print the shell's code:     eval "$(terma init zsh)"
Or set it up for good:      terma init zsh --install
which writes the code to a file, so that your shell starts without waiting for Python, and adds one line to
your .zshrc or .bashrc (it asks first)."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("shell", metavar="{zsh,bash}", nargs="?", default="")
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--print", action="store_true", help="print the code (the default)")
    how.add_argument(
        "--install", action="store_true", help="write it to a file and add one line to your start-up file"
    )
    parser.add_argument("-y", "--yes", action="store_true", help="with --install: do not ask")


def run(args: argparse.Namespace) -> int:
    from terma import shell_code

    if args.shell not in shell_code.SHELLS:
        raise no_code_for(args.shell) if args.shell else _which()
    binary = shell_code.launcher()
    if args.install:
        code = install(args.shell, binary, args.yes)
        if not args.yes:
            _offer_tour(args.shell)
        return code
    print(shell_code.init_code(args.shell, binary), end="", flush=True)
    if sys.stdout.isatty():
        print(f"This is the code. To use it: terma init {args.shell} --install", file=sys.stderr)
    return 0


def _offer_tour(shell: str) -> None:
    """Once: the first minute, in a shell that is opened for it."""
    from terma.commands import try_

    if not _tour.seen() and sys.stdin.isatty() and sys.stdout.isatty():
        if yes("See what it does: a minute, in a shell of its own?", usual=True):
            try_.show(shell, clean=False, installed=True)
        else:
            _tour.mark_seen()


def _which() -> UsageError:
    """What to say to who names no shell: where it is known, the one that we are in."""
    from terma import shell_code
    from terma.machine.caller import calling_shell

    here = Path(calling_shell()).name
    if here and here not in shell_code.SHELLS:
        return no_code_for(here)
    lines = [f"terma init {shell} --install" for shell in ([here] if here else shell_code.SHELLS)]
    return UsageError("which shell shall have the key?", " or ".join(lines))


def no_code_for(shell: str) -> UsageError:
    """What there is in a shell that `init` has no code for."""
    if Path(shell).name == "xonsh":
        return UsageError(
            "xonsh reads terma without this", "install terma beside xonsh, or: xontrib load terma"
        )
    return UsageError(
        f"there is no key for {shell} yet: it is there for zsh, bash and xonsh",
        'here: terma suggest "your words", terma "a question", terma why --command "make test"',
    )


def startup_file(shell: str) -> Path:
    """The file that every interactive `shell` of this person reads; it need not exist."""
    home = Path.home()
    if shell == "zsh":
        return Path(os.environ.get("ZDOTDIR") or home) / ".zshrc"
    return home / f".{shell}rc"


def line_for(entry: Path) -> str:
    """The one line of the start-up file: guarded, so that it is harmless when terma is gone."""
    from terma.shell_code import quote

    with contextlib.suppress(ValueError):
        name = entry.relative_to(Path.home())
        path = f'"$HOME"/{quote(str(name)) if set(str(name)) & set(" $`") else name}'
        return f"[ ! -r {path} ] || . {path} {_startup_file.MARK}"
    return f"[ ! -r {quote(str(entry))} ] || . {quote(str(entry))} {_startup_file.MARK}"


def install(shell: str, binary: str, sure: bool) -> int:
    """Write the code and, with a yes (`sure`: without asking), the line of the start-up file. Exit status."""
    from terma import shell_code

    done = shell_code.install(shell, binary)
    print(f"wrote {paths.shown(done.entry)}")
    file, line = startup_file(shell), line_for(done.entry)
    if line in _startup_file.marked(file):
        print(f"{paths.shown(file)} reads it already: open a new {shell}")
        return 0
    if not sure and not yes(f"Add this line to {paths.shown(file)}?\n  {line}\n", usual=True):
        print(f"Nothing else was changed. To use terma, put this into {paths.shown(file)}:\n  {line}")
        return 0
    _startup_file.add(file, line)
    print(f"added one line to {paths.shown(file)}")
    print(_tour.fit(f"Now open a new {shell}, type words, press Ctrl+T."))
    return 0
