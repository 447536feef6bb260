"""What the embedded partner says where it has no answer: the commands and files that a question names, as they are."""

from __future__ import annotations

from pathlib import Path

import pytest

from terma.agent.chat.deeds.asked import addresses_terma, asked
from terma.agent.chat.deeds.continued import continued
from terma.agent.chat.deeds.evidence import evidence, nothing_named
from terma.agent.chat.deeds.record import PERSON, Deed, Record
from terma.agent.chat.deeds.senses import sense_of
from terma.agent.chat.offline_answers import of_itself
from terma.chat import ChatMessage, PastCommand
from terma.types import Query
from tests.unit.test_partner import answered

SENSE = sense_of(Query(words="", shell="bash", cwd="/", path="/usr/bin:/bin", os="linux"))
RAN = (
    PastCommand("./ship.sh", 0, "sent 14 rows to staging\n", 0.1),
    PastCommand("cp src/main.c src/old.c", 0, "", 0.1),
    PastCommand("rm notes/old.txt", 0, "", 0.1),
    PastCommand("cat gone.txt", 1, "cat: gone.txt: No such file or directory\n", 0.1),
    PastCommand("sleep 3", 0, "", 3.0),
)
KNOWN = Record(tuple(Deed(one.command, one.status, one.output, one.seconds, PERSON) for one in RAN))


def told(question: str, cwd: str = "/nowhere") -> str:
    return evidence(question, KNOWN, SENSE, cwd)


@pytest.mark.parametrize(
    ("question", "facts"),
    [
        ("where did the rows go?", ["`./ship.sh` worked", "sent 14 rows to staging"]),
        (
            "was main.c touched by the copy?",
            ["`cp src/main.c src/old.c` worked", "`src/main.c` is not there now."],
        ),
        ("who deleted notes/old.txt?", ["`rm notes/old.txt` worked", "`notes/old.txt` is not there now."]),
        (
            "did the sleep run in the background?",
            ["`sleep 3` worked", "It took 3.0 s.", "Of “background” nothing"],
        ),
    ],
)
def test_what_a_question_names_is_told_as_facts_and_as_no_answer(question: str, facts: list[str]) -> None:
    said = told(question)
    assert said.startswith("I have no answer to that.")
    assert all(fact in said for fact in facts)
    assert "gone.txt" not in said


@pytest.mark.parametrize(
    "question",
    [
        "did napoleon sleep well",
        "why do cats purr",
        "who is the president of france",
        "will it rain soon",
        "did I remove the png files?",
    ],
)
def test_what_names_nothing_here_gets_no_facts(question: str) -> None:
    assert told(question.replace("sleep", "rest")) == ""


def test_a_file_is_told_as_the_disk_has_it(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out/a").write_text("abc")
    (tmp_path / "out/a").chmod(0o600)
    assert "`out` is a folder with 1 entry, d" in told("is out empty?", str(tmp_path))
    assert "`out/a` is a file of 3 bytes, -rw-------, changed just now." in told(
        "can others read out/a", str(tmp_path)
    )


def test_what_no_command_names_is_said_of_the_past_alone() -> None:
    assert nothing_named("did pip install succeed?", KNOWN, SENSE) == (
        "none of the 5 commands that I know of here names “pip” or “install”"
    )
    assert "main.c" not in nothing_named("was main.c changed?", KNOWN, SENSE)
    assert nothing_named("are my commands stored somewhere?", KNOWN, SENSE) == ""


@pytest.mark.parametrize(
    ("question", "said"),
    [
        (
            "did I delete anything?",
            "- `rm notes/old.txt` worked: exit status 0.\n\nWhat others of the 5 commands",
        ),
        (
            "did I install anything?",
            "None of the 5 commands that I know of is known to install; what a program",
        ),
        ("why did the deletion fail?", "`rm notes/old.txt` worked: exit status 0."),
        ("what was the exit code of the command before last?", "`cat gone.txt` ended with exit status 1."),
        (
            "did I run sleep twice?",
            "Of the 5 commands that I know of, none is `sleep twice`. Like it in a word:",
        ),
        ("what did I run right before the cp?", "- `./ship.sh` worked"),
        ("did anything work?", "- `./ship.sh` worked"),
        ("did everything work?", "- `cat gone.txt` ended"),
        ("what status did ship.sh return?", "`./ship.sh` worked: exit status 0."),
        ("how long did the longest one take?", "`sleep 3`, of those"),
        ("which command ran before the first one?", "There is none that I know of."),
    ],
)
def test_a_command_is_meant_by_what_it_does_and_by_its_place(question: str, said: str) -> None:
    assert answered(question, ran=RAN).startswith(said)


def test_a_question_to_terma_that_nothing_answers_gets_what_is_so_of_it() -> None:
    assert addresses_terma("are you sending my files away", KNOWN.known)
    assert not addresses_terma("how do you leave vim", KNOWN.known)
    assert "send nothing" in of_itself()


def test_one_that_only_points_goes_on_with_what_was_asked() -> None:
    before = [
        ChatMessage("user", "which commands failed?", ran=(*RAN, PastCommand("false", 1, ""))),
        ChatMessage("assistant", "…"),
    ]
    assert answered("and the second?", *before) == "- `false` ended with exit status 1."
    before = [ChatMessage("user", "what was the third command?", ran=RAN), ChatMessage("assistant", "…")]
    assert answered("and the fourth?", *before) == "- `cat gone.txt` ended with exit status 1"
    before = [ChatMessage("user", "how long did the sleep take?", ran=RAN), ChatMessage("assistant", "…")]
    assert answered("and the one before that?", *before) == "`cat gone.txt` took 0.1 s."
    assert continued("and the second?", Record(KNOWN.deeds, asked=("what time is it",))) is None


def test_two_commands_that_are_named_get_no_answer_for_one() -> None:
    assert asked("did the sleep fail or the cat?", KNOWN.known) is None
    said = told("did the sleep fail or the cat?")
    assert "`cat gone.txt` ended with exit status 1." in said
    assert "`sleep 3` worked" in said
