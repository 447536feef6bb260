"""What became of suggestions orders later ones, on this machine alone: a habit moves a command, one mistake none."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from terma.agent.learned import MAX_ENTRIES, NOTE, OFTEN, Learned
from terma.agent.learning import Learning
from terma.agent.unsettled import Shown, Unsettled
from terma.context.history import read, since
from terma.types import Candidate, Delta, Event, Final, Query

WORDS = "show the newest log"
FIRST, SECOND, THIRD = "ls -t logs", "ls -t logs | head -n 1", "tail logs/app.log"
SHELL = "zsh 77"
GONE = 2**31 - 2  # no process has such an id


class Engine:
    """The embedded engine as far as it matters here: the same candidates in the same order."""

    name, local = "offline", True

    async def translate(self, query: Query) -> AsyncIterator[Event]:
        found = tuple(Candidate(command, 0.7, "log") for command in (FIRST, SECOND, THIRD))
        at = query.attempt % 3
        yield Delta(found[at].command)
        yield Final((*found[at:], *found[:at]), at, 3)


class Person:
    """Someone at a shell: presses the key until a command stands there, and runs it or something else."""

    def __init__(self, file: Path) -> None:
        self.learning = Learning(Learned(file))
        self.ran = ("ls", "0", "1")
        self.history = ["ls"]

    def key(self, attempt: int = 0) -> Final:
        query = Query(words=WORDS, attempt=attempt, history=tuple(self.history))
        if not attempt:
            self.learning.ran(SHELL, self.ran, query.history, WORDS)
        engine = self.learning.watched(Engine(), SHELL, self.ran)  # type: ignore[arg-type]

        async def answer() -> list[Event]:
            return [event async for event in engine.translate(query)]

        *deltas, final = asyncio.run(answer())
        assert isinstance(final, Final)
        assert (
            "".join(delta.text for delta in deltas if isinstance(delta, Delta)) == final.candidates[0].command
        )
        return final

    def runs(self, *commands: str) -> None:
        for command in commands:
            self.history = [each for each in self.history if each != command] + [command]  # as it is read
            self.ran = (command, "0", str(self.ran[2]) + "1")

    def takes(self, wanted: str) -> int:
        """Press until `wanted` stands there, and run it: how often the key was pressed."""
        for attempt in range(3):
            if self.key(attempt).candidates[0].command == wanted:
                self.runs(wanted)
                return attempt + 1
        raise AssertionError(wanted)


@pytest.fixture
def person(tmp_path: Path) -> Person:
    return Person(tmp_path / "learned.json")


def test_a_fortnight_moves_the_right_candidate_up_and_one_mistake_does_not_stick(person: Person):
    presses = []
    for day in range(14):
        presses.append(person.takes(THIRD if day == 6 else SECOND))
        person.runs(f"vi notes-{day}.md", "make", "git status")
    person.key()
    assert presses[0] == 2
    assert presses[OFTEN] == 1
    assert all(press == 1 for day, press in enumerate(presses) if day >= OFTEN and day != 6)
    final = person.key()
    assert final.candidates[0].command == SECOND
    assert NOTE in final.candidates[0].note
    assert [one.score for one in final.candidates] == [0.7] * 3


def test_a_mistake_alone_moves_nothing(person: Person):
    person.takes(THIRD)
    assert person.key().candidates[0].command == FIRST


def test_a_habit_that_changed_is_unlearned(person: Person):
    for _ in range(30):
        person.takes(SECOND)
    for _ in range(2 * OFTEN + 2):
        person.takes(THIRD)
    assert person.key().candidates[0].command == THIRD


def test_what_was_changed_before_enter_is_known_with_what_it_became(person: Person):
    person.key()
    person.runs("ls -tr logs")
    person.key()
    (became, shown) = sorted(person.learning.learned.entries(), key=lambda one: -one.times)
    assert (became.command, became.times) == ("ls -tr logs", 1)
    assert (shown.command, shown.times, shown.changed) == (FIRST, -1, "ls -tr logs")


def test_what_was_taken_back_moves_down(person: Person):
    for _ in range(OFTEN + 1):
        person.key()
        person.runs("pwd")
    assert person.key().candidates[-1].command == FIRST


def test_a_shell_that_tells_its_last_command_alone_takes_nothing_back(person: Person):
    for _ in range(4):
        person.key()
        person.runs(FIRST, "make")
        person.history = ["ls"]  # it writes its history when it ends
    assert person.key().candidates[0].command == FIRST
    assert person.learning.learned.entries() == []


def test_what_ran_before_the_suggestion_is_no_answer_to_it(person: Person):
    person.runs(FIRST)
    person.key()
    person.learning.ran(SHELL, person.ran, tuple(person.history), "something else")
    assert person.learning.learned.entries() == []


def test_secrets_are_not_written_down(tmp_path: Path):
    learned = Learned(tmp_path / "learned.json")
    secret = "ghp_" + "a1B2" * 9
    learned.accepted("log in", f"curl -H 'Authorization: Bearer {secret}' example.org")
    learned.changed(f"log in with {secret}", "curl a", "curl b")
    assert learned.entries() == []
    assert not learned.file.exists()


def test_the_file_is_private_bounded_and_its_damage_is_forgotten(tmp_path: Path):
    learned = Learned(tmp_path / "learned.json", has_secret=lambda text: False)
    learned.accepted("words", "ls")
    assert learned.file.stat().st_mode & 0o777 == 0o600
    one = json.loads(learned.file.read_text())["entries"][0]
    many = [one | {"words": f"words {number}", "when": number} for number in range(MAX_ENTRIES)]
    learned.file.write_text(json.dumps({"entries": many}))
    learned.accepted("the newest", "ls")
    assert len(learned.entries()) == MAX_ENTRIES
    assert "words 0" not in {one.words for one in learned.entries()}
    learned.file.write_text("{[")
    assert Learned(learned.file).entries() == []


def test_it_forgets_one_or_all(tmp_path: Path):
    learned = Learned(tmp_path / "learned.json")
    for words in ("one", "two", "three"):
        learned.accepted(words, "ls")
    other = Learned(learned.file)
    assert other.forget([next(one for one in other.entries() if one.words == "two")]) == 1
    assert {one.words for one in learned.entries()} == {"one", "three"}
    assert learned.forget() == 2
    assert other.entries() == []


class Days:
    """Someone who asks once in each shell, at a machine whose agent is another one each time."""

    def __init__(self, folder: Path, name: str) -> None:
        self.folder, self.history = folder, folder / name
        self.last: Learning | None = None

    def ask(self, shell: str, words: str = WORDS) -> str:
        """Ask in `shell` with a fresh agent: what stands on the line."""
        if self.last is not None:
            self.last.close()
        learned = Learned(self.folder / "learned.json")
        self.last = learning = Learning(learned, Unsettled(self.folder / "unsettled.json"))
        query, run = Query(words=words, history=read(str(self.history))), ("pwd", "0", "1")

        async def answer() -> str:
            look = await learning.look(str(self.history))
            learning.ran(shell, run, query.history, words, look)
            engine = learning.watched(Engine(), shell, run, look.end)  # type: ignore[arg-type]
            answers = [one async for one in engine.translate(query) if isinstance(one, Final)]
            return answers[0].candidates[0].command

        return asyncio.run(answer())

    def ran(self, *commands: str) -> None:
        """The shell writes these, at once or at its end."""
        with self.history.open("a") as file:
            file.writelines(f"{command}\n" for command in ("pwd", *commands, "exit"))

    def entries(self) -> dict[str, int]:
        return {one.command: one.times for one in Learned(self.folder / "learned.json").entries()}


@pytest.mark.parametrize("name", [".zsh_history", ".bash_history"])
def test_a_shell_that_is_asked_once_and_ends_teaches_the_next_agent(tmp_path: Path, name: str):
    days = Days(tmp_path, name)
    for day in range(14):
        days.ask(f"zsh {GONE - day}")
        days.ran(SECOND, "make", "make")  # the same commands each day
    assert days.ask("zsh 1") == SECOND
    assert days.entries()[SECOND] == 2 * OFTEN


def test_what_the_next_shell_cannot_know_is_not_taken_back(tmp_path: Path):
    days = Days(tmp_path, ".bash_history")
    for day in range(5):
        days.ask(f"bash {GONE - day}")
        days.ran("make")
    assert days.ask("bash 1") == FIRST
    assert days.entries() == {}


def test_what_another_shell_ran_is_no_change_of_what_stands_on_this_line(tmp_path: Path):
    days = Days(tmp_path, ".bash_history")
    days.ask(f"bash {os.getpid()}")  # it is still there
    days.ran("ls -t log")
    days.ask("bash 1", "something else")
    assert days.entries() == {}


def test_all_that_was_forgotten_is_not_learned_afterwards(tmp_path: Path):
    days = Days(tmp_path, ".bash_history")
    days.ask(f"bash {GONE}")
    assert days.last is not None
    days.last.close()
    Learned(tmp_path / "learned.json").forget()
    assert not (tmp_path / "unsettled.json").exists()
    days.ran(FIRST)
    days.ask("bash 1")
    assert days.entries() == {}


def test_what_waits_for_the_next_agent_is_private_and_holds_no_secret(tmp_path: Path):
    secret = "ghp_" + "a1B2" * 9
    waiting = Unsettled(tmp_path / "unsettled.json")
    end = since.mark(str(tmp_path / ".bash_history"))
    waiting.keep("bash 1", [Shown("log in", (secret,), (secret,), [f"curl {secret}"], end)])
    waiting.keep("bash 2", [Shown("list", (), (), ["ls"], end)])
    waiting.save(lambda text: secret in text)
    assert waiting.file.stat().st_mode & 0o777 == 0o600
    assert secret not in waiting.file.read_text()
    assert [shell for shell, _ in Unsettled(waiting.file).all()] == ["bash 2"]
    assert not waiting.file.exists()  # whoever read it counts it


def test_a_history_that_was_written_anew_tells_nothing(tmp_path: Path):
    file = tmp_path / ".zsh_history"
    file.write_text("ls\nmake\n")
    end = since.mark(str(file))
    assert end is not None
    assert since.since(end) == ()
    file.write_text("ls\nmake\npwd\npwd\n")
    assert since.since(end) == ("pwd", "pwd")
    file.write_text("cd\nmake\npwd\npwd\n")
    assert since.since(end) is None
