"""litellm in its own process: the formats it alone speaks, and how the process lives and dies."""

from __future__ import annotations

import ast
import asyncio
import contextlib
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from terma.chat import ChatMessage, ChatRequest, Finish, ModelSpec, ToolCall, Usage
from terma.models import litellm
from terma.models.litellm import LiteLLM
from terma.models.openai_http import OpenAIHttp
from terma.models.policy.fallbacks import with_fallbacks
from terma.models.worker import process
from terma.models.worker.messages import error_in, error_out, event_in, event_out, request_in, request_out
from terma.types import Note
from tests.conftest import WAIT, wait_until
from tests.model_server import ModelServer, fails, says
from tests.model_wire import Call
from tests.models import KEY, TOOL, Speaker, collect, of, text

ANTHROPIC, GEMINI = "anthropic/claude-sonnet-4-5", "gemini/gemini-2.5-flash"


@pytest.fixture(scope="module")
def speaker() -> Iterator[Speaker]:
    made = Speaker(LiteLLM()).warm()
    yield made
    made.close()


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer() as made:
        yield made


def alive(pid: int) -> bool:
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, 0)
        return not Path(f"/proc/{pid}/stat").exists() or " Z " not in Path(f"/proc/{pid}/stat").read_text()
    return False


@pytest.mark.parametrize(
    ("model", "path", "header"),
    [(ANTHROPIC, "/v1/messages", "x-api-key"), (GEMINI, ":streamGenerateContent?alt=sse", "x-goog-api-key")],
    ids=["anthropic", "gemini"],
)
def test_it_speaks_the_formats_of_others(
    speaker: Speaker, server: ModelServer, model: str, path: str, header: str
) -> None:
    server.will(says("two ", "ways", calls=(Call("c1", "propose", ('{"command"', ': "ls"}')),), gap=0.02))
    events = speaker.ask(speaker.request(server.root, tools=(TOOL,), model=model))
    assert text(events) == "two ways"
    calls = of(ToolCall, events)
    assert [call.name for call in calls] == ["propose"]
    assert calls[0].arguments.replace(" ", "") == '{"command":"ls"}'
    usage = of(Usage, events)[0]
    assert (usage.prompt_tokens, usage.completion_tokens) == (11, 7)
    assert usage.cost is not None
    assert usage.cost > 0
    assert events[-1] == Finish("tool_calls")
    assert server.seen[0].path.endswith(path)
    assert server.seen[0].headers[header] == KEY


@pytest.mark.parametrize("model", [ANTHROPIC, GEMINI])
@pytest.mark.parametrize(
    ("status", "said", "code"),
    [(401, "invalid x-api-key", "auth"), (404, "model: nope", "no_model"), (429, "slow", "rate"),
     (400, "prompt is too long: 300000 tokens > 200000 maximum", "context_length"), (529, "Overloaded", "server")],
)  # fmt: skip
def test_their_failures_are_told_as_those_of_any_other(
    speaker: Speaker, server: ModelServer, model: str, status: int, said: str, code: str
) -> None:
    server.will(fails(status, said, retry_after="30"))
    error, _ = speaker.fail(speaker.request(server.root, model=model))
    assert error.code == code
    assert "litellm" not in error.message
    assert "Exception" not in error.message


@pytest.mark.parametrize(("model", "marks"), [(ANTHROPIC, 2), (GEMINI, 0)])
def test_what_the_next_request_repeats_is_marked_for_anthropic_s_cache(
    speaker: Speaker, server: ModelServer, model: str, marks: int
) -> None:
    server.will(says("ls"))
    request = speaker.request(server.root, tools=(TOOL,), model=model)
    turns = (ChatMessage("system", "Be brief."), ChatMessage("user", "one"), ChatMessage("assistant", "two"))
    speaker.ask(replace(request, messages=(*turns, ChatMessage("user", "three"))))
    body = server.seen[0].body
    assert json.dumps(body).count("cache_control") == marks
    if marks:
        assert body["system"][-1]["cache_control"] == {"type": "ephemeral"}
        assert body["messages"][-1]["content"][-1]["cache_control"] == {"type": "ephemeral"}


@pytest.mark.parametrize("model", [ANTHROPIC, GEMINI])
def test_a_cancel_reaches_their_servers_too(speaker: Speaker, server: ModelServer, model: str) -> None:
    server.will(says("ls", then="hang"))
    speaker.cancel_once(speaker.request(server.root, model=model), text)
    assert server.wait_for(1).left.wait(WAIT)


def test_a_price_that_nobody_knows_is_none(speaker: Speaker, server: ModelServer) -> None:
    events = speaker.ask(speaker.request(server.root, model="anthropic/not-on-the-list"))
    assert of(Usage, events)[0].cost is None


def test_several_requests_are_answered_at_once_and_none_gets_anothers_words(
    speaker: Speaker, server: ModelServer
) -> None:
    server.will(*(says(f"{number}-a ", f"{number}-b", gap=0.05) for number in range(6)))
    asked = speaker.request(server)

    async def all_at_once() -> list[str]:
        chats = [collect(speaker.provider.chat(asked)) for _ in range(6)]
        return [text(events) for events in await asyncio.gather(*chats)]

    answers = speaker.runner.run(all_at_once())
    assert sorted(answers) == [f"{number}-a {number}-b" for number in range(6)]


def test_no_provider_named_and_no_key_are_told_in_a_line(speaker: Speaker) -> None:
    error, _ = speaker.fail(speaker.request("", model="anthropic/claude-sonnet-4-5", api_key=""))
    assert error.code == "no_key"
    error, _ = speaker.fail(speaker.request("", model="wurst"))
    assert "wurst" in error.message


def test_what_a_cloud_wants_besides_a_key_is_said(speaker: Speaker) -> None:
    error, _ = speaker.fail(speaker.request("", model="vertex_ai/gemini-2.5-pro", api_key=""))
    assert (error.code, "Python package google" in error.message) == ("not_installed", True)


def test_a_worker_that_dies_is_one_clear_error_and_the_next_request_starts_another(
    speaker: Speaker, server: ModelServer
) -> None:
    server.will(says("old", then="hang"), says("new"))
    provider = speaker.provider
    assert isinstance(provider, LiteLLM)

    def kill(events: list[object]) -> bool:
        if text(events):  # type: ignore[arg-type]
            os.kill(provider.pids()[0], signal.SIGKILL)
            return True
        return False

    async def work() -> object:
        events: list[object] = []
        task = asyncio.create_task(collect(provider.chat(speaker.request(server)), events))  # type: ignore[arg-type]
        async with asyncio.timeout(WAIT):
            while not kill(events):  # noqa: ASYNC110
                await asyncio.sleep(0.005)
        await asyncio.wait([task])
        return task.exception()

    error = speaker.runner.run(work())
    assert getattr(error, "code", "") == "worker"
    assert "ask again" in getattr(error, "hint", "")
    assert text(speaker.ask(speaker.request(server))) == "new"


def test_a_start_is_said_and_an_idle_worker_leaves_and_the_next_request_gets_another(
    server: ModelServer,
) -> None:
    speaker = Speaker(LiteLLM(idle=0.5))
    provider = speaker.provider
    assert isinstance(provider, LiteLLM)
    try:
        assert of(Note, speaker.ask(speaker.request(server)))[0] == Note("litellm is starting")
        pid = provider.pids()[0]
        speaker.runner.run(until_gone(pid))
        assert text(speaker.ask(speaker.request(server))) == "hello"
    finally:
        speaker.close()


async def until_gone(pid: int) -> None:
    async with asyncio.timeout(WAIT):
        while alive(pid):  # noqa: ASYNC110 - another process has no event
            await asyncio.sleep(0.02)


@pytest.mark.parametrize("when", ["while it loads", "when it is ready"])
def test_a_worker_dies_with_its_agent(when: str) -> None:
    code = f"""
import asyncio
from terma.chat import ModelSpec
from terma.models.litellm import LiteLLM
async def main():
    model = LiteLLM()
    model.preload(ModelSpec(provider="litellm", model="openai/x"))
    worker = next(iter(model._workers.values()))
    if {when == "when it is ready"}:
        await worker._ready
    print(worker.pid, flush=True)
    await asyncio.sleep(60)
asyncio.run(main())
"""
    parent = subprocess.Popen([sys.executable, "-I", "-c", code], stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    with parent.stdout:
        pid = int(parent.stdout.readline())
    parent.kill()
    parent.wait(WAIT)
    wait_until(lambda: not alive(pid), "the worker to go")


def test_where_litellm_is_missing_the_error_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process.importlib.util, "find_spec", lambda _: None)
    speaker = Speaker(LiteLLM())
    try:
        error, _ = speaker.fail(speaker.request("http://127.0.0.1:9/v1"))
        assert (error.code, "litellm" in error.hint) == ("not_installed", True)
    finally:
        speaker.close()


def test_a_worker_sees_nothing_of_the_environment_but_where_its_person_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in (
        "OPENAI_API_KEY",
        "OPENAI_BASE_URL",
        "HTTPS_PROXY",
        "AWS_ENDPOINT_URL",
        "LITELLM_MODE",
        "PYTHONPATH",
        "AWS_PROFILE",
    ):
        monkeypatch.setenv(name, "hostile")
    made = process.environment("", "")
    assert "hostile" not in made.values()
    assert made["PATH"] == os.environ["PATH"]
    assert process.environment("http://proxy:1", "")["HTTPS_PROXY"] == "http://proxy:1"


def test_starting_it_speaks_to_nobody_and_reads_nothing_of_the_directory(place: Path) -> None:
    (place / ".env").write_text("OPENAI_API_BASE=http://192.0.2.1/v1\n", encoding="utf-8")
    (place / "litellm_config.yaml").write_text("model_list: []\n", encoding="utf-8")
    code = """
import asyncio, os, sys
told = []
def hear(event, args):
    if event in ("socket.connect", "socket.getaddrinfo", "socket.sendto"):
        told.append(("net", str(args[1] if event != "socket.getaddrinfo" else args[:2])))
    elif event == "open" and isinstance(args[0], str) and os.path.abspath(args[0]).startswith(os.getcwd()):
        told.append(("file", args[0]))
sys.addaudithook(hear)
from terma.models.worker import calls, serving
calls.quiet()
asyncio.run(serving._warm("anthropic/claude-sonnet-4-5"))
print("TOLD", sorted(set(told)))
sys.stdout.flush()
os._exit(0)
"""
    done = subprocess.run(
        [sys.executable, "-I", "-c", code],
        capture_output=True,
        text=True,
        cwd=place,
        env=process.environment("", ""),
        check=True,
    )
    said = next(line for line in done.stdout.splitlines() if line.startswith("TOLD"))
    told = {entry for entry in ast.literal_eval(said.removeprefix("TOLD "))}
    assert {what for kind, what in told if kind == "file"} == set()
    assert {what for kind, what in told if kind == "net" and "127.0.0.1" not in what} == set()


def test_a_model_behind_litellm_steps_in_for_a_server_that_is_down(
    speaker: Speaker, server: ModelServer
) -> None:
    server.will(says("ls"))
    down = ModelSpec(provider="openai_http", model="local", api_base="http://127.0.0.1:9/v1", retries=0)
    other = speaker.request(server.root, model=ANTHROPIC).spec
    ways = {"openai_http": OpenAIHttp(), "litellm": speaker.provider}
    asked = ChatRequest(spec=down, messages=(ChatMessage("user", "hi"),))
    events = speaker.runner.run(collect(with_fallbacks(asked, [other], ways.__getitem__)))
    assert text(events) == "ls"
    assert of(Note, events)[0] == Note(f"local: no connection; using {ANTHROPIC}")


def test_messages_say_the_same_on_both_sides() -> None:
    spec = ModelSpec(provider="litellm", model="m", api_key=KEY, headers={"x-a": "1"}, temperature=0.2)
    turns = (
        ChatMessage("assistant", "", (ToolCall("c", "f", "{}"),)),
        ChatMessage("tool", "ok", tool_call_id="c"),
    )
    asked = ChatRequest(
        spec=spec, messages=turns, tools=(TOOL,), stop=("X",), response_format={"type": "json_object"}
    )
    assert request_in(request_out(asked)) == asked
    for event in (ToolCall("a", "b", "{}"), Usage(1, 2, 3, 0.5, "m"), Finish("length"), Note("x")):
        assert event_in(event_out(event)) == event
    error = litellm.ModelError("rate", "a", "b", retry_after=2.0)
    assert error_out(error_in(error_out(error))) == error_out(error)
    assert KEY not in repr(asked)
