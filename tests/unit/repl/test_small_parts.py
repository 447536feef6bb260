"""The small parts: what is a /command, which keys a person has, what a line is taken for, what is said of a run."""

from __future__ import annotations

import asyncio
import json
import os
import signal
from pathlib import Path

import pytest

from terma.chat import ChatMessage, ToolCall, Usage
from terma.conversation.words import compose
from terma.dialogue import Decided, Decision, Piece, Proposal, Ran, ToolAnswered, Used
from terma.repl.display.json_lines import as_line
from terma.repl.display.sentences import answered, decided, ran_words
from terma.repl.display.spinner import Spinner, span
from terma.repl.prompt.inputrc import editing_mode
from terma.repl.prompt.judging import Judging
from terma.repl.prompt.line import Kind
from terma.repl.prompt.slash import COMMANDS, nearest, parse
from terma.repl.prompt.transcript import as_markdown
from terma.repl.setup.context import Given, joined
from terma.repl.tty.interrupts import Interrupted, Interrupts, Leaving
from terma.routing import Known
from terma.types import Risk


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("/help", ("help", "")),
        ("  /model  local/x ", ("model", "local/x")),
        ("/q", ("quit", "")),
        ("/", ("", "")),
        ("/nonsense", ("nonsense", "")),
        ("/etc/hosts", None),
        ("/tmp", ("tmp", "")),
        ("/bin/ls -l", None),
        ("ls /tmp", None),
        ("/help\nmore", None),
    ],
)
def test_a_line_is_a_slash_command_or_not(line: str, found: tuple[str, str] | None) -> None:
    assert parse(line) == found


def test_a_mistyped_slash_command_is_met_with_the_nearest() -> None:
    assert nearest("hlep") == "help"
    assert nearest("xyzzy") == ""
    assert len({command.name for command in COMMANDS}) == len(COMMANDS)


@pytest.mark.parametrize(
    ("text", "mode"),
    [
        ("", "emacs"),
        ("set editing-mode vi", "vi"),
        ("SET Editing-Mode VI", "vi"),
        ("# set editing-mode vi", "emacs"),
        ("set editing-mode vi\nset editing-mode emacs", "emacs"),
        ("$if mode=vi\nset editing-mode emacs\n$endif\nset editing-mode vi", "vi"),
        ("$if Bash\nset editing-mode vi\n$endif", "emacs"),
        ("$if terma\nset editing-mode vi\n$else\nset editing-mode emacs\n$endif", "vi"),
        ("$if term=xterm\nset editing-mode vi\n$endif", "vi"),
        ("$include more", "vi"),
        ("$include nowhere\n$include inputrc", "emacs"),
        ("$else\n$endif\n\x00\xff", "emacs"),
    ],
)
def test_inputrc_is_read_as_readline_reads_it(tmp_path: Path, text: str, mode: str) -> None:
    file = tmp_path / "inputrc"
    file.write_text(text, encoding="utf-8")
    (tmp_path / "more").write_text("set editing-mode vi\n")
    env = {"INPUTRC": str(file), "HOME": str(tmp_path), "TERM": "xterm-256color"}
    assert editing_mode(env) == mode


def test_interrupts_end_one_piece_of_work_and_no_other() -> None:
    async def work() -> list[object]:
        idle: list[object] = []
        with Interrupts(lambda: idle.append("idle")) as interrupts:
            begun = asyncio.Event()

            async def long() -> None:
                begun.set()
                await asyncio.Event().wait()

            async def press() -> None:
                await begun.wait()
                os.kill(os.getpid(), signal.SIGINT)

            pressing = asyncio.create_task(press())
            with pytest.raises(Interrupted):
                await interrupts.run(long())
            await pressing
            os.kill(os.getpid(), signal.SIGINT)
            while not idle:  # noqa: ASYNC110 - a signal has no event
                await asyncio.sleep(0.001)
            idle.append(await interrupts.run(asyncio.sleep(0, "done")))
            os.kill(os.getpid(), signal.SIGTERM)
            with pytest.raises(Leaving) as left:
                await interrupts.run(long())
            idle.append(left.value.status)
            with pytest.raises(Leaving):
                await interrupts.run(long())
        return idle

    before = signal.getsignal(signal.SIGINT)
    try:
        assert asyncio.run(work()) == ["idle", "done", 143]
    finally:
        signal.signal(signal.SIGINT, before)


def test_work_that_cleans_up_is_waited_for() -> None:
    async def work() -> list[str]:
        said: list[str] = []
        with Interrupts() as interrupts:

            async def long() -> None:
                try:
                    asyncio.get_running_loop().call_soon(interrupts.press)
                    await asyncio.Event().wait()
                finally:
                    interrupts.press()  # impatience does not spoil it
                    await asyncio.sleep(0.01)
                    said.append("clean")

            with pytest.raises(Interrupted):
                await interrupts.run(long())
        return said

    before = signal.getsignal(signal.SIGINT)
    try:
        assert asyncio.run(work()) == ["clean"]
    finally:
        signal.signal(signal.SIGINT, before)


def test_events_are_lines_of_json() -> None:
    assert json.loads(as_line(Piece("ä\n"))) == {"event": "piece", "text": "ä\n"}
    told = json.loads(as_line(ToolAnswered("run_command", "x", ran=Ran("ls", "x", 0))))
    assert (told["event"], told["ran"]["status"]) == ("tool_answered", 0)
    assert json.loads(as_line(Used(Usage(1, 2))))["usage"]["completion_tokens"] == 2
    assert as_line(Piece("\u2028\n")).count("\n") == 1


@pytest.mark.parametrize(
    ("ran", "words"),
    [
        (Ran("x", "", 0), ""),
        (Ran("x", "", 0, seconds=72.0), "done · 1 min 12 s"),
        (Ran("x", "", 2, seconds=0.3), "exit status 2"),
        (Ran("x", "", 130, "interrupt"), "interrupted"),
        (Ran("x", "", None, "timeout", "running"), "still running: no longer waited for"),
        (Ran("x", "", 0, dropped=5_000), "5,000 bytes of output were not kept"),
        (Ran("x", "", 0, restarted=True), "the shell had ended: this is a new one"),
    ],
)
def test_how_a_command_went_is_said_in_a_line(ran: Ran, words: str) -> None:
    assert ran_words(ran) == words
    assert answered(ToolAnswered("run_command", "x", ran=ran)) == (words or "done")


def test_a_decision_is_told_where_nobody_looked() -> None:
    proposal = Proposal("1", "run_command", "ls\n-l")
    assert decided(Decided(proposal, Decision("approve"))) == ""
    assert decided(Decided(proposal, Decision("approve", by="before"))) == "approved before: ls -l"
    assert decided(Decided(proposal, Decision("reject", reason="no", by="nobody"))) == "not run: ls -l (no)"
    assert decided(Decided(proposal, Decision("modify", command="ls"))) == "as you changed it: ls"


def test_the_spinner_says_how_long_and_how_much() -> None:
    spinner = Spinner(10.0, spent=100)
    assert spinner.row(13.25, colours=False).endswith("3.2 s · 100 tokens")
    spinner.characters = 41
    assert spinner.row(13.25, colours=False).endswith("3.2 s · ~111 tokens")
    assert span(59.94) == "59.9 s"


def test_the_spinner_names_who_has_said_nothing_for_a_while() -> None:
    spinner = Spinner(10.0, whom="tiny (Ollama)")
    assert "tiny" not in spinner.row(11.0, colours=False)
    assert spinner.row(13.25, colours=False).endswith(" tiny (Ollama) · 3.2 s")
    spinner.characters = 4
    assert spinner.row(13.25, colours=False)[1:] == " 3.2 s · ~1 tokens"


def test_what_was_handed_over_stands_before_what_was_captured() -> None:
    assert joined((Given("a.log", "x"), Given("", "\x1b[1my")), "Directory: /") == (
        "File a.log:\nx\n\nStandard input:\ny\n\nDirectory: /"
    )


def test_a_transcript_is_markdown_that_holds_its_fences() -> None:
    turns = (
        ChatMessage("user", compose("why?", "some ``` context")),
        ChatMessage(
            "assistant",
            "I look.",
            (ToolCall("1", "run_command", '{"command": "ls", "description": "lists"}'),),
        ),
        ChatMessage("tool", "a\nb", tool_call_id="1"),
    )
    text = as_markdown(turns, "tiny")
    assert text.startswith("# A conversation with tiny\n\n## why?\n\n````\nsome ``` context\n````\n")
    assert "Proposed: lists\n\n```sh\nls\n```" in text
    assert text.endswith("```\na\nb\n```\n")


@pytest.mark.parametrize(
    ("line", "kind", "want", "text"),
    [
        ("", "", "", ""),
        ("git log", "", "command", "git log"),
        ("why is the disk so full?", "", "prompt", "why is the disk so full?"),
        ("!why", "", "command", "why"),
        ("> git log", "", "prompt", "git log"),
        ("git log", "prompt", "prompt", "git log"),
        ("> git log", "command", "command", "git log"),
        ("/help", "", "slash", "/help"),
        ("exit", "", "slash", "/quit"),
        ("!exit", "", "command", "exit"),
    ],
)
def test_a_line_is_taken_for_what_it_is_or_what_a_person_says(
    line: str, kind: Kind, want: Kind, text: str
) -> None:
    judge = Judging(lambda: Known(path=os.environ["PATH"], cwd="/"), lambda command: Risk())
    meant = judge(line, kind)
    assert (meant.kind, meant.text) == (want, text)
    assert meant.certain == (bool(kind) or line[:1] in ("!", ">", "/") or line == "exit")


def test_a_command_carries_its_risk_and_words_do_not() -> None:
    judge = Judging(
        lambda: Known(path=os.environ["PATH"], cwd="/"), lambda command: Risk("high", ("deletes",))
    )
    assert judge("rm -rf x").risk.level == "high"
    assert judge("> rm -rf x").risk.level == "low"
