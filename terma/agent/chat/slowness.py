"""Questions why this machine is slow: answered with what the kernel tells of it now, and of nothing else."""

from __future__ import annotations

import re

from terma.machine.load import measured

_MACHINE = frozenset(
    "machine computer system laptop server pc mac desktop box workstation notebook host".split()
)
_IT = rf"(?:it|this|that|everything|the (?:{'|'.join(sorted(_MACHINE))})|my \w+|things?)"
_SLUGGISH = r"(?:slow(?:ly|er)?|sluggish|laggy|long|hanging|unresponsive)"
_SLOW = re.compile(
    rf"(?i)^\W*(?:so |and |but )*why (?:is|was|do|does|did|are) {_IT}"
    rf"(?: (?:being|running|so|that|all|take|taking|run|feel|feeling|getting))* {_SLUGGISH}\b"
    rf"|^\W*what(?:'s| is)? (?:makes?|making|slows?|slowing)(?: down)? {_IT}"
    rf"(?: (?:so|that|this|down|{_SLUGGISH}))*\W*$"
    rf"|^\W*(?:{_IT}|this \w+) (?:is|runs|feels|got|gets|has become) (?:\w+ )?{_SLUGGISH}\b"
)
_WAS = re.compile(r"(?i)\b(?:was|did|took|were)\b")
_OWN = re.compile(
    r"(?i)\b(?:my|this) (?!(?:is|was|does|did|are|runs|takes|feels|got|gets|has|so|that|down)\b)([a-z]\w*)"
)


def asked(question: str) -> bool:
    return _SLOW.search(question) is not None


def told(question: str) -> str:
    """Facts as a list in Markdown, and no more of a cause than they show: what they are of is said where something else
    was asked about. Blocks for half a second."""
    load = measured()
    lines = list(load.lines())
    if _WAS.search(question):  # at a time that nobody measured
        lines.insert(0, "What held while it ran was not measured; this is how it stands now:")
    thing = _OWN.search(question)
    if thing and thing[1].lower() not in _MACHINE:
        lines.insert(0, f"Of the {thing[1]} itself nothing is measured here; this is of the machine:")
    if not load.strained():
        lines.append(
            "Nothing of that is short now: the time goes into the command itself, or into waiting for others."
        )
    return "\n".join(f"- {line}" for line in lines)
