"""A finished command held against the facts of the sentence: what breaks one of these is never inserted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise

from terma import regex as re
from terma.offline.bare_word import FUNCTION
from terma.offline.draft import UNHEARD, Context, Heard
from terma.offline.intent import CHANGE
from terma.offline.lexicon import LIGHT, STOP
from terma.offline.trust import (
    affixes,
    alone,
    archived,
    bounds,
    carried,
    companions,
    compared,
    dated,
    denied_twice,
    direction,
    evaluated,
    exclusion,
    far_places,
    files_or_folders,
    folders,
    invented,
    iterated,
    kept_lines,
    mapped,
    modes,
    orders,
    parts_of_files,
    previewed,
    prose,
    rotated,
    running,
    sorted_ends,
    spared,
    standing,
    told,
    translated,
    turned,
    undone,
    users,
)
from terma.offline.trust.absent import absent
from terma.offline.trust.answering import only_looks
from terma.offline.trust.association import Association
from terma.offline.trust.command import effect, simples
from terma.offline.trust.facts import Facts
from terma.offline.trust.lacking import drops
from terma.offline.trust.ordinary import misread
from terma.offline.trust.overwritten import overwrites
from terma.offline.trust.packages import from_its_registry, named

Check = Callable[[Facts, str, Context], bool]


def broken(
    facts: Facts, command: str, context: Context, table: Association, heard: Heard = UNHEARD
) -> tuple[str, ...]:
    """Names of the facts that the command breaks; () when it may stand. `heard`: what somebody who said the same was
    answered by this very command, and is not judged by rules: a name that is part of it, a "no", a question."""
    parsed = simples(command)
    if not parsed:
        return ("unread",)
    found = [name for name, check in _CHECKS.items() if not check(facts, command, context)]
    own = replace(facts, literals=tuple(i for i in facts.literals if i not in heard.words))
    if not carried.literals(own, command, context):
        found.append("literals")
    if (
        facts.question and not heard.asks and not only_looks(facts, command, table)
    ):  # a question is answered by looking
        found.append("looks")
    denied = replace(facts, denials=tuple(one for one in facts.denials if one.at not in heard.denials))
    if not (exclusion.keeps(denied, command, table) and denied_twice.stays(facts, command, table)):
        found.append("denials")
    if not (companions.both(facts, command, table) and companions.behind_its_option(facts, command, table)):
        found.append("beside")
    if not alone.not_left_out(facts, command, table):
        found.append("alone")
    if not (previewed.shown(facts, command, table) and previewed.shown_first(facts, command, table)):
        found.append("shown")
    if not orders.done(facts, command, table, heard.words):
        found.append("steps")
    if misread(facts, command, context, table, heard.words):
        found.append("ordinary")
    if absent(facts, command):
        found.append("absent")
    if drops(facts, command, table):
        found.append("dropped")
    if overwrites(command):
        found.append("overwritten")
    return tuple(found)


def _links(facts: Facts, command: str, _: Context) -> bool:
    """Who orders a link gets one: a list of links, or a file written over, is no answer."""
    return not facts.links or any(
        simple.program in ("ln", "cp", "stow", "update-alternatives") or simple.sub in ("link", "symlink")
        for simple in simples(command)
    )


_SWITCHES = frozenset(
    "up down on off via in out make command to from at as".split()
)  # words of programs, too
_CALLED = frozenset(("called", "named", "name", "word", "string", "text", "saying"))


def _function_words(facts: Facts, command: str, context: Context) -> bool:
    """No `no`, `only`, `all` as the name of something, unless it is said to be one, or there is one."""
    tokens = facts.sentence.tokens
    operands = {word for simple in simples(command) for word in (*simple.operands, *simple.writes)}
    quoted = {token.text for token in tokens if token.kind == "quoted"}
    return not any(
        token.kind == "word"
        and token.text in operands
        and token.text not in quoted
        and (token.norm in STOP or token.text.lower() in FUNCTION)
        and token.norm not in LIGHT
        and token.text not in _SWITCHES
        and not (i and tokens[i - 1].text.lower() in _CALLED)
        and context.names().get(token.text) is None
        for i, token in enumerate(tokens)
    )


def _one_root(facts: Facts, command: str, _: Context) -> bool:
    """`/` is a place to work in only where the sentence says so."""
    for simple in simples(command):
        if "/" in simple.operands and simple.program not in ("awk", "sed", "tr", "cut", "ssh", "tar", "curl"):
            if not facts.root_said and "/" not in facts.sentence.raw.split():
                return False
            named = [w for w in simple.operands if w.startswith(("/", "~", "./")) and w != "/"]
            if named and not any(token.text == "/" for token in facts.sentence.tokens):
                return False
    return True


def _addressed(facts: Facts, _: str, __: Context) -> bool:
    """ "How are you" asks who is spoken to about themselves; "how do you list files" asks how one does it."""
    texts = [token.text.lower() for token in facts.sentence.tokens]
    return not any(pair in (("are", "you"), ("were", "you")) for pair in pairwise(texts))


_MANY = re.compile(r"(?:est|most|top|newest|oldest)\Z")


def _plural(facts: Facts, command: str, _: Context) -> bool:
    """ "The biggest files" are more than one."""
    if not _ONE.search(command):
        return True
    texts = [token.text.lower() for token in facts.sentence.tokens]
    return not any(
        _MANY.search(here) and after.endswith("s") and not after.endswith("ss")
        for here, after in pairwise(texts)
    )


_ONE = re.compile(r"(?:head|tail) (?:-n ?)?-?1\b(?!\d)")


_ACTS = frozenset("copy move rename install uninstall restart".split())


def _acts(facts: Facts, command: str, _: Context) -> bool:
    """Who orders a change is not answered by looking."""
    first = next((token for token in facts.sentence.tokens if not token.stop), None)
    orders = first is not None and first.kind == "word" and first.norm in _ACTS
    if facts.question or not (orders or _wished(facts)):
        return True
    return effect(command) != "look" or facts.denials != ()


_STATES = frozenset("on off up down".split())


def _wished(facts: Facts) -> bool:
    """ "The firewall should be on", "all of it should belong to ann": a change is ordered."""
    tokens = facts.sentence.tokens
    for i, token in enumerate(tokens[:-1]):
        if token.text.lower() == "should":
            verb = tokens[min(i + 1 + (tokens[i + 1].text.lower() == "be"), len(tokens) - 1)]
            return verb.norm in CHANGE or verb.text.lower() in _STATES | {"belong"}
    return False


def _suffixes(facts: Facts, command: str, _: Context) -> bool:
    """Files that end in `.o` are no file named `.o`."""
    said = {token.value for token in facts.sentence.tokens if token.kind == "ext"}
    said |= {
        token.text.strip(".")
        for token in facts.sentence.tokens
        if token.text.startswith(".") and token.kind == "file"
    }
    for simple in simples(command):
        for option, value in pairwise(simple.words):
            if option in ("-name", "-iname", "--include") and value[:1] == "." and value[1:] in said:
                return bool(
                    {"named", "called", "name"} & {token.text.lower() for token in facts.sentence.tokens}
                )
    return True


_CHECKS: dict[str, Check] = {
    "archived": archived.as_named, "no archive": archived.is_one, "rehearsed": previewed.asked_for,
    "apart": carried.apart, "once": carried.once,
    "end": kept_lines.right_end,
    "invented": invented.absent, "elsewhere": invented.elsewhere,
    "fields": invented.fields, "direction": direction.direction, "into": direction.into, "likened": direction.likened,
    "root": _one_root,
    "prose": prose.prose, "plural": _plural, "links": _links,
    "points": standing.points, "made": standing.made, "acts": _acts, "written": direction.written,
    "words": _function_words,
    "suffixes": _suffixes, "weighed": folders.weighed, "whole": folders.taken_whole,
    "folders alone": folders.folders_alone, "no file": folders.read_as_files,
    "left out": exclusion.asked_for, "not enough": exclusion.more_than,
    "from to": turned.from_to, "turned": turned.opposite, "undone": undone.undone, "particle": turned.particle,
    "filtered": turned.filtered,
    "compared": compared.in_order, "translated": translated.in_place, "marks": translated.by_their_sign,
    "bounds": bounds.kept,
    "inclusive": bounds.inclusive,
    "open end": bounds.open_ended, "right end": bounds.right_end, "user": users.called_so, "each": iterated.goes_over,
    "ordered": turned.ordered,
    "switched": turned.switched, "kept": turned.kept, "spared": spared.spared,
    "let go": spared.let_go, "told": told.only_told, "rotated": rotated.rotated,
    "running": running.running, "mapped": mapped.mapped, "dated": dated.month_as_named,
    "a time": dated.a_time, "affixes": affixes.said,
    "kinds": files_or_folders.of_that_kind, "as text": files_or_folders.as_text,
    "hosts": far_places.on_hosts,
    "granted": modes.granted, "left as": modes.left_as,
    "converted": turned.converted, "evaluated": evaluated.in_whole_numbers,
    "addressed": _addressed,
    "first end": sorted_ends.right_end_first, "between": sorted_ends.all_between,
    "parts": parts_of_files.not_the_files, "one name": parts_of_files.to_one_name,
    "registry": from_its_registry,
    "packages": lambda facts, command, _: named(facts, command),
}  # fmt: skip
