"""`ENV/bin/python -I server.py FOLDER`: llama.cpp's server as a process of its own, started once, gone when idle.

Runs in the private environment, where terma is not: the standard library and xllamacpp alone. What it needs comes as
JSON on its standard input: {"model", "name", "socket" ("": a port of the loopback, with a key), "lock", "state",
"log", "idle" (seconds), "context" (tokens for all slots), "slots"}. Standard output gets one line, `ready` or what went
wrong, when either is certain; the server itself goes on in the background.
"""

from __future__ import annotations

import contextlib
import fcntl
import http.client
import json
import os
import secrets
import signal
import socket
import sys
import threading
import time
from pathlib import Path
from typing import Any

PATIENCE = 300.0  # seconds to load a model from a slow disk
SOON = 5.0  # seconds for the server to tell of itself
LOOK = 5.0  # seconds between looks at whether anybody asks
CACHE = 256  # MiB of prompts kept beside them
COUNTERS = ("prompt_tokens_total", "prompt_tokens_cached_total", "tokens_predicted_total")


def main() -> int:
    """Exit status 0 when a server is ready, this one's or another's."""
    told = json.load(sys.stdin)
    os.umask(0o177)
    handle = os.open(told["lock"], os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    deadline = time.monotonic() + PATIENCE
    while not _locked(handle):
        if Path(told["state"]).exists():
            return _say("ready")
        if time.monotonic() > deadline:
            return _say("another start of the local model hangs")
        time.sleep(0.05)
    ours, theirs = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(ours)
        _serve(told, handle, theirs)
    os.close(theirs)
    with os.fdopen(ours, "rb") as report:
        said = report.read().decode("utf-8", "replace").strip()
    if said != "ready":
        _, status = os.waitpid(child, 0)
        said = said or _ended(status)
    return _say(said)


def _say(line: str) -> int:
    print(line, flush=True)
    return 0 if line == "ready" else 1


def _ended(status: int) -> str:
    if os.WIFSIGNALED(status):
        name = signal.Signals(os.WTERMSIG(status)).name
        return f"it ended with {name} while it loaded the model" + (
            " (is the memory enough?)" if name == "SIGKILL" else ""
        )
    return f"it ended with status {os.waitstatus_to_exitcode(status)} while it loaded the model"


def _locked(handle: int) -> bool:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _serve(told: dict[str, Any], handle: int, report: int) -> None:
    """The server's life, in the child; never returns."""
    status = 1
    try:
        os.setsid()
        os.ftruncate(handle, 0)
        os.pwrite(handle, str(os.getpid()).encode(), 0)
        log = os.open(told["log"], os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
        null = os.open(os.devnull, os.O_RDONLY)
        for source, target in ((null, 0), (log, 1), (log, 2)):
            os.dup2(source, target)
        for path in (told["state"], told["socket"]):  # of one that was killed
            with contextlib.suppress(OSError):
                os.unlink(path or told["state"])  # noqa: PTH108
        server, base, key = _start(told)
        state = {"pid": os.getpid(), "base": base, "key": key, "model": told["name"]}
        _write(Path(told["state"]), state | _limits(told["socket"], server.listening_address, key))
        with contextlib.suppress(OSError):  # whoever started it may have gone
            os.write(report, b"ready")
        os.close(report)
        report = -1
        _live(server, told)
        status = 0
    except BaseException as error:
        with contextlib.suppress(OSError):
            os.write(report, f"{type(error).__name__}: {error}".replace("\n", " ").encode()[:500])
    finally:
        os._exit(status)  # threads of the runtime would make an orderly end wait


def _start(told: dict[str, Any]) -> tuple[Any, str, str]:
    """A server that listens, its address, and the key that it wants."""
    import xllamacpp  # type: ignore[import-not-found]

    params = xllamacpp.CommonParams()
    params.model.path = told["model"]
    params.model_alias = {told["name"]}
    key = ""
    if told["socket"]:
        params.hostnames = [told["socket"]]
    else:
        key = secrets.token_urlsafe(24)
        params.hostnames = ["127.0.0.1"]
        params.port = 0
        params.api_keys = [key]
    params.n_ctx = told["context"]
    params.n_parallel = told["slots"]
    params.cache_ram_mib = CACHE
    threads = min(8, max(1, (os.cpu_count() or 2) - 1))
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = threads
    params.n_threads_http = 2
    params.offline = True
    params.ui = False
    params.use_jinja = True
    params.endpoint_metrics = True
    params.endpoint_slots = False
    params.warmup = False
    params.verbosity = 0
    server = xllamacpp.Server(params)
    base = f"unix:{told['socket']}" if told["socket"] else f"{server.listening_address}/v1"
    return server, base, key


def _limits(path: str, address: str, key: str) -> dict[str, int]:
    """What one answer may fill, and how large the model is, as the server itself tells: {"context": tokens of a slot,
    "parameters"}; nothing of what it does not tell."""
    where = address.partition("://")[2]
    connection = http.client.HTTPConnection(where or "local", timeout=SOON)
    try:
        if path:
            connection.sock = socket.socket(socket.AF_UNIX)
            connection.sock.settimeout(SOON)
            connection.sock.connect(path)
        connection.request("GET", "/v1/models", headers={"Authorization": f"Bearer {key}"} if key else {})
        meta = json.load(connection.getresponse())["data"][0]["meta"]
        told = {"context": int(meta.get("n_ctx", 0)), "parameters": int(meta.get("n_params", 0))}
    except (OSError, http.client.HTTPException, ValueError, KeyError, IndexError, TypeError):
        return {}
    finally:
        connection.close()
    return {name: value for name, value in told.items() if value > 0}


def _live(server: Any, told: dict[str, Any]) -> None:
    """Return when nobody asked for `idle` seconds, on SIGTERM, or when the state file is gone or another's."""
    leaving = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, lambda *_: leaving.set())
    state, idle = Path(told["state"]), float(told["idle"])
    before, last = -1.0, time.monotonic()
    while not leaving.is_set():
        asked, busy = _asked(server)
        if asked != before or busy:
            before, last = asked, time.monotonic()
        if time.monotonic() - last >= idle or not state.exists():
            break
        leaving.wait(min(LOOK, max(idle / 4, 0.05)))
    for path in (told["state"], told["socket"]):
        with contextlib.suppress(OSError):
            os.unlink(path or told["state"])  # noqa: PTH108
    until = time.monotonic() + 2.0
    while (
        not leaving.is_set() and _asked(server)[1] and time.monotonic() < until
    ):  # somebody came with the last second
        time.sleep(0.05)


def _asked(server: Any) -> tuple[float, bool]:
    """How much was asked so far, in tokens, and whether an answer is under way."""
    values = {}
    for line in server.handle_metrics().splitlines():
        name, _, value = line.partition(" ")
        if name.startswith("llamacpp:"):
            values[name.removeprefix("llamacpp:")] = value
    busy = float(values.get("requests_processing", 0)) + float(values.get("requests_deferred", 0))
    return sum(float(values.get(name, 0)) for name in COUNTERS), busy > 0


def _write(path: Path, data: dict[str, Any]) -> None:
    fresh = path.with_suffix(".new")
    with contextlib.suppress(OSError):
        fresh.unlink()
    fresh.write_text(json.dumps(data), encoding="utf-8")
    fresh.replace(path)


if __name__ == "__main__":
    sys.exit(main())
