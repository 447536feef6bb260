"""Drives a real zsh or bash in a PTY (every byte kept) or in tmux (the screen as a person sees it).

`Shell` and `TmuxShell` answer to the same calls: type, press, wait_for, line, ran, close. Both start a
sterile shell: a HOME of its own, an rc file that the test gives, no system rc. `line()` asks the line editor
itself (the rc binds Ctrl+] to a probe), so a test compares the buffer and not how it happened to be drawn.

A key may be lost, and an earlier drawing be taken for a later one, unless the editor is known to read: behind
`line()` it does, and `run()` takes a line from one such moment to the next. Behind ^C comes `line()`, too.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import termios
import time
import uuid
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple, Self

import pexpect

from tests.conftest import WAIT, Home
from tests.surroundings import CACHE

PROMPT = "ready> "
# A test presses a key twice faster than a person does, and mostly means the next answer and not the list.
NO_LIST = {"TERMA_SUGGESTIONS__LIST": "never"}
ROUNDS = int(os.environ.get("TERMA_TEST_ROUNDS", "1"))  # 4: what must always hold, a hundred times and more
_KEYS = {
    "Enter": "\r",
    "Escape": "\x1b",
    "BSpace": "\x7f",
    "Tab": "\t",
    "Space": " ",
    "Up": "\x1b[A",
    "Down": "\x1b[B",
    "Right": "\x1b[C",
    "Left": "\x1b[D",
    "Home": "\x1b[H",
    "End": "\x1b[F",
}
_ESCAPES = re.compile(
    r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[PX^_].*?\x1b\\|\x1b[ -/]*[0-~]", re.S
)

# What an editor writes when it begins to read a line and when it is done with it: bracketed paste on and off.
BEGINS, ENDS = b"\x1b[?2004h", b"\x1b[?2004l"
PROBED = b"\0end\0"  # the end of what the probe writes
FENCE = b"\x1b]7770\x07"  # the probe writes it, and no terminal shows it: what came before has arrived then

# The probe writes the editor's line to $HOME/probe, every command line about to run is added to $HOME/ran.
ZSH_RC = f"""
PS1='{PROMPT}' PS2='more> '
unsetopt prompt_sp
bindkey -e
HISTFILE= HISTSIZE=1000
_test_probe() {{ builtin print -rN -- "$CURSOR" "$BUFFER" end >| $HOME/probe
  builtin print -n '\\e]7770\\a' }}
zle -N _test_probe
for _test_map in emacs viins vicmd; do bindkey -M $_test_map '^]' _test_probe; done
unset _test_map
_test_ran() {{ builtin print -rN -- "$1" >>| $HOME/ran }}
preexec_functions+=(_test_ran)
"""
BASH_RC = f"""
PS1='{PROMPT}' PS2='more> '
HISTFILE= HISTSIZE=1000
bind 'set enable-bracketed-paste on'
_test_probe() {{ printf '%s\\0' "$READLINE_POINT" "$READLINE_LINE" end >| "$HOME/probe"; printf '\\e]7770\\a'; }}
bind -x '"\\C-]": _test_probe "$_"'
_test_ran() {{ local h; h=$(HISTTIMEFORMAT= history 1); printf '%s\\0' "${{h#*[0-9]  }}" >> "$HOME/ran"; }}
PS0='$(_test_ran)'
"""


class Line(NamedTuple):
    """What the line editor holds: its text, and the cursor as the shell counts it."""

    text: str
    cursor: int


class Timeout(AssertionError):
    """A wait that reached its bound; the message shows what stood there instead."""


@contextlib.contextmanager
def busy_core() -> Iterator[None]:
    """Another process takes all that one core gives, as a build beside the shell would."""
    busy = subprocess.Popen([sys.executable, "-c", "while True: pass"])
    try:
        yield
    finally:
        busy.kill()
        busy.wait()


def wait_until(check: Callable[[], object], what: str = "", timeout: float = WAIT) -> None:
    """Polls `check` until it is true. Raises Timeout after `timeout` seconds."""
    deadline = time.monotonic() + timeout
    pause = 0.01
    while not check():
        if time.monotonic() > deadline:
            raise Timeout(f"waited {timeout} s for {what or check}")
        time.sleep(pause)
        pause = min(1.2 * pause, 0.05)  # a look may start a process, and others wait for the core


def ended(child: Any) -> None:
    """Ends what pexpect started, and waits for that: what was killed may not be gone within the tenth of a second that
    pexpect gives it."""
    try:
        child.close(force=True)
    except pexpect.ExceptionPexpect:
        wait_until(lambda: not child.isalive(), "what was killed to be gone")


def _read(file: Path) -> bytes:
    return file.read_bytes() if file.exists() else b""


def sterile_env(home: Path, extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """The environment of a newcomer's first shell: nothing of the machine's own but PATH."""
    env = {
        "HOME": str(home),
        "ZDOTDIR": str(home),
        "XDG_CONFIG_HOME": str(home / ".config"),
        "XDG_STATE_HOME": str(home / ".local/state"),
        "XDG_CACHE_HOME": CACHE,  # any terma would else compile the knowledge anew, for seconds of a core
        "XDG_DATA_HOME": str(home / ".local/share"),
        "PATH": os.environ["PATH"],
        "TERM": "xterm-256color",
        "LANG": "C.UTF-8",
        "LC_ALL": "C.UTF-8",
    }
    return env | dict(extra or {})


def addressed(home: Home) -> dict[str, str]:
    """The address of the test's agent, and the cache of its home."""
    return {
        key: value for key, value in home.env.items() if key.startswith("TERMA_") or key == "XDG_CACHE_HOME"
    }


def command_line(shell: str, home: Path, rc: str) -> list[str]:
    """Writes `rc` into `home`; returns the words that start `shell` (a name or a path) with it alone."""
    home.mkdir(parents=True, exist_ok=True)
    if "zsh" in Path(shell).name:
        (home / ".zshrc").write_text(rc, encoding="utf-8", errors="surrogateescape")
        return [shell, "-d", "-i"]
    if "xonsh" in Path(shell).name:
        (home / ".xonshrc").write_text(rc, encoding="utf-8")
        return [shell, "-i", "--rc", str(home / ".xonshrc")]
    (home / ".bashrc").write_text(rc, encoding="utf-8", errors="surrogateescape")
    return [shell, "--noprofile", "--rcfile", str(home / ".bashrc"), "-i"]


class _Driven:
    """What both drivers share: the probe, the list of commands, the context manager."""

    home: Path

    def type(self, text: str) -> Self:
        raise NotImplementedError

    def press(self, *keys: str) -> Self:
        raise NotImplementedError

    def close(self) -> None:
        raise NotImplementedError

    def wait_for(self, text: str, timeout: float = WAIT) -> Self:
        raise NotImplementedError

    def _await(self, ready: str) -> None:
        """The first prompt; a shell that never shows it is not left behind."""
        try:
            if ready:
                self.wait_for(ready)
        except BaseException:
            self.close()
            raise

    def _idle(self) -> None:
        """Called while waiting; the PTY driver reads what the shell writes, so that it never blocks."""
        time.sleep(0.005)

    def _settle(self) -> None:
        """Called behind the probe's answer: return when what it made the editor draw is there, too."""

    def line(self, timeout: float = WAIT) -> Line:
        """The editor's buffer and cursor, told by the editor. The probe is a key, so it ends a stream."""
        probe = self.home / "probe"
        probe.unlink(missing_ok=True)
        self.press("C-]")
        deadline = time.monotonic() + timeout
        pause, again = 0.5, time.monotonic() + 0.5
        while not (data := _read(probe)).endswith(PROBED):
            if time.monotonic() > deadline:
                raise Timeout(f"the editor did not answer the probe; it wrote {data!r}")
            if time.monotonic() > again and not probe.exists() and self._waits():
                self.press("C-]")  # bare bash drops keys that come next to ^C, xonsh those behind Enter
                pause = min(2 * pause, 4)
                again = time.monotonic() + pause
            self._idle()
        if pause > 0.5:
            data = self._newest(probe)
        cursor, text = data[: -len(PROBED)].split(b"\0", 1)
        self._settle()
        return Line(text.decode("utf-8", "surrogateescape"), int(cursor))

    def _newest(self, probe: Path) -> bytes:
        """The answer to a probe that was pressed more than once: what comes late is not taken for the next one's."""
        stamp, until = probe.stat().st_mtime_ns, time.monotonic() + 0.3
        while probe.stat().st_mtime_ns == stamp and time.monotonic() < until:
            self._idle()
        until = time.monotonic() + WAIT
        while not (data := _read(probe)).endswith(PROBED) and time.monotonic() < until:
            self._idle()
        return data

    @property
    def pid(self) -> int:
        """The shell's process."""
        raise NotImplementedError

    def _waits(self) -> bool:
        """Whether the shell has read every key and waits for more: one that it did not answer is lost then."""
        process = Path(f"/proc/{self.pid}")
        with contextlib.suppress(OSError):
            if (process / "stat").read_text().rpartition(") ")[2][0] == "R":
                return False
            handle = os.open(process / "fd/0", os.O_RDONLY | os.O_NOCTTY | os.O_NONBLOCK)
            try:
                return fcntl.ioctl(handle, termios.FIONREAD, bytes(4)) == bytes(4)
            finally:
                os.close(handle)
        return True

    def at_rest(self) -> Self:
        """Returns when the shell waits for a key. A ^C that comes while an editor draws is heard of with the next key
        only, in a shell without terma, too (zsh: 1 of 500 right behind a key on a busy machine)."""
        wait_until(self._rests, "the shell to wait for a key")
        return self

    def _rests(self) -> bool:
        before = self._waits()
        self._idle()
        return before and self._waits()

    @property
    def ran(self) -> list[str]:
        """Every command line that the shell was about to run, in order (empty lines do not count)."""
        log = self.home / "ran"
        text = log.read_bytes().decode("utf-8", "surrogateescape") if log.exists() else ""
        return text.split("\0")[:-1]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        self.close()


class Shell(_Driven):
    """A shell in a PTY. `raw` holds every byte that it wrote; `text` the same without escape sequences."""

    _fenced = _redraws = False  # what the probe makes the terminal get
    _probed = 0  # where _settle begins to look

    def __init__(
        self,
        shell: str,
        home: Path,
        rc: str,
        *,
        env: Mapping[str, str] | None = None,
        size: tuple[int, int] = (24, 80),
        cwd: Path | None = None,
        ready: str = PROMPT,
    ) -> None:
        self.home = home
        argv = command_line(shell, home, rc)
        self.raw = b""
        self._seen = 0  # where wait_for begins to look
        self._fenced = rc.startswith((ZSH_RC, BASH_RC))
        self._redraws = rc.startswith(BASH_RC)  # behind a command on a key
        self.child: Any = pexpect.spawn(
            argv[0], argv[1:], env=sterile_env(home, env), cwd=str(cwd or home), dimensions=size, timeout=WAIT
        )
        self.child.delaybeforesend = None
        self.child.ptyproc.delayafterclose = self.child.ptyproc.delayafterterminate = 0.02
        self._await(ready)

    @property
    def text(self) -> str:
        return _ESCAPES.sub("", self.raw.decode("utf-8", "replace"))

    def send(self, data: str | bytes) -> Self:
        """Writes raw bytes to the terminal, as a paste or a burst of keys would."""
        self.child.send(data)
        return self

    def type(self, text: str) -> Self:
        return self.send(text)

    def press(self, *keys: str) -> Self:
        for key in keys:
            if key.startswith("C-") and len(key) == 3:
                self.send(chr(ord(key[2].upper()) & 0x1F))
            elif key.startswith("M-"):
                self.send("\x1b" + key[2:])
            else:
                self.send(_KEYS.get(key, key))
        return self

    def read(self, timeout: float = 0.0) -> bytes:
        """The first piece that arrives within `timeout` seconds, added to `raw`; empty when none does."""
        try:
            data: bytes = self.child.read_nonblocking(65536, timeout)
        except (pexpect.TIMEOUT, pexpect.EOF):
            return b""
        self.raw += data
        return data

    def _idle(self) -> None:
        self.read(0.005)

    @property
    def pid(self) -> int:
        return int(self.child.pid)

    def _settle(self) -> None:
        """Reads up to the probe's mark, and in bash the line that is drawn anew behind it."""
        until = time.monotonic() + WAIT
        while self._fenced and FENCE not in self.raw[self._probed :] and time.monotonic() < until:
            self.read(0.05)
        until = min(until, time.monotonic() + 2)
        at = self.raw.rfind(FENCE) + len(FENCE)
        while self._redraws and len(self.raw) == at and time.monotonic() < until:
            self.read(0.05)
        self._probed = len(self.raw)

    def run(self, line: str) -> str:
        """Runs one line, whatever stood on the prompt; returns what was written from Enter to the next prompt."""
        while self.line().text:
            self.press("C-e", "C-u")
        return self.type(line).enter()

    def enter(self) -> str:
        """Runs what stands on the prompt; returns what was written from Enter to the next prompt.

        Nothing that the editor drew before is taken for it, and at the end the editor reads again."""
        line = self.line().text
        before = len(self.raw)
        self.press("Enter")
        self._await_line(before, line)
        written = self.raw[self._seen : self.raw.index(BEGINS, self._seen)]
        return (
            _ESCAPES.sub("", written.decode("utf-8", "replace"))
            .strip("\r\n")
            .removesuffix(PROMPT)
            .strip("\r\n")
        )

    def interrupt(self) -> Self:
        """^C at the prompt, and the next prompt. Any line editor that is at work may lose a ^C, and bare bash may hear
        of it with the next key alone: it is pressed again while no prompt comes."""
        self.mark()
        for _ in range(int(WAIT / 5)):
            for key, seconds in (("C-c", 4), ("Space", 1)):
                with contextlib.suppress(Timeout):
                    return self.press(key).wait_for(PROMPT, timeout=seconds)
        raise Timeout(f"^C brought no prompt; the terminal got {self.raw[-900:]!r}")

    def _await_line(self, before: int, line: str) -> None:
        """Waits until the editor is done with the line that stands behind `before`, and begins with the next one.
        `since` is from where it was done."""
        self._await_bytes(ENDS, before, line)
        self._seen = self.raw.index(ENDS, before) + len(ENDS)
        self._await_bytes(BEGINS, self._seen, line)

    def _await_bytes(self, wanted: bytes, start: int, what: str) -> None:
        deadline = time.monotonic() + WAIT
        while wanted not in self.raw[start:]:
            if not self.read(0.05) and time.monotonic() > deadline:
                raise Timeout(
                    f"waited {WAIT} s for {wanted!r} of {what!r}; the terminal got {self.raw[-900:]!r}"
                )

    def mark(self) -> Self:
        """From here on wait_for looks only at what comes after."""
        while self.read():
            pass
        self._seen = len(self.raw)
        return self

    def since(self) -> str:
        """The text (no escape sequences) since the last mark."""
        return _ESCAPES.sub("", self.raw[self._seen :].decode("utf-8", "replace"))

    def wait_for(self, text: str, timeout: float = WAIT) -> Self:
        """Waits until `text` was written since the last mark. Raises Timeout."""
        deadline = time.monotonic() + timeout
        while text not in self.since():
            if not self.read(0.05) and time.monotonic() > deadline:
                raise Timeout(f"waited {timeout} s for {text!r}; the terminal got {self.raw[-900:]!r}")
        return self

    def close(self) -> None:
        ended(self.child)


class TmuxShell(_Driven):
    """A shell in a tmux of its own: `screen()` is what a person sees, wrapped, scrolled and all."""

    def __init__(
        self,
        shell: str,
        home: Path,
        rc: str,
        *,
        env: Mapping[str, str] | None = None,
        size: tuple[int, int] = (24, 80),
        cwd: Path | None = None,
        ready: str = PROMPT.strip(),
        inside: bool = False,
    ) -> None:
        """`inside`: the shell is told that it is in tmux, as any shell in tmux is."""
        self.home = home
        self._name = f"terma-test-{uuid.uuid4().hex[:12]}"
        argv = command_line(shell, home, rc)
        full = sterile_env(home, env) | {"TERM": "tmux-256color"}
        full.pop("TMUX", None)
        pairs = [f"{key}={value}" for key, value in full.items()]
        clean = ["env", "-i"]
        if inside:
            clean = ["sh", "-c", 'exec env -i TMUX="$TMUX" TMUX_PANE="$TMUX_PANE" "$@"', "sh"]
        rows, cols = size
        where = ["-x", str(cols), "-y", str(rows), "-c", str(cwd or home)]
        self._written = (
            Path(tempfile.gettempdir()) / self._name
        )  # what the pane got; it grows when the screen changes
        self._tmux(
            *("-f", "/dev/null", "new-session", "-d", *where, *clean, *pairs, *argv),
            *(";", "set", "-g", "status", "off", ";", "set", "-s", "escape-time", "0"),
            *(";", "pipe-pane", f"exec cat > {self._written}"),
        )
        self._await(ready)

    def _tmux(self, *words: str) -> str:
        tmux = shutil.which("tmux") or "tmux"
        env = {key: value for key, value in os.environ.items() if not key.startswith("TMUX")}
        env |= {"LC_ALL": "C.UTF-8", "TERM": "xterm-256color"}
        done = subprocess.run(
            [tmux, "-u", "-L", self._name, *words], capture_output=True, check=True, env=env, timeout=WAIT
        )
        return done.stdout.decode("utf-8", "replace")

    @property
    def pid(self) -> int:
        return int(self._tmux("display-message", "-p", "#{pane_pid}"))

    def _settle(self) -> None:
        """Waits until the editor has the terminal again: bash gives it back a moment behind the probe's answer, and a
        ^C in that moment is nobody's."""
        until = time.monotonic() + 2
        while not self._edits() and time.monotonic() < until:
            self._idle()

    def _edits(self) -> bool:
        with contextlib.suppress(OSError, termios.error):
            handle = os.open(f"/proc/{self.pid}/fd/0", os.O_RDONLY | os.O_NOCTTY | os.O_NONBLOCK)
            try:
                return not termios.tcgetattr(handle)[3] & termios.ICANON
            finally:
                os.close(handle)
        return True

    def type(self, text: str) -> Self:
        self._tmux("send-keys", "-l", "--", text)
        return self

    def press(self, *keys: str) -> Self:
        self._tmux("send-keys", "--", *keys)
        return self

    def screen(self, colours: bool = False, history: bool = False) -> str:
        """The visible lines without trailing blanks; with SGR codes, or with the scrollback before them."""
        flags = ["-e"] * colours + ["-S", "-"] * history
        lines = self._tmux("capture-pane", "-p", *flags).split("\n")
        return "\n".join(line.rstrip() for line in lines).rstrip("\n")

    def cursor(self) -> tuple[int, int]:
        """Row and column, from 0."""
        row, col = self._tmux("display-message", "-p", "#{cursor_y} #{cursor_x}").split()
        return int(row), int(col)

    def wait_for(self, text: str, timeout: float = WAIT) -> Self:
        """Waits until `text` stands on the screen. Raises Timeout."""
        return self.wait_screen(lambda screen: text in screen, repr(text), timeout)

    def wait_screen(self, check: Callable[[str], object], what: str = "", timeout: float = WAIT) -> Self:
        """Waits until `check` holds for the screen. Raises Timeout, which shows the screen."""
        deadline = time.monotonic() + timeout
        while True:
            size = self._size()
            if check(screen := self.screen()):
                return self
            if time.monotonic() > deadline:
                raise Timeout(f"waited {timeout} s for {what}; the screen was:\n{screen}")
            self._await_change(size)

    def _size(self) -> int:
        with contextlib.suppress(FileNotFoundError):
            return self._written.stat().st_size
        return 0

    def _await_change(self, size: int) -> None:
        """Returns when the pane has got more than `size` bytes, and in any case soon: a look at the screen starts a
        process, a look at the file does not. What was written before the first look is in no file."""
        until = time.monotonic() + 0.25
        while self._size() == size and time.monotonic() < until:
            time.sleep(0.01)

    def close(self) -> None:
        self._written.unlink(missing_ok=True)
        try:
            shell = int(self._tmux("display-message", "-p", "#{pane_pid}", ";", "kill-server"))
        except subprocess.CalledProcessError:
            return  # the shell had left, and its server with it
        with contextlib.suppress(ProcessLookupError):
            os.kill(shell, signal.SIGKILL)  # xonsh may take a hangup for no end, and spin
