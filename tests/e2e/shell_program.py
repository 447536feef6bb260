"""`python -m tests.e2e.shell_program`: runs commands in terma's persistent shell, before a person (shell_person.py).

It takes orders, one JSON object a line, from one descriptor, and answers each on another. Standard input and output are
the person's terminal. It imports nothing of the tests, which costs more than the shell."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from dataclasses import asdict
from typing import Any


class _Terminal:
    input, output = 0, 1


async def _serve(shell_name: str, cwd: str, patience: float, orders: int, answers: int) -> None:
    from terma.errors import TermaError
    from terma.repl.shell.persistent import PersistentShell

    shell = PersistentShell(shell_name, cwd, dict(os.environ), timeout=patience, terminal=_Terminal())
    loop = asyncio.get_running_loop()
    lines = asyncio.StreamReader()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(lines), os.fdopen(orders, "rb"))
    running: asyncio.Task[Any] | None = None

    def say(value: Any) -> None:
        os.write(answers, json.dumps(value).encode() + b"\n")

    async def answer(order: dict[str, Any]) -> None:
        kind = order.pop("kind")
        try:
            if kind == "close":
                await shell.close()
                return
            ran = await getattr(shell, kind)(**order)
            ahead, shell.typed_ahead = shell.typed_ahead, ""
            say(asdict(ran) | {"typed_ahead": ahead, "bare": shell.bare})
        except TermaError as error:
            say({"error": error.message, "code": error.code})
        except asyncio.CancelledError:
            say({"cancelled": True, "last": asdict(shell.last) if shell.last else None})

    while line := await lines.readline():
        order = json.loads(line)
        if order["kind"] == "cancel":
            assert running is not None
            running.cancel()
        else:
            running = asyncio.create_task(answer(order))
    if running is not None:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
    await shell.close()


if __name__ == "__main__":
    asyncio.run(_serve(sys.argv[1], sys.argv[2], float(sys.argv[3]), int(sys.argv[4]), int(sys.argv[5])))
