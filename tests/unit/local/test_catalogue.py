"""A model by its name: chosen for the machine, said before it is fetched, and taken at the hub's own word and hash."""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import http.server
import json
import shutil
import socket
import ssl
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from terma.commands import local
from terma.errors import UsageError
from terma.local import catalogue, choosing, fetching, hub, installing, places
from terma.local.catalogue import Machine
from terma.local.places import Installed, LocalError
from tests.model_server import CERTIFICATE

WEIGHTS = fetching.MAGIC + bytes(range(256)) * 2000
HASH = hashlib.sha256(WEIGHTS).hexdigest()
COMMIT = "0123456789abcdef0123456789abcdef01234567"
NAME = "qwen2.5-coder-1.5b"
FILE = "qwen2.5-coder-1.5b-instruct-q4_k_m.gguf"


def entry(name: str = FILE, **more: Any) -> dict[str, Any]:
    return {"rfilename": name, "lfs": {"sha256": HASH, "size": len(WEIGHTS)} | more}


class Hub:
    """A stand-in for the public hub: metadata, and files that lie elsewhere. `cuts` are after how many bytes an answer
    breaks off."""

    def __init__(self) -> None:
        others = [
            entry("README.md"),
            entry(FILE.replace("q4_k_m", "q8_0")),
            entry("a-q4_k_m-00001-of-00002.gguf"),
        ]
        self.told: Any = {
            "sha": COMMIT,
            "cardData": {"license": "apache-2.0"},
            "siblings": [*others, entry()],
        }
        self.status = 200
        self.cuts: list[int] = []
        self.asked: list[str] = []
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
        self.address = f"https://127.0.0.1:{self.server.server_port}"
        self.thread = threading.Thread(target=self.server.serve_forever, args=(0.01,))

    def answer(self, request: http.server.BaseHTTPRequestHandler) -> None:
        self.asked.append(f"{request.path} {request.headers.get('range', '')}".strip())
        if "/resolve/" in request.path:
            request.send_response(302)
            request.send_header("location", "/elsewhere/blob")
            request.end_headers()
            return
        body = WEIGHTS if request.path.startswith("/elsewhere") else json.dumps(self.told).encode()
        start = int(request.headers.get("range", "bytes=0-").removeprefix("bytes=").removesuffix("-"))
        request.send_response(206 if start else self.status)
        if start:
            request.send_header("content-range", f"bytes {start}-{len(body) - 1}/{len(body)}")
        request.send_header("content-length", str(len(body) - start))
        request.end_headers()
        cut = self.cuts.pop(0) if self.cuts and body is WEIGHTS else len(body)
        request.wfile.write(body[start : start + cut])
        request.close_connection = True


@pytest.fixture
def public(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Hub]:
    monkeypatch.setenv("SSL_CERT_FILE", str(CERTIFICATE))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    for name in ("HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy", "NO_PROXY", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
    made = Hub()
    made.thread.start()
    yield made
    made.server.shutdown()
    made.thread.join()
    made.server.server_close()


def quiet(_done: int, _total: int) -> None:
    pass


def fetched(public: Hub, folder: Path) -> Path:
    found = hub.offer(catalogue.named(NAME), public.address)
    return fetching.fetch(*fetching.split(found.source), folder, quiet)


@pytest.mark.parametrize(
    ("memory", "cores", "name"),
    [
        (2.1, 1, "qwen2.5-coder-0.5b"),
        (4.2, 2, NAME),
        (8.4, 4, NAME),  # three billion parameters have no open licence there
        (64.0, 2, NAME),  # seven billion would answer in a minute
        (16.0, 8, "qwen2.5-coder-7b"),
    ],
)
def test_what_is_chosen_fits_the_machine(memory: float, cores: int, name: str) -> None:
    assert catalogue.chosen(Machine(memory, cores)).name == name


def test_where_none_fits_the_demonstration_is_named_and_not_taken() -> None:
    with pytest.raises(LocalError, match="too little for a model that helps") as error:
        catalogue.chosen(Machine(1.0, 2))
    assert "smollm2-135m" in error.value.hint


def test_a_name_is_taken_at_the_hubs_word(public: Hub) -> None:
    found = hub.offer(catalogue.named(NAME.upper()), public.address)
    assert (found.size, found.sha256, found.licence, found.revision) == (
        len(WEIGHTS),
        HASH,
        "apache-2.0",
        COMMIT,
    )
    assert found.address.endswith(f"/Qwen/Qwen2.5-Coder-1.5B-Instruct-GGUF/resolve/{COMMIT}/{FILE}")


def test_it_is_fetched_through_redirects_and_over_a_cut(public: Hub, tmp_path: Path) -> None:
    public.cuts = [100_000]
    assert fetched(public, tmp_path).read_bytes() == WEIGHTS
    assert [path.name for path in tmp_path.glob("*.gguf")] == [FILE]
    assert sum("/resolve/" in asked for asked in public.asked) == 2
    assert public.asked[-1].startswith("/elsewhere/blob bytes=")


def test_another_file_than_the_hub_told_is_not_kept(public: Hub, tmp_path: Path) -> None:
    public.told["siblings"] = [entry(sha256="0" * 64)]
    with pytest.raises(LocalError, match="is not the one with that hash"):
        fetched(public, tmp_path)
    assert list(tmp_path.glob("*.gguf")) == []


@pytest.mark.parametrize(
    ("told", "why"),
    [
        ("<html>", "something else than metadata"),
        ({"sha": "main", "siblings": [entry()]}, "no revision"),
        ({"sha": COMMIT, "siblings": []}, "0 files"),
        ({"sha": COMMIT, "siblings": [entry(), entry(f"old/{FILE}")]}, "2 files"),
        ({"sha": COMMIT, "siblings": [{"rfilename": FILE}]}, "neither size nor hash"),
        ({"sha": COMMIT, "siblings": [entry(sha256="no")]}, "neither size nor hash"),
        ({"sha": COMMIT, "siblings": "none"}, "0 files"),
    ],
)
def test_odd_metadata_is_refused(public: Hub, told: object, why: str) -> None:
    public.told = told
    with pytest.raises(LocalError, match=why):
        hub.offer(catalogue.named(NAME), public.address)


def test_a_hub_that_refuses_is_told(public: Hub) -> None:
    public.status = 404
    with pytest.raises(LocalError, match="the server says 404"):
        hub.offer(catalogue.named(NAME), public.address)
    with pytest.raises(LocalError, match="over https alone"):
        hub.offer(catalogue.named(NAME), "http://127.0.0.1:1")


def test_all_of_it_is_said_before_it_is_fetched(public: Hub) -> None:
    said: list[str] = []
    wanted = choosing.wanted(NAME, "", public.address, said.append)
    assert (wanted.size, wanted.source.endswith(f"#sha256={HASH}")) == (len(WEIGHTS), True)
    told = "\n".join(said)
    for part in (
        NAME,
        "1.5 billion",
        "Qwen/Qwen2.5",
        COMMIT[:12],
        "apache-2.0",
        "1 MB",
        str(places.folder()),
    ):
        assert part in told
    assert not [asked for asked in public.asked if "/resolve/" in asked]


def test_a_full_disk_is_told_before_anything_is_fetched(public: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = shutil.disk_usage("/")
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage._replace(free=1_000_000))
    with pytest.raises(LocalError, match="GB are free"):
        choosing.wanted(NAME, "", public.address, lambda _: None)
    assert not [asked for asked in public.asked if "/resolve/" in asked]


def test_without_a_name_what_is_there_stays(public: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    there = Installed("1", "/model.gguf", "mine", 4, "0" * 64, "here")
    monkeypatch.setattr(places, "installed", lambda: there)
    assert choosing.wanted("", "", public.address, lambda _: None) == choosing.ModelSource("")
    monkeypatch.setattr(places, "installed", lambda: None)
    monkeypatch.setattr(catalogue, "machine", lambda: Machine(8.0, 4))
    said: list[str] = []
    assert choosing.wanted("", "", public.address, said.append).size == len(WEIGHTS)
    assert "fits 8 GB of memory and 4 cores" in said[0]


def test_the_demonstration_comes_by_its_name_alone() -> None:
    assert choosing.wanted("smollm2-135m", "", "", lambda _: None).source == installing.DEFAULT
    with pytest.raises(UsageError):
        choosing.wanted(NAME, "file.gguf", "", lambda _: None)
    with pytest.raises(LocalError, match="has no nope"):
        choosing.wanted("nope", "", "", lambda _: None)


def test_it_goes_through_a_proxy_where_one_is_set(
    public: Hub, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    proxy = Proxy()
    proxy.start()
    monkeypatch.setenv("HTTPS_PROXY", proxy.address)
    try:
        assert fetched(public, tmp_path).read_bytes() == WEIGHTS
    finally:
        proxy.end()
    wanted = public.address.removeprefix("https://")
    assert set(proxy.seen) == {f"CONNECT {wanted} HTTP/1.1"}


class Proxy(threading.Thread):
    """Tunnels one connection after the other, and remembers where to."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[str] = []
        self.door = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self.door.getsockname()[1]}"

    def run(self) -> None:
        while True:
            client, _ = self.door.accept()
            with client:
                asked = b""
                while b"\r\n\r\n" not in asked and (piece := client.recv(4096)):
                    asked += piece
                if not asked:
                    return  # that was the end
                line = asked.split(b"\r\n")[0].decode()
                self.seen.append(line)
                host, _, port = line.split()[1].rpartition(":")
                with socket.create_connection((host, int(port))) as server:
                    client.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
                    back = threading.Thread(target=_pump, args=(server, client))
                    back.start()
                    _pump(client, server)
                    back.join()

    def end(self) -> None:
        socket.create_connection(self.door.getsockname()).close()
        self.join()
        self.door.close()


def _pump(one: socket.socket, other: socket.socket) -> None:
    with contextlib.suppress(OSError):  # whoever leaves first
        while data := one.recv(65536):
            other.sendall(data)
    with contextlib.suppress(OSError):
        other.shutdown(socket.SHUT_WR)


def test_ollama_fetches_it_where_it_is_wanted(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    program = tmp_path / "ollama"
    program.write_text(f'#!/bin/sh\necho "$@" > {tmp_path}/said\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    assert choosing.by_ollama("qwen2.5-coder-3b") == "qwen2.5-coder:3b"
    assert (tmp_path / "said").read_text() == "pull qwen2.5-coder:3b\n"
    program.unlink()
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(LocalError, match="Ollama is not installed"):
        choosing.by_ollama(NAME)


def test_the_list_marks_what_fits_and_keeps_to_a_narrow_window(capsys: pytest.CaptureFixture[str]) -> None:
    assert local.run(argparse.Namespace(action="list")) == 0
    shown = capsys.readouterr().out.splitlines()
    assert [line.split()[-5] for line in shown[:5]] == [one.name for one in catalogue.models()]
    assert max(map(len, shown)) <= 44


@pytest.mark.parametrize(("name", "asked"), [(installing.DEFAULT, 0), ("qwen2.5-coder-1.5b", 1)])
def test_the_demonstration_is_left_out_of_auto(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], name: str, asked: int
) -> None:
    questions: list[str] = []
    what = Installed("1", "/model.gguf", name, 4, "0" * 64, "here")
    monkeypatch.setattr(installing, "install", lambda *_: what)
    monkeypatch.setattr(places, "installed", lambda: what)
    monkeypatch.setattr(local, "yes", lambda question: bool(questions.append(question)))
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    assert (
        local.run(argparse.Namespace(action="install", name="", model="", hub="", use=None, ollama=False))
        == 0
    )
    assert len(questions) == asked
    assert "terma config set model local" in capsys.readouterr().out
