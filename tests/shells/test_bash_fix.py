"""The fix on bash's prompt: put there behind an explanation, stepped through, taken back, asked for by the key."""

from __future__ import annotations

import pytest

from tests.conftest import RunningAgent
from tests.shells.driver import Shell, TmuxShell
from tests.shells.in_bash import BASHES, answered, bash, bash_in_tmux, wait_for_the_end

every_bash = pytest.mark.parametrize("which", BASHES)
NOWHERE = "ls nowhere"
FIXES = ("ls somewhere", "rm -rf nowhere", "echo '$(date)' \\ \"é\"")
VI = "set -o vi\nfor m in vi-insert vi-command; do bind -m $m -x '\"\\C-]\": _test_probe'; done\n"


def fail(shell: Shell, line: str = NOWHERE) -> Shell:
    shell.run(line)
    return shell


def why_in_tmux(shell: TmuxShell, fix: str = FIXES[0]) -> TmuxShell:
    """Fails, asks why, and waits for the fix on the prompt."""
    shell.type(NOWHERE).press("Enter").wait_for("cannot access").line()
    shell.type("?why").press("Enter").wait_for("ready> " + fix)
    return shell


def why_answered_by_a_terminal(shell: Shell) -> Shell:
    """The same in a bare PTY, where the test is the terminal that answers."""
    assert "scripted · " in fail(shell).run("?why")
    return answered(shell)


@every_bash
@pytest.mark.parametrize("mode", ["", VI, "PS1='two\\nlines\\nready> '"])
def test_the_first_fix_stands_on_the_next_prompt(agent: RunningAgent, mode: str, which: str) -> None:
    agent.will_explain("heard.", fixes=FIXES)
    with bash_in_tmux(agent, after=mode, which=which) as shell:
        assert why_in_tmux(shell).line().text == FIXES[0]
        shell.wait_screen(lambda screen: screen.endswith("fix 1/3"), "fix 1/3 below")
        assert all("somewhere" not in line for line in shell.ran)


@every_bash
def test_it_is_put_there_in_a_bare_terminal_too(agent: RunningAgent, which: str) -> None:
    agent.will_explain("heard.", fixes=("for i in 1\ndo\n  echo $i\ndone",))
    with bash(agent, which=which) as shell:
        assert why_answered_by_a_terminal(shell).line() == ("for i in 1\ndo\n  echo $i\ndone", 28)
        assert shell.enter() == "1"


@every_bash
@pytest.mark.parametrize("mode", ["", VI])
def test_the_key_steps_through_the_fixes_and_one_undo_takes_them_back(
    agent: RunningAgent, mode: str, which: str
) -> None:
    agent.will_explain("heard.", fixes=FIXES)
    with bash_in_tmux(agent, after=mode, which=which) as shell:
        why_in_tmux(shell)
        agent.kill()  # all of it is local
        shell.press("C-t").wait_for("⚠ high: deletes files, recursively · fix 2/3")
        assert shell.line().text == FIXES[1]
        shell.press("C-t").wait_for("fix 3/3")
        assert shell.line().text == FIXES[2]
        shell.press("C-t").wait_for("fix 1/3")
        assert shell.line().text == FIXES[0]
        shell.press("C-_")
        assert shell.line().text == ""
        shell.press("C-t").wait_for("fix 1/3")
        assert shell.line().text == FIXES[0]


@every_bash
def test_the_risk_of_the_only_fix_is_seen(agent: RunningAgent, which: str) -> None:
    agent.will_explain("heard.", fixes=("rm -rf nowhere",))
    with bash_in_tmux(agent, which=which) as shell:
        why_in_tmux(shell, "rm -rf nowhere")
        shell.wait_screen(
            lambda screen: screen.endswith("⚠ high: deletes files, recursively"), "the risk below"
        )


@every_bash
def test_a_changed_fix_is_a_sentence_like_any_other(agent: RunningAgent, which: str) -> None:
    agent.will_explain("heard.", fixes=FIXES)
    agent.will_say("uptime")
    with bash_in_tmux(agent, which=which) as shell:
        why_in_tmux(shell).type(" and more").line()
        shell.press("C-t").wait_for("ready> uptime")
        shell.wait_for("· script")


@every_bash
def test_where_no_answer_comes_the_key_brings_the_fix(agent: RunningAgent, which: str) -> None:
    agent.will_explain("heard.", fixes=FIXES)
    with bash(agent, which=which) as shell:
        assert "scripted · " in fail(shell).run("?why")
        assert shell.line().text == ""
        shell.mark().press("C-t").wait_for("fix 1/3")
        assert shell.line().text == FIXES[0]


@every_bash
def test_what_was_typed_already_stays(agent: RunningAgent, which: str) -> None:
    agent.will_explain("heard.", fixes=FIXES)
    with bash(agent, which=which) as shell:
        assert "scripted · " in fail(shell).run("?why")
        shell.type("mine").line()
        assert shell.send("\x1b[0n").line().text == "mine"


@every_bash
@pytest.mark.parametrize(
    "binding",
    [
        "bind '\"\\e[0n\": redraw-current-line'",
        'bind \'"\\e[0n": "a \\"macro\\" \\\\ é"\'',
        'bind -x \'"\\e[0n": READLINE_LINE="from \\"x\\""\'',
        "",
    ],
)
def test_the_answers_key_is_what_it_was_afterwards(agent: RunningAgent, binding: str, which: str) -> None:
    agent.will_explain("heard.", fixes=FIXES)
    look = "bindings() { for k in s X p; do bind -$k; done | grep '^.\\\\e.0n' >| $HOME/bound; }"
    with bash(agent, before=binding, after=look, which=which) as shell:
        fail(shell, "bindings")
        before = (agent.home / "bound").read_text()
        assert bool(before) == bool(binding)
        why_answered_by_a_terminal(shell)
        assert shell.line().text == FIXES[0]
        fail(shell, "bindings")
        assert (agent.home / "bound").read_text() == before


def test_a_new_command_ends_the_fixes(agent: RunningAgent) -> None:
    agent.will_explain("heard.", fixes=FIXES)
    agent.will_say("uptime")
    with bash_in_tmux(agent) as shell:
        why_in_tmux(shell).line()
        shell.press("C-u").type("true").press("Enter")
        shell.wait_screen(lambda screen: screen.endswith("ready> true\nready>"), "the prompt").line()
        shell.press("C-t").wait_for("type what you want, then press Ctrl+T").line()
        shell.type(FIXES[0]).line()
        shell.press("C-t").wait_for("ready> uptime")


@every_bash
def test_the_key_on_an_empty_prompt_behind_a_failure_asks_for_the_fix(
    agent: RunningAgent, which: str
) -> None:
    agent.will_explain("heard.", fixes=FIXES, match=NOWHERE)
    with bash(agent, which=which) as shell:
        fail(shell).mark().press("C-t").wait_for("1/3")
        assert wait_for_the_end(shell).line().text == FIXES[0]
        shell.line()
        shell.mark().press("C-t").wait_for("⚠ high").wait_for("2/3")
        assert wait_for_the_end(shell).line().text == FIXES[1]
        shell.press("C-_")
        assert shell.line().text == ""
        assert shell.ran == [NOWHERE]


@every_bash
@pytest.mark.parametrize("key", ["Escape", "C-g", "C-c"])
def test_a_cancel_brings_the_empty_prompt_back(agent: RunningAgent, key: str, which: str) -> None:
    agent.will_do_why({"hang": True})
    with bash(agent, which=which) as shell:
        fail(shell).mark().press("C-t").wait_for("looking at what failed").press(key)
        assert wait_for_the_end(shell).line().text == ""
        assert shell.ran == [NOWHERE]


@every_bash
def test_where_no_fix_is_known_the_keys_old_owner_has_the_first_press(
    agent: RunningAgent, which: str
) -> None:
    agent.will_explain("heard.")
    with bash(agent, before='bind \'"\\C-t": "old"\'', which=which) as shell:
        fail(shell).mark().press("C-t").wait_for("ready> old")
        assert wait_for_the_end(shell).line().text == "old"
        shell.press("C-u", "C-t")
        assert shell.line().text == "old"


@every_bash
def test_where_no_fix_is_known_and_nothing_had_the_key_it_says_so(agent: RunningAgent, which: str) -> None:
    agent.will_explain("heard.")
    with bash(agent, which=which) as shell:
        fail(shell).mark().press("C-t").wait_for("no fix is known")
        assert wait_for_the_end(shell).line().text == ""


@every_bash
@pytest.mark.parametrize("ending", ["0", "130", "148"])
def test_no_failure_leaves_the_key_to_its_old_owner(agent: RunningAgent, ending: str, which: str) -> None:
    agent.will_explain("heard.", fixes=FIXES)
    with bash(agent, before='bind \'"\\C-t": "old"\'', which=which) as shell:
        fail(shell, f"(exit {ending})").press("C-t")
        assert shell.line().text == "old"
