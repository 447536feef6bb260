"""The embedded partner answers from the machine and the conversation, and says where it knows nothing."""

from __future__ import annotations

import asyncio
import gzip
import os
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from terma.agent.chat.embedded import Embedded
from terma.agent.chat.offline_answers import Shown, asks_what_it_is, pointed, told
from terma.chat import ChatMessage, PastCommand, TextDelta, ToolCall
from terma.conversation.words import compose
from terma.errors import UnknownAnswer
from terma.machine import load
from terma.machine.described import mode
from terma.types import Candidate, Event, Explained, Final, Query, WhyQuery

PAGE = """.TH PACKZ 1
.SH NAME
packz \\- an archiving utility
.SH OPTIONS
.TP
\\fB\\-x\\fR, \\fB\\-\\-extract\\fR
Extract files from an archive.
.TP
\\fB\\-z\\fR, \\fB\\-\\-gzip\\fR
Filter the archive through gzip.
.TP
\\fB\\-f\\fR, \\fB\\-\\-file\\fR=\\fIARCHIVE\\fR
Use archive file ARCHIVE.
"""


class Echo:
    """Proposes the words themselves, to see what was understood."""

    name = "echo"

    def __init__(self, explains: list[WhyQuery] | None) -> None:
        self._explains = explains

    async def explain(self, query: WhyQuery) -> AsyncIterator[Event]:
        if self._explains is not None:
            self._explains.append(query)
        yield Explained(())

    async def translate(self, query: Query) -> AsyncIterator[Event]:
        yield Final((Candidate(f"do {query.words}", 1.0, "echo"),), 1)


def answered(
    question: str,
    *before: ChatMessage,
    path: str = os.environ["PATH"],
    context: str = "",
    ran: tuple[PastCommand, ...] = (),
    typed: tuple[str, ...] = (),
    explains: list[WhyQuery] | None = None,
) -> str:
    """The text, or the command that is proposed; `explains` is told the failures that are explained."""

    turns = [*before, ChatMessage("user", compose(question, context), ran=ran)]
    return goes_on(*turns, path=path, typed=typed, explains=explains)


def goes_on(
    *turns: ChatMessage,
    path: str = os.environ["PATH"],
    typed: tuple[str, ...] = (),
    explains: list[WhyQuery] | None = None,
) -> str:
    """What comes behind these turns."""

    async def history() -> tuple[str, ...]:
        return typed

    query = Query(words="", shell="bash", cwd="/", path=path, os="linux")
    engine = Embedded(Echo(explains), query, {"run_command"}, history)  # type: ignore[arg-type]

    async def go() -> str:
        said = ""
        async for event in engine.chat(turns):
            said += event.text if isinstance(event, TextDelta) else ""
            said += event.arguments if isinstance(event, ToolCall) else ""
        return said

    return asyncio.run(go())


def ran(command: str, output: str, status: int = 0) -> list[ChatMessage]:
    arguments = f'{{"command": "{command}"}}'
    return [
        ChatMessage("user", "list it"),
        ChatMessage("assistant", "", (ToolCall("c1", "run_command", arguments),)),
        ChatMessage("tool", f"exit status {status}\noutput:\n{output}", (), "c1"),
    ]


@pytest.fixture
def machine(tmp_path: Path) -> str:
    """A PATH with one program, and its manual page where such pages lie."""
    (tmp_path / "bin").mkdir()
    (tmp_path / "share/man/man1").mkdir(parents=True)
    program = tmp_path / "bin/packz"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    (tmp_path / "share/man/man1/packz.1.gz").write_bytes(gzip.compress(PAGE.encode()))
    return str(tmp_path / "bin")


@pytest.mark.parametrize(
    "question",
    [
        "explain packz -xzf",
        "what does packz -xzf do?",
        "explain: packz -x -z -f",
        "What does `packz -xzf` mean?",
    ],
)
def test_a_command_is_explained_from_its_manual_page(machine: str, question: str) -> None:
    said = answered(question, path=machine)
    assert "`packz`: an archiving utility" in said
    for option, words in (
        ("-x", "Extract files"),
        ("-z", "Filter the archive through gzip"),
        ("-f", "Use archive file"),
    ):
        assert f"`{option}`: {words}" in said


def test_a_part_that_the_page_does_not_know_is_not_made_up(machine: str) -> None:
    assert "`-q`: not known here" in answered("explain packz -q", path=machine)
    with pytest.raises(UnknownAnswer):
        answered("what is zzqx", path=machine)


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("what does kill -9 do", "`-9`: the signal KILL"),
        ("what does chmod u+x run.sh do?", "`u+x`: the owner may now execute"),
        ("what does umask 022 mean", "`022`: a new file is without"),
        ("explain cut -d: -f1", "`-d:`: fields are separated by :"),
        ("explain: ps aux", "`x`: also those without a terminal"),
        ("explain rm -r build", "high risk: deletes files, recursively"),
    ],
)
def test_it_explains_as_the_key_at_the_prompt_does(question: str, said: str) -> None:
    assert said in answered(question)


@pytest.mark.parametrize("question", ["what is time in Tokyo", "explain who rules Tokyo", "what is dns"])
def test_words_behind_a_programs_name_are_no_command(question: str) -> None:
    assert not told(question, Query(words="", shell="bash", cwd="/", path=os.environ["PATH"], os="linux"))


@pytest.mark.parametrize(
    ("digits", "said"),
    [
        ("755", "rwxr-xr-x: the owner may read, write and execute; the group may read and execute; "
                "everyone else may read and execute"),
        ("600", "rw-------: the owner may read and write; the group may do nothing; everyone else may do nothing"),
        ("1777", "only its owner may delete"),
    ],
)  # fmt: skip
def test_a_mode_is_read_out(digits: str, said: str) -> None:
    assert said in mode("chmod", digits)
    assert not mode("kill", digits)


@pytest.mark.parametrize(
    "question", ["what can you do", "What can you do?", "who are you?", "what do you know"]
)
def test_it_says_what_it_is(question: str) -> None:
    assert "no model" in answered(question)


def test_what_was_run_is_told_with_how_it_went() -> None:
    own = (PastCommand("ls /first-fail", 2, "ls: no"), PastCommand("make test", 0, "ok"))
    said = answered("what did I just run", *ran("df -h", "x"), ran=own)
    assert "`df -h` worked" in said
    assert "`ls /first-fail` ended with exit status 2" in said
    assert said.index("df -h") < said.index("make test")
    assert "`gti st`" in answered("what was my last command?", context="Command: gti st\nExit status: 127")
    assert "know of no command" in answered("what did i run")
    assert "`-n`: " in answered("explain the last command", ran=(PastCommand("sort -n sizes", 0),))


def test_a_question_without_an_answer_does_not_spoil_the_next() -> None:
    before = ChatMessage("user", compose("who will win the election", "Directory: /tmp"))
    assert "`df -h` worked" in answered("what did I just run?", before, ran=(PastCommand("df -h", 0, "x"),))


def test_names_in_columns_are_counted_down_the_columns() -> None:
    own = (PastCommand("ls", 0, "a.log   my notes  z\nb.log   old\n"),)
    assert "wc -l b.log" in answered("wc -l the second one", ran=own)
    assert "wc -l 'my notes'" in answered("wc -l the third one", ran=own)
    failed = (*own, PastCommand("cat nope", 1, "cat: nope: No such file or directory"))
    assert "wc -l a.log" in answered("wc -l the first one", ran=failed)


@pytest.mark.parametrize(
    "question", ["why is it slow", "why is my laptop so slow?", "why is everything being slow"]
)
def test_slowness_is_told_in_facts_of_the_machine(monkeypatch: pytest.MonkeyPatch, question: str) -> None:
    made = load.Load(9.0, 2, 8 * 2**30, 2**28, 2**30, 0, 0, (("cc1plus", 12, 0.97),))
    monkeypatch.setattr("terma.agent.chat.slowness.measured", lambda: made)
    said = answered(question)
    assert "9.0 processes want to run, on 2 processors: more work" in said
    assert "`cc1plus` (pid 12) takes 97%" in said
    assert "short of memory" in said


def test_the_machine_is_really_looked_at() -> None:
    seen = load.measured()
    assert seen.processors >= 1
    assert seen.disk_total > 0
    assert list(seen.lines())


def test_the_first_one_is_of_the_last_output() -> None:
    listed = "-rw-r--r-- 1 me me 5 Jan  1 10:00 a.txt\n-rw-r--r-- 1 me me 5 Jan  1 10:00 my notes.txt"
    before = ran("ls -l", f"total 8\n{listed}")
    assert "do show a.txt" in answered("show the first one", *before)
    assert "do delete 'my notes.txt'" in answered("delete the second file", *before)
    assert "do open 'my notes.txt'" in answered("open the last one", *before)
    assert "`a.txt`" in answered("the first one", *before)
    assert "do show the third one" in answered("show the third one", *before)
    assert pointed("show the first one", Shown("ls", "it's; rm -rf ~")) == ("", "")
    assert "do show the first 5 lines" in answered("show the first 5 lines", *before)


@pytest.mark.parametrize(
    ("question", "world"), [("what is dns", True), ("what's an inode?", True), ("what is my ip", False)]
)
def test_what_things_are_is_not_answered_by_a_command(question: str, world: bool) -> None:
    assert asks_what_it_is(question) is world
    if world:
        with pytest.raises(UnknownAnswer):
            answered(question, path="/nonexistent")
    else:
        assert "do what is my ip" in answered(question)


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("what would rm -rf build do?", "high risk: deletes files, recursively"),
        ("what happens if I run dd if=/dev/zero of=/dev/sda", "changes disks"),
        ("is it safe to run rm -r build?", "high risk"),
        ("is chmod -R 777 . dangerous", "high risk"),
        ("is it ok to run ls -la?", "low risk: nothing is known of it that deletes"),
        ("could you tell me what sort -n does please", "`-n`: as numbers"),
        ("explain cp a . in plain words", "`.`: where it is copied to"),
        ("explain awk '{print $1}'", "`'{print $1}'`: the program"),
        ("what do the numbers in chmod 644 mean", "rw-r--r--"),
    ],
)
def test_a_command_is_explained_however_it_is_asked_for(question: str, said: str) -> None:
    assert said in answered(question)


def test_politeness_is_no_operand() -> None:
    said = answered("please explain awk '{print $1}' to me, thanks")
    assert "`to`" not in said and "me" not in said.split()


def test_nothing_is_said_of_the_risk_of_what_is_not_known(machine: str) -> None:
    assert "nothing is said of its risk" in answered("is it safe to run packz -q", path=machine)


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("what does && mean", "`&&`: only if that worked"),
        ("what is $?", "`$?`: the exit status"),
        ("what does 2> do?", "`2> FILE`: the error messages go into FILE"),
        ("what does the pipe do", "`|`: its output goes on"),
        ("what does <<< mean?", "`<<< FILE`: its input is this text"),
        ("what's the difference between > and >>?", "`>> FILE`: the output goes to the end of FILE"),
        ("explain backticks", "what this prints stands here"),
    ],
)
def test_a_sign_of_the_shell_is_explained(question: str, said: str) -> None:
    assert said in answered(question)


@pytest.mark.parametrize("question", ["what does a firewall do", "what does an inode do?"])
def test_what_a_thing_does_is_not_answered_by_a_command(question: str) -> None:
    with pytest.raises(UnknownAnswer):
        answered(question, path="/nonexistent")


def test_what_went_wrong_is_no_list_of_commands() -> None:
    with pytest.raises(UnknownAnswer, match="no command is known that failed"):
        answered("what did I do wrong?")


def test_without_hooks_the_screen_and_the_history_tell_what_was_run() -> None:
    screen = (
        "Before that on the screen, the oldest first:\n$ make\n| $ cc x.c\n(exit status 2)\n"
        "$ cd lib\n(it printed nothing)\n\nCommand: ls\nExit status: unknown\nOutput, from tmux:\n$ no"
    )
    said = answered("which commands did I run?", context=screen)
    assert said.split("\n") == ["- `make` ended with exit status 2", "- `cd lib`", "- `ls`"]
    typed = answered("what have I run so far", typed=("make", "git push"))
    assert "history has these last" in typed and "- `git push`" in typed
    assert "history" not in answered("what did I just run", typed=("make",), ran=(PastCommand("ls", 0),))


def test_the_first_one_is_named_and_explained_and_missed() -> None:
    own = (PastCommand("ls", 0, "a.log\nb.log\n"),)
    assert answered("what was the second one?", ran=own) == "That is `b.log`."
    assert "wc -l b.log" in answered("wc -l the second", ran=own)
    lines = (PastCommand("history 2", 0, "tar -xzf a\nls -la\n"),)
    assert "`-x`: unpack" in answered("explain the first one", ran=lines)
    for question in ("explain the first one", "the last one", "what is the 2nd file?"):
        with pytest.raises(UnknownAnswer, match="no output is known"):
            answered(question)


@pytest.mark.parametrize(
    "question",
    [
        "my machine is slow, why?",
        "what is slowing down my machine",
        "what makes everything so slow?",
        "why does my build take so long",
    ],
)
def test_slowness_is_asked_for_in_many_words(monkeypatch: pytest.MonkeyPatch, question: str) -> None:
    made = load.Load(9.0, 2, 8 * 2**30, 2**28, 2**30, 0, 0, (("cc1plus", 12, 0.97),))
    monkeypatch.setattr("terma.agent.chat.slowness.measured", lambda: made)
    assert "`cc1plus` (pid 12)" in answered(question)


FAILED_FIRST = (
    PastCommand("cat /none", 1, "cat: /none: No such file or directory"),
    PastCommand("uname -s", 0, "Linux"),
)


@pytest.mark.parametrize(
    "question", ["explain that", "explain it", "what does that do?", "and what did this do"]
)
def test_that_is_what_was_run_last_and_no_older_failure(question: str) -> None:
    said = answered(question, ran=FAILED_FIRST)
    assert "`uname`" in said
    assert "/none" not in said


def test_that_goes_on_with_what_was_talked_of() -> None:
    before = ChatMessage("user", compose("explain it", ""), ran=FAILED_FIRST)
    assert "`uname`" in answered(
        "what does that do?", before, ChatMessage("assistant", "It prints the system.")
    )


def test_what_it_says_is_not_told_of_an_older_failure() -> None:
    assert answered("what does it say?", ran=FAILED_FIRST) == "`uname -s` printed:\n\n```\nLinux\n```"


def test_that_worked_is_all_that_is_said_of_a_command_nobody_knows() -> None:
    said = answered("explain that", ran=(*FAILED_FIRST, PastCommand("frobnicate", 0)))
    assert said == "`frobnicate` worked: exit status 0."


def test_the_last_command_is_one_command() -> None:
    assert answered("what was my last command?", ran=FAILED_FIRST) == "- `uname -s` worked"
    assert "cat /none" in answered("what were my last 2 commands?", ran=FAILED_FIRST)


@pytest.mark.parametrize(
    "question",
    ["why is the sky blue?", "why do my feet hurt?", "explain the theory of relativity", "why do cats purr"],
)
def test_a_why_that_points_at_nothing_here_is_not_answered_with_a_failure(question: str) -> None:
    with pytest.raises(UnknownAnswer):
        answered(question, ran=FAILED_FIRST[:1])


@pytest.mark.parametrize("question", ["what did the agent do?", "what has the installer done"])
def test_what_somebody_did_is_no_commands_work(question: str) -> None:
    with pytest.raises(UnknownAnswer):
        answered(question)


@pytest.mark.parametrize(
    ("question", "kept", "dropped"),
    [
        ("what does ls -lah show?", "`-h`", "show"),
        ("what does wc -l count", "`-l`", "`count`"),
        ("what does kill -9 do to a process?", "`-9`", "process`"),
        ("what does du -sh tell me about a folder?", "`-s`", "folder`"),
        ("what does git show do?", "`show`", "`do`"),
        ("what does rm -rf old/ delete here", "`old/`", "`delete`"),
    ],
)
def test_a_sentences_own_verb_is_no_part_of_the_command(question: str, kept: str, dropped: str) -> None:
    said = answered(question)
    assert kept in said
    assert dropped not in said


@pytest.mark.parametrize(
    "question",
    [
        "what does command not found mean?",
        "what do ls and cat have in common?",
        "what does status code 404 mean?",
    ],
)
def test_the_words_of_a_message_are_no_command(question: str) -> None:
    assert not told(question, Query(words="", shell="bash", cwd="/", path=os.environ["PATH"], os="linux"))


@pytest.mark.parametrize("question", ["what is DNS?", "what is ~?", "what is a PID?"])
def test_a_question_mark_is_no_pattern(question: str) -> None:
    assert not told(question, Query(words="", shell="bash", cwd="/", path=os.environ["PATH"], os="linux"))


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("what does exit code 1 mean?", "Exit status 1: it did not work."),
        ("what does the exit status 127 mean", "not found"),
        ("what is exit code 137?", "SIGKILL"),
        ("explain status 0", "it worked"),
        ("what does exit code 0 tell me?", "it worked"),
        ("what does exit 3 do?", "end the shell"),
    ],
)
def test_an_exit_status_means_what_shells_agree_on(question: str, said: str) -> None:
    assert said in answered(question)


def test_what_was_slow_was_not_measured() -> None:
    said = answered("why was that so slow?")
    assert "was not measured" in said
    assert "was not measured" not in answered("why is it so slow?")


@pytest.mark.parametrize(
    ("question", "kept", "left", "dropped"),
    [
        ("what does kill -9 do that kill -15 does not", "`-9`", "that kill -15 does not", "`do`"),
        ("what does tar do with symlinks", "`tar`", "with symlinks", "`d`"),
        ("what does head do without -n", "`head`", "without -n", "the file to read"),
        ("what does ls return when a file is missing", "`ls`", "when a file is missing", "`return`"),
        ("what does the second column of ls -l mean", "`ls -l`", "second column", "`second`"),
        ("what happens if I run rm without arguments", "`rm`", "without arguments", "what is deleted"),
        ("does curl follow redirects", "`curl -L, --location`", "without an option is not told", "nothing"),
    ],
)
def test_the_part_of_a_question_that_is_not_answered_is_named(
    question: str, kept: str, left: str, dropped: str
) -> None:
    said = answered(question)
    assert kept in said
    assert left in said
    assert dropped not in said.replace("nothing is known here", "")


def test_a_loop_keeps_its_do() -> None:
    assert "`echo`" in answered("what does for f in *; do echo $f; done do")


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("is packz installed?", "`packz` is here: {bin}/packz."),
        ("why is packz not installed", "`packz` is here: {bin}/packz."),
        ("do I have packz here", "`packz` is here: {bin}/packz."),
        ("is unpackz installed", "No program `unpackz` is on your PATH. What is no program"),
        ("why isn't unpackz installed", "Why, nothing here tells."),
        ("is cd installed", "`cd` is a word of bash itself."),
        ("do I have mail", '{{"command"'),
    ],
)
def test_whether_a_program_is_here_is_read_off_the_path(machine: str, question: str, said: str) -> None:
    assert said.format(bin=machine) in answered(question, path=machine, ran=FAILED_FIRST)


@pytest.mark.parametrize(
    "question",
    ["why is my password not accepted", "why did my deploy fail", "what went wrong with the database"],
)
def test_the_newest_failure_is_named_where_something_else_is_in_trouble(question: str) -> None:
    said = answered(question, ran=FAILED_FIRST[:1], explains=(seen := []))
    assert said.startswith("The newest failure that I know of is `cat /none`")
    assert [one.command for one in seen] == ["cat /none"]
    with pytest.raises(UnknownAnswer):
        answered("why are there no lights in the kitchen", ran=FAILED_FIRST[:1])


def test_two_programs_are_told_side_by_side_and_no_more_of_them() -> None:
    said = answered("what is the difference between kill and pkill?")
    assert [line.split("`")[1] for line in said.splitlines() if "`" in line] == ["kill", "pkill"]
    assert "do compare" in answered("compare kill and teapots")
