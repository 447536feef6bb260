"""Ctrl+T in zsh: a sentence becomes a command on the prompt, the editor stays live, and nothing runs."""

from __future__ import annotations

import random
import re

import pytest

from terma import wire
from tests.conftest import RunningAgent
from tests.shells.driver import ROUNDS, busy_core
from tests.shells.in_zsh import ask, wait_for_the_end, zsh, zsh_in_tmux

LONG_GUARD = (
    "_terma_guard=60\n"  # Enter does nothing behind an answer, however late a busy machine presses it
)
ANSWERS = [
    "find . -name '*.py' -printf '%s\\n' | awk '{s+=$1} END {print s}'",
    'echo "思考 👩‍👩‍👧 é ñ" 100% %n %F{red} `x` $(y) !! \\\\n \\c',
    'for f in *.log; do\n\tgzip -- "$f"\ndone # ü',
    "sed 's/\\t/ /g; s/\\\\/\\//' <<'E'\na\n\n  b\nE",
]


def pieces(data, rng: random.Random, most: int) -> list:
    """`data`, text or bytes, cut at up to `most` random places."""
    cuts = sorted(rng.sample(range(1, len(data)), min(rng.randint(1, most), len(data) - 1)))
    return [data[a:b] for a, b in zip([0, *cuts], [*cuts, len(data)], strict=True)]


def test_ctrl_t_puts_the_command_on_the_prompt_and_runs_nothing(agent: RunningAgent) -> None:
    agent.will_say("rm ", "-r ", "build")
    with zsh(agent) as shell:
        ask(shell, "delete the build directory")
        assert shell.line() == ("rm -r build", 11)
        assert shell.ran == []


def test_the_command_appears_while_it_streams(agent: RunningAgent) -> None:
    agent.will_do({"delta": "find . "}, {"hang": True})
    with zsh_in_tmux(agent) as shell:
        shell.type("list files").press("C-t").wait_for("ready> find .")


@pytest.mark.parametrize("keymap", ["bindkey -e", "bindkey -v"])
def test_it_works_in_emacs_and_in_vi_insert_mode(agent: RunningAgent, keymap: str) -> None:
    agent.will_say("uptime")
    with zsh(agent, before=keymap) as shell:
        assert ask(shell, "how long is it up").line().text == "uptime"


def test_it_works_in_vi_command_mode(agent: RunningAgent) -> None:
    agent.will_say("uptime -p")
    with zsh(agent, before="bindkey -v; KEYTIMEOUT=1") as shell:
        shell.type("how long is it up").press("Escape")
        shell.line()
        assert ask(shell, "").line().text == "uptime -p"


@pytest.mark.parametrize(("key", "pressed"), [("^X^T", ["C-x", "C-t"]), ("^[h", ["M-h"]), ("^G", ["C-g"])])
def test_terma_key_names_another_key(agent: RunningAgent, key: str, pressed: list[str]) -> None:
    agent.will_say("one", candidates=("two",))
    with zsh(agent, env={"TERMA_KEY": key}) as shell:
        shell.mark().type("count").press(*pressed).wait_for("· script")
        wait_for_the_end(shell)
        shell.mark().press(*pressed).wait_for("2/2")
        assert wait_for_the_end(shell).line().text == "two"


def test_the_same_key_asks_for_another_answer_to_the_original_sentence(agent: RunningAgent) -> None:
    agent.will_say("ls -t", match="newest", candidates=("ls -lt", "stat *"))
    with zsh(agent) as shell:
        ask(shell, "newest files", "1/3")
        for note, command in [("2/3", "ls -lt"), ("3/3", "stat *"), ("1/3", "ls -t")]:
            shell.mark().press("C-t").wait_for(note)
            assert wait_for_the_end(shell).line().text == command


def test_the_key_during_the_stream_asks_for_another_answer(agent: RunningAgent) -> None:
    agent.will_do({"delta": "wrong "}, {"hang": True}, match="newest", candidates=("right one",))
    with zsh(agent) as shell:
        shell.type("newest files").press("C-t").wait_for("wrong")
        shell.mark().press("C-t").wait_for("· script")
        assert wait_for_the_end(shell).line().text == "right one"
        assert shell.press("C-_").line().text == "newest files"


def test_an_edited_answer_is_a_sentence_of_its_own(agent: RunningAgent) -> None:
    agent.will_say("df -h", match="disk")
    agent.will_say("df -h -T", match="df -h and")
    with zsh(agent) as shell:
        ask(shell, "disk space")
        ask(shell, " and types")
        assert shell.line().text == "df -h -T"


@pytest.mark.parametrize("streamed", [("ls -l",), ("ls", " -l", " /", "tmp"), ("a\nb\nc",)])
def test_one_undo_brings_the_sentence_back(agent: RunningAgent, streamed: tuple[str, ...]) -> None:
    agent.will_say(*streamed, wait=0.01)
    with zsh(agent) as shell:
        ask(shell, "list it")
        assert shell.press("C-_").line() == ("list it", 7)


def test_one_u_brings_the_sentence_back_in_vi_mode(agent: RunningAgent) -> None:
    agent.will_say("ls", " -l", wait=0.01)
    with zsh(agent, before="bindkey -v; KEYTIMEOUT=1") as shell:
        ask(shell, "list it")
        shell.press("Escape")
        assert shell.line().text == "ls -l"
        assert shell.press("u").line().text == "list it"


def test_undo_goes_back_past_several_answers_in_one_step(agent: RunningAgent) -> None:
    agent.will_say("first", candidates=("second",))
    with zsh(agent) as shell:
        ask(shell, "count")
        shell.mark().press("C-t").wait_for("2/2")
        wait_for_the_end(shell)
        assert shell.press("C-_").line().text == "count"


def test_several_lines_stay_several_lines_and_can_be_edited(agent: RunningAgent) -> None:
    text = "for f in *; do\n  echo $f\ndone"
    agent.will_say(text)
    with zsh_in_tmux(agent) as shell:
        shell.type("loop").press("C-t").wait_for("3 lines").wait_for(
            "ready> for f in *; do\n  echo $f\ndone\n"
        ).line()
        shell.type("; ls").press("Up").type("X")
        assert shell.line().text == "for f in *; do\n  echo $Xf\ndone; ls"


def test_the_cursor_stands_on_the_first_placeholder_and_typing_replaces_it(agent: RunningAgent) -> None:
    agent.will_say("scp {file} {host}:")
    with zsh(agent) as shell:
        ask(shell, "copy it over")
        assert shell.line() == ("scp {file} {host}:", 4)
    with zsh(agent) as shell:
        ask(shell, "copy it over").type("思a")
        assert shell.line() == ("scp 思a {host}:", 6)
    with zsh(agent) as shell:
        ask(shell, "copy it over").press("BSpace")
        assert shell.line() == ("scp  {host}:", 4)


def test_typing_takes_over_and_keeps_what_stands_there(agent: RunningAgent) -> None:
    agent.will_do({"delta": "@@@@"}, agent.pause, {"delta": "NEVER"})
    with zsh(agent) as shell:
        shell.type("find files").press("C-t").wait_for("@@@@")
        shell.type("-x é思")
        assert shell.line() == ("@@@@-x é思", 9)
        agent.go_on()
        assert wait_for_the_end(shell).line().text == "@@@@-x é思"


def test_typing_ahead_of_the_answer_is_not_lost(agent: RunningAgent) -> None:
    agent.will_do(agent.pause, {"delta": "NEVER"})
    with zsh(agent) as shell:
        shell.send("list files\x14 and more")
        assert shell.line().text == "list files and more"
        agent.go_on()
        assert wait_for_the_end(shell).line().text == "list files and more"


@pytest.mark.parametrize("paste", ["\x1b[200~one\rtwo\x1b[201~", "\x1b[D\x1b[D"])
def test_a_paste_or_an_arrow_during_the_stream_takes_over(agent: RunningAgent, paste: str) -> None:
    agent.will_do({"delta": "@@@@"}, {"hang": True})
    with zsh(agent) as shell:
        shell.type("find files").press("C-t").wait_for("@@@@")
        shell.send(paste)
        assert shell.line() == (("@@@@one\ntwo", 11) if "one" in paste else ("@@@@", 2))
        assert shell.ran == []


@pytest.mark.parametrize("key", ["C-c", "C-g", "Escape"])
def test_cancel_restores_the_sentence_every_time_on_a_busy_machine(agent: RunningAgent, key: str) -> None:
    agent.will_do({"delta": "@@@@"}, {"hang": True})
    with busy_core(), zsh(agent) as shell:
        for number in range(25 * ROUNDS):
            sentence = f"remove {number} old logs"
            shell.mark().type(sentence).press("C-t").wait_for("@@@@")
            shell.mark().press(key).wait_for(sentence)
            assert shell.line() == (sentence, len(sentence))
            shell.press("C-u").line()
        assert shell.ran == []


@pytest.mark.parametrize("key", ["C-c", "C-g", "Escape"])
def test_behind_a_cancel_the_editor_waits_for_the_next_key_and_the_answer_is_let_go(
    agent: RunningAgent, key: str
) -> None:
    """A descriptor that is closed while the editor polls it is ready each time that it looks: a whole core."""
    agent.will_do({"delta": "@@@@"}, {"hang": True})
    with zsh(agent) as shell:
        for _ in range(2):
            shell.type("say it").press("C-t").wait_for("@@@@")
            shell.at_rest().mark().press(key).wait_for("say it")
            wait_for_the_end(shell.at_rest()).press("C-u").line()


def test_ctrl_c_gives_the_words_back_while_the_answer_stands_as_it_came_and_once(agent: RunningAgent) -> None:
    agent.will_say("@@@@")
    with zsh(agent, after="TRAPINT() { print -n mine; return $((128 + $1)) }") as shell:
        shell.type("list it").press("C-t").wait_for("@@@@")
        wait_for_the_end(shell)
        shell.mark().press("C-c").wait_for("list it")
        assert shell.line() == ("list it", 7)
        shell.at_rest().mark().press("C-c").wait_for("mine").wait_for("ready> ")
        assert shell.ran == []


def test_ctrl_c_on_an_answer_that_was_changed_ends_the_line_as_ever(agent: RunningAgent) -> None:
    agent.will_say("@@@@")
    with zsh(agent) as shell:
        shell.type("list it").press("C-t").wait_for("@@@@")
        wait_for_the_end(shell)
        shell.type("x").line()
        shell.at_rest().mark().press("C-c").wait_for("ready> ")
        assert shell.line() == ("", 0)


def test_ctrl_c_reaches_us_where_the_prompt_sets_a_trap_of_its_own_in_every_hook(agent: RunningAgent) -> None:
    """A stand-in for powerlevel10k, which sets its own trap in each of its hooks."""
    agent.will_do({"delta": "@@@@"}, {"hang": True})
    with zsh(agent, after="_p() { trap 'return 130' INT }; zle -N zle-line-pre-redraw _p") as shell:
        shell.type("say it").press("C-t").wait_for("@@@@")
        shell.mark().press("C-c").wait_for("say it")
        assert shell.line() == ("say it", 6)


def test_the_cursor_comes_back_with_the_sentence(agent: RunningAgent) -> None:
    agent.will_do({"delta": "@@@@"}, {"hang": True})
    with zsh(agent) as shell:
        shell.type("one two").press("C-a").mark().press("C-t").wait_for("@@@@")
        shell.mark().press("C-g").wait_for("one")
        assert shell.line() == ("one two", 0)


@pytest.mark.parametrize("key", ["C-j", "Enter", "C-o", "M-o"])
def test_no_key_runs_the_line_during_the_stream_nor_just_after(agent: RunningAgent, key: str) -> None:
    agent.will_do({"delta": "touch PART"}, {"wait": 0.05}, {"delta": "IAL"})
    with zsh(agent, before="bindkey '^[o' accept-line", after=LONG_GUARD) as shell:
        for _ in range(10):
            shell.mark().type("make a file").press("C-t").wait_for("touch PART")
            shell.press(key, key)
            wait_for_the_end(shell)
            shell.press(key)
            assert shell.line().text.startswith("touch PART")
            shell.press("C-u").line()
        assert shell.ran == []


def test_enter_typed_ahead_runs_nothing(agent: RunningAgent) -> None:
    agent.will_say("touch MADE")
    with zsh(agent, after=LONG_GUARD) as shell:
        for tail in ["\r", "\r\r\r", "x\r", "\n", "\x1b[A\r"]:
            shell.send("make a file\x14" + tail).line()
            wait_for_the_end(shell).press("C-e", "C-u").line()
        assert shell.ran == []


def test_enter_runs_the_answer_when_a_person_presses_it(agent: RunningAgent) -> None:
    agent.will_say("echo made it")
    with zsh(agent, after="_terma_guard=0") as shell:
        assert ask(shell, "say it").enter() == "made it"
        assert shell.ran == ["echo made it"]


def test_the_final_line_is_the_agents_text_in_every_chunking(agent: RunningAgent) -> None:
    rng = random.Random(20)
    sentences: dict[str, str] = {}
    for number in range(300 * ROUNDS):
        text, sentence = rng.choice(ANSWERS), f"case {number} now"
        if number % 2:
            steps: list[dict[str, object]] = [{"delta": piece} for piece in pieces(text, rng, 20)]
        else:
            request = str(number + 1)  # the shell counts its asks
            frames = [wire.encode("delta", request, piece) for piece in pieces(text, rng, 8)]
            data = b"".join(frames) + wire.encode("done", request, "replace", text)
            steps = [{"raw": piece.decode("latin-1")} for piece in pieces(data, rng, 12)] + [{"hang": True}]
        waits = [{"wait": 0.001} for _ in range(rng.randint(0, 2))]
        for wait in waits:
            steps.insert(rng.randrange(len(steps)), wait)
        sentences[sentence] = text
        agent._rules.append({"match": sentence, "steps": steps})
    agent._write()
    with zsh(agent) as shell:
        for sentence, text in sentences.items():
            shell.type(sentence).line()
            shell.mark().press("C-t").wait_for("scripted")
            assert wait_for_the_end(shell).line().text == text
            shell.press("C-u")


def test_a_stream_leaves_no_descriptor_keymap_trap_job_or_widget(agent: RunningAgent) -> None:
    agent.will_do({"delta": "@@@@"}, {"hang": True}, match="count")
    agent.will_say("ls", match="list")
    tell = (
        'tell() { print -r -- "<${(j: :)${(of)$(ls /proc/$$/fd)}}|${(o)keymaps}|${(k)jobstates}|'
        '${(ok)widgets[(I)zle-*]}|$(trap)>"; trap; print told }'
    )
    with zsh(agent, after=f"{tell}; _terma_guard=0") as shell:

        def told() -> tuple[set[str], str]:
            descriptors, _, rest = re.findall(r"(?s)<.*told", shell.run("tell"))[0][1:].partition("|")
            return set(descriptors.split()), rest

        before = told()
        for end in ["C-g", "C-c", "Escape", "x"]:
            shell.mark().type("count").press("C-t").wait_for("@@@@")
            shell.mark().press(end).wait_for("x" if end == "x" else "count").line()
            shell.press("C-u").line()
        ask(shell, "list")
        assert "emacs" in before[1]
        descriptors, rest = told()
        assert descriptors <= before[0]  # one of the start-up's own may have gone meanwhile
        assert rest == before[1]


def test_the_back_key_brings_the_candidate_before_and_cancel_keeps_the_last_whole_one(
    agent: RunningAgent,
) -> None:
    agent.will_say("ls one", candidates=("ls two",))
    with zsh(agent, "bindkey '^[t' transpose-words") as shell:
        ask(shell, "list it", "1/2")
        shell.mark().press("C-t").wait_for("2/2")
        assert wait_for_the_end(shell).mark().press("M-t").wait_for("1/2")
        wait_for_the_end(shell).mark().press("M-t").wait_for("this is the first answer")
        assert shell.line().text == "ls one"
        agent.will_do({"delta": "@@@@"}, {"hang": True})
        shell.mark().press("C-t").wait_for("@@@@")
        shell.mark().press("C-c").wait_for("ls one")
        shell.mark().press("C-c").wait_for("list it")
        assert shell.line().text == "list it"
        assert shell.press("M-t").line().text == "it list"  # elsewhere the key is its owner's


def test_one_answer_and_the_key_again_is_said(agent: RunningAgent) -> None:
    agent.will_say("ls")
    with zsh(agent) as shell:
        ask(shell, "list it")
        shell.mark().press("C-t").wait_for("the only answer")
