"""What the commands that ask share: what they tell of where they run, and who answers."""

from __future__ import annotations

import argparse
import contextlib
import os
import shutil
import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from terma.errors import AgentUnavailable, TermaError, UnsafePath, UsageError
from terma.surroundings import KEYS, terminal_fields

if TYPE_CHECKING:
    from terma.repl.setup.chat_options import ChatOptions

SHELLS = ("zsh", "bash", "xonsh", "sh")
Ask = Callable[[str, Mapping[str, str]], Any]
Frames = Iterable[tuple[str, ...]]


def surroundings(shell: str | None = None) -> dict[str, str]:
    """What the answer may depend on, as the fields of a request. The shell is the one that asks, where it says so: one
    that was started in another is not the person's login shell."""
    own = os.environ.get("TERMA_LAST_SHELL") or Path(os.environ.get("SHELL", "")).name
    shell = shell or (own if own in SHELLS else "bash")
    here = {"shell": shell, "path": os.environ.get("PATH", ""), "histfile": _history_file(shell)}
    with contextlib.suppress(OSError):  # the working directory may be gone
        here["cwd"] = str(Path.cwd())
    return here | {"engine": os.environ.get("TERMA_ENGINE", "")} | settings()


def known_shell(name: str) -> str:
    """The value of `--shell`. Raises UsageError for a shell that terma writes no commands for."""
    if name not in SHELLS:
        there = f"{', '.join(SHELLS[:-1])} and {SHELLS[-1]}"
        raise UsageError(
            f"terma has no commands for {name}", f"it has some for {there}; most run in any of them"
        )
    return name


def settings() -> dict[str, str]:
    """The TERMA_ variables and the models' keys of this environment."""
    known = {f"env.{name}": value for name, value in os.environ.items() if value and name.endswith(KEYS)}
    ours = [
        f"{name}={value}"
        for name, value in os.environ.items()
        if name.startswith("TERMA_") and "\n" not in value
    ]
    return known | {"settings": "\n".join(["", *ours])}


def terminal() -> dict[str, str]:
    """Where this terminal's text can be had, and its size."""
    size = shutil.get_terminal_size((0, 0))
    return terminal_fields(os.environ) | {"columns": str(size.columns), "lines": str(size.lines)}


def last_command() -> dict[str, str]:
    """What a shell with terma's hooks hands over of its last command; {} without them."""
    names = {
        "command": "TERMA_LAST_COMMAND",
        "status": "TERMA_LAST_STATUS",
        "duration": "TERMA_LAST_DURATION",
        "command_dir": "TERMA_LAST_DIR",
        "statuses": "TERMA_LAST_STATUSES",
    }
    return {key: os.environ[name] for key, name in names.items() if os.environ.get(name)}


_PANES = {  # the variable of each terminal's server, and that of its pane
    "TMUX": "TMUX_PANE",
    "ZELLIJ_SESSION_NAME": "ZELLIJ_PANE_ID",
    "STY": "WINDOW",
    "KITTY_LISTEN_ON": "KITTY_WINDOW_ID",
    "WEZTERM_UNIX_SOCKET": "WEZTERM_PANE",
}


def in_pane(fields: Mapping[str, str], pane: str) -> dict[str, str]:
    """`fields` as a terminal's other `pane` has them, whose last command nobody tells, and its directory and width tmux
    alone. Raises UsageError where there is no such pane."""
    server = next((name for name in _PANES if os.environ.get(name)), "")
    if not server:
        raise UsageError(
            "this terminal has no panes that could be read", "tmux, zellij, screen, kitty and wezterm have"
        )
    told: dict[str, str] = {}
    if server == "TMUX":
        pane, columns, folder = _tmux_pane(pane)
        told = {"columns": columns, "command_dir": folder}
    elif not pane.isdecimal():
        raise UsageError(f"{pane} is no number of a pane", f"echo ${_PANES[server]} in that pane tells it")
    kept = {
        name: value
        for name, value in fields.items()
        if name not in ("columns", "lines")
        and name.removeprefix("env.") not in ("TERMA_RECORDING", *_PANES.values())
    }
    return kept | told | {f"env.{_PANES[server]}": pane, "another_pane": "1"}


def _tmux_pane(target: str) -> tuple[str, str, str]:
    """The pane that tmux knows as `target` (%3, 1.2, left, …): its id, its width and where its program is."""
    import subprocess

    if target.isdecimal():
        target = f"%{target}"
    try:
        said = subprocess.run(
            ["tmux", "display-message", "-p", "-t", target, "#{pane_id} #{pane_width} #{pane_current_path}"],
            capture_output=True,
            encoding="utf-8",
            timeout=5,
            check=False,
        )
    except (OSError, subprocess.SubprocessError) as error:
        raise UsageError("tmux does not answer", "tmux list-panes -a") from error
    if said.returncode or not said.stdout.strip():
        raise UsageError(f"tmux knows no pane {target}", "tmux list-panes -a shows them")
    found, columns, folder = said.stdout.rstrip("\n").split(" ", 2)
    return found, columns, folder


def _history_file(shell: str) -> str:
    """Where `shell` keeps its history: no shell exports that, so the usual place, when there is one."""
    told = os.environ.get("HISTFILE", "")
    usual = Path.home() / f".{shell}_history"
    return told or (str(usual) if usual.is_file() else "")


def asker(stack: contextlib.ExitStack) -> Ask:
    """What answers requests for JSON: the agent, or this process where no agent can be reached or started."""
    from terma import client

    try:
        agent = stack.enter_context(client.connect())
    except (AgentUnavailable, UnsafePath):
        from terma.agent import inprocess

        return inprocess.ask_json
    current = [agent]

    def ask(kind: str, fields: Mapping[str, str]) -> Any:
        try:
            return current[0].ask_json(kind, fields)
        except client.AgentLost:  # it left between two questions; its successor knows the same
            current[0] = stack.enter_context(client.connect())
            return current[0].ask_json(kind, fields)

    return ask


def frames(stack: contextlib.ExitStack, kind: str, fields: Mapping[str, str]) -> Frames:
    """The frames of an answer as they come, from the agent, or from this process where there can be none."""
    from terma import client

    try:
        agent = stack.enter_context(client.connect())
    except (AgentUnavailable, UnsafePath):
        from terma.agent import inprocess

        return inprocess.ask(kind, fields)
    return agent.ask(kind, fields)


def add_engine_arguments(parser: argparse.ArgumentParser) -> None:
    """The flags that every question to an engine has."""
    parser.add_argument("--engine", metavar="E", help="offline, auto, ...: which engine answers this time")
    parser.add_argument("--model", metavar="M", help="a model of the settings, or provider/model")
    parser.add_argument("--role", metavar="R", help="what a model is told to be; terma roles lists them")


def engine_fields(args: argparse.Namespace, here: Mapping[str, str]) -> dict[str, str]:
    """`here` with those flags: they win over variables and files."""
    fields = dict(here)
    if args.model:
        fields["settings"] = fields.get("settings", "") + f"\nTERMA_MODEL={args.model}"
        fields["model"] = args.model  # said for this question: a role's own model does not replace it
        fields["engine"] = args.engine or "auto"
    elif args.engine:
        fields["engine"] = args.engine
    return fields | ({"role": args.role} if args.role else {})


def ask_first(args: argparse.Namespace) -> None:
    """Ask the person, once about each, whether what `auto` found may answer: before a conversation tells it anything.

    Nobody is asked where something was chosen, or where nobody could answer. Raises KeyboardInterrupt."""
    if args.engine or args.model or not (sys.stdin.isatty() and sys.stdout.isatty()):
        return
    from terma import quiet

    fields = engine_fields(args, surroundings())
    with (
        contextlib.suppress(TermaError),
        contextlib.ExitStack() as stack,
    ):  # the conversation itself says what is wrong
        ask = asker(stack)
        for one in ask("conversation", fields)["asks"]:
            allowed = quiet.yes(one["question"])
            ask("models", fields | {"allow" if allowed else "deny": one["name"]})
            if allowed:
                return


def inside() -> Any:
    """What answers in this process, for terma.repl.setup.agent, where no agent can be reached or started."""
    from terma.agent import inprocess

    return inprocess.handlers()


def chat_options(args: argparse.Namespace) -> ChatOptions:
    """What the flags that `terma ask` and `terma chat` share say of the conversation."""
    from terma.conversation.asker import shell_that_asks
    from terma.repl.setup.chat_options import ChatOptions

    seen = in_pane(terminal(), args.pane) if args.pane else terminal() | last_command()
    return ChatOptions(
        fields=engine_fields(args, surroundings()) | seen,
        temperature=args.temperature,
        max_steps=args.max_steps,
        resume=args.resume or ("last" if args.go_on else ""),
        shell=shell_that_asks(),
        follow=not (args.new or getattr(args, "json", True)),
        save=not args.no_save,
        yes=args.yes,
        another_pane=bool(args.pane),
        inside=inside,
    )
