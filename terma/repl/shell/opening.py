"""Starts the shell of a conversation: the person's own with their start-up files, else what can be had."""

from __future__ import annotations

import asyncio
import os
import shutil
from collections.abc import Callable, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from pathlib import Path

from terma.errors import TermaError
from terma.repl.shell.capture import Capture
from terma.repl.shell.interrupting import interrupt
from terma.repl.shell.passthrough import Passthrough
from terma.sessions import processes, prompts, pty, shells
from terma.sessions.channel import Own
from terma.sessions.pace import Pace
from terma.sessions.probe import Inspector
from terma.sessions.session import EXITED, IDLE, Parts, Session, Typed
from terma.sessions.waiting import Eyes

READY = 10.0  # seconds for start-up files
_TRIES = 2  # ways to make a prompt say where it is, before Ctrl+C
_OWNER = "conversation"
# Of the shell that terma runs in, and nobody else's.
_STRANGE = ("TERMA_RECORDING", "TERMA_LAST_", "TERMA_SESSION")
_PAGERS = ("PAGER", "GIT_PAGER", "MANPAGER", "SYSTEMD_PAGER")
_BARE = {"bash": ("--norc",), "zsh": ("-f",), "fish": ("--no-config",)}


@dataclass(frozen=True, slots=True)
class ShellStart:
    """`keys`: a person is there to press them."""

    shell: str
    environment: Mapping[str, str]
    cwd: str
    columns: int
    rows: int
    keys: bool


@dataclass(slots=True)
class Opened:
    """A shell at its prompt, and the tag of all that it will start. `bare`: without the person's start-up files."""

    session: Session
    tag: str
    bare: bool = False


def own_shell(name: str, environment: Mapping[str, str]) -> str:
    """The path of the shell to run: `name`, else $SHELL and the account's, where terma knows how to talk to it;
    else bash, else sh."""
    for wanted in (name, shells.own_shell(environment)):
        path = shutil.which(wanted, path=environment.get("PATH")) if wanted else None
        if path and shells.kind_of([path]) in (shells.BASH, shells.ZSH, shells.FISH, shells.SH):
            return path
    return shutil.which("bash", path=environment.get("PATH")) or "/bin/sh"


class _Unhurried(Pace):
    def rest(self, count: int) -> float:
        return 0.0


Sight = Callable[[Session], AbstractAsyncContextManager[Passthrough | None]]


async def open_shell(
    wanted: ShellStart,
    capture: Capture,
    inspector: Inspector,
    watch: Callable[[str, int], None],
    sight: Sight | None,
) -> Opened:
    """Start it and wait for its prompt. `watch` is told the tag before there is a process, then its leader. In
    `sight`, a person sees what it prints and answers: start-up files may ask for a passphrase.

    Raises TermaError when there is no shell to be had."""
    path = own_shell(wanted.shell, wanted.environment)
    kind = shells.kind_of([path])
    tries = [(path, ()), (path, _BARE[kind.name])] if kind.name in _BARE else [(path, ())]
    for number, (program, options) in enumerate([*tries, ("/bin/sh", ())]):
        opened = _spawn(wanted, (program, *options), capture, inspector, watch)
        try:
            ready = await _at_prompt(opened.session, capture, sight)
        except BaseException:
            opened.session.close()  # its terminal hangs up; the rest is found by its tag
            raise
        if ready:
            opened.bare = number > 0
            return opened
        leader = 0 if opened.session.phase == EXITED else opened.session.process.pid
        await processes.end(leader, opened.tag, 0.0)
        opened.session.close()
    raise TermaError(f"{path} draws no prompt within {READY:g} seconds", "look at its start-up files")


def _spawn(
    wanted: ShellStart,
    command: tuple[str, ...],
    capture: Capture,
    inspector: Inspector,
    watch: Callable[[str, int], None],
) -> Opened:
    nonce, tag = os.urandom(8).hex(), f"{_OWNER}:{os.getpid()}:{os.urandom(6).hex()}"
    # What is typed while a command runs is for our next prompt: the shell drops it, however late we hear of the end.
    environment = _environment(wanted) | {processes.TAG: tag}
    start = shells.start(command, environment, nonce, shells.kind_of(command), drops=True)
    watch(tag, 0)
    directory = wanted.cwd if Path(wanted.cwd).is_dir() else str(Path.home())
    process, master = pty.spawn(start.command, start.environment, directory, wanted.columns, wanted.rows)
    watch(tag, process.pid)
    session = Session(Parts(Own(process, master), capture, inspector, start.kind, nonce))
    session.pace = _Unhurried()  # the person's terminal sets the pace, and nobody else waits for this process
    capture.hidden = lambda: session.hidden
    if start.late:
        session.type(shells.bootstrap(start.kind, nonce, drops=True).encode())
    return Opened(session, tag)


def _environment(wanted: ShellStart) -> dict[str, str]:
    kept = {
        name: value
        for name, value in wanted.environment.items()
        if not name.startswith(_STRANGE) and name not in ("COLUMNS", "LINES", processes.TAG)
    }
    if not wanted.keys:
        kept |= {"TERM": "xterm-256color"} | dict.fromkeys(_PAGERS, "cat")
    kept.setdefault("TERM", "xterm-256color")
    kept["SHELL"] = kept.get("SHELL") or own_shell(wanted.shell, wanted.environment)
    return kept


async def _at_prompt(session: Session, capture: Capture, sight: Sight | None) -> bool:
    """Whether it comes to its prompt. A prompt without marks gets them anew; what waits for somebody before there is
    one gets its answer from them, or is sent away with Ctrl+C."""
    loop = asyncio.get_running_loop()
    deadline = loop.time() + READY
    eyes = Eyes(session, Typed(0, 0))
    tried = 0
    while session.phase not in (IDLE, EXITED):
        rest = deadline - loop.time()
        if rest <= 0:
            return False
        if eyes.sees() or _unmarked_prompt(session):
            seen = session.look()
            tried += 1
            if not seen.leader or seen.canonical or tried > _TRIES:
                if sight is not None and seen.canonical:
                    await _answered(session, capture, sight)
                elif not await interrupt(session):
                    return False
            elif tried == 1:
                session.type(shells.bootstrap(session.kind, session.nonce).encode())
            elif session.kind in (shells.BASH, shells.ZSH):
                session.ask_marks()
        await session.change(min(max(eyes.due(), 0.01), rest))
    return session.phase == IDLE


def _unmarked_prompt(session: Session) -> bool:
    """Whether it is a shell without start-up files of ours (sh), at its first prompt."""
    return session.setting_up and prompts.shell_waits(session.tail(), session.look(), session.quiet())


async def _answered(session: Session, capture: Capture, sight: Sight) -> None:
    """Let a person answer what start-up files ask."""
    async with sight(session) as person:
        with capture.revealed():
            while session.phase not in (IDLE, EXITED) and person is not None and not person.lost:
                await session.change(1.0)
