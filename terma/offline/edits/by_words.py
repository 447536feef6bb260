"""A wish in words that ask for one option of the program (`ss # show the process`), as the engine learned them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from terma.machine.programs import where
from terma.machine.told import told
from terma.offline.cases.flags import Flag
from terma.offline.edits.composed import Base, base_of, with_words
from terma.offline.edits.wishes import BESIDE
from terma.offline.sentence import Sentence
from terma.offline.trust.association import keys
from terma.offline.trust.command import harm
from terma.offline.trust.facts import is_literal, read

LEAST = 0.8  # how surely the words ask for the option
_ALONE = frozenset(("only", "just"))
_ASKS = (
    _ALONE | BESIDE | frozenset("show display print give make use want add one".split())
)  # for what, others say
_LEAVES = _ALONE | frozenset(("not", "without", "omit", "instead"))
_WIDENS = frozenset("all also both include includes including even".split())


def by_words(command: str, wish: str, flags: Callable[[str], Sequence[Flag]], path: str, cwd: str) -> str:
    """The command with the option that all words of the wish which say something ask for; "" where none is, or where
    its own description says that it does the other of "only" and "too"."""
    base = base_of(command)
    facts = read(Sentence.parse(wish))
    tokens = facts.sentence.tokens
    named = keys(facts)
    if base is None or any(is_literal(token) and at not in named for at, token in enumerate(tokens)):
        return ""
    low = {token.text.lower() for token in tokens}
    said = set(named.values())
    found = [
        (share, flag.text)
        for flag in flags(" ".join(base.texts[: base.head]))
        for phrase, share in flag.phrases
        if share >= LEAST and said >= set(phrase) >= said - _ASKS and flag.text not in base.texts
    ]
    best = [text for share, text in found if share == max(found)[0]]
    if len(set(best)) != 1 or not _does(best[0], low, base, path, cwd):
        return ""
    made = with_words(base, best[:1])
    # What does more harm than the command has to be said by its own name.
    return made if best[0].lstrip("-") in said or harm(made) in ("look", harm(command)) else ""


def _does(option: str, low: set[str], base: Base, path: str, cwd: str) -> bool:
    """Whether the option narrows what is to be alone and widens what is to be beside, by its description."""
    alone, beside = low & _ALONE, low & BESIDE
    if not alone and not beside:
        return True
    program = base.texts[0]
    file = where(program, path, cwd)
    subs = (tuple(base.texts[1 : base.head]), ())
    pages = [told(program.rpartition("/")[2], file, sub).options for sub in subs] if file else []
    entry = next((page[option] for page in pages if option in page), None)
    if entry is None or not entry.says:
        return False
    words = set(entry.says.lower().replace(",", " ").split())
    return not words & (_WIDENS if alone else _LEAVES)
