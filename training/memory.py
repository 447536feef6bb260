"""`python -m training.memory`: the memory and what is usual alone anew, from all that our authors wrote, beside weights
that stay as they are. More lines to remember change nothing of how a draft is judged; other weights want the whole of
`make train`."""

from __future__ import annotations

import sys

from terma.offline import tables
from terma.offline.language import foreign
from terma.offline.trust.association import Association
from training import composed, pairs, usage
from training.learned import memory, write


def main() -> int:
    lines = [*pairs.authors(), *pairs.tests(), *composed.lines()]
    write(
        tables.MEMORY,
        memory([line for line in lines if not line.held and not foreign(line.nl)], Association.load()),
    )
    return usage.main()


if __name__ == "__main__":
    sys.exit(main())
