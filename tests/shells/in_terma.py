"""terma itself in a PTY, with a scripted model behind its agent: what the tests of conversations share."""

from __future__ import annotations

import json
import os
import shutil
import signal
import sys
import termios
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Self

import pexpect

from tests.conftest import Home
from tests.model_server import ModelServer, Reply, fails, says
from tests.model_wire import Call
from tests.shells.driver import WAIT, Shell, ended, wait_until

TERMA = str(Path(sys.executable).parent / "terma")
SHELLS = ("bash", "zsh", "fish")
PATIENCE = 3 * WAIT  # seconds: terma starts, and an agent with it, on a machine that is busy
PROMPT = "~ ❯ "
KEYS = "uit  "  # the end of the row of keys beneath a proposal
NO_TOOLS = fails(400, "this model does not support tools")
MODEL = {
    "TERMA_MODEL": "m",
    "TERMA_MODELS__M__MODEL": "tiny",
    "TERMA_MODELS__M__API_KEY": "sesame",
    "TERMA_RETRIES": "0",
}
RC = {
    ".bashrc": "PS1='inner> '\n",
    ".zshrc": "PS1='inner> '\nunsetopt prompt_sp\n",
    ".config/fish/config.fish": "function fish_prompt; echo -n 'inner> '; end\nset -g fish_greeting\n",
}


class Terma(Shell):
    """`terma …` in a PTY of its own: type, press, mark, wait_for, since; `status` once it ended."""

    def __init__(
        self,
        home: Home,
        *arguments: str,
        size: tuple[int, int] = (24, 80),
        cwd: Path | None = None,
        **env: str,
    ) -> None:
        self.home = home.home
        self.raw = b""
        self._seen = 0
        self.child: Any = pexpect.spawn(
            TERMA,
            list(arguments),
            # This terminal does not say where its cursor is. Asked, it would be waited for at the end of each prompt.
            env=home.env | {"TERM": "xterm-256color", "LANG": "C.UTF-8", "PROMPT_TOOLKIT_NO_CPR": "1"} | env,
            cwd=str(cwd or home.home),
            dimensions=size,
            timeout=PATIENCE,
        )
        self.child.delaybeforesend = None
        self.child.ptyproc.delayafterclose = self.child.ptyproc.delayafterterminate = 0.02

    def wait_for(self, text: str, timeout: float = PATIENCE) -> Self:
        return super().wait_for(text, timeout)

    def prompted(self, after: str = "", prompt: str = PROMPT) -> Self:
        """Return when `after` was written since the last mark, and behind it a prompt that reads keys: the one before
        is drawn anew while a line is typed."""
        self.wait_for(after)

        def back() -> bool:
            self.read(0.02)
            return prompt in self.since().partition(after)[2] if after else prompt in self.since()

        wait_until(back, f"a prompt after {after!r}", PATIENCE)
        return self.waits_for_input()

    def enter(self, line: str, until: str, prompt: str = PROMPT) -> Self:
        """Type a line and Enter at a prompt; return at the next one, once `until` was written. The line itself must
        not hold `until`."""
        return self.waits_for_input().mark().type(line).press("Enter").prompted(until, prompt)

    @property
    def pid(self) -> int:
        pid: int = self.child.pid
        return pid

    def status(self) -> int:
        """Its exit status, above 128 for a signal, as a shell has it."""

        def ended() -> bool:
            self.read()
            return not self.child.isalive()

        wait_until(ended, f"terma to end; the terminal got {self.raw[-600:]!r}", PATIENCE)
        while self.read():
            pass
        if self.child.signalstatus is not None:
            return 128 + int(self.child.signalstatus)
        return int(self.child.exitstatus)

    def wait_until_runs(self, mark: str) -> Self:
        """Return when a process has `mark` in its command line."""
        wait_until(lambda: self.read() is None or processes_with(mark), f"{mark} to run", PATIENCE)
        return self

    def screen_end(self) -> str:
        """The last lines as they look."""
        from terma.output import plain

        return plain(self.raw.decode("utf-8", "replace"), 80, 24)[-200:]

    def close(self) -> None:
        """End it at once, however busy the machine is."""
        if self.child.closed:
            return
        if self.child.isalive():
            self.child.kill(signal.SIGKILL)
            wait_until(lambda: not self.child.isalive(), "the end of terma after SIGKILL")
        ended(self.child)

    def resize(self, rows: int, columns: int) -> None:
        self.child.setwinsize(rows, columns)

    @property
    def echoes(self) -> bool:
        """Whether the terminal shows what is typed: as it was before terma."""
        modes = termios.tcgetattr(self.child.child_fd)
        return bool(modes[3] & termios.ECHO) and bool(modes[3] & termios.ICANON)

    def waits_for_input(self) -> Self:
        """Return when terma reads single keys."""

        def raw() -> bool:
            self.read(0.01)
            return not termios.tcgetattr(self.child.child_fd)[3] & termios.ICANON

        wait_until(raw, "terma to read keys", PATIENCE)
        return self


def prepared(home: Home, server: ModelServer | None, shell: str = "bash", *, with_agent: bool = True) -> Home:
    """`home` with the shells' start-up files, and the settings that name the model of `server`; its agent runs."""
    for name, text in RC.items():
        file = home.home / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    home.env.pop("TERMA_ENGINE", None)
    home.env["SHELL"] = shutil.which(shell) or shell
    if server is not None:
        home.configure(MODEL | {"TERMA_MODELS__M__API_BASE": server.base})
    if with_agent:
        home.with_agent()
    return home


def proposes(*commands: str, words: str = "", description: str = "shows something", **more: Any) -> Reply:
    """A turn that calls run_command for each, its arguments in pieces as models send them."""
    calls = []
    for number, command in enumerate(commands):
        text = json.dumps({"command": command, "description": description})
        pieces = tuple(text[at : at + 7] for at in range(0, len(text), 7))
        calls.append(Call(f"call_{number}_{abs(hash(command)) % 10_000}", "run_command", pieces))
    return Reply(pieces=(words,) if words else (), calls=tuple(calls), finish="tool_calls", **more)


def writes(*commands: str, words: str = "", description: str = "shows something") -> Reply:
    """The same from a model that has no tools: JSON at the end of its text."""
    text = json.dumps({"commands": [{"command": one, "description": description} for one in commands]})
    return says(f"{words}\n\n", "```json\n", text[:9], text[9:], "\n```")


def told(server: ModelServer, number: int) -> str:
    """All that the model was told with request `number`, as one text."""
    turns = server.wait_for(number).body["messages"]
    return "\n".join(str(turn.get("content") or "") for turn in turns)


def processes_with(mark: str) -> list[int]:
    """The processes whose command line holds `mark`."""
    found = []
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            line = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode("utf-8", "replace")
            state = (
                (entry / "stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()[0]
            )
        except OSError:
            continue
        if mark in line and state != "Z" and int(entry.name) != os.getpid():
            found.append(int(entry.name))
    return found


def none_left(mark: str, within: float = PATIENCE) -> None:
    """Wait until no process has `mark` in its command line."""
    wait_until(lambda: not processes_with(mark), f"the end of every process with {mark!r}", within)


def served() -> Iterator[ModelServer]:
    """A model server for one test."""
    with ModelServer() as made:
        yield made
