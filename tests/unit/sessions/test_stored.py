"""What is kept on the disk: whole, capped, without secrets, for one agent at a time."""

from __future__ import annotations

import shutil
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from terma.errors import TermaError, UnsafePath
from terma.sessions import saved
from terma.sessions.claims import Claim, free
from terma.sessions.files import Files, Pieces
from terma.sessions.masking import Masker, masked_line

TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
KEY = (
    "-----BEGIN OPENSSH PRIVATE KEY-----\r\n"
    + "".join(
        f"b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAA{n:04d}TESTONLYtest/9aBcD\r\n" for n in range(8)
    )
    + "-----END OPENSSH PRIVATE KEY-----\r\n"
)


@pytest.mark.parametrize(
    "line",
    [
        f"token={TOKEN}\r\n",
        f"export GITHUB_TOKEN=\x1b[33m{TOKEN}\x1b[0m\r\n",
        f"$ curl -H \x1b[1m'Authorization: token {TOKEN[:10]}\x1b[0m\x1b[32m{TOKEN[10:]}'\x1b[0m x\r\n",
        f"x {TOKEN[:20]} \r{TOKEN[20:]} y\r\n",  # as a line editor wraps it
        f"{TOKEN}\n{TOKEN}\n",
        f"\x1b]0;{'t' * 5}\x07{TOKEN}\n",
    ],
)
def test_a_secret_is_stars_however_it_was_drawn(line):
    masked = Masker()(line.encode())
    assert len(masked) == len(line.encode())
    shown = masked.decode()
    assert TOKEN[:10] not in shown
    assert TOKEN[-10:] not in shown
    assert "*" * 10 in shown


def test_a_name_on_one_line_gives_away_the_value_on_the_next():
    masker = Masker()
    masker(b"Enter password:\r\n")
    assert masker(b"all is well here\r\n") == b"all is well here\r\n"


@given(st.binary(max_size=300))
def test_what_is_no_secret_stays_byte_for_byte_as_long_as_it_was(data):
    assert len(Masker()(data)) == len(data)
    assert (
        Masker()(b"plain \xff\xfe words \x1b[1mhere\x1b[0m\r\n")
        == b"plain \xff\xfe words \x1b[1mhere\x1b[0m\r\n"
    )


@pytest.mark.parametrize("size", [1, 7, 100, 10_000])
def test_a_private_key_is_never_on_the_disk_however_it_came(place, size):
    store = Files(place / "one")
    data = ("before\r\n" + KEY + "after\r\n").encode()
    for at in range(0, len(data), size):
        store.write(data[at : at + size])
        assert b"b3BlbnNzaC1" not in Pieces(place / "one").read(0, 10_000)
    store.finish()
    kept = Pieces(place / "one").read(0, 10_000)
    assert len(kept) == len(data)
    assert b"before\r\n" in kept
    assert b"after\r\n" in kept
    assert b"b3BlbnNzaC1" not in kept


def test_a_command_line_is_written_down_without_its_secrets():
    assert TOKEN not in masked_line(f"curl -H 'Authorization: token {TOKEN}' \x1b[31mhttp://x")
    assert "\x1b" not in masked_line("echo \x1b[31m")


def test_what_waits_is_stored_when_there_is_time_and_can_be_read_before(place):
    calls = []
    store = Files(place / "one", later=calls.append)
    lines = b"".join(b"line %d\r\n" % n for n in range(2000))
    store.write(lines)
    assert store.read(0, len(lines)) == lines
    assert Pieces(place / "one").end == 0
    while calls:
        calls.pop(0)()
        assert store.read(0, len(lines)) == lines
    store.finish()
    while calls:
        calls.pop(0)()
    assert Pieces(place / "one").read(0, len(lines)) == lines


def test_a_disk_that_fails_costs_output_and_nothing_else(place):
    store = Files(place / "one", capacity=8)  # a file for each line
    store.write(b"kept\n")
    shutil.rmtree(place / "one")
    store.write(b"lost\n")
    assert store.start == store.end == 10
    assert store.read(0, 100) == b""


def test_one_agent_holds_a_session_and_another_is_refused(place):
    first = Claim(place / "one")
    assert not free(place / "one")
    with pytest.raises(TermaError, match="another agent"):
        Claim(place / "one")
    first.release()
    assert free(place / "one")
    Claim(place / "one").remove()
    assert not (place / "one").exists()


@pytest.mark.parametrize("mode", [0o755, 0o770, 0o707])
def test_a_loose_directory_is_refused(place, mode):
    (place / "one").mkdir(mode=0o700)
    (place / "one").chmod(mode)
    with pytest.raises(UnsafePath, match="open to other users"):
        Files(place / "one")


def test_what_stands_in_for_the_directory_or_its_lock_is_not_followed(place):
    (place / "elsewhere").mkdir(mode=0o700)
    (place / "one").symlink_to(place / "elsewhere")
    with pytest.raises(UnsafePath):
        Files(place / "one")
    (place / "two").mkdir(mode=0o700)
    (place / "two/lock").symlink_to(place / "victim")
    with pytest.raises(UnsafePath):
        Files(place / "two")
    assert not (place / "victim").exists()


@pytest.fixture
def state(place, monkeypatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(place))
    monkeypatch.setenv("HOME", str(place))
    return place / "terma/sessions"


def leave(state: Path, name: str, **about: object) -> Path:
    """What an agent that is gone left."""
    state.mkdir(parents=True, exist_ok=True, mode=0o700)
    for directory in (state, state.parent):
        directory.chmod(0o700)
    store = Files(state / name)
    store.write(b"one\ntwo\n")
    saved.record(state / name, {"command": ["sh"], **about})
    store.leave()
    return state / name


def test_what_was_left_is_listed_and_goes_when_its_time_is_over(state):
    leave(state, "old", ended=time.time() - 100, ttl=50)
    leave(state, "new", ended=time.time() - 100, ttl=500, exit_status=3)
    assert [one.name for one in saved.every()] == ["new", "old"]
    saved.expire()
    assert [(one.name, one.about["exit_status"]) for one in saved.every()] == [("new", 3)]
    found = saved.find("new")
    assert found is not None
    assert found.store.read(0, 100) == b"one\ntwo\n"
    assert (found.about["state"], found.about["position"]) == ("exited", 8)
    found.remove()
    assert saved.find("new") is None


@pytest.mark.parametrize("about", [b"", b"[]", b"\xff", b'{"ended": "soon"}'])
def test_a_description_that_is_broken_hides_no_output(state, about):
    place = leave(state, "one")
    (place / "about.json").write_bytes(about)
    try:
        found = saved.find("one")
    except ValueError:
        pytest.fail("a broken file is nobody's error")
    assert found is not None
    assert found.store.end == 8


def test_nothing_was_left_where_nothing_is(state):
    assert saved.every() == []
    assert saved.find("one") is None
    assert not state.exists()
