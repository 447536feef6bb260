"""The ten jobs by tmux and a shell."""

from __future__ import annotations

import asyncio
import shlex

from bench._job_ways import LOOK, MOST_LOOKS, PORT, At, Tmux, shell


async def ssh(do: Tmux, at: At) -> None:
    await do.start("box", at.ssh)
    await do.type("box", "cd /etc && ls passwd; echo status $?", "Enter", until="status 0")
    await do.type("box", "test -e /nope; echo status $?", "Enter", until="status 1")
    await do.run("tmux kill-session -t box")


async def python(do: Tmux, at: At) -> None:
    await do.start("py", "python3")
    lines = ("x = 6 * 7", "Enter", "for n in range(3):", "Enter", "    print(n * x)", "Enter", "Enter")
    await do.type("py", *lines, until="84")
    await do.type("py", "1 / 0", "Enter", until="ZeroDivisionError")
    await do.run("tmux kill-session -t py")


async def sqlite(do: Tmux, at: At) -> None:
    await do.start("db", "sqlite3")
    await do.type("db", "create table t (n); insert into t values (20), (22);", "Enter")
    await do.type("db", "select sum(n) from t;", "Enter", until="42")
    await do.run("tmux kill-session -t db")


async def server(do: Tmux, at: At) -> None:
    await do.start("web", shlex.join(at.serve))
    await do.type("web", "", until="Serving")
    await shell(f"curl -s 127.0.0.1:{PORT}/Makefile")
    await do.type("web", "", until="GET")
    await do.run("tmux kill-session -t web")


async def build(do: Tmux, at: At) -> None:
    await do.start("b", f"cd {at.place} && bash")
    await do.type("b", "make; echo status $?", "Enter", until="status 2")
    await do.run("tmux kill-session -t b")


async def vim(do: Tmux, at: At) -> None:
    await do.start("ed", f"vim -u NONE {at.place}/Makefile")
    await do.type("ed", "", until="compiling")
    await do.type("ed", "Gohello", "Escape", until="hello")
    await do.type("ed", ":wq", "Enter")


async def password(do: Tmux, at: At) -> None:
    await do.start("pw")
    await do.type("pw", f"sh {at.ask}", "Enter", until="Password:")
    await shell(f"tmux -L {do.server} send-keys -t pw hunter22 Enter")
    await do.type("pw", "", until="length 8")
    await do.run("tmux kill-session -t pw")


async def log(do: Tmux, at: At) -> None:
    line = f"tmux set -g history-limit 50000 \\; new-session -d -s log -x 120 -y 32 'python3 {at.place}/log.py; cat'"
    await do.run(line)
    await asyncio.sleep(LOOK)
    await do.run("tmux capture-pane -p -S - -t log | grep -C1 ERROR")
    await do.run("tmux kill-session -t log")


async def two(do: Tmux, at: At) -> None:
    await do.start("one", "sleep 3; echo one is up; cat")
    await do.start("two", "sleep 8; echo two is up; cat")
    for _ in range(MOST_LOOKS):
        first = await do.run("tmux capture-pane -p -t one")
        second = await do.run("tmux capture-pane -p -t two")
        if "is up" in first + second:
            break
        await asyncio.sleep(LOOK)
    await do.run("tmux kill-session -t one")
    await do.run("tmux kill-session -t two")


async def interrupted(do: Tmux, at: At) -> None:
    await do.start("i")
    await do.type("i", "echo begun; sleep 100", "Enter", until="begun\n")
    await do.type("i", "C-c")
    await do.type("i", "echo status $?", "Enter", until="status 130")
    await do.run("tmux kill-session -t i")


JOBS = (ssh, python, sqlite, server, build, vim, password, log, two, interrupted)
