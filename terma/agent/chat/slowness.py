"""Questions why this machine is slow: answered with what the kernel tells of it now, and of nothing else."""

from __future__ import annotations

import re

from terma.machine.load import measured

_MACHINE = frozenset(
    "machine computer system laptop server pc mac desktop box workstation notebook host".split()
)
_NO_NAME = frozenset("it this that these those everything thing things".split())
_SLUGGISH = r"(?:slow(?:ly|er)?|sluggish|laggy|long|hanging|unresponsive)"
_IT = rf"(?:(?:the|my|this|these) (?!{_SLUGGISH}\b))?[\w.-]+"
_SLOW = tuple(
    re.compile(rf"(?i)^\W*(?:so |and |but )*{form}")
    for form in (
        rf"why (?:is|was|do|does|did|are) (?P<it>{_IT})"
        rf"(?: (?:being|running|so|that|all|take|taking|run|feel|feeling|getting))* {_SLUGGISH}\b",
        rf"what(?:'s| is)? (?:makes?|making|slows?|slowing)(?: down)? (?P<it>{_IT}?)"
        rf"(?: (?:so|that|this|down|{_SLUGGISH}))*\W*$",
        rf"(?P<it>{_IT}) (?:is|runs|feels|got|gets|has become) (?:\w+ )?{_SLUGGISH}\b",
    )
)
_WAS = re.compile(r"(?i)\b(?:was|did|took|were)\b")


def asked(question: str) -> bool:
    return _thing(question) is not None


def _thing(question: str) -> str | None:
    """What is said to be slow, without article; None where nothing is."""
    found = next(filter(None, (form.search(question) for form in _SLOW)), None)
    return found["it"].lower().rpartition(" ")[2] if found else None


def told(question: str) -> str:
    """Facts as a list in Markdown, and no more of a cause than they show: what they are of is said where something else
    was asked about. Blocks for half a second."""
    load = measured()
    lines = list(load.lines())
    if _WAS.search(question):  # at a time that nobody measured
        lines.insert(0, "What held while it ran was not measured; this is how it stands now:")
    thing = _thing(question)
    if thing and thing not in _MACHINE | _NO_NAME:
        lines.insert(0, f"Of `{thing}` itself nothing is measured here; this is of the machine:")
    if not load.strained():
        lines.append(
            "Nothing of that is short now: the time goes into the command itself, or into waiting for others."
        )
    return "\n".join(f"- {line}" for line in lines)
