"""A real model behind a real server, through both ways to it. What it says is nonsense; that it arrives is not."""

from __future__ import annotations

import re
import socket
import tempfile
from collections.abc import Iterator
from dataclasses import replace

import pytest

from terma.chat import ChatMessage, ChatRequest, Finish, TextDelta, Usage
from terma.conversation.json_commands import INSTRUCTION, TOOL, from_text
from terma.models.litellm import LiteLLM
from terma.models.openai_http import OpenAIHttp
from terma.suggest.gbnf import Vocabulary, grammar
from tests.models import Speaker, of, text
from tests.real_model import KEY, serving

pytestmark = [pytest.mark.real_model, pytest.mark.timeout(600)]
PATIENCE = {"first_token_timeout": 300.0, "between_tokens_timeout": 300.0, "api_key": KEY, "temperature": 0.0}


@pytest.fixture(scope="module")
def local() -> Iterator[tuple[Speaker, str]]:
    """openai_http, with the server on a unix socket: in a directory of its own, since a server binds to no socket that
    a run which was killed has left."""
    speaker = Speaker(OpenAIHttp())
    with (
        tempfile.TemporaryDirectory(prefix="terma-model", dir="/tmp") as folder,
        serving(f"{folder}/model.sock") as base,
    ):
        yield speaker, base
        speaker.close()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def test_it_answers_token_by_token_over_a_unix_socket(local: tuple[Speaker, str]) -> None:
    speaker, base = local
    events = speaker.ask(speaker.request(base, max_tokens=12, **PATIENCE))
    assert len(of(TextDelta, events)) > 1
    assert text(events).strip()
    usage = of(Usage, events)[0]
    assert usage.prompt_tokens > 0
    assert 0 < usage.completion_tokens <= 12
    assert isinstance(events[-1], Finish)


def test_it_answers_through_litellm_over_tcp() -> None:
    speaker = Speaker(LiteLLM())
    try:
        with serving(f"127.0.0.1:{free_port()}") as base:
            events = speaker.ask(speaker.request(base, max_tokens=12, **PATIENCE))
    finally:
        speaker.close()
    assert text(events).strip()
    assert of(Usage, events)[0].completion_tokens > 0


def test_it_speaks_the_command_protocol_when_its_grammar_is_the_protocol(local: tuple[Speaker, str]) -> None:
    speaker, base = local
    asked = speaker.request(base, max_tokens=160, **PATIENCE)
    schema = {"type": "json_schema", "json_schema": {"name": TOOL.name, "schema": short(TOOL.parameters)}}
    turns = (ChatMessage("system", INSTRUCTION), ChatMessage("user", "list the files of this directory"))
    request = ChatRequest(spec=asked.spec, messages=turns, response_format=schema)
    assert from_text(text(speaker.ask(request)))


def test_a_grammar_of_terma_bounds_what_it_says(local: tuple[Speaker, str]) -> None:
    speaker, base = local
    words = "count the lines of 'big report.txt'"
    bounds = grammar(Vocabulary({"wc": ["-l", "-c"], "git": ["--all"]}, {"git": ["log"]}), words, words)
    asked = speaker.request(base, max_tokens=40, small=True, **PATIENCE)
    for said in (words, "tell me a story"):
        request = ChatRequest(spec=asked.spec, messages=(ChatMessage("user", said),), grammar=bounds)
        assert re.match(r"(?:wc(?: |$)|git log(?: |$)|# )", text(speaker.ask(request)))


def short(schema: object) -> object:
    """The schema with strings that end: this model would go on for ever."""
    if isinstance(schema, dict):
        bound = {"string": {"maxLength": 40, "minLength": 2}, "array": {"maxItems": 1, "minItems": 1}}
        more = bound.get(schema["type"], {}) if isinstance(schema.get("type"), str) else {}
        return {key: short(value) for key, value in schema.items()} | more
    return schema


def test_it_goes_on_after_a_cancel(local: tuple[Speaker, str]) -> None:
    speaker, base = local
    speaker.cancel_once(speaker.request(base, max_tokens=400, **PATIENCE), text)
    assert text(speaker.ask(speaker.request(base, max_tokens=4, **PATIENCE))).strip()


def test_its_own_failures_are_understood(local: tuple[Speaker, str]) -> None:
    speaker, base = local
    error, _ = speaker.fail(speaker.request(base, **PATIENCE | {"api_key": "sk-another-key"}))
    assert error.code == "auth"
    asked = speaker.request(base, **PATIENCE)
    error, _ = speaker.fail(replace(asked, messages=(ChatMessage("user", "ls " * 4000),)))
    assert error.code == "context_length"
