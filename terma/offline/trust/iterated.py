"""A program of jq goes over all where all are asked for: "the name of every user in users.json" is no `.name`."""

from __future__ import annotations

from terma import regex as re
from terma.offline.draft import Context
from terma.offline.trust.command import Simple, simples
from terma.offline.trust.facts import Facts

_EVERY = frozenset(("all", "every", "each"))
_READERS = frozenset(("jq", "yq", "gojq", "jaq"))
_FIELD = re.compile(r"\.[A-Za-z_\"]")
_GOES_OVER = re.compile(
    r"\[|\.\.|\b(?:map|keys|to_entries|with_entries|recurse|paths|walk|select|del|length)\b|\*"
)
_WHOLE = frozenset("file json yaml document of".split())  # "all of it", "every file": no members of a list


def goes_over(facts: Facts, command: str, _: Context) -> bool:
    """Whether no one field of the whole document stands for a field of each of its members."""
    texts = [token.text.lower() for token in facts.sentence.tokens]
    every = any(text in _EVERY and not _WHOLE & set(texts[i + 1 : i + 2]) for i, text in enumerate(texts))
    return not every or not any(_takes_one(simple) for simple in simples(command))


def _takes_one(simple: Simple) -> bool:
    if simple.program not in _READERS or {"-s", "--slurp"} & set(simple.options):
        return False
    program = next((word for word in simple.operands if word[:1] in ".("), "")
    return bool(_FIELD.match(program)) and not _GOES_OVER.search(program)
