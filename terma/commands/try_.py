"""`terma try`: a shell with terma in it and nothing of yours changed; without a terminal, a transcript."""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from terma.errors import TermaError, UsageError

HELP = "try it now, in a shell of its own that changes nothing of yours"
WELCOME = """terma is loaded in this shell; nothing of yours was changed, and `exit` ends the trial.
Type what you want in plain words, for example: {example}
Then press Ctrl+T. Again for another command, Ctrl+C for your words back; only your Enter runs anything."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--shell", choices=("zsh", "bash"), help="which shell (default: yours, else what exists)"
    )
    parser.add_argument("--clean", action="store_true", help="do not read your own start-up file first")


def run(args: argparse.Namespace) -> int:
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        return _play()
    shell = _choose(args.shell)
    with tempfile.TemporaryDirectory(prefix="terma-try-") as name:
        place = Path(name)
        environment = dict(os.environ) | {"TERMA_SOCKET": str(place / "run" / "agent.sock")}
        arguments = _prepare(shell, place, args.clean, environment)
        try:
            subprocess.run([shutil.which(shell) or shell, *arguments], env=environment, check=False)
        finally:
            _end_agent(environment)
    return 0


def _play() -> int:
    from terma.agent import inprocess
    from terma.commands._asking import surroundings
    from terma.transcript import play

    for line in play(lambda fields: inprocess.ask_json("suggest", fields), surroundings()):
        print(line)
    print("\nIn a terminal, `terma try` opens a shell to try it in. For good: terma init zsh --install")
    return 0


def _choose(wanted: str | None) -> str:
    """The shell to open: as asked, else the person's own, else whichever exists. Raises TermaError."""
    if wanted and not shutil.which(wanted):
        raise UsageError(f"there is no {wanted} here", "apt install zsh, or try another --shell")
    own = Path(os.environ.get("SHELL", "")).name
    for shell in filter(None, (wanted, own, "zsh", "bash")):
        if shell in ("zsh", "bash") and shutil.which(shell):
            return shell
    raise TermaError("there is neither a zsh nor a bash here", "apt install zsh")


def _prepare(shell: str, place: Path, clean: bool, environment: dict[str, str]) -> list[str]:
    """Write the start-up files of the trial into `place`; the shell's arguments. Changes `environment`."""
    from terma import shell_code
    from terma.transcript import SENTENCES

    quote = shell_code.quote
    code = place / f"terma.{shell}"
    binary = shell_code.launcher()
    code.write_text(shell_code.init_code(shell, binary), encoding="utf-8")
    welcome = f"printf '%s\\n' {quote(WELCOME.format(example=SENTENCES[0]))}"
    # their own start-up file may have loaded another terma: here it is this one
    source = [
        f"TERMA_BIN={quote(binary)}",
        f". {quote(str(code))}",
        f"HISTFILE={quote(str(place / 'history'))}",
        welcome,
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
        []
        if clean
        else [f"{back}", "[[ ! -r ${ZDOTDIR:-$HOME}/.zshenv ]] || source ${ZDOTDIR:-$HOME}/.zshenv"]
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


def _end_agent(environment: dict[str, str]) -> None:
    """The trial's agent has a socket of its own; it leaves with the trial."""
    from terma.agent import lifecycle

    os.environ["TERMA_SOCKET"] = environment["TERMA_SOCKET"]
    lifecycle.stop()
