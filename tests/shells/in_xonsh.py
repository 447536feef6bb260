"""A real xonsh with terma loaded from the tree, talking to the test's own agent: what the xonsh tests share."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import sys
import time
from pathlib import Path
from typing import Any, TypeVar

import pytest

from tests.conftest import WAIT, Home
from tests.shells.driver import NO_LIST, PROMPT, Shell, Timeout, TmuxShell, _Driven, addressed, wait_until
from tests.shells.oldest_xonsh import TREE, oldest_xonsh

# The tests' own interpreter has the newest xonsh; another one is named by TERMA_TEST_XONSH.
XONSH = os.environ.get("TERMA_TEST_XONSH") or str(Path(sys.executable).parent / "xonsh")
needs_xonsh = pytest.mark.skipif(
    shutil.which(XONSH) is None and not os.environ.get("CI"), reason="xonsh is in requirements-dev.lock"
)
# For what must hold at both ends of what is supported: `which` goes to xonsh().
NEWEST, OLDEST = "newest", "oldest"
both = pytest.mark.parametrize("which", [NEWEST, OLDEST])

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

_test_fresh = []
_test_last = []

@events.on_pre_prompt
def _test_new_prompt(**_):
    _test_fresh.append(True)

@events.on_ptk_create
def _test_keys(bindings, prompter, **_):
    def _test_prompts(app):
        if _test_fresh and not app.is_done:  # the editor reads keys from here on
            _test_fresh.clear()
            with open($HOME + '/prompts', 'a') as file:
                file.write('.')
    prompter.app.after_render += _test_prompts
    def _test_busy(app):  # before a screen is drawn it is known whether an answer still comes
        terma = _test_sys.modules.get('xontrib_terma')
        editor = terma and terma._session and terma._session.editor
        busy = bool(editor and editor.prompt.is_busy)
        if _test_last != [busy]:
            _test_last[:] = [busy]
            with open($HOME + '/busy', 'w') as file:
                file.write(str(busy))
    prompter.app.before_render += _test_busy
    @bindings.add('c-]', save_before=lambda event: False, eager=True)  # it begins longer ones: no second is waited
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
START = 2 * WAIT  # seconds: the bound for the first prompt
AnyShell = TypeVar("AnyShell", bound=_Driven)
DONE = "scripted · script"  # the end of the state line behind a whole answer; a note comes before it


class XonshPty(Shell):
    """xonsh in a PTY that answers, as terminals do, when it asks where the cursor is. prompt_toolkit draws what has
    changed and no more, so the bytes tell little; for what a person sees there is tmux."""

    def read(self, timeout: float = 0.0) -> bytes:
        data = super().read(timeout)
        for _ in range(data.count(b"\x1b[6n")):
            self.send("\x1b[1;1R")
        return data

    def close(self) -> None:
        """At once: pexpect would give it a moment to leave by itself, which is no measure on a busy machine."""
        if self.child.isalive():
            self.child.kill(signal.SIGKILL)
            self.child.wait()
        super().close()


def xonsh_env(home: Home, **env: str) -> dict[str, str]:
    """The agent's address for the shell, and `env` on top. The terma that is installed beside this xonsh is left alone:
    a test says which one it loads, and when."""
    data = home.home / "xonsh"
    data.mkdir(exist_ok=True)  # xonsh 0.19 does not make it
    return addressed(home) | {"XONSH_DATA_DIR": str(data), "XONTRIBS_AUTOLOAD_DISABLED": "1"} | NO_LIST | env


def xonsh_rc(before: str = "", after: str = "", load: str = LOAD) -> str:
    """A sterile rc that loads terma, with lines of the test's own before and after that."""
    return f"{XONSH_RC}\n{before}\n{load}{after}\n"


def program(which: str) -> str:
    """The newest xonsh or the oldest."""
    return oldest_xonsh() if which == OLDEST else XONSH


def xonsh(
    home: Home, before: str = "", after: str = "", load: str = LOAD, which: str = NEWEST, **how: Any
) -> TmuxShell:
    """xonsh in tmux; `env`, `size`, `cwd`, `ready`, `inside` go to the driver."""
    how["env"] = xonsh_env(home, **how.get("env", {}))
    ready = how.pop("ready", PROMPT.strip())
    return started(
        TmuxShell(program(which), home.home, xonsh_rc(before, after, load), ready="", **how), ready
    )


def xonsh_in_pty(home: Home, before: str = "", after: str = "", load: str = LOAD, **how: Any) -> XonshPty:
    """xonsh in a PTY."""
    how["env"] = xonsh_env(home, **how.get("env", {}))
    ready = how.pop("ready", PROMPT.strip())
    return started(XonshPty(XONSH, home.home, xonsh_rc(before, after, load), ready="", **how), ready)


def started(shell: AnyShell, ready: str = PROMPT.strip()) -> AnyShell:
    """The shell at its first prompt: xonsh takes half a second of a core till then, twenty times that on a busy one."""
    try:
        shell.wait_for(ready, START)
    except BaseException:
        shell.close()
        raise
    return shell


def run(shell: TmuxShell, line: str, *more: str) -> TmuxShell:
    """Runs a line (`more` are keys behind its Enter) and waits until the editor reads at the next prompt."""
    before = counted(shell)
    shell.type(line).press("Enter", *more)
    wait_until(lambda: prompts(shell) > before, f"the prompt after {line!r}")
    return shell


def fresh(shell: TmuxShell) -> TmuxShell:
    """Leaves the line and waits until the editor reads at the next prompt. Of an answer that stands as it came Ctrl+C
    alone gives the words back: it is changed first."""
    shell.press("C-u")
    return interrupted(shell)


def entered(shell: TmuxShell) -> TmuxShell:
    """Presses Enter until a line runs, each time behind a pause: one that comes sooner behind an answer, or behind an
    Enter that did nothing, does nothing."""

    def has_run() -> bool:
        if not shell.ran:
            time.sleep(0.3)
            shell.press("Enter")
        return bool(shell.ran)

    wait_until(has_run, "an Enter that was meant")
    return shell


def interrupted(shell: TmuxShell) -> TmuxShell:
    """Presses Ctrl+C, and again while no new prompt comes: xonsh loses one that meets it between two of its readers."""
    before = counted(shell)
    for _ in range(int(WAIT / 5)):
        shell.press("C-c")
        with contextlib.suppress(Timeout):
            wait_until(lambda: prompts(shell) > before, "the prompt after ^C", 5)
            return shell
    raise Timeout(f"^C brought no prompt; the screen was:\n{shell.screen()}")


def cleared(shell: TmuxShell) -> TmuxShell:
    """Clears the screen, so that what stands there next is new; the editor must be reading."""
    return shell.press("C-l").wait_screen(
        lambda screen: screen.endswith("ready>") and "\n" not in screen, "a cleared screen"
    )


def prompts(shell: TmuxShell) -> int:
    """How many prompts there were."""
    file = shell.home / "prompts"
    return file.stat().st_size if file.exists() else 0


def counted(shell: TmuxShell) -> int:
    """How many prompts there were, the one on the screen among them: the first is seen before it is counted."""
    wait_until(lambda: prompts(shell), "the first prompt", START)
    return prompts(shell)


def fill(shell: TmuxShell, sentence: str, until: str) -> TmuxShell:
    """Types the sentence, presses Ctrl+T, waits for `until`: for a line (`ready> …`) in the midst of an answer, or for
    the state line, and then for the answer's end, since its last note comes ahead of that and of the whole line."""
    shell.type(sentence).press("C-t").wait_for(until)
    if not until.startswith("ready>"):
        wait_until(lambda: (shell.home / "busy").read_text() == "False", "the end of the answer")
    return shell


def asked_until_seen(shell: TmuxShell, source: str) -> TmuxShell:
    """Asks `?why` until the answer's last line names the source. The agent gives a terminal 0.3 s to show its text, and
    on a machine that is busy with other things asks in vain now and then."""

    def seen() -> bool:
        run(shell, "?why").wait_screen(lambda screen: screen.endswith("\nready>"), "the prompt")
        return source in shell.screen()

    wait_until(seen, f"an answer with {source!r}", 3 * WAIT)
    return shell
