"""What a failure is, and what an explanation of it is: the two shapes that callers of the explainer see."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Failure:
    """One command that failed. `output` is what it printed (both streams), "" when nobody captured it.

    `cwd` is where it ran, `path` that shell's PATH; empty means unknown. `history` holds earlier commands, the newest
    last. `status` is the exit status, -1 when unknown."""

    command: str
    status: int = 1
    output: str = ""
    cwd: str = ""
    shell: str = "bash"
    path: str = ""
    history: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Fix:
    """A whole command line that would do what was meant; `confidence` is an order from 0 to 1, no probability."""

    command: str
    confidence: float


@dataclass(frozen=True, slots=True)
class Explanation:
    """Two or three plain sentences, and the fixes, best first: none where nothing sensible can be typed.

    `rule` names what recognised the failure ("git.no_upstream"), and is "unknown" when nothing did."""

    text: str
    fixes: tuple[Fix, ...]
    rule: str
