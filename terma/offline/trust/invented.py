"""Values that nobody said: an address that is made for examples, and that nobody has, stands in a command only because
the remembered sentence was written with it; a file that is named for a word of the sentence was made of it."""

from __future__ import annotations

from terma import regex as re
from terma.offline.draft import Context
from terma.offline.trust.command import Simple, simples
from terma.offline.trust.facts import Facts

# RFC 2606 and 6761 for names, RFC 5737 and 3849 for addresses
_EXAMPLES = re.compile(
    r"(?<![\w.-])(?:[\w-]+\.)*(?:example\.(?:com|org|net|edu)|[\w-]+\.(?:example|test|invalid))(?![\w-])"
    r"|(?<![\d.])(?:192\.0\.2|198\.51\.100|203\.0\.113)\.\d{1,3}(?![\d.])|(?<![\w:])2001:db8:",
    re.IGNORECASE,
)


_NAME = re.compile(r"([\w-]+)\.\w{1,5}")


def absent(facts: Facts, command: str, context: Context) -> bool:
    """Whether the command holds no such value."""
    said = facts.sentence.raw.lower()
    parsed = simples(command)
    words = (word for simple in parsed for word in (*simple.words, *simple.writes))
    if not all(found[0].lower() in said for word in words for found in _EXAMPLES.finditer(word)):
        return False
    return not _writes_over_what_was_named(facts, parsed, context)


_FIELD = re.compile(r"\.([A-Za-z_]\w*)")
_SELECTS = frozenset(("jq", "yq", "gojq", "jaq"))


def fields(facts: Facts, command: str, _: Context) -> bool:
    """Whether a filter works on no other field than those named, where the sentence names any as `.status`."""
    if not any(_FIELD.fullmatch(token.text) for token in facts.sentence.tokens):
        return True
    said = set(re.findall(r"\w+", facts.sentence.raw))
    return all(
        name in said
        for simple in simples(command)
        if simple.program in _SELECTS
        for word in simple.operands[:1]
        for name in _FIELD.findall(word)
    )


def _writes_over_what_was_named(facts: Facts, parsed: tuple[Simple, ...], context: Context) -> bool:
    """Whether a named file that nothing is to go into is written, from one made of a word: "sort a.txt by the alphabet"
    as `sort alphabet.txt > a.txt`."""
    tokens, said = facts.sentence.tokens, facts.sentence.raw.lower()
    named = {tokens[i].value for i in facts.literals if facts.roles.get(i) != "target"}
    if not any(word in named for simple in parsed for word in simple.writes):
        return False
    texts = {token.text.lower() for token in tokens if token.kind == "word"}
    return any(
        (found := _NAME.fullmatch(word)) is not None
        and found[1].lower() in texts
        and word.lower() not in said
        and context.names().get(word) is None
        for simple in parsed
        for word in simple.operands
    )
