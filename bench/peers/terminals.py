"""A command in a terminal that lives on (terma's sessions beside pexpect and tmux), and a terminal that is recorded
(`terma shell` beside `script` and tmux's pipe-pane)."""

from __future__ import annotations

import contextlib
import os
import shutil
import statistics
import subprocess
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from bench.peers.figures import Row, Table
from bench.peers.place import Place
from bench.peers.spending import resident, rounds, spent
from bench.recorder import OPEN, RAW_ECHO, TERMA, _press, read_until, running
from terma.sessions import remote
from tests.conftest import wait_until

COMMANDS = 40
ROUNDS, KEYS = 10, 25
MEGABYTES = 8
SOCKET = f"terma-peers-{os.getpid()}"
TMUX = ["tmux", "-L", SOCKET, "-f", "/dev/null"]
RECORDERS = ("terma shell", "script", "tmux, pipe-pane", "bare")


@dataclass
class Runner:
    """One that runs `echo hi` and knows its output and that it ended. `pids`: what lives on beside this process."""

    who: str
    once: Callable[[], None]
    pids: tuple[int, ...] = ()
    taken: list[float] = field(default_factory=list)
    processor: list[float] = field(default_factory=list)

    def round(self, number: int) -> None:
        before, begun = spent(os.getpid(), *self.pids), time.perf_counter()
        self.once()
        if number:
            self.taken.append(time.perf_counter() - begun)
            self.processor.append(spent(os.getpid(), *self.pids) - before)


def _run(words: list[str], env: dict[str, str]) -> str:
    return subprocess.run(words, env=env, capture_output=True, text=True, check=True).stdout


@contextlib.contextmanager
def runners(place: Place) -> Iterator[list[Runner]]:
    """All that this machine has."""
    env = place.terma_env()
    with contextlib.ExitStack() as stack:
        agent = stack.enter_context(place.agent.connect())
        for name in ("kept", "typed"):
            remote.call(agent, "create", {"session": name, "command": ["bash"]})
        holder = _parent(remote.call(agent, "info", {"session": "kept"})["pid"])

        def kept() -> None:
            done = remote.call(agent, "exec", {"session": "kept", "input": "echo hi"})
            assert remote.text_of(done) == "hi"

        def typed() -> None:
            assert _run([TERMA, "session", "exec", "typed", "echo hi"], env).strip() == "hi"

        pids = (place.agent.pid, holder)
        found = [Runner("terma, the socket", kept, pids), Runner("terma session exec", typed, pids)]
        found.append(_by_pexpect(stack, place))
        if shutil.which("tmux"):
            found.append(_by_tmux(stack, place))
        try:
            yield found
        finally:
            for name in ("kept", "typed"):
                remote.call(agent, "kill", {"session": name})


def _by_pexpect(stack: contextlib.ExitStack, place: Place) -> Runner:
    """replwrap, pexpect's own wrapper for shells, in this process as its users have it."""
    from pexpect import replwrap

    shell = replwrap.bash()
    stack.callback(lambda: shell.child.close(force=True))

    def once() -> None:
        assert shell.run_command("echo hi").strip() == "hi"

    return Runner("pexpect, replwrap", once, (shell.child.pid,))


def _by_tmux(stack: contextlib.ExitStack, place: Place) -> Runner:
    """send-keys, tmux's own wait-for behind the command, capture-pane: three programs for each command."""
    env = place.env
    _run([*TMUX, "new-session", "-d", "-s", "x", "bash --norc --noprofile"], env)
    stack.callback(lambda: _run([*TMUX, "kill-server"], env))
    server, pane = (int(_run([*TMUX, "display", "-p", what], env)) for what in ("#{pid}", "#{pane_pid}"))

    def once() -> None:
        line = f"clear; echo hi; tmux -L {SOCKET} wait-for -S ended"
        _run([*TMUX, "send-keys", "-t", "x", line, "Enter"], env)
        _run([*TMUX, "wait-for", "ended"], env)
        assert "hi" in _run([*TMUX, "capture-pane", "-p", "-t", "x"], env)

    return Runner("tmux, send-keys and wait-for", once, (server, pane))


def _parent(pid: int) -> int:
    stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8")
    return int(stat.rpartition(")")[2].split()[1])


def sessions(place: Place) -> Table:
    """`echo hi` and its output, in a shell that is kept; the ways take turns."""
    with runners(place) as found:
        for number in rounds(COMMANDS):
            for one in found:
                one.round(number)
    return Table(
        "A command in a session",
        ("from order to output (ms)", "processor (ms)"),
        tuple(
            Row(one.who, tuple(statistics.median(c) * 1e3 for c in (one.taken, one.processor)))
            for one in found
        ),
        "`echo hi` in a bash that is kept. `terma session exec` and the three tmux programs are processes "
        "of their own for each command, the first and pexpect are a library's call. Not the same: pexpect "
        "waits for a prompt that it made itself and tells no exit status; what tmux captures is a screen, "
        "so a long output is cut, and the status has to be asked for; terma gives the output and the "
        "status, and its session outlives who asked. Processor time is that of who asks, of what it "
        "starts, of terma's agent and its holder, and of tmux's server.",
    )


def words(kind: str, line: str, place: Place) -> list[str]:
    """The words that run `line` in sh, recorded by `kind`."""
    recorded = place.work / "recorded"
    if kind == "script":
        return ["script", "-q", "-c", line, str(recorded)]
    if kind.startswith("tmux"):
        pipe = f"cat > {recorded}"
        return [*TMUX, "new-session", line, ";", "set", "status", "off", ";", "pipe-pane", pipe]
    return ["sh", "-c", line] if kind == "bare" else [TERMA, "shell", "--", "-c", line]


@dataclass
class Recorder:
    """What was seen of one kind: seconds of a key's echo, of a start, of a flood; megabytes of what records."""

    echo: list[float] = field(default_factory=list)
    start: list[float] = field(default_factory=list)
    flood: list[float] = field(default_factory=list)
    memory: list[float] = field(default_factory=list)


def recorders(place: Place) -> Table:
    """A key's echo by a program in raw mode (as an editor is), a flood, a start; the kinds take turns."""
    kinds = [
        kind for kind in RECORDERS if shutil.which(kind.partition(",")[0]) or kind in ("bare", "terma shell")
    ]
    file = place.work / "flood"
    file.write_bytes(
        b"".join(b"line %07d of what a build says, and it says a lot of them.\n" % n for n in range(130_000))
    )
    found = {kind: Recorder() for kind in kinds}
    for _ in rounds(ROUNDS):
        for kind, one in found.items():
            _echo(kind, one, place)
            _flood(kind, one, place, file)
    bare = {name: statistics.median(getattr(found["bare"], name)) for name in ("echo", "start")}
    megabytes = file.stat().st_size / 1e6
    rows = [
        Row(
            kind,
            (
                (statistics.median(one.start) - bare["start"]) * 1e3,
                (statistics.median(one.echo) - bare["echo"]) * 1e3,
                statistics.median(one.flood) * 1e3 / megabytes,
                statistics.median(one.memory),
            ),
        )
        for kind, one in found.items()
        if kind != "bare"
    ]
    plain = statistics.median(found["bare"].flood) * 1e3 / megabytes
    return Table(
        "A terminal that is recorded",
        ("start, over bare (ms)", "a key's echo, over bare (ms)", "a megabyte of output (ms)", "memory (MB)"),
        tuple(rows),
        f"A megabyte to a terminal that nothing records takes {plain:.1f} ms. Not the same: `script` and "
        "pipe-pane write a file that grows without end; terma keeps a bounded ring in memory, marked by "
        "command, and secrets leave it masked. tmux draws a screen of its own and leaves out what would "
        "have scrolled by. Its memory is its server's.",
        (0, 1, 2),
    )


def _echo(kind: str, one: Recorder, place: Place) -> None:
    line = f'stty raw -echo; exec python3 -ISc "{RAW_ECHO}"'
    begun = time.perf_counter()
    with running(words(kind, line, place), place.home) as (pid, master):
        read_until(master, b"ready")
        one.start.append(time.perf_counter() - begun)
        time.sleep(0.05)
        one.echo += [_press(master, number) for number in range(KEYS)]
        one.memory.append(resident(_server(place) if kind.startswith("tmux") else pid))
    _ended(kind, place)


def _flood(kind: str, one: Recorder, place: Place, file: Path) -> None:
    with running(
        words(kind, f"{OPEN}; echo re''ady; read go; cat {file}; echo en''d; cat", place), place.home
    ) as (_, master):
        read_until(master, b"ready")
        time.sleep(0.1)
        os.write(master, b"go\n")
        begun, tail = time.perf_counter(), b""
        while b"end" not in tail:
            tail = tail[-16:] + os.read(master, 1 << 20)
        one.flood.append(time.perf_counter() - begun)
    _ended(kind, place)


def _server(place: Place) -> int:
    return int(_run([*TMUX, "display", "-p", "#{pid}"], place.env))


def _ended(kind: str, place: Place) -> None:
    """Nothing of tmux is left, so that the next one starts its server anew, as the others start theirs."""
    if kind.startswith("tmux"):
        subprocess.run([*TMUX, "kill-server"], env=place.env, capture_output=True, check=False)
        gone = [*TMUX, "list-sessions"]
        wait_until(lambda: subprocess.run(gone, capture_output=True, check=False).returncode, "tmux to end")
