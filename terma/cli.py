"""The command line: parse, dispatch, and the one place where an error becomes a line and an exit status."""

from __future__ import annotations

import argparse
import os
import stat
import sys
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from types import ModuleType

from terma import __version__, registry
from terma.errors import TermaError, UsageError
from terma.printing import shown

ABOUT = "Say what you want at the prompt; press Ctrl+T; look at the command; press Enter yourself."
END = "terma COMMAND --help says more. New here? terma try"
COMMANDS = Path(__file__).parent / "commands"
INTERRUPTED = 130
BROKEN_PIPE = 141  # what a program that died of SIGPIPE returns


def command_names() -> list[str]:
    """The commands there are: one for each file in terma/commands."""
    return sorted(name.rstrip("_") for name in registry.names("terma.commands"))


def _file(name: str) -> Path:
    """A command that would be a keyword of Python stands in a file with an underscore: try_.py."""
    plain = COMMANDS / f"{name}.py"
    return plain if plain.exists() else COMMANDS / f"{name}_.py"


def load(name: str) -> ModuleType:
    """The module of command `name`, which must exist."""
    return import_module(f"terma.commands.{_file(name).stem}")


def command_parser(name: str) -> argparse.ArgumentParser:
    """The parser of one command."""
    module = load(name)
    text = getattr(module, "DESCRIPTION", "") or module.HELP
    parser = argparse.ArgumentParser(
        prog=f"terma {name}", description=text, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    module.add_arguments(parser)
    return parser


def summary(name: str) -> str:
    """The HELP of one command, read without importing it: `terma --help` would import all of them."""
    with _file(name).open(encoding="utf-8") as lines:
        line = next(line for line in lines if line.startswith("HELP = "))
    return line.removeprefix("HELP = ").strip()[1:-1]


def overview() -> str:
    """What `terma --help` says."""
    rows = [f"  {name:<12} {summary(name)}" for name in command_names()]
    usage = 'usage: terma "QUESTION" | terma COMMAND [ARGUMENT...]'
    return "\n".join([usage, "", ABOUT, "", "commands:", *rows, "", END])


def main(argv: list[str] | None = None) -> int:
    """Run one command line (default: this process's); its exit status: 1 for an error, 2 for wrong usage."""
    arguments = sys.argv[1:] if argv is None else argv
    _open_what_is_closed()
    with shown():
        return _run(arguments)


def _run(arguments: list[str]) -> int:
    try:
        status = _dispatch(arguments)
        sys.stdout.flush()
        return status
    except BrokenPipeError:
        _silence()
        return BROKEN_PIPE
    except KeyboardInterrupt:
        return INTERRUPTED
    except SystemExit as leaving:  # argparse has said what was wrong
        return leaving.code if isinstance(leaving.code, int) else 1
    except Exception as error:
        if os.environ.get("TERMA_DEBUG"):
            raise
        return _report(error)


def _dispatch(arguments: list[str]) -> int:
    if not arguments:
        arguments = _unsaid()
    first = arguments[0]
    if first in ("-h", "--help", "help"):
        print(overview())
        return 0
    if first in ("-V", "--version"):
        print(f"terma {__version__}")
        return 0
    if first not in command_names():
        if near := _nearest(arguments):
            raise UsageError(f"there is no command {first!r}", f"did you mean: terma {near}")
        first, arguments = "ask", ["ask", *arguments]
    parser = command_parser(first)
    status: int = load(first).run(parser.parse_args(arguments[1:]))
    return status


def _unsaid() -> list[str]:
    """What `terma` alone means: a conversation, a question about what is piped in, or how it is used."""
    with suppress(OSError):
        if stat.S_ISFIFO(os.fstat(0).st_mode):
            return ["ask", "what is wrong?"]
    return ["chat"] if os.isatty(0) and os.isatty(1) else ["--help"]


def _nearest(arguments: list[str]) -> str:
    """The command that was meant by a first word that is none; "" for a question, or the options of one."""
    import difflib

    first = arguments[0]
    if first.startswith("-") or not first.replace("-", "").replace("_", "").isalnum():
        return ""
    sure = 0.6 if len(arguments) == 1 else 0.8  # a question may begin with any word
    return next(iter(difflib.get_close_matches(first, command_names(), n=1, cutoff=sure)), "")


def _report(error: Exception) -> int:
    """One or two lines on standard error; the exit status."""
    from terma.text import one_line

    hint = error.hint if isinstance(error, TermaError) else ""
    if isinstance(error, TermaError):
        message = error.message
    elif isinstance(error, OSError) and error.strerror:
        message = f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    else:
        message = f"internal error: {type(error).__name__}: {error}"
        hint = "TERMA_DEBUG=1 shows where; please report it"
    print(f"terma: {one_line(message, 400)}", file=sys.stderr)
    if hint:
        print(f"  {one_line(hint, 400)}", file=sys.stderr)
    return 2 if isinstance(error, UsageError) else 1


def _open_what_is_closed() -> None:
    """`terma >&-`: else the next file or socket would be standard output, and get what is written there."""
    while (handle := os.open(os.devnull, os.O_RDWR)) <= 2:
        os.set_inheritable(handle, True)
    os.close(handle)
    if sys.stdout is None:
        sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115 - for the whole process
    if sys.stderr is None:
        sys.stderr = open(2, "w", encoding="utf-8", closefd=False)  # noqa: SIM115


def _silence() -> None:
    """Nobody reads any more: keep the interpreter from complaining about it at exit."""
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, sys.stdout.fileno())


if __name__ == "__main__":
    sys.exit(main())
