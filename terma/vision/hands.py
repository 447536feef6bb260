"""One machine under somebody's hands who decides each step from outside (an agent, over MCP): looked at, and typed on
through the same policy, person and checks as in a run."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from terma.config import eyes
from terma.vision import redacting
from terma.vision.asking import Asking
from terma.vision.errors import EyesError
from terma.vision.log import RunLog
from terma.vision.parts import Ended, Eye, Person, Seen, Spent
from terma.vision.policy import Policy, Verdict
from terma.vision.sight import Sight
from terma.vision.types import Act, Image, Keyboard, Powered, Text
from terma.vision.typist import ECHO_SECONDS, Typist

Press = Callable[[str, str, Seen], Awaitable[bool]]  # a button, why, the screen: whether the person wants it
_AGAIN = 0.2  # seconds between two looks for a text that is waited for
SAYS = {
    "on": "press the power button of a machine that is off",
    "off": "ask the machine to shut down",
    "hard-off": "cut the machine's power: what it has not saved is lost",
    "reset": "reset the machine: what it has not saved is lost",
}


@dataclass(frozen=True, slots=True)
class Look:
    """What may be told of a screen: its rows without secrets, and its picture with those covered."""

    rows: tuple[str, ...]
    condition: str
    prompt: bool
    password: bool
    cursor: tuple[int, int] | None
    picture: Image | None


class Hands:
    """`person` approves what the policy does not allow; `press` asks about a button of the machine."""

    def __init__(
        self,
        eye: Eye,
        keyboard: Keyboard,
        policy: Policy,
        person: Person,
        press: Press,
        log: RunLog,
        limits: eyes.Limits,
        beat: Callable[[], None] = lambda: None,
    ) -> None:
        self._sight, self._keyboard, self._log = Sight(eye, log, beat), keyboard, log
        self._press, self._spent = press, Spent(limits)
        self._asking = Asking(policy, person, keyboard, log)
        self._typist = Typist(self._sight, keyboard, policy, self._asking, person, log, self._spent)

    async def look(self, until: str = "", seconds: float = 0) -> Look:
        """The screen at rest; with `until`, once that stands there, after so many seconds as it is."""
        seen = await self._sight.settle(ECHO_SECONDS)
        end = asyncio.get_running_loop().time() + seconds
        while until and until not in seen.state.text and asyncio.get_running_loop().time() < end:
            await asyncio.sleep(_AGAIN)
            seen = await self._sight.look()
        return self._told(seen)

    async def do(self, action: Act, why: str) -> tuple[str, Look]:
        """Judge it, ask, type it; what came of it, and the screen then. Raises Ended where a limit is reached or the
        person stops it all, EyesError."""
        self._spent.hold()
        self._spent.steps += 1
        self._log.write("decide", decision=action.model_dump(), why=why)
        seen = await self._sight.settle(ECHO_SECONDS)
        result = self._cannot(seen)
        if not result:
            passed = await self._asking.passed(action, why, seen, self._typist.composer)
            result = passed if isinstance(passed, str) else await self._typist.type(passed, seen)
            if not isinstance(passed, str) and passed.action != action:
                result = f"changed by the person; {result}"
        self._log.write("result", result=result)
        return result, await self.look()

    async def secret(self, name: str, why: str) -> tuple[str, Look]:
        """Type the secret of that name where a password is asked for, once the person has said so."""
        self._spent.hold()
        self._spent.steps += 1
        seen = await self._sight.settle(ECHO_SECONDS)
        if not seen.state.password:
            return "not sent: no password is asked for", self._told(seen)
        action = Text(text=f"{{{{secret:{name}}}}}")
        self._keyboard.check(action)
        answer = await self._asking.ask(action, Verdict("ask", "a password is asked for"), seen, why)
        if answer.what != "yes":
            return "the person said no" + (f": {answer.reason}" if answer.reason else ""), self._told(seen)
        await self._typist.secret(name, seen)
        self._log.write("result", result="the secret was typed and entered")
        return "typed and entered, if a password was still asked for", await self.look()

    async def power(self, action: str, why: str) -> str:
        """Press a button that the kind has, once the person has said so; `status` asks nobody."""
        if not isinstance(self._keyboard, Powered):
            raise EyesError(
                "this keyboard holds no power button", 'kind = "pikvm", "nanokvm" or "jetkvm" does'
            )
        if action == "status":
            return "on" if await self._keyboard.powered() else "off"
        self._log.write("decide", power=action, why=why)
        seen = await self._sight.look()
        pressed = await self._press(SAYS[action], why, seen)
        self._log.write("approve", power=action, approved=pressed)
        if not pressed:
            return "the person said no"
        self._typist.lost()
        await self._keyboard.power(action)
        return "pressed"

    def lost(self) -> None:
        """Camera or keyboard were opened anew: the screen alone tells what stands on the line."""
        self._typist.lost()

    def _cannot(self, seen: Seen) -> str:
        if seen.dark:
            self._typist.lost()
            return f"not sent: the screen is {seen.condition}"
        if seen.state.password:
            return "not sent: a password is asked for; the person types it there, or eyes_secret does"
        return ""

    def _told(self, seen: Seen) -> Look:
        clean = redacting.clean(seen.state, self._log.redactor)
        picture = seen.picture
        if picture is not None:
            picture = redacting.cover(picture, len(clean.rows), clean.covered)
        state = seen.state
        cursor = (state.cursor.row, state.cursor.column) if state.cursor else None
        return Look(clean.rows, seen.condition, state.prompt, state.password, cursor, picture)


__all__ = ["SAYS", "Ended", "Hands", "Look", "Press"]
