"""From a key in a live zsh to the first character of a model's answer, beside what else puts answers in a terminal.

One scripted server in a process of its own keeps its first token back for WAIT seconds. A bare socket asks it in the
same rounds: what a way takes longer than that is its own. zsh stands in a repository with changed files. shell_gpt and
llm come from the package index, as their users have them: a command that is typed, and Enter.
"""

from __future__ import annotations

import asyncio
import json
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from pathlib import Path

from bench.models import Bare
from tests.conftest import RunningAgent
from tests.model_server import ModelServer, says
from tests.shells.driver import PROMPT, Shell
from tests.shells.in_zsh import TAKEN_BEFORE, zsh

Figure = tuple[str, float, str, str]  # name, value, unit, note
WAIT = 0.1  # seconds until the model's first token
ROUNDS, PEER_ROUNDS, WARM, CANCELS = 40, 5, 4, 15
ANSWER = "@@@@"  # seen nowhere else on the screen
SERVER = f"""
import sys
from tests.model_server import ModelServer, says
with ModelServer() as server:
    server.will(says("echo {ANSWER}", " -l", first={WAIT}))
    print(server.root, flush=True)
    sys.stdin.read()
"""
PATIENCE = 120.0  # seconds: litellm's import, on a busy machine
PEERS = ("shell-gpt", "llm")  # into one environment: alone, shell-gpt 1.5.1 lacks click
Way = Callable[[int], float]  # seconds of round n


def named(base: str) -> dict[str, str]:
    """A model for each provider, at the server at `base`: for the person's settings."""
    ours = {"TERMA_SUGGESTIONS__OFFLINE_AFTER": "0"}
    for provider, name in (("openai_http", "scripted"), ("litellm", "openai/scripted")):
        model = {"MODEL": name, "PROVIDER": provider, "API_BASE": f"{base}/v1", "API_KEY": "sk-bench"}
        ours |= {f"TERMA_MODELS__{provider.upper()}__{key}": value for key, value in model.items()}
    return ours


def pressed(shell: Shell) -> Way:
    """Ctrl+T on a sentence."""

    def once(number: int) -> float:
        sentence = f"list the files of build {number}"
        shell.mark().type(sentence).wait_for(sentence)
        shell.line()
        shell.mark()
        begun = time.perf_counter()
        shell.press("C-t").wait_for(ANSWER, timeout=PATIENCE)
        seconds = time.perf_counter() - begun
        shell.line()
        shell.press("C-u").line()
        return seconds

    return once


def echoed(shell: Shell) -> Way:
    """A key that writes the same characters at once: the terminal's and zsh's own part."""

    def once(_: int) -> float:
        shell.line()
        shell.mark()
        begun = time.perf_counter()
        shell.press("C-o").wait_for(ANSWER)
        seconds = time.perf_counter() - begun
        shell.press("C-u").line()
        return seconds

    return once


def entered(shell: Shell, command: str) -> Way:
    """A command line that prints the answer, from Enter on."""

    def once(number: int) -> float:
        line = f"{command} 'list the files of build {number}'"
        shell.mark().type(line)
        shell.line()
        shell.mark()
        begun = time.perf_counter()
        shell.press("Enter").wait_for(ANSWER)
        seconds = time.perf_counter() - begun
        shell.wait_for(PROMPT)
        return seconds

    return once


def repository(folder: Path) -> Path:
    """A place like those where people work."""
    folder.mkdir()
    git = ["git", "-c", "user.name=b", "-c", "user.email=b@b", "-C", str(folder)]
    subprocess.run([*git, "init", "-q"], check=True)
    for number in range(200):
        (folder / f"part_{number}.py").write_text(f"{number}\n", encoding="utf-8")
    subprocess.run([*git, "add", "."], check=True)
    subprocess.run([*git, "commit", "-qm", "all"], check=True)
    (folder / "part_7.py").write_text("changed\n", encoding="utf-8")
    return folder


def peers(root: Path, base: str, said: list[Figure]) -> dict[str, tuple[str, dict[str, str]]]:
    """The commands of the peers that can be had, and their environment."""
    found = {}
    home = root / "peers-home"
    (home / ".config/shell_gpt").mkdir(parents=True)
    rc = {
        "API_BASE_URL": f"{base}/v1",
        "OPENAI_API_KEY": "sk-bench",
        "DEFAULT_MODEL": "scripted",
        "USE_LITELLM": "false",
        "SHELL_INTERACTION": "false",
        "PRETTIFY_MARKDOWN": "false",
        "DEFAULT_EXECUTE_SHELL_CMD": "false",
        "OPENAI_USE_FUNCTIONS": "false",
    }
    text = "".join(f"{key}={value}\n" for key, value in rc.items())
    (home / ".config/shell_gpt/.sgptrc").write_text(text, encoding="utf-8")
    (home / "llm").mkdir()
    model = f"- model_id: scripted\n  model_name: scripted\n  api_base: {base}/v1\n"
    (home / "llm/extra-openai-models.yaml").write_text(model, encoding="utf-8")
    (home / "llm/keys.json").write_text(json.dumps({"openai": "sk-bench"}), encoding="utf-8")
    env = {"HOME": str(home), "XDG_CONFIG_HOME": str(home / ".config"), "LLM_USER_PATH": str(home / "llm")}
    env |= rc
    commands = {"shell-gpt": "sgpt --no-cache --shell --no-interaction", "llm": "llm -m scripted"}
    venv = root / "peers"
    made = subprocess.run([sys.executable, "-m", "venv", str(venv)], capture_output=True, check=False)
    pip = [str(venv / "bin/pip"), "install", "-q", "--disable-pip-version-check", *PEERS]
    if made.returncode or subprocess.run(pip, capture_output=True, check=False).returncode:
        said.append(("model chain: peers", float("nan"), "ms", "could not be installed: not measured"))
        return {}
    for name, command in commands.items():
        found[name] = (f"{venv}/bin/{command}", env)
    return found


def rounds(ways: dict[str, Way], count: int, base: str) -> dict[str, list[float]]:
    """Seconds of each way and of the bare socket, all taking turns."""
    seconds: dict[str, list[float]] = {name: [] for name in ("bare", *ways)}
    with asyncio.Runner() as loop:
        bare = Bare(base)
        for number in range(-WARM, count):
            taken = {"bare": loop.run(bare.first_token())}
            taken |= {name: way(number + WARM) for name, way in ways.items()}
            for name, value in taken.items():
                seconds[name] += [value] if number >= 0 else []
        bare.close()
    return seconds


def chain(agent: RunningAgent, base: str, place: Path) -> list[Figure]:
    """terma's own ways."""
    figures: list[Figure] = []
    idle = memory(agent.pid)
    agent.configure(named(base))
    with ExitStack() as stack:
        key = f"_now() {{ BUFFER={ANSWER}; zle -R }}; zle -N _now; bindkey '^O' _now"
        plain = stack.enter_context(zsh(agent, after=key, cwd=place))
        ways: dict[str, Way] = {"echo": echoed(plain)}
        first = {}
        for name in ("openai_http", "litellm"):
            shell = stack.enter_context(zsh(agent, env={"TERMA_MODEL": name}, cwd=place))
            ways[name] = pressed(shell)
            first[name] = ways[name](0)
        figures.append(("model chain: agent's memory, both used", memory(agent.pid), "MB", ""))
        seconds = rounds(ways, ROUNDS, base)
    bare = statistics.median(seconds["bare"])
    figures.insert(0, ("model chain: agent's memory, idle", idle, "MB", ""))
    figures.append(
        ("model chain: bare socket", bare * 1e3, "ms", f"the model's own first token, {WAIT * 1e3:.0f} ms")
    )
    figures.append(
        (
            "model chain: a key that echoes",
            statistics.median(seconds["echo"]) * 1e3,
            "ms",
            "zsh and the terminal",
        )
    )
    for name, bar in (("openai_http", 10), ("litellm", 25)):
        over = sorted(value - bare for value in seconds[name])
        figures += [
            (f"model chain: {name}, key to first character, over it", statistics.median(over) * 1e3, "ms",
             f"p50, warm; bar {bar}; p95 {over[int(len(over) * 0.95)] * 1e3:.1f}"),
            (f"model chain: {name}, the first one, over it", (first[name] - bare) * 1e3, "ms", "nothing loaded"),
        ]  # fmt: skip
    return figures


def cancelled(agent: RunningAgent, place: Path) -> list[Figure]:
    """From Ctrl+G on a prompt on which an answer streams until the server sees the connection end."""
    figures: list[Figure] = []
    with ModelServer() as server:
        server.will(says(f"echo {ANSWER}", " more", then="hang"))
        agent.configure(named(server.root))
        for name in ("openai_http", "litellm"):
            seconds = []
            with zsh(agent, env={"TERMA_MODEL": name}, cwd=place) as shell:
                for number in range(CANCELS):
                    shell.type(f"list {number}").line()
                    shell.mark().press("C-t").wait_for(ANSWER, timeout=PATIENCE)
                    asked, begun = server.seen[-1], time.monotonic()
                    shell.press("C-g")
                    asked.left.wait(10)
                    seconds.append(asked.left_at - begun)
                    shell.line()
                    shell.press("C-u").line()
            worst = f"worst of {CANCELS}; bar 100"
            figures.append(
                (f"model chain: {name}, Ctrl+G until the server sees it", max(seconds) * 1e3, "ms", worst)
            )
    return figures


def beside(root: Path, base: str, place: Path, agent: RunningAgent) -> list[Figure]:
    """The peers, in the same shell and on the same server."""
    figures: list[Figure] = []
    with ExitStack() as stack:
        ways: dict[str, Way] = {}
        for name, (command, env) in peers(root, base, figures).items():
            words = " ".join(f"{key}={value}" for key, value in env.items())  # none holds a blank
            shell = stack.enter_context(zsh(agent, after=f"peer() {{ {words} {command} $1 }}", cwd=place))
            ways[name] = entered(shell, "peer")
        if not ways:
            return figures
        seconds = rounds(ways, PEER_ROUNDS, base)
    bare = statistics.median(seconds["bare"])
    for name in ways:
        over = statistics.median(seconds[name]) - bare
        figures.append(
            (f"model chain: {name}, Enter to first character, over it", over * 1e3, "ms", "p50, a process")
        )
    return figures


def at_login(root: Path, base: str, place: Path) -> list[Figure]:
    """An agent whose settings name litellm's model: the worker is made ready before anybody asks."""
    root.mkdir()
    agent = new_agent(root)
    agent.configure(named(base) | {"TERMA_MODEL": "litellm"})
    agent.start()
    try:
        worker = settled(agent)
        idle = memory(agent.pid)
        with zsh(agent, cwd=place) as shell:
            over = pressed(shell)(0) - WAIT
        rows: list[Figure] = [
            (
                "model chain: litellm, the first one after login, over it",
                over * 1e3,
                "ms",
                "worker ready; bar 1000",
            ),
            (
                "model chain: agent's memory beside litellm's process",
                idle,
                "MB",
                "before the first question; bar 35",
            ),
            ("model chain: agent's memory, litellm used", memory(agent.pid), "MB", "bar 35"),
            ("model chain: litellm's process", memory(worker), "MB", ""),
        ]
        return rows
    finally:
        agent.stop()


def new_agent(root: Path) -> RunningAgent:
    """One that is not started, and says nothing about keys."""
    agent = RunningAgent(root)
    del agent.env["TERMA_ENGINE"]
    mark = agent.home / TAKEN_BEFORE
    mark.parent.mkdir(parents=True)
    mark.touch()
    return agent


def settled(agent: RunningAgent) -> int:
    """Wait until the agent's worker has nothing more to load; its pid."""
    deadline, before, still, worker = time.monotonic() + PATIENCE, -1, 0, 0
    while still < 4 and time.monotonic() < deadline:
        time.sleep(0.5)
        with suppress(OSError):  # the child that reads the settings comes and goes
            children = (
                Path(f"/proc/{agent.pid}/task/{agent.pid}/children").read_text(encoding="ascii").split()
            )
            for child in children:
                if b"terma.models.worker" in Path(f"/proc/{child}/cmdline").read_bytes():
                    worker = int(child)
                    stat = Path(f"/proc/{child}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
                    now = int(stat[11]) + int(stat[12])
                    still, before = (still + 1 if now == before else 0), now
    return worker


def memory(pid: int) -> float:
    """Resident megabytes."""
    status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS")) / 1024


def measure() -> list[Figure]:
    """Every figure of the whole chain; a minute, and another for installing the peers."""
    if shutil.which("zsh") is None:
        return []
    root = Path(tempfile.mkdtemp(prefix="terma-b", dir="/tmp"))
    agent = new_agent(root)
    server = subprocess.Popen(
        [sys.executable, "-c", SERVER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert server.stdout is not None
    try:
        base = server.stdout.readline().strip()
        place = repository(root / "work")
        agent.start()
        time.sleep(2)  # until it has settled
        return [
            *at_login(root / "a", base, place),
            *chain(agent, base, place),
            *cancelled(agent, place),
            *beside(root, base, place, agent),
        ]
    finally:
        server.kill()
        server.communicate()
        agent.stop()
        shutil.rmtree(root, ignore_errors=True)


if __name__ == "__main__":
    for figure, value, unit, note in measure():
        print(f"{figure:62} {value:9.2f} {unit:3} {note}")
