"""The code blocks of a page, so that a test runs what the page shows."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]


def blocks(page: str, heading: str) -> list[tuple[str, str]]:
    """(language, text) of each block under `heading` ("## A terminal") of a page of this tree, in order."""
    text = (ROOT / page).read_text(encoding="utf-8")
    level = heading.split(maxsplit=1)[0]
    begins = re.search(rf"^{re.escape(heading)}$", text, re.MULTILINE)
    assert begins, f"{page} has no {heading!r}"
    rest = text[begins.end() :]
    ends = re.search(rf"^{level} ", rest, re.MULTILINE)
    part = rest[: ends.start()] if ends else rest
    found = re.findall(r"^```(\w+)\n(.*?)^```$", part, re.DOTALL | re.MULTILINE)
    assert found, f"{page}: {heading!r} shows nothing"
    return found
