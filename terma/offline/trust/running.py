"""What is to run on is not ended: "not at boot, but keep it running" is no `disable --now`; and what is not to start is
not started."""

from __future__ import annotations

from itertools import pairwise

from terma.offline.draft import Context
from terma.offline.trust.command import Simple, simples
from terma.offline.trust.facts import Facts

_GOES_ON = frozenset("keep leave stay stays let".split())
_RUNNING = frozenset("running up alive going started online".split())
_PAUSES = frozenset(("-STOP", "-SIGSTOP", "-CONT", "-SIGCONT", "-c"))  # kill -STOP, shutdown -c
_REACH = 3  # words between "leave" and "running"
_ENDS = frozenset("stop kill terminate shutdown poweroff halt down".split())
_STOPS = frozenset(("stop",))
_STARTS = frozenset("start restart run up".split())
_STARTING = frozenset("start starting launch launching run".split())
_ENDING = frozenset(
    "stop stopping kill killing terminate terminating end ending shut interrupt interrupting".split()
)
_NOT = frozenset("not don't dont without never".split())


def running(facts: Facts, command: str, _: Context) -> bool:
    """Whether the command ends nothing that is to go on, and starts nothing that is not to be started."""
    parsed = simples(command)
    texts = [token.text.lower() for token in facts.sentence.tokens]
    unended = any(before in _NOT and text in _ENDING for before, text in pairwise(texts))
    if (unended or _goes_on(facts)) and any(_does(simple, _ENDS, ("disable", "mask")) for simple in parsed):
        return False
    if _to_start(facts, texts) and any(_does(simple, _STOPS, ("disable", "mask")) for simple in parsed):
        return False
    unstarted = any(before in _NOT and text in _STARTING for before, text in pairwise(texts))
    return not (unstarted and any(_does(simple, _STARTS, ("enable", "unmask")) for simple in parsed))


def _to_start(facts: Facts, texts: list[str]) -> bool:
    """Whether something is to start, and nothing is to end."""
    starts = any(text == "start" and i not in facts.denied for i, text in enumerate(texts))
    return starts and _ENDING.isdisjoint(texts) and _ENDS.isdisjoint(texts)


def _goes_on(facts: Facts) -> bool:
    texts = [token.text.lower() for token in facts.sentence.tokens]
    behind = (
        texts[i + 1 : i + 2 + _REACH]
        for i, text in enumerate(texts)
        if text in _GOES_ON and i not in facts.denied
    )
    return any(
        not _RUNNING.isdisjoint(words) and "from" not in words for words in behind
    )  # "keep it from running"


def _does(simple: Simple, verbs: frozenset[str], with_now: tuple[str, ...]) -> bool:
    """By its subcommand or its own name, or by `--now` beside one that changes what happens at boot."""
    words = (simple.program, simple.sub, *simple.operands[:1])
    if _PAUSES & set(simple.words):
        return False
    return not verbs.isdisjoint(words) or ("--now" in simple.options and not set(with_now).isdisjoint(words))
