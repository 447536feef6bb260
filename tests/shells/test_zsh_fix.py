"""The fix on the prompt in zsh: put there by `?why`, or by Ctrl+T on an empty prompt behind a failure."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import Home, RunningAgent
from tests.shells.driver import PROMPT, Shell
from tests.shells.in_zsh import ask, streams_of, wait_for_the_end, zsh, zsh_in_tmux
from tests.shells.test_zsh_neighbours import NO_GUARD, PICKER, load
from tests.shells.test_zsh_why import ask_why, run

FIXES = ("echo one", "rm -rf /tmp/none", "echo three")


def fixed(agent: RunningAgent, shell: Shell, *fixes: str) -> Shell:
    """A failure, `?why`, and the first fix on the prompt."""
    agent.will_explain("so it was\n", fixes=fixes)
    run(shell, "false")
    ask_why(shell, until=f"{PROMPT}{fixes[0].splitlines()[0]}")
    return shell


def press_on_empty(shell: Shell, note: str) -> Shell:
    shell.press("C-u").line()
    shell.mark().press("C-t").wait_for(note)
    return wait_for_the_end(shell)


def test_the_fix_stands_on_the_next_prompt_and_is_not_run(agent: RunningAgent) -> None:
    with zsh(agent) as shell:
        fixed(agent, shell, "touch PWNED")
        assert shell.line() == ("touch PWNED", 11)
        assert "touch PWNED" not in shell.ran
        shell.type(" two")
        assert shell.line().text == "touch PWNED two"


def test_a_fix_of_several_lines_stays_one(agent: RunningAgent) -> None:
    text = "for f in *; do\n\techo $f\ndone # ü 思考 \\n %n !!"
    with zsh(agent) as shell:
        assert fixed(agent, shell, text).line().text == text


def test_the_key_steps_through_the_fixes_and_asks_nobody(agent: RunningAgent) -> None:
    with zsh(agent) as shell:
        fixed(agent, shell, *FIXES)
        agent.kill()
        for number, fix in [(2, FIXES[1]), (3, FIXES[2]), (1, FIXES[0]), (2, FIXES[1])]:
            shell.mark().press("C-t").wait_for(f"fix {number}/3")
            assert ("⚠ high: " in shell.since()) == (number == 2)
            assert shell.line() == (fix, len(fix))
        assert shell.press("C-_").line().text == ""
        shell.mark().press("C-t").wait_for("fix 1/3")
        assert shell.line().text == FIXES[0]


def test_the_risk_of_the_first_fix_is_seen_below_it(agent: RunningAgent) -> None:
    agent.will_explain("so\n", fixes=("rm -rf /tmp/none", "echo two"))
    with zsh_in_tmux(agent) as shell:
        shell.type("false").press("Enter").line()
        shell.type("?why").press("Enter").wait_for("ready> rm -rf /tmp/none\n⚠ high: deletes files")
        shell.wait_screen(lambda screen: screen.endswith("· fix 1/2"), "which fix it is")
        shell.type("x").wait_screen(lambda screen: screen.endswith("ready> rm -rf /tmp/nonex"))


def test_an_edited_fix_is_a_sentence(agent: RunningAgent) -> None:
    agent.will_say("df -h", match="echo one and")
    with zsh(agent) as shell:
        ask(fixed(agent, shell, *FIXES), " and more")
        assert shell.line().text == "df -h"


def test_the_fix_runs_by_the_users_enter_and_is_forgotten_then(agent: RunningAgent) -> None:
    with zsh(agent, after=NO_GUARD) as shell:
        assert fixed(agent, shell, *FIXES).enter() == "one"
        assert shell.ran[-1] == "echo one"
        shell.mark().press("C-t").wait_for("terma: type what you want")
        assert shell.line().text == ""


@pytest.mark.parametrize("keymap", ["bindkey -e", "bindkey -v; KEYTIMEOUT=1"])
@pytest.mark.parametrize("plugins_first", [True, False])
def test_in_every_keymap_and_beside_plugins(agent: RunningAgent, keymap: str, plugins_first: bool) -> None:
    plugins = load("autosuggestions") + load("highlighting")
    before, after = (plugins + keymap, "") if plugins_first else (keymap, plugins)
    with zsh(agent, before, after) as shell:
        fixed(agent, shell, *FIXES)
        shell.mark().press("C-t").wait_for("fix 2/3")
        assert shell.line().text == FIXES[1]
        if "-v" in keymap:
            shell.press("Escape").line()
            shell.mark().press("C-t").wait_for("fix 3/3")
            assert shell.line() == (FIXES[2], len(FIXES[2]) - 1)
            shell.press("u")
        else:
            shell.press("C-_")
        assert shell.line().text == ""


def test_a_users_own_init_widget_runs_and_stays(agent: RunningAgent) -> None:
    own = "mine() { print -r -- $WIDGET >> $HOME/hooks }; zle -N zle-line-init mine\n"
    with zsh(agent, own, NO_GUARD) as shell:
        fixed(agent, shell, "echo one").press("C-u").line()
        run(shell, "print $widgets[zle-line-init]")
        assert "user:mine" in shell.since()
        hooks = Path(agent.home, "hooks").read_text().splitlines()
        assert set(hooks) == {"zle-line-init"}


def test_a_line_that_was_put_aside_comes_first(agent: RunningAgent) -> None:
    agent.will_explain("so\n", fixes=("echo one",))
    with zsh(agent) as shell:
        run(shell, "false")
        shell.type("print aside").press("M-q").line()
        shell.type("?why").line()
        shell.mark().press("Enter").wait_for("seen").wait_for("print aside")
        assert shell.line().text == "print aside"


def test_on_an_empty_prompt_behind_a_failure_the_key_brings_the_fix(agent: RunningAgent) -> None:
    agent.will_explain("so\n", fixes=FIXES)
    with zsh(agent) as shell:
        run(shell, "(exit 2)")
        for number in (1, 2, 3, 1):
            shell.mark().press("C-t").wait_for(f"fix · {number}/3")
            assert wait_for_the_end(shell).line().text == FIXES[number - 1]
            assert ("⚠ high" in shell.since()) == (number == 2)
        assert shell.press("C-_").line().text == ""
        assert "echo one" not in shell.ran


@pytest.mark.parametrize("key", ["C-c", "C-g", "Escape"])
def test_a_cancel_brings_the_empty_prompt_back(agent: RunningAgent, key: str) -> None:
    agent.will_do_why({"hang": True})
    with zsh(agent) as shell:
        run(shell, "false")
        shell.mark().press("C-t").wait_for("looking at what failed")
        shell.press(key)
        assert wait_for_the_end(shell).line().text == ""
        assert shell.type("x").line().text == "x"


def test_where_no_fix_is_known_the_key_is_its_owners_at_the_first_press(agent: RunningAgent) -> None:
    agent.will_explain("so\n")
    bind = PICKER + "for m in emacs viins vicmd; do bindkey -M $m '^T' pick; done\n"
    with zsh(agent, bind, NO_GUARD) as shell:
        run(shell, "false")
        shell.mark().press("C-t").wait_for("PICKED")
        assert wait_for_the_end(shell).line().text == "PICKED"
        shell.press("C-u").line()
        assert shell.press("C-t").line().text == "PICKED"


def test_where_no_fix_is_known_and_nothing_had_the_key_it_says_so(agent: RunningAgent) -> None:
    agent.will_explain("so\n")
    with zsh(agent, after=NO_GUARD) as shell:
        run(shell, "false")
        shell.mark().press("C-t").wait_for("terma: no fix is known for that; ?why says what happened")
        assert wait_for_the_end(shell).line().text == ""
        run(shell, "(exit 3)")
        shell.mark().press("C-t").wait_for("no fix is known")


@pytest.mark.parametrize("line", ["true", "(exit 130)", "kill -TSTP $$; (exit 148)", ""])
def test_without_a_failure_the_key_is_its_owners(agent: RunningAgent, line: str) -> None:
    agent.will_explain("so\n", fixes=FIXES)
    bind = PICKER + "for m in emacs viins vicmd; do bindkey -M $m '^T' pick; done\n"
    with zsh(agent, bind) as shell:
        if line:
            run(shell, "false")
            run(shell, line)
        assert shell.press("C-t").line().text == "PICKED"


def test_an_interrupted_command_is_no_failure(agent: RunningAgent) -> None:
    agent.will_explain("so\n", fixes=FIXES)
    with zsh(agent) as shell:
        shell.mark().type("sh -c 'echo begun; exec sleep 60'").press("Enter").wait_for("begun\r\n")
        shell.mark().press("C-c").wait_for(PROMPT).line()
        shell.mark().press("C-t").wait_for("terma: type what you want")


def test_a_crashed_agent_leaves_the_empty_prompt(agent: RunningAgent) -> None:
    agent.will_do_why({"crash": True})
    with zsh(agent) as shell:
        run(shell, "false")
        shell.mark().press("C-t").wait_for("press the key again")
        assert shell.line().text == ""
        assert streams_of(shell.child.pid) == []


TOOL = """#!/bin/sh
printf '%s|' "$@" "$TERMA_LAST_COMMAND" "$TERMA_LAST_STATUS" "$TERMA_LAST_DIR" ${TERMA_LAST_DURATION:+known} \
  "$TERMA_LAST_SHELL"
echo
exit 7
"""


def test_terma_hands_the_last_command_on_where_it_matters(home: Home) -> None:
    tool = home.root / "terma"
    tool.write_text(TOOL)
    tool.chmod(0o755)
    with zsh(home, env={"TERMA_BIN": str(tool)}) as shell:
        run(shell, "(exit 42)")
        for line in ["terma why", "terma last --sent", "terma recipe", "terma 'why is that'"]:
            words = line.removeprefix("terma ").strip("'").replace(" --", "|--")
            assert f"{words}|(exit 42)|42|{home.home}|known|zsh|" in run(shell, line).since()
        assert "shell||||" in run(shell, "terma shell").since()
        assert "st=7" in run(shell, "terma version; print st=$?").since()
        assert "st=none" in run(shell, "print st=${TERMA_LAST_COMMAND-none}").since()
        assert "not found" in run(shell, "unfunction terma; terma").since()


@pytest.mark.parametrize("own", ["terma() { print mine }", "alias terma='print mine'"])
def test_a_terma_of_the_users_is_left_alone(home: Home, own: str) -> None:
    with zsh(home, own) as shell:
        assert "mine" in run(shell, "terma why").since()


def test_terma_can_be_stopped_and_goes_on(home: Home) -> None:
    tool = home.root / "terma"
    tool.write_text("#!/bin/sh\necho begun\nread line\necho got=$line\nexit 9\n")
    tool.chmod(0o755)
    with zsh(home, env={"TERMA_BIN": str(tool)}) as shell:
        shell.mark().type("terma why").press("Enter").wait_for("begun\r\n")
        shell.mark().press("C-z").wait_for(PROMPT).line()
        shell.type("fg").line()
        shell.mark().press("Enter").wait_for("continued")
        shell.type("words").press("Enter").wait_for("got=words\r\n").wait_for(PROMPT).line()
        assert shell.run("jobs") == ""
