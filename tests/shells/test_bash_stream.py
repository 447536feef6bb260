"""Ctrl+T in bash: a sentence becomes a command on the prompt, keys are heeded meanwhile, and nothing runs."""

from __future__ import annotations

import random
import re
import termios
import time

import pytest

from terma import wire
from tests.conftest import WAIT, RunningAgent
from tests.shells.driver import PROMPT, ROUNDS, busy_core
from tests.shells.in_bash import BASHES, ask, bash, pipes_of, wait_for_the_end

ANSWERS = [
    "find . -name '*.py' -printf '%s\\n' | awk '{s+=$1} END {print s}'",
    'echo "思考 👩‍👩‍👧 é ñ" 100% %n `x` $(y) !! \\\\n \\c',
    'for f in *.log; do\n\tgzip -- "$f"\ndone # ü',
    "sed 's/\\t/ /g; s/\\\\/\\//' <<'E'\na\n\n  b\nE",
]
# Enter does nothing for two seconds behind the answer, so that a test on a busy machine comes in time for that.
LONG_GUARD = 'eval "$(declare -f _terma_guard | sed s/ticks=100/ticks=1000/)"\n'
every_bash = pytest.mark.parametrize("which", BASHES)


def pieces(data, rng: random.Random, most: int) -> list:
    """`data`, text or bytes, cut at up to `most` random places."""
    cuts = sorted(rng.sample(range(1, len(data)), min(rng.randint(1, most), len(data) - 1)))
    return [data[a:b] for a, b in zip([0, *cuts], [*cuts, len(data)], strict=True)]


@every_bash
def test_ctrl_t_puts_the_command_on_the_prompt_and_runs_nothing(agent: RunningAgent, which: str) -> None:
    agent.will_say("rm ", "-r ", "build")
    with bash(agent, which=which) as shell:
        ask(shell, "delete the build directory")
        assert shell.line() == ("rm -r build", 11)
        assert shell.ran == []


@pytest.mark.parametrize("transport", ["nc", "socat", "relay"])
def test_every_transport_carries_every_answer(agent: RunningAgent, transport: str) -> None:
    env = {"TERMA_TRANSPORT": transport}
    for answer in ANSWERS:
        agent.will_say(answer)
        with bash(agent, env=env) as shell:
            assert ask(shell, "say it").line().text == answer


@every_bash
@pytest.mark.parametrize("keymap", ["set -o emacs", "set -o vi"])
def test_it_works_in_emacs_and_in_vi_insert_mode(agent: RunningAgent, keymap: str, which: str) -> None:
    agent.will_say("uptime")
    with bash(agent, before=keymap + "\nbind -m vi-insert -x '\"\\C-]\": _test_probe'", which=which) as shell:
        assert ask(shell, "how long is it up").line().text == "uptime"


def test_it_works_in_vi_command_mode(agent: RunningAgent) -> None:
    agent.will_say("uptime -p")
    probe = "set -o vi\nbind -m vi-command -x '\"\\C-]\": _test_probe'"
    with bash(agent, before=probe) as shell:
        shell.type("how long is it up").press("Escape")
        shell.line()
        assert ask(shell, "").line().text == "uptime -p"


@pytest.mark.parametrize(
    ("key", "pressed"), [("^X^T", ["C-x", "C-t"]), ("\\eh", ["M-h"]), ("^[h", ["M-h"]), ("^O", ["C-o"])]
)
def test_terma_key_names_another_key(agent: RunningAgent, key: str, pressed: list[str]) -> None:
    agent.will_say("one", candidates=("two",))
    with bash(agent, env={"TERMA_KEY": key}) as shell:
        shell.mark().type("count").press(*pressed).wait_for("· script")
        wait_for_the_end(shell)
        shell.mark().press(*pressed).wait_for("2/2")
        assert wait_for_the_end(shell).line().text == "two"


@every_bash
def test_the_same_key_asks_for_another_answer_to_the_original_sentence(
    agent: RunningAgent, which: str
) -> None:
    agent.will_say("ls -t", match="newest", candidates=("ls -lt", "stat *"))
    with bash(agent, which=which) as shell:
        ask(shell, "newest files", "1/3")
        for note, command in [("2/3", "ls -lt"), ("3/3", "stat *"), ("1/3", "ls -t")]:
            shell.mark().press("C-t").wait_for(note)
            assert wait_for_the_end(shell).line().text == command


def test_the_key_during_the_stream_asks_for_another_answer(agent: RunningAgent) -> None:
    agent.will_do({"delta": "wrong "}, {"hang": True}, match="newest", candidates=("right one",))
    with bash(agent) as shell:
        shell.mark().type("newest").press("C-t").wait_for("wrong")
        shell.press("C-t").wait_for("right one")
        assert wait_for_the_end(shell).line().text == "right one"


@every_bash
@pytest.mark.parametrize("key", ["C-c", "C-g", "Escape"])
def test_cancel_restores_the_sentence_every_time_on_a_busy_machine(
    agent: RunningAgent, which: str, key: str
) -> None:
    agent.will_do({"delta": "rm -rf "}, {"hang": True})
    with busy_core(), bash(agent, which=which) as shell:
        for _ in range(5 if ROUNDS == 1 else 25 * ROUNDS):
            shell.mark().type("tidy up").press("Left", "Left").press("C-t").wait_for("rm -rf")
            shell.mark().press(key).wait_for("tidy up")
            assert wait_for_the_end(shell).line() == ("tidy up", 5)
            shell.press("C-e", "C-u")
        assert shell.ran == []


def test_ctrl_c_after_a_stream_is_the_users_again(agent: RunningAgent) -> None:
    agent.will_say("sleep 100")
    with bash(agent, before="trap 'echo mine' INT") as shell:
        ask(shell, "wait").line()  # a ^C that meets the editor at work is lost in any shell
        assert shell.press("C-c").line().text == "wait"
        shell.mark().press("C-c").line()  # bare bash may swallow what is typed right behind ^C
        assert "mine" in shell.since()
        assert shell.run("trap -p INT") == "trap -- 'echo mine' SIGINT"
        assert shell.line().text == ""
    with bash(agent) as shell:
        ask(shell, "wait").line()
        assert shell.press("C-c").line().text == "wait"
        shell.press("C-c").line()
        assert shell.run("echo $?,$(trap -p INT)") == "130,"
        shell.mark().type("sh -c 'printf go%s ne; exec sleep 50'").press("Enter").wait_for("gone")
        shell.mark().press("C-c").wait_for(PROMPT).line()


@every_bash
@pytest.mark.parametrize("enter", ["\r", "\n", "\r\r\r", "\x0f"])
def test_enter_during_the_stream_runs_nothing(agent: RunningAgent, which: str, enter: str) -> None:
    agent.will_do({"delta": "touch "}, agent.pause, {"delta": "PWNED"}, {"wait": 0.05}, {"delta": " x"})
    with bash(agent, after=LONG_GUARD, which=which) as shell:
        shell.mark().type("make a file").press("C-t").send(enter).wait_for("touch")
        shell.send(enter)
        agent.go_on()
        shell.wait_for("· script").send(enter)
        assert wait_for_the_end(shell).line().text.startswith("touch")
        assert shell.ran == []
        assert not list(agent.home.rglob("PWNED"))


def test_enter_runs_the_command_once_the_guard_is_over(agent: RunningAgent) -> None:
    agent.will_say("echo", " o''k")
    with bash(agent) as shell:
        assert ask(shell, "say ok").enter() == "ok"
        assert shell.ran == ["echo o''k"]


@every_bash
def test_typing_takes_over_and_is_kept_in_order(agent: RunningAgent, which: str) -> None:
    agent.will_do({"delta": "find ."}, {"hang": True})
    for keys, expected in [
        ("-name x", "find .-name x"),
        ("é思👍", "find .é思👍"),
        ("ab\x7fc", "find .ac"),
        ("-x\x01y ", "y find .-x"),
        ("a\rb\nc", "find .abc"),
        ("q\x1b[Dz", "find .zq"),
        ("\x1b[D", "find ."),
        ("\x1b[200~two\rlines\x1b[201~", "find .two\nlines"),
        ("\x1b[200~rm -rf x\r\x1b[201~\r", "find .rm -rf x\n"),
    ]:
        with bash(agent, which=which) as shell:
            shell.mark().type("list files").press("C-t").wait_for("find .")
            wait_for_the_end(shell.send(keys))
            assert shell.line().text == expected, keys
            assert shell.ran == []


def test_a_key_that_comes_in_pieces_is_still_one_key(agent: RunningAgent) -> None:
    agent.will_do({"delta": "find ."}, {"hang": True})
    with bash(agent) as shell:
        shell.mark().type("list files").press("C-t").wait_for("find .")
        for byte in "思x".encode():
            shell.send(bytes([byte]))
            shell.read(0.01)
        assert wait_for_the_end(shell).line().text == "find .思x"


@every_bash
def test_one_undo_brings_the_sentence_back(agent: RunningAgent, which: str) -> None:
    agent.will_say("find .", " -type f", wait=0.05)
    with bash(agent, which=which) as shell:
        ask(shell, "list files").press("C-_")
        assert shell.line().text == "list files"


@every_bash
@pytest.mark.parametrize("mode", ["emacs", "vi"])
def test_one_undo_brings_the_sentence_back_from_any_candidate(
    agent: RunningAgent, which: str, mode: str
) -> None:
    agent.will_say("ls -t", match="newest", candidates=("ls -lt", "stat *"))
    probe = f"set -o {mode}\nbind -x '\"\\C-]\": _test_probe'"
    with bash(agent, which=which, before=probe) as shell:
        ask(shell, "newest files", "1/3")
        for note in ["2/3", "3/3"]:
            shell.mark().press("C-t").wait_for(note)
            wait_for_the_end(shell)
        assert shell.line().text == "stat *"
        shell.press("C-_")
        assert shell.line().text == "newest files"
        shell.mark().press("C-t").wait_for("1/3")
        assert wait_for_the_end(shell).line().text == "ls -t"
        assert shell.ran == []


def test_undo_in_vi_mode_brings_the_sentence_back(agent: RunningAgent) -> None:
    agent.will_say("find .", " -type f")
    probe = "set -o vi\nfor m in vi-insert vi-command; do bind -m $m -x '\"\\C-]\": _test_probe'; done"
    with bash(agent, before=probe) as shell:
        ask(shell, "list files").press("C-_")
        assert shell.line().text == "list files"
        ask(shell, " now").press("Escape")
        shell.line()
        shell.press("C-_")
        assert shell.line().text == "list files now"


def test_the_cursor_stands_on_the_first_placeholder(agent: RunningAgent) -> None:
    agent.will_say("cp é思 {file} {target}")
    with bash(agent) as shell:
        assert ask(shell, "copy it").line() == ("cp é思 {file} {target}", 6)


def test_a_word_only_of_blanks_is_no_sentence(agent: RunningAgent) -> None:
    with bash(agent) as shell:
        shell.mark().type("   ").press("C-t").wait_for("type what you want")
        assert shell.line().text == "   "


def test_the_final_line_is_what_the_agent_said_whatever_the_chunks(agent: RunningAgent) -> None:
    rng = random.Random(7)
    with bash(agent, env={"TERMA_TRANSPORT": "nc"}) as shell:
        for number in range(25 if ROUNDS == 1 else 250 * ROUNDS):
            answer = ANSWERS[number % len(ANSWERS)]
            request = str(number + 1)
            frames = b"".join(wire.encode("delta", request, piece) for piece in pieces(answer, rng, 9))
            frames += wire.encode("done", request, "replace", answer)
            steps = []
            for chunk in pieces(frames, rng, 6):
                steps += [{"raw": chunk.decode("latin-1")}, {"wait": rng.choice([0, 0, 0.002])}]
            agent.will_do(*steps, {"hang": True})
            shell.mark().type(f"say {number}").press("C-t").wait_for("asking")
            assert wait_for_the_end(shell).line().text == answer
            shell.press("C-e", "C-u")
            assert shell.line().text == ""


def test_nothing_is_left_behind(agent: RunningAgent) -> None:
    agent.will_say("one", wait=0.01)
    with bash(agent) as shell:

        def state() -> str:
            show = "echo fd $(ls /proc/$$/fd | tr '\\n' ' ') jobs $(jobs -p) traps $(trap) opts $- $SHELLOPTS $BASHOPTS"
            return re.sub(r"\s+", " ", shell.run(show))

        ask(shell, "warm up")
        before = state()
        for _ in range(2):
            ask(shell, "count").press("C-u")
        begun = time.monotonic()
        while (left := state()) != before and time.monotonic() - begun < WAIT:
            pass  # the end of an answer is read at the prompt: on a busy machine, at the next one
        assert left == before
        assert "[1]" not in shell.text
        assert shell.run("wait; echo waited") == "waited"


def test_ctrl_c_on_an_answer_that_was_changed_ends_the_line_as_ever(agent: RunningAgent) -> None:
    agent.will_say("uptime")
    with bash(agent) as shell:
        ask(shell, "how long").type("x").line()
        assert shell.interrupt().press("C-u").line().text == ""
        assert shell.run("stty -a | grep -o 'intr = [^;]*'") == "intr = ^C"


KEYMAPS = (
    "for m in emacs-standard vi-insert vi-command; do for k in p s X; do bind -m $m -$k; done; done > $HOME/"
)
FOREIGN = r"""bind '"(": "()\C-b"'; bind -x '"\C-g": READLINE_LINE+=g'; bind '" ": magic-space'"""


@every_bash
@pytest.mark.parametrize("mode", ["", "set -o vi; bind -m vi-insert -x '\"\\C-]\": _test_probe'"])
@pytest.mark.parametrize("key", ["x", "C-u", "C-c", "(", "Up", "M-t"])
def test_all_keys_are_what_they_were_one_key_behind_an_answer(
    agent: RunningAgent, which: str, mode: str, key: str
) -> None:
    agent.will_say("uptime")
    with bash(agent, FOREIGN, mode, which=which) as shell:
        ask(shell, "how long").line()
        shell.press("C-c").line()  # what is bound once and for all is bound now
        shell.run(KEYMAPS + "one")
        ask(shell, "how long").line()
        shell.press(key).line()
        if key == "M-t":
            wait_for_the_end(shell).press("x").line()
        shell.run(KEYMAPS + "two")
        assert (agent.home / "one").read_text() == (agent.home / "two").read_text()
        assert shell.run("stty -a | grep -o 'intr = [^;]*'") == "intr = ^C"


@every_bash
def test_the_interrupt_is_a_key_from_the_first_press_on_until_the_next_key(
    agent: RunningAgent, which: str
) -> None:
    """A ^C that came between the answer and its keys was a signal, and took the words away."""
    agent.will_say("uptime")
    with bash(agent, which=which) as shell:
        shell.type("how long").line()
        shell.mark().press("C-t")
        seen = [b"\x03"]

        def stands() -> bool:
            shell.read()
            now = termios.tcgetattr(shell.child.child_fd)[6][termios.VINTR]
            if now != seen[-1]:
                seen.append(now)
            return "· script" in shell.since() and not pipes_of(shell.child.pid)

        deadline = time.monotonic() + WAIT
        while not stands():
            assert time.monotonic() < deadline, "the answer did not come"
        shell.line()
        assert len(seen) == 2, seen


@every_bash
def test_the_back_key_brings_the_candidate_before_and_cancel_keeps_the_last_whole_one(
    agent: RunningAgent, which: str
) -> None:
    agent.will_say("ls one", candidates=("ls two",))
    with bash(agent, which=which) as shell:
        ask(shell, "list it", "1/2").line()
        shell.mark().press("C-t").wait_for("2/2")
        assert wait_for_the_end(shell).line().text == "ls two"
        shell.mark().press("M-t").wait_for("1/2")
        assert wait_for_the_end(shell).line().text == "ls one"
        shell.mark().press("M-t").wait_for("this is the first answer")
        assert shell.line().text == "ls one"
        agent.will_do({"delta": "@@@@"}, {"hang": True})
        shell.mark().press("C-t").wait_for("@@@@").press("C-c")
        assert wait_for_the_end(shell).line().text == "ls one"
        assert shell.press("C-c").line().text == "list it"
