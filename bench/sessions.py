"""What sessions cost: a command's way there and back, a flood beside a person, many of them at once, and MCP's start.

Each figure is measured on a real agent in a home of its own. "Over the bare shell" is beside the same shell on a
terminal of its own, driven by hand, in turns.
"""

from __future__ import annotations

import contextlib
import json
import os
import pty
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from bench.agent import SENTENCES, empty_home
from terma import client
from terma.agent import lifecycle
from terma.sessions import remote

Figure = tuple[str, float, str, str]  # name, value, unit, note
COMMANDS = 60
FLOOD_SECONDS = float(os.environ.get("TERMA_BENCH_FLOOD", "60"))
CYCLES = 200
SESSIONS = 100
CLIENTS = 200
STARTS = 7


def call(operation: str, **values: Any) -> dict[str, Any]:
    """One request over a connection of its own, as the command line makes it."""
    with client.connect(autostart_agent=False) as agent:
        return remote.call(agent, operation, values)


def first_character(number: int) -> float:
    """Seconds until the first character of an answer to Ctrl+T."""
    fields = {
        "buffer": SENTENCES[number % len(SENTENCES)],
        "cwd": "/",
        "path": os.environ["PATH"],
        "shell": "bash",
        "engine": "offline",
    }
    began = time.perf_counter()
    with client.connect(autostart_agent=False) as agent:
        for verb, *_ in agent.ask("translate", fields):
            if verb in ("delta", "done"):
                break
    return time.perf_counter() - began


def of_agent(field: str) -> float:
    """Megabytes (2^20) resident, or the number of open descriptors, of the agent."""
    facts = lifecycle.status()
    assert facts is not None
    if field == "rss":
        return float(facts["rss"]) / 2**20
    return len(os.listdir(f"/proc/{facts['pid']}/fd"))  # noqa: PTH208


@contextlib.contextmanager
def bare_bash() -> Iterator[Any]:
    """A function that runs `echo hi` in a bash on a terminal; the seconds until its output is there."""
    pid, master = pty.fork()
    if pid == 0:
        os.environ["PS1"] = "ready> "
        os.execvp("bash", ["bash", "--norc", "--noprofile", "-i"])  # noqa: S606

    def run() -> float:
        began = time.perf_counter()
        os.write(master, b"echo h''i\r")
        seen = b""
        while b"hi\r\n" not in seen or not seen.endswith(b"ready> "):
            seen += os.read(master, 65536)
        return time.perf_counter() - began

    seen = b""
    while b"ready> " not in seen:
        seen += os.read(master, 65536)
    yield run
    os.kill(pid, 9)
    os.close(master)
    os.waitpid(pid, 0)


def exec_echo() -> list[Figure]:
    """`exec "echo hi"` and the same in a bare shell, in turns."""
    call("create", session="echo", command=["bash"])
    ours, bare = [], []
    with bare_bash() as run, client.connect(autostart_agent=False) as agent:
        for _ in range(COMMANDS):
            bare.append(run())
            began = time.perf_counter()
            done = remote.call(agent, "exec", {"session": "echo", "input": "echo hi"})
            ours.append(time.perf_counter() - began)
            assert done["exit_status"] == 0
    call("kill", session="echo")
    over = statistics.median(ours) - statistics.median(bare)
    return [
        ("sessions: echo hi in a bare bash", statistics.median(bare) * 1000, "ms", ""),
        ("sessions: exec echo hi, over that", over * 1000, "ms", "bar 30"),
    ]


def flood(storage: str) -> list[Figure]:
    """`yes` beside a person who presses Ctrl+T; in turns with quiet, so that a busy machine slows both alike."""
    calm, beside = [], []
    rss = disk = printed = 0.0
    rounds = 6
    place = Path(os.environ["HOME"]) / ".local/state/terma/sessions/flood"
    for _ in range(rounds):
        calm += [first_character(number) for number in range(25)]
        call("create", session="flood", command=["yes"], storage=storage)
        until = time.monotonic() + FLOOD_SECONDS / rounds
        while time.monotonic() < until:
            beside.append(first_character(len(beside)))
            rss = max(rss, of_agent("rss"))
            time.sleep(0.05)
        disk = max(disk, sum(path.stat().st_size for path in place.glob("*.out")) / 2**20)
        printed += call("info", session="flood", size=True)["position"] / 1e6
        call("kill", session="flood")
    beat = f"{FLOOD_SECONDS:.0f} s of yes, {storage}"
    note = f"p95 without the flood, in turns: {_p95(calm):.1f} ms"
    figures = [
        (f"sessions: Ctrl+T's first character, p95, {beat}", _p95(beside), "ms", f"bar 50; {note}"),
        (f"sessions: agent's memory at most, {beat}", rss, "MB", "bar 100"),
        (f"sessions: read of it, {beat}", printed / FLOOD_SECONDS, "MB/s", ""),
    ]
    return figures + ([("sessions: disk at most", disk, "MB", "cap 64")] if storage == "file" else [])


def _p95(seconds: list[float]) -> float:
    return sorted(seconds)[int(len(seconds) * 0.95)] * 1000


def cycles() -> list[Figure]:
    """Create and kill under a flood, with a child that leaves its group; what is left afterwards."""
    mark = f"terma-bench-{os.getpid()}"
    script = f"setsid sh -c 'sleep 300; : {mark}' & exec yes"
    call("create", session="short", command=["sh", "-c", script])
    call("kill", session="short")
    before, began = of_agent("fds"), time.perf_counter()
    for _ in range(CYCLES):
        call("create", session="short", command=["sh", "-c", script])
        call("kill", session="short")
    seconds = time.perf_counter() - began
    left = subprocess.run(["pgrep", "-fc", mark], capture_output=True, text=True, check=False).stdout
    zombies = subprocess.run(
        ["ps", "-o", "stat=", "--ppid", str((lifecycle.status() or {})["pid"])],
        capture_output=True,
        text=True,
        check=False,
    ).stdout.count("Z")
    return [
        (f"sessions: {CYCLES} create and kill cycles, each", seconds / CYCLES * 1000, "ms", ""),
        ("sessions: descriptors left by them", of_agent("fds") - before, "", "bar 0"),
        ("sessions: processes left by them", float(left or 0) + zombies, "", "bar 0; zombies counted"),
    ]


def many() -> list[Figure]:
    """SESSIONS shells, then CLIENTS that run a command in them at the same moment."""
    began = time.perf_counter()
    for number in range(SESSIONS):
        call("create", session=f"s{number}", command=["sh"])
    made = time.perf_counter() - began

    def one(number: int) -> bool:
        done = call("exec", session=f"s{number}", input=f"echo {number}", timeout=120.0)
        return remote.text_of(done) == str(number)

    with ThreadPoolExecutor(CLIENTS) as clients:
        began = time.perf_counter()
        looks = [clients.submit(call, "info", session=f"s{number}") for number in range(CLIENTS - SESSIONS)]
        right = list(clients.map(one, range(SESSIONS)))
        right += [bool(look.result()) for look in looks]
        seconds = time.perf_counter() - began
    rss = of_agent("rss")
    for number in range(SESSIONS):
        call("kill", session=f"s{number}")
    return [
        (f"sessions: {SESSIONS} shells started, each", made / SESSIONS * 1000, "ms", ""),
        (f"sessions: {CLIENTS} clients at once, the last is done", seconds * 1000, "ms", ""),
        ("sessions: clients whose answer was wrong", float(len(right) - sum(right)), "", "bar 0"),
        (f"sessions: agent's memory with {SESSIONS} shells", rss, "MB", ""),
    ]


def mcp_start() -> list[Figure]:
    """From the start of `terma mcp` to its answer to initialize."""
    words = [str(Path(sys.executable).parent / "terma"), "mcp"]
    hello = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-11-25"}}
    seconds, cpu = [], []
    for _ in range(STARTS):
        before, began = os.times(), time.perf_counter()
        done = subprocess.run(
            words, input=json.dumps(hello).encode() + b"\n", capture_output=True, check=True
        )
        seconds.append(time.perf_counter() - began)
        after = os.times()
        cpu.append(
            after.children_user + after.children_system - before.children_user - before.children_system
        )
        assert b'"serverInfo"' in done.stdout
    note = f"bar 150; of the processor {statistics.median(cpu) * 1000:.0f} ms"
    return [("sessions: terma mcp, start to answer and end", statistics.median(seconds) * 1000, "ms", note)]


def snapshot() -> list[Figure]:
    """The screen of a program that is silent, and of one that never rests."""
    if not shutil.which("htop"):
        return []
    figures = []
    for name, command in (("silent", ["sh", "-c", "echo drawn; sleep 300"]), ("htop", ["htop", "-d", "1"])):
        call("create", session=name, command=command, tui=True)
        took = []
        for _ in range(5):
            began = time.perf_counter()
            call("read", session=name, snapshot=True)
            took.append(time.perf_counter() - began)
        call("kill", session=name)
        figures.append((f"sessions: snapshot, {name}", statistics.median(took) * 1000, "ms", "bar 1000"))
    return figures


def measure() -> list[Figure]:
    """Every figure of sessions; TERMA_BENCH_FLOOD=6 floods for 6 s instead of a minute."""
    with empty_home(), tempfile.TemporaryDirectory():
        lifecycle.start()
        for number in range(20):
            first_character(number)
        return [*exec_echo(), *snapshot(), *flood("memory"), *flood("file"), *cycles(), *many(), *mcp_start()]
