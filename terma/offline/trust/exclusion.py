"""What a sentence denies is not done: an order that is denied has no answer, and what is left out is left out by a sign
of exclusion, an option or an operator. Which signs leave something out is learned (training/exclusion)."""

from __future__ import annotations

from collections.abc import Container, Iterator
from itertools import pairwise
from typing import Protocol

from terma import regex as re
from terma.offline.intent import CHANGE, ORDERS
from terma.offline.lemma import lemma
from terma.offline.tokens import Token
from terma.offline.trust.command import Simple, effect, simples
from terma.offline.trust.facts import LEAVES_OUT, Denial, Facts

_OPERATOR = re.compile(r"[!=]=\s*(?:\"\"|'')|[!<>=~]=?|\[\^|\$!|[-+^]|\b[A-Za-z]{2,}\b")
_NEGATED = frozenset(("not", "except"))
_PLACE = re.compile(r"[-+]?\d+[\d,.$-]*[a-z]?")
_DIGITS = re.compile(r"\d+")
_PLAIN = re.compile(r"[\w./-]+")


class Table(Protocol):
    """What was learned: the signs that leave something out."""

    @property
    def excludes(self) -> Container[str]: ...


def signs(command: str) -> Iterator[tuple[str, frozenset[str]]]:
    """(word, its signs) for each word behind a program: "tar --exclude", "-exclude" (a part of any long option),
    "find ~!" and "~!" (an operator), "tail -n +0" (a count behind an option, its digits as one 0)."""
    for simple in simples(command):
        yield from _of(simple)


def _of(simple: Simple) -> Iterator[tuple[str, frozenset[str]]]:
    name = f"{simple.program} {simple.sub}".strip()
    before = ""
    for word in simple.words[1:]:
        option, parts, value = _split(word, simple)
        found = {f"{name} {part}" for part in parts}
        if option.startswith("--"):
            found.update(f"-{part}" for part in option.strip("-").split("-") if part)
        if value and value != simple.sub:
            if _PLACE.fullmatch(value):
                found.add(f"{name} {option or before} {_DIGITS.sub('0', value)}")
            if not _PLAIN.fullmatch(value) or value.lower() in _NEGATED:
                for operator in _OPERATOR.findall(value):
                    if not operator.isalpha() or operator.lower() in _NEGATED:
                        written = re.sub(r"\s", "", operator.lower())
                        found |= {f"{name} ~{written}", f"~{written}"}
        before = "" if value else option
        yield word, frozenset(found)


def _split(word: str, simple: Simple) -> tuple[str, list[str], str]:
    """(the option that a value may follow, all options, the value) of a word: `-f2-` is `-f` with `2-`."""
    if word[:1] not in ("-", "+") or len(word) < 2 or word[1].isdigit():
        return "", [], word
    name, _, value = word.partition("=")
    if name in simple.options:
        return name, [name], value
    letters = [f"-{letter}" for letter in word[1:]]
    if all(letter in simple.options for letter in letters):
        return letters[-1], letters, ""
    return (word[:2], [word[:2]], word[2:]) if word[:2] in simple.options else ("", [], word)


def keeps(facts: Facts, command: str, table: Table) -> bool:
    """Whether the command does nothing that is denied, and leaves out what is to be left out."""
    for denial in facts.denials:
        words = [facts.sentence.tokens[i] for i in denial.scope]
        if not words or _forbids_all(facts, denial):
            return False
        if _is_act(words[0]) and effect(command) == "look":
            continue  # who only looks does not do it anyway
        if _is_act(words[0]) and not denial.leaves_out and _only_that_changes(facts):
            return False
        if any(_is_searched(facts, i, command) for i in denial.scope):
            return False
        if _done(words, command) or not any(_excludes(found, table) for _, found in signs(command)):
            return False
        if denial.leaves_out and not _left_out(facts, denial.scope, command, table):
            return False
    return True


_LEAVES = frozenset("skip leave leaves leaving left keep keeping excluded exept but".split())


def asked_for(facts: Facts, command: str, _: object) -> bool:
    """Whether nothing that the sentence names is left out where it leaves nothing out: "the size of .git" is no
    `--exclude=.git`."""
    if facts.denials or not _LEAVES.isdisjoint(
        form for token in facts.sentence.tokens for form in (token.text.lower(), token.norm)
    ):
        return True
    named = {token.value.strip("*/.").lower() for token in facts.sentence.tokens if not token.stop}
    return not any(
        _leaves(option) and (value or behind).strip("*/.").lower() in named
        for simple in simples(command)
        for word, behind in zip(simple.words, (*simple.words[1:], ""), strict=True)
        for option, _, value in (word.partition("="),)
        if option.startswith("-")
    )


def more_than(facts: Facts, command: str, _: object) -> bool:
    """Whether what is not enough is not all that is done: "restart it, not just reload" is no `reload`."""
    tokens = facts.sentence.tokens
    texts = [token.text.lower() for token in tokens]
    too_little = {
        tokens[i].norm
        for i in range(2, len(tokens))
        if any(pair in _NOT_ENOUGH for pair in pairwise(texts[max(0, i - 3) : i])) and not tokens[i].stop
    }
    runs = {name for simple in simples(command) for name in (simple.program, simple.sub) if name}
    others = {token.norm for token in tokens if token.norm not in too_little and not token.stop}
    return runs.isdisjoint(too_little) or not runs.isdisjoint(others & (CHANGE | ORDERS))


_NOT_ENOUGH = frozenset((("not", "just"), ("not", "only"), ("not", "merely")))
_LEFT = LEAVES_OUT | {"without"}


def _leaves(option: str) -> bool:
    """Whether an option leaves something out by a part of its name."""
    return option.startswith("-") and not _LEFT.isdisjoint(option.strip("-").split("-"))


def _is_act(word: Token) -> bool:
    """ "Do not delete", "without deleting"; "not deleted" tells of what is."""
    text = word.text.lower()
    return word.norm in CHANGE and (lemma(text) == text or text.endswith("ing"))


def _forbids_all(facts: Facts, denial: Denial) -> bool:
    """Whether nothing is ordered but what is denied: "do not delete wares.txt"."""
    tokens = facts.sentence.tokens
    if denial.leaves_out or any(not token.stop for token in tokens[: denial.at]):
        return False
    after = tokens[(denial.scope[-1] if denial.scope else denial.at) + 1 :]
    return not any(token.kind == "word" and token.text.lower() in ORDERS for token in after)


def _only_that_changes(facts: Facts) -> bool:
    """Whether no change is ordered beside what is denied: "print it without the blanks, don't change the file"."""
    denied = facts.denied
    return not any(token.norm in CHANGE for i, token in enumerate(facts.sentence.tokens) if i not in denied)


def _done(words: list[Token], command: str) -> bool:
    """Whether a denied verb is the very program or subcommand that runs ("without sorting": sort)."""
    runs = {name for simple in simples(command) for name in (simple.program, simple.sub) if name}
    return any(token.kind == "word" and token.norm in runs for token in words[:2])


def _excludes(found: frozenset[str], table: Table) -> bool:
    return any(one in table.excludes for one in found)


def _left_out(facts: Facts, scope: tuple[int, ...], command: str, table: Table) -> bool:
    """Every literal that is left out stands in a word of exclusion, or behind one."""
    for i in scope:
        token = facts.sentence.tokens[i]
        if i not in facts.literals or token.kind in ("number", "ordinal"):
            continue
        excluding = False
        for word, found in signs(command):
            excluding = excluding or _excludes(found, table)
            if not excluding and (token.text.lower() in word.lower() or token.value.lower() in word.lower()):
                return False
    return True


_SEARCHES = frozenset(("grep", "egrep", "fgrep", "zgrep", "rg", "ag", "ack"))
_WITHIN = frozenset("in under below inside within beneath".split())


def _is_searched(facts: Facts, i: int, command: str) -> bool:
    """Whether a place in which nothing is to be looked for is an operand of the search: `grep -L word FOLDER` leaves
    out what has the word, and looks in the folder."""
    tokens = facts.sentence.tokens
    token, before = tokens[i], {one.text.lower() for one in tokens[max(0, i - 2) : i]}
    if before.isdisjoint(_WITHIN) or token.kind not in ("word", "ident", "path"):
        return False
    for simple in simples(command):
        operands = [word.strip("/") for word in simple.words[1:] if not word.startswith("-")]
        if simple.program in _SEARCHES and token.value.strip("/") in operands[1:]:
            return True
    return False
