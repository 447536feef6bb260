"""No slice of a private key is stored or handed out, on any way on which terma stores or hands out text."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from terma.chat import ToolCall
from terma.context.gather import read
from terma.conversation.memory import Memory
from terma.conversation.memory_writer import MemoryWriter
from terma.conversation.secrets import Secrets
from terma.mcp import shown
from terma.mcp.secrets import Secrets as ClientSecrets
from terma.output import plain
from terma.redact import marked, redact
from terma.sessions import remote
from terma.sessions.files import Files
from terma.types import Capture, CaptureRequest
from tests.unit.conversation.scripted import Screen
from tests.unit.test_redact_stream import DRESSES, key, leaked


def dressed(dress: str) -> str:
    return "".join(DRESSES[dress](number, line) + "\n" for number, line in enumerate(key(), 1))


@pytest.fixture(params=DRESSES)
def text(request: pytest.FixtureRequest) -> str:
    return "$ ls\n" + dressed(request.param) + "the end\n"


class Agent:
    """The agent of a session that has printed `data`."""

    def __init__(self, data: bytes) -> None:
        self.data = data

    def ask(self, kind: str, fields: Any, timeout: float = 0) -> Iterator[tuple[str, ...]]:
        import base64
        import json

        args = json.loads(fields["args"])
        at = int(args.get("since") or 0)
        yield ("data", str(len(self.data)), base64.b64encode(self.data[at:]).decode())
        yield ("done", "json", json.dumps({"position": len(self.data), "state": "idle"}))

    def cancel(self) -> None: ...


def test_a_page_of_a_session_is_read_with_what_stands_before_it(text: str) -> None:
    data = text.encode()
    for share in (3, 5, 9):
        start = data.find(b"\n", len(data) * share // 10) + 1
        before = remote.before(Agent(data), "x", start)
        page = shown.output(plain(data[start:].decode()), 30_000, ClientSecrets(), before)
        assert leaked(key(), str(page)) == []


def test_a_search_of_a_session_finds_nothing_in_a_key(text: str) -> None:
    agent = Agent(text.encode())
    for pattern in ("[A-Za-z0-9+/]{20}", key()[4][:8].replace("+", r"\+"), "end"):
        found = remote.call(
            agent,
            "search",
            {"session": "x", "pattern": pattern, "context": 2},
            hide=lambda one: marked(redact(one)),
        )
        assert leaked(key(), str(found)) == []
    assert found["matches"][-1]["line"] == len(text.splitlines())


def test_the_files_of_a_session_hold_stars(text: str, tmp_path: Path) -> None:
    place = tmp_path / "s"
    files = Files(place)
    data = text.encode()
    for at in range(0, len(data), 97):
        files.write(data[at : at + 97])
    files.finish()
    stored = b"".join(one.read_bytes() for one in sorted(place.glob("*.out")))
    assert len(stored) == len(data)
    assert leaked(key(), stored.decode()) == []


def test_a_key_larger_than_a_portion_reaches_the_disk_as_stars(tmp_path: Path) -> None:
    lines = key(size=9_000)
    files = Files(tmp_path / "s", later=lambda work: work())
    for line in lines:
        files.write(f"{line}\n".encode())
    files.write(b"words\n" * 2_000)
    stored = b"".join(one.read_bytes() for one in sorted((tmp_path / "s").glob("*.out")))
    assert b"words" in stored
    assert leaked(lines, stored.decode()) == []


def test_the_memory_of_a_conversation_and_what_is_saved_of_it_hold_none(text: str) -> None:
    saved: list[str] = []
    memory = Memory()
    writer = MemoryWriter(
        memory, Secrets(), Screen(), lambda one: saved.append(str(one.messages)), result=2_000
    )
    writer.question(f"why? {text}")
    told = writer.tell(ToolCall("1", "run_command", "{}"), text + "more words here\n" * 900)
    writer.save()
    assert leaked(key(), told) == leaked(key(), "".join(saved)) == []


def test_an_output_that_is_shortened_for_an_engine_holds_none(text: str) -> None:
    for where in (0, 900):
        capture = Capture(
            source="x", text="words of a log\n" * where + text + "other words\n" * 900, exact=True
        )
        seen = read(capture, CaptureRequest(env={}, shell="bash", command="make", status=1, cwd="/"))
        assert leaked(key(), redact(seen.text).text) == []
