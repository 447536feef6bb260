"""What only the direct way to OpenAI-compatible servers has to put up with."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from terma.chat import Finish, ModelError, ToolCall, Usage
from terma.models.openai_http import OpenAIHttp
from tests.model_server import ModelServer, Reply, fails, says
from tests.model_wire import Call, sse
from tests.models import KEY, TOOL, Speaker, of, text


@pytest.fixture
def speaker() -> Iterator[Speaker]:
    made = Speaker(OpenAIHttp())
    yield made
    made.close()


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer() as made:
        yield made


def test_a_server_on_a_unix_socket_is_spoken_to(speaker: Speaker, place: Path) -> None:
    with ModelServer(unix=str(place / "model.sock")) as server:
        server.will(says("ls"))
        assert text(speaker.ask(speaker.request(server))) == "ls"


def test_what_refuses_is_told_in_the_systems_word_for_it(speaker: Speaker) -> None:
    with ModelServer() as server:
        gone = server.base
    for base in (gone, gone.replace("127.0.0.1", "localhost")):
        error, _ = speaker.fail(speaker.request(base))
        assert error.message.endswith("cannot be reached: connection refused"), error.message


def test_a_server_that_gives_the_whole_answer_at_once_is_understood(
    speaker: Speaker, server: ModelServer
) -> None:
    server.will(says("ls ", "-l", whole=True, calls=(Call("a", "propose", ("{}",)),)))
    events = speaker.ask(speaker.request(server, tools=(TOOL,)))
    assert text(events) == "ls -l"
    assert of(ToolCall, events) == [ToolCall("a", "propose", "{}")]
    assert of(Usage, events)[0].prompt_tokens == 11
    assert events[-1] == Finish("tool_calls")


def test_a_refused_option_is_left_out_at_once_and_from_then_on(speaker: Speaker, server: ModelServer) -> None:
    server.will(fails(422, {"loc": ["body", "stream_options", "include_usage"], "msg": "no"}), says("ls"))
    assert text(speaker.ask(speaker.request(server))) == "ls"
    assert text(speaker.ask(speaker.request(server))) == "ls"
    assert ["stream_options" in seen.body for seen in server.seen] == [True, False, False]


def test_a_server_that_refuses_everything_is_asked_a_bounded_number_of_times(
    speaker: Speaker, server: ModelServer
) -> None:
    server.will(fails(400, "'stream_options' 'temperature' 'max_tokens' max_completion_tokens are bad"))
    error, _ = speaker.fail(speaker.request(server, temperature=0.1, max_tokens=5))
    assert error.code == "bad_request"
    assert len(server.seen) <= 4


def test_a_redirect_is_not_followed(speaker: Speaker, server: ModelServer) -> None:
    with ModelServer() as thief:
        server.will(Reply(status=307, raw=b"", headers=(("location", f"{thief.base}/chat/completions"),)))
        error, _ = speaker.fail(speaker.request(server))
        assert "redirect" in error.message
        assert thief.connections == 0


def test_comments_and_many_lines_between_the_pieces_are_no_answer(
    speaker: Speaker, server: ModelServer
) -> None:
    piece = b'data: {"choices": [{"index": 0,\ndata: "delta": {"content": "ls"}}]}\r\n\r\n'
    end = sse({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]})
    server.will(Reply(raw=b": PROCESSING\n\n" + piece + b": still here\n\n" + end + sse("[DONE]")))
    assert text(speaker.ask(speaker.request(server))) == "ls"


def test_an_answer_cut_by_its_limit_says_so(speaker: Speaker, server: ModelServer) -> None:
    server.will(says("find . -na", finish="length"))
    assert speaker.ask(speaker.request(server))[-1] == Finish("length")


@pytest.mark.parametrize("then", ["eof", "cut"])
def test_an_answer_without_its_end_is_an_error(speaker: Speaker, server: ModelServer, then: str) -> None:
    server.will(says("find . -na", then=then))
    error, events = speaker.fail(speaker.request(server))
    assert text(events) == "find . -na"
    assert "mid-answer" in error.message


def test_a_body_that_is_cut_off_is_no_wrong_address(speaker: Speaker, server: ModelServer) -> None:
    server.will(Reply(raw=b'{"choices": [{"message": {"content": "find . -na', whole=True))
    error, _ = speaker.fail(speaker.request(server))
    assert "mid-answer" in error.message
    assert "api_base" not in error.hint


def test_a_server_that_hangs_up_is_told_apart_from_one_that_breaks_off(speaker: Speaker, place: Path) -> None:
    path = str(place / "rude.sock")
    with ModelServer(unix=path, rude=True) as server:
        error, _ = speaker.fail(speaker.request(server, retries=1))
    assert (error.code, "without an answer" in error.message) == ("unreachable", True)
    assert server.connections == 2


def test_a_key_goes_in_one_header_and_no_key_in_none(speaker: Speaker, server: ModelServer) -> None:
    speaker.ask(speaker.request(server, headers={"X-Title": "terma"}))
    speaker.ask(speaker.request(server, api_key=""))
    assert server.seen[0].headers["authorization"] == f"Bearer {KEY}"
    assert server.seen[0].headers["x-title"] == "terma"
    assert "authorization" not in server.seen[1].headers


@pytest.mark.parametrize("bad", [{"api_key": "sk-ü-not-ascii"}, {"headers": {"x-a": "b\r\nx-evil: 1"}}])
def test_what_cannot_stand_in_a_header_is_an_error_in_a_line(
    speaker: Speaker, server: ModelServer, bad: dict[str, object]
) -> None:
    error, _ = speaker.fail(speaker.request(server, **bad))
    assert error.code == "bad_request"
    assert server.seen == []


@pytest.mark.parametrize("base", ["http://", "http://[::1", "http://host:port/v1", "http://a b/v1"])
def test_an_address_that_is_none_is_an_error_in_a_line(speaker: Speaker, base: str) -> None:
    error, _ = speaker.fail(speaker.request(base))
    assert error.hint


def test_a_certificate_file_that_is_missing_is_an_error_in_a_line(speaker: Speaker) -> None:
    error, _ = speaker.fail(speaker.request("https://127.0.0.1:9/v1", ca_file="/no/such.pem"))
    assert (error.code, "/no/such.pem" in error.message) == ("tls", True)


def test_a_proxy_that_is_not_there_is_named(speaker: Speaker) -> None:
    error, _ = speaker.fail(
        speaker.request("http://models.invalid/v1", proxy="http://me:hunter22@127.0.0.1:9")
    )
    assert error.code == "proxy"
    assert "hunter22" not in error.message


def test_a_connection_that_died_meanwhile_is_replaced(speaker: Speaker, place: Path) -> None:
    path = str(place / "model.sock")
    with ModelServer(unix=path) as server:
        assert text(speaker.ask(speaker.request(server))) == "hello"
    with ModelServer(unix=path) as server:
        server.will(says("again"))
        assert text(speaker.ask(speaker.request(server))) == "again"


def test_a_server_names_its_models(speaker: Speaker, server: ModelServer) -> None:
    spec = speaker.request(server).spec
    assert isinstance(speaker.provider, OpenAIHttp)
    assert speaker.runner.run(speaker.provider.models(spec)) == ["scripted", "scripted-large"]
    assert server.seen[0].path == "/v1/models"


@pytest.mark.parametrize(
    ("reply", "code"),
    [
        (fails(401, "no"), "auth"),
        (Reply(raw=b"<html>"), "bad_response"),
        (Reply(raw=b'{"data": 7}'), "bad_response"),
    ],
)
def test_a_server_that_names_none_is_told_in_a_line(
    speaker: Speaker, server: ModelServer, reply: Reply, code: str
) -> None:
    server.will(reply)
    assert isinstance(speaker.provider, OpenAIHttp)
    with pytest.raises(ModelError) as caught:
        speaker.runner.run(speaker.provider.models(speaker.request(server).spec))
    assert caught.value.code == code


def test_httpx_comes_without_its_command_line_and_http2() -> None:
    code = """
import sys
from terma.models.http.loading import load
load(); load()
import httpx, httpcore
assert httpx.AsyncClient and callable(httpx.main)
print(*sys.modules)
"""
    done = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, text=True, check=True)
    loaded = done.stdout.split()
    assert "httpx" in loaded
    assert not {"click", "rich", "pygments", "h2", "httpx._main"} & set(loaded)
