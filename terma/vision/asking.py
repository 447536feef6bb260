"""A proposal on its way to the keys: judged, shown to a person, changed or refused by them, and judged again."""

from __future__ import annotations

from dataclasses import dataclass, replace

from terma.vision.errors import EyesError
from terma.vision.lines import Composer, enters, may_enter
from terma.vision.log import RunLog
from terma.vision.parts import CHANGED, NOTICE, Answer, Ended, Person, Seen
from terma.vision.policy import Policy, Verdict, describe
from terma.vision.types import Act, Click, Keyboard, Line, Pointing


@dataclass(frozen=True, slots=True)
class Passed:
    """An action that may be typed. `asked`: a person has seen it with its row, and said yes."""

    action: Act
    asked: bool


class Asking:
    """Who decides on an action: the policy, then the person. `dry`: nobody is asked, for nothing is typed."""

    def __init__(
        self, policy: Policy, person: Person, keyboard: Keyboard, log: RunLog, *, dry: bool = False
    ) -> None:
        self._policy, self._person, self._keyboard, self._log = policy, person, keyboard, log
        self._dry = dry

    async def passed(self, action: Act, why: str, seen: Seen, composer: Composer) -> Passed | str:
        """The action as it may be typed, as the person may have changed it; else why not, in words for a strategy.
        Raises Ended when the person stops the run."""
        proposed, refused = (action, why), ""
        while True:
            verdict = self._verdict(action, seen, composer)
            if verdict.what == "refuse":
                refusal = self._refused(action, verdict.reason)
                if action == proposed[0]:
                    return refusal
                # What the person made of it is refused: the proposal stands as it was, and says so.
                (action, why), refused = proposed, f"your change was {refusal}"
                continue
            if self._dry:
                self._person.told("dry", describe(action) + (f"    ({why})" if why else ""))
                return "not sent: this is a dry run"
            if verdict.what == "allow":
                return Passed(action, asked=False)
            about = replace(verdict, reason=", ".join(filter(None, (refused, verdict.reason))))
            answer = await self.ask(action, about, seen, why)
            if answer.what == "yes":
                return Passed(action, asked=True)
            if answer.what == "no" or not isinstance(answer.action, Act):
                return f"the person said no: {answer.reason}" if answer.reason else "the person said no"
            action, why, refused = answer.action, CHANGED, ""

    async def ask(self, action: Act, verdict: Verdict, seen: Seen, why: str = "") -> Answer:
        """What the person says. Raises Ended when that is to stop."""
        answer = await self._person.approve(action, verdict, seen, why)
        said = {"reason": verdict.reason, "approved": answer.what == "yes"}
        if answer.reason:
            said["said"] = answer.reason
        if answer.action is not None:
            said["changed"] = answer.action.model_dump()
        self._log.write("approve", action=action.model_dump(), **said)
        if answer.what == "stop":
            raise Ended("stopped", "you said stop")
        return answer

    def _verdict(self, action: Act, seen: Seen, composer: Composer) -> Verdict:
        verdict = self._policy.before(action, composer)
        if seen.condition == "notice" and verdict.what == "allow":
            verdict = Verdict("ask", NOTICE)
        if may_enter(action, composer) and verdict.what != "refuse":
            judge = self._policy.entering if enters(action) else self._policy.standing
            entering = judge(composer, seen.state)
            verdict = verdict if entering.what == "allow" else entering
        if verdict.what == "refuse":
            return verdict
        if isinstance(action, Line) and composer.text:
            return Verdict("refuse", "what was typed before is not entered yet")
        if isinstance(action, Click):
            return (
                verdict if isinstance(self._keyboard, Pointing) else Verdict("refuse", "there is no pointer")
            )
        try:
            self._keyboard.check(action)
        except EyesError as error:
            return Verdict("refuse", error.message)
        return verdict

    def _refused(self, action: Act, reason: str) -> str:
        self._log.write("refuse", action=action.model_dump(), reason=reason)
        self._person.told("refuse", f"{describe(action)}: {reason}")
        return f"refused: {reason}"
