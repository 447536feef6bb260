"""What a person sees in bash: multi-line and coloured prompts, wrapping, wide characters, the screen's end, the state
line and its end."""

from __future__ import annotations

import re

import pytest

from tests.conftest import RunningAgent
from tests.shells.driver import TmuxShell, wait_until
from tests.shells.in_bash import BASHES, bash, bash_in_tmux

every_bash = pytest.mark.parametrize("which", BASHES)
TWO_LINES = "PS1='\\[\\e[31m\\]top \\w\\[\\e[0m\\]\\n\\[\\e[32m\\]ready\\[\\e[0m\\]> '"


def lines(shell: TmuxShell) -> list[str]:
    return shell.screen().splitlines()


def joined(screen: str) -> str:
    """Rows of 60 columns as one line, without the prompt."""
    rows = (line.ljust(60) for line in screen.splitlines())
    return "".join(rows).replace("ready> ", "").replace("  ", " ")


@every_bash
def test_the_answer_grows_in_place_and_the_state_line_stands_below(agent: RunningAgent, which: str) -> None:
    agent.will_do({"delta": "find . "}, {"hang": True})
    with bash_in_tmux(agent, which=which) as shell:
        shell.type("list files").press("C-t")
        shell.wait_screen(
            lambda screen: screen == "ready> find .\nscripted · thinking", "the answer and its state"
        )
        wait_until(lambda: shell.cursor() == (0, 13), "the cursor: a trailing blank waits for what follows")
        assert "\x1b[2mscripted" in shell.screen(colours=True)
        shell.press("C-g").wait_screen(lambda screen: screen == "ready> list files", "the sentence")


def test_no_color_is_heeded(agent: RunningAgent) -> None:
    agent.will_say("uptime")
    with bash_in_tmux(agent, env={"NO_COLOR": "1"}) as shell:
        shell.type("how long").press("C-t").wait_for("· script")
        assert "\x1b" not in shell.screen(colours=True)


@every_bash
def test_the_state_line_is_gone_once_the_line_is_run(agent: RunningAgent, which: str) -> None:
    agent.will_say("echo hello")
    with bash_in_tmux(agent, which=which) as shell:
        shell.type("say hello").press("C-t").wait_for("· script").line()
        shell.press("Enter").wait_screen(
            lambda screen: screen == "ready> echo hello\nhello\nready>", "its output"
        )
        assert shell.screen(history=True).splitlines() == ["ready> echo hello", "hello", "ready>"]
        for leave in ["C-c", "C-u Enter"]:
            shell.line()
            shell.type("say hello").press("C-t").wait_for("· script").line()
            shell.press(*leave.split()).wait_screen(lambda screen: "script" not in screen, "a clean screen")


@every_bash
@pytest.mark.parametrize("prompt", ["", TWO_LINES])
@pytest.mark.parametrize("start", [0, 22])
def test_a_long_answer_wraps_past_the_end_of_the_screen(
    agent: RunningAgent, which: str, prompt: str, start: int
) -> None:
    answer = " ".join(f"word{i}" for i in range(40))
    agent.will_say(*[answer[i : i + 9] for i in range(0, len(answer), 9)], wait=0.002)
    fill = f"for i in $(seq {start}); do echo above $i; done"
    with bash_in_tmux(agent, before=prompt, after=fill, which=which, size=(24, 60)) as shell:
        shell.type("write many words").press("C-t").wait_for("· script")
        assert shell.line().text == answer
        shell.wait_screen(
            lambda screen: answer in joined(screen) and screen.endswith("\nscripted · script"),
            "the answer, row below row, and what it is from",
        )
        screen = lines(shell)
        assert screen[-7 if prompt else -6].startswith("top" if prompt else "ready> word0")
        above = [line for line in shell.screen(history=True).splitlines() if line.startswith("above")]
        assert above == [f"above {i + 1}" for i in range(start)]
        shell.press("C-_").wait_for("ready> write many words")


@every_bash
def test_several_lines_and_wide_characters_stand_as_they_are(agent: RunningAgent, which: str) -> None:
    answer = 'for f in 思考*; do\n  echo "$f 👍é"\ndone # ' + "終端" * 30
    agent.will_say(*answer.partition("echo"), wait=0.01)
    with bash_in_tmux(agent, before=TWO_LINES, after="echo above", which=which, size=(24, 60)) as shell:
        shell.type("loop").press("C-t").wait_for("3 lines")
        assert shell.line().text == answer
        shell.wait_for("\nready> for f in 思考*; do\n").wait_for("done #")
        screen = lines(shell)
        assert screen[0] == "above"
        assert screen[2] == "ready> for f in 思考*; do"
        assert screen[3] == '  echo "$f 👍é"'
        assert "".join(screen[4:7]).startswith("done # 終端終端")
        shell.press("C-_").wait_for("ready> loop")
        shell.wait_screen(lambda screen: screen.startswith("above\n"), "what stood above")


def test_a_long_sentence_that_wraps_is_replaced_whole(agent: RunningAgent) -> None:
    agent.will_say("uptime")
    with bash_in_tmux(agent, before=TWO_LINES, after="echo above", size=(24, 40)) as shell:
        shell.type("say how long this machine is up " * 5).press("C-t").wait_for("· script")
        shell.wait_screen(
            lambda screen: screen.splitlines()[-2:] == ["ready> uptime", "scripted · script"], "one row"
        )
        assert lines(shell)[0] == "above"
        assert len(lines(shell)) == 4


def test_an_answer_taller_than_the_screen_shows_its_end_and_is_whole(agent: RunningAgent) -> None:
    answer = "\n".join(f"echo row {i}" for i in range(40))
    agent.will_do({"delta": answer}, {"wait": 0.2})
    with bash_in_tmux(agent, size=(12, 60)) as shell:
        shell.type("many rows").press("C-t").wait_for("echo row 39")
        shell.wait_for("40 lines")
        assert shell.line().text == answer


def test_the_risk_is_marked_before_enter_can_be_pressed(agent: RunningAgent) -> None:
    agent.will_say("rm -rf build")
    with bash_in_tmux(agent) as shell:
        shell.type("delete the build").press("C-t").wait_for("· script")
        shell.wait_for("ready> rm -rf build\n⚠ high: deletes files, recursively")


@pytest.mark.parametrize(
    ("command", "colour"), [("rm -rf build", "31"), ("mv a b; rm build", "33")], ids=["high", "medium"]
)
def test_a_danger_is_bold_and_coloured_and_what_follows_is_dim(
    agent: RunningAgent, command: str, colour: str
) -> None:
    agent.will_say(command)
    with bash_in_tmux(agent) as shell:
        shell.type("remove the build").press("C-t").wait_for("⚠ ")
        pattern = rf"\x1b\[1m\x1b\[{colour}m⚠ [^\x1b]*\x1b\[0;2m(?:\x1b\[[34]9m)* · scripted"
        shell.wait_screen(
            lambda _: re.search(pattern, shell.screen(colours=True)), "the danger in its colour"
        )


def test_a_danger_without_colours_is_marked_by_letters(agent: RunningAgent) -> None:
    agent.will_say("rm -rf build")
    with bash_in_tmux(agent, env={"NO_COLOR": "1"}) as shell:
        shell.type("remove the build").press("C-t").wait_for("ready> rm -rf build\n!! high: ")


def test_a_long_state_line_is_cut_to_five_rows(agent: RunningAgent) -> None:
    agent.will_do({"note": "思考 " * 100}, {"delta": "ls"}, {"hang": True})
    with bash_in_tmux(agent, size=(24, 50)) as shell:
        shell.type("list").press("C-t").wait_for("ready> ls")
        shell.wait_screen(
            lambda screen: screen.startswith("ready> ls\n") and screen.endswith("…"), "a cut line"
        )
        assert len(lines(shell)) == 6


def test_a_resize_during_the_stream_keeps_the_line(agent: RunningAgent) -> None:
    agent.will_do({"delta": "echo one two three four five six seven eight nine"}, {"hang": True})
    with bash_in_tmux(agent, size=(24, 80)) as shell:
        shell.type("count").press("C-t").wait_for("nine")
        shell._tmux("resize-window", "-x", "40", "-y", "24")
        shell.press("C-g").wait_screen(lambda screen: "ready> count" in screen.splitlines(), "the sentence")
        assert shell.line().text == "count"


def test_bash_without_utf_8_gets_its_answer_too(agent: RunningAgent) -> None:
    agent.will_say("echo é")
    with bash(agent, env={"LC_ALL": "C", "LANG": "C"}) as shell:
        shell.mark().type("say it").press("C-t").wait_for("  script")
        assert shell.line().text == "echo é"


def test_a_letter_beyond_ascii_takes_the_danger_off_the_screen_as_well(agent: RunningAgent) -> None:
    agent.will_say("rm -r build")
    with bash_in_tmux(agent) as shell:
        shell.type("delete it").press("C-t").wait_for("⚠ high: ").wait_for("script")
        shell.line()
        for letter in "é", "日", "x":
            shell.type(letter).wait_screen(lambda screen: "⚠" not in screen, "the danger to leave")
        assert shell.line().text == "rm -r buildé日x"
