"""`terma init`: gives a shell its code, once as text, or for good as a file that starts without Python."""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
from pathlib import Path

from terma.quiet import yes

HELP = "print the code that gives zsh or bash its key; --install sets it up for good"
DESCRIPTION = """Print the shell's code:     eval "$(terma init zsh)"
Or set it up for good:      terma init zsh --install
which writes the code to a file, so that your shell starts without waiting for Python, and adds one line to
your .zshrc or .bashrc (it asks first)."""
MARK = "# added by terma init"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("shell", choices=("zsh", "bash"))
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--print", action="store_true", help="print the code (the default)")
    how.add_argument(
        "--install", action="store_true", help="write it to a file and add one line to your start-up file"
    )
    parser.add_argument("-y", "--yes", action="store_true", help="with --install: do not ask")


def run(args: argparse.Namespace) -> int:
    from terma import shell_code

    binary = shell_code.launcher()
    if args.install:
        return _install(args.shell, binary, args.yes)
    print(shell_code.init_code(args.shell, binary), end="", flush=True)
    if sys.stdout.isatty():
        print(f"This is the code. To use it: terma init {args.shell} --install", file=sys.stderr)
    return 0


def startup_file(shell: str) -> Path:
    """The file that every interactive `shell` of this person reads; it need not exist."""
    home = Path.home()
    if shell == "zsh":
        return Path(os.environ.get("ZDOTDIR") or home) / ".zshrc"
    return home / ".bashrc"


def line_for(entry: Path) -> str:
    """The one line of the start-up file: guarded, so that it is harmless when terma is gone."""
    from terma.shell_code import quote

    with contextlib.suppress(ValueError):
        name = entry.relative_to(Path.home())
        path = f'"$HOME"/{quote(str(name)) if set(str(name)) & set(" $`") else name}'
        return f"[ ! -r {path} ] || . {path} {MARK}"
    return f"[ ! -r {quote(str(entry))} ] || . {quote(str(entry))} {MARK}"


def marked_lines(file: Path) -> list[str]:
    """The lines that terma added to `file`, without their newline."""
    try:
        text = file.read_text(encoding="utf-8", errors="surrogateescape")
    except OSError:
        return []
    return [line for line in text.splitlines() if line.rstrip().endswith(MARK)]


def _install(shell: str, binary: str, sure: bool) -> int:
    from terma import shell_code

    done = shell_code.install(shell, binary)
    print(f"wrote {done.entry}")
    file, line = startup_file(shell), line_for(done.entry)
    if line in marked_lines(file):
        print(f"{file} reads it already: open a new {shell}")
        return 0
    if not sure and not yes(f"Add this line to {file}?\n  {line}\n", usual=True):
        print(f"Nothing else was changed. To use terma, put this into {file}:\n  {line}")
        return 0
    _add_line(file, line)
    print(f"added one line to {file}: open a new {shell}, type a few words, press Ctrl+T")
    return 0


def _add_line(file: Path, line: str) -> None:
    """Append `line` and drop what an earlier version added. A symbolic link stays one."""
    from terma import paths

    target = file.resolve()
    text = target.read_text(encoding="utf-8", errors="surrogateescape") if target.exists() else ""
    mode = target.stat().st_mode & 0o777 if target.exists() else 0o644
    kept = [old for old in text.splitlines() if not old.rstrip().endswith(MARK)]
    whole = "\n".join([*kept, line]) + "\n"
    paths.write_atomic(target, whole.encode("utf-8", "surrogateescape"), mode)
