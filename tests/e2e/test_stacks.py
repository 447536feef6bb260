"""terma beside each stack that people have: words are answered, Ctrl+C then loses nothing, the status is true."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from typing import Any

import pytest

from tests.conftest import RunningAgent, wait_until
from tests.e2e import neighbours
from tests.e2e.stacks import BASH, REAL, ZSH
from tests.shells import in_bash, in_zsh
from tests.shells.driver import ZSH_RC, Shell, sterile_env

LISTS = {"TERMA_SUGGESTIONS__LIST": "twice"}
# Whatever prompt the stack draws, the driver's own stands at the end of it.
SAME_PROMPT = {
    "zsh": "_last() { PROMPT='ready> '; RPROMPT= }; precmd_functions+=(_last)\n",
    "bash": "PROMPT_COMMAND=\"${PROMPT_COMMAND}\"$'\\n'\"PS1='ready> '\"\n_terma_quick=60000000\n",
}


def works(agent: RunningAgent, shell: Shell, told: str) -> None:
    """What is true of terma in any shell, beside anything; `told` is what it remembers of the last command's end."""
    agent.will_do({"delta": "@@@@"}, {"hang": True}, match="for ever")
    agent.will_say("rm -r build", match="delete")
    shell.type("wait for ever").line()
    shell.mark().press("C-t").wait_for("@@@@")
    shell.mark().press("C-c").wait_for("wait for ever")
    assert shell.line().text == "wait for ever"
    shell.press("C-e", "C-u").line()
    shell.type("delete it").line()
    shell.mark().press("C-t").wait_for("⚠ high: ").wait_for("· script")
    assert shell.line().text == "rm -r build"
    shell.press("C-e", "C-u").line()
    agent.will_say("ls -l", match="list", candidates=("ls -a",))
    shell.type("list it").line()
    shell.mark().press("C-t", "C-t").wait_for("number or arrows")
    shell.press("C-g")
    wait_until(lambda: shell.line().text == "list it", "the words for the list")
    shell.press("C-e", "C-u").line()
    shell.type("(exit 3) | (exit 4)").enter()
    assert "<4|3 4>" in shell.type(f'echo "<{told}>"').enter()


def gives_the_words_back(shell: Shell, wait_for_the_end: Callable[[Shell], Shell]) -> None:
    """Ctrl+C on an answer that stands as it came. Behind `works`: the agent knows the words."""
    shell.press("C-e", "C-u").line()
    wait_for_the_end(shell).line()  # no ^C reaches anybody while powerlevel10k draws what it had computed
    shell.type("delete it").line()
    shell.mark().press("C-t").wait_for("⚠ high: ").wait_for("· script")
    wait_for_the_end(shell).mark().press("C-c").wait_for("delete it")
    assert shell.line().text == "delete it"


@pytest.mark.parametrize("stack", ZSH)
def test_in_zsh(agent: RunningAgent, stack: str) -> None:
    before, after = ZSH[stack]
    last = SAME_PROMPT["zsh"] + "_terma_guard=0 _terma_quick=60\n"
    env = in_zsh.zsh_env(agent, TREE=str(in_zsh.TREE), **LISTS)
    load = in_zsh.LOAD if after is not None else ""
    (agent.home / ".local/state/terma").mkdir(parents=True, exist_ok=True)  # the agent may have made it
    (agent.home / in_zsh.TAKEN_BEFORE).touch()
    with Shell("zsh", agent.home, f"{ZSH_RC}\n{before}\n{load}{after or ''}\n{last}", env=env) as shell:
        if "turbo" in stack:
            wait_until((agent.home / "turbo").exists, "terma to be loaded behind the prompt")
            shell.type("_terma_guard=0 _terma_quick=60").enter()
        works(agent, shell, "$_terma_command_status|$_terma_command_statuses")
        gives_the_words_back(shell, in_zsh.wait_for_the_end)


@pytest.mark.parametrize("stack", BASH)
def test_in_bash(agent: RunningAgent, stack: str) -> None:
    before, after = BASH[stack]
    with in_bash.bash(agent, before, after + SAME_PROMPT["bash"], env=LISTS) as shell:
        works(agent, shell, "$_terma_status|${_terma_statuses% }")
        gives_the_words_back(shell, in_bash.wait_for_the_end)


@pytest.mark.parametrize("stack", REAL)
def test_beside_the_real_one(agent: RunningAgent, stack: str) -> None:
    shell_name, before, after = REAL[stack]
    folder = neighbours.mise() if stack.startswith("mise") else neighbours.programs()
    env = LISTS | {"PATH": f"{folder}:{os.environ['PATH']}"}
    if shell_name == "bash":
        with in_bash.bash(agent, before, after + SAME_PROMPT["bash"], env=env) as shell:
            works(agent, shell, "$_terma_status|${_terma_statuses% }")
        return
    last = SAME_PROMPT["zsh"] + "_terma_guard=0 _terma_quick=60\n"
    with in_zsh.zsh(agent, before, after + last, env=env) as shell:
        works(agent, shell, "$_terma_command_status|$_terma_command_statuses")


@pytest.mark.parametrize("shell_name", ["zsh", "bash"])
def test_where_atuin_has_the_question_mark_doctor_says_so_and_what_it_says_works(
    agent: RunningAgent, shell_name: str
) -> None:
    """The real atuin asks its own service where `?` is typed on an empty prompt."""
    path = {"PATH": f"{neighbours.programs()}:{os.environ['PATH']}"}
    atuin = f'eval "$(atuin init {shell_name})"\n'
    (agent.home / f".{shell_name}rc").write_text(atuin, encoding="utf-8")
    env = sterile_env(agent.home, {"TERMA_SOCKET": str(agent.socket)} | path)
    said = subprocess.run(
        [agent.env["TERMA_BIN"], "doctor"], env=env, capture_output=True, text=True, check=False
    )
    assert f"has the key ? in {shell_name}, and may take it on an empty prompt (as atuin does)" in said.stdout
    assert "type a blank before ?why, press Ctrl+T instead, or choose a key: TERMA_WHY_KEY" in said.stdout
    open_shell: Any = {"zsh": in_zsh.zsh, "bash": in_bash.bash}[shell_name]
    with open_shell(agent, before=atuin, env=path | {"TERMA_WHY_KEY": "^X^W"}) as shell:
        for number, keys in enumerate([" ?why\r", "\x18\x17"]):
            agent.will_explain(f"heard {number}")
            shell.run("(exit 3)")
            shell.mark().send(keys).wait_for(f"heard {number}")
            assert shell.line().text == ""


def test_nothing_is_printed_at_load_where_a_prompt_is_drawn_ahead(agent: RunningAgent) -> None:
    """powerlevel10k's instant prompt takes what is printed between its first line and the first prompt for a fault."""
    taken = "pick() { : }; zle -N pick; bindkey '^T' pick; exec {_out}>&1 >$HOME/printed 2>&1\n"
    back = "_back() { exec >&$_out 2>&1; precmd_functions=(${precmd_functions:#_back}) }; precmd_functions+=(_back)\n"
    with in_zsh.zsh(agent, taken, back, said=False) as shell:
        shell.type("true").enter()
        assert (agent.home / "printed").read_text() == ""
        shell.mark().press("C-t").wait_for("Ctrl+T turns words into a command")


def test_the_danger_is_not_lost_to_a_list_that_is_drawn_later_and_leaves_with_the_line(
    agent: RunningAgent,
) -> None:
    """zsh-autocomplete (stand-in) draws its list some time after each change, in the place of the state line; here when
    the test says so."""
    agent.will_say("rm -r build", match="delete")
    slow = ZSH["zsh-autocomplete (stand-in)"][0]
    assert "sleep 0.05" in slow
    with in_zsh.zsh_in_tmux(
        agent, slow.replace("sleep 0.05", "until [ -e ~/go ]; do sleep 0.02; done")
    ) as shell:
        shell.type("delete it").press("C-t").wait_for("⚠ high: ")
        (agent.home / "go").touch()
        shell.wait_for("a choice")
        assert "⚠ high: " in shell.screen()
        shell.press("Left").wait_screen(lambda screen: "⚠" not in screen, "the danger to leave with a key")
        assert shell.line().text == "rm -r build"


def test_beside_ble_sh_the_danger_stays_below_its_line_and_leaves_with_it(agent: RunningAgent) -> None:
    """The rows below the line are ble.sh's (a stand-in): what stood there below `rm` stayed under the next command."""
    agent.will_say("rm -r build", match="delete")
    before, after = BASH["ble.sh (stand-in)"]
    with in_bash.bash_in_tmux(agent, before, after + "_terma_quick=60000000\n") as shell:
        shell.type("delete it").press("C-t").wait_for("⚠ high: ").wait_screen(_ends_in_the_danger)
        shell.press("C-e").line()  # the cursor alone
        shell.wait_screen(_ends_in_the_danger, "the danger, still below its line")
        shell.type(" x").wait_screen(lambda screen: "⚠" not in screen, "the danger to leave with an edit")
        assert shell.line().text == "rm -r build x"
        shell.press("C-a", "C-e", "C-u").line()
        shell.type("delete it").press("C-t").wait_for("⚠ high: ").wait_screen(_ends_in_the_danger)
        shell.press("C-c").wait_screen(lambda screen: "⚠" not in screen, "the words for the answer")
        assert shell.line().text == "delete it"
        shell.press("C-c").wait_for("^C")  # once: now the line is given up
        shell.type("echo an end").press("Enter")
        shell.wait_screen(lambda screen: "\nan end" in screen, "the next command")
        assert "⚠" not in shell.screen()
        assert shell.ran == ["echo an end"]


def _ends_in_the_danger(screen: str) -> bool:
    """Whether the danger is the last row, right below the line that it is about."""
    *_, line, last = ["", *screen.rstrip().split("\n")]
    return "rm -r build" in line and last.startswith("⚠ high: ")
