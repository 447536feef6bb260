"""A model file is fetched whole or not at all: from a real https server that breaks off, lies and leads elsewhere."""

from __future__ import annotations

import hashlib
import http.server
import ssl
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from terma.local import fetching
from terma.local.fetching import fetch, file_name, split
from terma.local.places import LocalError
from tests.model_server import CERTIFICATE

MODEL = fetching.MAGIC + bytes(range(256)) * 4000  # a megabyte
HASH = hashlib.sha256(MODEL).hexdigest()


class FileServer:
    """Serves MODEL with ranges. `cuts` are after how many bytes of the body an answer breaks off, one an answer."""

    def __init__(self) -> None:
        self.cuts: list[int] = []
        self.ranges: list[str] = []
        self.knows_ranges = True
        self.elsewhere = ""
        self.busy: list[int] = []  # statuses that come first
        self.tells_length = True
        self.body = MODEL
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                outer.answer(self)

            def log_message(self, *_: Any) -> None:
                pass

        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(CERTIFICATE)
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.handle_error = lambda *_: None  # a client that leaves is what is tested
        self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
        self.address = f"https://127.0.0.1:{self.server.server_port}/tiny%20model.gguf"
        self.thread = threading.Thread(target=self.server.serve_forever, args=(0.01,))

    def answer(self, request: http.server.BaseHTTPRequestHandler) -> None:
        if self.elsewhere:
            request.send_response(302)
            request.send_header("location", self.elsewhere)
            request.end_headers()
            return
        if self.busy:
            request.send_response(self.busy.pop(0))
            request.send_header("retry-after", "0")
            request.send_header("content-length", "0")
            request.end_headers()
            return
        asked = request.headers.get("range", "")
        self.ranges.append(asked)
        start = int(asked.removeprefix("bytes=").removesuffix("-")) if asked and self.knows_ranges else 0
        if start >= len(self.body):
            request.send_error(416)
            return
        rest = self.body[start:]
        request.send_response(206 if start else 200)
        if start:
            request.send_header("content-range", f"bytes {start}-{len(self.body) - 1}/{len(self.body)}")
        if self.tells_length:
            request.send_header("content-length", str(len(rest)))
        request.end_headers()
        request.wfile.write(rest[: self.cuts.pop(0)] if self.cuts else rest)
        request.close_connection = True


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[FileServer]:
    monkeypatch.setenv("SSL_CERT_FILE", str(CERTIFICATE))
    for name in ("HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
    made = FileServer()
    made.thread.start()
    yield made
    made.server.shutdown()
    made.thread.join()
    made.server.server_close()


def quiet(_done: int, _total: int) -> None:
    pass


def test_a_file_comes_whole_under_its_own_name(server: FileServer, tmp_path: Path) -> None:
    seen: list[tuple[int, int]] = []
    path = fetch(server.address, HASH, tmp_path / "models", lambda *at: seen.append(at))
    assert path.name == "tiny_model.gguf"
    assert path.read_bytes() == MODEL
    assert seen[-1] == (len(MODEL), len(MODEL))
    assert [entry.name for entry in path.parent.iterdir()] == [path.name]


def test_a_broken_connection_is_gone_on_with_from_where_it_broke(server: FileServer, tmp_path: Path) -> None:
    server.cuts = [300_000, 200_000]
    assert fetch(server.address, HASH, tmp_path, quiet).read_bytes() == MODEL
    assert len(server.ranges) == 3
    assert server.ranges[0] == ""
    first, second = (int(asked.removeprefix("bytes=").removesuffix("-")) for asked in server.ranges[1:])
    assert 0 < first <= 300_000 < second <= 500_000


def test_after_ctrl_c_the_next_call_goes_on(server: FileServer, tmp_path: Path) -> None:
    def interrupted(done: int, _total: int) -> None:
        if done > 200_000:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fetch(server.address, HASH, tmp_path, interrupted)
    assert not list(tmp_path.glob("*.gguf"))
    kept = next(tmp_path.glob("*.part")).stat().st_size
    assert kept > 200_000
    assert fetch(server.address, HASH, tmp_path, quiet).read_bytes() == MODEL
    assert server.ranges[-1] == f"bytes={kept}-"


def test_a_server_without_ranges_sends_it_all_again(server: FileServer, tmp_path: Path) -> None:
    server.cuts, server.knows_ranges = [300_000], False
    assert fetch(server.address, HASH, tmp_path, quiet).read_bytes() == MODEL


def test_what_was_whole_but_not_yet_moved_is_not_fetched_again(server: FileServer, tmp_path: Path) -> None:
    (tmp_path / f"{HASH[:16]}.part").write_bytes(MODEL)
    assert fetch(server.address, HASH, tmp_path, quiet).read_bytes() == MODEL
    server.ranges.clear()
    fetch(server.address, HASH, tmp_path, quiet)
    assert server.ranges == []


def test_another_file_than_the_one_with_the_hash_is_not_kept(server: FileServer, tmp_path: Path) -> None:
    server.body = MODEL[:-1] + b"!"
    with pytest.raises(LocalError, match="not the one with that hash"):
        fetch(server.address, HASH, tmp_path, quiet)
    assert list(tmp_path.iterdir()) == []


def test_what_is_no_model_is_refused(server: FileServer, tmp_path: Path) -> None:
    server.body = b"<html>please log in</html>"
    with pytest.raises(LocalError, match="no GGUF model"):
        fetch(server.address, hashlib.sha256(server.body).hexdigest(), tmp_path, quiet)
    assert not list(tmp_path.glob("*.gguf"))


def test_a_server_that_gives_nothing_ends_in_one_line(
    server: FileServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fetching.time, "sleep", lambda _: None)
    server.cuts = [0] * 20
    with pytest.raises(LocalError, match="broke off") as caught:
        fetch(server.address, HASH, tmp_path, quiet)
    assert "goes on" in caught.value.hint
    assert len(server.ranges) == fetching.TRIES


def test_a_redirect_may_not_leave_https(server: FileServer, tmp_path: Path) -> None:
    server.elsewhere = "http://127.0.0.1:9/tiny.gguf"
    with pytest.raises(LocalError, match="away from https"):
        fetch(server.address, HASH, tmp_path, quiet)


def test_a_disk_without_room_is_said_before_anything_is_written(
    server: FileServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = fetching.shutil.disk_usage(tmp_path)
    monkeypatch.setattr(fetching.shutil, "disk_usage", lambda _: usage._replace(free=50_000_000))
    with pytest.raises(LocalError, match="are needed"):
        fetch(server.address, HASH, tmp_path, quiet)
    assert not any(path.stat().st_size for path in tmp_path.iterdir())


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        (f"http://host/a.gguf#sha256={HASH}", "https alone"),
        (f"file:///a.gguf#sha256={HASH}", "https alone"),
        ("https://host/a.gguf", "needs the file's hash"),
        ("https://host/a.gguf#sha256=123", "needs the file's hash"),
        (f"https://host/a.gguf#md5={HASH}", "needs the file's hash"),
    ],
)
def test_an_address_is_https_with_a_hash(source: str, reason: str) -> None:
    with pytest.raises(LocalError, match=reason):
        split(source)


def test_an_address_is_split_from_its_hash() -> None:
    assert split(f"https://host/a.gguf?x=1#sha256={HASH.upper()}") == ("https://host/a.gguf?x=1", HASH)


@pytest.mark.parametrize(
    ("address", "name"),
    [
        ("https://h/a/Qwen-1.5B.Q4_K_M.gguf?download=true", "Qwen-1.5B.Q4_K_M.gguf"),
        ("https://h/%2e%2e%2f%2e%2e%2fetc%2fpasswd", "passwd.gguf"),
        ("https://h/", "model.gguf"),
        ("https://h/.hidden.gguf", "hidden.gguf"),
        ("https://h/a%0a%1b[31m.gguf", "a___31m.gguf"),
    ],
)
def test_a_file_is_kept_under_a_plain_name(address: str, name: str) -> None:
    assert file_name(address) == name


def test_a_busy_server_is_asked_again(server: FileServer, tmp_path: Path) -> None:
    server.busy = [429, 503, 408]
    assert fetch(server.address, HASH, tmp_path, quiet).read_bytes() == MODEL


@pytest.mark.parametrize("left", [b"another file's beginning", MODEL + b"too long"])
def test_what_lay_there_of_another_file_is_fetched_anew(
    server: FileServer, tmp_path: Path, left: bytes
) -> None:
    (tmp_path / f"{HASH[:16]}.part").write_bytes(left)
    assert fetch(server.address, HASH, tmp_path, quiet).read_bytes() == MODEL


def test_a_disk_that_fills_up_meanwhile_ends_in_one_line(
    server: FileServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(fetching, "_write", full)
    with pytest.raises(LocalError, match="No space left on device"):
        fetch(server.address, HASH, tmp_path, quiet)


def test_a_server_that_tells_no_length_does_not_fill_the_disk(
    server: FileServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.tells_length = False
    asked: list[int] = []
    monkeypatch.setattr(fetching, "LOOKS", 100_000)
    monkeypatch.setattr(fetching, "check_space", lambda _folder, size: asked.append(size))
    assert fetch(server.address, HASH, tmp_path, quiet).read_bytes() == MODEL
    assert len(asked) > 5
