"""Two orders in one sentence ("A and then B"): where each is understood by itself, one is run behind the other."""

from __future__ import annotations

from terma.offline.intent import ORDERS
from terma.offline.sentence import Sentence
from terma.offline.tokens import Token
from terma.offline.trust.command import simples
from terma.offline.trust.facts import Facts, read
from terma.records import dataclass

_MAKES_FOLDERS = frozenset("mkdir tar unzip cp mv ln".split())
_SEQUENCES = frozenset(("then", "afterwards"))
_CONDITIONS = frozenset("if when whenever until once unless while after before every each or".split())
_ITS = frozenset("it its them their that this".split())
_DETERMINES = frozenset(("the", "that", "this"))


@dataclass(frozen=True, slots=True)
class Steps:
    """`first` and `second` as sentences. `ordered`: a word says which comes first, not "and" alone. `target`: what "it"
    of the second stands for is what the first makes, of several things, so that nothing may be changed by it."""

    first: str
    second: str
    ordered: bool
    named: bool  # the second names what it is about
    target: bool = False


def in_steps(sentence: Sentence) -> Steps | None:
    """The two orders of a sentence, None where it has not two, or where the second is about something unclear."""
    tokens = sentence.tokens
    texts = [token.text.lower() for token in tokens]
    for i, text in enumerate(texts[:-1]):
        if i < 2 or tokens[i].kind != "word":
            continue
        joined = texts[i - 1] == "and"
        if text in _SEQUENCES:
            end, begin, ordered = tokens[i - 1].start if joined else tokens[i].start, tokens[i].end, True
        elif text in ORDERS and joined and i > 2:
            end, begin, ordered = tokens[i - 1].start, tokens[i].start, False
        else:
            continue
        if _CONDITIONS & set(texts):
            return None
        first = sentence.raw[:end].rstrip(" ,;")
        return _about(first, sentence.raw[begin:].lstrip(" ,"), ordered)
    return None


def leads_there(first: str, second: str) -> bool:
    """Whether the second command, where it goes to a folder, goes to one that the first makes: "make a branch and go to
    it" is no `cd`, and neither is "stop it and go back"."""
    parsed = simples(second)
    if not parsed or parsed[0].program != "cd":
        return True
    goes_to = parsed[0].operands[:1]
    return any(
        (simple.program in _MAKES_FOLDERS or simple.sub == "clone") and goes_to and goes_to[0] in simple.words
        for simple in simples(first)
    )


def _about(first: str, second: str, ordered: bool) -> Steps | None:
    """The steps, what "it" and "the folder" stand for written out."""
    before, facts = read(Sentence.parse(first)), read(Sentence.parse(second))
    tokens = facts.sentence.tokens
    target = False
    for i in reversed(range(len(tokens))):
        word = tokens[i].text.lower()
        if word in _ITS:
            meant, target = _meant(before)
            if not meant:
                return None
            owns = "'s" if word in ("its", "their") else ""
            second = f"{second[: tokens[i].start]}{meant}{owns}{second[tokens[i].end :]}"
        elif (
            i
            and tokens[i - 1].text.lower() in _DETERMINES
            and (i + 1 == len(tokens) or tokens[i + 1].stop)
            and (name := _name_of(before, tokens[i]))
        ):
            second = f"{second[: tokens[i].end]} {name}{second[tokens[i].end :]}"
    return Steps(first, second, ordered, bool(read(Sentence.parse(second)).literals), target)


def _meant(facts: Facts) -> tuple[str, bool]:
    """What "it" stands for behind these facts, and whether it is the one that is made of several."""
    tokens = facts.sentence.tokens
    things = dict.fromkeys((*facts.literals, *facts.roles, *_called(facts)))
    if len(things) == 1:
        return tokens[next(iter(things))].text, False
    targets = [i for i in things if facts.roles.get(i) == "target"]
    return (tokens[targets[0]].text, True) if len(targets) == 1 else ("", False)


def _called(facts: Facts) -> list[int]:
    texts = [token.text.lower() for token in facts.sentence.tokens]
    return [i for i in range(1, len(texts)) if texts[i - 1] in ("called", "named")]


def _name_of(facts: Facts, noun: Token) -> str:
    """The name that stands behind this noun: "photos" in "pack the folder photos into …"."""
    tokens = facts.sentence.tokens
    for i, token in enumerate(tokens[:-1]):
        if token.norm == noun.norm and not tokens[i + 1].stop:
            return tokens[i + 1].text
    return ""
