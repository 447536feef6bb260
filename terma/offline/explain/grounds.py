"""What a model is given for `?why`, and what its fixes are held against: the embedded explainer's own findings."""

from __future__ import annotations

import os
from dataclasses import dataclass

from terma.offline.explain.case import Case
from terma.offline.explain.explainer import clean, explain
from terma.offline.explain.model import Failure
from terma.offline.explain.proof import judge
from terma.types import Fix, WhyQuery

MAX_FACTS = 1_600  # code points that a model reads of this


@dataclass(frozen=True, slots=True)
class Grounds:
    """The findings about one failure. `facts` are lines for a model, `text` is the embedded answer (markdown), `fixes`
    its fixes. `known`: a rule or a look at the machine speaks, and not the output alone."""

    facts: tuple[str, ...]
    text: str
    fixes: tuple[Fix, ...]
    known: bool
    case: Case

    def holds(self, command: str) -> bool:
        """Whether `command` may be offered for this failure: it changes what is wrong, and what it uses is here."""
        try:
            return judge(self.case, command, bound=False).holds
        except Exception:  # a command that cannot be read proves nothing
            if os.environ.get("TERMA_DEBUG"):
                raise
            return False


def ground(query: WhyQuery) -> Grounds:
    """The grounds of the failure in `query`. Reads around its folder as `explain` does; never raises."""
    found = explain(query)
    said = "\n".join(line for line in found.text.split("\n") if not line.startswith("```"))
    facts = (
        (f"Read from the output and looked up on this machine:\n{said[:MAX_FACTS]}",) if said.strip() else ()
    )
    known = found.rule != "unknown"
    return Grounds(facts, found.text, found.offered, known, Case(clean(Failure.of(query))))
