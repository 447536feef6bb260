"""Ctrl+T in a real xonsh: the answer streams into prompt_toolkit's buffer, and the line stays the person's own."""

from __future__ import annotations

import signal

import pytest

from tests.conftest import Home, RunningAgent, wait_until
from tests.shells.driver import TmuxShell
from tests.shells.in_xonsh import DONE, both, entered, fill, fresh, needs_xonsh, xonsh, xonsh_in_pty

pytestmark = needs_xonsh
VI = "$VI_MODE = True\n"
STREAM = ({"delta": "rm -r "}, {"delta": "bu dist"}, {"hang": True})


def undo(shell: TmuxShell, vi: bool) -> str:
    """The line after one undo."""
    shell.press(*(["Escape", "u"] if vi else ["C-_"]))
    return shell.line().text


@both
@pytest.mark.parametrize("rc", ["", VI])
def test_the_key_fills_the_line_and_one_undo_brings_the_sentence_back(
    agent: RunningAgent, rc: str, which: str
) -> None:
    agent.will_say("rm ", "-r ", "build", candidates=("rmdir build", "trash build"))
    with xonsh(agent, rc, which=which) as shell:
        fill(shell, "delete build", f"⚠ high: deletes files, recursively · {DONE}")
        assert shell.line() == ("rm -r build", 11)
        shell.press("C-t").wait_for("rmdir build").wait_for("2/3")
        shell.press("C-t").wait_for("trash build").wait_for("3/3")
        assert undo(shell, bool(rc)) == "delete build"
        shell.press("C-x", "C-r")
        assert shell.line().text == "trash build"
        assert undo(shell, bool(rc)) == "delete build"
        assert shell.ran == []


def test_an_answer_of_one_piece_too_and_of_several_lines(agent: RunningAgent) -> None:
    agent.will_say("for x in [1]:\n    print(x)")
    with xonsh(agent) as shell:
        fill(shell, "count", "2 lines")  # which is said at the end
        assert shell.line().text == "for x in [1]:\n    print(x)"
        assert undo(shell, False) == "count"


def test_it_is_seen_as_it_comes_and_as_xonsh_has_it(agent: RunningAgent) -> None:
    agent.will_do(*STREAM)
    agent.will_do({"delta": "find . -name 'a\\.b' -ex"}, {"hang": True}, match="find")
    with xonsh(agent) as shell:
        fill(shell, "delete build", "ready> rm -r bu").wait_for("scripted · thinking")
        shell.press("C-c").wait_for("ready> delete build")
        fill(fresh(shell), "find it", "ready> find . -name r'a\\.b'").wait_for("thinking")


@both
@pytest.mark.parametrize("rc", ["", VI])
def test_cancel_brings_the_sentence_and_its_cursor_back(agent: RunningAgent, rc: str, which: str) -> None:
    agent.will_do(*STREAM)
    with xonsh(agent, rc, which=which) as shell:
        for key in ("C-c", "C-g", "Escape"):
            sentence = f"delete it with {key}"
            shell.type(sentence).press("Left", "Left")
            fill(shell, "", "ready> rm -r bu").press(key)
            shell.wait_screen(
                lambda screen: "ready> rm" not in screen and "scripted" not in screen, "it gone"
            )
            assert shell.line() == (sentence, len(sentence) - 2)
            fresh(shell)


def test_typing_takes_over_and_an_arrow_does(agent: RunningAgent) -> None:
    agent.will_do(*STREAM)
    with xonsh(agent) as shell:
        fill(shell, "delete build", "ready> rm -r bu").type("x")
        shell.wait_screen(lambda screen: "thinking" not in screen, "the end of the stream")
        assert shell.line().text == "rm -r bux"
        shell.press("C-a", "C-k").wait_screen(lambda screen: screen.endswith("ready>"), "an empty line")
        fill(shell, "delete build", "ready> rm -r bu").press("Left")
        shell.wait_screen(lambda screen: "thinking" not in screen, "the end of the stream")
        assert shell.line() == ("rm -r bu", 7)


@pytest.mark.parametrize("rc", ["", VI])
@pytest.mark.parametrize("pasted", ["two\rlines", "touch X\r", "é思\x07👍", "x" * 5000])
def test_a_paste_takes_over_and_runs_nothing(agent: RunningAgent, rc: str, pasted: str) -> None:
    agent.will_do(*STREAM)
    with xonsh_in_pty(agent, rc) as shell:
        shell.type("delete it").line()
        shell.mark().press("C-t").wait_for("rm -r bu")
        shell.send(f"\x1b[200~{pasted}\x1b[201~")
        wait_until(
            lambda: shell.line().text == "rm -r bu" + pasted.replace("\r", "\n"), "the paste on the line"
        )
        assert shell.ran == []


def test_a_line_that_was_taken_over_is_the_persons_own(agent: RunningAgent) -> None:
    """The engine still writes, but not here: Enter runs the line."""
    agent.will_do({"delta": "echo of mine"}, {"hang": True})
    with xonsh(agent) as shell:
        shell.type("say it").press("C-t").wait_for("thinking").press("C-a")
        shell.wait_screen(lambda screen: "thinking" not in screen, "the end of the stream")
        shell.press("C-k").type("echo mine")
        assert entered(shell).ran == ["echo mine"]


def test_no_key_runs_a_half_written_line(agent: RunningAgent) -> None:
    agent.will_do(*STREAM)
    with xonsh(agent) as shell:
        for key in ("Enter", "C-j", "C-o", "M-Enter"):
            fill(shell, "echo build", "ready> rm -r bu").press(key)
            if key in ("Enter", "C-j"):
                shell.wait_for("still writing")
            assert shell.line().text in ("rm -r bu", "echo build"), key  # M-Enter begins with an Escape
            assert shell.ran == [], key
            shell.press("C-a", "C-k").wait_screen(lambda screen: screen.endswith("ready>"), "an empty line")


def test_an_enter_typed_ahead_runs_nothing_and_a_later_one_does(agent: RunningAgent) -> None:
    agent.will_say("echo ran-it")
    with xonsh(agent) as shell:
        shell.type("say it").press("C-t", "Enter").wait_for("ready> echo ran-it").wait_for(DONE)
        assert shell.line().text == "echo ran-it"
        assert shell.ran == []
        entered(shell).wait_for("\nran-it")
        assert shell.ran == ["echo ran-it"]


def test_an_enter_behind_words_typed_ahead_runs_nothing(agent: RunningAgent) -> None:
    agent.will_say("echo ran-it")
    with xonsh_in_pty(agent, after="import xontrib_terma.prompt; xontrib_terma.prompt.GUARD = 60") as shell:
        for tail in ("x\r", "\x1b[200~x\x1b[201~\r", "\x08\n"):
            shell.send(f"echo say it\x14{tail}")
            assert shell.line().text.startswith("echo say i"), tail
            assert shell.ran == [], tail
            shell.press("C-a", "C-k").line()


def test_typing_replaces_the_first_blank_to_fill(agent: RunningAgent) -> None:
    agent.will_say("mv {file} there")
    with xonsh(agent) as shell:
        fill(shell, "move a file", DONE)
        assert shell.line() == ("mv '{file}' there", 4)
        shell.type("mine")
        assert shell.line().text == "mv 'mine' there"


def test_a_candidate_is_written_for_xonsh_and_what_it_cannot_read_is_passed_over(agent: RunningAgent) -> None:
    agent.will_say("find . -name 'a\\.b' -exec ls {} \\; 2>&1", match="find")
    agent.will_say("ls @(", candidates=("echo fine",), match="odd")
    agent.will_say("ls @(", match="none")
    with xonsh(agent) as shell:
        fill(shell, "find it", DONE)
        assert shell.line().text == "find . -name r'a\\.b' -exec ls '{}' ';' 2>&1"
        shell.press("C-a", "C-k")
        fill(shell, "odd", "ready> echo fine").wait_for(DONE)
        shell.press("C-a", "C-k")
        fill(shell, "none of it", "no answer that xonsh can read")
        assert shell.line().text == "none of it"


def test_with_the_style_python_it_may_be_python(agent: RunningAgent) -> None:
    agent.will_say('for f in *.txt; do wc -l "$f"; done')
    with xonsh(agent, "$TERMA_XONSH_STYLE = 'python'") as shell:
        fill(shell, "count the lines of each", "2 lines")
        assert shell.line().text == "for f in g`*.txt`:\n    wc -l @(f)"


def test_the_persons_own_toolbar_stays_above_ours_and_comes_back(agent: RunningAgent) -> None:
    agent.will_say("rm -r build")
    with xonsh(agent, "$BOTTOM_TOOLBAR = 'my toolbar'\n") as shell:
        shell.wait_for("my toolbar")
        fill(shell, "delete build", "⚠ high")
        assert "\nmy toolbar\n⚠ high" in shell.screen()
        shell.type("x").wait_screen(lambda screen: screen.endswith("my toolbar"), "the toolbar alone")


def test_where_the_height_is_not_known_the_state_stands_beside_the_right_prompt(agent: RunningAgent) -> None:
    agent.will_say("rm -r build")
    no_reports = "import os; os.environ['PROMPT_TOOLKIT_NO_CPR'] = '1'\n$RIGHT_PROMPT = 'my right'\n"
    with xonsh(agent, no_reports, env={"PROMPT_TOOLKIT_NO_CPR": "1"}, size=(24, 120)) as shell:
        shell.wait_for("my right")
        fill(shell, "delete build", f"⚠ high: deletes files, recursively · {DONE}  my right")
        shell.type("x").wait_screen(lambda screen: "⚠" not in screen and "my right" in screen, "our end")


def test_where_that_would_hide_it_the_state_stands_above_the_prompt(agent: RunningAgent) -> None:
    agent.will_say("rm -r build dist plus more than fits")
    no_reports = "import os; os.environ['PROMPT_TOOLKIT_NO_CPR'] = '1'\n$RIGHT_PROMPT = 'my right'\n"
    with xonsh(agent, no_reports, env={"PROMPT_TOOLKIT_NO_CPR": "1"}, size=(24, 60)) as shell:
        shell.wait_for("my right")
        fill(shell, "delete build", f"⚠ high: deletes files, recursively · {DONE}\nready> rm -r build")
        assert shell.line().text == "rm -r build dist plus more than fits"
        shell.type("x").wait_screen(lambda screen: "⚠" not in screen and "my right" in screen, "our end")


def test_an_empty_line_gets_a_hint_and_a_key_with_an_owner_goes_to_it(agent: RunningAgent) -> None:
    owner = (
        "@events.on_ptk_create\ndef _owner(bindings, **_):\n    @bindings.add('c-t')\n"
        "    def _insert(event): event.current_buffer.insert_text('owned')\n"
    )
    with xonsh(agent) as shell:
        shell.press("C-t").wait_for("type what you want")
    with xonsh(agent, owner) as shell:
        shell.press("C-t").wait_for("ready> owned")


def test_what_goes_wrong_is_one_line_and_the_sentence_stays(agent: RunningAgent) -> None:
    agent.will_do({"delta": "rm -r "}, {"hang": True})
    with xonsh(agent) as shell:
        fill(shell, "delete build", "ready> rm")
        agent.kill(signal.SIGKILL)
        shell.wait_for("terma: the agent went away; press the key again").wait_for("ready> delete build")
        assert shell.line().text == "delete build"


def test_a_broken_agents_escapes_reach_neither_the_line_nor_the_terminal(agent: RunningAgent) -> None:
    agent.will_do({"raw": "delta\x1f1\x1fecho \\0033]0;owned\\0007\xe2\x80\xaex\x1f.\n"}, {"hang": True})
    with xonsh_in_pty(agent) as shell:
        before = len(shell.raw)
        shell.type("say it").press("C-t").wait_for("ownedx")
        assert shell.line().text == "echo ]0;ownedx"
        assert b"\x1b]" not in shell.raw[before:]
        assert "\u202e" not in shell.text


def test_the_first_press_starts_an_agent(sleeping_agent: RunningAgent) -> None:
    sleeping_agent.will_say("echo awake")
    with xonsh(sleeping_agent) as shell:
        fill(shell, "wake up", "ready> echo awake")


def test_what_cannot_be_reached_is_said(home: Home) -> None:
    with xonsh(home, env={"TERMA_BIN": "/nonexistent/terma"}) as shell:
        fill(shell, "wake up", "terma: the agent did not start; terma doctor says why")
        assert shell.line().text == "wake up"
    home.runtime.chmod(0o755)
    home.socket.touch()
    with xonsh(home) as shell:
        fill(shell, "wake up", "is open to other users")
        assert shell.line().text == "wake up"


def test_the_settings_of_xonshs_own_environment_count(agent: RunningAgent) -> None:
    agent.will_say("echo here")
    socket = f"$TERMA_SOCKET = {str(agent.socket)!r}\n$TERMA_ENGINE = 'scripted'\n"
    with xonsh(agent, socket, env={"TERMA_SOCKET": "/dev/null/agent.sock", "TERMA_ENGINE": ""}) as shell:
        fill(shell, "say it", "ready> echo here")


def test_ctrl_c_gives_the_words_back_the_back_key_the_candidate_and_cancel_the_last_whole_one(
    agent: RunningAgent,
) -> None:
    agent.will_say("ls one", candidates=("ls two",))
    with xonsh(agent) as shell:
        fill(shell, "list it", "1/2").press("C-t").wait_for("2/2")
        shell.press("M-t").wait_for("ready> ls one").press("M-t").wait_for("this is the first answer")
        agent.will_do(*STREAM)
        shell.press("C-t").wait_for("ready> rm -r").press("C-c").wait_for("1/2")
        assert shell.line().text == "ls one"
        shell.press("C-c").wait_for("ready> list it")
        assert shell.line().text == "list it"
        assert fresh(shell).line().text == ""
