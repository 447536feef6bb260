"""In a real tmux, after real commands in real shells, the last command's own output is found."""

from __future__ import annotations

import asyncio
import os
import re
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from terma.context.gather import gather
from terma.types import CaptureRequest, Output
from tests.conftest import wait_until
from tests.e2e.captured import BASH_ASK, BASH_PROMPTS, ZSH_ASK, ZSH_PROMPTS, ask
from tests.shells.driver import TmuxShell
from tests.unit.context.test_run import program

SHELLS = [("zsh", name) for name in ZSH_PROMPTS] + [("bash", name) for name in BASH_PROMPTS]
_READY = re.compile("[>#❯$] \\Z")
FAILURE = "cat: nowhere: No such file or directory"


class Pane:
    """A shell in tmux to which commands are typed; `why` asks after the last one."""

    def __init__(self, shell: str, prompt: str, home: Path, columns: int = 80, lines: int = 24) -> None:
        rc = ZSH_ASK + ZSH_PROMPTS[prompt] if shell == "zsh" else BASH_ASK + BASH_PROMPTS[prompt]
        self.shell = shell
        self.tmux = TmuxShell(shell, home, rc + "\n", size=(lines, columns), ready="ready")
        socket, pane = self.tell("#{socket_path}"), self.tell("#{pane_id}")
        self.env = {"TMUX": f"{socket},1,0", "TMUX_PANE": pane}
        self._prompts = 0
        self.settle()

    def tell(self, what: str) -> str:
        return self.tmux._tmux("display-message", "-p", what).strip()

    def run(self, command: str, *more: str) -> Pane:
        """Type a command, and more lines of it, and wait until it has ended."""
        for line in (command, *more):
            self.tmux.type(line).press("Enter")
        return self.settle()

    def settle(self) -> Pane:
        """Wait for the next prompt, and until the cursor stands behind it."""
        self._prompts += 1
        wait_until(lambda: self._drawn() == self._prompts and _READY.search(self._left()), "a prompt")
        return self

    def _drawn(self) -> int:
        file = self.tmux.home / "prompts"
        return file.stat().st_size if file.exists() else 0

    def _left(self) -> str:
        row, column = self.tmux.cursor()
        return (self.tmux.screen().split("\n") + [""] * 50)[row].ljust(column)[:column]

    def why(self, command: str, question: str = "") -> Output:
        """Type the question and wait until it was accepted, then capture."""
        asked = f"?why {question}".strip()
        self.run(asked)
        return ask(self.env, command, asked=asked, shell=self.shell, path=os.environ["PATH"])


@pytest.fixture
def panes(place: Path) -> Iterator[Any]:
    opened: list[Pane] = []

    def start(shell: str, prompt: str = "plain", **size: int) -> Pane:
        opened.append(Pane(shell, prompt, place / f"home{len(opened)}", **size))
        return opened[-1]

    yield start
    for pane in opened:
        pane.tmux.close()


@pytest.mark.parametrize(("shell", "prompt"), SHELLS)
@pytest.mark.parametrize("columns", [80, 34])
def test_under_each_prompt_the_output_is_found(shell: str, prompt: str, columns: int, panes: Any) -> None:
    pane = panes(shell, prompt, columns=columns)
    pane.run("echo before").run("cat nowhere")
    assert pane.why("cat nowhere") == Output(FAILURE, "tmux", found=True)
    long = "echo a-long-command-that-needs more-than-one-row of-a-narrow-pane; cat nowhere"
    pane.run(long)
    said = f"a-long-command-that-needs more-than-one-row of-a-narrow-pane\n{FAILURE}"
    seen = pane.why(long, "does it not stand on one row of this pane")
    assert seen == Output(said, "tmux", found=True), pane.tmux.screen(history=True)
    pane.run("printf unfinished")
    assert pane.why("printf unfinished") == Output("unfinished", "tmux", found=True)
    pane.run("false")
    assert pane.why("false") == Output("", "tmux", found=True)


@pytest.mark.parametrize(
    ("shell", "joined"),
    [("zsh", "for i in 1 2\ndo echo $i\ndone"), ("bash", "for i in 1 2; do echo $i; done")],
)
def test_a_command_of_several_lines_is_found(shell: str, joined: str, panes: Any) -> None:
    pane = panes(shell)
    pane.run("for i in 1 2", "do echo $i", "done")
    assert pane.why(joined).text == "1\n2"
    pane.run("cat <<END", "one", "two", "END")
    assert pane.why("cat <<END\none\ntwo\nEND").text == "one\ntwo"


@pytest.mark.parametrize("shell", ["zsh", "bash"])
def test_what_the_person_did_in_between_does_not_hide_it(shell: str, panes: Any) -> None:
    pane = panes(shell)
    pane.run("cat nowhere").run("")
    pane.tmux.type("half a line").wait_for("half a line").press("C-c")
    pane.settle()
    pane.run("?why")
    assert pane.why("cat nowhere") == Output(FAILURE, "tmux", found=True)


@pytest.mark.parametrize("shell", ["zsh", "bash"])
def test_the_last_of_several_runs_is_taken(shell: str, panes: Any) -> None:
    pane = panes(shell)
    for _ in range(3):
        pane.run("cat nowhere")
    pane.run("set -x")
    pane.run("cat nowhere")
    seen = pane.why("cat nowhere")
    assert FAILURE in seen.text.split("\n")
    assert seen.text.count("nowhere") == 2  # the trace and the failure of the last run alone


@pytest.mark.parametrize(("shell", "prompt"), SHELLS)
def test_it_is_found_when_a_key_asks(shell: str, prompt: str, panes: Any) -> None:
    pane = panes(shell, prompt).run("echo before").run("cat nowhere")
    assert ask(pane.env, "cat nowhere", asked="", shell=shell) == Output(FAILURE, "tmux", found=True)


@pytest.mark.parametrize("shell", ["zsh", "bash"])
def test_ctrl_l_does_not_hide_it(shell: str, panes: Any) -> None:
    pane = panes(shell).run("cat nowhere")
    pane.tmux.press("C-l").wait_screen(lambda screen: "nowhere" not in screen, "a clear screen")
    assert pane.why("cat nowhere") == Output(FAILURE, "tmux", found=True)


def test_what_scrolled_away_is_not_made_up(panes: Any) -> None:
    pane = panes("bash", lines=10)
    pane.tmux._tmux("clear-history")
    pane.run("cat nowhere").run("clear")
    pane.tmux._tmux("clear-history")
    seen = pane.why("cat nowhere")
    assert not seen.found
    assert "No such file" not in seen.text
    pane.run("seq 3000")
    seen = pane.why("seq 30")
    assert (seen.found, seen.source) == (False, "tmux")
    assert seen.text.endswith("\n3000")


def test_wide_characters_and_tabs_come_back_whatever_the_agents_locale(
    panes: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("LC_ALL", "LC_CTYPE", "LANG"):
        monkeypatch.setenv(name, "C")
    pane = panes("bash", columns=30)
    command = "printf '日本語のとても長い\\tテキスト✓\\n'"
    pane.run(command)
    assert pane.why(command).text.split() == ["日本語のとても長い", "テキスト✓"]


def test_a_progress_bar_is_its_last_state(panes: Any) -> None:
    pane = panes("bash")
    command = r"printf '\r%d%%' 10 50 100; printf '\n\033[31mfailed\033[0m\n'"
    pane.run(command)
    assert pane.why(command).text == "100%\nfailed"


def test_a_pane_or_server_that_is_gone_is_named(panes: Any, place: Path) -> None:
    pane = panes("bash")
    gone = ask(pane.env | {"TMUX_PANE": "%99"}, "make")
    assert gone == Output(trouble="tmux: can't find pane: %99")
    assert (
        "tmux: error connecting to" in ask({"TMUX": f"{place}/none,1,0", "TMUX_PANE": "%0"}, "make").trouble
    )


def test_a_server_that_hangs_is_cut_off(panes: Any) -> None:
    pane = panes("bash").run("cat nowhere")
    server = int(pane.tell("#{pid}"))
    request = CaptureRequest(pane.env, command="cat nowhere", path=os.environ["PATH"])
    os.kill(server, signal.SIGSTOP)
    try:
        assert asyncio.run(gather(request, limit=0.3)) == Output(trouble="tmux did not answer within 300 ms")
    finally:
        os.kill(server, signal.SIGCONT)
    assert pane.why("cat nowhere") == Output(FAILURE, "tmux", found=True)


def test_a_pane_that_was_only_inherited_gives_way_to_the_terminal_in_which_the_shell_is(
    panes: Any, place: Path
) -> None:
    """A terminal that was started from within tmux still has TMUX_PANE in its environment."""
    other = panes("bash").run("echo elsewhere")
    path = program(place, "wezterm", f"printf 'ready> cat nowhere\\n{FAILURE}\\nready> ?why\\n'")
    inside = {"WEZTERM_PANE": "0", "WEZTERM_UNIX_SOCKET": "/run/wezterm"}
    assert ask(other.env | inside, "cat nowhere", path=path) == Output(FAILURE, "wezterm", found=True)
