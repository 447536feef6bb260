"""What a way to a model adds to the model's own first token, and how soon a server sees that nobody wants it.

The scripted server answers at once from a process of its own. A bare socket that is kept open asks it first: what
takes longer than that is ours. Requests take turns, so that a busy moment meets all of them.
"""

from __future__ import annotations

import asyncio
import json
import statistics
import subprocess
import sys
import time
from contextlib import aclosing

from terma.chat import ChatMessage, ChatModel, ChatRequest, ModelSpec, TextDelta
from terma.models.litellm import LiteLLM
from terma.models.openai_http import OpenAIHttp
from tests.model_server import ModelServer, says

Figure = tuple[str, float, str, str]  # name, value, unit, note
ROUNDS = 60
CANCELS = 15
MESSAGES = (ChatMessage("system", "You write shell commands. " * 40), ChatMessage("user", "list all files"))


def request(model: ChatModel, base: str) -> ChatRequest:
    """A request to the server at `base`, in OpenAI's format."""
    name = "openai/scripted" if model.name == "litellm" else "scripted"
    spec = ModelSpec(provider=model.name, model=name, api_base=f"{base}/v1", api_key="sk-bench", retries=0)
    return ChatRequest(spec=spec, messages=MESSAGES)


async def first_token(model: ChatModel, asked: ChatRequest) -> float:
    """Seconds from the request to the first piece of text; the answer is read to its end."""
    began, seconds = time.perf_counter(), 0.0
    async with aclosing(model.chat(asked)) as events:
        async for event in events:
            if isinstance(event, TextDelta) and not seconds:
                seconds = time.perf_counter() - began
    return seconds


class Bare:
    """The least a client can do: one open connection, one write, one read of the first piece."""

    def __init__(self, base: str) -> None:
        self._host, _, self._port = base.removeprefix("http://").partition(":")
        self._stream: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def first_token(self) -> float:
        """Seconds from the write to the first piece of text."""
        if self._stream is None:
            self._stream = await asyncio.open_connection(self._host, int(self._port))
        reader, writer = self._stream
        turns = [{"role": turn.role, "content": turn.content} for turn in MESSAGES]
        body = json.dumps({"model": "m", "messages": turns, "stream": True}).encode()
        head = f"POST /v1/chat/completions HTTP/1.1\r\nhost: bench\r\ncontent-length: {len(body)}\r\n\r\n"
        began = time.perf_counter()
        writer.write(head.encode() + body)
        await reader.readuntil(b'"content"')
        seconds = time.perf_counter() - began
        await reader.readuntil(b"0\r\n\r\n")
        return seconds

    def close(self) -> None:
        """Close the connection."""
        if self._stream is not None:
            self._stream[1].close()


async def overheads(base: str, ways: list[ChatModel]) -> dict[str, list[float]]:
    """Seconds to the first token, warm, of each way and of the bare socket ("bare")."""
    bare, found = Bare(base), {name: [] for name in ("bare", *(way.name for way in ways))}
    for way in ways:
        for _ in range(5):
            await first_token(way, request(way, base))
    await bare.first_token()
    for _ in range(ROUNDS):
        found["bare"].append(await bare.first_token())
        for way in ways:
            found[way.name].append(await first_token(way, request(way, base)))
    bare.close()
    return found


async def cancel_latency(way: ChatModel) -> list[float]:
    """Seconds from a cancel in mid-stream until the server sees the connection end."""
    seconds = []
    with ModelServer() as server:
        server.will(says("ls", then="hang"))
        for number in range(1, CANCELS + 1):
            seen = asyncio.Event()

            async def speak(seen: asyncio.Event = seen) -> None:
                async with aclosing(way.chat(request(way, server.root))) as events:
                    async for event in events:
                        if isinstance(event, TextDelta):
                            seen.set()

            task = asyncio.create_task(speak())
            await seen.wait()
            began = time.monotonic()
            task.cancel()
            await asyncio.wait([task])
            asked = server.wait_for(number)
            await asyncio.to_thread(asked.left.wait, 10)
            seconds.append(asked.left_at - began)
    return seconds


async def run(base: str) -> list[Figure]:
    """All figures."""
    http, lite = OpenAIHttp(), LiteLLM()
    began = time.perf_counter()
    lite.preload(request(lite, base).spec)
    await first_token(lite, request(lite, base))
    start = time.perf_counter() - began
    found = await overheads(base, [http, lite])
    bare = statistics.median(found["bare"])
    rows: list[Figure] = [("models: bare socket, first token", bare * 1000, "ms", "the server's own part")]
    for way, bar in ((http, 10), (lite, 25)):
        extra = [seconds - bare for seconds in found[way.name]]
        rows += [
            (f"models: {way.name}, over it", statistics.median(extra) * 1000, "ms", f"p50, warm; bar {bar}"),
            (f"models: {way.name}, over it, p95", sorted(extra)[int(ROUNDS * 0.95)] * 1000, "ms", ""),
        ]
    for way in (http, lite):
        seconds = await cancel_latency(way)
        rows.append(
            (f"models: {way.name}, cancel seen", max(seconds) * 1000, "ms", f"worst of {CANCELS}; bar 100")
        )
    rows.append(("models: litellm, start to first token", start, "s", "once, in the background, at login"))
    with open(f"/proc/{lite.pids()[0]}/status", encoding="ascii") as status:  # noqa: ASYNC230, PTH123
        kilobytes = next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))
    rows.append(("models: litellm's process, memory", kilobytes / 1024, "MB", "beside the agent"))
    await http.close()
    await lite.close()
    return rows


def measure() -> list[Figure]:
    """The figures of the ways to models."""
    command = [sys.executable, "-m", "tests.model_server", "ls", " -l"]
    server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    try:
        return asyncio.run(run(server.stdout.readline().strip()))
    finally:
        server.kill()
        server.communicate()


if __name__ == "__main__":
    for name, value, unit, note in measure():
        print(f"{name:44} {value:8.2f} {unit:3} {note}")
