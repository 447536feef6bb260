"""What a program that no row knows says of itself: the verb among its first words, and what that verb is done to.

`frobctl cluster delete west`, `frob db:drop`, `frob remove-user bob --force`: tools are more than a table can hold, but
their words are the language's. The first verb decides; one that looks or makes ends the search.
"""

from __future__ import annotations

from collections.abc import Iterable

from terma import regex as re
from terma.risk.model import Call, Finding, Findings
from terma.risk.rules.lexicon import (
    ENDS_THE_SEARCH,
    FLAGS,
    LOOKS,
    OF_WEIGHT,
    RUNS_ALONE,
    SECRET_NOUNS,
    SETS_UP,
    SHOWS,
    SWEEPS,
    VERBS,
    Verb,
)
from terma.risk.rules.verb_words import PIECES, WORD, first_words, glued, of_options, pieces_of, verb_in

_WEIGHTY_TOOL = re.compile(
    r".*ctl|.*(?:admin|kube|cloud|cluster|db|vm|registry|docker|azure|aws|s3|oci)(?!a).*"
)
_CONTROLS = re.compile(r".*ctl|.*-?adm(?:in)?|.*-console|.*vtysh")
_SECRET_NAME = re.compile(r"[/_.](?:password|passwd|secret|token|private-?key|api-?key)s?$", re.I)
_RIGHTS = {
    "token",
    "role",
    "roles",
    "policy",
    "acl",
    "permission",
    "permissions",
    "collaborator",
    "member",
    "members",
    "mem",
    "group",
}
_RIGHTS |= {"admin", "privilege", "privileges", "access-key", "apikey", "api-key", "user", "principal", "scc"}
_GIVES = {"create", "add", "attach", "set", "assign", "bind", "bootstrap", "update", "put", "new"}
_ADDED = {"plugin", "plugins", "extension", "extensions", "addon", "addons", "tap", "krew"}
_TAKES_IN = {"install", "add", "tap"}
_POWER = {"off", "cycle", "reset", "soft", "down"}
_MIGHTY = re.compile(
    r"(?:[\w-]*[=:])?(?:[\w -]*admin\w*|owner|root|superuser|all|everyone|allUsers|public|\*)", re.I
)
_MODES = {
    "offline",
    "down",
    "empty",
    "clear",
    "disable",
    "pause",
}  # alone they tell a mode of the tool itself
_ELSEWHERE = re.compile(r"[\w-]+(?:\.[\w-]+)+(?::\d+)?/\S+|\S+@sha\d+:\S+")  # a thing at a registry or a host
_DEEPEST = 4  # `tool noun noun verb`
_MAKES = {"set", "edit", "update", "use", "put"}  # what comes last may still say what is done
_NAMED = ("delete", "remove", "destroy", "purge", "wipe", "erase")
_MILD = ("changes", "leaks", "grants")  # `frob deploy status`: another word says that it looks
# With these a tool that controls something changes it, though nothing is lost.
_CHANGES = frozenset(
    "set update modify change alter put replace configure conf load reload rename edit patch join assign renew rotate "
    "rekey attach import merge move force override sync".split()
)


def told(call: Call, operands: list[str], known: bool) -> Findings:
    """What `operands` (without the values of known options) and the options of `call` say that it does. `known`: rows
    tell what else the program does, and what it deploys is among them."""
    yield from _by_flags(call)
    own, every = first_words(call, operands)
    lowered = [text.lower() for text in dict.fromkeys([*own[:_DEEPEST], *every[:_DEEPEST]])]
    yield from _pairs(lowered, call, known)
    if {"cache", "caches", "rewrite"} & {
        piece for text in lowered for piece in pieces_of(text)
    }:  # it fills again
        return
    for words in (own, every):  # what stands behind an option may be its value
        found, ended = _search(words[:_DEEPEST], call, operands, known)
        if found is not None:
            yield found
        if ended:
            return
    yield from _at_the_end(call, operands)


def _search(words: list[str], call: Call, operands: list[str], known: bool) -> tuple[Finding | None, bool]:
    """What the first verb among `words` does, and whether one was found that ends the search."""
    for at, text in enumerate(words):
        low = text.lower()
        verb = VERBS.get(named := verb_in(text, VERBS, OF_WEIGHT)[0])
        if verb is not None and low in _MODES and len(operands) == 1 and not SWEEPS & call.flags():
            return None, True
        if (
            verb is not None
            and verb.kind in _MILD
            and {text.lower() for text in words[at + 1 : at + 2]} & LOOKS
        ):
            return None, True
        if verb is not None and (verb.kind != "changes" or not known):
            thing = verb_in(text, VERBS, OF_WEIGHT)[1]
            before = [*(one.lower() for one in words[:at]), *pieces_of(text), thing]
            return _weighed(verb, call, operands, before, text), True
        if _CONTROLS.fullmatch(call.name) and pieces_of(text)[0] in _CHANGES and not known:
            return Finding("medium", "changes what it controls, by its own words", "changes"), True
        if low in ENDS_THE_SEARCH or (known and named):
            return None, low not in _MAKES
    return None, False


def _at_the_end(call: Call, operands: list[str]) -> Findings:
    """`frob zone example.org peer 4 remove`: the verb behind what it is done to."""
    last = operands[-1] if len(operands) > 1 and WORD.fullmatch(operands[0]) else ""
    verb = VERBS.get(last)
    if verb is not None and verb.alone != "low" and verb.kind in ("deletes", "stops"):
        yield _weighed(verb, call, operands[-1:], (text.lower() for text in operands[:-1]), last)


def _weighed(verb: Verb, call: Call, operands: list[str], before: Iterable[str], said: str) -> Finding:
    after = operands[operands.index(said) + 1 :]
    weighty = bool(
        OF_WEIGHT & {*before}
        or OF_WEIGHT & {piece.lower() for text in after[:1] for piece in PIECES.split(text)}
        or "*" in after
        or _WEIGHTY_TOOL.fullmatch(call.name)
        or any("://" in text for text in after)
        or call.bulk
        or SWEEPS & call.flags()
        or call.words[-1].text == "-f"
        or any(map(_ELSEWHERE.fullmatch, after))
        or any(word.programs or word.globs for word in call.args)
    )
    if verb.kind == "grants":
        weighty = weighty or any(_MIGHTY.fullmatch(word.text.lstrip("-")) for word in call.args)
    return Finding(verb.weighty if weighty else verb.alone, f"{verb.reason}, by its own words", verb.kind)


def _by_flags(call: Call) -> Findings:
    for flag in sorted(call.flags() & FLAGS.keys()):
        kind, level, reason = FLAGS[flag]
        yield Finding(level, reason, kind)
    yield from of_options([word.text for word in call.args], OF_WEIGHT)


def of_name(name: str) -> Verb | None:
    """The verb that loses or ends something in the name of a program of several words: `frob-remove-user`."""
    pieces = pieces_of(name)
    if "_" in name:  # a function of the line's own, as often as not
        return None
    if len(pieces) > 1 and LOOKS & {*pieces}:
        return None
    said = [piece for piece in pieces if piece in VERBS] if len(pieces) > 1 else []
    said += [verb for verb in _NAMED if name.endswith(verb) and name != verb]
    found = (VERBS[text] for text in said)
    return next((verb for verb in found if verb.kind == "deletes" and verb.alone != "low"), None)


def only_looks(operands: list[str]) -> bool:
    """Whether the first verb among `operands` is one that looks: `frob status`, `frob device list`."""
    for text in operands[:_DEEPEST]:
        pieces = PIECES.split(text.lower())
        if pieces[0] in LOOKS or pieces[-1] in LOOKS or {"list", "show"} & {*pieces}:
            return True
        if not WORD.fullmatch(text) or pieces[0] in ENDS_THE_SEARCH or verb_in(text, VERBS, OF_WEIGHT)[0]:
            return False
    return False


def _pairs(words: list[str], call: Call, known: bool) -> Findings:
    """Two words that mean something together: `service install`, `secrets get`, `role add`, `power off`."""
    here = {
        *words,
        *(piece for word in words for piece in (*PIECES.split(word), *glued(word, _GIVES, _RIGHTS))),
    }
    if here & RUNS_ALONE and here & SETS_UP:
        yield Finding("medium", "starts a program by itself from now on", "persists")
    if (
        not known
        and here & SHOWS
        and (here & SECRET_NOUNS or any(_SECRET_NAME.search(word.text) for word in call.args))
    ):
        yield Finding("medium", "shows a key or a password", "leaks")
    if here & _ADDED and here & _TAKES_IN:
        yield Finding("medium", "takes code of others into the program", "runs-unknown-code")
    if here & {"password", "passwd", "passphrase", "pin"} and here & _CHANGES:
        yield Finding("medium", "changes a password", "grants")
    if here & _RIGHTS and here & _GIVES:
        mighty = any(_MIGHTY.fullmatch(word.text.lstrip("-")) for word in call.args)
        yield Finding("high" if mighty else "medium", "gives rights, by its own words", "grants")
    if here & {"power", "chassis"} and here & _POWER:
        yield Finding("high", "shuts down or restarts", "stops")
