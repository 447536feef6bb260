"""Both ways to a model, against a real server in OpenAI's format: the rest of the code cannot tell them apart."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from terma import registry
from terma.chat import (
    ChatMessage,
    ChatRequest,
    Finish,
    ReasoningDelta,
    TextDelta,
    ToolCall,
    ToolCallDelta,
    Usage,
)
from terma.models.litellm import LiteLLM
from terma.models.openai_http import OpenAIHttp
from terma.types import Note
from tests.conftest import WAIT
from tests.model_server import CERTIFICATE, ModelServer, Reply, fails, says
from tests.model_wire import Call, sse
from tests.models import KEY, TOOL, Speaker, of, text

CALLS = (
    Call("call_a", "propose", ('{"comm', 'and": "ls', ' -l"}')),
    Call("call_b", "propose", ('{"command"', ': "pwd"}')),
)


@pytest.fixture(scope="module", params=["openai_http", "litellm"])
def speaker(request: pytest.FixtureRequest) -> Iterator[Speaker]:
    made = Speaker({"openai_http": OpenAIHttp, "litellm": LiteLLM}[request.param]()).warm()
    yield made
    made.close()


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer() as made:
        yield made


def test_the_registry_knows_both_and_nothing_else() -> None:
    import terma.models

    assert registry.names(terma.models.__name__) == ["litellm", "openai_http"]
    assert [registry.load("terma.models", name).name for name in ("litellm", "openai_http")] == [
        "litellm",
        "openai_http",
    ]


def test_an_answer_comes_in_the_pieces_in_which_it_was_said(speaker: Speaker, server: ModelServer) -> None:
    server.will(says("find", " . -", "type f", gap=0.03))
    events = speaker.ask(speaker.request(server))
    assert [piece.text for piece in of(TextDelta, events)] == ["find", " . -", "type f"]
    assert of(Usage, events)[0].prompt_tokens == 11
    assert of(Usage, events)[0].completion_tokens == 7
    assert events[-1] == Finish("stop")


def test_a_name_that_is_no_text_keeps_no_model_from_answering(speaker: Speaker, server: ModelServer) -> None:
    """A file's name in another encoding stands in what is told of the directory."""
    server.will(says("ls"))
    request = speaker.request(server)
    request = replace(request, messages=(*request.messages, ChatMessage("user", "files: caf\udce9.txt")))
    assert text(speaker.ask(request)) == "ls"


def test_the_first_piece_does_not_wait_for_the_second(speaker: Speaker, server: ModelServer) -> None:
    server.will(says("find", then="hang"))
    speaker.cancel_once(speaker.request(server), lambda events: text(events) == "find")


def test_parallel_tool_calls_are_put_together_and_each_is_told_once(
    speaker: Speaker, server: ModelServer
) -> None:
    server.will(says("two ways: ", calls=CALLS))
    events = speaker.ask(speaker.request(server, tools=(TOOL,)))
    assert of(ToolCall, events) == [
        ToolCall("call_a", "propose", '{"command": "ls -l"}'),
        ToolCall("call_b", "propose", '{"command": "pwd"}'),
    ]
    assert events[-1] == Finish("tool_calls")
    pieces = [
        [piece.arguments for piece in of(ToolCallDelta, events) if piece.number == number]
        for number in (0, 1)
    ]
    assert ["".join(parts) for parts in pieces] == ['{"command": "ls -l"}', '{"command": "pwd"}']
    assert server.seen[0].body["tools"][0]["function"]["name"] == "propose"


def test_a_whole_conversation_is_sent_with_calls_and_their_results(
    speaker: Speaker, server: ModelServer
) -> None:
    asked = speaker.request(server, tools=(TOOL,))
    turns = (
        ChatMessage("system", "be brief"),
        ChatMessage("user", "hi"),
        ChatMessage("assistant", "", (ToolCall("c1", "propose", '{"command": "ls"}'),)),
        ChatMessage("tool", "done", tool_call_id="c1"),
    )
    speaker.ask(ChatRequest(spec=asked.spec, messages=turns, tools=asked.tools, stop=("END",)))
    sent = server.seen[0].body
    assert [turn["role"] for turn in sent["messages"]] == ["system", "user", "assistant", "tool"]
    assert sent["messages"][2]["tool_calls"][0]["function"] == {
        "name": "propose",
        "arguments": '{"command": "ls"}',
    }
    assert sent["messages"][3]["tool_call_id"] == "c1"
    assert sent["stop"] == ["END"]


def test_reasoning_is_told_apart_from_the_answer(speaker: Speaker, server: ModelServer) -> None:
    server.will(says("ls", reasoning=("they want", " files")))
    events = speaker.ask(speaker.request(server))
    assert "".join(piece.text for piece in of(ReasoningDelta, events)) == "they want files"
    assert text(events) == "ls"


def test_characters_and_lines_cut_by_the_network_arrive_whole(speaker: Speaker, server: ModelServer) -> None:
    server.will(says("grüße 🎉\n", "日本\r\n語", cut_at=1))
    assert text(speaker.ask(speaker.request(server))) == "grüße 🎉\n日本\r\n語"


TROUBLES = [
    (401, "Incorrect API key provided", "auth"),
    (403, "you have no access", "auth"),
    (404, "The model `scripted` does not exist", "no_model"),
    (429, "slow down", "rate"),
    (429, {"message": "You exceeded your current quota", "code": "insufficient_quota"}, "quota"),
    (402, "Insufficient credits", "quota"),
    (400, "This model's maximum context length is 8192 tokens, you sent 9000", "context_length"),
    (400, {"message": "rejected by our content management policy", "code": "content_filter"}, "refused"),
    (400, "registry/gemma does not support tools", "no_tools"),
    (400, "messages[3] is odd", "bad_request"),
    (500, "oops", "server"),
    (503, "overloaded", "server"),
]


@pytest.mark.parametrize(("status", "said", "code"), TROUBLES, ids=[f"{s}-{c}" for s, _, c in TROUBLES])
def test_a_failure_is_one_line_that_says_what_to_do(
    speaker: Speaker, server: ModelServer, status: int, said: object, code: str
) -> None:
    server.will(fails(status, said))
    error, events = speaker.fail(speaker.request(server))
    assert (error.code, events) == (code, [])
    assert error.hint
    assert "\n" not in error.message + error.hint
    assert len(error.message) < 300


def test_a_missing_key_is_not_called_a_wrong_one(speaker: Speaker, server: ModelServer) -> None:
    server.will(fails(401, "You didn't provide an API key"))
    error, _ = speaker.fail(speaker.request(server, api_key=""))
    assert error.code == "no_key"


def test_a_key_that_the_server_repeats_is_not_shown(speaker: Speaker, server: ModelServer) -> None:
    server.will(fails(401, f"Incorrect API key provided: {KEY}"))
    error, _ = speaker.fail(speaker.request(server))
    assert KEY not in error.message + error.hint


def test_what_passes_is_tried_again_and_said(speaker: Speaker, server: ModelServer) -> None:
    server.will(fails(429, "slow", retry_after="0"), fails(503, "busy"), says("ls"))
    events = speaker.ask(speaker.request(server, retries=2))
    assert text(events) == "ls"
    assert len(of(Note, events)) >= 2
    assert len(server.seen) == 3


def test_retry_after_is_waited_for(speaker: Speaker, server: ModelServer) -> None:
    server.will(fails(429, "slow", retry_after="1"), says("ls"))
    began = time.monotonic()
    assert text(speaker.ask(speaker.request(server, retries=1))) == "ls"
    assert time.monotonic() - began >= 1.0


@pytest.mark.parametrize(
    "reply", [fails(429, "slow", retry_after="3600"), fails(401, "no"), fails(400, "odd")]
)
def test_what_does_not_pass_is_not_tried_again(speaker: Speaker, server: ModelServer, reply: Reply) -> None:
    server.will(reply, says("ls"))
    error, _ = speaker.fail(speaker.request(server, retries=3))
    assert error.hint
    assert len(server.seen) == 1


def test_an_answer_that_broke_off_is_an_error_and_is_not_asked_for_again(
    speaker: Speaker, server: ModelServer
) -> None:
    server.will(says("find . ", then="cut", gap=0.02), says("ls"))
    error, events = speaker.fail(speaker.request(server, retries=3))
    assert text(events) == "find . "
    assert error.code in ("unreachable", "bad_response", "server")
    assert len(server.seen) == 1


def test_an_error_in_mid_stream_is_an_error(speaker: Speaker, server: ModelServer) -> None:
    chunk = {"choices": [{"index": 0, "delta": {"content": "find "}}], "id": "c", "created": 1, "model": "m"}
    body = sse({**chunk, "object": "chat.completion.chunk"}) + sse(
        {"error": {"message": "the GPU is gone", "code": 502}}
    )
    server.will(Reply(raw=body))
    error, _ = speaker.fail(speaker.request(server))
    assert "GPU is gone" in error.message


@pytest.mark.parametrize(
    "raw",
    [b"<html>login</html>", b"\x00\xff\xfe", b"data: not json\n\n", b'{"ok": true}', b""],
    ids=["page", "bytes", "text", "json", "nothing"],
)
def test_what_is_no_answer_is_told_in_a_line(speaker: Speaker, server: ModelServer, raw: bytes) -> None:
    server.will(Reply(raw=raw))
    error, events = speaker.fail(speaker.request(server))
    assert text(events) == ""
    assert error.hint
    assert "\n" not in error.message


def test_a_server_that_says_nothing_is_given_up(speaker: Speaker, server: ModelServer) -> None:
    server.will(says("ls", first=WAIT * 4))
    error, _ = speaker.fail(speaker.request(server, first_token_timeout=0.3))
    assert (error.code, "first_token" in error.hint) == ("timeout", True)
    assert server.wait_for(1).left.wait(WAIT)


def test_a_model_that_falls_silent_is_given_up(speaker: Speaker, server: ModelServer) -> None:
    server.will(says("ls", then="hang"))
    error, events = speaker.fail(speaker.request(server, between_tokens_timeout=0.3))
    assert (error.code, text(events)) == ("timeout", "ls")
    assert "between_tokens" in error.hint
    assert server.wait_for(1).left.wait(WAIT)


def test_a_long_call_is_no_silence(speaker: Speaker, server: ModelServer) -> None:
    pieces = ('{"command": "', *["x"] * 8, '"}')
    server.will(says(calls=(Call("a", "propose", pieces),), gap=0.3))
    events = speaker.ask(speaker.request(server, tools=(TOOL,), between_tokens_timeout=2.5))
    assert of(ToolCall, events) == [ToolCall("a", "propose", '{"command": "xxxxxxxx"}')]


def test_nothing_listening_is_unreachable(speaker: Speaker) -> None:
    error, _ = speaker.fail(speaker.request("http://127.0.0.1:9/v1"))
    assert error.code == "unreachable"
    assert "127.0.0.1:9" in error.message


def test_cancelling_while_connecting_closes_the_connection(speaker: Speaker) -> None:
    with ModelServer(deaf=True) as server:
        speaker.cancel_once(
            speaker.request(server, connect_timeout=WAIT * 4), lambda _: server.arrived.is_set()
        )
        assert server.left.wait(WAIT)


def test_cancelling_before_the_first_token_closes_the_connection(
    speaker: Speaker, server: ModelServer
) -> None:
    server.will(says("ls", first=WAIT * 4))
    speaker.cancel_once(speaker.request(server), lambda _: server.seen)
    assert server.wait_for(1).left.wait(WAIT)


def test_cancelling_in_mid_stream_closes_the_connection(speaker: Speaker, server: ModelServer) -> None:
    server.will(says("ls", then="hang"))
    speaker.cancel_once(speaker.request(server), text)
    assert server.wait_for(1).left.wait(WAIT)


def test_after_a_cancel_the_next_answer_is_whole(speaker: Speaker, server: ModelServer) -> None:
    server.will(says("old", then="hang"), says("new"))
    speaker.cancel_once(speaker.request(server), text)
    assert text(speaker.ask(speaker.request(server))) == "new"


def test_warm_requests_share_a_connection(speaker: Speaker, server: ModelServer) -> None:
    for _ in range(4):
        speaker.ask(speaker.request(server))
    assert server.connections == 1


def test_a_certificate_nobody_vouches_for_is_refused(speaker: Speaker) -> None:
    with ModelServer(tls=True) as server:
        error, _ = speaker.fail(speaker.request(server))
        assert (error.code, "ca_file" in error.hint) == ("tls", True)
        assert server.seen == []


def test_a_certificate_of_the_settings_is_trusted(speaker: Speaker) -> None:
    with ModelServer(tls=True) as server:
        server.will(says("safe"))
        assert text(speaker.ask(speaker.request(server, ca_file=str(CERTIFICATE)))) == "safe"


def test_the_proxy_of_the_settings_is_used(speaker: Speaker, server: ModelServer) -> None:
    server.will(says("by proxy"))
    asked = speaker.request("http://models.invalid/v1", proxy=server.root)
    assert text(speaker.ask(asked)) == "by proxy"
    assert server.seen[0].path == "http://models.invalid/v1/chat/completions"


def test_a_repository_cannot_redirect_a_key(
    server: ModelServer, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ModelServer() as thief:
        for name in hostile_names():
            monkeypatch.setenv(name, f"{thief.root}/v1" if "PROXY" not in name.upper() else thief.root)
        lines = "\n".join(f"{name}={thief.root}/v1" for name in hostile_names())
        (place / ".env").write_text(lines, encoding="utf-8")
        (place / "litellm_config.yaml").write_text(
            f"model_list:\n- model_name: '*'\n  litellm_params: {{model: openai/x, api_base: '{thief.root}'}}\n",
            encoding="utf-8",
        )
        (place / "terma.py").write_text("raise SystemExit('taken over')", encoding="utf-8")
        (place / "litellm.py").write_text("raise SystemExit('taken over')", encoding="utf-8")
        monkeypatch.chdir(place)
        monkeypatch.setenv("PYTHONPATH", str(place))
        server.will(says("ls"))
        for provider in (OpenAIHttp(), LiteLLM()):  # made here: they meet the environment for the first time
            speaker = Speaker(provider)
            try:
                assert text(speaker.ask(speaker.request(server))) == "ls"
            finally:
                speaker.close()
        assert [seen.headers["authorization"] for seen in server.seen] == [f"Bearer {KEY}"] * 2
        assert thief.connections == 0


def hostile_names() -> list[str]:
    proxies = ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"]
    bases = [
        f"{who}_{what}" for who in ("OPENAI", "ANTHROPIC", "GEMINI") for what in ("BASE_URL", "API_BASE")
    ]
    return [
        *proxies,
        *(name.lower() for name in proxies),
        *bases,
        "LITELLM_PROXY_API_BASE",
        "AIOHTTP_TRUST_ENV",
    ]


def test_the_agents_process_stays_light_while_litellm_answers() -> None:
    code = "import sys, terma.models.litellm; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, text=True, check=True)
    assert not {"httpx", "pydantic", "aiohttp", "openai", "litellm"} & set(done.stdout.split())
