"""`terma uninstall`: takes back everything that terma left, and says what it is."""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from terma.commands import _startup_file
from terma.quiet import yes

END_SECONDS = 5.0  # that an agent gets to end after it gave up its socket
HELP = "list or remove what terma left on this machine"


@dataclass(frozen=True, slots=True)
class Trace:
    """One thing left behind, and how to take it away."""

    what: str
    where: str
    remove: Callable[[], None]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--dry-run", action="store_true", help="only list what there is")
    parser.add_argument("-y", "--yes", action="store_true", help="do not ask")
    parser.add_argument("--json", action="store_true", help="with --dry-run: for programs")


def run(args: argparse.Namespace) -> int:
    found = traces()
    if args.json and args.dry_run:
        print(json.dumps([{"what": trace.what, "where": trace.where} for trace in found]))
        return 0
    for trace in found:
        print(f"{trace.what:<18} {trace.where}")
    if not found:
        print("terma left nothing here.")
    elif not args.dry_run:
        if not args.yes and not _agrees():
            print("Nothing was removed.")
            return 1
        for trace in chain(found, _late(found)):
            trace.remove()
        print("All of it is removed.")
    print(f"The program itself: {_package_hint()}")
    return 0


def traces() -> list[Trace]:
    """Everything of terma outside its package that exists, the running agent first."""
    from terma import paths
    from terma.errors import TermaError

    found = []
    with contextlib.suppress(TermaError):
        runtime = paths.runtime_dir()
        if runtime.is_dir():
            socket = paths.socket_path()
            if socket.exists():
                found.append(Trace("agent", str(socket), _end_agent))
            found.append(Trace("runtime directory", str(runtime), lambda: _remove_runtime(runtime)))
    for file in _startup_files():
        found.append(Trace("line in", str(file), lambda file=file: _startup_file.remove(file)))  # type: ignore[misc]
    from terma.local import places, process

    if places.folder().is_dir():
        found.append(Trace("local model", str(places.folder()), lambda: _remove_tree(places.folder())))
    if places.held():
        found.insert(
            0, Trace("local model's server", str(places.socket_path()), lambda: _quietly(process.stop))
        )
    kinds = {"shell code": paths.data_dir, "state and log": paths.state_dir, "cache": paths.cache_dir}
    for what, place in (kinds | {"settings": paths.config_dir}).items():
        if (directory := place()).is_dir():
            found.append(Trace(what, str(directory), lambda gone=directory: _remove_tree(gone)))  # type: ignore[misc]
    return found


def _late(found: list[Trace]) -> Iterator[Trace]:
    """What an agent that just ended still wrote while the list stood before its reader."""
    known = {trace.where for trace in found}
    yield from (trace for trace in traces() if trace.where not in known)


def _startup_files() -> list[Path]:
    from terma.commands.init import startup_file

    files = dict.fromkeys(
        [startup_file("zsh"), Path.home() / ".zshrc", startup_file("bash"), startup_file("xonsh")]
    )
    return [file for file in files if _startup_file.marked(file)]


def _remove_runtime(directory: Path) -> None:
    """Only what is ours: TERMA_SOCKET may point into a directory with other things in it."""
    from terma import paths

    socket = paths.socket_path()
    beside = [paths.beside(socket, name) for name in ("agent.lock", "start.lock", "holder.lock")]
    shared = [directory / name for name in ("agent.pid", "model.lock", "model.json", "model.sock")]
    for file in (socket, *beside, *shared):
        file.unlink(missing_ok=True)
    with contextlib.suppress(OSError):
        directory.rmdir()


def _end_agent() -> None:
    """Until its process is gone: an agent that gave up its socket still writes the end of its log."""
    from terma import autostart, paths
    from terma.agent import endpoint, lifecycle

    lock = paths.beside(paths.socket_path(), autostart.AGENT_LOCK)
    pid = endpoint.holder(lock.parent, lock.name)
    _quietly(lifecycle.stop)
    deadline = time.monotonic() + END_SECONDS
    with contextlib.suppress(OSError):
        while pid and time.monotonic() < deadline:
            os.kill(pid, 0)
            time.sleep(0.02)


def _quietly(action: Callable[[], object]) -> None:
    from terma.errors import TermaError

    with contextlib.suppress(TermaError):
        action()


def _agrees() -> bool:
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        print("Without a terminal, say --yes.")
        return False
    return yes("Remove all of this?")


def _package_hint() -> str:
    if Path(sys.prefix, "pipx_metadata.json").exists():
        return "pipx uninstall xontrib-terma"
    if Path(sys.prefix, "uv-receipt.toml").exists():
        return "uv tool uninstall xontrib-terma"
    return f"{sys.executable} -m pip uninstall xontrib-terma"


def _remove_tree(directory: Path) -> None:
    """Remove `directory`, also when an agent that is leaving or another shell removes parts of it meanwhile."""
    while directory.exists():
        with contextlib.suppress(FileNotFoundError):
            shutil.rmtree(directory)
