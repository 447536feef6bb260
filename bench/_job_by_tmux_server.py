"""The ten jobs by an MCP server for tmux (libtmux-mcp), as its tools' descriptions advise: run_command where a shell of
this machine runs a command, keys and looks elsewhere.
"""

from __future__ import annotations

import asyncio
import shlex

from bench._job_ways import LOOK, MOST_LOOKS, PORT, At, TmuxServer, shell


async def ssh(do: TmuxServer, at: At) -> None:
    await do.start("box")
    await do.type("box", at.ssh)
    await do.type("box", "cd /etc && ls passwd; echo status $?", until="status 0")
    await do.type("box", "test -e /nope; echo status $?", until="status 1")
    await do.end("box")


async def python(do: TmuxServer, at: At) -> None:
    await do.start("py")
    await do.type("py", "python3", until=">>>")
    block = "x = 6 * 7\nfor n in range(3):\n    print(n * x)\n\n"
    await do("paste_text", session_name="py", text=block, bracket=False)
    await do.look("py", "84")
    await do.type("py", "1 / 0", until="ZeroDivisionError")
    await do.end("py")


async def sqlite(do: TmuxServer, at: At) -> None:
    await do.start("db")
    await do.type("db", "sqlite3", until="sqlite>")
    await do.type("db", "create table t (n); insert into t values (20), (22);")
    await do.type("db", "select sum(n) from t;", until="42")
    await do.end("db")


async def server(do: TmuxServer, at: At) -> None:
    await do.start("web")
    await do.type("web", shlex.join(at.serve), until="Serving")
    await shell(f"curl -s 127.0.0.1:{PORT}/Makefile")
    await do.look("web", "GET")
    await do.end("web")


async def build(do: TmuxServer, at: At) -> None:
    await do.start("b", start_directory=str(at.place))
    await do("run_command", session_name="b", command="make")
    await do.end("b")


async def vim(do: TmuxServer, at: At) -> None:
    await do.start("ed")
    await do.type("ed", f"vim -u NONE {at.place}/Makefile", until="compiling")
    await do.type("ed", "Gohello", enter=False)
    await do.type("ed", "Escape", until="hello", enter=False)
    await do.type("ed", ":wq")
    await do.end("ed")


async def password(do: TmuxServer, at: At) -> None:
    await do.start("pw")
    await do.type("pw", f"sh {at.ask}", until="Password:")
    await shell(f"tmux -L {do.server} send-keys -t pw hunter22 Enter")
    await do.look("pw", "length 8")
    await do.end("pw")


async def log(do: TmuxServer, at: At) -> None:
    await do.start("first")  # a server has to run before an option is set
    await do("set_option", option="history-limit", value="50000", global_=True)
    await do.start("log")
    await do("run_command", session_name="log", command=f"python3 {at.place}/log.py")
    await do("search_panes", session_name="log", pattern="ERROR", content_start=-50000)
    await do.end("log")


async def two(do: TmuxServer, at: At) -> None:
    for name, seconds in (("one", 3), ("two", 8)):
        await do.start(name)
        await do.type(name, f"sleep {seconds}; echo {name} is u''p; cat")
    for _ in range(MOST_LOOKS):
        first = await do("capture_pane", session_name="one")
        second = await do("capture_pane", session_name="two")
        if "is up" in first + second:
            break
        await asyncio.sleep(LOOK)
    await do.end("one")
    await do.end("two")


async def interrupted(do: TmuxServer, at: At) -> None:
    await do.start("i")
    await do.type("i", "echo begun; sleep 100", until="\nbegun")
    await do.type("i", "C-c", enter=False)
    await do.type("i", "echo status $?", until="status 130")
    await do.end("i")


JOBS = (ssh, python, sqlite, server, build, vim, password, log, two, interrupted)
