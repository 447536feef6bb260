"""See, decide, ask, type, and look whether it arrived: the loop that works on another machine's screen.

Nothing is believed that the screen does not show: a line is entered only when it stands there as it was typed, and a
goal is reached only when its evidence is seen.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable

from terma.config import eyes
from terma.vision import redacting
from terma.vision.deciding import Act, Choice, Decided, Past, Strategy, Turn
from terma.vision.errors import EyesError, UnmappableKey
from terma.vision.evidence import count
from terma.vision.lines import Composer, enters, logical_line
from terma.vision.log import RunLog
from terma.vision.parts import Ended, Eye, Outcome, Person, Seen, Spent, Status
from terma.vision.policy import Policy, Verdict, describe
from terma.vision.types import (
    Combination,
    Done,
    GiveUp,
    Keyboard,
    Keystroke,
    Line,
    TerminalState,
    Text,
    Wait,
)

ENTER = Keystroke(key="Enter")
TO_END = Combination(modifiers=("ctrl",), key="e")
CLEAR = Combination(modifiers=("ctrl",), key="u")  # takes a line back; it can run nothing
STUCK = 3  # times the same decision on the same screen
ECHO_SECONDS = 3.0  # for what was typed to stand on the screen
_TOLD = 12  # past decisions that a strategy is told


class Loop:
    """One run towards one goal. `dry`: nothing is sent."""

    def __init__(
        self,
        eye: Eye,
        keyboard: Keyboard,
        strategy: Strategy,
        policy: Policy,
        person: Person,
        log: RunLog,
        limits: eyes.Limits,
        *,
        dry: bool = False,
        beat: Callable[[], None] = lambda: None,
    ) -> None:
        self._eye, self._keyboard, self._strategy = eye, keyboard, strategy
        self._policy, self._person, self._log = policy, person, log
        self._dry, self._beat = dry, beat
        self._spent = Spent(limits)
        self._composer = Composer()
        self._past: list[Past] = []
        self._same: tuple[tuple[str, str], int] = (("", ""), 0)
        self._first: TerminalState | None = None  # the screen when the run began: old text proves nothing

    def stopped(self, reason: str) -> Outcome:
        """How a run ended that was cancelled from outside, with what it had used."""
        return Outcome("stopped", reason, self._spent.steps, self._spent.keys)

    async def run(self, goal: str) -> Outcome:
        """Work until the goal is seen to be reached, or cannot be. Raises EyesError when it cannot see or type."""
        self._log.write("begin", goal=goal, strategy=self._strategy.name, dry=self._dry)
        try:
            async with asyncio.timeout(self._spent.limits.seconds):
                while True:
                    await self._step(goal)
        except Ended as end:
            return self._end(end.status, end.reason)
        except TimeoutError:
            return self._end("limit", f"the limit of {self._spent.limits.seconds:g} seconds is reached")
        except asyncio.CancelledError:
            self._keyboard.release_all()
            self._end("stopped", "it was told to stop")
            raise
        except EyesError as error:
            self._log.write("error", message=error.message)
            raise

    async def _step(self, goal: str) -> None:
        seen = await self._look(self._eye.settle(ECHO_SECONDS))
        if seen.state.password:
            await self._pause(seen)
            return
        self._spent.hold()
        self._first = self._first or seen.state
        choice = await self._decide(goal, seen)
        decision = choice.decision
        if isinstance(decision, Done):
            if await self._proved(decision, seen):
                raise Ended("completed", f"the screen shows {decision.evidence!r}")
        elif isinstance(decision, GiveUp):
            raise Ended("gave up", decision.reason)
        elif isinstance(decision, Wait):
            await asyncio.sleep(decision.seconds)
            self._result(decision, "waited")
        else:
            self._result(decision, await self._act(decision, seen))

    async def _proved(self, decision: Done, seen: Seen) -> bool:
        """Whether the evidence stands there, and did not when the run began; where it did, a person may say so."""
        assert self._first is not None
        typed = [past.decision for past in self._past]
        now, before = (count(decision.evidence, state, typed) for state in (seen.state, self._first))
        if now > before:
            return True
        if not now:
            self._result(decision, "not believed: the screen does not show that evidence")
            return False
        said = not self._dry and await self._person.reached(decision.evidence, seen)
        self._log.write("old evidence", evidence=decision.evidence, believed=said)
        if not said:
            self._result(decision, "not believed: that stood there before anything was done")
        return said

    async def _decide(self, goal: str, seen: Seen) -> Choice:
        clean = redacting.clean(seen.state, self._log.redactor)
        picture = seen.picture
        if picture is not None:
            picture = redacting.cover(picture, len(clean.rows), clean.covered)
        past = tuple(self._past[-_TOLD:])
        goal = self._log.redactor.redact(goal).text
        choice = await self._strategy.decide(Turn(goal, seen.state, clean.rows, past, picture))
        spent = self._spent
        spent.steps, spent.tokens, spent.cost = (
            spent.steps + 1,
            spent.tokens + choice.tokens,
            spent.cost + choice.cost,
        )
        self._log.write("decide", decision=choice.decision.model_dump(), why=choice.why)
        if not isinstance(choice.decision, Wait):
            self._hold_progress(choice.decision, seen.state)
        return choice

    def _hold_progress(self, decision: Decided, state: TerminalState) -> None:
        """Raises Ended at the third time of the same on the same screen."""
        pair = (decision.model_dump_json(), state.text)
        self._same = (pair, self._same[1] + 1 if self._same[0] == pair else 1)
        if self._same[1] >= STUCK:
            raise Ended("stuck", f"{STUCK} times the same, and the screen stayed as it was")

    async def _act(self, action: Act, seen: Seen) -> str:
        """Type it if it may be typed; what came of it."""
        verdict = self._policy.before(action, self._composer)
        if enters(action) and verdict.what != "refuse":
            entering = self._policy.entering(self._composer, seen.state)
            verdict = verdict if entering.what == "allow" else entering
        if verdict.what == "refuse":
            return self._refused(action, verdict.reason)
        if isinstance(action, Line) and self._composer.text:
            return self._refused(action, "what was typed before is not entered yet")
        try:
            self._keyboard.check(action)
        except UnmappableKey as error:
            return self._refused(action, error.message)
        if self._dry:
            self._person.told("dry", describe(action))
            return "not sent: this is a dry run"
        if verdict.what == "ask" and not await self._approved(action, verdict, seen):
            return "the person said no"
        now = await self._look(self._eye.look())
        if now.state.password or logical_line(now.state) != logical_line(seen.state):
            return "not sent: the screen changed meanwhile"
        if isinstance(action, Line):
            return await self._line(action, now, asked=verdict.what == "ask")
        await self._send(action, now.state)
        return await self._after(action, now)

    async def _line(self, action: Line, seen: Seen, asked: bool) -> str:
        """Clear what stands there, type it, read it back, and enter it only if it is there, and harmless as it is
        read. `asked`: a person has seen the row, and said yes."""
        row = logical_line(seen.state)
        cleared = await self._cleared(seen)
        if cleared.state.password or not row.startswith(logical_line(cleared.state).rstrip()):
            return "not sent: the screen changed meanwhile"
        await self._send(action, cleared.state)
        now = await self._echoed()
        verdict = self._policy.entering(self._composer, now.state, row if asked else None)
        if verdict.what == "refuse" or (
            verdict.what == "ask" and not await self._approved(ENTER, verdict, now)
        ):
            self._log.write("not entered", reason=verdict.reason, line=logical_line(now.state))
            if not now.state.password:
                await self._send(CLEAR, now.state)
            return f"not entered: {verdict.reason}"  # what stood there is data: a strategy sees the screen
        await self._send(ENTER, now.state)
        return await self._after(action, now)

    async def _cleared(self, seen: Seen) -> Seen:
        """The screen once somebody else's text is off the line: it would be entered with ours."""
        for key in (TO_END, CLEAR):
            await self._send(key, seen.state)
        return await self._look(self._eye.settle(ECHO_SECONDS))

    async def _echoed(self) -> Seen:
        """The screen once it shows what was typed, or after ECHO_SECONDS as it is."""
        end = time.monotonic() + ECHO_SECONDS
        while True:
            seen = await self._look(self._eye.look())
            if self._composer.arrived(seen.state) or time.monotonic() > end:
                return seen

    async def _after(self, action: Act, before: Seen) -> str:
        """Whether anything came of it."""
        if isinstance(action, Text):
            now = await self._echoed()
            return (
                "typed, and the screen shows it"
                if self._composer.arrived(now.state)
                else "typed, but not seen"
            )
        now = await self._look(self._eye.settle(ECHO_SECONDS))
        return (
            "done; the screen changed"
            if now.state.text != before.state.text
            else "done; the screen is the same"
        )

    async def _send(self, action: Act, state: TerminalState) -> None:
        count = max(len(action.text), 1) if isinstance(action, Text | Line) else 1
        self._spent.hold(count)
        self._composer.typed(action, state)
        self._log.write("send", action=action.model_dump())
        self._person.told("send", describe(action))
        self._spent.keys += count
        await self._keyboard.send(action)

    async def _approved(self, action: Act, verdict: Verdict, seen: Seen) -> bool:
        said = await self._person.approve(action, verdict, seen)
        self._log.write("approve", action=action.model_dump(), reason=verdict.reason, approved=said)
        return said

    async def _pause(self, seen: Seen) -> None:
        """Somebody is asked for a secret: that is the person's, and no model's."""
        self._log.write("pause", reason="a password is asked for")
        answer = None if self._dry else await self._person.password(seen)
        if answer is None:
            raise Ended("password", "a password is asked for, and nobody typed it")
        if answer:
            secret = Text(text=f"{{{{secret:{answer}}}}}")
            self._keyboard.check(secret)
            now = await self._look(self._eye.look())
            if not now.state.password:
                return
            await self._send(secret, now.state)
            self._composer = Composer()
            self._spent.hold(1)
            self._spent.keys += 1
            await self._keyboard.send(ENTER)

    async def _look(self, looking: Awaitable[Seen]) -> Seen:
        seen = await looking
        self._beat()
        self._log.screen(seen.state, seen.picture)
        return seen

    def _refused(self, action: Act, reason: str) -> str:
        self._log.write("refuse", action=action.model_dump(), reason=reason)
        self._person.told("refuse", f"{describe(action)}: {reason}")
        return f"refused: {reason}"

    def _result(self, decision: Decided, result: str) -> None:
        self._past.append(Past(decision, result))
        self._log.write("result", result=result)
        self._person.told("result", result)

    def _end(self, status: Status, reason: str) -> Outcome:
        self._log.write("end", status=status, reason=reason, steps=self._spent.steps, keys=self._spent.keys)
        return Outcome(status, reason, self._spent.steps, self._spent.keys)
