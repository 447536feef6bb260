"""The ten jobs by terma's operations, over MCP or by the command line."""

from __future__ import annotations

import shlex

from bench._job_ways import PORT, At, Terma, person, shell


async def ssh(do: Terma, at: At) -> None:
    await do("create", session="box", command=shlex.split(at.ssh), kind="sh")
    await do("exec", session="box", input="cd /etc && ls passwd")
    await do("exec", session="box", input="test -e /nope")
    await do("kill", session="box")


async def python(do: Terma, at: At) -> None:
    await do("create", session="py", command=["python3"])
    await do("exec", session="py", input="x = 6 * 7\nfor n in range(3):\n    print(n * x)")
    await do("exec", session="py", input="1 / 0")
    await do("kill", session="py")


async def sqlite(do: Terma, at: At) -> None:
    await do("create", session="db", command=["sqlite3"])
    await do("exec", session="db", input="create table t (n); insert into t values (20), (22);")
    await do("exec", session="db", input="select sum(n) from t;")
    await do("kill", session="db")


async def server(do: Terma, at: At) -> None:
    await do("create", session="web", command=at.serve)
    await do("read", session="web", since=0, wait="Serving")
    await shell(f"curl -s 127.0.0.1:{PORT}/Makefile")
    await do("read", session="web")
    await do("kill", session="web")


async def build(do: Terma, at: At) -> None:
    await do("create", session="b", command=["bash"], cwd=str(at.place))
    await do("exec", session="b", input="make")
    await do("kill", session="b")


async def vim(do: Terma, at: At) -> None:
    await do("create", session="ed", command=["vim", "-u", "NONE", f"{at.place}/Makefile"], tui=True)
    await do("send", session="ed", text=["Gohello<Esc>"], keys=True, settle=200)
    await do("send", session="ed", text=[":wq<Enter>"], keys=True)
    await do("kill", session="ed")


async def password(do: Terma, at: At) -> None:
    await do("create", session="pw", command=["bash"])
    await do("exec", session="pw", input=f"sh {at.ask}")
    await person("pw", "hunter22")
    await do("read", session="pw", wait="length")
    await do("kill", session="pw")


async def log(do: Terma, at: At) -> None:
    await do("create", session="log", command=["python3", f"{at.place}/log.py"])
    await do("wait", sessions=["log"], until="exit")
    await do("search", session="log", pattern="ERROR", context=1)
    await do("kill", session="log")


async def two(do: Terma, at: At) -> None:
    await do("create", session="one", command=["sh", "-c", "sleep 3; echo one is up; cat"])
    await do("create", session="two", command=["sh", "-c", "sleep 8; echo two is up; cat"])
    await do("wait", sessions=["one", "two"], pattern=["up=is up"])
    await do("read", session="one")
    await do("kill", session="one")
    await do("kill", session="two")


async def interrupted(do: Terma, at: At) -> None:
    await do("create", session="i", command=["bash"])
    await do("exec", session="i", input="echo begun; sleep 100", timeout=2)
    await do("send", session="i", text=["<C-c>"], keys=True)
    await do("exec", session="i", input="echo status $?")
    await do("kill", session="i")


JOBS = (ssh, python, sqlite, server, build, vim, password, log, two, interrupted)
