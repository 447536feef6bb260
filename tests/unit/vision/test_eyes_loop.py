"""The loop, on a real shell: what it enters, what it does not, and how it ends."""

from __future__ import annotations

import asyncio
import json
import stat

import cv2
import pytest

from terma.config import eyes
from terma.vision.log import read
from terma.vision.strategy import Choice, Script
from terma.vision.types import Combination, Done, GiveUp, Keystroke, Line, Text, Wait
from tests.unit.vision.dangerous import LINES
from tests.unit.vision.watched import Someone, Watched, work

ENTER = Keystroke(key="Enter")
OVER = GiveUp(reason="over")


class Always:
    """Decides the same for ever."""

    name = "always"

    def __init__(self, decision, tokens: int = 0, cost: float = 0.0) -> None:
        self.decision, self.tokens, self.cost, self.turns = decision, tokens, cost, []

    async def decide(self, turn) -> Choice:
        self.turns.append(turn)
        return Choice(self.decision, "", self.tokens, self.cost)


def results(log) -> list[str]:
    return [line["result"] for line in read(log.folder) if line["what"] == "result"]


def test_a_goal_is_reached_when_its_evidence_is_on_the_screen(place):
    script = Script([Line(text="echo $((6*7))"), ("^42$|\n42\n", Done(evidence="42"))])
    outcome, watched, _ = work(place, script)
    assert outcome.status == "completed" and "42" in outcome.reason
    assert watched.enters == 1 and watched.typed == b"\x05\x15echo $((6*7))\r"


def test_what_was_typed_is_no_evidence(place):
    outcome, _, log = work(place, Script([Text(text="echo finished"), Done(evidence="finished"), OVER]))
    assert outcome.status == "gave up"
    assert "not believed" in results(log)[1]


def test_evidence_that_is_not_there_is_not_believed_and_ends_as_stuck(place):
    outcome, _, _ = work(place, Always(Done(evidence="All tests passed")))
    assert outcome.status == "stuck"


def test_forty_dangerous_lines_and_no_enter(place):
    steps = [Line(text=line) for line in LINES]
    outcome, watched, log = work(place, Script(steps, lambda turn: OVER), steps=100)
    assert outcome.status == "gave up" and outcome.steps == 41
    assert watched.sent == [] and watched.typed == b""
    assert [result.startswith("refused") for result in results(log)] == [True] * 40


def test_a_dangerous_line_in_pieces_is_not_entered_either(place):
    keys = [Keystroke(key=key) for key in ("r", "f", "Space", "/")]
    pieces = [Text(text="rm -"), *keys, ENTER, Combination(modifiers=("ctrl",), key="m")]
    outcome, watched, _ = work(place, Script(pieces, lambda turn: OVER))
    assert outcome.status == "gave up" and watched.enters == 0
    assert b"\r" not in watched.typed


def left(text: str):
    """Somebody else typed that, and did not enter it."""

    async def prepare(watched) -> None:
        watched.machine.type(text.encode())
        await watched.until(lambda state: text.strip() in state.text)

    return prepare


def test_a_dangerous_line_that_somebody_left_there_is_not_entered(place):
    outcome, watched, _ = work(place, Script([ENTER, OVER]), before=left("rm -rf ~/x"))
    assert outcome.status == "gave up" and watched.enters == 0


@pytest.mark.parametrize("auto", [True, False])
@pytest.mark.parametrize("text", ["touch PWNED; ", "touch PWNED; echo $ ", "touch PWNED #"])
def test_what_somebody_left_there_is_not_entered_with_the_line(place, text, auto):
    policy = eyes.Policy(allow=("expr *",))
    script = Script([Line(text="expr 6 '*' 7"), ("\n42", Done(evidence="42")), OVER])
    outcome, watched, _ = work(place, script, before=left(text), auto=auto, policy=policy)
    assert outcome.status == "completed" and watched.enters == 1
    assert not list(place.rglob("PWNED"))


def test_what_somebody_left_there_where_it_cannot_be_cleared_is_asked_about(place):
    person = Someone(says=False)

    async def prepare(watched) -> None:
        await watched.shell("bind 'set bind-tty-special-chars off'; bind -r '\\C-u'; bind -r '\\C-e'; clear")
        await left("touch PWNED; ")(watched)

    policy = eyes.Policy(allow=("echo *",))
    _, watched, _ = work(
        place, Script([Line(text="echo fine"), OVER]), before=prepare, auto=True, policy=policy, person=person
    )
    assert watched.enters == 0 and not list(place.rglob("PWNED"))
    assert person.asked == [(ENTER, "more may stand on the line than was typed")]


@pytest.mark.parametrize("says", [True, False])
def test_what_stands_behind_the_cursor_and_cannot_be_cleared_is_asked_about(place, says):
    """As in vi mode, where Ctrl+U takes what stands before the cursor, and Ctrl+E goes nowhere."""
    person = Someone(says=says)

    async def prepare(watched) -> None:
        await watched.shell("set -o vi; clear")
        watched.machine.type(b"; touch PWNED\x1b[H")
        await watched.until(lambda state: "PWNED" in state.text and state.prompt)

    policy = eyes.Policy(allow=("echo *",))
    script = Script([Line(text="echo fine"), OVER])
    _, watched, _ = work(place, script, before=prepare, auto=True, policy=policy, person=person)
    assert person.asked == [(ENTER, "more may stand on the line than was typed")]
    assert watched.enters == says == bool(list(place.rglob("PWNED")))


def test_a_dangerous_line_that_was_typed_from_its_end_is_not_entered(place):
    steps = [Text(text="-rf ~/x"), Keystroke(key="Home"), Text(text="rm "), ENTER, OVER]
    _, watched, log = work(place, Script(steps))
    assert watched.enters == 0 and results(log)[-1] == "refused: deletes files, recursively"


def test_a_dry_run_sends_nothing(place):
    person = Someone()
    outcome, watched, _ = work(
        place, Script([Line(text="ls"), ENTER, Text(text="x"), OVER]), dry=True, person=person
    )
    assert outcome.status == "rehearsed" and outcome.keys == 0
    assert watched.sent == [] and watched.typed == b""
    shown = [what for kind, what in person.heard if kind == "dry"]
    assert [what.split("    ")[0] for what in shown] == ["ls", "<Enter>", "x"] and person.asked == []


def test_a_line_that_arrives_wrong_is_not_entered_and_taken_back(place):
    def losing(watched) -> None:
        watched.garble = lambda data: data.replace(b"precious", b"precius")

    outcome, watched, log = work(place, Script([Line(text="echo precious"), OVER]), before=losing)
    assert outcome.status == "gave up" and watched.enters == 0
    assert "does not show what was typed" in results(log)[0]
    assert watched.sent[-1] == Combination(modifiers=("ctrl",), key="u")


def test_a_password_is_the_persons_and_no_model_is_asked(place):
    strategy = Always(Text(text="hunter2"))
    person = Someone(password=None)

    def asking(watched):
        return watched.shell("read -s -p 'Password: ' secret", "Password:")

    outcome, watched, _ = work(place, strategy, before=asking, person=person)
    assert outcome.status == "password" and person.passwords == 1
    assert watched.sent == [] and strategy.turns == []


def test_a_password_that_the_person_types_there_lets_the_run_go_on(place):
    class Typing(Someone):
        async def password(self, seen):
            self.passwords += 1
            self.watched.machine.type(b"hunter2\r")
            await self.watched.until(lambda state: state.prompt)
            return ""

    person = Typing()

    async def asking(watched) -> None:
        person.watched = watched
        await watched.shell("read -s -p 'Password: ' secret", "Password:")

    script = Script([Line(text="echo ${#secret}"), ("\n7", Done(evidence="7"))])
    outcome, _, log = work(place, script, before=asking, person=person)
    assert outcome.status == "completed" and person.passwords == 1
    assert "hunter2" not in (log.folder / "log.jsonl").read_text()


def test_a_secret_is_named_and_never_written(place):
    def asking(watched):
        return watched.shell("read -s -p 'Password: ' secret", "Password:")

    person = Someone(password="box")  # noqa: S106 the name of one
    outcome, watched, log = work(place, Script([OVER]), before=asking, person=person)
    assert Text(text="{{secret:box}}") in watched.sent and watched.enters == 1
    assert outcome.status in ("gave up", "password")
    assert "{{secret:box}}" in (log.folder / "log.jsonl").read_text()


def test_the_person_is_asked_for_each_action_and_may_say_no(place):
    person = Someone(says=False)
    outcome, watched, log = work(place, Script([Line(text="ls"), Text(text="x"), OVER]), person=person)
    assert outcome.status == "gave up" and watched.sent == []
    assert [action for action, _ in person.asked] == [Line(text="ls"), Text(text="x")]
    assert results(log) == ["the person said no"] * 2


def test_auto_asks_for_what_is_not_on_its_list(place):
    person = Someone()
    script = Script([Line(text="echo a"), Line(text="pwd"), OVER])
    work(place, script, person=person, auto=True, policy=eyes.Policy(allow=("echo *",)))
    assert [action for action, _ in person.asked] == [Line(text="pwd")]


def test_what_changed_while_the_person_thought_is_looked_at_again(place):
    person = Someone()

    def prepare(watched) -> None:
        async def somebody_types() -> None:
            watched.machine.type(b"somebody else")
            await watched.until(lambda state: any("somebody else" in row for row in state.rows))

        person.meanwhile = somebody_types

    outcome, watched, log = work(place, Script([Line(text="ls"), OVER]), before=prepare, person=person)
    assert outcome.status == "gave up" and watched.sent == []
    assert "changed meanwhile" in results(log)[0]


def test_three_times_the_same_on_the_same_screen_is_stuck(place):
    strategy = Always(Keystroke(key="Left"))
    outcome, watched, _ = work(place, strategy)
    assert outcome.status == "stuck" and len(watched.sent) == 2


def test_waiting_is_not_being_stuck(place):
    outcome, _, _ = work(place, Script([Wait(seconds=0.01)] * 5, lambda turn: OVER))
    assert outcome.status == "gave up"


@pytest.mark.parametrize(
    ("limits", "said"),
    [
        ({"steps": 3}, "3 steps"),
        ({"keys": 10}, "10 keys"),
        ({"tokens": 250}, "250 tokens"),
        ({"cost": 0.02}, "0.02 US dollars"),
        ({"seconds": 1.5}, "1.5 seconds"),
    ],
)
def test_every_limit_ends_the_run(place, limits, said):
    class Counting(Always):
        async def decide(self, turn):
            self.decision = Line(text=f"echo {len(self.turns)}")
            return await super().decide(turn)

    outcome, watched, _ = work(place, Counting(None, tokens=100, cost=0.01), **limits)
    assert outcome.status == "limit" and said in outcome.reason
    if "keys" in limits:
        assert outcome.keys <= 10 and len(watched.typed) <= 10


def test_what_the_keyboard_lacks_is_said_and_not_typed(place):
    _, watched, log = work(place, Script([Line(text="echo 漢"), OVER]))
    assert watched.sent == [] and "has no" in results(log)[0]


def test_a_long_line_that_wraps_is_entered_when_it_is_whole(place):
    line = "echo " + " ".join(f"word{number}" for number in range(30))
    outcome, watched, _ = work(place, Script([Line(text=line), Done(evidence="word28 word29")]))
    assert outcome.status == "completed" and watched.enters == 1


def test_stopping_lets_go_of_the_keys(place):
    class Stopped(Always):
        async def decide(self, turn) -> Choice:
            task = asyncio.current_task()
            assert task is not None
            task.cancel()
            await asyncio.sleep(30)
            raise AssertionError("it went on")

    stopped: list[Watched] = []
    with pytest.raises(asyncio.CancelledError):
        work(place, Stopped(OVER), before=stopped.append)
    assert stopped[0].released == 1
    (folder,) = (place / "runs").iterdir()
    assert read(folder)[-1]["status"] == "stopped"


SECRETS = [
    "export AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG/bPxRfiCYzKq8dLp3Tm",
    "curl -H 'Authorization: Bearer ghp_16C7e42F292c6912E7710c838347Ae178B4a' https://x.example",
]


@pytest.mark.parametrize("line", SECRETS)
def test_the_log_is_the_persons_alone_and_holds_no_secret(place, line):
    value = line.split("=")[-1] if "=" in line else "ghp_16C7e42F292c6912E7710c838347Ae178B4a"

    async def shown(watched) -> None:
        watched.machine.type(b"# " + line.encode())
        await watched.until(lambda state: value[-8:] in state.text.replace("\n", ""))

    strategy = Always(OVER)
    _, _, log = work(place, strategy, before=shown, goal=f"use {line}")
    text = (log.folder / "log.jsonl").read_text()
    assert value not in text and value not in "\n".join(strategy.turns[0].rows) + strategy.turns[0].goal
    for path in (log.folder, *log.folder.rglob("*")):
        assert stat.S_IMODE(path.stat().st_mode) == (0o700 if path.is_dir() else 0o600)
    first = json.loads(next(one for one in text.splitlines() if '"what": "screen"' in one))
    assert first["covered"]
    picture = cv2.imread(str(log.folder / first["frame"]))
    height = picture.shape[0] / 24
    for row in first["covered"]:
        strip = picture[round(row * height) : round((row + 1) * height)]
        assert strip.std() < 12, "the row can still be read in the picture"


def test_a_secret_that_goes_on_in_the_next_row_is_taken_out_of_both(place):
    value = "ghp_16C7e42F292c6912E7710c838347Ae178B4a"

    async def shown(watched) -> None:
        watched.machine.type(b"# " + b"x " * 4 + value.encode())
        await watched.until(lambda state: value[-4:] in state.text.replace("\n", ""))

    _, _, log = work(place, Script([OVER]), before=shown, size={"columns": 40})
    text = (log.folder / "log.jsonl").read_text()
    assert value[:12] not in text and value[-12:] not in text
