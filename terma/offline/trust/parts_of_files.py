"""What is taken out of files is not the files: "remove the comments from all scripts" deletes no script. And a name for
each of many cannot be told by a pattern."""

from __future__ import annotations

from terma.offline.draft import Context
from terma.offline.trust.command import simples
from terma.offline.trust.facts import Facts
from terma.offline.trust.flow import ends

_TAKES_OUT = frozenset("remove delete strip drop cut erase clear trim".split())
# Of what is in a file, or of its name.
_PARTS = frozenset(
    "extension suffix prefix ending line row column field word letter character comment header footer space whitespace "
    "blank tab indentation page tag metadata exif watermark password soundtrack audio sound subtitle attribute acl bit "
    "mark quote bracket bom".split()
)
_OF = frozenset(("from", "of", "in", "out"))
_TO_A_NAME = frozenset(("mv", "cp", "ln"))
_DELETES = frozenset(("rm", "unlink", "shred", "rmdir"))


def not_the_files(facts: Facts, command: str, _: Context) -> bool:
    """Whether no file is deleted where only something in it, or in its name, is to go."""
    tokens = facts.sentence.tokens
    at = next((i for i, token in enumerate(tokens) if token.norm in _TAKES_OUT), None)
    if at is None:
        return True
    scope = next((i for i in range(at + 1, len(tokens)) if tokens[i].text.lower() in _OF), None)
    if scope is None or not any(token.norm in _PARTS for token in tokens[at + 1 : scope]):
        return True
    return not any(
        simple.program in _DELETES or (simple.program == "find" and "-delete" in simple.words)
        for simple in simples(command)
    )


def to_one_name(_: Facts, command: str, __: Context) -> bool:
    """Whether nothing is moved, copied or linked to a pattern: `mv *.a *.b` renames nothing."""
    return not any(
        "*" in target and "$" not in target
        for simple in simples(command)
        if simple.program in _TO_A_NAME
        for target in ends(simple)[1]
    )
