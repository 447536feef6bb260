"""Two Ctrl+C in bash, however quick: the first is terma's, the second gives the line up."""

from __future__ import annotations

import contextlib
import termios
import time
from collections.abc import Iterator

import pytest

from tests.conftest import RunningAgent
from tests.shells.driver import PROMPT, Shell, Timeout, wait_until
from tests.shells.in_bash import ask, bash, wait_for_the_end

gaps = pytest.mark.parametrize("gap", [0.0, 0.005, 0.05])


def twice(shell: Shell, gap: float) -> None:
    """^C, and again after `gap` seconds, up to the prompt behind them."""
    shell.mark()
    if gap:
        shell.press("C-c")
        time.sleep(gap)
        shell.press("C-c")
    else:
        shell.send(b"\x03\x03")
    with contextlib.suppress(Timeout):
        shell.wait_for(f"\n{PROMPT}", timeout=5)
    if f"\n{PROMPT}" not in shell.since():
        shell.press("Space").wait_for(f"\n{PROMPT}")  # readline may hear of a ^C with the next key alone
    assert shell.line().text.strip() == ""


@gaps
def test_on_an_answer_as_it_came_the_second_gives_the_words_up(agent: RunningAgent, gap: float) -> None:
    agent.will_say("ls -l")
    with bash(agent) as shell:
        for _ in range(3):
            twice(ask(shell, "list it"), gap)
        assert shell.run("bind -X | grep -c C-c") == "0"


@gaps
def test_while_an_answer_comes_the_second_gives_the_words_up(agent: RunningAgent, gap: float) -> None:
    agent.will_do({"delta": "@@@@"}, {"hang": True})
    with bash(agent) as shell:
        for _ in range(3):
            shell.type("list it").line()
            shell.mark().press("C-t").wait_for("@@@@")
            twice(shell, gap)


def test_straight_behind_the_key_it_never_ends_the_shell(agent: RunningAgent) -> None:
    """Bash itself leaves where a ^C meets it while it opens a process substitution for a command on a key."""
    agent.will_do({"delta": "@@@@"}, {"hang": True})
    with bash(agent) as shell:
        for number in range(20):
            shell.type("list it").line()
            shell.press("C-t")
            time.sleep(0.001 * (1 + number % 10))
            shell.press("C-c")
            while shell.line().text:
                shell.press("C-e", "C-u")
        assert shell.run("echo alive") == "alive"


def test_a_key_of_the_persons_own_stays_theirs(agent: RunningAgent) -> None:
    """Where the terminal interrupts with another key, Ctrl+C may be bound; it is again at once."""
    agent.will_say("ls -l")
    with bash(agent, "stty intr ^Y; own() { READLINE_LINE=mine; }; bind -x '\"\\C-c\": own'") as shell:
        ask(shell, "list it")
        shell.type("x").line()
        shell.press("C-c")
        assert shell.line().text == "mine"
        shell.press("C-e", "C-u").line()
        assert "own" in shell.run("bind -X | grep C-c")


# The first thing that the key does, and the last that an answer does, takes as long as the test wants, once.
SLOW = """
eval "_quick() $(declare -f _terma_unhook_keys | tail -n +2)"
_terma_unhook_keys() {
  _quick
  if [[ ! -e ~/slow || -e ~/slowed ]]; then return 0; fi
  : > ~/slowed
  printf SLOW >&2
  while [[ -e ~/slow ]]; do :; done
}
"""


@contextlib.contextmanager
def slow(shell: Shell) -> Iterator[None]:
    """Within, the next call of that function begins and does not end."""
    (shell.home / "slow").touch()
    try:
        yield
    finally:
        for name in ("slow", "slowed"):
            (shell.home / name).unlink(missing_ok=True)


@pytest.mark.parametrize("key", ["C-t", "M-e"])
def test_before_it_is_a_key_it_gives_the_words_back_as_well(agent: RunningAgent, key: str) -> None:
    """For the first milliseconds ^C is a signal still, with which bash throws the whole command of the key away. The
    terminal, which answers what the next prompt asks it, is this test."""
    agent.will_do({"delta": "@@@@"}, {"hang": True})
    with bash(agent, after=SLOW) as shell:
        for _ in range(3):
            shell.type("ls -la").line()
            asked = shell.raw.count(b"\x1b[5n")
            with slow(shell):
                shell.mark().press(key).wait_for("SLOW").press("C-c")
                wait_until(lambda n=asked: shell.read() and shell.raw.count(b"\x1b[5n") > n, "the question")
            assert shell.send("\x1b[0n").line().text == "ls -la"
            shell.press("C-e", "C-u").line()
        assert shell.run("bind -X | grep -c 0n") == "0"


def test_in_the_midst_of_the_question_for_a_hint_the_editing_mode_is_put_right(agent: RunningAgent) -> None:
    """The terminal's answer runs a macro that goes by way of readline's other mode. The test is the terminal, and types
    the first step alone: a ^C throws the others away."""
    with bash(agent, env={"TERMA_HINTS": "true"}) as shell:
        shell.type("false").line()
        asked = len(shell.raw)
        shell.press("Enter")
        wait_until(lambda: shell.read() and b"\x1b[5n" in shell.raw[asked:], "the question to the terminal")
        shell.send("\x1b[7773;1~").at_rest().interrupt().mark()
        shell.type("shopt -o -p emacs").press("Enter").wait_for("o emacs")
        assert "set -o emacs" in shell.since()


def interrupts_by_key(shell: Shell) -> bool:
    """Whether the terminal hands ^C on to the shell as it does any key, and sends no signal."""
    shell.read()
    return bool(termios.tcgetattr(shell.child.fileno())[6][termios.VINTR] == b"\0")


VI = 'set -o vi; bind -m vi-insert -x \'"\\C-]": _test_probe "$_"\''


@pytest.mark.parametrize("mode", ["", VI], ids=["emacs", "vi"])
def test_right_behind_an_edit_of_an_answer_the_edit_stays_off_the_next_prompt(
    agent: RunningAgent, mode: str
) -> None:
    """The key runs terma's own part first: a ^C that meets that, when it is a signal again, makes bash throw it away,
    and the key of its macro is still to come. On this shell that moment is a long one."""
    agent.will_say("ls -l")
    with bash(agent, mode, SLOW) as shell:
        for key in ["x", "\x7f", "\x15", "\x1b[3~", "\x1bt"]:
            ask(shell, "list it")
            with slow(shell):
                shell.mark().send(key).wait_for("SLOW").press("C-c").wait_for(f"\n{PROMPT}")
            assert shell.line().text == "", key
            assert shell.type("xyz").line().text == "xyz", key
            shell.interrupt().line()
        assert shell.run("bind -s | grep -c '7772;5'") == "0"


def test_typed_ahead_into_a_search_it_gives_the_line_up(agent: RunningAgent) -> None:
    """It comes as a key there, out of a search, and readline runs no command of `bind -x` from one."""
    agent.will_say("ls -l")
    with bash(agent) as shell:
        for _ in range(3):
            ask(shell, "list it")
            shell.mark().send("\x12\x03")
            with contextlib.suppress(Timeout):
                shell.wait_for(f"\n{PROMPT}", timeout=2)
            shell.press("Space")
            assert shell.line().text.strip() == ""
            assert "cannot find keymap" not in shell.since()
            shell.press("C-e", "C-u").line()


BINDINGS = (
    "for m in emacs-standard vi-insert; do bind -m $m -p; bind -m $m -s; bind -m $m -X; done"
    " | grep '^.\\\\C-[c-k]\"'"
)


@pytest.mark.parametrize("mode", ["", VI], ids=["emacs", "vi"])
def test_two_answers_on_one_prompt_leave_every_key_what_it_was(agent: RunningAgent, mode: str) -> None:
    """The first leaves a ^C that is late for one, which is no binding of the person's to the second."""
    agent.will_say("ls -l")
    with bash(agent, mode) as shell:
        before = shell.run(BINDINGS)
        for _ in range(2):
            ask(shell, "list it")
            shell.press("C-u").line()
            ask(shell, "list it")
            shell.type("x").line()
            shell.interrupt().line()
        assert shell.run(BINDINGS) == before
        assert "terma" not in before and "7772" not in before


@pytest.mark.parametrize("mode", ["", VI], ids=["emacs", "vi"])
@pytest.mark.parametrize("key", ["C-t", "x"])
def test_behind_another_key_in_mid_answer_it_gives_the_words_back(
    agent: RunningAgent, mode: str, key: str
) -> None:
    agent.will_do(agent.pause, {"delta": "ls -l"}, candidates=("ls -a",))
    with bash(agent, mode) as shell:
        for pause in [0, 0.02, 0.05]:
            shell.type("list it").line()
            shell.press("C-t")
            wait_until(lambda: interrupts_by_key(shell), "^C to be a key")
            shell.press(key)
            time.sleep(pause)
            shell.press("C-c")
            assert wait_for_the_end(shell).line().text == "list it"
            shell.interrupt().line()
