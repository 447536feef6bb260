"""Clicks in a run: always asked for, at the place that was looked at, and never for a keyboard without a pointer."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from terma.config import eyes
from terma.vision.modelled import decision_in
from terma.vision.strategy import Script
from terma.vision.types import Click, Done, GiveUp, Keystroke, Line
from tests.unit.vision import watched
from tests.unit.vision.watched import Someone, Watched, work

OVER = GiveUp(reason="over")
MIDDLE = Click(x=0.5, y=0.9, button="right")


@pytest.fixture
def pointed(monkeypatch):
    """Where the pointer of the machine was pressed."""
    presses: list[tuple[float, float, str]] = []

    class Pointed(Watched):
        async def click(self, x, y, button="left") -> None:
            presses.append((x, y, button))

    monkeypatch.setattr(watched, "Watched", Pointed)
    return presses


def test_a_click_is_asked_for_whatever_the_list_allows_and_pressed_where_it_was_meant(place, pointed):
    person, listed = Someone(), eyes.Policy(allow=("<right click 50% 90%>", "<click 50% 90%>"))
    outcome, _, _ = work(place, Script([MIDDLE, OVER]), person=person, policy=listed, auto=True)
    assert outcome.status == "gave up" and pointed == [(0.5, 0.9, "right")]
    assert person.asked == [(MIDDLE, "what a click does, no rule knows")]
    assert ("send", "<right click 50% 90%>") in person.heard


def test_a_click_that_nobody_wants_is_none(place, pointed):
    work(place, Script([MIDDLE, OVER]), person=Someone(says=False))
    assert pointed == []


def test_a_keyboard_without_a_pointer_clicks_nothing(place):
    person = Someone()
    work(place, Script([MIDDLE, OVER]), person=person)
    assert person.asked == [] and ("refuse", "<right click 50% 90%>: there is no pointer") in person.heard


@pytest.mark.parametrize(("row", "sent"), [(22, False), (10, True)])
def test_what_changed_under_the_pointer_is_not_clicked(place, pointed, row, sent):
    person, machines = Someone(), []

    async def before(machine) -> None:
        machines.append(machine)

    async def meanwhile() -> None:
        """Somebody's dialogue comes up in the middle of the screen, or elsewhere."""
        machines[0].machine.type(f"printf '\\0337\\033[{row};1HReally?\\0338'\r".encode())
        await machines[0].until(lambda state: any(one.startswith("Really?") for one in state.rows))

    person.meanwhile = meanwhile
    work(place, Script([MIDDLE, OVER]), person=person, before=before)
    assert bool(pointed) is sent


def test_after_a_click_enter_is_a_persons(place, pointed):
    """The pointer may have put another line under the cursor: what stands there is known from the screen alone."""
    person = Someone()
    steps = [Line(text="echo one"), MIDDLE, Keystroke(key="Enter"), Done(evidence="nothing"), OVER]
    work(place, Script(steps), person=person, policy=eyes.Policy(allow=("echo *", "<Enter>")), auto=True)
    asked = [action for action, _ in person.asked]
    assert asked == [MIDDLE, Keystroke(key="Enter")] and len(pointed) == 1


@pytest.mark.parametrize("wrong", ['"x": 1.2, "y": 0', '"x": 0.5', '"x": 0, "y": 0, "button": "fourth"'])
def test_a_place_outside_of_the_screen_is_no_step(wrong):
    with pytest.raises((ValueError, ValidationError)):
        decision_in('{"kind": "click", ' + wrong + "}")
    decision, why = decision_in('{"kind": "click", "x": 0.25, "y": 1, "why": "the button OK"}')
    assert decision == Click(x=0.25, y=1) and why == "the button OK"
