"""What an agent does wrong and what an engine says: the sentence stays, one line says why, nothing runs."""

from __future__ import annotations

import signal
import socket
from pathlib import Path

import pytest

from terma import wire
from tests.conftest import Home, RunningAgent
from tests.shells.driver import Shell
from tests.shells.in_zsh import ask, wait_for_the_end, zsh, zsh_in_tmux

BAD = [
    "\x1b]52;c;cm0=\x07",
    "\x1b[201~",
    "\x1b[0n",
    "\x1b[5n",
    "\x1b[2J",
    "\x1bc",
    "\x1bP1$r",
    "\x9b31m",
    "\u202e",
]
HOSTILE = "ls\r" + "".join(BAD) + "\r\x00touch PWNED\r"


def assert_unharmed(shell: Shell, home: Home) -> None:
    """Nothing ran, nothing dangerous reached the terminal, and the editor edits."""
    shell.read()
    assert [bad for bad in BAD if bad.encode() in shell.raw] == []
    assert shell.ran == []
    assert not list(Path(home.home).rglob("PWNED"))
    shell.press("C-a", "C-k").type("echo st").type("ill here")
    assert shell.line().text == "echo still here"


@pytest.mark.parametrize(
    "text",
    [
        "ls\rtouch PWNED\r",
        "ls\n\n\n",
        "a\x1b]52;c;cm0=\x07b",
        "ls\x1b[201~\rtouch PWNED\r",
        "\x1b[0n\x1b[5nls",
        HOSTILE,
    ],
)
def test_a_hostile_answer_neither_runs_nor_reaches_the_terminal(agent: RunningAgent, text: str) -> None:
    agent.will_say(text)
    with zsh(agent, before="setopt prompt_subst") as shell:
        ask(shell, "say something")
        assert shell.line().text.isprintable()
        assert_unharmed(shell, agent)


def frames_of_a_broken_agent(request: str) -> dict[str, bytes]:
    """What an agent without our sanitising could write."""

    def frame(*fields: str) -> bytes:
        return wire.encode(fields[0], request, *fields[1:])

    raw = HOSTILE.encode()
    return {
        "escaped": frame("delta", HOSTILE)
        + frame("note", HOSTILE)
        + frame("risk", "high" + HOSTILE, HOSTILE)
        + frame("done", "replace", HOSTILE + "\n\n"),
        "raw": b"delta\x1f" + request.encode() + b"\x1f" + raw + b"\x1f.\ndone\x1f"
        + request.encode() + b"\x1freplace\x1f" + raw + b"\xff\xfe\x1f.\n",
        "error": frame("error", "x", HOSTILE + "\nsecond line", HOSTILE),
        "expansion": frame("note", "%F{red}$(touch PWNED)`touch PWNED`%n")
        + frame("done", "replace", "$(touch PWNED) %n"),
        "cursor": frame("done", "replace", "ls", "cursor=99999999999999999999", "select=x[$(touch PWNED)]"),
        "garbage": b"\x00\xff\x1b[2J\x1b]52;c;x\x07\r\n\n\nrm -rf\n",
        "endless": b"A" * 300_000,
        "empty": frame("done", "replace", ""),
        "unclosed": b"done\x1f" + request.encode() + b"\x1freplace\x1fls\n",
        "other-id": wire.encode("done", "77", "replace", "touch PWNED") + frame("error", "x", "no"),
    }  # fmt: skip


@pytest.mark.parametrize("kind", frames_of_a_broken_agent("1"))
def test_a_broken_agent_neither_runs_nor_reaches_the_terminal(agent: RunningAgent, kind: str) -> None:
    agent.will_do({"raw": frames_of_a_broken_agent("1")[kind].decode("latin-1")}, {"hang": True})
    with zsh(agent, before="setopt prompt_subst") as shell:
        ask(shell, "say something", note="terma")  # its own note, or what is wrong already
        line = shell.line().text
        assert line == "say something" or kind in ("escaped", "raw", "expansion", "cursor")
        assert not any(ord(c) < 32 or 0x7F <= ord(c) < 0xA0 for c in line)
        assert_unharmed(shell, agent)


@pytest.mark.parametrize(
    ("steps", "said"),
    [
        ([{"crash": True}], "went away"),
        ([{"delta": "rm -rf"}, {"wait": 0.05}, {"crash": True}], "went away"),
        ([{"disconnect": True}], "went away"),
        ([{"raw": "not a frame\n"}, {"hang": True}], "garbage"),
        ([{"raw": "error\x1f-\x1fversion\x1fversion 2 is unknown\x1fterma agent restart\x1f.\n"}], "unknown"),
        ([{"error": ["auth", "the key was refused", "set another"]}], "the key was refused; set another"),
        ([{"error": ["empty", "scripted does not know that", ""]}], "scripted does not know that"),
    ],
)
def test_a_fault_leaves_the_sentence_and_says_one_line(
    agent: RunningAgent, steps: list[dict[str, object]], said: str
) -> None:
    agent.will_do(*steps)
    with zsh_in_tmux(agent) as shell:
        shell.type("delete it all").press("C-t").wait_for(said)
        shell.wait_for("ready> delete it all\nterma: ")
        assert len(shell.screen().splitlines()) == 2
        assert shell.type("!").line().text == "delete it all!"
        shell.wait_screen(lambda screen: screen == "ready> delete it all!", "the message to go")
        assert shell.ran == []


def test_a_hung_agent_blocks_nothing(agent: RunningAgent) -> None:
    with zsh(agent) as shell:
        agent.kill(signal.SIGSTOP)
        shell.mark().type("list files").press("C-t").wait_for("Ctrl+G cancels")
        shell.mark().press("C-g")
        assert wait_for_the_end(shell).line().text == "list files"
        shell.mark().press("C-t").wait_for("Ctrl+G cancels")
        assert shell.type(" here").line().text == "list files here"


def test_without_terma_on_the_path_one_line_says_what_to_do(home: Home) -> None:
    with zsh_in_tmux(home, env={"TERMA_BIN": "/nowhere/terma"}) as shell:
        shell.type("list files").press("C-t").wait_for("is not a command")
        assert shell.type("!").line().text == "list files!"


def test_an_agent_that_cannot_start_is_one_line(home: Home) -> None:
    broken = home.root / "terma"
    broken.write_text("#!/bin/sh\necho 'terma: the disk is full; free some space\nsecond' >&2\nexit 1\n")
    broken.chmod(0o700)
    with zsh_in_tmux(home, env={"TERMA_BIN": str(broken)}) as shell:
        shell.type("list files").press("C-t")
        shown = "ready> list files\nterma: the disk is full; free some space"
        shell.wait_screen(lambda screen: screen == shown, "one line below")
        assert shell.type("!").line().text == "list files!"


def test_a_slow_start_of_the_agent_can_be_cancelled(home: Home) -> None:
    slow = home.root / "terma"
    slow.write_text("#!/bin/sh\nexec sleep 3\n")
    slow.chmod(0o700)
    with zsh(home, env={"TERMA_BIN": str(slow)}) as shell:
        for key in ["C-g", "C-c", "Escape", "x"]:
            shell.mark().type("list files").press("C-t").wait_for("starting the agent")
            wait_for_the_end(shell.press(key))
            assert shell.line().text == ("list filesx" if key == "x" else "list files")
            shell.press("C-u").line()
        assert "[1]" not in shell.text


def test_the_first_ctrl_t_starts_an_agent_without_a_word(sleeping_agent: RunningAgent) -> None:
    sleeping_agent.will_say("uptime")
    with zsh(sleeping_agent) as shell:
        assert ask(shell, "how long is it up").line().text == "uptime"
        assert "[1]" not in shell.text


def test_a_stale_socket_is_taken_over(sleeping_agent: RunningAgent) -> None:
    sleeping_agent.will_say("uptime")
    with socket.socket(socket.AF_UNIX) as stale:
        stale.bind(str(sleeping_agent.socket))
    with zsh(sleeping_agent) as shell:
        assert ask(shell, "how long is it up").line().text == "uptime"


def test_a_socket_directory_that_is_a_link_is_refused(home: Home) -> None:
    link = home.root / "link"
    link.symlink_to(home.runtime)
    with zsh(home, env={"TERMA_SOCKET": str(link / "agent.sock")}) as shell:
        shell.mark().type("list files").press("C-t").wait_for("belongs to someone else")
        assert shell.line().text == "list files"


def test_a_full_disk_stops_no_prompt(agent: RunningAgent) -> None:
    agent.will_say("df -h")
    with zsh(agent, before="TMPPREFIX=/dev/full/zsh") as shell:
        assert ask(shell, "disk space").line().text == "df -h"


def test_a_line_too_long_for_a_frame_is_said(agent: RunningAgent) -> None:
    with zsh(agent, after="long() { BUFFER=${(l:70000::x:)} }; zle -N long; bindkey '^O' long") as shell:
        shell.press("C-o").line()
        shell.mark().press("C-t").wait_for("too long")
        assert len(shell.line().text) == 70000


def test_the_agent_is_asked_again_after_it_was_killed(agent: RunningAgent) -> None:
    agent.will_say("one")
    with zsh(agent) as shell:
        ask(shell, "count").press("C-u")
        agent.kill()
        agent.start()
        assert ask(shell, "count").line().text == "one"


def test_behind_a_ctrl_c_while_an_agent_starts_the_editor_waits_for_the_next_key(home: Home) -> None:
    slow = home.home / "slow"
    slow.write_text("#!/bin/sh\nexec sleep 600\n")
    slow.chmod(0o755)
    with zsh(home, env={"TERMA_BIN": str(slow)}) as shell:
        shell.type("say it").press("C-t").wait_for("starting the agent")
        shell.at_rest().press("C-c").at_rest()
        assert shell.line() == ("say it", 6)
