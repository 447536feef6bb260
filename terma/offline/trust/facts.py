"""What a sentence says, as facts that carry their words: does it ask to look, what is denied or left out, what stands
at which end of a direction, how many steps, which literals. Read once, before any command is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise

from terma import regex as re
from terma.offline.asking import is_question
from terma.offline.intent import ORDERS
from terma.offline.sentence import Sentence
from terma.offline.tokens import Token
from terma.offline.trust.comparisons import negates
from terma.records import dataclass

SOURCE_CUES = frozenset(("from", "off", "out"))
TARGET_CUES = frozenset(("to", "into", "onto", "as"))
PLACED_CUES = frozenset(("in", "on", "under", "at", "inside", "below", "over", "within"))
_BRIDGES = frozenset(
    "the a an my our your this that new file directory folder server host machine user branch stick card drive disk "
    "remote bucket container dir box local existing of name db database image partition path location "
    "called named".split()
)
_CARRIES = frozenset(
    "copy move send upload put push transfer sync mirror backup burn write flash restore fetch download pull save "
    "extract unpack place store dump clone archive pack convert export import load grab get back rsync scp cp mv "
    "throw stick bring take drop deploy ship unzip untar install symlink link rename turn shove dd image stream".split()
)
_LINKS = frozenset(("link", "symlink", "symlinks", "links"))
_POINTS = frozenset("shortcut alias pointer point points pointing".split()) | _LINKS
_LIKENS = frozenset("compared equal identical similar next".split())
_NAMES = frozenset(("called", "named", "as"))
_PLACES_INTO = frozenset(
    "put copy move extract unpack place store save throw stick drop write burn flash restore unzip untar install "
    "load shove send upload".split()
)
_NEGATORS = frozenset(
    "not don't dont never without except excluding exclude excludes ignoring omit besides skipping skip unless "
    "minus neither nor doesn't doesnt didn't isn't isnt aren't arent wasn't hasn't haven't havent no w/o cannot "
    "can't cant won't wont shouldn't ausser außer ohne nicht sans sauf sin excepto menos sem exceto kein keine".split()
)
LEAVES_OUT = frozenset(
    "except excluding exclude excludes ignoring omit besides skipping skip minus ausser außer sauf excepto "
    "exceto".split()
)
_KEEPS = frozenset("keep leave keeping leaving".split())
_KEPT_OUT = 4  # words between "keep" and "out"
_EVERY = frozenset(
    "all everything anything any every each whole entire everyone everybody anyone anybody".split()
)
_GOES_ON = frozenset("only just then keep leave let with without not no in on it i if do don't dont".split())
_CLAUSE = frozenset(("but", "then", "just", "only", "instead", "and", "or", "because", "so"))
_ENDS = re.compile(r"[,;.:!?)](?:\s|$)")
_ARROW = re.compile(r"(?:->|=>|→|-->|(?<![\d<>=-])>(?![\d=>]))")
_ROOT_WORDS = frozenset(
    "root everywhere anywhere system disk drive filesystem machine computer server box host whole entire laptop wurzel "
    "rootfs fs all".split()
)


@dataclass(frozen=True, slots=True)
class Denial:
    """A negation: its word, the tokens that it covers, and whether it `leaves_out` things rather than forbids."""

    at: int
    scope: tuple[int, ...]
    leaves_out: bool


@dataclass(frozen=True, slots=True)
class Facts:
    """Token indices throughout. `roles`: token -> "source" or "target". `verbs`: words that order something, by
    clause. `literals`: tokens that a command must carry in some form. `to_it`: what is to be done to "it" besides."""

    sentence: Sentence
    question: bool
    denials: tuple[Denial, ...]
    roles: dict[int, str]
    literals: tuple[int, ...]
    carries: bool
    steps: int
    to_it: tuple[int, ...]
    root_said: bool
    links: bool  # a link is to be made

    @property
    def denied(self) -> frozenset[int]:
        return frozenset(i for denial in self.denials for i in denial.scope)


def read(sentence: Sentence) -> Facts:
    """The facts of a sentence; never raises on any text."""
    tokens = sentence.tokens
    texts = [token.text.lower().replace("’", "'") for token in tokens]
    literals = tuple(i for i, token in enumerate(tokens) if is_literal(token))
    carries = bool(_CARRIES & ({token.norm for token in tokens if token.kind == "word"} | set(texts)))
    roles = _roles(sentence, texts, literals)
    return Facts(
        sentence,
        is_question(sentence),
        tuple(_denials(sentence, texts)),
        roles | _named_ends(sentence, texts, roles) | _named_links(sentence, texts) if carries else roles,
        literals,
        carries,
        *_steps(sentence, texts),
        bool(_ROOT_WORDS & set(texts)) or any(token.text == "/" for token in tokens),
        _orders_link(texts),
    )


def is_literal(token: Token) -> bool:
    if token.kind != "ident":
        return token.kind not in ("word", "slot")
    return any(c.isdigit() or c in "_:/=" for c in token.text) or (
        "-" in token.text and not all(part.isalpha() for part in token.text.split("-"))
    )


def _denials(sentence: Sentence, texts: list[str]) -> list[Denial]:
    tokens = sentence.tokens
    found = []
    for i, text in enumerate(texts):
        leaves = (
            text in LEAVES_OUT
            or (text in ("but", "other") and texts[i + 1 : i + 2] in (["for"], ["than"], ["not"]))
            or (text == "but" and _but_leaves_out(texts, i))
        )
        if text == "ignore" and texts[i + 1 : i + 2] != ["case"] and "case" not in texts[i + 1 : i + 4]:
            leaves = True
        if not leaves and text not in _NEGATORS:
            continue
        if negates(texts, i) or (text == "no" and texts[i + 1 : i + 2] == ["longer"]):
            continue
        if text == "not" and texts[i + 1 : i + 2] in (["only"], ["just"]):
            continue
        scope: list[int] = []
        for j in range(i + 1, min(len(tokens), i + 8)):
            between = sentence.raw[tokens[j - 1].end : tokens[j].start]
            if scope and (
                (_ENDS.search(between + " ") and between.strip())
                or (texts[j] in _CLAUSE and texts[j] not in ("and", "or"))
            ):
                break
            if texts[j] == "with" and scope and texts[j - 1] in ("and", "but"):
                scope.pop()  # "without a shell and with a home"
                break
            scope.append(j)
        found.append(
            Denial(i, tuple(scope), leaves or text in ("without", "w/o", "ohne", "sans", "sin", "sem"))
        )
    return found + list(_kept_out(texts))


def _kept_out(texts: list[str]) -> Iterator[Denial]:
    """ "Keep uploads out", "leave node_modules out of it"."""
    for i, text in enumerate(texts):
        if text in _KEEPS and (
            found := [j for j in range(i + 2, i + 2 + _KEPT_OUT) if texts[j : j + 1] == ["out"]]
        ):
            yield Denial(i, tuple(range(i + 1, found[0])), True)


def _but_leaves_out(texts: list[str], at: int) -> bool:
    """ "All columns but the first" leaves one out; "all of it, but keep the log" begins another clause."""
    return not _EVERY.isdisjoint(texts[max(0, at - 8) : at]) and not (
        set(texts[at + 1 : at + 2]) & (_GOES_ON | ORDERS)
    )


def _roles(sentence: Sentence, texts: list[str], literals: tuple[int, ...]) -> dict[int, str]:
    """Which end of a direction a literal stands at, by the word or arrow before it."""
    tokens = sentence.tokens
    roles: dict[int, str] = {}
    verbs = {token.norm for token in tokens if token.kind == "word"} | set(texts)
    places = bool(verbs & _PLACES_INTO)
    for i in literals:
        if tokens[i].kind in ("number", "size", "duration", "time", "date", "ordinal", "perm", "flag"):
            continue
        at = i - 1
        gap = sentence.raw[tokens[at].end : tokens[i].start] if at >= 0 else ""
        if at >= 0 and _ARROW.search(gap):
            links = not _LINKS.isdisjoint(texts)  # an arrow behind a link's name is what `ls -l` shows
            roles[i] = "source" if links else "target"
            if at in literals:
                roles.setdefault(at, "target" if links else "source")
            continue
        while (
            at >= 0
            and i - at < 5
            and (texts[at] in _BRIDGES or tokens[at].norm in _BRIDGES)
            and texts[at] != "as"
        ):
            at -= 1
        if at < 0:
            continue
        cue = texts[at]
        if at and texts[at - 1] in _LIKENS:
            continue
        if at and cue in ("to", "at") and texts[at - 1] in _POINTS:
            roles[i] = "source"  # "a link to X" is made from X
            continue
        if (
            tokens[at].norm in ("save", "write")
            and tokens[i].kind == "file"
            and any(j < at for j in literals)
        ):
            roles[i] = "target"
        elif cue in SOURCE_CUES:
            roles[i] = "source"
        elif cue in TARGET_CUES or (
            cue in PLACED_CUES
            and places
            and any(j < i for j in literals if j not in roles or roles[j] == "source")
        ):
            roles[i] = "target"
    return roles | _joined_to(sentence, literals, roles)


def _joined_to(sentence: Sentence, literals: tuple[int, ...], roles: Mapping[int, str]) -> dict[int, str]:
    """What stands at the same end as the one before it: "from a.jpg and b.jpg", "from a, b and c"."""
    tokens = sentence.tokens
    found: dict[int, str] = {}
    for before, i in pairwise(literals):
        role = found.get(before) or roles.get(before)
        between = sentence.raw[tokens[before].end : tokens[i].start].strip().lower()
        if role and i not in roles and tokens[i].kind == tokens[before].kind and between in _AND:
            found[i] = role
    return found


_AND = frozenset(("and", "&", ",", ", and", "plus"))
_ENDS_OUT = frozenset(
    ("out", "off", "in", "on", "up", "down")
)  # "unpack it into out": what ends there is a name
_ENDS_AT = frozenset(
    "directory folder server host machine user branch stick card drive disk bucket container".split()
)


def _named_ends(sentence: Sentence, texts: list[str], roles: Mapping[int, str]) -> dict[int, str]:
    """Ends of a direction that are ordinary words: "to the triage folder", "from backup into live"."""
    tokens = sentence.tokens
    found: dict[int, str] = {}
    for i, token in enumerate(tokens):
        if i in roles or is_literal(token) or texts[i] in _BRIDGES or token.norm in _BRIDGES:
            continue
        if token.stop and not (
            i + 1 == len(tokens) and texts[i - 1 : i] in (["into"], ["to"]) and token.text in _ENDS_OUT
        ):
            continue
        at = i - 1
        while at >= 0 and i - at < 4 and (texts[at] in _BRIDGES or tokens[at].norm in _BRIDGES):
            at -= 1
        cue = texts[at] if at >= 0 else ""
        noun = i + 1 < len(tokens) and texts[i + 1] in _ENDS_AT
        if cue == "from" or (cue in ("to", "into", "onto") and (noun or cue != "to" or i + 1 == len(tokens))):
            found[i] = "source" if cue == "from" else "target"
    return found


def _orders_link(texts: list[str]) -> bool:
    first = next((text for text in texts if text not in ("please", "can", "could", "you", "i", "to")), "")
    return first in ("link", "symlink") or (
        first in ("make", "create", "add", "put", "set") and bool(_LINKS & set(texts[1:6]))
    )


def _named_links(sentence: Sentence, texts: list[str]) -> dict[int, str]:
    """The name of a link is what is made: "a link called current", "symlink X as latest", "(a) link NAME to X"."""
    if not _LINKS & set(texts):
        return {}
    found = {
        i: "target"
        for i, token in enumerate(sentence.tokens)
        if i and texts[i - 1] in _NAMES and not token.stop
    }
    for i, text in enumerate(texts):
        if text in _LINKS and texts[i + 2 : i + 3] == ["to"] and texts[max(i - 1, 0)] != "to":
            found |= {i + 1: "target", i + 3: "source"}
    return {i: role for i, role in found.items() if i < len(texts)}


_BEGINS_ANOTHER = frozenset("keep continue begin start".split())
_IT = frozenset(("it", "them"))
_THE = frozenset("the my its their all".split())
# What is called something, or is let be; and what is no verb.
_NO_STEP = frozenset("call name label title keep leave only just also even".split())


def _steps(sentence: Sentence, texts: list[str]) -> tuple[int, tuple[int, ...]]:
    """How many things are ordered: a plain verb right behind `and`, `then` or "after that" starts another, and so does
    one that is to be gone on with ("and keep following"). And which tokens are what else is to be done to "it": such a
    word is a verb, known or not ("and rinse it")."""
    tokens = sentence.tokens
    steps, to_it = 1, []
    for i in range(2, len(tokens)):
        behind = texts[i + 1] if i + 1 < len(tokens) else ""
        later = texts[i - 1] in ("then", "afterwards") or texts[i - 2 : i] == ["after", "that"]
        if tokens[i].kind != "word" or not (later or (texts[i - 1] in ("and", "&") and behind)):
            continue
        goes_on = texts[i] in _BEGINS_ANOTHER and any(token.norm in ORDERS for token in tokens[i + 1 : i + 2])
        if texts[i] in ORDERS or goes_on:
            steps += 1
            continue
        verb = (behind in _IT or behind in _THE) and not tokens[i].stop and texts[i] not in _NO_STEP
        if verb and not sentence.raw[tokens[i].end : tokens[i + 1].start].strip():
            to_it.append(i)
    return steps, tuple(to_it)
