"""A goal is reached when its evidence came by what was entered: not by what stood there, was typed, or comes anyway."""

from __future__ import annotations

from dataclasses import replace

import pytest

from terma.vision.evidence import count, told_by_typing
from terma.vision.log import read
from terma.vision.strategy import Script
from terma.vision.types import Done, GiveUp, Keystroke, Line, Text
from tests.unit.vision.test_eyes_policy import screen
from tests.unit.vision.watched import Someone, work

ENTER = Keystroke(key="Enter")
OVER = GiveUp(reason="over")


def results(log) -> list[str]:
    return [line["result"] for line in read(log.folder) if line["what"] == "result"]


def test_old_text_is_no_proof(place):
    def old(watched):
        return watched.shell("echo all tests passed", "passed")

    person = Someone(says=False)
    evidence = Done(evidence="all tests passed")
    outcome, _, log = work(place, Script([evidence, OVER]), before=old, person=person)
    assert outcome.status == "gave up" and "may have stood there before" in results(log)[0]
    assert person.asked == [("all tests passed", "reached")]
    assert work(place, Script([evidence, OVER]), before=old)[0].status == "completed"


@pytest.mark.parametrize(
    ("evidence", "asks"),
    [("user@target", True), ("e", False), ("root@", None)],
    ids=["a prompt that stood there", "a letter of many words", "another prompt"],
)
def test_a_prompt_that_comes_again_and_a_letter_in_a_word_are_no_proof(place, evidence, asks):
    person = Someone()
    person.believes = False
    steps = [Line(text="PS1='root@box:~# '"), Done(evidence=evidence), OVER]
    if asks is not None:
        steps[0] = Line(text="true")
    outcome, _, _ = work(place, Script(steps), person=person)
    assert outcome.status == ("completed" if asks is None else "gave up")
    assert ((evidence, "reached") in person.asked) == bool(asks)


def test_what_a_failing_program_says_again_is_no_proof_to_a_model(place):
    class Naming(Script):
        async def decide(self, turn):
            return replace(await super().decide(turn), step=0)  # a model has no steps

    person = Someone()
    person.believes = False
    steps = [Line(text="cat web-7.service"), ("No such", Done(evidence="web-7.service")), OVER]
    outcome, _, _ = work(place, Naming(steps), person=person)
    assert outcome.status == "gave up" and person.asked[-1] == ("web-7.service", "reached")
    assert work(place, Script(steps))[0].status == "completed"  # who wrote a script chose it


@pytest.mark.parametrize(
    "typed",
    [
        [Line(text="printf 'all tests %s\\n' passed")],
        [Line(text="echo all tests pas''sed")],
        [Line(text="x=passed"), Line(text='echo "all tests $x".')],
        [Text(text="echo all tests "), *[Keystroke(key=key) for key in "passed"], ENTER],
    ],
    ids=["format", "quotes", "variable", "key by key"],
)
def test_words_that_were_typed_apart_are_told_by_typing_too(typed):
    assert told_by_typing("all tests passed", typed)
    assert not told_by_typing("12 tests passed", typed)
    assert not told_by_typing("web-7.service: active", [Line(text="systemctl is-active web-7.service")])


def test_a_line_that_was_typed_before_a_prompt_at_the_right_shows_nothing_done():
    typed = [Line(text="make  && echo BUILD-OK")]
    echoed = "user@target:~$ make  && echo BUILD-OK          build 12:30"
    assert count("BUILD-OK", screen(echoed, "make: *** no target"), typed) == 0
    assert count("BUILD-OK", screen(echoed, "BUILD-OK"), typed) == 1
    assert count("build", screen(echoed), typed) == 1


@pytest.mark.parametrize(
    ("wait", "leave"),
    [("read -rn 1", (Text(text="q"),)), ("read -r", (Text(text=":q"), ENTER))],
    ids=["q", ":q"],
)
def test_what_stood_behind_a_pager_is_no_proof(place, wait, leave):
    async def paging(watched):
        await watched.shell("echo all tests passed", "\npassed|passed\n")
        page = r"\e[?1049h\e[H\e[2Jpage one\r\n:"
        await watched.shell(f"printf '{page}'; {wait}; printf '\\e[?1049l'", "^page one")

    person = Someone()
    person.believes = False
    steps = [*leave, ("passed", Done(evidence="all tests passed")), OVER]
    outcome, _, log = work(place, Script(steps), before=paging, person=person)
    assert outcome.status == "gave up", results(log)
    assert person.asked[-1] == ("all tests passed", "reached")


@pytest.mark.parametrize("entered", [False, True])
def test_a_line_of_the_history_is_no_proof(place, entered):
    async def old(watched):
        await watched.shell(": all tests passed")
        await watched.shell("clear")

    person = Someone()
    person.believes = False
    up = Keystroke(key="Up")
    steps = [up, up, *([ENTER] if entered else []), ("passed", Done(evidence="all tests passed")), OVER]
    outcome, _, log = work(place, Script(steps), before=old, person=person)
    assert outcome.status == "gave up", results(log)
    assert person.asked[-1] == ("all tests passed", "reached")


def test_the_same_text_once_more_is_new(place):
    def old(watched):
        return watched.shell("expr 6 '*' 7", "\n42")

    person = Someone(says=True)
    script = Script([Line(text="expr 7 '*' 6"), ("(?s)42.*42", Done(evidence="42"))])
    outcome, _, _ = work(place, script, before=old, person=person)
    assert outcome.status == "completed"
    assert [asked for asked, _ in person.asked] == [Line(text="expr 7 '*' 6")]
