"""The conversation's own shell: what is run there lasts, and the person sees it and types into it.

The shell runs on a terminal of its own, with the marks and looks of terma.sessions, inside this process: a flood of
output then never meets the agent, passwords cross no socket, and Ctrl+C needs nobody's help. What still runs in it at
the end can be handed to the agent; a guard ends what it started when this process is killed.
"""

from __future__ import annotations

import asyncio
import signal
import time
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

from terma.dialogue import EndedBy, IfBusy, Ran, State
from terma.errors import TermaError
from terma.repl.jobs.started import Jobs
from terma.repl.shell.capture import Capture
from terma.repl.shell.following import follow, shown_as_text
from terma.repl.shell.interrupting import interrupt
from terma.repl.shell.lifetime import ShellLifetime
from terma.repl.shell.opening import ShellStart, own_shell
from terma.repl.shell.passthrough import Handles, Passthrough
from terma.repl.shell.passwords import Passwords
from terma.sessions import pty
from terma.sessions.handing import Program, Take
from terma.sessions.session import EXITED, IDLE, Session, Typed
from terma.sessions.survivors import Survivor
from terma.text import one_line

_BEGINS = 2.0  # seconds for a command to begin
_WRONG = 127  # fish's status for an error of syntax
_STOPPED = 128 + signal.SIGTSTP  # bash's and zsh's, for what waits to be continued


class ShellBusy(TermaError):
    """An earlier command still runs in the shell."""

    code = "busy"


class PersistentShell:
    """`dialogue.Shell`. Nothing starts before the first `run`, or `start`.

    `shell` is a path or name ("": the person's own), `environment` all that it gets, `timeout` (seconds, 0: none) what
    `run` waits without being told. `terminal` is where keys come from and output goes; without one, a program that
    waits for input is interrupted, and `show` gets the output as text that is safe to print. `display_lines`
    is how much of an output the terminal is shown, 0: all."""

    def __init__(
        self,
        shell: str,
        cwd: str,
        environment: Mapping[str, str],
        *,
        columns: int = 120,
        rows: int = 32,
        timeout: float = 0.0,
        terminal: Handles | None = None,
        display_lines: int = 0,
        show: Callable[[str], None] = lambda text: None,
    ) -> None:
        self.rest = b""  # what the terminal was not shown of the latest command's output (`display_lines`)
        self.last: Ran | None = None  # how the latest run went, also when it was cancelled
        self.typed_ahead = (
            ""  # keys, typed while a command ran, for the next prompt, which takes them from here
        )
        self.bare = False  # the person's start-up files let no prompt appear, and were left out
        self._shell, self._cwd, self._environment = shell, cwd, environment
        self._size = (columns, rows)
        self._timeout, self._terminal, self._show = timeout, terminal, show
        self._lines = display_lines
        self._person: Passthrough | None = None  # while a command has their terminal
        self._running = ""  # a command that nobody waits for any more
        self._plain = False  # what it prints is shown as text only
        self._begun = 0.0
        self._typed = Typed(0, 0)
        self._unclean = False  # keys may have reached the prompt that were not meant for it
        self._capture = Capture()
        self._owned = ShellLifetime(self._capture)
        self._jobs = Jobs(self._owned.left)
        self._stood = self._jobs.stopped  # what waited to be continued before the latest command
        self._passwords = Passwords()
        self._happened = asyncio.Event()
        self._lock = asyncio.Lock()

    @property
    def cwd(self) -> str:
        """The shell's working directory, or where it will start."""
        self._cwd = self._owned.directory() or self._cwd
        return self._cwd

    @property
    def name(self) -> str:
        """Which shell it is, or will be: bash, zsh, fish."""
        return Path(own_shell(self._shell, self._environment)).name

    @property
    def pid(self) -> int:
        """The shell's process, 0 while there is none."""
        session = self._owned.session
        return session.process.pid if session is not None else 0

    @property
    def there(self) -> bool:
        """Whether there is a shell, or will be in a moment."""
        return bool(self.pid) or self._lock.locked()

    @property
    def busy(self) -> str:
        """The command that still runs there, after a time-out; "" when the shell is free."""
        session = self._owned.session
        if self._running and (session is None or session.finished(self._typed)):
            self._running = ""
        return self._running

    async def start(self) -> bool:
        """Have a shell at its prompt; whether an earlier one had ended. Raises TermaError when none can be had."""
        if self._owned.session is not None:
            return False
        ended = self._owned.any
        self._plain = False
        columns, rows = self._size
        keys = self._terminal is not None
        wanted = ShellStart(self._shell, self._environment, self._cwd, columns, rows, keys)
        session = await self._owned.open(wanted, self._sight if keys else None)
        session.told = self._hear
        self._running, self._unclean, self.bare = "", False, self._owned.bare
        return ended

    def resize(self, columns: int, rows: int) -> None:
        """The size of the terminal it sees; while a command runs it follows the person's by itself."""
        self._size = (columns, rows)
        if (session := self._owned.session) is not None:
            pty.resize(session.master, columns, rows)

    async def run(
        self, command: str, *, within: float | None = None, if_busy: IfBusy = "refuse", plain: bool = False
    ) -> Ran:
        """As in dialogue.Shell. `if_busy`: what is done when an earlier command still runs: raise ShellBusy, wait for
        its end, or interrupt it. What waits for input that nobody can give is interrupted: ended_by settle, with the
        state it was in. Raises UsageError for control characters in `command`."""
        async with self._lock:
            return await self._entered(command, within, if_busy, plain)

    async def quietly(self, command: str, seconds: float) -> Ran:
        """Run one that the person did not ask for: unseen, and interrupted when it takes longer. Raises TimeoutError
        then, else as `run`."""
        async with self._lock:  # before that and behind it a command of the person's may come, which is seen
            await self.start()
            terminal, show = self._terminal, self._show
            self._terminal, self._show = None, _unseen
            try:
                async with asyncio.timeout(seconds):
                    return await self._entered(command, None, "refuse")
            finally:
                self._terminal, self._show = terminal, show

    async def wait(self, *, within: float | None = None) -> Ran:
        """Wait on for the command that a time-out left running; its output since then. Raises TermaError when there is
        none."""
        async with self._lock:
            return await self._attended(self._left(), within, False)

    async def interrupt(self) -> Ran:
        """Interrupt the command that a time-out left running. Raises TermaError when there is none."""
        async with self._lock:
            session = self._left()
            await self._interrupted(session)
            return await self._result(session, "interrupt", "idle", False)

    async def left(self) -> list[Survivor]:
        """What was started here and lives, a command that still runs included."""
        return await self._jobs.left()

    async def hand_over(self, take: Take, first: str = "") -> str:
        """Give the shell away, with all that runs in it, once `first` was entered; the next command gets a new one.
        `take` is told the master
        side of its terminal, what is known of it and what it printed last, and returns the name that it has from now
        on. Raises what `take` raises, and TermaError where there is no shell."""
        async with self._lock:
            session = self._session()
            if first:
                session.enter(first)
                while not session.begun and await session.change(_BEGINS):
                    pass
            columns, rows = self._size
            program = Program(
                pid=session.process.pid,
                tag=self._owned.tag,
                command=(own_shell(self._shell, self._environment),),
                kind=session.kind.name,
                nonce=session.nonce,
                cwd=self.cwd,
                columns=columns,
                rows=rows,
                idle=session.phase == IDLE,
                status=session.status,
            )
            session.pause()
            try:
                name = await take(session.master, program, self._capture.latest())
            except BaseException:
                session.resume()
                raise
            self._owned.give_up()
            self._running, self._unclean = "", False
            return name

    async def close(self) -> None:
        """End the shell as a terminal does that hangs up: what was detached from it lives on."""
        await self._owned.close()
        self._passwords.forget()

    # one command

    async def _entered(self, command: str, within: float | None, if_busy: IfBusy, plain: bool = False) -> Ran:
        """`run`, with the lock held."""
        restarted = await self.start()
        earlier = await self._free(within, if_busy)
        restarted = await self.start() or restarted
        session = self._session()
        if self._unclean or session.draft or session.phase != IDLE:
            await self._interrupted(session)
        self._capture.begin()
        self._running, self._begun, self._plain = command, time.monotonic(), plain
        self._stood = self._jobs.stopped
        self._jobs.enter(command)
        self._typed = session.enter(command)
        return replace(await self._attended(session, within, restarted), earlier=earlier)

    async def _attended(
        self, session: Session, within: float | None, restarted: bool, before: str = ""
    ) -> Ran:
        """Follow what runs to its end, in the person's sight. When that is cancelled, interrupt it first."""
        cancelled = False
        patience = self._timeout if within is None else within
        async with self._sight(session) as person:
            if self._show is not _unseen:  # what jobs printed waits for a command that is seen
                self._say(person, before or self._capture.between())
            try:
                ended, state = await follow(session, self._typed, self._happened, patience, person)
            except asyncio.CancelledError:
                ended, state, cancelled = "interrupt", "idle", True
            complaint = "" if session.begun else self._capture.complaint()
            self._say(person, complaint)
            if ended in ("settle", "interrupt"):
                await asyncio.shield(self._interrupted(session))
            elif person is not None and (person.presses or person.refused):
                ended = "interrupt"
        ran = await self._result(session, ended, state, restarted)
        if person is not None:
            ran = replace(ran, insisted=len(person.presses) > 1, key=person.pressed)
            ran = await self._stopped(ran, person)
        if complaint:
            ran = replace(ran, output=complaint, status=ran.status or _WRONG, ended_by="marker", state="idle")
        self.last = ran
        if cancelled:
            raise asyncio.CancelledError
        return ran

    async def _stopped(self, ran: Ran, person: Passthrough) -> Ran:
        """With what Ctrl+Z did: a program may take it for a key of its own, and stop by it or not."""
        if ran.state != "idle" or (person.asked_to_stop <= self._begun and ran.status != _STOPPED):
            return ran
        stopped = {one.pid for one in await self._jobs.left() if one.stopped}
        by_shell = person.suspended > self._begun or ran.status == _STOPPED
        return replace(ran, ended_by="stop") if (stopped if by_shell else stopped - self._stood) else ran

    def _say(self, person: Passthrough | None, text: str) -> None:
        """Show what was said beside the command: by jobs in the background, by a line editor."""
        if text and person is not None:
            person.write(text.replace("\n", "\r\n").encode() + b"\r\n")
        elif text:
            self._show(text + "\n")

    @asynccontextmanager
    async def _sight(self, session: Session) -> AsyncGenerator[Passthrough | None, None]:
        """Show what comes: on the person's terminal, which is the command's meanwhile, or as text."""
        if self._terminal is None:
            with shown_as_text(self._capture, self._show):
                yield None
            return
        person = Passthrough(
            self._terminal, session, self._passwords, self._happened.set, self._lines, self._plain
        )
        self._person = person
        self._size = person.open() or self._size
        try:
            with self._capture.shown_to(person.show):
                yield person
        finally:
            self._person = None
            await person.close()
            self.typed_ahead += person.left()
            self.rest = person.rest

    async def _result(self, session: Session, ended: EndedBy, state: State, restarted: bool) -> Ran:
        known = ended in ("marker", "exit", "interrupt")
        command, seconds = self._running, time.monotonic() - self._begun
        self._capture.taking = state == "running"
        if state != "running":
            self._running = ""
        if session.phase == EXITED:
            ended, state = ("exit" if ended == "marker" else ended), "exited"
        output, dropped = await asyncio.to_thread(self._capture.taken().text, *self._size)
        background = await self._jobs.started() if state == "idle" else ()
        status = session.exit_status if session.phase == EXITED else session.status
        return Ran(
            command=command,
            output=self._passwords.clean(output),
            status=status if known else None,
            ended_by=ended,
            state=state,
            seconds=seconds,
            dropped=dropped,
            cwd=self.cwd,
            restarted=restarted,
            background=background,
        )

    # the shell

    def _hear(self, letter: str) -> None:
        """A mark came, or the end: the one thing that `_follow` waits for."""
        self._happened.set()
        session = self._owned.session
        if letter == "B" and session is not None and session.phase == IDLE:
            self._capture.at_prompt()
        elif letter == "X":
            self._capture.drop_line()  # the prompt of a shell that took this one's place
        if letter in "AD":
            self._capture.refused()
        person = self._person
        if letter == "D" and session is not None and person is not None and (person.ahead or person.unsure):
            dropped = pty.drop_input(session.master)  # it was meant for whoever comes next
            self._unclean = bool(person.ahead) or not dropped

    async def _free(self, within: float | None, if_busy: IfBusy) -> Ran | None:
        """See to it that no earlier command runs; what it came to. Raises ShellBusy."""
        if not self.busy:
            return None
        earlier = None
        if if_busy == "wait":
            before = f"[first: {one_line(self._running, 60)} still runs]"
            earlier = await self._attended(self._session(), within, False, before)
        elif if_busy == "interrupt":
            session = self._session()
            await self._interrupted(session)
            earlier = await self._result(session, "interrupt", "idle", False)
        if self.busy:
            seconds = time.monotonic() - self._begun
            raise ShellBusy(
                f"the shell still runs {one_line(self._running, 60)} ({seconds:.0f} s)",
                "wait for it, or interrupt it, first (if_busy)",
            )
        return earlier

    def _session(self) -> Session:
        session = self._owned.session
        if session is None:
            raise TermaError("the shell has ended", "the next command gets a new one")
        return session

    def _left(self) -> Session:
        if not self.busy:
            raise TermaError("no command runs in the shell", "it is free for the next one")
        return self._session()

    async def _interrupted(self, session: Session) -> None:
        """The prompt is back afterwards, or the shell has ended."""
        self._unclean = False
        if session.phase != EXITED and not await interrupt(session):
            await self._owned.kill()


def _unseen(_: str) -> None:
    pass
