"""Learns the table of words and command tokens: IBM's first alignment model, a few rounds over all pairs."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import Any

from terma.offline.sentence import Sentence
from terma.offline.trust.association import keys, values_of
from terma.offline.trust.command import effect, simples, tokens
from terma.offline.trust.facts import read

ROUNDS = 6
LEAST = 0.004  # smaller shares are dropped from the table


def tokenised(nl: str, command: str) -> tuple[tuple[str, ...], tuple[str, ...], bool]:
    """(the sentence's keys, the command's tokens, whether it changes anything)."""
    facts = read(Sentence.parse(nl))
    words = [word for simple in simples(command) for word in simple.words]
    return (
        tuple(key for key in dict.fromkeys(keys(facts).values()) if not any(map(_is_unspaced, key))),
        tokens(command, values_of(facts.sentence, words)),
        effect(command) != "look",
    )


def _is_unspaced(char: str) -> bool:
    """Whether it is of a script that sets no blanks between words: what stands there between two is a whole clause."""
    return ord(char) > 0x2E80


def table(pairs: Iterable[tuple[tuple[str, ...], tuple[str, ...], bool, float]]) -> dict[str, Any]:
    """From (keys, tokens, changes, weight) to the data of Association."""
    data = [(words, (*found, ""), changes, weight) for words, found, changes, weight in pairs if words]
    share: Counter[str] = Counter()
    said: Counter[str] = Counter()
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
    }


FLAT = 0.02  # what a word that a program never stood with counts, against one that it did


def _programs(data: list[tuple[tuple[str, ...], tuple[str, ...], bool, float]]) -> dict[str, Any]:
    """Naive Bayes of the first program of a command, stored as what each word adds to a word that says nothing."""
    seen: dict[str, Counter[str]] = defaultdict(Counter)
    total: Counter[str] = Counter()
    words: Counter[str] = Counter()
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
