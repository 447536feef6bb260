"""What turns a command round: the opposite of a word that was said, the other end of a filter, a change that nobody
ordered."""

from __future__ import annotations

from itertools import pairwise

from terma import regex as re
from terma.offline.draft import Context
from terma.offline.intent import CHANGE, ORDERS
from terma.offline.lemma import norm
from terma.offline.opposites import OPPOSITES
from terma.offline.trust.command import Simple, effect, simples
from terma.offline.trust.facts import Facts

_FILTERS = frozenset(("tcpdump", "tshark", "iptables", "ip6tables"))
_AT_SOURCE = frozenset("src ip.src ipv6.src -s --source --src".split())
_AT_TARGET = frozenset("dst ip.dst ipv6.dst -d --destination --dst".split())
_HOSTS = frozenset(("ip", "domain", "userhost", "ident"))
_LINKED = frozenset(("that", "which", "who", "whose", "where"))
_PARTS = re.compile(r"[A-Za-z][A-Za-z-]*")


def opposite(facts: Facts, command: str, _: Context) -> bool:
    """No word of the command's own is the opposite of what was said: "bring it down" is not `set … up`."""
    tokens = facts.sentence.tokens
    denied = facts.denied
    said = {token.norm for token in tokens if token.kind == "word"}
    texts = {token.text.lower() for token in tokens}
    locks = _locks([token.text.lower() for token in tokens])
    own = {
        norm(word.lstrip("-"))
        for simple in simples(command)
        for word in (simple.sub, *simple.operands, *_long_options(simple))
        if word.isalpha() and word.lower() not in texts
    }
    return not any(
        not (against := OPPOSITES.get(token.norm, frozenset())).isdisjoint(own)
        and against.isdisjoint(said)
        and token.norm not in own
        for i, token in enumerate(tokens)
        if token.kind == "word" and i not in denied
    ) and not (locks and not own.isdisjoint(OPPOSITES["encrypt"] | OPPOSITES["protect"]))


def _locks(texts: list[str]) -> bool:
    """ "Put a password on it": that is to encrypt."""
    at = texts.index("password") if "password" in texts else 0
    return texts[at + 1 : at + 2] in (["on"], ["to"]) and not {"put", "add", "set"}.isdisjoint(texts[:at])


def _long_options(simple: Simple) -> list[str]:
    """Those that are verbs: `--decrypt`, but not `--staged`, which says what is worked on."""
    words = [option[2:] for option in simple.options if option[:2] == "--"]
    return [word for word in words if norm(word) == word]


_AWAY = {"in": "out", "out": "in", "on": "off", "off": "on", "up": "down", "down": "up"}


def particle(facts: Facts, command: str, _: Context) -> bool:
    """Who wants to log out does not `login`: a verb and its particle, written in one, are not turned round."""
    texts = [token.text.lower() for token in facts.sentence.tokens]
    said = {"".join(pair) for pair in pairwise(texts)} | set(texts)
    return not any(
        word.endswith(end) and word not in said and word.removesuffix(end) + away in said
        for simple in simples(command)
        for word in (simple.program, simple.sub)
        for end, away in _AWAY.items()
        if len(word) > len(end)
    )


_ON = frozenset("enable activate allow permit".split())
_OFF = frozenset("disable deactivate forbid deny prohibit".split())
_SWITCHES = frozenset(
    "switch turn power flip put bring set".split()
)  # with a particle: "switch eth1 on", "turn off"
_RUNS = frozenset("on up start enable activate poweron".split())
_ENDS_IT = frozenset("off down stop disable deactivate shutdown poweroff halt".split())
# A number is a switch in a setting (`net.ipv4.ip_forward=1`), not in an option (`--strip-components=1`).
_SETS = re.compile(
    r"-{0,2}[A-Za-z][\w./-]*=(?:(true|yes|on)|(false|no|off))\Z|[A-Za-z][\w./-]*=(?:(1)|(0))\Z", re.I
)


def switched(facts: Facts, command: str, _: Context) -> bool:
    """What is to be on is not set to 0, false or no, and not put down or stopped; nor the other way round."""
    tokens = facts.sentence.tokens
    on, off = _wanted(facts)
    if on == off or facts.denials:
        return True
    named = {token.text.lower() for token in tokens}
    against = _ENDS_IT if on else _RUNS
    return not any(
        word.lower() not in named
        and (
            ((match := _SETS.match(word)) and bool(match[1] or match[3]) != on)
            or word.lstrip("-").lower() in against
        )
        for simple in simples(command)
        for word in simple.words[1:]
    )


def _wanted(facts: Facts) -> tuple[bool, bool]:
    """Whether something is to be on, and whether something is to be off: by a verb, or by a particle that belongs to
    one. Elsewhere "on" says where."""
    tokens = facts.sentence.tokens
    texts = [token.text.lower() for token in tokens]
    said = {token.norm for i, token in enumerate(tokens) if i not in facts.denied}
    particles = {
        text
        for i, text in enumerate(texts)
        if text in ("on", "off")
        and i not in facts.denied
        and not _SWITCHES.isdisjoint({token.norm for token in tokens[:i]} | set(texts[:i]))
        and (texts[i - 1] in _SWITCHES or i + 1 == len(texts))
    }
    return bool(said & _ON) or "on" in particles, bool(said & _OFF) or "off" in particles


_CONVERTS = re.compile(r"([a-z]{2,})2([a-z]{2,})")
_CALLED = {"dos": frozenset(("dos", "windows", "crlf")), "unix": frozenset(("unix", "linux", "lf"))}


def converted(facts: Facts, command: str, _: Context) -> bool:
    """A program that is named for what it makes of what (`dos2unix`) is not run the wrong way round."""
    texts = [token.text.lower().strip(".") for token in facts.sentence.tokens]
    for simple in simples(command):
        match = _CONVERTS.fullmatch(simple.program)
        if match is None or simple.program in texts:
            continue
        first, second = (_CALLED.get(name, frozenset((name,))) for name in match.groups())
        into = next((i for i, text in enumerate(texts) if text in ("to", "into", "as")), len(texts))
        if not first.isdisjoint(texts[into + 1 :]) and second.isdisjoint(texts[into + 1 :]):
            return False
    return True


_FROM_TO = re.compile(r"--([a-z]{2,})to([a-z]{2,})")
_SHORTENED = 3  # letters of a word that stand for it


def from_to(facts: Facts, command: str, _: Context) -> bool:
    """An option that is named for what it makes of what (`--systohc`) does not take from what is to be made."""
    texts = [token.text.lower() for token in facts.sentence.tokens]
    for simple in simples(command):
        for match in filter(None, map(_FROM_TO.fullmatch, simple.options)):
            source, target = (_called_so(texts, name) for name in match.groups())
            if any(_cue(texts, at) == "from" for at in target) or any(
                _cue(texts, at) == "to" for at in source
            ):
                return False
    return True


def _called_so(texts: list[str], name: str) -> list[int]:
    """Where words stand that this is short for: a word, its beginning, or the first letters of several."""
    initials = (
        i
        for i in range(len(texts) - len(name) + 1)
        if "".join(text[:1] for text in texts[i : i + len(name)]) == name
    )
    begun = (i for i, text in enumerate(texts) if len(name) >= _SHORTENED and text.startswith(name))
    return [*initials, *begun]


def _cue(texts: list[str], at: int) -> str:
    while at > 0 and texts[at - 1] in ("the", "my", "this"):
        at -= 1
    return {"into": "to", "onto": "to"}.get(texts[at - 1], texts[at - 1]) if at else ""


_COPIES = frozenset("copy duplicate clone backup".split())
_MOVES = frozenset("move rename mv replace swap".split())


def kept(facts: Facts, command: str, _: Context) -> bool:
    """Who wants a copy keeps what it is made of."""
    said = {token.norm for i, token in enumerate(facts.sentence.tokens) if i not in facts.denied}
    return (
        said.isdisjoint(_COPIES)
        or not said.isdisjoint(_MOVES)
        or all(simple.program != "mv" for simple in simples(command))
    )


def filtered(facts: Facts, command: str, _: Context) -> bool:
    """What comes from a host and what goes to it are told apart by the program that filters."""
    tokens = facts.sentence.tokens
    for simple in simples(command):
        if simple.program not in _FILTERS:
            continue
        words = _filter_words(simple)
        for i, token in enumerate(tokens):
            end = _end(facts, i)
            if not end or token.kind not in _HOSTS or token.value not in words:
                continue
            before = words[max(0, words.index(token.value) - 3) : words.index(token.value)]
            named = [word for word in before if word in _AT_SOURCE | _AT_TARGET]
            wanted = _AT_SOURCE if end == "source" else _AT_TARGET
            if not named or named[-1] not in wanted:
                return False
    return True


def _filter_words(simple: Simple) -> list[str]:
    return [part for word in simple.words for part in word.split()]


def _end(facts: Facts, i: int) -> str:
    """`from host X` or `to X`, whether or not the sentence carries anything."""
    tokens = facts.sentence.tokens
    at = i - 1
    while at >= 0 and tokens[at].text.lower() in ("host", "the", "ip", "address", "server", "machine"):
        at -= 1
    return {"from": "source", "to": "target"}.get(tokens[at].text.lower(), "") if at >= 0 else ""


def ordered(facts: Facts, command: str, _: Context) -> bool:
    """Things that are described ("routes that use X") are not changed: somebody has to order it."""
    if effect(command) == "look":
        return True
    tokens = facts.sentence.tokens
    at = next((i for i, token in enumerate(tokens) if token.text.lower() in _LINKED), -1)
    if at < 1 or not tokens[at - 1].text.lower().endswith("s"):
        return True
    ahead = {form for token in tokens[:at] for form in (token.norm, token.text.lower())}
    behind = {
        tokens[i].norm for i in range(at + 1, len(tokens)) if tokens[i - 1].text.lower() in ("and", "then")
    }
    ordering = CHANGE | ORDERS
    programs = {name for simple in simples(command) for name in (simple.program,)}
    return bool((ahead | behind) & ordering or ahead & programs)
