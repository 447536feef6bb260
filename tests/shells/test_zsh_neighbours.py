"""terma beside what else lives in a zsh: other plugins, the user's bindings, options, traps and prompt."""

from __future__ import annotations

import subprocess
import time
from itertools import permutations
from pathlib import Path

import pytest

from tests.conftest import WAIT, RunningAgent
from tests.shells.driver import PROMPT, sterile_env
from tests.shells.in_zsh import LOAD, TAKEN_BEFORE, ask, wait_for_the_end, zsh, zsh_in_tmux

PLUGINS = {
    "fzf": "/usr/share/doc/fzf/examples/key-bindings.zsh",
    "autosuggestions": "/usr/share/zsh-autosuggestions/zsh-autosuggestions.zsh",
    "highlighting": "/usr/share/zsh-syntax-highlighting/zsh-syntax-highlighting.zsh",
}


def load(plugin: str) -> str:
    return f"source {PLUGINS[plugin]}\n" if Path(PLUGINS[plugin]).exists() else ""


NO_GUARD = "_terma_guard=0\n"  # for tests that press Enter soon after an answer
PICKER = 'pick() { BUFFER+=PICKED; CURSOR=$#BUFFER; print -r -- "$WIDGET" > $HOME/widget }; zle -N pick\n'


@pytest.mark.parametrize("order", [*permutations(["terma", "fzf", "autosuggestions", "highlighting"])])
def test_the_order_of_plugins_makes_no_difference(agent: RunningAgent, order: tuple[str, ...]) -> None:
    agent.will_say("ls ", "-l", wait=0.02, candidates=("ls {dir}",))
    at = order.index("terma")
    before, after = ("".join(map(load, part)) for part in (order[:at], order[at + 1 :]))
    with zsh(agent, before, after + NO_GUARD) as shell:
        assert ask(shell, "list it").line() == ("ls -l", 5)
        shell.mark().press("C-t").wait_for("2/2")
        assert wait_for_the_end(shell).line() == ("ls {dir}", 3)
        assert shell.press("C-_").line().text == "list it"
        assert ("fzf-file-widget" in shell.run("print $_terma_displaced[emacs]")) == bool(load("fzf"))


@pytest.mark.parametrize("first", [True, False])
def test_on_an_empty_prompt_the_key_does_what_it_did_before(agent: RunningAgent, first: bool) -> None:
    agent.will_say("ls")
    bind = PICKER + "for m in emacs viins vicmd; do bindkey -M $m '^T' pick; done\n"
    with zsh(agent, *((bind, "") if first else ("", bind))) as shell:
        assert shell.press("C-t").line().text == "PICKED"
        assert (agent.home / "widget").read_text() == "pick\n"
        shell.press("C-u").line()
        assert ask(shell, "list").line().text == "ls"


@pytest.mark.parametrize("bind", [f"{PICKER}bindkey '^T' pick", "bindkey -s '^T' 'PICKED'"])
def test_what_is_typed_ahead_of_the_displaced_widget_finds_the_key_taken(
    agent: RunningAgent, bind: str
) -> None:
    """All in one piece: the editor never waits between the two presses."""
    agent.will_say("ls")
    with zsh(agent, bind) as shell:
        shell.line()
        shell.mark().send("\x14\x15list\x14").wait_for("· script")
        assert wait_for_the_end(shell).line().text == "ls"
        shell.press("C-u").line()
        assert shell.press("C-t").line().text == "PICKED"


@pytest.mark.parametrize("plugin", ["zsh-autosuggestions", "zsh-syntax-highlighting"])
def test_the_mark_of_danger_stays_beside_plugins_that_draw(agent: RunningAgent, plugin: str) -> None:
    agent.will_say("rm -r build")
    slow = '_zsh_autosuggest_strategy_history() { sleep 0.3; suggestion="$1 from history" }'
    with zsh_in_tmux(agent, f"source /usr/share/{plugin}/{plugin}.zsh\n{slow}") as shell:
        for pause in [0.0, 0.5]:  # with a suggestion under way when the key is pressed, and without
            shell.type("delete it").line()
            time.sleep(pause)
            shell.press("C-t").wait_for("ready> rm -r build\n⚠ high")
            time.sleep(0.6)
            assert "ready> rm -r build\n⚠ high" in shell.screen()
            assert "from history" not in shell.screen()
            shell.press("C-u").wait_screen(lambda screen: screen == "ready>", "an empty prompt").line()


def test_the_displaced_widget_runs_under_the_users_options(agent: RunningAgent) -> None:
    rc = "setopt ksh_arrays\npick() { local -a a=(x y); BUFFER=${a[0]} }; zle -N pick; bindkey '^T' pick\n"
    with zsh(agent, rc) as shell:
        assert shell.press("C-t").line().text == "x"


def test_on_an_empty_prompt_a_displaced_macro_is_typed(agent: RunningAgent) -> None:
    with zsh(agent, r"""bindkey -s '^T' 'echo "a b" \\\\ ^A' """) as shell:
        assert shell.press("C-t").line() == ('echo "a b" \\\\ ', 0)
        shell.press("C-a", "C-k")
        assert shell.press("C-t").line().text == 'echo "a b" \\\\ '


def test_on_an_empty_prompt_a_key_that_did_nothing_says_what_to_do(agent: RunningAgent) -> None:
    with zsh_in_tmux(agent, "bindkey -r '^T'") as shell:
        shell.press("C-t").wait_for("terma: type what you want, then press Ctrl+T")
        assert shell.line().text == ""


def test_the_taken_key_is_said_once_ever_and_at_its_first_use(agent: RunningAgent) -> None:
    with zsh(agent, PICKER + "bindkey '^T' pick", said=False) as shell:
        shell.run("true")
        assert "terma" not in shell.text
        assert not (agent.home / TAKEN_BEFORE).exists()
        shell.mark().press("C-t").wait_for("on an empty prompt it is still pick").wait_for("TERMA_KEY=")
        assert shell.line().text == "PICKED"
        assert (agent.home / TAKEN_BEFORE).exists()
    with zsh(agent, PICKER + "bindkey '^T' pick", said=False) as shell:
        assert shell.press("C-t").line().text == "PICKED"
        assert "terma" not in shell.text
        shell.home.joinpath(TAKEN_BEFORE).unlink()
    with zsh(agent, PICKER + "bindkey '^X^T' undefined-key", said=False, env={"TERMA_KEY": "^X^T"}) as shell:
        assert "terma" not in shell.text


def test_sourcing_twice_changes_nothing(agent: RunningAgent) -> None:
    agent.will_say("ls")
    with zsh(agent, PICKER + "bindkey '^T' pick\n" + LOAD, LOAD) as shell:
        assert shell.press("C-t").line().text == "PICKED"
        shell.run(LOAD.strip())
        assert shell.run("print $#precmd_functions $#preexec_functions") == "2 2"
        assert shell.press("C-t").line().text == "PICKED"
        shell.press("C-u").line()
        assert ask(shell, "list").line().text == "ls"


def test_sourcing_again_with_something_under_way_leaves_nothing_of_it(agent: RunningAgent) -> None:
    """All typed ahead: the editor never waits, so what the key lent and what the hint opened is still there then."""
    agent.will_say("ls")
    finish = "zle-line-finish() { print finished >> $HOME/hooks }; zle -N zle-line-finish\n"
    with zsh(agent, PICKER + finish + "bindkey '^T' pick\n", NO_GUARD, env={"TERMA_HINTS": "1"}) as shell:
        shell.line()
        shell.mark().send(f"\x14\x15{LOAD.strip()}\rfalse\r{LOAD.strip()}\rprint behind").wait_for(
            "print behind"
        )
        assert shell.enter() == "behind"
        assert (
            shell.run("zle -F -L; bindkey -p '^T'") == ""
        )  # nothing is watched, and no key is a longer one's start
        assert ask(shell, "list").line().text == "ls"
        (agent.home / "hooks").write_text("")
        shell.press("C-u").line()
        shell.run("true")
        assert (agent.home / "hooks").read_text() == "finished\n"


@pytest.mark.parametrize(
    "options",
    [
        "setopt sh_word_split ksh_arrays glob_subst no_unset warn_create_global warn_nested_var",
        "setopt err_return no_unset no_clobber posix_builtins posix_identifiers rc_quotes",
        "setopt ksh_glob extended_glob null_glob csh_null_glob magic_equal_subst no_equals ignore_braces",
        "setopt no_aliases no_function_argzero no_short_loops typeset_silent pipe_fail notify no_bad_pattern",
        "setopt prompt_subst prompt_bang no_prompt_percent no_bg_nice no_hup local_options auto_cd correct",
        "alias local=false print=false zle=false bindkey=false typeset=false emulate=false exec=false;"
        " alias -g -- -M=X; alias -g :=X",
    ],
)
def test_any_options_and_aliases_of_the_user_are_borne(agent: RunningAgent, options: str) -> None:
    agent.will_say("ls ", "-l 'a b'", wait=0.02, candidates=("ls {dir} a",))
    save = "save() { set -o > $HOME/$1; alias >> $HOME/$1; print saved }\n"
    with zsh(agent, save + options, NO_GUARD) as shell:
        assert shell.run("save one") == "saved"
        assert ask(shell, "list it").line() == ("ls -l 'a b'", 11)
        shell.mark().press("C-t").wait_for("2/2")
        assert wait_for_the_end(shell).type("x").line().text == "ls x a"
        assert shell.run("save two") == "saved"
        assert "_terma" not in shell.text
        assert (agent.home / "one").read_text() == (agent.home / "two").read_text()


def test_xtrace_of_the_user_does_not_trace_us(agent: RunningAgent) -> None:
    agent.will_say("ls")
    with zsh(agent, after="PS4='+%N:%i> '; setopt xtrace", ready="") as shell:
        shell.wait_for(PROMPT).line()
        ask(shell, "list it")
        traced = [line for line in shell.text.splitlines() if "+_terma" in line and "emulate" not in line]
        assert [line for line in traced if "local -i code" not in line and "code=" not in line] == []


@pytest.mark.parametrize("trap", ["TRAPINT() { print user trap; return 130 }", "trap 'print user trap' INT"])
def test_the_users_trap_of_ctrl_c_is_theirs_again(agent: RunningAgent, trap: str) -> None:
    agent.will_do({"delta": "@@@@"}, {"hang": True})
    with zsh(agent, trap) as shell:
        shell.mark().type("list it").press("C-t").wait_for("@@@@")
        shell.mark().press("C-c").wait_for("list it")
        assert wait_for_the_end(shell).line().text == "list it"
        assert "user trap" not in shell.text
        shell.at_rest().mark().press("C-c").wait_for("user trap")


def test_the_users_hooks_of_the_editor_still_run(agent: RunningAgent) -> None:
    agent.will_say("true")
    hooks = """
zle-line-finish() { print -r -- "finish $WIDGET" >> $HOME/hooks }; zle -N zle-line-finish
zle-keymap-select() { print -r -- "keymap $KEYMAP" >> $HOME/hooks }; zle -N zle-keymap-select
bindkey -v
"""
    with zsh(agent, hooks, NO_GUARD) as shell:
        ask(shell, "do nothing").press("Escape").enter()
        assert (agent.home / "hooks").read_text() == "keymap vicmd\nfinish zle-line-finish\n"
        shell.type("x").enter()
        assert (agent.home / "hooks").read_text().count("finish zle-line-finish") == 2


def test_in_a_continuation_line_in_vared_and_in_select_the_key_does_no_harm(agent: RunningAgent) -> None:
    agent.will_say("print two")
    with zsh(agent, after=NO_GUARD) as shell:
        shell.run("for i in a; do")
        assert ask(shell, "say it").type("; done").enter() == "two"
        shell.run("v=old; vared v; print got=$v")
        assert shell.line().text == "old"
        assert shell.press("C-t").type("er").enter() == "got=odler"
        shell.run("select s in one two; do print s=$s; break; done")
        shell.type("2").press("C-t").press("Enter").wait_for("s=two\r\n")


def test_an_incremental_search_is_left_first(agent: RunningAgent) -> None:
    agent.will_say("ls")
    with zsh(agent) as shell:
        shell.run("echo before")
        shell.mark().press("C-r").type("echo").wait_for("bck-i-search: ")
        shell.mark().press("C-t").wait_for("· script")
        assert wait_for_the_end(shell).line().text == "ls"


@pytest.mark.parametrize(
    ("env", "known"), [({"TERMA_DISABLE": "1"}, "<>"), ({"TERM": "dumb"}, "<_terma_is_dumb>")]
)
def test_disabled_or_in_a_dumb_terminal_nothing_is_loaded(
    agent: RunningAgent, env: dict[str, str], known: str
) -> None:
    with zsh(
        agent, env=env, after='print "<${(k)functions[(I)_terma*]}${(k)parameters[(I)_terma*]}>"'
    ) as shell:
        assert known in shell.raw.decode()


@pytest.mark.parametrize("line", ["?why", "?why is it [so]", "\x14"])
def test_a_dumb_terminal_is_told_what_works_there(agent: RunningAgent, line: str) -> None:
    with zsh(agent, env={"TERM": "dumb"}) as shell:
        shell.mark().type(line).press("Enter").wait_for("terma: TERM=dumb cannot be drawn on")
        shell.wait_for('terma suggest "your words"')


@pytest.mark.parametrize("keys", ["bindkey -e", "bindkey -v"])
def test_a_dumb_terminal_keeps_the_words_in_both_modes(agent: RunningAgent, keys: str) -> None:
    with zsh(agent, keys, env={"TERM": "dumb"}) as shell:
        shell.mark().type("show the date").press("C-t").wait_for('a question" work')
        assert "dateterma" not in shell.since()
        assert shell.line().text == "show the date"


def test_a_shell_that_is_not_interactive_loads_nothing(agent: RunningAgent) -> None:
    code = LOAD + 'print "<${(k)functions[(I)_terma*]}${(k)parameters[(I)_terma*]}>"'
    run = subprocess.run(
        ["zsh", "-dfc", code],
        capture_output=True,
        text=True,
        check=True,
        timeout=WAIT,
        env=sterile_env(agent.home),
    )
    assert (run.stdout, run.stderr) == ("<>\n", "")
