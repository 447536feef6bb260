"""Addresses that are made for examples, and that nobody has: where the sentence names none of them, one stands in a
command only because the remembered sentence was written with it."""

from __future__ import annotations

import re

from terma.offline.draft import Context
from terma.offline.trust.command import simples
from terma.offline.trust.facts import Facts

# RFC 2606 and 6761 for names, RFC 5737 and 3849 for addresses
_EXAMPLES = re.compile(
    r"(?<![\w.-])(?:[\w-]+\.)*(?:example\.(?:com|org|net|edu)|[\w-]+\.(?:example|test|invalid))(?![\w-])"
    r"|(?<![\d.])(?:192\.0\.2|198\.51\.100|203\.0\.113)\.\d{1,3}(?![\d.])|(?<![\w:])2001:db8:",
    re.IGNORECASE,
)


def absent(facts: Facts, command: str, _: Context) -> bool:
    """Whether every address for examples in the command was said."""
    said = facts.sentence.raw.lower()
    words = (word for simple in simples(command) for word in (*simple.words, *simple.writes))
    return all(found[0].lower() in said for word in words for found in _EXAMPLES.finditer(word))
