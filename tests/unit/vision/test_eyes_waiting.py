"""What the loop waits for: a line that is on its way, an Enter that is not seen yet, evidence that comes later."""

from __future__ import annotations

from terma.vision import typist
from terma.vision.strategy import Script
from terma.vision.types import Done, GiveUp, Line
from tests.unit.vision.test_eyes_loop import results
from tests.unit.vision.watched import Watched, work

OVER = GiveUp(reason="over")


def slowly(watched: Watched) -> None:
    """Each byte reaches the machine at a third look after the one before: a keyboard or a camera that is far behind."""
    sending, looks = bytearray(), 0

    def feed() -> None:
        nonlocal looks
        looks += 1
        if sending and looks % 3 == 0:
            machine_type(bytes([sending.pop(0)]))

    machine_type = watched.machine.type
    watched.machine.type = sending.extend  # type: ignore[method-assign]
    watched.before_look = feed


def test_a_line_that_comes_slowly_is_entered_once_it_is_whole(place, monkeypatch):
    monkeypatch.setattr(typist, "_OTHER", (4, 0.0))  # looks at something else: a beginning is none
    steps = [Line(text="expr 6 '*' 7"), Done(evidence="42")]
    outcome, watched, log = work(place, Script(steps), before=slowly)
    assert outcome.status == "completed", results(log)
    assert watched.enters == 1


def test_evidence_is_waited_for_while_the_command_runs(place):
    steps = [Line(text="sleep 1; expr 6 '*' 7"), Done(evidence="42")]
    outcome, _, log = work(place, Script(steps))
    assert outcome.status == "completed", results(log)


def test_at_a_prompt_evidence_that_is_not_there_will_not_come(place, monkeypatch):
    monkeypatch.setattr("terma.vision.loop._PROOF", 1000.0)
    outcome, _, log = work(
        place, Script([Line(text="echo 41"), Done(evidence="4200042"), OVER]), seconds=30.0
    )
    assert outcome.status == "gave up" and "not believed" in results(log)[1]
