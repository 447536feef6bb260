"""OpenAI's chat format and its dialects: bytes to events, requests to JSON, failures to a line."""

from __future__ import annotations

import email.utils
import json
import time
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from terma.chat import ChatMessage, ChatRequest, Finish, ModelSpec, ReasoningDelta, TextDelta, ToolCall, Usage
from terma.models.http.clients import url
from terma.models.wire import failures
from terma.models.wire.body import body, without_what_was_refused
from terma.models.wire.chunks import Answer
from terma.models.wire.sse import MAX_EVENT, EventParser, ServerEvent
from terma.models.wire.think import ThinkSplitter
from terma.models.wire.toolcalls import ToolCalls

SPEC = ModelSpec(
    provider="openai_http", model="m", api_base="http://127.0.0.1:1/v1", api_key="sk-secret-0123456789"
)


def parsed(raw: bytes, size: int = 10**6) -> list[ServerEvent]:
    parser, events = EventParser(), []
    for at in range(0, len(raw), size):
        events += parser.feed(raw[at : at + size])
    return events + parser.close()


STREAM = (
    "\ufeff: a comment\r\n\r\ndata: one\r\ndata:two\r\n\r\nevent: error\ndata: {}\n\n"
    "id: 7\nretry: 10\n\ndata: grüße 🎉\r\rdata\n\nnonsense\ndata: last"
).encode()
EVENTS = [
    ServerEvent("one\ntwo"),
    ServerEvent("{}", "error"),
    ServerEvent("grüße 🎉"),
    ServerEvent(""),
    ServerEvent("last"),
]


@pytest.mark.parametrize("size", [1, 2, 3, 5, 7, 1000])
def test_events_are_read_however_the_network_cuts_them(size: int) -> None:
    assert parsed(STREAM, size) == EVENTS


@given(st.binary(max_size=200), st.integers(1, 9))
def test_no_bytes_break_the_reader_and_cuts_change_nothing(raw: bytes, size: int) -> None:
    assert parsed(raw, size) == parsed(raw)


def test_an_event_without_end_is_not_kept_for_ever() -> None:
    parser = EventParser()
    with pytest.raises(ValueError, match="too long"):
        for _ in range(20):
            parser.feed(b"x" * (MAX_EVENT // 8))


def chunk(**delta: Any) -> dict[str, Any]:
    return {"choices": [{"index": 0, "delta": delta, "finish_reason": None}]}


def call(index: int | None, call_id: str, name: str, arguments: object) -> dict[str, Any]:
    made: dict[str, Any] = {"type": "function", "function": {}}
    if index is not None:
        made["index"] = index
    if call_id:
        made["id"] = call_id
    if name:
        made["function"]["name"] = name
    if arguments is not None:
        made["function"]["arguments"] = arguments
    return made


DIALECTS = {
    "OpenAI": [call(0, "a", "f", ""), call(1, "b", "g", ""), call(0, "", "", '{"x"'), call(1, "", "", "{}"),
               call(0, "", "", ":1}")],
    "every index 0, as Ollama": [call(0, "a", "f", '{"x":1}'), call(0, "b", "g", "{}")],
    "no index, as Gemini": [call(None, "a", "f", '{"x":1}'), call(None, "b", "g", "{}")],
    "no index and pieces": [call(None, "a", "f", '{"x"'), call(None, "", "", ":1}"), call(None, "b", "g", "{}")],
    "id and name repeated": [call(0, "a", "f", '{"x"'), call(0, "a", "f", ":1}"), call(1, "b", "g", "{}")],
    "arguments as an object": [call(0, "a", "f", {"x": 1}), call(1, "b", "g", {})],
    "no arguments": [call(0, "a", "f", '{"x":1}'), call(1, "b", "g", None)],
}  # fmt: skip


@pytest.mark.parametrize("fragments", DIALECTS.values(), ids=list(DIALECTS))
def test_two_calls_are_two_calls_in_every_dialect(fragments: list[dict[str, Any]]) -> None:
    calls = ToolCalls()
    for fragment in fragments:
        calls.add(fragment)
    made = calls.take()
    assert [(item.id, item.name, json.loads(item.arguments)) for item in made] == [
        ("a", "f", {"x": 1}),
        ("b", "g", {}),
    ]
    assert calls.take() == []


def test_calls_without_ids_get_some_and_those_without_a_name_are_dropped() -> None:
    calls = ToolCalls()
    calls.add(call(0, "", "f", "{}"))
    calls.add(call(1, "x", "", "{}"))
    calls.add({"function": "nonsense", "index": "what"})
    assert calls.take() == [ToolCall("call_0", "f", "{}")]


@pytest.mark.parametrize(
    ("pieces", "thought", "said"),
    [
        (["<think>hm", "</think>\n\nls"], "hm", "ls"),
        (["<th", "ink>h", "m</thi", "nk>", " ls"], "hm", "ls"),
        (["\n<think></think>ls"], "", "ls"),
        (["ls <think>x</think>"], "", "ls <think>x</think>"),
        (["<", "b>"], "", "<b>"),
        (["<think>never ends </thin"], "never ends </thin", ""),
        (["  ls"], "", "  ls"),
    ],
)
def test_thoughts_in_tags_are_told_apart(pieces: list[str], thought: str, said: str) -> None:
    splitter, events = ThinkSplitter(), []
    for piece in pieces:
        events += splitter.feed(piece)
    events += splitter.close()
    assert "".join(e.text for e in events if isinstance(e, ReasoningDelta)) == thought
    assert "".join(e.text for e in events if isinstance(e, TextDelta)) == said


def test_a_dialect_without_finish_usage_or_strings_is_read() -> None:
    answer = Answer()
    assert answer.feed({"choices": []}) == []
    assert answer.feed({"choices": None, "usage": "none"}) == []
    assert answer.feed({"choices": [{"delta": None}]}) == []
    assert answer.feed(
        chunk(content=[{"type": "thinking", "thinking": [{"type": "text", "text": "a"}]}])
    ) == [ReasoningDelta("a")]
    assert answer.feed(chunk(content=[{"type": "text", "text": "ls"}])) == [TextDelta("ls")]
    assert answer.feed(chunk(reasoning="b", reasoning_content="b")) == [ReasoningDelta("b")]
    answer.feed({"choices": [], "model": "m", "usage": {"prompt_tokens": 3, "completion_tokens": 2, "cost": 0.5,
                                                        "prompt_tokens_details": {"cached_tokens": 1}}})  # fmt: skip
    assert answer.close() == [Usage(3, 2, 1, 0.5, "m"), Finish("stop")]


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=8),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(
                    "choices delta message content tool_calls function usage index id name type".split()
                ),
                inner,
                max_size=4,
            )
        ),
        max_leaves=12,
    )
)
def test_no_chunk_breaks_the_reader(value: object) -> None:
    answer = Answer()
    answer.feed({"choices": [value], "usage": value})
    answer.feed({"choices": [{"delta": value, "message": value, "finish_reason": value}]})
    assert isinstance(answer.close()[-1], Finish)


def request(**spec: Any) -> ChatRequest:
    made = ModelSpec(provider="openai_http", model="m", **spec)
    return ChatRequest(spec=made, messages=(ChatMessage("user", "hi"),), stop=("X",))


REFUSALS = [
    ("stream_options", "[{'type': 'extra_forbidden', 'loc': ('body', 'stream_options')}]"),
    ("stream_options", '{"loc": ["body", "stream_options", "include_usage"], "msg": "Extra inputs"}'),
    ("stream_options", "Validation error at #/stream_options: Extra inputs are not permitted"),
    ("temperature", "Unsupported value: 'temperature' does not support 0.2 with this model."),
    ("stop", "Unsupported parameter: 'stop' is not supported with this model."),
]


@pytest.mark.parametrize(("field", "said"), REFUSALS)
def test_what_a_server_refuses_is_left_out(field: str, said: str) -> None:
    rewritten = without_what_was_refused(body(request(temperature=0.2)), said)
    assert rewritten is not None
    assert rewritten[1] == field
    assert field not in rewritten[0]


def test_a_grammar_is_for_a_small_model_and_goes_when_it_is_refused() -> None:
    asked = replace(request(small=True), grammar='root ::= "ls"')
    assert "grammar" not in body(replace(asked, spec=replace(asked.spec, small=False)))
    for said in ("Unknown field: grammar", "Failed to initialize samplers", "Extra inputs are not permitted"):
        rewritten = without_what_was_refused(body(asked), said)
        assert rewritten is not None, said
        assert rewritten[1] == "grammar"
        assert "grammar" not in rewritten[0]
    assert without_what_was_refused(body(asked), "messages[0] is odd") is None


def test_a_limit_that_is_refused_is_said_in_the_new_word() -> None:
    said = "Unsupported parameter: 'max_tokens' is not supported. Use 'max_completion_tokens' instead."
    rewritten = without_what_was_refused(body(request(max_tokens=50)), said)
    assert rewritten is not None
    assert rewritten[0]["max_completion_tokens"] == 50
    assert "max_tokens" not in rewritten[0]


@pytest.mark.parametrize(
    "said",
    [
        "System role not supported",
        "Only user and assistant roles are supported!",
        "Conversation roles must alternate user/assistant/user/assistant/...",
        "Unexpected role 'system' after role 'user'",
    ],
)
def test_a_system_turn_that_is_refused_is_told_by_the_user(said: str) -> None:
    turns = (ChatMessage("system", "Be brief."), ChatMessage("user", "why?"), ChatMessage("assistant", "So."))
    rewritten = without_what_was_refused(body(replace(request(), messages=turns)), said)
    assert rewritten is not None
    assert rewritten[1] == "system"
    assert rewritten[0]["messages"] == [
        {"role": "user", "content": "Be brief.\n\nwhy?"},
        {"role": "assistant", "content": "So."},
    ]
    assert without_what_was_refused(rewritten[0], said) is None  # said again: nothing is left to change


@pytest.mark.parametrize("said", ["", "messages[0] is odd", "model m does not exist"])
def test_a_refusal_of_something_else_changes_nothing(said: str) -> None:
    assert without_what_was_refused(body(request(temperature=0.2)), said) is None


BODIES = [
    ('{"error": {"message": "no", "type": "t"}}', "no"),
    ('{"error": "no"}', "no"),
    ('{"object": "error", "message": "no", "code": 400}', "no"),
    ('{"detail": "no"}', "no"),
    ('{"detail": [{"loc": ["body"], "msg": "no"}]}', "no"),
    ('[{"error": {"code": 400, "message": "no"}}]', "no"),
    ('{"error": {"message": "", "metadata": {"raw": "no"}}}', "no"),
    ("plain words", "plain words"),
    ("<html><h1>502</h1></html>", ""),
    ("[1, 2]", ""),
    ("", ""),
]


@pytest.mark.parametrize(("said", "words"), BODIES)
def test_the_servers_words_are_found(said: str, words: str) -> None:
    assert failures.server_words(said, SPEC) == words


def test_hostile_words_are_one_plain_short_line_without_the_key() -> None:
    said = json.dumps({"error": f"a\n\x1b[31mred\u202e {SPEC.api_key} " + "x" * 999})
    error = failures.from_status(500, said, {}, SPEC)
    assert "\n" not in error.message
    assert "\x1b" not in error.message
    assert "\u202e" not in error.message
    assert SPEC.api_key not in error.message
    assert len(error.message) < 260


def test_a_password_in_an_address_is_not_shown() -> None:
    spec = ModelSpec(provider="openai_http", model="m", api_base="https://me:hunter22@host/v1")
    assert "hunter22" not in failures.from_status(500, "no", {}, spec).message


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "7"}, 7.0),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after": "-3"}, 0.0),
        ({"retry-after": "99999999"}, failures.MAX_WAIT),
        ({"retry-after": "soon"}, None),
        ({"retry-after-ms": "250", "retry-after": "9"}, 0.25),
        ({"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}, 0.0),
    ],
)
def test_retry_after_is_read(headers: dict[str, str], seconds: float | None) -> None:
    assert failures.retry_after(headers) == seconds


def test_retry_after_as_a_date_is_seconds_from_now() -> None:
    found = failures.retry_after({"retry-after": email.utils.formatdate(time.time() + 100, usegmt=True)})
    assert found is not None
    assert 50 < found <= 100


@pytest.mark.parametrize(
    ("base", "address"),
    [
        ("http://h:1", "http://h:1/v1/chat/completions"),
        ("http://h:1/", "http://h:1/v1/chat/completions"),
        ("http://h:1/v1/", "http://h:1/v1/chat/completions"),
        ("https://h/api/v1", "https://h/api/v1/chat/completions"),
        ("https://h/v1/chat/completions", "https://h/v1/chat/completions"),
        ("unix:/tmp/s.sock", "http://localhost/v1/chat/completions"),
    ],
)
def test_an_address_is_completed(base: str, address: str) -> None:
    assert url(ModelSpec(provider="openai_http", model="m", api_base=base)) == address


@pytest.mark.parametrize(
    ("base", "hint"),
    [
        ("http://127.0.0.1:11434/v1", "is the server running?"),
        ("http://localhost:8080/v1", "is the server running?"),
        ("http://[::1]:8080/v1", "is the server running?"),
        ("unix:/run/model.sock", "is the server running?"),
        ("https://api.openai.com/v1", "check the network"),
        ("http://127.example.org/v1", "check the network"),
        ("", "check the network"),
    ],
)
def test_what_cannot_be_reached_is_told_without_numbers_and_with_what_to_do(base: str, hint: str) -> None:
    spec = ModelSpec(provider="openai_http", model="openai/tiny", api_base=base)
    error = failures.unreachable("[Errno -2] Name or service not known", spec)
    assert error.message.endswith("cannot be reached: Name or service not known")
    assert error.hint.startswith(hint)
