"""`python -m training.slips [N]`: of right answers to N sentences, how many stay after one slip of a finger, and how
many turn into another command."""

from __future__ import annotations

import random
import sys
from multiprocessing import Pool

from terma.offline.engine import Engine
from terma.types import Query
from training import measure, pairs
from training.equal import equal

_BESIDE = {"q": "wa", "w": "qe", "e": "wr", "r": "et", "t": "ry", "y": "tu", "u": "yi", "i": "uo", "o": "ip", "p": "o",
           "a": "sq", "s": "ad", "d": "sf", "f": "dg", "g": "fh", "h": "gj", "j": "hk", "k": "jl", "l": "k", "z": "x",
           "x": "zc", "c": "xv", "v": "cb", "b": "vn", "n": "bm", "m": "n"}  # fmt: skip
_engine: list[Engine] = []


def slipped(words: str, chance: random.Random) -> str:
    """One word of prose (no value, three letters or more) with one slip: a swap, a letter too many, too few, or its
    neighbour on the keys. The same text where there is no such word."""
    parts = words.split(" ")
    prose = [n for n, part in enumerate(parts) if part.isalpha() and part.islower() and len(part) > 2]
    if not prose:
        return words
    n = chance.choice(prose)
    word = parts[n]
    at = chance.randrange(len(word))
    kind = chance.choice(("swap", "more", "less", "other"))
    if kind == "swap":
        at = min(at, len(word) - 2)
        word = word[:at] + word[at + 1] + word[at] + word[at + 2 :]
    elif kind == "more":
        word = word[: at + 1] + word[at:]
    elif kind == "less":
        word = word[:at] + word[at + 1 :]
    else:
        word = word[:at] + chance.choice(_BESIDE.get(word[at], "e")) + word[at + 1 :]
    return " ".join((*parts[:n], word, *parts[n + 1 :]))


def _answer(words: str) -> str:
    if not _engine:
        _engine.append(Engine.load())
    found = _engine[0].answer(Query(words=words, cwd="/nonexistent", path=measure.PATH), limit=1)
    return found[0].command if found else ""


def main() -> int:
    most = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    chance = random.Random(7)
    lines = [line for line in [*pairs.tests(), *pairs.authors()] if line.refs]
    lines = chance.sample(lines, min(most, len(lines)))
    with Pool() as pool:
        first = pool.map(_answer, [line.nl for line in lines], 20)
        right = [line for line, said in zip(lines, first, strict=True) if equal(said, list(line.refs))]
        others = [slipped(line.nl, chance) for line in right]
        then = pool.map(_answer, others, 20)
    stay = wrong = 0
    for line, other, said in zip(right, others, then, strict=True):
        same = equal(said, list(line.refs))
        stay += same
        wrong += bool(said) and not same
        if said and not same:
            print(f"  {other}\n    {said}")
    total = max(1, len(right))
    shares = f"{100 * stay / total:.1f} % stay, {100 * wrong / total:.1f} % turn wrong"
    print(f"one slip in each of {len(right)} right answers: {shares}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
