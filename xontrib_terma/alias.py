"""`?why`, `terma why` and `terma last` in this xonsh: the agent's answer is printed as it comes, by no second Python.

`?why` runs in xonsh's main thread, with the terminal; the alias may stand in a pipe or be captured, and then runs in a
thread, which ^C reaches by a flag alone.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any, TextIO

from terma.errors import AgentUnavailable, ProtocolError, TermaError
from terma.wire import MAX_FRAME
from xontrib_terma import dialect, output, reach, stream
from xontrib_terma.clean import clean
from xontrib_terma.stateline import broken

INTERRUPTED = 130
POLL = 0.05  # seconds between two looks at the flag of ^C
PATIENCE = 60.0  # seconds without a word from the agent
MAX_SAID = 200_000  # code points of an explanation
MAX_FIXES = 20
STYLES = {"bold": "1", "head": "1", "code": "36", "dim": "2", "warn": "1;33", "danger": "1;31"}
_numbers = iter(range(1, 1 << 30))


class Interrupted(Exception):
    """^C, seen from a thread."""


def say(session: Any, args: list[str], stdout: Any, stderr: Any, spec: Any) -> int:
    """The alias behind `terma why`, `terma last` and `terma "question"`."""
    args = session.said.pop(args[0], args) if args else ["why"]
    coloured = _is_coloured(session, spec)
    question = " ".join(args[1:] if args[0] == "why" else args)
    with output.opened(stdout) as out:
        if args[:1] == ["last"]:
            return _run(lambda: _last(session, out), stderr)
        return _run(lambda: _explain(session, question, f"terma {' '.join(args)}", out, coloured), stderr)


def why(session: Any, line: str, stdout: Any, stderr: Any) -> int:
    """`?why`: status 0, 1 after an error (on stderr), 130 when ^C stopped it."""
    out = stdout if stdout is not None else sys.stdout
    asked = line.strip()
    question = asked.removeprefix("?why")
    return _run(lambda: _explain(session, question, asked, out, _is_coloured(session, None)), stderr)


def _run(work: Callable[[], int], stderr: Any) -> int:
    try:
        return work()
    except (KeyboardInterrupt, Interrupted):
        return _interrupted()
    except BrokenPipeError:
        return 0  # the reader has seen enough
    except (TermaError, stream.Refused, OSError) as error:
        message = " ".join(clean(stream.shown(error)).split())
        _complain(f"terma: {message}", stderr if stderr is not None else sys.stderr)
        return 1


def _complain(message: str, out: TextIO) -> None:
    """On a terminal between words, else on one line."""
    if out.isatty():
        message = "\n".join(broken(message, shutil.get_terminal_size().columns - 1))
    print(message, file=out)


def _interrupted() -> int:
    """130, which xonsh would make a 1 of every alias's thread that it waits for after ^C."""
    thread: Any = threading.current_thread()
    restore = getattr(thread, "_restore_sigint", None)
    if restore is not None:

        def restored(*args: Any, **named: Any) -> None:
            restore(*args, **named)
            thread.returncode = INTERRUPTED

        thread._restore_sigint = restored
    return INTERRUPTED


def _explain(session: Any, question: str, asked: str, out: TextIO, coloured: bool) -> int:
    own = {"question": question[: reach.MAX_TEXT], "asked": asked[: reach.MAX_TEXT]} | reach.output(session)
    session.fixes.clear()
    said, unfinished = 0, False
    fixes: list[tuple[str, str]] = []
    try:
        for verb, *rest in _ask(session, "why", own, out):
            if verb == "say" and len(rest) > 1:
                text = clean(rest[1])
                said += len(text)
                if said > MAX_SAID:
                    raise ProtocolError("the answer is far too long", "ask again")
                unfinished = bool(text) and not text.endswith("\n") if text else unfinished
                shown = text.replace("⚠", "!!") if session.environment().get("NO_COLOR") else text
                _write(out, shown, STYLES.get(rest[0]) if coloured else None)
            elif verb == "fix" and len(rest) > 2 and len(fixes) < MAX_FIXES:
                command = clean(rest[0]).rstrip("\n")
                fits = bool(command) and len(command) <= stream.MAX_ANSWER
                if fits and dialect.parses(session.xsh, command):
                    fixes.append((command, f"⚠ {rest[1]}: {rest[2]} · " if rest[1] != "low" else ""))
    finally:
        if unfinished:
            with contextlib.suppress(OSError, ValueError):
                _write(out, "\n", None)
    session.fixes[:] = fixes
    if session.editor is not None:
        session.editor.prompt.offer = bool(fixes)
    return 0


def _last(session: Any, out: TextIO) -> int:
    for verb, *rest in _ask(session, "last", reach.output(session), out):
        if verb == "done" and rest[:1] == ["json"] and len(rest) > 1:
            shown = json.loads(rest[1])
            _write(out, clean(f"# for {shown['engine']}\n{shown['text']}\n"), None)
    return 0


def _write(out: TextIO, text: str, code: str | None) -> None:
    """In one write, so that no style is left half-way."""
    out.write(f"\x1b[{code}m{text}\x1b[0m" if code and text else text)
    out.flush()


def _is_coloured(session: Any, spec: Any) -> bool:
    environ = session.environment()
    if environ.get("NO_COLOR") or environ.get("TERM", "dumb") == "dumb" or not os.isatty(1):
        return False
    if spec is None:
        return True
    return spec.stdout is None and spec.captured in (False, "hiddenobject")


def _ask(session: Any, kind: str, own: dict[str, str], out: TextIO) -> Iterator[tuple[str, ...]]:
    """The frames that answer, as stream.answer gives them to the prompt."""
    environ = session.environment()
    number = next(_numbers)
    data = reach.request(session, number, kind, own)
    connection = _connect(environ)
    if connection is None:
        print("terma: starting the agent", file=sys.stderr, flush=True)  # a pipe gets the answer alone
        reach.start_agent(environ)
        connection = _connect(environ)
    if connection is None:
        raise AgentUnavailable("the agent did not start", "terma doctor says why")
    with connection:
        connection.sendall(data)
        for line in _lines(connection, out, _patience(environ)):
            frame = stream.read(line, str(number))
            if frame is not None:
                yield frame
                if frame[0] == "done":
                    return


def _connect(environ: Any) -> socket.socket | None:
    path = reach.socket_path(environ)
    if path is None:
        return None
    connection = socket.socket(socket.AF_UNIX)
    try:
        connection.connect(str(path))
    except OSError:
        connection.close()
        return None
    return connection


def _lines(connection: socket.socket, out: Any, patience: float) -> Iterator[bytes]:
    """The lines that arrive. Raises Interrupted, BrokenPipeError when nobody reads `out` any more, and AgentUnavailable
    at the end or after `patience` seconds."""
    thread = threading.current_thread()
    data, heard = b"", time.monotonic()
    while True:
        if getattr(thread, "_interrupted", False):
            raise Interrupted
        if not output.wait(connection, out, POLL):
            if time.monotonic() - heard > patience:
                raise AgentUnavailable(
                    f"nothing came from the agent for {patience:g} s", "terma agent restart"
                )
            continue
        try:
            piece = connection.recv(MAX_FRAME)
        except ConnectionError:
            piece = b""
        if not piece:
            raise AgentUnavailable("the agent went away", "ask again")
        heard = time.monotonic()
        *lines, data = (data + piece).split(b"\n")
        yield from lines
        if len(data) > MAX_FRAME:
            raise ProtocolError("the agent sent garbage", "terma agent restart")


def _patience(environ: Any) -> float:
    try:
        told = float(environ.get("TERMA_WHY_TIMEOUT", ""))
    except ValueError:
        return PATIENCE
    return told if 0 < told < 86_400 else PATIENCE
