"""The person at `terma eyes run`: what they are shown, what they may say, and what happens when something fails."""

from __future__ import annotations

import numpy as np
import pytest

from terma.config import eyes
from terma.errors import UsageError
from terma.vision import strategies
from terma.vision.errors import EyesError
from terma.vision.log import RunLog, read
from terma.vision.parts import Answer
from terma.vision.resuming import resumed
from terma.vision.strategy import Choice, Past, Script, Step
from terma.vision.types import Combination, Done, GiveUp, Keystroke, Line
from tests.unit.vision.test_eyes_policy import screen
from tests.unit.vision.watched import Someone, work

OVER = GiveUp(reason="over")
ENTER = Keystroke(key="Enter")


def results(log) -> list[str]:
    return [line["result"] for line in read(log.folder) if line["what"] == "result"]


def test_a_proposal_comes_with_its_reason(place):
    person = Someone()
    script = Script([Step(Line(text="echo $((6*7))"), why="to know the product"), Done(evidence="42")])
    outcome, _, log = work(place, script, person=person)
    assert outcome.status == "completed"
    assert person.whys == ["to know the product"]
    assert next(line for line in read(log.folder) if line["what"] == "decide")["why"] == "to know the product"


def test_what_the_person_makes_of_it_is_typed_once_they_have_seen_it(place):
    person = Someone()
    person.answers = [Answer("instead", action=Line(text="expr 6 '*' 7"))]
    outcome, watched, log = work(place, Script([Line(text="expr 1 + 1"), Done(evidence="42")]), person=person)
    assert outcome.status == "completed"
    assert [action for action, _ in person.asked] == [Line(text="expr 1 + 1"), Line(text="expr 6 '*' 7")]
    assert Line(text="expr 1 + 1") not in watched.sent and b"1 + 1" not in watched.typed
    assert results(log)[0].startswith("changed by the person")


def test_what_the_person_makes_of_it_is_judged_too(place):
    person = Someone(says=False)
    person.answers = [Answer("instead", action=Line(text="rm -rf /"))]
    script = Script([Step(Line(text="ls"), why="to look"), OVER])
    _, watched, log = work(place, script, person=person)
    assert watched.sent == []
    assert [action for action, _ in person.asked] == [Line(text="ls"), Line(text="ls")]
    assert person.asked[1][1].startswith("your change was refused: ")  # not asked again without a word
    assert person.whys == ["to look", "to look"]
    assert any(what == "refuse" and "rm -rf /" in text for what, text in person.heard)
    assert any(line["what"] == "refuse" for line in read(log.folder))


def test_a_reason_for_a_no_reaches_the_strategy(place):
    class Listening:
        name = "listening"
        past: tuple[Past, ...] = ()

        async def decide(self, turn) -> Choice:
            self.past = turn.past
            return Choice(OVER if turn.past else Line(text="cat /var/log/syslog"))

    strategy, person = Listening(), Someone()
    person.answers = [Answer("no", "too long: use tail")]
    work(place, strategy, person=person)
    assert [past.result for past in strategy.past] == ["the person said no: too long: use tail"]


def test_the_person_stops_the_run_and_nothing_is_typed(place):
    person = Someone()
    person.answers = [Answer("stop")]
    outcome, watched, log = work(place, Script([Line(text="ls"), OVER]), person=person)
    assert outcome.status == "stopped" and watched.sent == []
    assert read(log.folder)[-1]["status"] == "stopped"


def test_a_stop_before_enter_takes_the_line_back(place):
    person = Someone()
    person.answers = [Answer("stop")]

    async def prepare(watched) -> None:
        await watched.shell("bind 'set bind-tty-special-chars off'; bind -r '\\C-u'; bind -r '\\C-e'; clear")
        watched.machine.type(b"touch PWNED; ")
        await watched.until(lambda state: "PWNED;" in state.text)

    policy = eyes.Policy(allow=("echo *",))
    outcome, watched, _ = work(
        place, Script([Line(text="echo fine"), OVER]), before=prepare, auto=True, policy=policy, person=person
    )
    assert outcome.status == "stopped" and watched.enters == 0
    assert [action for action, _ in person.asked] == [ENTER]
    assert watched.sent[-1] == Combination(modifiers=("ctrl",), key="u")
    assert not list(place.rglob("PWNED"))


def test_a_dry_run_with_a_script_ends(place):
    steps = [
        Line(text="make"),
        ("finished", Line(text="make install")),
        ("installed", Done(evidence="installed")),
    ]
    person = Someone()
    outcome, watched, _ = work(place, Script(steps, rehearsed=True), dry=True, person=person)
    assert outcome.status == "rehearsed" and outcome.steps == 3 and watched.sent == []
    assert [text.partition("    ")[0] for what, text in person.heard if what == "dry"] == [
        "make",
        "make install",
    ]


class Failing:
    """An eye that fails so many times."""

    def __init__(self, times: int) -> None:
        self.left = times

    def __call__(self) -> None:
        if self.left:
            self.left -= 1
            raise EyesError("the cable is out", "put it back")


def test_a_glitch_is_tried_again_and_the_run_goes_on(place):
    person = Someone()

    def prepare(watched) -> None:
        watched.before_look = Failing(2)

    script = Script([Line(text="expr 6 '*' 7"), Done(evidence="42")])
    outcome, watched, log = work(place, script, before=prepare, person=person, errors=2)
    assert outcome.status == "completed" and watched.released >= 2
    assert [line["times"] for line in read(log.folder) if line["what"] == "error"] == [1, 2]
    assert "resume" not in [asked for _, asked in person.asked]


@pytest.mark.parametrize("resumes", [[], [True]])
def test_after_that_the_person_says_whether_it_goes_on(place, resumes):
    person = Someone()
    person.resumes = list(resumes)

    def prepare(watched) -> None:
        watched.before_look = Failing(1)

    script = Script([Line(text="expr 6 '*' 7"), Done(evidence="42")])
    if resumes:
        outcome, _, _ = work(place, script, before=prepare, person=person, errors=0)
        assert outcome.status == "completed"
    else:
        with pytest.raises(EyesError, match="cable is out"):
            work(place, script, before=prepare, person=person, errors=0)
    assert ("the cable is out", "resume") in person.asked


def test_what_a_keyboard_lost_on_its_way_is_never_entered_unasked(place):
    """A cable fails in the middle of a line: what stands there is known from the screen alone."""
    person = Someone(says=False)

    def prepare(watched) -> None:
        send = watched.send

        async def cut(action) -> None:
            if isinstance(action, Line):
                watched.machine.type(b"touch PWN")
                watched.send = send
                raise EyesError("the cable is out")
            await send(action)

        watched.send = cut

    policy = eyes.Policy(allow=("touch PWNED", "<Enter>"))
    script = Script([Line(text="touch PWNED"), ENTER, OVER])
    outcome, watched, _ = work(
        place, script, before=prepare, person=person, auto=True, policy=policy, errors=1
    )
    assert outcome.status == "gave up" and watched.enters == 0 and not list(place.rglob("PWN*"))
    assert (ENTER, "the line was not typed by terma: it is known from the screen alone") in person.asked


def test_a_secret_that_is_not_there_is_a_refusal_and_no_end(place):
    def prepare(watched) -> None:
        def check(action) -> None:
            raise EyesError("there is no secret 'box'")

        watched.check = check

    outcome, _, log = work(place, Script([Line(text="ls"), OVER]), before=prepare)
    assert outcome.status == "gave up" and "no secret 'box'" in results(log)[0]


def test_a_run_goes_on_from_the_log_of_the_one_before(place):
    steps = [Line(text="echo one"), Step(Line(text="expr 6 '*' 7")), Done(evidence="42")]
    person = Someone()
    person.answers = [Answer("yes"), Answer("stop")]
    outcome, _, log = work(place, Script(steps), person=person, goal="count")
    assert outcome.status == "stopped"
    before = resumed(log.folder)
    assert before.goal == "count" and before.done == 1
    assert [past.decision for past in before.past] == [Line(text="echo one")]
    outcome, watched, again = work(place, Script(steps, done=before.done), goal=before.goal)
    assert outcome.status == "completed" and b"echo one" not in watched.typed
    with pytest.raises(EyesError, match="has reached its goal"):
        resumed(again.folder)


def test_a_script_waits_as_often_as_it_must_and_that_is_no_step_of_it(place):
    steps = [("never there", Line(text="ls"))]
    outcome, _, log = work(place, Script(steps), steps=1, seconds=2.0)
    assert outcome.status == "limit" and "2 seconds" in outcome.reason and outcome.steps == 0
    assert resumed(log.folder).done == 0 and resumed(log.folder).past == ()
    waits = [line for line in read(log.folder) if line["what"] == "decide"]
    assert len(waits) == 1 and "never there" in waits[0]["why"]  # however often it looked


def test_what_a_model_said_is_in_the_log_where_it_was_of_no_use(place):
    class Babbling:
        name = "babbling"

        async def decide(self, turn) -> Choice:
            error = EyesError("babbling gave no step")
            error.raw = "As a language model, password=hunter2hunter2"
            raise error

    with pytest.raises(EyesError):
        work(place, Babbling(), errors=0)
    (folder,) = (place / "runs").iterdir()
    (raw,) = [line["raw"] for line in read(folder) if line["what"] == "error"]
    assert raw.startswith("As a language model") and "hunter2" not in raw


@pytest.mark.parametrize(("level", "pictures", "raw"), [("text", 0, 0), ("usual", 1, 0), ("all", 1, 1)])
def test_the_level_says_how_much_is_logged(place, level, pictures, raw):
    log = RunLog(place / "runs", level)
    log.screen(screen("$ "), np.zeros((24, 80, 3), np.uint8))
    log.debug("said", raw="{}")
    log.close()
    assert len(list(log.folder.rglob("*.jpg"))) == pictures
    assert len([line for line in read(log.folder) if line["what"] == "said"]) == raw


def test_a_strategy_of_another_distribution_is_found_by_its_entry_point(place, monkeypatch):
    class Fixed:
        name = "fixed"

        def __init__(self, given: strategies.Given) -> None:
            self.given = given

        async def decide(self, turn) -> Choice:
            return Choice(GiveUp(reason=f"no way to {self.given.goal}"))

    def find(package: str, name: str) -> object:
        return Fixed if (package, name) == ("terma.vision.strategies", "fixed") else None

    monkeypatch.setattr("terma.added.find", find)
    made = strategies.of("fixed", strategies.Given("win"))
    outcome, _, _ = work(place, made)
    assert outcome.reason == "no way to win"
    with pytest.raises(UsageError, match="no strategy 'other'"):
        strategies.of("other", strategies.Given("win"))


@pytest.mark.parametrize("returned", [ZeroDivisionError("a slip"), {"kind": "line"}])
def test_what_a_strategy_of_another_distribution_does_wrong_is_told_as_its_own(place, monkeypatch, returned):
    class Wrong:
        name = "wrong"

        async def decide(self, turn) -> object:
            if isinstance(returned, Exception):
                raise returned
            return returned

    monkeypatch.setattr("terma.added.find", lambda package, name: lambda given: Wrong())
    made = strategies.of("wrong", strategies.Given("win"))
    with pytest.raises(
        EyesError, match=r"the strategy wrong (failed: ZeroDivisionError: a slip|decided nothing.*dict)"
    ):
        work(place, made)


def test_a_strategy_that_cannot_be_had_is_told_in_one_line(monkeypatch):
    monkeypatch.setattr("terma.added.find", lambda package, name: lambda given: given.nothing)
    with pytest.raises(UsageError, match="the strategy gone cannot be had: AttributeError"):
        strategies.of("gone", strategies.Given("win"))
