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


# RFC 1918; the group is the network, of which a sentence may name the last part alone ("10.4.0.0/24 but .1")
_PRIVATE = re.compile(
    r"(?<![\d.])((?:10\.\d{1,3}|172\.(?:1[6-9]|2\d|3[01])|192\.168)\.\d{1,3}\.)\d{1,3}(?![\d.])"
)
# A region of a cloud, as all of them are named: eu-west-1, europe-north1, us-gov-east-1.
_REGION = re.compile(r"(?<![\w-])[a-z]{2,12}-(?:gov-)?(?:north|south|east|west|central)[a-z]*-?\d(?!\w)")


def elsewhere(facts: Facts, command: str, _: Context) -> bool:
    """Whether every private address lies in a network that was named, and every region of a cloud was named: another
    one is that of who was answered before."""
    said = facts.sentence.raw.lower()
    return all(found[1] in said for found in _PRIVATE.finditer(command)) and (
        all(found[0] in said for found in _REGION.finditer(command))
    )


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
