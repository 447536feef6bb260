"""Camera to keyboard and back: `terma eyes try`, and a model's run on a target that only a camera sees."""

from __future__ import annotations

import json
import re
import subprocess
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.e2e.eyes_target import TOKEN, Target
from tests.model_server import ModelServer, says

NEEDED = ("numpy", "cv2", "PIL", "fontpkg_jetbrains_mono", "fastapi", "uvicorn", "pyghostty")
pytestmark = [
    pytest.mark.skipif(
        not all(find_spec(name) for name in NEEDED), reason="the extra [target] is not installed"
    ),
    pytest.mark.timeout(600),
]


def terma(home, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [home.env["TERMA_BIN"], "eyes", *arguments],
        env=home.env | {"EYES_TOKEN": TOKEN},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=500,
        check=False,
    )


def test_all_of_it_can_be_tried_without_any_hardware(home):
    done = terma(home, "try", "--log", str(home.root / "runs"))
    assert done.returncode == 0, done.stdout + done.stderr
    found = re.search(r"(\d+) of (\d+) lines exactly", done.stdout)
    assert found and int(found[2]) >= 20 and int(found[1]) >= 0.99 * int(found[2]), done.stdout
    assert "completed: the screen shows" in done.stdout
    assert "\x1b" not in done.stdout
    (folder,) = (home.root / "runs").iterdir()
    page = terma(home, "replay", str(folder))
    assert Path(page.stdout.strip()).read_text().count("<section") > 20


LINE = "expr 700007 '*' 6"


def test_a_model_that_sees_reaches_its_goal_through_a_camera(home):
    steps = [
        says("This is no JSON."),
        says(json.dumps({"kind": "line", "text": LINE})),
        says('{"kind": "line", "text": "rm -rf ~"}'),
        says('{"kind": "done", "evidence": "4200042"}'),
    ]
    with ModelServer() as server:
        server.will(*steps)
        target = Target(home, "--camera", "yaw=15,noise=6", "--fps", "10")
        try:
            file = home.home / ".config/terma/config.toml"
            file.parent.mkdir(parents=True)
            file.write_text(
                f'[models.seeing]\nmodel = "scripted"\nprovider = "openai_http"\napi_base = "{server.base}"\n'
                f'[eyes.camera]\nkind = "mjpeg"\naddress = "{target.url}/stream.mjpg"\ntoken_env = "EYES_TOKEN"\n'
                f'[eyes.keyboard]\nkind = "http"\naddress = "{target.url}"\ntoken_env = "EYES_TOKEN"\n'
                '[eyes.policy]\nallow = ["expr *", "rm *"]\n'
            )
            learned = terma(home, "calibrate", "--yes")
            assert learned.returncode == 0, learned.stdout + learned.stderr
            done = terma(
                home, "run", "--auto", "--model", "seeing", "--log", str(home.root / "runs"), "compute"
            )
            assert done.returncode == 0, done.stdout + done.stderr
            assert "4200042" in target.screen()
        finally:
            target.stop()
        pictures = [
            part for part in server.seen[0].body["messages"][1]["content"] if part["type"] == "image_url"
        ]
        assert len(pictures) == 1 and len(server.seen) == 4
    (folder,) = (home.root / "runs").iterdir()
    lines = [json.loads(line) for line in (folder / "log.jsonl").read_text().splitlines()]
    sent = [line["action"] for line in lines if line["what"] == "send"]
    assert [one.get("text", one.get("key")) for one in sent] == ["e", "u", LINE, "Enter"]
    assert any(line["what"] == "refuse" for line in lines)
