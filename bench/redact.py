"""What redaction costs: five megabytes of source, manuals and settings with a secret on every fiftieth line."""

from __future__ import annotations

import random
import time
from pathlib import Path

from terma.redact import Hiding, Redactor, redact

ROOT = Path(__file__).parents[1]
SIZE = 5_000_000


def text_of(most: int) -> str:
    """So many bytes of text, the same each time."""
    source = random.Random(5)
    rows = [
        row for path in sorted(ROOT.glob("terma/**/*.py")) for row in path.read_text("utf-8").splitlines()
    ]
    out, size = [], 0
    while size < most:
        row = source.choice(rows)
        if source.random() < 0.02:
            row = f"export SERVICE_PASSWORD={source.randbytes(9).hex()}"
        out.append(row)
        size += len(row) + 1
    return "\n".join(out)


def measure() -> list[tuple[str, float, str, str]]:
    """Seconds for the whole text, and microseconds for each line of a stream."""
    text = text_of(SIZE)
    begun = time.process_time()
    found = len(redact(text).secrets)
    whole = time.process_time() - begun
    lines = text.splitlines(keepends=True)[:5000]
    begun = time.process_time()
    stream = Hiding(Redactor())
    for line in lines:
        stream.feed(line)
        stream.settle()
    each = (time.process_time() - begun) / len(lines) * 1e6
    return [
        ("redact 5 MB, whole", whole, "s cpu", f"{found} secrets"),
        ("redact a line of a stream", each, "µs cpu", "`terma redact`"),
    ]
