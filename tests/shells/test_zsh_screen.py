"""What a person sees below the prompt in zsh: one dim line while it works, then the risk, then nothing."""

from __future__ import annotations

import re
import unicodedata

import pytest

from tests.conftest import RunningAgent
from tests.shells.driver import wait_until
from tests.shells.in_zsh import streams_of, zsh_in_tmux

WIDE = "思考しています"


def width(text: str) -> int:
    return sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text)


def test_the_state_line_says_that_it_works_and_who_answers(agent: RunningAgent) -> None:
    agent.will_do({"note": "looking"}, {"hang": True})
    with zsh_in_tmux(agent) as shell:
        shell.type("list it").press("C-t").wait_for("scripted · looking")
        wait_until(lambda: "\n\x1b[2mscripted · looking" in shell.screen(colours=True), "a dim line")


def test_the_risk_stands_first_and_stays_until_the_next_key(agent: RunningAgent) -> None:
    agent.will_say("rm -rf build")
    with zsh_in_tmux(agent) as shell:
        shell.type("remove the build").press("C-t").wait_for("ready> rm -rf build\n⚠ high: ")
        shell.wait_screen(lambda screen: screen.endswith("· scripted · script"), "who answered").line()
        shell.type("x").wait_screen(lambda screen: screen == "ready> rm -rf buildx")


@pytest.mark.parametrize("keys", [["Enter"], ["C-c"], ["C-g"], ["Left"], ["C-u"]])
def test_the_state_line_is_never_left_behind(agent: RunningAgent, keys: list[str]) -> None:
    agent.will_say("echo it is done")
    with zsh_in_tmux(agent, size=(8, 60), after="_terma_guard=0") as shell:
        for _ in range(6):
            shell.type("say it").press("C-t").wait_for("· script")
            wait_until(lambda: not streams_of(shell.pid), "the shell to close its socket")
            shell.press(*keys)
            shell.wait_screen(lambda screen: "script" not in screen, "the state line to go").line()
            shell.press("C-u").line()
        shell.type("end").wait_for("end")
        assert "script" not in shell.screen(history=True)


@pytest.mark.parametrize("columns", [20, 41, 80])
def test_the_state_line_is_cut_to_five_rows_of_the_width_in_columns(
    agent: RunningAgent, columns: int
) -> None:
    agent.will_do({"note": WIDE * 100}, {"hang": True})
    with zsh_in_tmux(agent, size=(10, columns)) as shell:
        shell.type("list").press("C-t").wait_for("思")
        shell.wait_screen(lambda screen: screen.endswith("…"), "the end of the line")
        lines = shell.screen().splitlines()
        assert len(lines) == 6
        assert all(width(line) < columns for line in lines[1:])
        assert columns - 4 <= width(lines[5])


@pytest.mark.parametrize(
    ("command", "colour"), [("rm -rf build", "31"), ("mv a b; rm build", "33")], ids=["high", "medium"]
)
def test_a_danger_is_bold_and_coloured_and_what_follows_is_dim(
    agent: RunningAgent, command: str, colour: str
) -> None:
    agent.will_say(command)
    with zsh_in_tmux(agent) as shell:
        shell.type("remove the build").press("C-t").wait_for("⚠ ")
        pattern = (
            rf"\x1b\[1m\x1b\[{colour}m⚠ [^\x1b]*(?:\x1b\[[0-9;]*m)*\x1b\[90m(?:\x1b\[[34]9m)* · scripted"
        )
        wait_until(lambda: re.search(pattern, shell.screen(colours=True)), "the danger in its colour")


def test_a_danger_without_colours_is_marked_by_letters(agent: RunningAgent) -> None:
    agent.will_say("rm -rf build")
    with zsh_in_tmux(agent, env={"NO_COLOR": "1"}) as shell:
        shell.type("remove the build").press("C-t").wait_for("ready> rm -rf build\n!! high: ")


def test_no_color_is_honoured(agent: RunningAgent) -> None:
    agent.will_do({"note": "looking"}, {"hang": True})
    with zsh_in_tmux(agent, env={"NO_COLOR": "1"}) as shell:
        shell.type("list it").press("C-t").wait_for("scripted · looking")
        assert "\x1b[2m" not in shell.screen(colours=True)


def test_an_answer_that_scrolls_the_screen_is_drawn_right(agent: RunningAgent) -> None:
    text = "\n".join(f"echo line {number} {WIDE}" for number in range(5))
    agent.will_say(*text)
    prompt = "PS1=$'%F{red}two%f\\n思 %B>%b '"
    with zsh_in_tmux(agent, prompt, size=(9, 40), ready=">") as shell:
        for _ in range(6):
            shell.press("Enter").line()
        shell.type("say it").press("C-t").wait_for("5 lines")
        shown = text.replace(f" 4 {WIDE}", f" 4 {WIDE}\nscripted · script · 5 lines")
        shell.wait_screen(lambda screen: screen.endswith(shown), "the answer above its state")
        assert shell.type("!").line().text == text + "!"
        shell.wait_screen(lambda screen: screen.endswith(f"echo line 4 {WIDE}!"))


def test_a_long_line_that_wraps_at_the_last_row_is_drawn_right(agent: RunningAgent) -> None:
    agent.will_say(*(f"word{n:02d} " for n in range(12)), "end")
    with zsh_in_tmux(agent, size=(6, 33)) as shell:
        for _ in range(6):
            shell.press("Enter").line()
        shell.type("say it").press("C-t").wait_for("· script")
        shown = "ready> " + "".join(f"word{n:02d} " for n in range(12)) + "end"

        def joined(screen: str) -> str:
            return "".join(line.ljust(33) for line in screen.splitlines()[-4:-1]).strip()

        shell.wait_screen(lambda screen: joined(screen) == shown, "the whole line, row below row")


def test_a_locale_of_bytes_gets_plain_marks(agent: RunningAgent) -> None:
    agent.will_say("rm -rf build")
    with zsh_in_tmux(agent, env={"LANG": "C", "LC_ALL": "C"}) as shell:
        shell.type("remove the build").press("C-t").wait_for("- scripted - script")
        shell.wait_for("\n!! high: ")


# Ctrl+O: as soon as ~/go is there, ^C is somebody else's: powerlevel10k makes it its own when its prompt is ready.
TAKES_INTERRUPTS = """
_other() { local fd=$1; zle -F $fd; exec {fd}<&-; rm $HOME/go; trap 'return 130' INT }
_soon() { local fd; exec {fd}< <(until [[ -e $HOME/go ]]; do sleep 0.02; done; print); zle -F $fd _other }
zle -N _soon; bindkey '^O' _soon
"""


def test_another_ones_interrupt_leaves_nothing_behind_and_loses_no_words(agent: RunningAgent) -> None:
    agent.will_explain("no upstream", fixes=("git push origin",))
    env = {"TERMA_HINTS": "1", "TERMA_SUGGESTIONS__LIST": "twice"}
    with zsh_in_tmux(agent, after=f"{TAKES_INTERRUPTS}_terma_quick=60\n", env=env) as shell:

        def interrupted(words: str, given_up: int = 1) -> None:
            (agent.home / "go").touch()
            wait_until(lambda: not (agent.home / "go").exists(), "the other's trap")
            shell.press("C-c").wait_screen(
                lambda screen: screen.splitlines()[given_up:] == [f"ready> {words}".rstrip()],
                f"{words!r} on a prompt of its own, and nothing more",
            )
            assert shell.line().text == words
            shell.press("C-u").line()
            shell.press("C-l").wait_screen(lambda screen: screen == "ready>", "an empty screen")

        shell.press("C-o").type("(exit 3)").line()
        shell.press("Enter").wait_for("Ctrl+T: git push origin")
        interrupted("", given_up=2)  # the hint
        for answer, keys, mark in [
            ("rm -r build", ["C-t"], "⚠ high"),
            ("rm -r build", ["C-t", "C-t"], "number or arrows"),
            ("ls", ["C-t"], "· script"),
        ]:
            agent.will_say(answer, candidates=("ls -a", "ls -l"))
            shell.press("C-o").type("do it now").line()
            shell.press(*keys).wait_for(mark)
            interrupted("do it now")
        assert shell.ran == ["(exit 3)"]


def test_an_empty_prompt_says_what_to_do(agent: RunningAgent) -> None:
    with zsh_in_tmux(agent) as shell:
        shell.press("C-t").wait_for("terma: type what you want, then press Ctrl+T")
        assert shell.line().text == ""
