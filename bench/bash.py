"""What terma costs in bash: its start-up, its prompt, and the waits that a hand on the keys would feel."""

from __future__ import annotations

import json
import os
import pty
import select
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.surroundings import CACHE

Figure = tuple[str, float, str, str]
TREE = Path(__file__).parents[1]
STARTS, PRESSES, PROMPTS = 40, 40, 2000
FZF = "/usr/share/doc/fzf/examples/key-bindings.bash"
BASH = os.environ.get("TERMA_BENCH_BASH", "bash")


class Terminal:
    """An interactive bash in a PTY, with `rc`; waits for what it writes."""

    def __init__(self, home: Path, rc: str, env: dict[str, str]) -> None:
        (home / "rc").write_text("PS1='ready> '\nHISTFILE=\n" + rc, encoding="utf-8")
        self.began = time.perf_counter()
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.execvpe(BASH, [BASH, "--noprofile", "--rcfile", str(home / "rc"), "-i"], env)  # noqa: S606
        self.seen = b""

    def until(self, text: bytes, bound: float = 15.0, rest: bool = False) -> float:
        """Seconds of perf_counter when `text` had arrived; forgets all that came with it, or keeps the `rest`."""
        deadline = time.perf_counter() + bound
        while text not in self.seen:
            if not select.select([self.fd], [], [], deadline - time.perf_counter())[0]:
                raise TimeoutError(f"no {text!r} in {self.seen[-500:]!r}")
            self.seen += os.read(self.fd, 65536)
        now = time.perf_counter()
        self.seen = self.seen.partition(text)[2] if rest else b""
        return now

    def send(self, keys: bytes) -> float:
        now = time.perf_counter()
        os.write(self.fd, keys)
        return now

    def close(self) -> None:
        os.kill(self.pid, signal.SIGKILL)
        os.close(self.fd)
        os.waitpid(self.pid, 0)


@contextmanager
def place() -> Iterator[tuple[Path, dict[str, str]]]:
    """A home and the environment of a bash in it; an agent that was started there is stopped."""
    home = Path(tempfile.mkdtemp(prefix="terma-b", dir="/tmp"))
    (home / "run").mkdir(mode=0o700)
    (home / ".local/state/terma").mkdir(parents=True)
    (home / ".local/state/terma/bash-key-taken").touch()
    env = {
        "HOME": str(home),
        "PATH": os.environ["PATH"],
        "TERM": "xterm-256color",
        "LC_ALL": "C.UTF-8",
        "XDG_CACHE_HOME": CACHE,  # the index of a checkout is made once
        "TERMA_SOCKET": str(home / "run/agent.sock"),
        "TERMA_SCRIPT": str(home / "script.json"),
        "TERMA_BIN": str(Path(sys.executable).parent / "terma"),
    }
    try:
        yield home, env
    finally:
        subprocess.run([env["TERMA_BIN"], "agent", "stop"], env=env, capture_output=True, check=False)
        shutil.rmtree(home, ignore_errors=True)


def installed(env: dict[str, str]) -> str:
    """The line that `terma init bash --install` puts into .bashrc."""
    done = subprocess.run(
        [env["TERMA_BIN"], "init", "bash", "--install", "--yes"], env=env, capture_output=True, check=True
    )
    assert done.returncode == 0
    file = Path(env["HOME"]) / ".local/share/terma/terma.bash"
    return f". {file}\n"


def start_ups(rcs: list[str], home: Path, env: dict[str, str]) -> list[float]:
    """Seconds to the first prompt with each rc, medians of STARTS turns each, taken alternately."""
    seconds: list[list[float]] = [[] for _ in rcs]
    for _ in range(STARTS):
        for number, rc in enumerate(rcs):
            shell = Terminal(home, rc, env)
            seconds[number].append(shell.until(b"ready> ") - shell.began)
            shell.close()
    return [statistics.median(column) for column in seconds]


def prompt_cost(load: str, env: dict[str, str]) -> float:
    """Microseconds of the two hooks for one command, measured inside bash: of processor where the system tells them."""
    script = f"""
{load}
now() {{
  REPLY=${{EPOCHREALTIME/[.,]/}}
  if [[ -r /proc/self/schedstat ]]; then read -r REPLY _ </proc/self/schedstat; REPLY=$((REPLY / 1000)); fi
}}
now; a=$REPLY
for ((i = 0; i < {PROMPTS}; i++)); do x=${{PS0@P}}; eval "${{PROMPT_COMMAND[0]}}"; done
now; b=$REPLY
for ((i = 0; i < {PROMPTS}; i++)); do x=${{none@P}}; eval ":"; done
now; c=$REPLY
echo "spent $(((b - a) - (c - b)))"
"""
    done = subprocess.run(
        [BASH, "--norc", "-i", "-c", script], env=env, capture_output=True, text=True, check=True, timeout=60
    )
    return int(done.stdout.split("spent ")[1]) / PROMPTS


def first_character(transport: str) -> list[float]:
    """Seconds from the key to the first character of the offline engine's answer, agent warm."""
    with place() as (home, env):
        load = installed(env)
        subprocess.run([env["TERMA_BIN"], "agent", "start"], env=env, check=True, capture_output=True)
        shell = Terminal(home, load, env | {"TERMA_TRANSPORT": transport, "TERMA_ENGINE": "offline"})
        shell.until(b"ready> ")
        seconds = []
        for _ in range(PRESSES):
            shell.send(b"show free disk space")
            shell.until(b"disk space")
            pressed = shell.send(b"\x14")
            seconds.append(shell.until(b"ready> df") - pressed)
            time.sleep(0.3)
            shell.send(b"\x15")
            time.sleep(0.05)
        shell.close()
        return seconds[3:]


def first_of_why(transport: str) -> tuple[list[float], list[float]]:
    """Seconds from Enter on `?why` to its first visible character, and to the next prompt; offline engine, agent
    warm."""
    with place() as (home, env):
        load = installed(env)
        subprocess.run([env["TERMA_BIN"], "agent", "start"], env=env, check=True, capture_output=True)
        shell = Terminal(home, load, env | {"TERMA_TRANSPORT": transport, "TERMA_ENGINE": "offline"})
        shell.until(b"ready> ")
        first, whole = [], []
        for _ in range(PRESSES):
            shell.send(b"cat /nowhere/at/all\r")
            shell.until(b"ready> ")
            shell.send(b"?why")
            shell.until(b"?why")
            pressed = shell.send(b"\r")
            first.append(shell.until(b"cat /nowhere", rest=True) - pressed)
            whole.append(shell.until(b"ready> ") - pressed)
            time.sleep(0.1)
        shell.close()
        return first[3:], whole[3:]


def restored(key: bytes) -> list[float]:
    """Seconds from a cancel key to the sentence on the screen, in the middle of a stream."""
    with place() as (home, env):
        load = installed(env)
        Path(env["TERMA_SCRIPT"]).write_text(
            json.dumps([{"match": "", "steps": [{"delta": "zzz"}, {"hang": True}]}]), encoding="utf-8"
        )
        subprocess.run([env["TERMA_BIN"], "agent", "start"], env=env, check=True, capture_output=True)
        shell = Terminal(home, load, env | {"TERMA_ENGINE": "scripted"})
        shell.until(b"ready> ")
        seconds = []
        for _ in range(PRESSES):
            shell.send(b"tidy up")
            shell.until(b"tidy up")
            shell.send(b"\x14")
            shell.until(b"zzz")
            time.sleep(0.03)
            pressed = shell.send(key)
            seconds.append(shell.until(b"tidy up") - pressed)
            time.sleep(0.3)
            shell.send(b"\x15")
            time.sleep(0.05)
        shell.close()
        return seconds


def measure() -> list[Figure]:
    """The figures of bash; medians unless the name says otherwise."""
    with place() as (home, env):
        load = installed(env)
        rcs = ["", load] + ([f". {FZF}\n"] if Path(FZF).exists() else [])
        bare, ours, *fzf = start_ups(rcs, home, env)
        cost = prompt_cost(load, env)
    figures: list[Figure] = [
        ("bash -i, bare", bare * 1000, "ms", f"median of {STARTS}, to the first prompt"),
        ("start-up over bare", (ours - bare) * 1000, "ms", "bar 5"),
    ]
    if fzf:
        figures.append(("fzf's start-up over bare", (fzf[0] - bare) * 1000, "ms", "beside it, same run"))
    figures.append(("hooks, per prompt", cost, "µs", "processor; bar 50"))
    for transport in ["nc", "socat", "relay"]:
        seconds = first_character(transport)
        note = "p50, offline engine, warm agent" + ("; bar 25" if transport == "nc" else "")
        figures.append(
            (f"key to first character, {transport}", statistics.median(seconds) * 1000, "ms", note)
        )
    for transport in ["nc", "socat", "relay"]:
        first, whole = first_of_why(transport)
        note = "p50, offline engine, warm agent"
        figures += [
            (
                f"?why to first character, {transport}",
                statistics.median(first) * 1000,
                "ms",
                note + "; bar 60",
            ),
            (f"?why to the next prompt, {transport}", statistics.median(whole) * 1000, "ms", note),
        ]
    for name, key in [("^C", b"\x03"), ("^G", b"\x07"), ("Esc", b"\x1b")]:
        seconds = restored(key)
        figures.append((f"{name} to the sentence", statistics.median(seconds) * 1000, "ms", "p50; bar 50"))
        figures.append((f"{name} to the sentence, worst", max(seconds) * 1000, "ms", f"of {PRESSES}"))
    return figures


if __name__ == "__main__":
    for name, value, unit, note in measure():
        print(f"{name:40} {value:8.2f} {unit:3} {note}")
