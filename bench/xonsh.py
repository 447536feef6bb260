"""What terma costs in xonsh: its own load, and from a keypress to the screen beside the plain echo of a key."""

from __future__ import annotations

import shutil
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

from tests.conftest import RunningAgent
from tests.shells.in_xonsh import TREE, XONSH, XonshPty, xonsh_in_pty

Figure = tuple[str, float, str, str]  # name, value, unit, note
PRESSES = 30
LOADS = 15
LOAD_SCRIPT = f"""
import sys, time
sys.path.insert(0, {str(TREE)!r})
__xonsh__.env['XONSH_INTERACTIVE'] = True
begun = time.perf_counter()
import xontrib_terma
xontrib_terma._load_xontrib_(__xonsh__)
print('took', time.perf_counter() - begun)
"""


# Times terma's own part of making the prompt, in the xonsh under test.
PART = """
import time as _bench_time
for _bench_handler in list(events.on_ptk_create):
    if (_bench_handler.__module__ or '').startswith('xontrib_terma'):
        events.on_ptk_create.discard(_bench_handler)
        @events.on_ptk_create
        def _bench_part(_handler=_bench_handler, **told):
            begun = _bench_time.perf_counter()
            _handler(**told)
            with open($HOME + '/part', 'a') as file:
                file.write(f'{_bench_time.perf_counter() - begun}\\n')
"""


def part_of_the_prompt(agent: RunningAgent) -> Figure:
    for _ in range(LOADS):
        with xonsh_in_pty(agent, after=PART):
            pass
    taken = [float(line) for line in (agent.home / "part").read_text(encoding="utf-8").split()]
    note = f"keys and events; best {min(taken) * 1e3:.1f}"
    return ("xonsh, terma's part of the first prompt", ms(taken), "ms", note)


def ms(seconds: list[float]) -> float:
    return statistics.median(seconds) * 1e3


def loads(root: Path) -> Figure:
    script = root / "load.xsh"
    script.write_text(LOAD_SCRIPT, encoding="utf-8")
    env = {"HOME": str(root), "PATH": "/usr/bin:/bin", "TERM": "xterm-256color"}
    taken = []
    for _ in range(LOADS):
        done = subprocess.run(
            [XONSH, "--no-rc", str(script)], env=env, capture_output=True, text=True, check=True
        )
        taken.append(float(done.stdout.split("took ")[-1]))
    return ("xonsh, terma's own load", ms(taken), "ms", f"import and load; best {min(taken) * 1e3:.1f}")


def timed(shell: XonshPty, key: str, shown: str) -> float:
    """Seconds from a key to `shown` in what the terminal gets."""
    while shell.read(0.15):
        pass
    shell.mark()
    begun = time.perf_counter()
    shell.press(key).wait_for(shown)
    return time.perf_counter() - begun


def keys(agent: RunningAgent) -> list[Figure]:
    agent.will_do({"delta": "@@@@@@ "}, {"delta": "@"}, {"hang": True})
    echo, first, cancel = [], [], []
    with xonsh_in_pty(agent) as shell:
        for number in range(PRESSES):
            shell.type(f"remove {number} old log")
            echo.append(timed(shell, "s", "s"))
            first.append(timed(shell, "C-t", "@@@@@@"))
            cancel.append(timed(shell, "C-c", "remove"))
            shell.press("C-u")
    over = ms(first[3:]) - ms(echo[3:])
    return [
        ("xonsh, a plain key to its echo", ms(echo[3:]), "ms", "prompt_toolkit alone"),
        ("xonsh, Ctrl+T to the first character, over the echo", over, "ms", f"{ms(first[3:]):.1f} in all"),
        ("xonsh, Ctrl+C to the sentence restored", ms(cancel[3:]), "ms", f"max {max(cancel[3:]) * 1e3:.1f}"),
    ]


def measure() -> list[Figure]:
    """Every figure of xonsh; takes about half a minute."""
    if shutil.which(XONSH) is None:
        return []
    root = Path(tempfile.mkdtemp(prefix="terma-b", dir="/tmp"))
    agent = RunningAgent(root)
    try:
        agent.start()
        return [loads(root), part_of_the_prompt(agent), *keys(agent)]
    finally:
        agent.stop()
        shutil.rmtree(root, ignore_errors=True)
