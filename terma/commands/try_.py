"""`terma try`: a shell with terma in it and nothing of yours changed; without a terminal, a transcript."""

from __future__ import annotations

import argparse
import contextlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

from terma.commands import _tour, _xonsh_trial
from terma.commands.init import no_code_for
from terma.errors import TermaError, UsageError

SHELLS = ("zsh", "bash", "xonsh")
HELP = "try it now, in a shell of its own that changes nothing of yours"
LOADED = "terma is loaded in this shell; nothing of yours was changed, and `exit` ends the trial."
INSTALLED = "terma is loaded in this shell, as it will be in every new one; `exit` ends this one."
WELCOME = """Type what you want in plain words, for example: {example}
Then press Ctrl+T. Again for another command, Ctrl+C for your words back; only your Enter runs anything."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    shells = f"{{{','.join(SHELLS)}}}"
    parser.add_argument("--shell", metavar=shells, help="which shell (default: yours, else what exists)")
    parser.add_argument("--clean", action="store_true", help="do not read your own start-up file first")
    parser.add_argument(
        "--tour", action="store_true", help="show the first minute again, which is shown once"
    )
    parser.add_argument("--tour-end", choices=SHELLS, help=argparse.SUPPRESS)
    parser.add_argument("--installed", action="store_true", help=argparse.SUPPRESS)


def run(args: argparse.Namespace) -> int:
    if args.tour_end:
        _tour.finish(args.tour_end, args.installed)
        return 0
    if args.shell and args.shell not in SHELLS:
        raise no_code_for(args.shell)
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        return _play()
    show(_choose(args.shell), args.clean, tour=args.tour)
    return 0


def show(shell: str, clean: bool, *, tour: bool = False, installed: bool = False) -> None:
    """Open `shell` with terma in it, and come back when it ends; the first time, or where `tour` says so, it shows the
    first minute. `installed`: every `shell` has terma already."""
    tour = tour or not _tour.seen()
    installed = installed or (shell == "xonsh" and _xonsh_trial.loads_by_itself())
    place = Path(tempfile.mkdtemp(prefix="terma-try-"))
    starting = None
    try:
        environment = dict(os.environ) | {"TERMA_SOCKET": str(place / "run" / "agent.sock")}
        greeting = _greet(shell, tour, installed)
        arguments = _prepare(shell, place, clean, environment, greeting)
        _tour.mark_seen()
        _leave_in_order()
        starting = _start_agent(environment)
        subprocess.run([shutil.which(shell) or shell, *arguments], env=environment, check=False)
    finally:
        _end(place, starting)


def _greet(shell: str, tour: bool, installed: bool) -> str:
    """What the start-up file says at its end: the first minute, or in three lines what there is to do."""
    from terma.shell_code import quote
    from terma.transcript import SENTENCES

    loaded = INSTALLED if installed else LOADED
    if not tour:
        lines = [loaded, *WELCOME.format(example=SENTENCES[0]).splitlines()]
        if shell == "xonsh":
            return _xonsh_trial.code([_tour.fit(line) for line in lines], [], [], [])
        return f"printf '%s\\n' {' '.join(quote(_tour.fit(line)) for line in lines)}"
    steps = _tour.steps(Path.cwd(), os.environ.get("PATH", ""))
    plain = bool(os.environ.get("NO_COLOR"))
    return _tour.code(shell, loaded, steps, shutil.get_terminal_size().columns, plain, installed)


def _leave_in_order() -> None:
    """A terminal that is closed, or a plain kill, ends the trial as `exit` does: nothing is left behind."""

    def leave(number: int, _frame: object) -> None:
        for again in (signal.SIGHUP, signal.SIGTERM, signal.SIGINT):
            signal.signal(again, signal.SIG_IGN)
        raise SystemExit(128 + number)

    signal.signal(signal.SIGHUP, leave)
    signal.signal(signal.SIGTERM, leave)


def _play() -> int:
    from terma.agent import inprocess
    from terma.commands._asking import surroundings
    from terma.transcript import play

    for line in play(lambda fields: inprocess.ask_json("suggest", fields), surroundings()):
        print(line)
    print("\nIn a terminal, `terma try` opens a shell to try it in. For good: terma init zsh --install")
    return 0


def _choose(wanted: str | None) -> str:
    """The shell to open: as asked, else the one that we are in, else the person's own, else whichever exists. Raises
    TermaError."""
    from terma.machine.caller import calling_shell

    if wanted and not shutil.which(wanted):
        raise UsageError(f"there is no {wanted} here", "apt install zsh, or try another --shell")
    own = [Path(shell).name for shell in (calling_shell(), os.environ.get("SHELL", ""))]
    for shell in filter(None, (wanted, *own, "zsh", "bash")):
        if shell in SHELLS and shutil.which(shell):
            return shell
    raise TermaError("there is neither a zsh nor a bash here", "apt install zsh")


def _prepare(shell: str, place: Path, clean: bool, environment: dict[str, str], greeting: str) -> list[str]:
    """Write the start-up files of the trial into `place`; the shell's arguments. Changes `environment`."""
    from terma import shell_code

    quote = shell_code.quote
    binary = shell_code.launcher()
    if shell == "xonsh":
        return _xonsh_trial.prepare(place, clean, environment, binary, greeting)
    code = place / f"terma.{shell}"
    code.write_text(shell_code.init_code(shell, binary), encoding="utf-8")
    # their own start-up file may have loaded another terma: here it is this one
    source = [
        f"TERMA_BIN={quote(binary)}",
        f". {quote(str(code))}",
        f"HISTFILE={quote(str(place / 'history'))}",
        greeting,
    ]
    if shell == "bash":
        file = place / "bashrc"
        own = [] if clean else ["[ ! -r ~/.bashrc ] || . ~/.bashrc"]
        file.write_text("\n".join([*own, *source, ""]), encoding="utf-8")
        return ["--rcfile", str(file), "-i"]
    old = environment.get("ZDOTDIR", "")
    back = f"ZDOTDIR={quote(old)}" if old else "unset ZDOTDIR"
    again = f"_terma_own=${{ZDOTDIR-}} ZDOTDIR={quote(str(place))}"
    env_file = (
        [back]
        if clean
        else [back, "[[ ! -r ${ZDOTDIR:-$HOME}/.zshenv ]] || source ${ZDOTDIR:-$HOME}/.zshenv"]
    )
    (place / ".zshenv").write_text("\n".join([*env_file, again, ""]), encoding="utf-8")
    back = "if [[ -n $_terma_own ]]; then ZDOTDIR=$_terma_own; else unset ZDOTDIR; fi; unset _terma_own"
    own = [] if clean else ["[[ ! -r ${ZDOTDIR:-$HOME}/.zshrc ]] || source ${ZDOTDIR:-$HOME}/.zshrc"]
    # compinit in the person's own file keeps its dump beside the trial's, not in their home
    (place / ".zshrc").write_text(
        "\n".join(["typeset -g ZSH_COMPDUMP=$ZDOTDIR/.zcompdump", back, *own, *source, ""]), encoding="utf-8"
    )
    environment["ZDOTDIR"] = str(place)
    return ["-i"]


def _start_agent(environment: dict[str, str]) -> subprocess.Popen[bytes] | None:
    """Start the trial's agent while the person reads: the first key of all should not have to wait for it. None where
    that is not to be had: the key then says why."""
    from terma import shell_code

    nothing = subprocess.DEVNULL
    words = [shell_code.launcher(), "agent", "start"]
    with contextlib.suppress(OSError):
        return subprocess.Popen(
            words, env=environment, stdin=nothing, stdout=nothing, stderr=nothing, start_new_session=True
        )
    return None


def _end(place: Path, starting: subprocess.Popen[bytes] | None) -> None:
    """The trial's agent leaves with the trial, and then its directory goes. That has another name first: an agent that
    the shell began to start, and that comes when all is over, finds no place to listen in."""
    from terma.agent import lifecycle

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # one Ctrl+C more must not leave it behind
    if starting:
        starting.wait()
    with contextlib.suppress(OSError):
        place = place.rename(place.with_name(place.name.replace("terma-try-", "terma-end-")))
    os.environ["TERMA_SOCKET"] = str(place / "run" / "agent.sock")
    try:
        lifecycle.stop()
    finally:
        shutil.rmtree(place, ignore_errors=True)
