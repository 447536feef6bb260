"""A connection that was kept, and that the server closes just as it is used again."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator

import pytest

from terma.models.openai_http import OpenAIHttp
from tests.models import Speaker, text

EVENTS = b'data: {"choices": [{"delta": {"content": "ls"}, "finish_reason": "stop"}]}\n\ndata: [DONE]\n\n'
ANSWER = (
    b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n"
    + b"content-length: %d\r\n\r\n" % len(EVENTS)
    + EVENTS
)


def heard(connection: socket.socket) -> bool:
    """Whether a whole request came."""
    data = b""
    while b"\r\n\r\n" not in data:
        data += (more := connection.recv(65536))
        if not more:
            return False
    head, _, body = data.partition(b"\r\n\r\n")
    length = next(
        int(line[15:]) for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")
    )
    while len(body) < length:
        body += connection.recv(65536)
    return True


class Server:
    """Answers the first `answers` requests of each connection; at the next one it closes without a word."""

    def __init__(self, answers: int) -> None:
        self.answers, self.asked = answers, 0
        self.listening = socket.create_server(("127.0.0.1", 0))
        self.base = f"http://127.0.0.1:{self.listening.getsockname()[1]}/v1"
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self.listening.accept()
            except OSError:
                return
            with connection:
                for number in range(self.answers + 1):
                    if not heard(connection):
                        break
                    self.asked += 1
                    if number < self.answers:
                        connection.sendall(ANSWER)


@pytest.fixture
def speaker() -> Iterator[Speaker]:
    made = Speaker(OpenAIHttp())
    yield made
    made.close()


def test_the_request_goes_out_anew_and_the_person_hears_nothing_of_it(speaker: Speaker) -> None:
    server = Server(answers=1)
    for _ in range(3):
        assert text(speaker.ask(speaker.request(server.base))) == "ls"
    assert server.asked == 5  # each but the first was heard by a connection that closed
    server.listening.close()


def test_a_new_connection_that_closes_without_a_word_is_an_answer(speaker: Speaker) -> None:
    server = Server(answers=0)
    error, events = speaker.fail(speaker.request(server.base))
    assert "closed the connection without an answer" in str(error)
    assert (events, server.asked) == ([], 1)
    server.listening.close()
