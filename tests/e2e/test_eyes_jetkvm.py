"""`terma eyes` through a JetKVM: a real shell, drawn, sent as H.264 over WebRTC, read, and typed on by HID reports."""

from __future__ import annotations

import json
import subprocess
import threading
from importlib.util import find_spec

import cv2
import numpy as np
import pytest

from tests.e2e.eyes_target import Target
from tests.unit.vision.host import Host

NEEDED = ("numpy", "cv2", "PIL", "fontpkg_jetbrains_mono", "fastapi", "uvicorn", "pyghostty", "aiortc")
if not all(find_spec(name) for name in NEEDED):
    pytest.skip("the extras [target] and [jetkvm] are not installed", allow_module_level=True)
from tests.unit.vision.jetkvm_box import JetKvmBox  # noqa: E402 it needs the extra

pytestmark = pytest.mark.timeout(600)


class Wired:
    """A machine whose screen and keyboard are a JetKVM's."""

    def __init__(self, home, box: JetKvmBox) -> None:
        self.target = Target(home)
        self.box, self._host, self._over = box, Host("us"), threading.Event()
        self._reports: list[bytes] = []
        self._news = threading.Condition()
        box.reported = self._reported
        self._threads = [threading.Thread(target=one, daemon=True) for one in (self._see, self._type)]
        for thread in self._threads:
            thread.start()

    def _see(self) -> None:
        while not self._over.wait(0.2):
            raw = np.frombuffer(self.target.http.get("/snapshot.jpg").content, np.uint8)
            self.box.picture = cv2.imdecode(raw, cv2.IMREAD_COLOR)

    def _reported(self, report: bytes) -> None:
        with self._news:
            self._reports.append(report)
            self._news.notify()

    def _type(self) -> None:
        while True:
            with self._news:
                self._news.wait_for(lambda: self._reports or self._over.is_set())
                if self._over.is_set():
                    return
                report = self._reports.pop(0)
            typed, pressed = len(self._host.typed), len(self._host.pressed)
            self._host.read(report)
            if text := self._host.typed[typed:]:
                self.target.type(text)
            for key in self._host.pressed[pressed:]:
                *held, name = key.split("+")
                self.target.press(name, *held)

    def stop(self) -> None:
        self._over.set()
        with self._news:
            self._news.notify()
        for thread in self._threads:
            thread.join(10)
        self.target.stop()


@pytest.fixture
def wired(home):
    with JetKvmBox() as box:
        made = Wired(home, box)
        yield made
        made.stop()


def eyes(home, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [home.env["TERMA_BIN"], "eyes", *arguments],
        env=home.env | {"JETKVM": "right horse"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def test_a_shell_is_seen_read_and_typed_on_through_the_box(home, wired):
    file = home.home / ".config/terma/config.toml"
    file.parent.mkdir(parents=True)
    where = f'{{ kind = "jetkvm", address = "{wired.box.url}", token_env = "JETKVM" }}'
    file.write_text(f'[eyes]\ncamera = {where}\nkeyboard = {where}\n[eyes.policy]\nallow = ["expr *"]\n')
    shot = home.root / "shot.png"
    seen = eyes(home, "look", "--snapshot", str(shot))
    assert seen.returncode == 0, seen.stdout + seen.stderr
    assert cv2.imread(str(shot)) is not None
    learned = eyes(home, "calibrate", "--yes", "--straight")
    assert learned.returncode == 0, learned.stdout + learned.stderr
    steps = home.root / "steps.jsonl"
    lines = [
        {"kind": "line", "text": "expr 700007 '*' 6"},
        {"when": "4200042", "kind": "done", "evidence": "4200042"},
    ]
    steps.write_text("".join(json.dumps(line) + "\n" for line in lines))
    done = eyes(home, "run", "--auto", "--script", str(steps), "--log", str(home.root / "runs"), "compute")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "completed: the screen shows '4200042'" in done.stdout and wired.target.shows("4200042")
    assert Host("us").read(wired.box.reports).down == b"" and wired.box.reports.endswith(bytes(8))
    assert "right horse" not in done.stdout + done.stderr + learned.stdout + seen.stdout


def test_a_wrong_password_is_one_line(home):
    with JetKvmBox() as box:
        file = home.home / ".config/terma/config.toml"
        file.parent.mkdir(parents=True)
        where = f'{{ kind = "jetkvm", address = "{box.url}", token_env = "JETKVM" }}'
        file.write_text(f"[eyes]\ncamera = {where}\nkeyboard = {where}\n")
        box.password = "another"  # noqa: S105
        told = eyes(home, "power")
        assert told.returncode != 0 and "refuses the login" in told.stderr
        assert "Traceback" not in told.stderr and len(told.stderr.splitlines()) <= 2, told.stderr
