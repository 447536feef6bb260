"""Looking through a camera before anything is calibrated: a page on this machine alone, and one picture in a file."""

from __future__ import annotations

import argparse
import asyncio
import http.client
import stat
from urllib.parse import urlsplit

import cv2
import numpy as np
import pytest

from terma.commands import eyes
from terma.vision import looking
from terma.vision.errors import EyesError
from tests.unit.vision.test_any_screen import Cable


def asked(port: int, path: str, **headers: str) -> tuple[int, dict[str, str], bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=90)
    try:
        connection.request("GET", path, headers=headers)
        answer = connection.getresponse()
        return answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read()
    finally:
        connection.close()


def served(source, work) -> None:
    async def run() -> None:
        up: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        serving = asyncio.create_task(looking.serve(source, up.set_result))
        try:
            page = urlsplit(await asyncio.wait_for(up, 90))
            assert page.hostname == "127.0.0.1" and page.port
            await asyncio.to_thread(work, page.port, page.query)
        finally:
            serving.cancel()
            await asyncio.gather(serving, return_exceptions=True)

    asyncio.run(run())


def test_the_page_is_for_whoever_has_the_token_on_this_machine():
    source = Cable(np.full((30, 40, 3), 120, np.uint8))

    def work(port: int, query: str) -> None:
        assert asked(port, "/")[0] == 401 and asked(port, "/picture.jpg")[0] == 401
        assert asked(port, "/?token=wrong")[0] == 401
        assert asked(port, f"/picture.jpg?{query}")[0] == 401, (
            "a token in a picture's address would be handed on"
        )
        assert asked(port, f"/?{query}", Host="evil.example")[0] == 401
        status, headers, _ = asked(port, f"/?{query}")
        assert (status, headers["location"]) == (303, "/")
        assert "HttpOnly" in headers["set-cookie"] and "SameSite=Strict" in headers["set-cookie"]
        cookie = headers["set-cookie"].partition(";")[0]
        status, headers, page = asked(port, "/", Cookie=cookie)
        assert (
            status == 200
            and b"corners" in page
            and "default-src 'none'" in headers["content-security-policy"]
        )
        status, _, picture = asked(port, "/picture.jpg", Cookie=cookie)
        assert status == 200
        assert cv2.imdecode(np.frombuffer(picture, np.uint8), cv2.IMREAD_COLOR).shape == (30, 40, 3)
        assert asked(port, "/picture.jpg", Cookie=cookie, Host="evil.example")[0] == 401
        assert asked(port, "/other", Cookie=cookie)[0] == 404
        source.image = None
        status, _, said = asked(port, "/picture.jpg", Cookie=cookie)
        assert status == 503 and b"no signal" in said

    served(source, work)


def test_a_snapshot_is_written_for_its_owner_alone(place, monkeypatch, capsys):
    cv2.imwrite(str(place / "seen.png"), np.full((30, 40, 3), 120, np.uint8))
    (place / "terma").mkdir()
    (place / "terma/config.toml").write_text(
        f'[eyes.camera]\nkind = "images"\naddress = "{place}/seen.png"\n'
    )
    monkeypatch.setenv("XDG_CONFIG_HOME", str(place))
    parser = argparse.ArgumentParser()
    eyes.add_arguments(parser)
    made = place / "made.jpg"
    assert eyes.run(parser.parse_args(["look", "--snapshot", str(made)])) == 0
    assert "40 by 30 pixels" in capsys.readouterr().out and cv2.imread(str(made)).shape == (30, 40, 3)
    assert stat.S_IMODE(made.stat().st_mode) == 0o600


def test_a_port_that_cannot_be_had_is_said(monkeypatch):
    async def refused(*given, **more):
        raise OSError(13, "Permission denied")

    monkeypatch.setattr(asyncio, "start_server", refused)
    with pytest.raises(EyesError, match="cannot listen on port 1"):
        asyncio.run(looking.serve(Cable(), print, 1))
