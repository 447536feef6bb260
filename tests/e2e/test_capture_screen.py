"""In a real GNU screen, after real commands in real shells, the last command's own output is found."""

from __future__ import annotations

import os
import subprocess
import termios
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pexpect
import pytest

from terma.types import Output
from tests.conftest import WAIT, wait_until
from tests.e2e.captured import BASH_ASK, BASH_PROMPTS, ZSH_ASK, ZSH_PROMPTS, ask
from tests.shells.driver import command_line, ended, sterile_env

FAILURE = "cat: nowhere: No such file or directory"


class Window:
    """A shell in a window of a screen of its own, whose terminal nobody looks at."""

    def __init__(self, shell: str, prompt: str, home: Path, columns: int) -> None:
        self.shell, self.home, self.columns = shell, home, columns
        rc = ZSH_ASK + ZSH_PROMPTS[prompt] if shell == "zsh" else BASH_ASK + BASH_PROMPTS[prompt]
        # The shell says by itself where it is: what the hooks would send.
        rc += '\nprintf "%s\\n" "$STY" "$WINDOW" "$(tty)" > $HOME/where.new; mv $HOME/where.new $HOME/where\n'
        inside = command_line(shell, home, rc)
        (home / "sockets").mkdir(mode=0o700)
        (home / ".screenrc").write_text("defscrollback 2000\nstartup_message off\n", encoding="utf-8")
        env = sterile_env(home, {"SCREENDIR": str(home / "sockets")})
        self.terminal: Any = pexpect.spawn(
            "screen", ["-U", "-m", *inside], env=env, cwd=str(home), dimensions=(24, columns), timeout=WAIT
        )
        self.terminal.delaybeforesend = None
        self._prompts = 0
        self._came = b""  # since the last prompt
        self.settle()
        session, window, _ = (home / "where").read_text(encoding="utf-8").split()
        self.env = {"STY": session, "WINDOW": window, "SCREENDIR": str(home / "sockets")}

    def run(self, command: str) -> Window:
        """Type a command and wait for the next prompt."""
        self.terminal.send(command + "\r")
        return self.settle()

    def settle(self) -> Window:
        self._prompts += 1
        self._came = b""
        wait_until(
            lambda: self._read() == b"" and (self._drawn() == self._prompts and self._edits()), "a prompt"
        )
        return self

    def _edits(self) -> bool:
        """Whether the shell reads its prompt: before that the terminal itself shows what is typed."""
        *_, terminal = (self.home / "where").read_text(encoding="utf-8").split()
        handle = os.open(terminal, os.O_RDONLY | os.O_NOCTTY)
        try:
            return not termios.tcgetattr(handle)[3] & termios.ICANON
        finally:
            os.close(handle)

    def _drawn(self) -> int:
        file = self.home / "prompts"
        return file.stat().st_size if file.exists() else 0

    def _read(self) -> bytes:
        try:
            return bytes(self.terminal.read_nonblocking(65536, 0))
        except (pexpect.TIMEOUT, pexpect.EOF):
            return b""

    def shows(self, text: str) -> bool:
        """Whether `text` came since the last prompt."""
        self._came += self._read()
        return text.encode() in self._came

    def why(self, command: str, question: str = "") -> Output:
        """Type the question, then capture."""
        asked = f"?why {question}".strip()
        self.run(asked)
        path = os.environ["PATH"]
        return ask(self.env, command, asked=asked, shell=self.shell, columns=self.columns, path=path)

    def close(self) -> None:
        words = ["screen", "-S", self.env["STY"], "-X", "quit"]
        subprocess.run(
            words, env=sterile_env(self.home, self.env), capture_output=True, check=False, timeout=WAIT
        )
        ended(self.terminal)


@pytest.fixture
def windows(place: Path) -> Iterator[Any]:
    opened: list[Window] = []

    def start(shell: str, prompt: str = "plain", columns: int = 80) -> Window:
        opened.append(Window(shell, prompt, place / f"home{len(opened)}", columns))
        return opened[-1]

    yield start
    for window in opened:
        window.close()


def test_a_window_behind_another_one_is_the_one_that_is_read(windows: Any) -> None:
    window = windows("bash")
    window.run("cat nowhere").run("?why")
    behind = ["screen", "-S", window.env["STY"], "-X", "screen", "sh", "-c", "echo in front; exec sleep 1000"]
    subprocess.run(behind, env=sterile_env(window.home, window.env), check=True, timeout=WAIT)
    wait_until(lambda: window.shows("in front"), "the other window")
    seen = ask(window.env, "cat nowhere", asked="?why", shell="bash", columns=80, path=os.environ["PATH"])
    assert seen == Output(FAILURE, "screen", found=True)


@pytest.mark.parametrize(("shell", "prompt"), [("zsh", "right"), ("zsh", "two lines"), ("bash", "debian")])
@pytest.mark.parametrize("columns", [80, 34])
def test_the_output_is_found(shell: str, prompt: str, columns: int, windows: Any) -> None:
    window = windows(shell, prompt, columns)
    window.run("echo before").run("cat nowhere")
    seen = window.why("cat nowhere", "does it not stand on one row of this window")
    assert seen == Output(FAILURE, "screen", found=True)
    window.run("false")
    assert window.why("false") == Output("", "screen", found=True)


def test_a_long_output_is_found_in_the_scrollback(windows: Any) -> None:
    window = windows("bash").run("seq 500")
    seen = window.why("seq 500")
    assert seen.found
    assert seen.text.split("\n") == [str(number) for number in range(1, 501)]


def test_letters_that_screen_cannot_tell_do_not_hide_the_command(windows: Any) -> None:
    window = windows("bash").run("echo déjà 日本; cat nowhere")
    seen = window.why("echo déjà 日本; cat nowhere")
    assert seen.found
    assert seen.text.split("\n")[1] == FAILURE


def test_a_session_or_window_that_is_gone_is_named(windows: Any) -> None:
    window = windows("bash")
    assert ask(window.env | {"STY": "1.gone"}, "make").trouble == "screen: No screen session found."
    assert "window 9 gave no text" in ask(window.env | {"WINDOW": "9"}, "make").trouble


def test_the_text_is_left_nowhere(windows: Any, monkeypatch: pytest.MonkeyPatch, place: Path) -> None:
    base = place / "runtime"
    base.mkdir(mode=0o700)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(base))
    assert windows("bash").run("cat nowhere").why("cat nowhere").found
    assert list(base.iterdir()) == []
