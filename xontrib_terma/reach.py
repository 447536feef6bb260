"""The way to the agent: where its socket is, whether it is ours alone, how one is started, and what is told to it."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from terma import paths, wire
from terma.errors import AgentUnavailable, ProtocolError, UnsafePath
from terma.surroundings import KEYS, SCREENS, terminal_fields
from terma.text import one_line

MAX_TEXT, MAX_COMMAND, MAX_ALIASES = 4_000, 2_000, 8_000  # code points
START_SECONDS = 30.0


def socket_path(environ: Mapping[str, str]) -> Path | None:
    """The agent's socket, None when there is none. Raises UnsafePath when it is not ours alone."""
    path = paths.socket_path(environ)
    try:
        info = path.lstat()
    except OSError:
        return None
    paths.check_private(path.parent)
    if not stat.S_ISSOCK(info.st_mode) or info.st_uid != os.geteuid():
        raise UnsafePath(f"{path} is not a socket of yours", "set TERMA_SOCKET to another path")
    return path


def start_agent(environ: Mapping[str, str]) -> None:
    """Start an agent and wait until it stands. Raises AgentUnavailable with its own words."""
    try:
        done = subprocess.run(
            program(environ, "agent", "start"),
            env=dict(environ),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            timeout=START_SECONDS,
            start_new_session=True,  # a ^C at the prompt is not meant for it
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise AgentUnavailable("the agent did not start", "terma doctor says why") from error
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines()
        raise AgentUnavailable(
            one_line(said[0].removeprefix("terma: ")) if said else "the agent did not start",
            "terma doctor says why",
        )


def program(environ: Mapping[str, str], *words: str) -> list[str]:
    """How `terma WORDS` is run: $TERMA_BIN, the one on $PATH, else this interpreter with the code beside us."""
    told = environ.get("TERMA_BIN") or shutil.which("terma", path=environ.get("PATH"))
    if told:
        return [told, *words]
    root = str(Path(__file__).resolve().parent.parent)
    there = (
        f"import sys; sys.path.insert(0, {root!r}); from terma.cli import main; sys.exit(main(sys.argv[1:]))"
    )
    return [sys.executable, "-c", there, *words]


def request(session: Any, number: int, kind: str, own: Mapping[str, str]) -> bytes:
    """The hello and the ask, in one piece. Raises ProtocolError when the line is too long to send."""
    environ = session.environment()
    fields = surroundings(session, environ) | dict(own)
    if kind != "translate":
        fields |= terminal(environ)
    told = wire.unkeyed(fields)
    if own.get("displaced") == "":
        told.append("displaced=")  # without a value it says that nothing had the key
    hello = wire.encode("hello", str(wire.VERSION), "xonsh", str(os.getpid()))
    known = wire.unkeyed({"aliases": aliases(session.xsh.aliases)})
    try:
        return hello + wire.encode("ask", str(number), kind, *told, *known)
    except ProtocolError:
        return hello + wire.encode("ask", str(number), kind, *told)


def surroundings(session: Any, environ: Mapping[str, str]) -> dict[str, str]:
    """What every question tells: the place, the settings, the last command."""
    memory = session.memory
    ours = [
        f"{name}={value}"
        for name, value in environ.items()
        if name.startswith("TERMA_") and "\n" not in value
    ]
    fields = {
        "shell": "xonsh",
        "path": environ.get("PATH", ""),
        "histfile": history_file(session.xsh.history),
        "columns": str(shutil.get_terminal_size().columns),
        "engine": environ.get("TERMA_ENGINE", ""),
        "settings": "\n".join(["", *ours]),
        "command": memory.command[:MAX_COMMAND],
        "duration": str(memory.duration),
        "command_dir": memory.directory,
        "status": str(memory.status) if memory.status >= 0 else "",
        "missing": "1" if memory.missing else "",
        "statuses": " ".join(map(str, memory.statuses)),
    }
    try:
        fields["cwd"] = os.getcwd()  # noqa: PTH109 a string, and no import of pathlib
    except OSError:
        fields["cwd"] = ""  # the working directory may be gone
    return fields | {f"env.{name}": value for name, value in environ.items() if value and name.endswith(KEYS)}


def terminal(environ: Mapping[str, str]) -> dict[str, str]:
    """By what the agent finds the terminal's text."""
    return terminal_fields(environ) | {"lines": lines()}


def lines() -> str:
    """How many rows the terminal has."""
    return str(shutil.get_terminal_size().lines)


def output(session: Any) -> dict[str, str]:
    """What Python printed of the last command, where that is all there is or says more than the screen."""
    memory = session.memory
    environ = session.environment()
    if memory.raised or (memory.output and not any(environ.get(name) for name in SCREENS)):
        return {"output": memory.output}
    return {}


def history_file(history: Any) -> str:
    """The SQLite file, or the directory of the JSON files, of which the current one is written late."""
    name = str(getattr(history, "filename", None) or "")
    return os.path.dirname(name) if name.endswith(".json") else name  # noqa: PTH120 a string goes out


def aliases(known: Mapping[str, Any]) -> str:
    """Plain aliases as name=value lines."""
    lines: list[str] = []
    length = 0
    for name, value in known.items():
        text = " ".join(map(str, value)) if isinstance(value, list) else ""
        if text and "\n" not in text and length + len(name) + len(text) < MAX_ALIASES:
            lines.append(f"{name}={text}")
            length += len(lines[-1]) + 1
    return "\n".join(lines)
