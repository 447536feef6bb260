"""`terma eyes target`: a real server, a real shell behind it, a real browser before it."""

from __future__ import annotations

import asyncio
import contextlib
import re
import shutil
import signal
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import httpx
import pytest

from tests.conftest import WAIT, Home, wait_until
from tests.e2e.eyes_target import TOKEN, Browser, Target

NEEDED = ("numpy", "cv2", "PIL", "fontpkg_jetbrains_mono", "fastapi", "uvicorn", "pyghostty")
pytestmark = pytest.mark.skipif(
    not all(find_spec(name) for name in NEEDED), reason="the extra [target] is not installed"
)
ROUTES = [
    *(
        ("GET", path)
        for path in ("/", "/health", "/snapshot.jpg", "/stream.mjpg", "/screen.json", "/nothing")
    ),
    *(("POST", path) for path in ("/keystroke", "/key-combo", "/text")),
]


@pytest.fixture
def start(home):
    """Starts targets, and ends them."""
    made: list[Target] = []

    def begin(*arguments: str, **given: str) -> Target:
        made.append(Target(home, *arguments, **given))
        return made[-1]

    yield begin
    for one in made:
        one.stop(signal.SIGTERM)


@pytest.fixture(scope="module")
def shared() -> Iterator[Target]:
    """One target for all that leaves it as it was: starting one takes seconds on a busy machine."""
    with tempfile.TemporaryDirectory(prefix="terma-t", dir="/tmp") as name:
        running = Target(Home(Path(name)))
        running.wait_for("user@target")
        yield running
        running.stop(signal.SIGTERM)


@pytest.fixture
def target(shared) -> Target:
    """The shared target, its screen empty but for a prompt. No ^C: bash drops keys that come next to one."""
    shared.press("End").press("u", "ctrl").run("printf '\\033[?5l\\033c'; cd; history -c")
    wait_until(
        lambda: shared.screen()[0].startswith("user@target") and not any(shared.screen()[1:]), "a prompt"
    )
    return shared


def decoded(jpeg: bytes):
    import cv2
    import numpy as np

    return cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)


@pytest.mark.parametrize("header", [{}, {"Authorization": "Bearer wrong"}, {"Cookie": "terma_eyes=wrong"}])
def test_nobody_gets_in_without_the_token(target, header):
    for method, path in ROUTES:
        answer = httpx.request(
            method, target.url + path, headers=header, json={"key": "a"} if method == "POST" else None
        )
        assert answer.status_code == 401, path
    assert httpx.get(f"{target.url}/health?token={TOKEN}").status_code == 401, (
        "the page's address is for the page"
    )


def test_a_token_is_made_up_where_none_is_given(start):
    made_up = start(token="")
    assert made_up.http.get("/health").status_code == 200
    assert len(made_up.http.headers["authorization"]) > 30
    assert httpx.get(f"{made_up.url}/health").status_code == 401


def test_what_is_typed_runs_and_shows(target):
    target.run("echo $((6 * 7)) ä€漢").wait_for("42 ä€漢")
    health = target.http.get("/health").json()
    assert (health["status"], health["columns"], health["rows"]) == ("ok", 80, 24)


def test_the_shell_has_a_home_of_its_own(target):
    target.run("echo $HOME; ls -A | wc -l; echo ${TERMA_EYES_TOKEN-none}").wait_for("none")
    seen = target.screen()
    assert any("/terma-target-" in row for row in seen) and "0" in seen


def test_keys_and_combinations_do_what_they_do(target):
    target.type("echo wrong").press("Home").press("#").press("Enter")
    target.run("echo asleep; sleep 100")
    wait_until(
        lambda: "asleep" in target.screen(), "the command to run"
    )  # ^C also flushes what is typed ahead
    target.press("c", "ctrl").wait_for_prompt()
    target.press("Up").press("Up").press("Backspace").type("t").wait_for("#echo wront")


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/keystroke", {"key": "Hyper"}),
        ("/keystroke", {"key": "PrintScreen"}),
        ("/keystroke", {"key": "ab"}),
        ("/keystroke", {}),
        ("/key-combo", {"key": "a", "modifiers": []}),
        ("/key-combo", {"key": "a", "modifiers": ["hyper"]}),
        ("/text", {"text": "rm -rf x\n"}),
        ("/text", {"text": "\x1b[2J"}),
        ("/text", {"text": "x" * 2000}),
        ("/text", {"text": "x", "enter": True}),
    ],
)
def test_what_is_no_key_is_refused_and_types_nothing(target, path, body):
    assert target.http.post(path, json=body).status_code == 422
    target.type("end").wait_for("end")
    assert re.fullmatch(r"user@target:~[$#] end", target.screen()[0])


def test_a_snapshot_is_the_screen_as_a_picture(target):
    before = target.http.get("/snapshot.jpg")
    picture = decoded(before.content)
    assert picture.shape[0] > 400 and picture.shape[1] > 800
    target.type("x").wait_for("x")
    wait_until(
        lambda: target.http.get("/snapshot.jpg").headers["x-frame"] != before.headers["x-frame"],
        "a new picture",
    )


def test_the_stream_goes_on_when_nothing_changes_and_shows_what_does(target):
    parts = target.parts()
    first, picture = next(parts)
    _, again = next(parts)
    assert again == picture and decoded(picture) is not None
    target.run("printf '\\033[?5h'")
    for headers, jpeg in parts:
        assert float(headers["X-Timestamp"]) >= float(first["X-Timestamp"])
        assert int(headers["X-Frame"]) >= int(first["X-Frame"])
        if decoded(jpeg).mean() > 128:
            break


def test_a_camera_sees_the_screen_in_a_room(start):
    seen = start("--camera", "yaw=20,noise=5,glare")
    parts = seen.parts()
    (_, first), (_, second) = next(parts), next(parts)
    assert decoded(first).shape == (720, 1280, 3)
    assert first != second, "there is no noise"


def test_another_program_may_run_there(start):
    seen = start("--cols", "60", "--rows", "10", "--", "sh", "-c", "stty size; read line; echo got $line")
    seen.wait_for("10 60")
    seen.run("this").wait_for("got this")
    seen.wait_for("[the shell has ended]")
    assert seen.http.get("/health").json()["status"] == "ended"
    answer = seen.http.post("/text", json={"text": "x"})
    assert answer.status_code == 409 and "ended" in answer.json()["detail"]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_it_ends_with_all_that_it_started_also_while_somebody_looks_on(start, home, number):
    target = start()
    length = f"4321.{target.process.pid}"
    target.run(f"sleep {length} & setsid sleep {length} & echo sta''rted").wait_for("started")
    parts = target.parts()
    next(parts)
    target.process.send_signal(number)
    with contextlib.suppress(httpx.HTTPError):
        for _ in parts:
            pass
    target.process.wait(WAIT)
    assert target.process.stderr is not None and "Traceback" not in target.process.stderr.read()
    left = subprocess.run(["pgrep", "-f", f"sleep {length}"], capture_output=True, check=False)
    assert left.returncode == 1, left.stdout
    assert not list(home.root.glob("terma-target-*"))


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--camera", "zoom=3"), "zoom=3"),
        (("--camera", "cell=40"), "does not fit"),
        (("--host", "::", "--no-token"), "for this machine alone"),
        (("--host", "203.0.113.7"), "cannot listen"),
        (("--port", "99999"), "--port is from"),
        (("--rows", "1"), "--rows is from"),
        (("--", "/no/such/program"), "cannot start /no/such/program"),
    ],
)
def test_what_cannot_be_is_one_line_and_a_hint(home, arguments, said):
    done = subprocess.run(
        [home.env["TERMA_BIN"], "eyes", "target", *arguments],
        env=home.env,
        capture_output=True,
        text=True,
        timeout=WAIT,
        check=False,
    )
    lines = done.stderr.splitlines()
    assert done.returncode != 0 and said in lines[0] and len(lines) == 2, done.stderr


def test_a_port_that_is_taken_is_said(home):
    with socket.create_server(("127.0.0.1", 0)) as other:
        done = subprocess.run(
            [home.env["TERMA_BIN"], "eyes", "target", "--port", str(other.getsockname()[1])],
            env=home.env,
            capture_output=True,
            text=True,
            timeout=WAIT,
            check=False,
        )
    assert done.returncode == 2 and "in use" in done.stderr and "Traceback" not in done.stderr


def keyboard(address: str, monkeypatch, token: str = TOKEN):
    from terma.config import eyes
    from terma.vision import keyboards

    monkeypatch.setenv("EYES_TOKEN", token)
    settings = eyes.Keyboard(kind="http", address=address, token_env="EYES_TOKEN")  # noqa: S106 a name
    return keyboards.of(settings)


def test_the_http_keyboard_types_on_it(target, monkeypatch):
    from terma.vision.errors import UnmappableKey
    from terma.vision.types import Combination, Keystroke, Line, Text

    async def send() -> None:
        async with keyboard(target.url, monkeypatch) as keys:
            await keys.send(Line(text="echo one"))
            await keys.send(Keystroke(key="Enter"))
            await keys.send(Text(text="echo wrong"))
            await keys.send(Combination(modifiers=("ctrl",), key="u"))
            await keys.send(Line(text="echo two"))
            with pytest.raises(UnmappableKey):
                await keys.send(Keystroke(key="F20"))
            keys.release_all()

    asyncio.run(send())
    target.wait_for("echo two")
    assert "one" in target.screen() and not target.shows("wrong")


@pytest.mark.parametrize(("token", "said"), [("other", "refuses the token"), (TOKEN, "does not answer")])
def test_the_http_keyboard_says_why_it_cannot(target, monkeypatch, token, said):
    from terma.vision.errors import EyesError

    address = target.url if token != TOKEN else "http://127.0.0.1:1"

    async def opened() -> None:
        async with keyboard(address, monkeypatch, token):
            pass

    with pytest.raises(EyesError, match=said):
        asyncio.run(opened())


CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


@pytest.fixture
def browser(place: Path):
    if CHROMIUM is None:
        pytest.skip("there is no Chromium")
    made = Browser(CHROMIUM, place / "chromium")
    yield made
    made.close()


@pytest.mark.timeout(300)
def test_the_page_shows_the_screen_live_and_takes_keys(target, browser):
    browser.open(target.page)
    wait_until(
        lambda: browser.value("document.getElementById('screen').naturalWidth") or 0, "the picture", 60
    )
    assert browser.value("location.search") == "", "the token stays in the address"
    assert "token" not in browser.value("document.cookie")
    pixels = """(() => {
      const picture = document.getElementById("screen"), canvas = document.createElement("canvas");
      canvas.width = picture.naturalWidth; canvas.height = picture.naturalHeight;
      const context = canvas.getContext("2d"); context.drawImage(picture, 0, 0);
      const data = context.getImageData(0, 0, canvas.width, canvas.height).data;
      let sum = 0; for (let at = 0; at < data.length; at += 4) sum += data[at];
      return sum / (data.length / 4);
    })()"""
    dark = browser.value(pixels)
    browser.type("printf '\\033[?5h'; echo A_b é")
    browser.press("Enter", code=13, text="\r")
    wait_until(lambda: "A_b é" in target.screen(), "what was typed", 60)
    wait_until(lambda: browser.value(pixels) > dark + 100, "the picture to turn bright", 60)
    browser.type("xyz")
    browser.press("u", code=85, modifiers=2)
    browser.type("echo asleep; sleep 77")
    browser.press("Enter", code=13, text="\r")
    wait_until(lambda: "asleep" in target.screen(), "the command to run", 60)
    browser.press("c", code=67, modifiers=2)
    target.wait_for_prompt()
    browser.press("ArrowUp", code=38)
    wait_until(lambda: sum("sleep 77" in row for row in target.screen()) == 2, "the line before", 60)
    assert not target.shows("xyz")


@pytest.mark.timeout(300)
def test_the_page_says_when_a_key_is_none_and_when_the_target_is_gone(start, browser):
    target = start()
    browser.open(target.page)
    browser.press("F20", code=131)
    said = "document.getElementById('said').textContent"
    wait_until(lambda: "no such key" in browser.value(said), "the page to say so", 60)
    target.stop()
    browser.type("x")
    wait_until(
        lambda: browser.value("document.getElementById('said').className") == "wrong", "a sign of it", 60
    )
    wait_until(lambda: "no such key" not in browser.value(said), "the reason", 60)


def test_the_display_scrolls_back_as_a_console_does(target):
    target.wait_for_prompt()
    target.run("seq 1000 1099").wait_for("1099")
    target.wait_for_prompt()
    below = target.screen()
    picture = target.http.get("/snapshot.jpg").content
    target.press("PageUp", "shift")
    wait_until(lambda: target.http.get("/screen.json").json()["above"] == 12, "half a screen above")
    assert target.screen()[12:] == below[:12] and target.http.get("/screen.json").json()["cursor"] is None
    assert target.http.get("/snapshot.jpg").content != picture
    for _ in range(20):
        target.press("PageUp", "shift")
    assert target.shows("1000") and target.screen()[0].startswith("user@target")  # its first row of all
    target.press("PageDown", "shift")
    assert not target.shows("user@target")
    target.type("x")  # a key shows the screen itself
    target.wait_for("1099")
    wait_until(lambda: re.search(r"[$#] x$", target.screen()[-1]), "the key at the prompt")
