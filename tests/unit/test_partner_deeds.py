"""The embedded partner tells of what ran here: how it ended, what it printed, who ran it, and what was refused."""

from __future__ import annotations

import pytest

from terma.agent.chat import arithmetic
from terma.agent.chat.deeds.asked import asked
from terma.agent.chat.deeds.record import record
from terma.chat import ChatMessage, PastCommand, ToolCall
from terma.conversation.memory import LEFT_OUT
from terma.conversation.words import compose
from terma.machine.load import Load
from terma.types import WhyQuery
from tests.unit.test_partner import answered, goes_on, ran

RAN = (
    PastCommand("cat nosuch.txt", 1, "cat: nosuch.txt: No such file or directory\n"),
    PastCommand("ls", 0, "a\n"),
)


@pytest.mark.parametrize(
    "question",
    [
        "what was the exit status?",
        "what's the exit code of the last command",
        "did it work?",
        "did that succeed",
        "so, did my last command fail?",
        "was it successful?",
        "how did that go?",
        "what did it return",
        "has it finished successfully",
    ],
)
def test_how_the_last_command_ended_is_read_off_its_status(question: str) -> None:
    assert answered(question, ran=RAN) == "`ls` worked: exit status 0."
    assert answered(question, ran=RAN[:1]) == "`cat nosuch.txt` ended with exit status 1."


@pytest.mark.parametrize(
    "question",
    [
        "which command failed?",
        "what failed?",
        "which of my commands failed",
        "did anything fail so far?",
        "what has not worked",
    ],
)
def test_what_failed_is_named(question: str) -> None:
    assert answered(question, ran=RAN) == "- `cat nosuch.txt` ended with exit status 1."
    assert "None" in answered(question, ran=RAN[1:])


def test_an_end_that_is_not_known_is_no_success() -> None:
    assert answered("did it work?", context="Command: make all") == "How `make all` ended is not known."


SCREEN = """Before that on the screen, the oldest first:
$ ./run.sh
| bash: ./run.sh: Permission denied
$ touch me
(it printed nothing)

Command: uptime
Exit status: 0"""


def test_where_the_end_is_not_known_what_was_printed_is_told() -> None:
    said = answered("did run.sh work?", context=SCREEN)
    assert said.startswith("How `./run.sh` ended is not known. `./run.sh` printed:")
    assert "Permission denied" in said
    assert answered("did touch work?", context=SCREEN) == "How `touch me` ended is not known."


def test_why_reads_what_looks_like_an_error_also_where_the_end_is_not_known() -> None:
    explained: list[WhyQuery] = []
    said = answered("why can't I run run.sh", context=SCREEN, explains=explained)
    assert said == "How `./run.sh` ended is not known. Of what it printed:\n\n"
    assert [(one.command, one.status) for one in explained] == [("./run.sh", -1)]
    assert answered("why did touch fail", context=SCREEN) == "How `touch me` ended is not known."


def test_the_last_command_is_the_one_that_the_terminal_shows_since() -> None:
    """A question from the outer prompt follows up a conversation: what was run there in between came later."""
    context = "Command: make check\nExit status: 2"
    assert (
        answered("did it work?", *ran("ls", "a"), context=context) == "`make check` ended with exit status 2."
    )
    listed = answered("what did I run?", *ran("ls", "a"), context=context)
    assert listed.splitlines() == ["- `ls` worked", "- `make check` ended with exit status 2"]
    assert "`ls`" in answered("did it work?", context=context, ran=RAN)


@pytest.mark.parametrize(
    "question", ["did my backup work", "which services failed", "what failed logins are there"]
)
def test_what_else_may_have_worked_is_not_read_off_a_command(question: str) -> None:
    assert answered(question, ran=RAN).startswith('{"command"')


def test_where_nothing_ran_nothing_is_said_to_have_worked() -> None:
    assert answered("did it work?") == "I know of no command that ran here."
    assert answered("what failed?").startswith('{"command"')  # may be asked of services


@pytest.mark.parametrize(
    "question", ["what can terma do?", "what model are you?", "what does this tool do", "which llm is this"]
)
def test_it_says_what_it_is_by_its_name_too(question: str) -> None:
    assert "no model" in answered(question)


TIMED = (
    PastCommand("cat nosuch.txt", 1, "cat: nosuch.txt: No such file or directory\n", 0.1),
    PastCommand("sleep 2", 0, "", 2.0),
    PastCommand("ls -a", 0, "a\nb\n", 0.1),
)
ASKED = ran("wc -l a", "3 a")
REFUSED = [
    ChatMessage("user", "delete a"),
    ChatMessage("assistant", "", (ToolCall("c2", "run_command", '{"command": "rm a"}'),)),
    ChatMessage("tool", "not run: the person rejected it", (), "c2"),
]


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("what did cat say?", "No such file"),
        ("what's the output of the last command", "a\nb"),
        ("was anything printed by sleep?", "`sleep 2` printed nothing."),
        ("how long did the sleep take?", "`sleep 2` took 2.0 s."),
        ("which took longest", "`sleep 2`, of those whose time is known: 2.0 s."),
        ("what was the exit status of the first one?", "`cat nosuch.txt` ended with exit status 1."),
        ("what was the last command that failed", "- `cat nosuch.txt` ended with exit status 1."),
        ("how many commands have I run", "3 that I know of"),
        ("how many failed?", "1 of the 3 commands"),
        ("when did I run sleep?", "not kept here; it was number 2 of the 3"),
        ("who ran that?", "You ran `ls -a` yourself."),
        ("why did you run sleep", "You ran `sleep 2` yourself."),
        ("did you delete anything?", "Nothing: no command that I proposed has run here."),
        ("undo that", "I cannot take back what `ls -a` did"),
        ("explain the second command I ran", "`sleep`"),
        ("what did I run first", "- `cat nosuch.txt` ended with exit status 1"),
        ("do you see my screen?", "I know what ran in this conversation"),
    ],
)
def test_what_ran_here_is_told_from_the_record(question: str, said: str) -> None:
    assert said in answered(question, ran=TIMED)


@pytest.mark.parametrize(
    ("question", "command"),
    [
        ("do it again", "ls -a"),
        ("run the first one again", "cat nosuch.txt"),
        ("repeat the failed command", "cat nosuch.txt"),
        ("can you run the sleep again?", "sleep 2"),
    ],
)
def test_what_ran_is_proposed_again_and_nothing_is_run_unasked(question: str, command: str) -> None:
    assert f'{{"command": "{command}"' in answered(question, ran=TIMED)


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("what did you run?", "- `wc -l a` worked\n- proposed, and not run: `rm a`"),
        ("did you delete notes.bak?", "`notes.bak` is named by none of it."),
        ("why did you run wc", "You asked: list it - I proposed `wc -l a`, and you approved it."),
        ("what did I say no to?", "- `rm a`"),
        ("what did I approve?", "- `wc -l a` worked"),
        ("what was the first thing I asked", "- list it"),
        ("did that work?", "`rm a` was not run. Before that: `wc -l a` worked"),
    ],
)
def test_what_was_asked_approved_and_refused_is_told(question: str, said: str) -> None:
    assert said in answered(question, *ASKED, *REFUSED)


def test_what_left_memory_is_not_passed_off_as_all() -> None:
    gone = ChatMessage("assistant", LEFT_OUT)
    assert "may not be all" in answered("did anything fail?", ChatMessage("user", "hi"), gone, ran=RAN[1:])
    assert "not kept" in answered("what did ls print?", ran=(PastCommand("ls", 0, None),))


@pytest.mark.parametrize(
    "question",
    [
        "run the tests again",
        "what time is it",
        "what changed in this repo",
        "how many lines did wc count?",
        "is my backup finished",
        "undo the last commit",
        "what should I do now",
        "list all commands",
        "can you delete the build folder",
        "make it again with cheese",
    ],
)
def test_a_word_that_names_nothing_here_makes_it_another_question(question: str) -> None:
    assert asked(question, record([ChatMessage("user", question, ran=TIMED)]).deeds) is None


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("2+2", "`2+2` is 4."),
        ("what's 15% of 80", "is 12."),
        ("17 * 23 = ?", "is 391."),
        ("-5 + 3", "is -2."),
        ("what is 2 to the power of 10?", "is 1024."),
        ("0.1 + 0.2", "is 0.3."),
        ("1/3", "is about 0.333333333333."),
        ("1/0", "Nothing is divided by 0."),
    ],
)
def test_sums_are_computed(question: str, said: str) -> None:
    assert said in answered(question)


@pytest.mark.parametrize(
    "question", ["2024-01-05", "1.2.3.4", "9^9^9^9", "12:30", "10.0.0.0/8", "a+b", "(1", "50"]
)
def test_what_is_no_sum_is_not_computed(question: str) -> None:
    assert not arithmetic.told(question)


def test_what_is_not_measured_is_not_passed_off_as_slow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("terma.agent.chat.slowness.measured", lambda: Load(0.1, 2))
    for question in (
        "why is my wifi slow",
        "why was wifi so slow",
        "wifi is slow",
        "what makes the wifi so slow",
    ):
        assert answered(question).startswith("- Of `wifi` itself nothing is measured here")
    for question in ("what makes this slow", "my computer is slow", "why is it slow"):
        assert "itself" not in answered(question).partition("\n")[0]
    assert "nothing is measured" not in answered("why is my laptop slow")


OTHERS = (
    PastCommand("git status", 0, "On branch main\n", 0.1),
    PastCommand("make", 2, "x.c:3: error: expected ';'\nmake: *** [all] Error 1\n", 4.2),
    PastCommand("sleep 61", 0, "", 61.0),
)


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("did make succeed?", "`make` ended with exit status 2."),
        ("how long has make been running", "`make` took 4.2 s."),
        ("undo make", "I cannot take back what `make` did"),
        ("what did make find?", "x.c:3"),
        ("how long did sleep take?", "`sleep 61` took 1 min 1 s."),
        ("how long did everything take", "The 3 commands whose time is known took 65.3 s together."),
        ("which commands worked", "- `git status` worked\n- `sleep 61` worked"),
        ("which one failed first?", "- `make` ended with exit status 2."),
        ("did I already run git push?", "Of the 3 commands that I know of, none is `git push`."),
        ("has git push been run?", "none is `git push`."),
        ("did I run git status?", "Yes: `git status` worked"),
        ("why did the first command fail?", "`git status` worked: exit status 0."),
        ("why did rm fail?", "`rm a` was proposed, and not run."),
        ("why was rm not run?", "`rm a` was proposed, and not run."),
        ("what did you suggest?", "- proposed, and not run: `rm a`"),
        ("did you look at my files?", "I know what ran in this conversation"),
        ("did you change anything on my disk?", "Nothing: no command that I proposed has run here."),
    ],
)
def test_a_command_is_known_by_its_name_also_where_that_is_a_word(question: str, said: str) -> None:
    assert said in answered(question, *REFUSED, ran=OTHERS)


@pytest.mark.parametrize(
    "question",
    [
        "what was the error of make?",
        "why did make fail",
        "explain the output of make",
        "what went wrong with make",
    ],
)
def test_the_failure_that_is_named_is_explained_and_no_newer_one(question: str) -> None:
    newer = PastCommand("cat nosuch", 1, "cat: nosuch: No such file or directory\n")
    engine: list[WhyQuery] = []
    answered(question, ran=(*OTHERS, newer), explains=engine)
    assert [one.command for one in engine] == ["make"]


@pytest.mark.parametrize(
    "question", ["run all of them again", "how many lines did make print", "did I say yes to the delete?"]
)
def test_what_the_record_cannot_tell_is_not_answered_with_another_fact(question: str) -> None:
    assert asked(question, record([ChatMessage("user", question, ran=OTHERS)]).deeds) is None


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("did you run that or me?", "You ran `sleep 61` yourself."),
        ("did you run make?", "You ran `make` yourself."),
        ("did you run rm?", "`rm a` was proposed, and not run."),
        ("why did you suggest rm", "You asked: delete a - `rm a` was proposed, and not run."),
        ("what was command number 2", "- `make` ended with exit status 2"),
        ("show command 1", "- `git status` worked"),
    ],
)
def test_it_is_told_who_ran_a_command_and_what_it_was_proposed_for(question: str, said: str) -> None:
    assert answered(question, *REFUSED, ran=OTHERS) == said


@pytest.mark.parametrize(
    ("question", "said", "explained"),
    [
        ("what happened with sleep?", "`sleep 61` worked: exit status 0.", []),
        ("why wasn't build deleted?", "`rm -r build` was proposed, and not run.", []),
        ("why is there no module named cache?", "", ["python3 x.py"]),
        ("why did it fail?", "", ["python3 x.py"]),
        ("what happened to the Makefile?", "", ["make -f Makefile"]),
    ],
)
def test_a_why_of_something_else_is_not_answered_with_the_newest_failure(
    question: str, said: str, explained: list[str]
) -> None:
    refused = [
        ChatMessage("user", "delete build"),
        ChatMessage("assistant", "", (ToolCall("c2", "run_command", '{"command": "rm -r build"}'),)),
        ChatMessage("tool", "not run: the person rejected it", (), "c2"),
    ]
    ran_here = (
        PastCommand("make -f Makefile", 2, "Error 1\n"),
        PastCommand("sleep 61", 0, ""),
        PastCommand("python3 x.py", 1, "ModuleNotFoundError: No module named 'cache'\n"),
    )
    seen: list[WhyQuery] = []
    assert answered(question, *refused, ran=ran_here, explains=seen) == said
    assert [one.command for one in seen] == explained


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("show me commands that failed today", "- `make` ended with exit status 2."),
        ("how many commands did you run", "1 that I proposed and you approved:\n\n- `wc -l a` worked"),
        ("how many of your commands failed?", "0 of the 1 command that I proposed and you approved failed."),
        ("how many commands have I run?", "4 that I know of:"),
        ("how many of my commands did not work?", "1 of the 4 commands that I know of failed."),
        ("how many times did make fail", "1 of the 1 that I know of failed."),
        ("which of my commands returned an error", "- `make` ended with exit status 2."),
        ("undo my last change", "I cannot take back what `sleep 61` did"),
        (
            "what's the meaning of the last exit status",
            "`sleep 61` worked: exit status 0. Exit status 0: it worked.",
        ),
    ],
)
def test_several_are_told_as_several_and_ours_apart(question: str, said: str) -> None:
    assert answered(question, *ASKED, ran=OTHERS).startswith(said)


@pytest.mark.parametrize(
    "question", ["what did the last two commands print", "did any of my commands print nothing?"]
)
def test_one_output_is_not_passed_off_as_several(question: str) -> None:
    assert asked(question, record([ChatMessage("user", question, ran=OTHERS)]).deeds) is None


def test_a_refused_repetition_ends_there() -> None:
    again = [
        ChatMessage("user", compose("do it again"), ran=OTHERS),
        ChatMessage("assistant", "", (ToolCall("c9", "run_command", '{"command": "sleep 61"}'),)),
        ChatMessage("tool", "not run: the person rejected it", (), "c9"),
    ]
    assert goes_on(*again) == "Then not."
    assert answered("undo it", *again) == "`sleep 61` was not run: nothing of it is to be taken back."


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("did I approve the rm?", "- `rm a` was proposed, and not run."),
        ("did I refuse wc?", "- `wc -l a` worked: exit status 0."),
        ("did I approve make?", "`make` was not proposed by me."),
    ],
)
def test_what_is_asked_of_one_command_is_told_of_that_one(question: str, said: str) -> None:
    assert answered(question, *ASKED, *REFUSED, ran=OTHERS) == said


def test_what_just_ran_or_the_one_that_failed_is_explained() -> None:
    assert answered("explain what I just ran", ran=OTHERS).startswith("- `sleep`")
    seen: list[WhyQuery] = []
    answered("explain the one that failed", ran=OTHERS, explains=seen)
    assert [one.command for one in seen] == ["make"]


def test_what_ran_at_the_outer_prompt_since_a_refusal_came_after_it() -> None:
    before, after = "Command: ls\nExit status: 0", "Command: false\nExit status: 1"
    turns = [ChatMessage("user", compose("delete a", before)), *REFUSED[1:]]
    assert "`rm a` was not run. Before that: `ls` worked" in answered("did it work?", *turns, context=before)
    assert answered("did it work?", *turns, context=after) == "`false` ended with exit status 1."


def test_an_end_that_nobody_told_is_counted_apart() -> None:
    context = "Before that on the screen, the oldest first:\n$ ./a\n| denied\n$ ls\n| b\nCommand: false\nExit status: 1"
    assert answered("how many of them failed?", context=context).endswith("How 2 of them ended is not known.")


def test_a_command_is_asked_for_by_what_it_names() -> None:
    made = (PastCommand("make test", 2, "Error 1\n"),)
    assert answered("did I run the tests?", ran=made) == "- `make test` ended with exit status 2."
    assert "none is `deployment`" in answered("did I run the deployment?", ran=made)


def test_what_became_of_a_file_is_told_from_what_was_refused() -> None:
    assert (
        answered(
            "what happened to a.log",
            *REFUSED[:1],
            ChatMessage("assistant", "", (ToolCall("c2", "run_command", '{"command": "rm a.log"}'),)),
            REFUSED[2],
        )
        == "`rm a.log` was proposed, and not run."
    )
