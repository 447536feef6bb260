"""Every model that litellm knows (Anthropic, Gemini, Bedrock, Vertex, Azure and more), from a process of its own."""

from __future__ import annotations

import asyncio
import math
import os
from collections.abc import AsyncGenerator
from contextlib import aclosing

from terma.chat import ChatEvent, ChatRequest, ModelError, ModelSpec
from terma.models.policy.attempts import attempts
from terma.models.policy.pace import Pace
from terma.models.worker.process import Ended, Process, check_installed

IDLE = (
    600.0  # seconds after the last answer until it leaves; TERMA_WORKER_IDLE_SECONDS says otherwise, 0: never
)
_Place = tuple[int, str, str]


class LiteLLM:
    """Asks a worker process, started when first wanted or by `preload`. One worker for each proxy and ca_file."""

    name = "litellm"
    package = "litellm"  # which terma does not bring

    def __init__(self, idle: float | None = None) -> None:
        self._idle = idle
        self._pace = Pace()
        self._workers: dict[_Place, Process] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def reaches(self, api_base: str) -> bool:
        """Whether a model at that address is for this backend where its settings name none: it knows the providers'
        own addresses."""
        return not api_base

    def preload(self, spec: ModelSpec) -> None:
        """Start the worker, and let it run the code for this model once. Where litellm is missing, the first request
        says so."""
        try:
            worker = self._worker(spec)
        except ModelError:
            return
        task = asyncio.create_task(worker.warm(spec.model))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def chat(self, request: ChatRequest) -> AsyncGenerator[ChatEvent, None]:
        """As ChatModel.chat."""
        async with aclosing(attempts(lambda: self._once(request), request.spec)) as events:
            async for event in events:
                yield event

    async def close(self) -> None:
        """End the workers."""
        workers, self._workers = list(self._workers.values()), {}
        for worker in workers:
            await worker.close()

    def pids(self) -> list[int]:
        """The processes that run now."""
        return [worker.pid for worker in self._workers.values() if not worker.ended]

    async def _once(self, request: ChatRequest) -> AsyncGenerator[ChatEvent, None]:
        await self._pace.wait(request.spec)
        for fresh in (False, True):
            worker = self._worker(request.spec)
            try:
                async with aclosing(worker.chat(request)) as events:
                    async for event in events:
                        yield event
                return
            except Ended as end:
                if end.left and not fresh:
                    continue  # it left, being idle, while this request was on its way
                raise ModelError("worker", str(end), "ask again: it is started anew") from end

    def _worker(self, spec: ModelSpec) -> Process:
        place = (id(asyncio.get_running_loop()), spec.proxy, spec.ca_file)
        worker = self._workers.get(place)
        if worker is None or worker.ended:
            check_installed()
            worker = self._workers[place] = Process(self._seconds(), spec.proxy, spec.ca_file)
        return worker

    def _seconds(self) -> float:
        if self._idle is not None:
            return self._idle
        try:
            return float(os.environ.get("TERMA_WORKER_IDLE_SECONDS", "")) or math.inf
        except ValueError:
            return IDLE


PLUGIN = LiteLLM()
