"""Learns the table of words and command tokens: IBM's first alignment model, a few rounds over all pairs."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from typing import Any

from terma.offline.intent import ACTIONS, CHANGE
from terma.offline.match import SHOWING
from terma.offline.sentence import Sentence
from terma.offline.trust.answering import sign
from terma.offline.trust.association import keys, kinds, places, shapes, values_of
from terma.offline.trust.command import effect, simples, tokens
from terma.offline.trust.facts import Facts, read
from terma.offline.trust.ordinary import value_parts
from training import exclusion

ROUNDS = 6
LEAST = 0.004  # smaller shares are dropped from the table


SELDOM = 0.1  # share of its commands that repeat a word as a value, up to which it is an ordinary one


Named = tuple[str, str]  # (program, word that stands among its values)
Pair = tuple[
    tuple[str, ...],
    tuple[str, ...],
    bool,
    tuple[tuple[str, str], ...],
    tuple[dict[str, bool], tuple[Named, ...]],
    exclusion.Counted,
    tuple[bool, bool, tuple[str, ...]],
]
# Share of the sentences answered by a command that are questions, from which on it is one that looks; where no word of
# its sentences orders a change, one question is enough.
ASKED = 0.2
OWN = 3  # commands in which a program must have a word for it to be one of the program's own


def tokenised(nl: str, command: str) -> Pair:
    """(the sentence's keys, the command's tokens, whether it changes anything, which kinds of values stand where,
    its words with whether the command repeats them as values, and the words among its values; its signs of exclusion;
    whether the sentence asks, whether it orders a change, and the simple commands that are not known to look)."""
    facts = read(Sentence.parse(nl))
    words = [word for simple in simples(command) for word in simple.words]
    values = values_of(facts.sentence, words)
    said = (*keys(facts).values(), *shapes(facts))
    return (
        tuple(key for key in dict.fromkeys(said) if not any(map(_is_unspaced, key))),
        tokens(command, values),
        effect(command) != "look",
        tuple(_standing(facts, command)),
        _repeated(facts, command),
        exclusion.counted(facts, command),
        (
            facts.question,
            any(token.norm in CHANGE for token in facts.sentence.tokens),
            tuple(filter(None, (sign(simple, values) for simple in simples(command)))),
        ),
    )


def _repeated(facts: Facts, command: str) -> tuple[dict[str, bool], tuple[Named, ...]]:
    """Each plain word of the sentence, and whether it stands in a value of the command; the words of its values."""
    named = {(simple.program, part) for simple in simples(command) for part in value_parts(simple)}
    parts = {part for _, part in named}
    parts |= {simple.program for simple in simples(command)} - ACTIONS - SHOWING  # a program's name is a name
    said = {
        token.text.lower(): token.text in parts for token in facts.sentence.tokens if token.kind == "word"
    }
    return said, tuple(sorted(named))


def _standing(facts: Facts, command: str) -> Iterator[tuple[str, str]]:
    """(place in the command, kind) of each value that came from the sentence."""
    named = {form: token for token in facts.sentence.tokens for form in (token.text, token.value)}
    for simple in simples(command):
        for place, value in places(simple):
            if value in named:
                yield from ((place, kind) for kind in kinds(named[value]))


def _is_unspaced(char: str) -> bool:
    """Whether it is of a script that sets no blanks between words: what stands there between two is a whole clause."""
    return ord(char) > 0x2E80


def table(pairs: Iterable[tuple[Pair, float]]) -> dict[str, Any]:
    """From pairs with their weights to the data of Association."""
    pairs = list(pairs)
    data = [(words, (*found, ""), changes, weight) for (words, found, changes, *_), weight in pairs if words]
    share: dict[str, float] = defaultdict(float)
    said: dict[str, float] = defaultdict(float)
    for words, found, _, weight in data:
        for word in words:
            share[word] += weight
        for token in found:
            said[token] += weight
    total = sum(share.values()) or 1.0
    t: dict[str, dict[str, float]] = defaultdict(dict)
    for words, found, _, _w in data:
        for token in found:
            row = t[token]
            for word in words:
                row[word] = 1.0
    for row in t.values():
        for word in row:
            row[word] = 1.0 / len(row)
    for _ in range(ROUNDS):
        counts: dict[str, dict[str, float]] = {token: defaultdict(float) for token in t}
        for words, found, _, weight in data:
            for word in words:
                z = sum(t[token][word] for token in found)
                for token in found:
                    counts[token][word] += weight * t[token][word] / z
        for token, row in counts.items():
            mass = sum(row.values()) + (1.0 if token else 0.0)  # a rare token is sure of nothing
            t[token] = {word: value / mass for word, value in row.items()}
    rows: dict[str, list[tuple[float, str]]] = defaultdict(list)
    for token, row in t.items():
        if token:
            for word, value in row.items():
                if value >= LEAST:
                    rows[word].append((value, token))
    sentences = sum(weight for *_, weight in data) or 1.0
    return {
        "rows": {
            word: "\t".join(
                f"{token}\t{round(value * 1000)}"
                for value, token in sorted(rows.get(word, ()), reverse=True)[:60]
            )
            for word in sorted(share)
        },
        "share": {word: round(count / total, 6) for word, count in sorted(share.items())},
        "tokens": {token: round(count / sentences, 6) for token, count in sorted(said.items()) if token},
        "change": _change(data),
        **_programs(data),
        "held": _held(standing for (*_, standing, _said, _signs, _asked), _weight in pairs),
        "excludes": exclusion.table(counted for (*_, counted, _asked), _weight in pairs),
        "answers": "\n".join(_answers(asked for (*_, asked), _weight in pairs)),
        **_ordinary([said for (*_, said, _signs, _asked), _weight in pairs]),
    }


def _ordinary(lines: list[tuple[dict[str, bool], tuple[Named, ...]]]) -> dict[str, str]:
    """The words that people say without naming a thing by them: nearly no command repeats them as a value. And of
    these, with their program, such as are words of its own (`ip link set eth0 up`)."""
    said: Counter[str] = Counter()
    repeated: Counter[str] = Counter()
    named: Counter[Named] = Counter()
    for words, values in lines:
        named.update(values)
        for word, stands in words.items():
            said[word] += 1
            repeated[word] += stands
    plain = {word for word in said if (repeated[word] + 0.5) / (said[word] + 1) <= SELDOM}
    own = [f"{program}\t{word}" for (program, word), n in named.items() if n >= OWN and word in plain]
    return {"ordinary": " ".join(sorted(plain)), "own": "\n".join(sorted(own))}


def _answers(lines: Iterable[tuple[bool, bool, tuple[str, ...]]]) -> list[str]:
    """The simple commands that questions are answered with, often enough among all that is answered with them."""
    used: Counter[str] = Counter()
    asked: Counter[str] = Counter()
    ordered: Counter[str] = Counter()
    for is_question, changes, signs in lines:
        for one in signs:
            used[one] += 1
            asked[one] += is_question
            ordered[one] += changes
    return sorted(
        one for one, count in asked.items() if count and (count >= ASKED * used[one] or not ordered[one])
    )


def _held(lines: Iterable[tuple[tuple[str, str], ...]]) -> dict[str, str]:
    """Place ("" = any) -> which kinds of values stood there, each with its count; "<" is how many in all."""
    found: dict[str, Counter[str]] = defaultdict(Counter)
    for standing in lines:
        for place, kind in standing:
            for name in (place, ""):
                found[name][kind] += 1
                found[name]["<"] += not kind.startswith("<.")
    return {
        place: "\t".join(f"{kind}\t{count}" for kind, count in sorted(found[place].items()))
        for place in sorted(found)
    }


FLAT = 0.02  # what a word that a program never stood with counts, against one that it did


def _programs(data: list[tuple[tuple[str, ...], tuple[str, ...], bool, float]]) -> dict[str, Any]:
    """Naive Bayes of the first program of a command, stored as what each word adds to a word that says nothing."""
    seen: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    total: dict[str, float] = defaultdict(float)
    words: dict[str, float] = defaultdict(float)
    for said, found, _, weight in data:
        program = found[0]
        if program:
            total[program] += weight
            for word in said:
                seen[word][program] += weight
                words[word] += weight
    mass = sum(words.values()) or 1.0
    programs: dict[str, str] = {}
    for word in sorted(seen):
        share = words[word] / mass
        lifts = {
            program: math.log(
                ((count + 3 * share) / (total[program] + 3)) / ((3 * share + FLAT) / (total[program] + 3))
            )
            for program, count in seen[word].items()
        }
        kept = sorted(lifts.items(), key=lambda item: -item[1])[:40]
        programs[word] = "\t".join(f"{program}\t{round(lift * 10)}" for program, lift in kept)
    every = sum(total.values()) or 1.0
    return {
        "programs": programs,
        "usual": {
            program: round(math.log((count + 0.5) / every), 2) for program, count in sorted(total.items())
        },
    }


def _change(data: list[tuple[tuple[str, ...], tuple[str, ...], bool, float]]) -> dict[str, float]:
    """Word -> weight of a logistic regression (a few passes of gradient descent) on whether the command changes."""
    weights: dict[str, float] = defaultdict(float)
    rate = 0.3
    for _ in range(8):
        for words, _t, changes, weight in data:
            z = sum(weights[word] for word in words) + weights[""]
            error = (1.0 if changes else 0.0) - 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, z))))
            for word in (*words, ""):
                weights[word] += rate * min(1.0, weight) * (error - 0.01 * weights[word])
        rate *= 0.8
    return {word: round(value, 2) for word, value in sorted(weights.items()) if abs(value) >= 0.1}
