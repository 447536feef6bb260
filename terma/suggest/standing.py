"""How far a model's answers are to be believed here, by how they fared so far.

Three signs, none of which asks the person anything: whether a command that could be held against this machine held,
whether it uses the program of the embedded engine's candidate as often as that engine's own confidence promises, and
whether there was a command at all. A model is believed until it told otherwise."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field

BENEFIT = 3.0  # answers for which a new model is given the benefit of the doubt
MAX_ANSWERS = 60.0  # what is remembered; older answers count less, since a server may load another model
MAX_SENTENCES = 64  # an answer to the same sentence is no news


@dataclass(slots=True)
class Share:
    """How many of those that were expected came, both with the benefit of the doubt."""

    came: float = 0.0
    expected: float = 0.0

    def add(self, came: float, expected: float) -> None:
        fade = min(1.0, MAX_ANSWERS / (self.expected + expected + 1e-9))
        self.came, self.expected = (self.came + came) * fade, (self.expected + expected) * fade

    @property
    def value(self) -> float:
        return min(1.0, (self.came + BENEFIT) / (self.expected + BENEFIT))


@dataclass(slots=True)
class Standing:
    """Of one model. `held`: of its commands that could be held against this machine, those that held; `agreed`: of
    the answers beside a sure candidate of the engine's, those with its program."""

    held: Share = field(default_factory=Share)
    agreed: Share = field(default_factory=Share)
    _seen: OrderedDict[str, None] = field(default_factory=OrderedDict)

    def answered(
        self, words: str, command: str, *, invented: bool, checked: bool, beside: str, sure: float
    ) -> None:
        """A command came for `words`, or none: "". `beside` is the engine's candidate, whose confidence is `sure`; 0
        without one. Who has no command where there most likely is one is as far from it as another program."""
        if words in self._seen:
            return
        self._seen[words] = None
        if len(self._seen) > MAX_SENTENCES:
            self._seen.popitem(last=False)
        if command and (invented or checked):
            self.held.add(not invented, 1.0)
        if sure and not invented:
            self.agreed.add(bool(command) and program(command) == program(beside), sure)

    def believed(self, checked: bool = True) -> float:
        """How likely a command of this model's is right. One that nothing here could check is as good as those that
        could be were."""
        return self.agreed.value * (1.0 if checked else self.held.value)


def program(command: str) -> str:
    """What a command starts."""
    words = [word for word in command.split() if word != "sudo"]
    return words[0].rpartition("/")[2] if words else ""
