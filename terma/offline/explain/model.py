"""What a failure is, and what an explanation of it is: the two shapes that callers of the explainer see."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from terma.records import dataclass
from terma.types import GIVEN, Fix, WhyQuery


@dataclass(frozen=True, slots=True)
class Failure:
    """One command that failed. `output` is what it printed (both streams), "" when nobody captured it.

    `cwd` is where it ran, `path` that shell's PATH; empty means unknown. `history` holds earlier commands, the newest
    last. `status` is the exit status, -1 when unknown; `question` is what the person asks about it, or empty.
    `statuses` are those of the commands of the last pipeline that ran, in order, as zsh's `pipestatus` and bash's
    `PIPESTATUS` have them; () when unknown. `columns` is the terminal's width and `duration` in microseconds, 0 when
    unknown. `stands` is where the shell is now, "" when unknown. `here`: it failed in a shell of this user's; an output
    that was handed over may be another user's or of another machine."""

    command: str
    status: int = 1
    output: str = ""
    cwd: str = ""
    shell: str = "bash"
    path: str = ""
    history: tuple[str, ...] = ()
    aliases: Mapping[str, str] = field(default_factory=dict)
    question: str = ""
    statuses: tuple[int, ...] = ()
    columns: int = 0
    duration: int = 0
    stands: str = ""
    here: bool = False

    @classmethod
    def of(cls, query: WhyQuery) -> Failure:
        """The failure that a query tells of."""
        return cls(
            command=query.command, status=query.status, output=query.output.text, cwd=query.cwd, shell=query.shell,
            path=query.path, history=query.history, aliases=query.aliases, question=query.question,
            statuses=query.statuses, columns=query.columns, duration=query.duration,
            stands=query.stands, here=query.output.source != GIVEN,
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Explanation:
    """Two or three plain sentences, and the fixes, best first: none where nothing sensible can be typed.

    `rule` names what recognised the failure ("git.no_upstream"), and is "unknown" when nothing did.
    `source` names what made the fixes where that was another: "misspelt", "mends". `at` are the lines of the evidence
    (their indices) that it was read from, () where nothing recognised it. `looks` show the state that the message is
    about, where there is no fix: they mend nothing."""

    text: str
    fixes: tuple[Fix, ...]
    rule: str
    source: str = ""
    at: tuple[int, ...] = ()
    looks: tuple[Fix, ...] = ()

    @property
    def offered(self) -> tuple[Fix, ...]:
        """What may be inserted: the fixes, else a look."""
        return self.fixes or self.looks
