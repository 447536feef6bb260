"""Types what may be typed, and looks whether it arrived: a line is entered only when it stands there as typed."""

from __future__ import annotations

import time

from terma.vision.asking import Asking, Passed
from terma.vision.errors import EyesError
from terma.vision.lines import Composer, bare, enters, logical_line
from terma.vision.log import RunLog
from terma.vision.parts import Ended, Person, Seen, Spent
from terma.vision.policy import Policy, Verdict, describe
from terma.vision.sight import Sight
from terma.vision.types import (
    Act,
    Click,
    Combination,
    Keyboard,
    Keystroke,
    Line,
    Pointing,
    TerminalState,
    Text,
)

ENTER = Keystroke(key="Enter")
TO_END = Combination(modifiers=("ctrl",), key="e")
CLEAR = Combination(modifiers=("ctrl",), key="u")  # takes a line back; it can run nothing
ECHO_SECONDS = 3.0  # for what was typed to stand on the screen
LINE_SECONDS = 10.0  # for a whole line, which is taken back where it does not
_OTHER = (10, 1.0)  # looks and seconds in which something else stands there: what was typed will not


class Typist:
    """`composer` is what stands on the line by what was typed since the last Enter."""

    def __init__(
        self,
        sight: Sight,
        keyboard: Keyboard,
        policy: Policy,
        asking: Asking,
        person: Person,
        log: RunLog,
        spent: Spent,
    ) -> None:
        self._sight, self._keyboard, self._policy, self._asking = sight, keyboard, policy, asking
        self._person, self._log, self._spent = person, log, spent
        self.composer = Composer()
        self._entered = ""  # what the last keys entered behind something else than a shell's prompt
        self._keys_alone = False

    def brought(self, state: TerminalState) -> bool:
        """Whether what `state` shows can have come by something that was entered: not where keys alone were sent since,
        nor where a program was told something and took the row that it was told in along (`:q` of a pager)."""
        return not self._keys_alone and (not self._entered or self._entered in state.text)

    def lost(self) -> None:
        """Nobody knows what stands on the line: a key may be lost, or the machine began anew. The screen alone tells
        from here on, so that nothing is entered unasked."""
        self.composer = Composer(text=None)

    async def type(self, passed: Passed, seen: Seen) -> str:
        """Type it if the screen is still as it was when it was decided; what came of it."""
        now = await self._sight.look()
        if now.state.password or now.dark or _place(passed.action, now) != _place(passed.action, seen):
            return "not sent: the screen changed meanwhile"
        if isinstance(passed.action, Line):
            return await self._line(passed.action, now, passed.asked)
        await self._send(passed.action, now.state)
        return await self._after(passed.action, now)

    async def secret(self, name: str, seen: Seen) -> None:
        """Type the secret of that name and enter it, where a password is asked for. Raises EyesError."""
        secret = Text(text=f"{{{{secret:{name}}}}}")
        self._keyboard.check(secret)
        now = await self._sight.look()
        if not now.state.password:
            return
        await self._send(secret, now.state)
        self.composer = Composer()
        self._entered, self._keys_alone = "", False
        self._spent.hold(1)
        self._spent.keys += 1
        await self._pressed(ENTER)

    async def _line(self, action: Line, seen: Seen, asked: bool) -> str:
        """Clear what stands there, type it, read it back, and enter it only if it is there, and harmless as it is
        read. `asked`: a person has seen the row, and said yes."""
        row = logical_line(seen.state)
        cleared = await self._cleared(seen)
        if cleared.state.password or not row.startswith(logical_line(cleared.state).rstrip()):
            return "not sent: the screen changed meanwhile"
        await self._send(action, cleared.state)
        now = await self._echoed(LINE_SECONDS)
        verdict = self._policy.entering(self.composer, now.state, row if asked else None)
        if verdict.what == "refuse" or (verdict.what == "ask" and not await self._may_enter(verdict, now)):
            self._log.write("not entered", reason=verdict.reason, line=logical_line(now.state))
            await self._taken_back(now)
            return f"not entered: {verdict.reason}"  # what stood there is data: a strategy sees the screen
        await self._send(ENTER, now.state)
        return await self._after(action, now)

    async def _may_enter(self, verdict: Verdict, now: Seen) -> bool:
        try:
            return (await self._asking.ask(ENTER, verdict, now)).what == "yes"
        except Ended:
            await self._taken_back(now)
            raise

    async def _taken_back(self, now: Seen) -> None:
        if not now.state.password:
            await self._send(CLEAR, now.state)

    async def _cleared(self, seen: Seen) -> Seen:
        """The screen once somebody else's text is off the line: it would be entered with ours."""
        for key in (TO_END, CLEAR):
            await self._send(key, seen.state)
        return await self._sight.settle(ECHO_SECONDS)

    async def _echoed(self, seconds: float) -> Seen:
        """The screen once it shows what was typed, or keeps showing something else; after so many seconds as it is. A
        beginning of it may be on its way still, and one picture may be read wrong."""
        begun = since = time.monotonic()
        other, looks = "", 0
        while True:
            seen = await self._sight.look()
            now, line = time.monotonic(), logical_line(seen.state)
            if self.composer.arrived(seen.state) or now - begun > seconds:
                return seen
            if line != other or self.composer.arriving(seen.state):
                other, looks, since = line, 0, now
            looks += 1
            if looks > _OTHER[0] and now - since > _OTHER[1]:
                return seen

    async def _after(self, action: Act, before: Seen) -> str:
        """Whether anything came of it."""
        if isinstance(action, Text):
            now = await self._echoed(ECHO_SECONDS)
            there = self.composer.arrived(now.state)
            return "typed, and the screen shows it" if there else "typed, but not seen"
        if isinstance(action, Line) or enters(action):
            await self._answered(before)
        now = await self._sight.settle(ECHO_SECONDS)
        changed = now.state.text != before.state.text
        return "done; the screen changed" if changed else "done; the screen is the same"

    async def _answered(self, before: Seen) -> None:
        """Wait for Enter to show: a screen that does not move may be one that has not got it yet."""
        end = time.monotonic() + ECHO_SECONDS
        while time.monotonic() < end:
            now = (await self._sight.look()).state
            if (now.text, now.cursor) != (before.state.text, before.state.cursor):
                return

    async def _send(self, action: Act, state: TerminalState) -> None:
        count = max(len(action.text), 1) if isinstance(action, Text | Line) else 1
        self._spent.hold(count)
        if enters(action):
            behind = bare((self.composer.before or "").rstrip())
            self._entered = "" if behind else (self.composer.text or "").strip()
        self._keys_alone = not enters(action)
        self.composer.typed(action, state)
        self._log.write("send", action=action.model_dump())
        self._person.told("send", describe(action))
        self._spent.keys += count
        await self._pressed(action)

    async def _pressed(self, action: Act) -> None:
        try:
            if not isinstance(action, Click):
                await self._keyboard.send(action)
            elif isinstance(self._keyboard, Pointing):
                await self._keyboard.click(action.x, action.y, action.button)
        except EyesError:
            self.lost()
            raise


def _place(action: Act, seen: Seen) -> object:
    """What of the screen an action is about: the line that is typed on, the rows around a click."""
    if not isinstance(action, Click):
        return logical_line(seen.state)
    rows = seen.state.rows
    at = min(int(action.y * len(rows)), len(rows) - 1)
    return rows[max(at - 1, 0) : at + 2]
