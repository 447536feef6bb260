"""Each source asks its own program or socket, in the words that this one takes, and believes no identifier."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest

from terma.context.gather import gather
from terma.context.sources import kitty, recording, screen, tmux, wezterm, zellij
from terma.errors import TermaError, UnsafePath
from terma.types import Capture, CaptureRequest, Output, Source
from tests.unit.context.test_run import program

SHOWN = "$ make\nmake: error\n$ ?why\n"
HOSTILE = ["", ";rm", "%3;rm -rf", "-t", "$(id)", "%3\n", "3 -b", "../x", "\x1b[31m", "%" + "9" * 40]


def ask(source: Source, env: Mapping[str, str], path: str = "", **more: object) -> Output:
    request = CaptureRequest(env, command="make", asked="?why", path=path, columns=80, **more)  # type: ignore[arg-type]
    return asyncio.run(gather(request, [source], 10.0))


def capture(source: Source, env: Mapping[str, str], path: str = "") -> Capture | None:
    return asyncio.run(source.capture(CaptureRequest(env, command="make", path=path)))


@contextmanager
def answering(path: Path, answer: bytes) -> Iterator[list[bytes]]:
    """A socket that gives `answer` to one question, in two pieces; yields what it was asked."""
    heard: list[bytes] = []
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(str(path))
    listener.listen()
    listener.settimeout(10)

    def serve() -> None:
        with listener.accept()[0] as peer:
            peer.settimeout(10)
            heard.append(peer.recv(65536))
            try:
                peer.sendall(answer[:20])
                peer.sendall(answer[20:])
            except OSError:
                return  # it had heard enough

    thread = threading.Thread(target=serve)
    thread.start()
    try:
        yield heard
    finally:
        with socket.socket(socket.AF_UNIX) as knock:  # a thread that nobody asked ends too
            knock.connect(str(path))
        thread.join()
        listener.close()


# tmux, screen: tests/e2e/test_capture_tmux.py and test_capture_screen.py ask the real ones.


@pytest.mark.parametrize("pane", HOSTILE)
def test_tmux_is_not_asked_for_what_is_no_pane(pane: str, place: Path) -> None:
    path = program(place, "tmux", "echo 80; printf '$ make\\nbad\\n'")
    assert capture(tmux.PLUGIN, {"TMUX": "/tmp/tmux,1,0", "TMUX_PANE": pane}, path) is None


@pytest.mark.parametrize(
    "server", ["", "tmux,1,0", "/tmp/tmux", "/tmp/tmux,1,0;rm", "-S,1,0", "/tmp/tmux,1,0\n"]
)
def test_tmux_is_not_asked_on_what_is_no_socket(server: str, place: Path) -> None:
    path = program(place, "tmux", "echo 80; printf '$ make\\nbad\\n'")
    assert capture(tmux.PLUGIN, {"TMUX": server, "TMUX_PANE": "%3"}, path) is None


@pytest.mark.parametrize("bad", HOSTILE)
def test_screen_is_not_asked_for_what_is_no_window(bad: str, place: Path) -> None:
    path = program(place, "screen", "exit 0")
    assert capture(screen.PLUGIN, {"STY": "123.tty.host", "WINDOW": bad}, path) is None
    assert capture(screen.PLUGIN, {"STY": bad, "WINDOW": "0"}, path) is None


def test_a_window_of_screen_that_is_gone_gives_no_text_and_no_wait(place: Path) -> None:
    path = program(place, "screen", "exit 0")
    assert ask(screen.PLUGIN, {"STY": "1.a", "WINDOW": "7"}, path).trouble.startswith(
        "screen: window 7 gave no text"
    )


# zellij 0.44: https://zellij.dev/documentation/cli-actions; 0.43 and older take no pane and need a file.
ZELLIJ = {"ZELLIJ_SESSION_NAME": "main work", "ZELLIJ_PANE_ID": "4"}
NEW_ZELLIJ = """
[ $# = 7 ] && [ "$*" = "--session main work action dump-screen --full --pane-id terminal_4" ] || exit 9
[ "$2" = "main work" ] || exit 9
printf '$ make\\nmake: error\\n$ ?why\\n\\n\\n'
"""
OLD_ZELLIJ = """
case " $* " in *" --pane-id "*)
  echo "error: Found argument '--pane-id' which wasn't expected, or isn't valid in this context" >&2; exit 2;;
esac
[ $# = 6 ] && [ "$1 $3 $4 $5" = "--session action dump-screen --full" ] || exit 9
(sleep 0.1; printf '$ make\\nmake: error\\n$ ?why\\n' > "$6") >/dev/null 2>&1 &
"""


@pytest.mark.parametrize("body", [NEW_ZELLIJ, OLD_ZELLIJ], ids=["0.44", "0.43"])
def test_zellij_is_asked_for_the_pane_and_its_scrollback(body: str, place: Path) -> None:
    seen = ask(zellij.PLUGIN, ZELLIJ, program(place, "zellij", body))
    assert (seen.text, seen.source, seen.found) == ("make: error", "zellij", True), seen


def test_an_old_zellij_is_not_asked_for_another_pane_than_the_focused_one(place: Path) -> None:
    path = program(place, "zellij", OLD_ZELLIJ)
    assert ask(zellij.PLUGIN, ZELLIJ, path, another=True).trouble.startswith(
        "zellij: this zellij shows the focused"
    )
    new = ask(zellij.PLUGIN, ZELLIJ, program(place, "zellij", NEW_ZELLIJ), another=True)
    assert new.text == "make: error"


def test_zellij_says_what_it_says(place: Path) -> None:
    path = program(place, "zellij", "echo 'There is no active session!' >&2; exit 1")
    assert ask(zellij.PLUGIN, ZELLIJ, path).trouble == "zellij: There is no active session!"


@pytest.mark.parametrize("bad", HOSTILE)
def test_zellij_is_not_asked_for_what_is_no_pane(bad: str) -> None:
    assert capture(zellij.PLUGIN, ZELLIJ | {"ZELLIJ_PANE_ID": bad}) is None


@pytest.mark.parametrize("bad", ["", "-h", "--version", "a/b", "a\nb", " a"])
def test_zellij_is_not_asked_for_what_is_no_session(bad: str) -> None:
    assert capture(zellij.PLUGIN, ZELLIJ | {"ZELLIJ_SESSION_NAME": bad}) is None


# wezterm: https://wezterm.org/cli/cli/get-text.html
WEZTERM = {"WEZTERM_PANE": "2", "WEZTERM_UNIX_SOCKET": "/run/user/1000/wezterm/gui-sock-7"}
GET_TEXT = """
[ "$*" = "cli --no-auto-start get-text --pane-id 2 --start-line -2000" ] && [ $# = 7 ] || exit 9
[ "$WEZTERM_UNIX_SOCKET" = /run/user/1000/wezterm/gui-sock-7 ] || exit 9
printf '$ make\\nmake: error\\n$ ?why\\n\\n\\n'
"""


def test_wezterm_is_asked_for_the_pane_and_its_scrollback(place: Path) -> None:
    seen = ask(wezterm.PLUGIN, WEZTERM, program(place, "wezterm", GET_TEXT))
    assert (seen.text, seen.source, seen.found) == ("make: error", "wezterm", True), seen


@pytest.mark.parametrize("bad", HOSTILE)
def test_wezterm_is_not_asked_for_what_is_no_pane(bad: str) -> None:
    assert capture(wezterm.PLUGIN, WEZTERM | {"WEZTERM_PANE": bad}) is None
    assert capture(wezterm.PLUGIN, WEZTERM | {"WEZTERM_UNIX_SOCKET": bad}) is None


def test_a_program_that_is_not_installed_is_named(place: Path) -> None:
    assert ask(wezterm.PLUGIN, WEZTERM, str(place)).trouble.startswith("wezterm is not on the PATH")


# kitty: what kitty 0.26.5 answered to this very question, with its shell integration in zsh.
KITTY_TEXT = (
    "\x1b[m\x1b]133;A\x1b\\/tmp # seq 3                                  14:23\n\x1b[m\x1b]133;C\x1b\\1\n"
    "\x1b[m2\n\x1b[m3\n\x1b[m\x1b]133;A\x1b\\/tmp # false                                  14:23\n"
    "\x1b[m\x1b]133;A\x1b\\/tmp # printf foo                             14:23\n\x1b[m\x1b]133;C\x1b\\foo"
    "\x1b[1;7m#\x1b[22;27m                                                \x1b[m\x1b]133;A\x1b\\/tmp # ?why"
    "                                   14:23\n\n\n\n"
)


def kitty_says(place: Path, **answer: object) -> bytes:
    return b"\x1bP@kitty-cmd" + json.dumps(answer).encode() + b"\x1b\\"


@pytest.mark.parametrize(("command", "output"), [("seq 3", "1\n2\n3"), ("false", ""), ("printf foo", "foo")])
def test_kitty_is_asked_in_its_own_protocol(command: str, output: str, place: Path) -> None:
    env = {"KITTY_WINDOW_ID": "1", "KITTY_LISTEN_ON": f"unix:{place}/kitty"}
    request = CaptureRequest(env, command=command, asked="?why", shell="zsh", columns=52)
    with answering(place / "kitty", kitty_says(place, ok=True, data=KITTY_TEXT)) as heard:
        seen = asyncio.run(gather(request, [kitty.PLUGIN], 10.0))
    assert (seen.text, seen.source, seen.found) == (output, "kitty", True), seen
    assert heard[0].startswith(b"\x1bP@kitty-cmd{") and heard[0].endswith(b"}\x1b\\")
    asked = json.loads(heard[0][len(b"\x1bP@kitty-cmd") : -2])
    assert (asked["cmd"], asked["payload"]) == ("get-text", {"match": "id:1", "extent": "all", "ansi": True})


def test_kitty_says_what_it_says(place: Path) -> None:
    env = {"KITTY_WINDOW_ID": "1", "KITTY_LISTEN_ON": f"unix:{place}/kitty"}
    refusal = kitty_says(place, ok=False, error="No matching windows for expression: id:1")
    with answering(place / "kitty", refusal):
        assert ask(kitty.PLUGIN, env).trouble == "kitty: No matching windows for expression: id:1"


@pytest.mark.parametrize("said", [b"", b"hello", b"\x1bP@kitty-cmd[]\x1b\\", b"\x1bP@kitty-cmd{\x1b\\"])
def test_an_answer_that_is_not_kittys_is_trouble(said: bytes, place: Path) -> None:
    env = {"KITTY_WINDOW_ID": "1", "KITTY_LISTEN_ON": f"unix:{place}/kitty"}
    with answering(place / "kitty", said):
        assert ask(kitty.PLUGIN, env).trouble.startswith("kitty gave an answer that cannot be read")


def test_a_flood_from_a_socket_is_cut_off(place: Path) -> None:
    env = {"KITTY_WINDOW_ID": "1", "KITTY_LISTEN_ON": f"unix:{place}/kitty"}
    with answering(place / "kitty", b"x" * 50 * 1024 * 1024):
        assert "more than 16 MB of text" in ask(kitty.PLUGIN, env).trouble


def test_kitty_that_does_not_listen_says_how_it_would() -> None:
    inside = {"KITTY_WINDOW_ID": "1", "TERM": "xterm-kitty"}
    assert "listen_on unix:/tmp/kitty" in ask(kitty.PLUGIN, inside).trouble
    assert ask(kitty.PLUGIN, inside | {"SSH_CONNECTION": "a 1 b 2"}) == Output()
    assert ask(kitty.PLUGIN, inside | {"TERM": "tmux-256color"}) == Output()


@pytest.mark.parametrize("bad", HOSTILE)
def test_kitty_is_not_asked_for_what_is_no_window(bad: str, place: Path) -> None:
    assert capture(kitty.PLUGIN, {"KITTY_WINDOW_ID": bad, "KITTY_LISTEN_ON": f"unix:{place}/kitty"}) is None


# The recording: the protocol of terma/recorder.


def recorded(*commands: tuple[str | None, int | None, str, bool]) -> bytes:
    listed = [
        {"command": command, "status": status, "cwd": "/", "output": output, "dropped": 0, "running": running}
        for command, status, output, running in commands
    ]
    return json.dumps({"version": 1, "commands": listed, "columns": 80, "lines": 24}).encode()


@pytest.fixture
def private(place: Path) -> Path:
    folder = place / "private"
    folder.mkdir(mode=0o700)
    return folder


def ask_recording(private: Path, said: bytes, **request: object) -> Output:
    with answering(private / "rec", said) as heard:
        env = {"TERMA_RECORDING": f"{private}/rec"}
        seen = asyncio.run(gather(CaptureRequest(env, **request), [recording.PLUGIN], 10.0))  # type: ignore[arg-type]
    assert heard == [b"last 20\n"]
    return seen


def test_the_recording_gives_the_command_that_is_meant(private: Path) -> None:
    said = recorded(
        ("make", 2, "old\r\n", False),
        ("make", 2, "\x1b[31merror\x1b[0m\r\n", False),
        ("ls", 0, "a\r\n", False),
        ("?why", 0, "no rule\r\n", False),
        ("terma doctor", 0, "fine\r\n", False),
        ("?why", None, "terma\r\n", True),
    )
    assert ask_recording(private, said, command="make") == Output(
        "error", "recording", found=True, command="make", status=2
    )


def test_without_a_name_the_newest_command_of_the_recording_is_given(private: Path) -> None:
    said = recorded(("make", 2, "error\r\n", False), ("?why", 0, "no rule\r\n", False), ("", None, "", False))
    assert ask_recording(private, said).text == "error"


def test_a_command_whose_name_the_recording_does_not_know_is_told_by_its_status(private: Path) -> None:
    said = recorded((None, 2, "error\r\n", False), (None, 0, "fine\r\n", False))
    assert ask_recording(private, said, command="make", status=2).text == "error"


def test_a_recording_without_that_command_says_so(private: Path) -> None:
    said = recorded(("ls", 0, "a\r\n", False))
    assert (
        ask_recording(private, said, command="make").trouble
        == "recording: the recording does not hold that command"
    )


@pytest.mark.parametrize(
    "said", [b"", b"{}", b"[]", b'{"commands": [{}]}', b'{"commands": [{"output": 1}]}', b"\xff"]
)
def test_a_recording_that_is_no_recording_is_trouble(said: bytes, private: Path) -> None:
    assert ask_recording(private, said).trouble == "recording: the recording cannot be read"


def test_a_recording_in_a_folder_that_others_can_open_is_not_read(private: Path) -> None:
    private.chmod(0o755)
    with answering(private / "rec", recorded()), pytest.raises(UnsafePath, match="open to other users"):
        capture(recording.PLUGIN, {"TERMA_RECORDING": f"{private}/rec"})


@pytest.mark.parametrize("kind", ["file", "link", "gone"])
def test_a_recording_that_is_no_socket_of_ours_is_not_read(kind: str, private: Path) -> None:
    path = private / "rec"
    if kind == "file":
        path.touch()
    elif kind == "link":
        path.symlink_to("/dev/log")
    with pytest.raises((TermaError, OSError)):
        capture(recording.PLUGIN, {"TERMA_RECORDING": str(path)})


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file away")
def test_a_recording_of_another_user_is_not_read(private: Path) -> None:
    with answering(private / "rec", recorded()):
        os.chown(private / "rec", 65534, 65534)
        with pytest.raises(UnsafePath, match="belongs to another user"):
            capture(recording.PLUGIN, {"TERMA_RECORDING": f"{private}/rec"})
