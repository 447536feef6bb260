"""`?why` in zsh: what is printed, in which style, how it ends, and of which command it tells."""

from __future__ import annotations

import json
import signal
from pathlib import Path

import pytest

from terma import wire
from tests.conftest import Home, RunningAgent
from tests.shells.driver import PROMPT, ZSH_RC, Shell, wait_until
from tests.shells.in_zsh import ask, streams_of, zsh, zsh_env, zsh_in_tmux
from tests.shells.test_zsh_faults import BAD, HOSTILE
from tests.shells.test_zsh_neighbours import NO_GUARD, load

FRESH = f"\n\r{PROMPT}"  # a new prompt, and not the old one drawn again
STATUS = 'print "status=$? "'


def ask_why(shell: Shell, line: str = "?why", until: str = "") -> Shell:
    """Types the line and waits until `until` was written behind its echo, or for the next prompt."""
    if not until:
        return run(shell, line)
    shell.press("C-u").type(line).line()
    return shell.mark().press("Enter").wait_for(until)


def run(shell: Shell, line: str) -> Shell:
    """Runs the line; `since()` is what was written from Enter to the next prompt."""
    shell.run(line)
    return shell


def told(agent: RunningAgent) -> tuple[str, str]:
    """The command and the exit status that the engine was told last."""
    lines = json.loads(agent.ask("last", sent="1")[-1][2])["text"].splitlines()
    return lines[0].partition(": ")[2], lines[1].partition(": ")[2]


def test_the_answer_streams_in_its_styles(agent: RunningAgent) -> None:
    agent.will_explain("**bold** `code` and\n", "- a list\n", fixes=("rm -rf /tmp/none",), wait=0.05)
    with zsh(agent) as shell:
        run(shell, "false")
        ask_why(shell)
        raw = shell.raw.decode()
    for shown in [
        "\x1b[1mfalse\x1b[0m",
        "\x1b[2m · exit status 1\r\n\x1b[0m",
        "\x1b[1mbold\x1b[0m",
        "\x1b[36mcode\x1b[0m and",
        "• a list",
        "\x1b[1;31m\r\n     ⚠ high: deletes files",
        "scripted · no output was seen (terma shell would keep it)",
    ]:
        assert shown in raw


def test_something_is_seen_before_the_engine_says_anything(agent: RunningAgent) -> None:
    agent.will_do_why({"hang": True})
    with zsh(agent) as shell:
        run(shell, "false")
        ask_why(shell, until="exit status 1")
        shell.mark().press("C-c").wait_for(FRESH)


@pytest.mark.parametrize("plain", ["NO_COLOR=1", "TERM=dumb"])
def test_without_colours_it_is_plain(agent: RunningAgent, plain: str) -> None:
    agent.will_explain("**bold** `code`\n")
    with zsh_in_tmux(agent) as shell:
        shell.type(f"{plain}; false").press("Enter").line()
        shell.type("?why").press("Enter").wait_for("no output")
        assert "bold code\n" in shell.screen(colours=True)


def test_into_a_file_it_is_plain(agent: RunningAgent) -> None:
    agent.will_explain("**bold** `code`\n")
    with zsh(agent) as shell:
        run(shell, "false")
        run(shell, "_terma_why > $HOME/said")
        assert "false · exit status 1\nbold code\n" in Path(agent.home, "said").read_text()


def test_status_0_after_an_answer_and_1_with_one_line_after_an_error(agent: RunningAgent) -> None:
    agent.will_do_why(
        {"delta": "half\n\nof it\n\n"}, {"error": ["auth", "the key was refused", "set another"]}, match="cut"
    )
    agent.will_explain("known\n", match="good")
    with zsh(agent) as shell:
        run(shell, "false")
        ask_why(shell, "?why good")
        assert "status=0 " in run(shell, STATUS).since()
        ask_why(shell, "?why cut")
        assert "half\r\n" in shell.since()
        assert "\r\nterma: the key was refused; set another\r\n" in shell.since()
        assert "status=1 " in run(shell, STATUS).since()


def test_an_answer_that_ends_in_mid_line_gets_its_newline(agent: RunningAgent) -> None:
    frame = wire.encode("say", "1", "bold", "no end") + wire.encode("done", "1", "why")
    agent.will_do_why({"raw": frame.decode("latin-1")}, {"hang": True})
    with zsh(agent) as shell:
        run(shell, "false")
        ask_why(shell)
        assert "\x1b[1mno end\x1b[0m\r\n" in shell.raw.decode()


@pytest.mark.parametrize(
    "trap",
    ["", "TRAPINT() { print user trap; return 130 }", "trap 'print user trap' INT", "trap '' INT"],
)
def test_ctrl_c_stops_it_at_once_and_leaves_nothing(agent: RunningAgent, trap: str) -> None:
    agent.will_do_why({"delta": "**half a sen"}, {"hang": True})
    save = "save() { set -o > $HOME/$1; trap >> $HOME/$1; functions TRAPINT >> $HOME/$1; print saved }\n"
    with zsh(agent, save + trap) as shell:
        run(shell, "false")
        run(shell, "save one")
        run(shell, "false")
        ask_why(shell, until="exit status 1")
        wait_until(lambda: agent.ask("status")[-1][2] and streams_of(shell.child.pid), "the stream")
        shell.mark().press("C-c").wait_for(FRESH).line()
        assert streams_of(shell.child.pid) == []
        assert "status=130 " in run(shell, STATUS).since()
        run(shell, "save two")
        assert (agent.home / "one").read_text() == (agent.home / "two").read_text()
        assert "user trap" not in shell.text
        assert agent.accepts()


def test_keys_typed_while_it_answers_are_not_lost(agent: RunningAgent) -> None:
    agent.will_do_why({"delta": "slow\n"}, agent.pause, fixes=("touch PWNED",))
    with zsh(agent) as shell:
        run(shell, "false")
        ask_why(shell, until="exit status 1")
        shell.type("print typed ahead").wait_for("print typed ahead")  # the terminal's own echo
        agent.go_on()
        shell.wait_for("no output was seen").wait_for(FRESH)
        assert shell.line().text == "print typed ahead"


@pytest.mark.parametrize("ahead", ["\r", "\r\r", "print x\r", " \r"])
def test_an_enter_typed_ahead_does_not_run_the_fix(agent: RunningAgent, ahead: str) -> None:
    agent.will_do_why({"delta": "slow\n"}, agent.pause, fixes=("touch PWNED",))
    with zsh(agent) as shell:
        run(shell, "false")
        ask_why(shell, until="exit status 1")
        shell.mark().send(ahead).wait_for("\n")  # the terminal's own echo
        agent.go_on()
        shell.wait_for("no output was seen").wait_for(FRESH).line()
        assert "touch PWNED" not in shell.ran
        assert not Path(agent.home, "PWNED").exists()


def test_an_enter_just_behind_the_fix_does_not_run_it(agent: RunningAgent) -> None:
    agent.will_explain("so\n", fixes=("touch PWNED",))
    with zsh(agent, after="_terma_guard=60\n") as shell:
        run(shell, "false")
        ask_why(shell, until="ready> touch PWNED")
        shell.press("Enter", "Enter")
        assert shell.line().text == "touch PWNED"
        assert not Path(agent.home, "PWNED").exists()


@pytest.mark.parametrize("asked", ["?why", "?why, is it slow", "?why; true", "  ?why: what"])
def test_a_why_too_soon_behind_an_answer_is_back_as_it_was_typed(agent: RunningAgent, asked: str) -> None:
    agent.will_say("true")
    with zsh(agent, after="_terma_guard=60\n") as shell:
        ask(shell, "some words").press("C-u").type(asked).line()
        assert shell.press("Enter").line().text == asked


@pytest.mark.parametrize(
    ("steps", "said"),
    [
        ([{"crash": True}], "the agent went away; ask again"),
        ([{"delta": "half of it\n"}, {"wait": 0.05}, {"crash": True}], "the agent went away; ask again"),
        ([{"disconnect": True}], "the agent went away; ask again"),
        ([{"raw": "not a frame\n"}, {"hang": True}], "the agent sent garbage; terma agent restart"),
        ([{"raw": "A" * 80_000}, {"hang": True}], "the agent sent garbage; terma agent restart"),
        (
            [{"raw": "error\x1f-\x1fversion\x1fversion 2 is unknown\x1fterma agent restart\x1f.\n"}],
            "version 2 is unknown; terma agent restart",
        ),
    ],
)
def test_a_fault_is_one_line_and_status_1(
    agent: RunningAgent, steps: list[dict[str, object]], said: str
) -> None:
    agent.will_do_why(*steps)
    with zsh(agent) as shell:
        run(shell, "false")
        ask_why(shell)
        assert f"terma: {said}\r\n" in shell.since()
        assert "status=1 " in run(shell, STATUS).since()
        assert streams_of(shell.child.pid) == []


def test_a_hung_agent_is_given_up(agent: RunningAgent) -> None:
    with zsh(agent, env={"TERMA_WHY_TIMEOUT": "0.3"}) as shell:
        run(shell, "false")
        agent.kill(signal.SIGSTOP)
        ask_why(shell)
        assert "terma: nothing came from the agent for 0.3 s; terma agent restart\r\n" in shell.since()


def test_hostile_frames_reach_neither_terminal_nor_prompt(agent: RunningAgent) -> None:
    frames = b"".join(
        wire.encode(*fields)
        for fields in [
            ("say", "1", "code" + HOSTILE, HOSTILE + "visible\n"),
            ("say", "1", "plain", "%F{red}$(touch PWNED)`touch PWNED`\\e[2J%n\n"),
            ("other", "1", HOSTILE),
            ("say", "77", "plain", "not for us"),
            ("fix", "1", "touch PWNED\r\n\x1b[201~\r", "low", HOSTILE),
            ("fix", "1", "", "high", ""),
            ("done", "1", "why"),
        ]
    )
    agent.will_do_why({"raw": frames.decode("latin-1")}, {"hang": True})
    with zsh(agent, before="setopt prompt_subst") as shell:
        run(shell, "false")
        ask_why(shell, until="visible").wait_for(f"{PROMPT}touch PWNED")
        assert shell.line().text == "touch PWNED\n[201~"
        assert [bad for bad in BAD if bad.encode() in shell.raw] == []
        assert "not for us" not in shell.text
        assert "$(touch PWNED)`touch PWNED`\\e[2J%n" in shell.text
        assert not list(agent.home.rglob("PWNED"))


def test_an_endless_answer_is_cut(agent: RunningAgent) -> None:
    frame = wire.encode("say", "1", "plain", "word " * 4000)
    agent.will_do_why({"raw": (frame * 12).decode("latin-1")}, {"hang": True})
    with zsh(agent) as shell:
        run(shell, "false")
        ask_why(shell)
        assert "the answer is far too long" in shell.since()


def test_the_first_question_starts_an_agent(sleeping_agent: RunningAgent) -> None:
    sleeping_agent.will_explain("so it was\n")
    with zsh(sleeping_agent) as shell:
        run(shell, "false")
        ask_why(shell, until="so it was")
        assert "terma: starting the agent\r\n" in shell.since()
        assert "[1]" not in shell.text


def test_what_cannot_be_reached_is_one_line(home: Home) -> None:
    link = home.root / "link"
    link.symlink_to(home.runtime)
    with zsh(home, env={"TERMA_BIN": "/nowhere/terma"}) as shell:
        run(shell, "false")
        ask_why(shell)
        assert "terma: /nowhere/terma is not a command here; pipx install" in shell.since()
        run(shell, f"TERMA_SOCKET={link}/agent.sock")
        ask_why(shell)
        assert "terma: the agent's socket belongs to someone else" in shell.since()


def test_empty_enters_ctrl_c_and_questions_do_not_lose_the_failure(agent: RunningAgent) -> None:
    agent.will_explain("so\n")
    with zsh(agent, env={"PATH": f"{Path(agent.env['TERMA_BIN']).parent}:/usr/bin:/bin"}) as shell:
        run(shell, "(exit 42)")
        shell.enter()
        shell.type("never mind").line()
        shell.interrupt().line()
        for line in [
            "?why",
            "?why again isn't it",
            "terma version",
            "terma why > /dev/null",
            "command terma version",
        ]:
            run(shell, line)
        ask_why(shell)
        assert "(exit 42) · exit status 42" in shell.since()
        assert told(agent) == ("(exit 42)", "42")


def test_after_a_success_it_says_so(agent: RunningAgent) -> None:
    agent.will_explain("so\n")
    with zsh(agent) as shell:
        run(shell, "(exit 3)")
        run(shell, "print fine")
        ask_why(shell)
        assert told(agent) == ("print fine", "0")


@pytest.mark.parametrize("line", ["print )", "print 'a' | | cat", "!nosuchevent"])
def test_a_line_that_cannot_be_parsed_is_the_last_command(agent: RunningAgent, line: str) -> None:
    agent.will_explain("so\n")
    with zsh(agent) as shell:
        run(shell, "print before")
        ask_why(run(shell, line))
        assert told(agent) == (line, "1")


def test_a_comment_and_an_unfinished_line_are_no_failures(agent: RunningAgent) -> None:
    agent.will_explain("so\n")
    with zsh(agent, after="setopt interactive_comments\n") as shell:
        run(shell, "(exit 5)")
        run(shell, "# a note")
        run(shell, "for x in a; do").line()
        shell.interrupt().line()
        ask_why(shell)
        assert told(agent) == ("(exit 5)", "5")


@pytest.mark.parametrize("aborted", ["", "x", "for x in a; do"])
def test_a_line_given_up_is_no_failure_whatever_its_status(agent: RunningAgent, aborted: str) -> None:
    """send-break leaves no status 130, nor does a ^C that meets a widget."""
    agent.will_explain("so\n")
    with zsh(agent, after=f"ZLE_LINE_ABORTED='{aborted}'; bindkey '^X^G' send-break\n") as shell:
        run(shell, "(exit 5)")
        run(shell, "for x in a; do").line()
        assert shell.type(aborted).line().text == aborted
        shell.mark().press("C-x", "C-g").wait_for(PROMPT).line()
        ask_why(shell)
        assert told(agent) == ("(exit 5)", "5")
        assert run(shell, 'print -r -- "<$ZLE_LINE_ABORTED>"').since().strip().startswith(f"<{aborted}>")


def test_a_syntax_error_behind_an_interrupted_command_is_one(agent: RunningAgent) -> None:
    agent.will_explain("so\n")
    with zsh(agent) as shell:
        run(shell, "(exit 130)")
        ask_why(run(shell, "print )"))
        assert told(agent) == ("print )", "1")


def test_the_agent_learns_where_it_is_asked(agent: RunningAgent) -> None:
    before = "export TMUX_PANE=%9; KITTY_WINDOW_ID=4\nalias gs='git status' 'x=a b'\nalias -- 'two=a\nb'\n"
    agent.will_do_why({"hang": True})
    spy = "_terma_wire_frame_was=$functions[_terma_wire_frame]\n" + (
        "functions[_terma_wire_frame]='print -rl -- \"$@\" >> $HOME/frames; '$_terma_wire_frame_was\n"
    )
    with zsh(agent, before, spy) as shell:
        run(shell, "false")
        ask_why(shell, "?why is the port busy", until="exit status 1")
        shell.mark().press("C-c").wait_for(FRESH)
    lines = Path(agent.home, "frames").read_text().splitlines()
    for field in [
        "question= is the port busy",
        "asked=?why is the port busy",
        "command=false",
        "status=1",
        "columns=80",
        "lines=24",
        "env.TMUX_PANE=%9",
        "env.KITTY_WINDOW_ID=4",
        "shell=zsh",
    ]:
        assert field in lines
    text = "\n".join(lines)
    assert "gs=git status" in text
    assert "x=a b" in text
    assert "two=a" not in text


def test_many_aliases_and_a_long_path_still_fit(agent: RunningAgent) -> None:
    agent.will_explain("so\n")
    fill = "for i in {1..3000}; do alias a$i='echo 思考 something long'; done\n"
    with zsh(agent, after=fill) as shell:
        run(shell, "false")
        ask_why(shell, until="no output was seen").wait_for(FRESH)
        run(shell, "PATH=$PATH:/${(l:57000::x:)}")
        run(shell, "false")
        ask_why(shell, until="no output was seen").wait_for(FRESH)
        run(shell, "PATH=$PATH:/${(l:57000::x:)}")
        run(shell, "false")
        ask_why(shell)
        assert "terma: the line is too long to send" in shell.since()


def test_a_users_own_finish_widget_and_later_ones_still_run(agent: RunningAgent) -> None:
    agent.will_explain("so\n")
    own = 'mine() { print -r -- "$WIDGET $BUFFER" >> $HOME/hooks }; zle -N zle-line-finish mine\n'
    late = "late() { print -r -- late >> $HOME/hooks }; autoload -Uz add-zle-hook-widget\n"
    with zsh(agent, own, late + "use() { add-zle-hook-widget line-finish late }\n") as shell:
        run(shell, "use")
        run(shell, "use")
        ask_why(shell, "?why isn't it", until="no output was seen")
    hooks = Path(agent.home, "hooks").read_text().splitlines()
    assert hooks.count("zle-line-finish ?why isn't it") == 1
    assert hooks.count("late") == 2


def test_a_continuation_and_a_line_of_several_commands_are_not_questions(agent: RunningAgent) -> None:
    agent.will_explain("so\n")
    with zsh(agent) as shell:
        run(shell, "false")
        run(shell, "print '").line()
        assert shell.type("?why'").enter() == "?why"
        run(shell, "print a?why 2>&1")
        assert "no matches found: a?why" in shell.since()


@pytest.mark.parametrize("size", [(24, 80), (10, 30), (6, 20)])
def test_it_is_wrapped_to_the_terminal(agent: RunningAgent, size: tuple[int, int]) -> None:
    agent.will_explain(
        "words that are a little longer than the line is wide here, 思考しています of course\n"
    )
    with zsh_in_tmux(agent, size=size) as shell:
        shell.type("false").press("Enter").line()
        shell.type("?why 为什么").press("Enter").wait_for("seen")
        shown = shell.screen(history=True)
        assert "?why 为什么" in shown
        assert "思考" in shown
        assert "words that are" in shown


def test_a_resize_meanwhile_does_no_harm(agent: RunningAgent) -> None:
    agent.will_do_why({"delta": "first line\n"}, agent.pause, {"delta": "second line\n"}, fixes=("echo ok",))
    with zsh(agent) as shell:
        run(shell, "false")
        ask_why(shell, until="exit status 1")
        shell.child.setwinsize(30, 50)
        agent.go_on()
        shell.wait_for("second line").wait_for(f"{PROMPT}echo ok")
        assert shell.line().text == "echo ok"


@pytest.mark.parametrize("plugins_first", [True, False])
def test_beside_plugins_with_a_prompt_of_two_lines(agent: RunningAgent, plugins_first: bool) -> None:
    agent.will_explain("it is so\n", fixes=("echo the fix",))
    plugins = load("autosuggestions") + load("highlighting")
    prompt = "PS1=$'top line\\nready> '\n"
    before, after = (plugins + prompt, "") if plugins_first else (prompt, plugins)
    with zsh_in_tmux(agent, before, after) as shell:
        shell.type("false").press("Enter").line()
        shell.type("?why isn't it").press("Enter")
        shown = "keep it)\ntop line\nready> echo the fix"
        shell.wait_screen(lambda screen: screen.endswith(shown), "the fix on the prompt")


def test_as_terma_init_gives_it_out(agent: RunningAgent) -> None:
    agent.will_explain("so it was\n", fixes=("echo the fix",))
    load = f'eval "$({agent.env["TERMA_BIN"]} init zsh)"\n' + NO_GUARD
    with Shell("zsh", agent.home, ZSH_RC + load, env=zsh_env(agent)) as shell:
        run(shell, "false")
        ask_why(shell, "?why isn't $(it)", until=f"{PROMPT}echo the fix")
        assert "so it was" in shell.since()
        assert "off" in run(shell, "print $options[interactivecomments]").since()


def test_xtrace_does_not_trace_us(agent: RunningAgent) -> None:
    agent.will_explain("so it was\n")
    with zsh(agent, after="PS4='+%N:%i> '; setopt xtrace", ready="") as shell:
        shell.wait_for(PROMPT)
        run(shell, "false")
        run(shell, "?why isn't it")
        traced = [line for line in shell.since().splitlines() if line.startswith("+_terma")]
        known = (
            "emulate -L",
            "local -i code",
            "code=",
            "_terma_explain",
            "_terma_line_finish",
            "(( _terma_level",
        )
        assert [line for line in traced if not any(words in line for words in known)] == []
