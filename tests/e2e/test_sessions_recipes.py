"""Every recipe of docs/sessions.md, on the real program: a login, databases, a debugger, an editor, a server."""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import WAIT
from tests.e2e.far import login
from tests.e2e.sessioned import EVERYTHING, SLOW, create, needs, wait_until

__all__ = ["login"]

RECIPES = (Path(__file__).parents[2] / "docs/sessions.md").read_text(encoding="utf-8")


def recipe(start: str) -> list[str]:
    """The words behind `--` of the recipe that begins with `start`, so that what is tested is what is written."""
    found = re.search(re.escape(start) + r" -- ([^`\n]+)", RECIPES)
    assert found, f"docs/sessions.md has no {start}"
    return found[1].split()


def test_a_login_over_ssh_marks_its_commands(agent, login):
    command = recipe("terma session create box --kind sh")
    assert command == ["ssh", "host"]
    box = create(agent, "ssh", "-F", str(login), "host", name="box", kind="sh")
    done = box.exec("echo far; (exit 4)", timeout=SLOW)
    assert (done["output"], done["exit_status"], done["ended_by"]) == ("far", 4, "marker")
    box.exec("cd /; here=kept", timeout=SLOW)
    assert box.exec("pwd; echo $here", timeout=SLOW)["output"] == "/\nkept"
    assert box.exec("exit 5", timeout=SLOW)["exit_status"] == 5


@pytest.fixture
def database() -> Iterator[dict[str, str]]:
    """The environment of a psql that reaches a server of this test's own, with a database `mydb`."""
    search = os.pathsep.join([os.environ["PATH"], *_postgres()])
    initdb, pg_ctl, psql = (shutil.which(name, path=search) for name in ("initdb", "pg_ctl", "psql"))
    if not (EVERYTHING or (initdb and pg_ctl and psql)):
        pytest.skip("postgresql is not installed")
    assert initdb and pg_ctl and psql, "postgresql is not installed: sh tools/system-packages"
    root = Path(tempfile.mkdtemp(prefix="terma-pg", dir="/tmp"))
    other: dict[str, Any] = {"user": "nobody"} if os.geteuid() == 0 else {}  # no server of it runs as root
    if other:
        shutil.chown(root, "nobody")
    here = {"PATH": os.environ["PATH"], "HOME": str(root), "LC_ALL": "C"}
    run: dict[str, Any] = {"env": here, "cwd": root, **other}

    def told(*words: str) -> None:
        with (root.parent / f"{root.name}.log").open(
            "w+", encoding="utf-8"
        ) as log:  # a server keeps a pipe open
            done = subprocess.run(words, check=False, stdout=log, stderr=log, **run)
            log.seek(0)
            assert done.returncode == 0, f"{words}: {log.read()}"

    try:
        told(initdb, "-D", "data", "-A", "trust", "-U", "tester", "--no-sync")
        told(pg_ctl, "-D", "data", "-w", "-t", "120", "-l", "log", "-o", f"-h '' -k {root} -F", "start")
        environment = {"PGHOST": str(root), "PGUSER": "tester"}
        run["env"] = here | environment
        told(psql, "-X", "-c", "create database mydb", "postgres")
        yield environment
    finally:
        subprocess.run(
            [pg_ctl, "-D", "data", "-m", "immediate", "stop"], check=False, capture_output=True, **run
        )
        shutil.rmtree(root, ignore_errors=True)
        root.with_suffix(".log").unlink(missing_ok=True)


def _postgres() -> list[str]:
    """Where Debian keeps the server's programs, the newest first."""
    return sorted(map(str, Path("/usr/lib/postgresql").glob("*/bin")), reverse=True)


def test_psql_is_asked_and_answers(agent, database):
    command = recipe("terma session create pg")
    assert command == ["psql", "-X", "-P", "pager=off", "mydb"]
    db = create(agent, *command, name="pg", env=database)
    assert "42" in db.exec("select 40 + 2 as answer;", timeout=SLOW)["output"].split()
    assert "CREATE TABLE" in db.exec("create table t (n int);", timeout=SLOW)["output"]
    assert (
        "2"
        in db.exec("insert into t\nvalues (1), (2);\nselect count(*) from t;", timeout=SLOW)["output"].split()
    )
    waiting = db.exec("select pg_sleep(1), 'slept' as how;", timeout=SLOW)
    assert "slept" in waiting["output"]
    assert "syntax error" in db.exec("selec 1;", timeout=SLOW)["output"]


@needs("sqlite3")
def test_sqlite_keeps_its_transaction(agent):
    db = create(agent, *recipe("terma session create db"), name="db")
    db.exec("create table t (n); insert into t values (1), (2);")
    assert "2" in db.exec("select count(*) from t;")["output"].split("\n")


def test_python_tells_an_exception_by_its_status(agent):
    python = create(agent, *recipe("terma session create py"), name="py")
    assert python.exec("def f():\n\n    return 6 * 7\nf()")["output"] == "42"
    assert python.exec("1 / 0")["exit_status"] == 1


@needs("gdb")
def test_a_debugger_stops_and_steps(agent):
    compiler = shutil.which("cc")
    program = str(Path(sys.executable).resolve())
    if compiler:
        source = agent.home / "program.c"
        source.write_text('#include <stdio.h>\nint main(void) {\n  puts("stepped");\n  return 3;\n}\n')
        program = str(agent.home / "program")
        subprocess.run([compiler, "-g", "-o", program, source], check=True)
    command = recipe("terma session create dbg")
    assert command == ["gdb", "-q", "./program"]
    debugger = create(agent, "gdb", "-q", "-nx", program, name="dbg", env={"DEBUGINFOD_URLS": ""})
    assert "Breakpoint 1" in debugger.exec("break main", timeout=SLOW)["output"]
    ran = debugger.exec("run", timeout=SLOW)
    traced = (
        "ptrace" not in ran["output"]
    )  # some machines let nobody trace a program; gdb is talked to all the same
    assert "Breakpoint 1, " in ran["output"] or not traced
    assert "= 42" in debugger.exec("print 6*7", timeout=SLOW)["output"]
    if compiler and traced:
        assert "stepped" in debugger.exec("continue", timeout=SLOW)["output"]


@needs("vim")
def test_an_editor_writes_its_file(agent):
    command = recipe("terma session create ed --tui")
    assert command == ["vim", "notes.txt"]
    editor = create(agent, "vim", "-u", "NONE", "-i", "NONE", "notes.txt", name="ed", tui=True)
    wait_until(lambda: '"notes.txt"' in editor.call("read", snapshot=True)["screen"], "vim's first screen")
    assert "terma session send ed --keys 'ihello<Esc>:wq<Enter>'" in RECIPES
    editor.press("ihello<Esc>:wq<Enter>")
    editor.wait_for_state("exited")
    assert (agent.home / "notes.txt").read_text() == "hello\n"


def test_a_server_is_waited_for_and_read_later(agent):
    script = agent.home / "serve.py"
    script.write_text(
        "import http.server, sys\n"
        "server = http.server.HTTPServer(('127.0.0.1', 0), http.server.SimpleHTTPRequestHandler)\n"
        "print(f'ready in 1 s, port {server.server_port}', flush=True)\n"
        "server.serve_forever()\n"
    )
    web = create(agent, sys.executable, str(script), name="web", cwd=str(agent.home))
    assert "terma session read web --since 0 --wait 'ready in' --timeout 60" in RECIPES
    ready = web.call("read", since=0, wait="ready in", timeout=SLOW)
    assert ready["ended_by"] == "pattern"
    port = int(re.search(r"port (\d+)", web.read(since=0))[1])  # type: ignore[index]
    web.read()
    with socket.create_connection(("127.0.0.1", port), timeout=WAIT) as asked:
        asked.sendall(b"GET /nothing HTTP/1.0\r\n\r\n")
        asked.recv(1000)
    assert web.call("read", wait="GET /nothing", timeout=SLOW)["ended_by"] == "pattern"
    wait_until(lambda: web.call("search", pattern="error|404")["total"], "the error in its output")
    assert web.call("stop")["state"] == "exited"


def test_a_password_is_typed_where_nobody_sees_it(agent):
    shell = create(agent, "bash")
    asks = shell.exec("read -rsp 'Password: ' word; echo ${#word}")
    assert asks["state"] == "password"
    assert "send work - --enter" in RECIPES
    shell.send("correct horse", enter=True)
    shell.wait_for_state("idle")
    everything = shell.read(all=True)
    assert "correct horse" not in everything
    assert "Password: 13" in everything.split("\n")
