"""What is claimed of a line that is called low, or that a list of `ls *` and `echo *` allows; and who breaks it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from terma.risk import assess, judge
from terma.risk.simple import agreed
from terma.shell_syntax import BASH, SH, ZSH, ZSH_PROMPT, ShellSyntaxError, parse
from tests.fuzz.strings import Strings
from tests.fuzz.witnesses import SHELLS, Witness

DIALECTS = {"bash": BASH, "zsh": ZSH, "zsh prompt": ZSH_PROMPT, "sh": SH}
_GUESSED = ("bash", "zsh prompt")  # what somebody has who does not say which
_BATCH = 200


@dataclass(frozen=True, slots=True)
class Claimed:
    """A string that terma calls low, or that a list allows."""

    text: str
    low: bool
    allowed: bool

    def broken(self, ran: frozenset[str]) -> bool:
        return (self.low and "shred" in ran) or (self.allowed and bool(ran))


@dataclass(slots=True)
class Count:
    made: int = 0
    low: int = 0
    allowed: int = 0


def claimed(shell: str, text: str) -> Claimed:
    """What terma says of `text` in one shell, or in one reading of zsh."""
    if shell == "fish":
        low = all(finding.level == "low" for finding in judge.judge(text, "", "fish"))
        return Claimed(text, low, False)
    dialect = DIALECTS[shell]
    try:
        parse(text, dialect)
    except ShellSyntaxError as error:  # never low where this shell is known, nor allowed
        guess = error.refused and shell in _GUESSED and assess(text).level == "low"
        return Claimed(text, guess, False)
    low = all(finding.level == "low" for finding in judge.findings_as(text, (dialect,)))
    commands = agreed(text, (dialect,))
    return Claimed(
        text, low, commands is not None and all(words[0].text in ("ls", "echo") for words in commands)
    )


def escapes(shell: str, seed: int, count: int, counted: Count) -> Iterator[str]:
    """Those of `count` strings that run in `shell` what terma says they do not."""
    strings, waiting, seen = Strings(seed), list[Claimed](), set[str]()
    with Witness(SHELLS[shell]) as witness:
        while counted.made < count:
            text = strings.next()
            counted.made += 1
            one = claimed(shell, text) if text.strip() and text not in seen else Claimed(text, False, False)
            counted.low += one.low
            counted.allowed += one.allowed
            seen.add(text)
            waiting += [one] if one.low or one.allowed else []
            if len(waiting) == _BATCH or (counted.made == count and waiting):
                for each, ran in zip(waiting, witness.ran([each.text for each in waiting]), strict=True):
                    if each.broken(ran):
                        yield each.text
                waiting = []
