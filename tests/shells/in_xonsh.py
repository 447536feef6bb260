"""A real xonsh with terma loaded from the tree, talking to the test's own agent: what the xonsh tests share."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Home
from tests.shells.driver import PROMPT, Shell, TmuxShell

TREE = Path(__file__).parents[2]
# The tests' own interpreter has the newest xonsh; another one (the oldest, say) is named by TERMA_TEST_XONSH.
XONSH = os.environ.get("TERMA_TEST_XONSH") or str(Path(sys.executable).parent / "xonsh")
needs_xonsh = pytest.mark.skipif(shutil.which(XONSH) is None, reason="xonsh is in requirements-dev.lock")

# The probe writes the editor's line to $HOME/probe, every command line about to run is added to $HOME/ran.
XONSH_RC = f"""
import sys as _test_sys
_test_sys.path.insert(0, {str(TREE)!r})
$PROMPT = {PROMPT!r}
_test_new = 'XONSH_PROMPT_AUTO_SUGGEST' in __xonsh__.env._vars
__xonsh__.env['XONSH_PROMPT_AUTO_SUGGEST' if _test_new else 'AUTO_SUGGEST'] = False
$XONSH_SHOW_TRACEBACK = False
$XONSH_AUTOPAIR = False
$TITLE = ''

@events.on_ptk_create
def _test_keys(bindings, **_):
    @bindings.add('c-]', save_before=lambda event: False)
    def _test_probe(event):
        line = event.current_buffer
        with open($HOME + '/probe', 'w', newline='') as file:
            file.write(str(line.cursor_position) + '\\0' + line.text + '\\0end\\0')

    @bindings.add('c-x', 'c-r', save_before=lambda event: False)
    def _test_redo(event):
        event.current_buffer.redo()

@events.on_precommand
def _test_ran(cmd, **_):
    with open($HOME + '/ran', 'a', newline='') as file:
        file.write(cmd.rstrip('\\n') + '\\0')
"""
LOAD = "xontrib load terma\n"


class XonshPty(Shell):
    """xonsh in a PTY that answers, as terminals do, when it asks where the cursor is. prompt_toolkit draws what has
    changed and no more, so the bytes tell little; for what a person sees there is tmux."""

    def read(self, timeout: float = 0.0) -> bytes:
        data = super().read(timeout)
        for _ in range(data.count(b"\x1b[6n")):
            self.send("\x1b[1;1R")
        return data


def xonsh_env(home: Home, **env: str) -> dict[str, str]:
    """The agent's address for the shell, and `env` on top."""
    ours = {key: value for key, value in home.env.items() if key.startswith("TERMA_")}
    return ours | {"XONSH_DATA_DIR": str(home.home / "xonsh")} | env


def xonsh_rc(before: str = "", after: str = "", load: str = LOAD) -> str:
    """A sterile rc that loads terma, with lines of the test's own before and after that."""
    return f"{XONSH_RC}\n{before}\n{load}{after}\n"


def xonsh(home: Home, before: str = "", after: str = "", load: str = LOAD, **how: Any) -> TmuxShell:
    """xonsh in tmux; `env`, `size`, `cwd`, `ready`, `inside` go to the driver."""
    how["env"] = xonsh_env(home, **how.get("env", {}))
    return TmuxShell(XONSH, home.home, xonsh_rc(before, after, load), **how)


def xonsh_in_pty(home: Home, before: str = "", after: str = "", load: str = LOAD, **how: Any) -> XonshPty:
    """xonsh in a PTY."""
    how["env"] = xonsh_env(home, **how.get("env", {}))
    how.setdefault("ready", PROMPT.strip())
    return XonshPty(XONSH, home.home, xonsh_rc(before, after, load), **how)


def run(shell: TmuxShell, line: str) -> TmuxShell:
    """Runs a line and waits until the editor answers again."""
    shell.type(line).press("Enter")
    shell.line()
    return shell


def fill(shell: TmuxShell, sentence: str, until: str) -> TmuxShell:
    """Types the sentence, presses Ctrl+T and waits until the line is the whole answer; the state line says so."""
    shell.type(sentence).press("C-t").wait_for(until)
    return shell
