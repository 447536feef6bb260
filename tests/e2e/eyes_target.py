"""A running `terma eyes target`, and a browser to look at its page with."""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import subprocess
import threading
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

import httpx

from tests.conftest import WAIT, Home, wait_until

TOKEN = "a-token.of~the_tests"  # noqa: S105 it opens nothing


class Target:
    """`url` is where it is; `http` speaks to it with the token; `page` is the address that it printed."""

    def __init__(self, home: Home, *arguments: str, token: str = TOKEN) -> None:
        given = {"TERMA_EYES_TOKEN": token} if token else {}
        self.process = subprocess.Popen(
            [home.env["TERMA_BIN"], "eyes", "target", *arguments],
            env=home.env | given | {"TMPDIR": str(home.root)},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout is not None
        said: dict[str, str] = {}
        for line in self.process.stdout:
            name, _, value = line.strip().partition(" ")
            said[name] = value.strip()
            if name == "Ctrl+C":
                break
        assert "page" in said, self.process.communicate(timeout=WAIT)[1]
        self.page = said["page"]
        self.url = self.page.partition("/?")[0].rstrip("/")
        self._streams: list[Generator[tuple[dict[str, str], bytes], None, None]] = []
        headers = {"Authorization": f"Bearer {said['token']}"}
        self.http = httpx.Client(base_url=self.url, headers=headers, timeout=WAIT, trust_env=False)

    def screen(self) -> list[str]:
        rows: list[str] = self.http.get("/screen.json").json()["rows"]
        return rows

    def shows(self, text: str) -> bool:
        return any(text in row for row in self.screen())

    def wait_for(self, text: str) -> None:
        wait_until(lambda: self.shows(text), f"{text!r} on the target's screen")

    def wait_for_prompt(self) -> None:
        """The last line is a prompt with nothing behind it."""
        wait_until(
            lambda: re.fullmatch(r"user@target:\S+[$#]", [row for row in self.screen() if row][-1].rstrip()),
            "an empty prompt",
        )

    def type(self, text: str) -> Target:
        assert self.http.post("/text", json={"text": text}).status_code == 200
        return self

    def press(self, key: str, *modifiers: str) -> Target:
        path = "/key-combo" if modifiers else "/keystroke"
        body = {"key": key} | ({"modifiers": list(modifiers)} if modifiers else {})
        assert self.http.post(path, json=body).status_code == 200
        return self

    def run(self, line: str) -> Target:
        return self.type(line).press("Enter")

    def parts(self) -> Iterator[tuple[dict[str, str], bytes]]:
        """The stream's parts: headers and picture."""
        self._streams.append(self._parts())
        return self._streams[-1]

    def _parts(self) -> Generator[tuple[dict[str, str], bytes], None, None]:
        with self.http.stream("GET", "/stream.mjpg") as answer:
            boundary = answer.headers["content-type"].partition("boundary=")[2].encode()
            rest = b""
            for piece in answer.iter_raw():
                rest += piece
                while (end := rest.find(b"\r\n\r\n")) >= 0:
                    lines = rest[:end].decode("ascii").split("\r\n")
                    assert lines[0].encode() == b"--" + boundary
                    headers = dict(line.split(": ", 1) for line in lines[1:])
                    size = int(headers["Content-Length"])
                    if len(rest) < end + 4 + size + 2:
                        break
                    yield headers, rest[end + 4 : end + 4 + size]
                    rest = rest[end + 4 + size + 2 :]

    def stop(self, number: int = signal.SIGINT) -> int:
        """Its exit status."""
        for stream in self._streams:
            stream.close()
        self.http.close()
        if self.process.poll() is None:
            self.process.send_signal(number)
        try:
            return self.process.wait(WAIT)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise
        finally:
            for pipe in (self.process.stdout, self.process.stderr):
                if pipe is not None:
                    pipe.close()


class Browser:
    """Headless Chromium, spoken to over its debugging pipe (file descriptors 3 and 4), one JSON a NUL."""

    def __init__(self, program: str, folder: Path) -> None:
        orders, self._orders = os.pipe()
        self._said, said = os.pipe()
        command = (
            f"exec {program} --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --remote-debugging-pipe "
            f"--no-first-run --user-data-dir={folder} about:blank 3<&{orders} 4>&{said}"
        )
        with (folder.parent / "chromium.log").open("w") as log:
            self._process = subprocess.Popen(
                ["bash", "-c", command],
                env=os.environ | {"HOME": str(folder)},
                pass_fds=(orders, said),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        os.close(orders)
        os.close(said)
        self._answers: dict[int, Any] = {}
        self._number = 0
        self._news = threading.Condition()
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]

    def _listen(self) -> None:
        rest = b""
        while piece := self._read():
            *whole, rest = (rest + piece).split(b"\0")
            with self._news:
                for one in map(json.loads, whole):
                    if "id" in one:
                        self._answers[one["id"]] = one
                self._news.notify_all()

    def _read(self) -> bytes:
        with contextlib.suppress(OSError):
            return os.read(self._said, 65536)
        return b""

    def ask(self, method: str, **parameters: Any) -> Any:
        """One order of the DevTools protocol; its result."""
        self._number += 1
        order: dict[str, Any] = {"id": self._number, "method": method, "params": parameters}
        if hasattr(self, "_session"):
            order["sessionId"] = self._session
        os.write(self._orders, json.dumps(order).encode() + b"\0")
        number = self._number
        with self._news:
            assert self._news.wait_for(lambda: number in self._answers, 60), (
                f"Chromium did not answer {method}"
            )
            answer = self._answers.pop(number)
        assert "error" not in answer, answer
        return answer["result"]

    def open(self, url: str) -> None:
        self.ask("Page.navigate", url=url)
        wait_until(lambda: self.value("document.readyState") == "complete" or None, "the page", 60)

    def value(self, script: str) -> Any:
        """What `script` is in the page."""
        return self.ask("Runtime.evaluate", expression=script, returnByValue=True)["result"].get("value")

    def press(self, key: str, *, code: int = 0, text: str = "", modifiers: int = 0) -> None:
        """One key, as from a keyboard. `modifiers`: 1 Alt, 2 Ctrl, 4 Meta, 8 Shift."""
        named = {"key": key, "windowsVirtualKeyCode": code, "modifiers": modifiers}
        down = {"type": "keyDown", "text": text} if text else {"type": "rawKeyDown"}
        self.ask("Input.dispatchKeyEvent", **down, **named)
        self.ask("Input.dispatchKeyEvent", type="keyUp", **named)

    def type(self, text: str) -> None:
        for character in text:
            self.press(character, text=character)

    def close(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait(WAIT)
        os.close(self._orders)
        self._listener.join(WAIT)
        os.close(self._said)
