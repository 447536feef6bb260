"""Where pictures come from: always the newest, never an old one, and an error in time where there is none."""

from __future__ import annotations

import asyncio
import contextlib
import socketserver
import threading
import time

import cv2
import numpy as np
import pytest

from terma.config import eyes
from terma.errors import UsageError
from terma.vision import frames
from terma.vision.errors import EyesError
from terma.vision.frames import _latest, mjpeg
from terma.vision.types import Frame


def picture(level: int, width: int = 64, height: int = 48):
    return np.full((height, width, 3), level, np.uint8)


def jpeg(level: int) -> bytes:
    return cv2.imencode(".jpg", picture(level))[1].tobytes()


def settings(kind: str, address: object, **more) -> eyes.Camera:
    return eyes.Camera(kind=kind, address=str(address), **more)


def seen(source, count: int = 1, pause: float = 0.0) -> list[Frame]:
    """`count` frames, each newer than the one before."""

    async def look() -> list[Frame]:
        found: list[Frame] = []
        async with source:
            for _ in range(count):
                found.append(await source.latest(found[-1].number if found else 0))
                assert time.monotonic() - found[-1].at < _latest.FRESH + 5  # the machine may be busy
                await asyncio.sleep(pause)
        return found

    return asyncio.run(look())


def level(frame: Frame) -> int:
    return round(float(frame.image.mean()))


class Server:
    """Streams JPEGs as a camera in the network does; `parts` is what it sends after each head."""

    def __init__(
        self, token: str = "", length: bool = True, pause: float = 0.01, after: str = "go on"
    ) -> None:
        self.level, self.sent, self.connections, self.token = 0, 0, 0, token
        outer = self

        class Handler(socketserver.StreamRequestHandler):
            def handle(self) -> None:
                outer.connections += 1
                head = b""
                while not head.endswith(b"\r\n\r\n"):
                    head += self.rfile.readline()
                if outer.token and f"authorization: bearer {outer.token}" not in head.decode().lower():
                    self.wfile.write(b"HTTP/1.1 401 no\r\nContent-Length: 0\r\n\r\n")
                    return
                self.wfile.write(
                    b"HTTP/1.1 200 OK\r\nContent-Type: multipart/x-mixed-replace; boundary=b\r\n\r\n"
                )
                with contextlib.suppress(OSError):
                    for _ in range(5 if after != "go on" else 10**6):
                        data = jpeg(outer.level)
                        size = b"Content-Length: %d\r\n" % len(data) if length else b""
                        self.wfile.write(
                            b"--b\r\nContent-Type: image/jpeg\r\n" + size + b"\r\n" + data + b"\r\n"
                        )
                        outer.sent += 1
                        time.sleep(pause)
                    while after == "stall" and not outer.over.wait(0.05):
                        pass

        class Listening(socketserver.ThreadingTCPServer):
            daemon_threads, block_on_close, allow_reuse_address = True, False, True

        self.over = threading.Event()
        self._server = Listening(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}/"

    def __enter__(self) -> Server:
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.over.set()
        self._server.shutdown()
        self._server.server_close()


@pytest.mark.parametrize("length", [True, False])
def test_a_stream_gives_pictures_with_numbers_that_grow(length):
    with Server(length=length) as server:
        server.level = 200
        found = seen(mjpeg.PLUGIN(settings("mjpeg", server.url)), 3)
    assert [abs(level(frame) - 200) < 3 for frame in found] == [True] * 3
    assert found[0].number < found[1].number < found[2].number
    assert found[0].at <= found[1].at <= found[2].at
    assert not found[0].image.flags.writeable


def test_after_a_pause_the_newest_picture_comes_and_not_the_next():
    async def look(server: Server) -> tuple[Frame, int]:
        async with mjpeg.PLUGIN(settings("mjpeg", server.url)) as source:
            first = await source.latest()
            begun = server.sent
            server.level = 250
            while server.sent < begun + 40:  # noqa: ASYNC110 a thread tells nobody
                await asyncio.sleep(0.01)
            return await source.latest(first.number), first.number

    with Server() as server:
        frame, before = asyncio.run(look(server))
    assert level(frame) > 240 and frame.number > before + 1


def test_the_token_goes_into_a_header(monkeypatch):
    with Server(token="sesame") as server:  # noqa: S106 it opens nothing
        assert seen(mjpeg.PLUGIN(settings("mjpeg", server.url), token="sesame"))  # noqa: S106
        monkeypatch.setenv("CAMERA_TOKEN", "sesame")
        assert seen(frames.of(settings("mjpeg", server.url, token_env="CAMERA_TOKEN")))  # noqa: S106
        with pytest.raises(EyesError, match="refuses the token"):
            seen(frames.of(settings("mjpeg", server.url)))


def test_a_stream_that_stalls_is_an_error_and_one_that_breaks_is_taken_up_again(monkeypatch):
    monkeypatch.setattr(_latest, "PATIENCE", 0.5)
    with Server(after="stall") as server, pytest.raises(EyesError, match="gives no picture"):
        seen(mjpeg.PLUGIN(settings("mjpeg", server.url)), 20)
    monkeypatch.setattr(_latest, "PATIENCE", 10.0)
    with Server(after="break") as server:
        seen(mjpeg.PLUGIN(settings("mjpeg", server.url)), 12, pause=0.02)
        assert server.connections > 1


@pytest.mark.parametrize("address", ["http://127.0.0.1:1/", "nonsense"])
def test_a_stream_that_is_not_there_is_an_error(monkeypatch, address):
    monkeypatch.setattr(_latest, "PATIENCE", 0.5)
    with pytest.raises(EyesError):
        seen(mjpeg.PLUGIN(settings("mjpeg", address)))


def test_nobody_waits_longer_than_three_seconds_nor_gets_what_is_older_than_150_ms():
    assert _latest.PATIENCE <= 3.0 and _latest.FRESH <= 0.15


def test_an_old_picture_is_not_handed_out(monkeypatch):
    async def look() -> None:
        latest = _latest.Latest("a source")
        latest.put(picture(1))
        assert (await latest.get()).number == 1
        monkeypatch.setattr(_latest, "PATIENCE", 0.1)
        await asyncio.sleep(_latest.FRESH + 0.02)
        with pytest.raises(EyesError, match="gives no picture"):
            await latest.get()
        latest.put(picture(2))
        assert (await latest.get()).number == 2

    asyncio.run(look())


@pytest.mark.parametrize("size", [1, 7, 1000, 10**6])
def test_pictures_are_cut_out_however_the_network_cuts_them(size):
    data = b"".join(
        b"--b\r\nContent-Length: %d\r\n\r\n" % len(jpeg(one)) + jpeg(one) + b"\r\n" for one in (10, 20, 30)
    )
    cut, found = mjpeg.Cutter(), []
    for at in range(0, len(data), size):
        found += cut.feed(data[at : at + size])
    assert found == [jpeg(one) for one in (10, 20, 30)]


def test_a_picture_without_end_is_not_kept_for_ever(monkeypatch):
    monkeypatch.setattr(mjpeg, "_MOST", 1000)
    with pytest.raises(OverflowError):
        mjpeg.Cutter().feed(b"\xff\xd8" + b"x" * 2000)


def test_images_follow_each_other_and_the_last_one_stays(place):
    for number, shade in enumerate((10, 120, 240)):
        cv2.imwrite(str(place / f"{number}.png"), picture(shade))
    (place / "notes.txt").write_text("no picture")
    found = seen(frames.of(settings("images", place, fps=50)), 8)
    assert {level(frame) for frame in found} <= {10, 120, 240} and level(found[-1]) == 240


def test_a_video_plays_and_is_over(place):
    file = place / "film.avi"
    writer = cv2.VideoWriter(str(file), cv2.VideoWriter.fourcc(*"MJPG"), 20, (64, 48))
    if not writer.isOpened():
        pytest.skip("this OpenCV writes no films")
    for number in range(10):
        writer.write(picture(20 * number))
    writer.release()
    with pytest.raises(EyesError, match="it is over"):
        seen(frames.of(settings("video", file)), 50)
    shades = [level(frame) for frame in seen(frames.of(settings("video", file)), 3)]
    assert shades == sorted(shades) and shades[0] < shades[-1]


@pytest.mark.parametrize(
    ("kind", "address", "said"),
    [
        ("device", "/dev/video-nothing", "there is no camera"),
        ("video", "/no/film.mp4", "there is no video"),
        ("images", "/no/pictures", "there are no pictures"),
    ],
)
def test_a_source_that_is_not_there_is_named(kind, address, said):
    with pytest.raises(EyesError, match=said):
        seen(frames.of(settings(kind, address)))


def test_a_file_that_is_no_film_or_picture_is_said(place):
    (place / "film.mp4").write_text("no film")
    (place / "one.png").write_text("no picture")
    for kind, name in (("video", "film.mp4"), ("images", "one.png")):
        with pytest.raises(EyesError, match="that can be read"):
            seen(frames.of(settings(kind, place / name)))


def test_a_kind_that_is_not_there_is_named():
    with pytest.raises(UsageError, match="telescope"):
        frames.of(settings("telescope", "x"))


def test_a_crop_cuts_and_must_lie_inside(place):
    half = picture(10)
    half[:, 32:] = 200
    cv2.imwrite(str(place / "one.png"), half)
    (frame,) = seen(frames.of(settings("images", place, crop=(32, 8, 20, 10))))
    assert frame.image.shape == (10, 20, 3) and level(frame) == 200
    with pytest.raises(EyesError, match="outside"):
        seen(frames.of(settings("images", place, crop=(60, 0, 20, 10))))
    with pytest.raises(ValueError, match="crop"):
        settings("images", place, crop=(1, 2))


def test_a_picture_that_came_since_it_was_asked_for_is_taken_however_late_this_program_gets_to_it(
    monkeypatch,
):
    monkeypatch.setattr(_latest, "FRESH", 0.0)
    monkeypatch.setattr(_latest, "OPENING", 0.3)

    async def ask() -> Frame:
        latest = _latest.Latest("a camera")
        asked = asyncio.create_task(latest.get())
        await asyncio.sleep(0)
        latest.put(picture(7))
        return await asked

    assert level(asyncio.run(ask())) == 7


def test_a_first_picture_is_waited_for_longer_than_the_next_unless_nobody_is_there(monkeypatch):
    monkeypatch.setattr(_latest, "PATIENCE", 0.0)

    async def ask(*, missing: bool) -> Frame:
        latest = _latest.Latest("a camera")
        if missing:
            latest.missing()
        asked = asyncio.create_task(latest.get())
        await asyncio.sleep(0)
        latest.put(picture(7))
        return await asked

    assert level(asyncio.run(ask(missing=False))) == 7
    with pytest.raises(EyesError, match="gives no picture"):
        asyncio.run(ask(missing=True))
