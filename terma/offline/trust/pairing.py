"""Whether each word of a sentence is answered by a piece of the command, and each piece of the command asked for by a
word: vectors of words and pieces, learned from drafts that were right and wrong (training/pairing).

Pieces are what a command says (`trust/command.tokens`) and the places in which values of some kind stand. A word or
piece that was never seen is known by its letters: `cordon` and `kubectl cordon` share theirs."""

from __future__ import annotations

import base64
import math
from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from operator import mul
from typing import Any
from zlib import crc32

from terma.offline import tables
from terma.offline.packed import Packed, Writer
from terma.offline.trust.association import keys, kinds, places, values_of
from terma.offline.trust.command import Simple, tokens
from terma.offline.trust.facts import Facts
from terma.records import dataclass

BUCKETS = 8192  # that runs of letters are spread over
MOST_RUNS = 20  # of letters, of one word
MOST_WORDS, MOST_PIECES = 18, 26
NOTHING = (0.0,) * 7
SHARP = 2.0  # how much more the best match counts than the others
_STEPS = 127

Said = tuple[str, bool]  # a word's key, and whether the command repeats it


def said(facts: Facts) -> tuple[tuple[int, str], ...]:
    """(token, key) of all that says something: words as in the table of association, values by their kind."""
    named = keys(facts)
    found = []
    for i, token in enumerate(facts.sentence.tokens):
        if i in named:
            found.append((i, named[i]))
        elif i in facts.literals or token.kind not in ("word", "ident"):
            found.append((i, kinds(token)[-1]))
    return tuple(found[:MOST_WORDS])


def paired(
    facts: Facts,
    about: Iterable[tuple[int, str]],
    parsed: Sequence[Simple],
    command: str,
    says: Sequence[str] = (),
) -> tuple[tuple[Said, ...], tuple[str, ...]]:
    """The words of the sentence as this command has them, and the command's pieces. `says`: its tokens, if known."""
    flat = [word for simple in parsed for word in simple.words]
    literal, joined = {word.lower() for word in flat}, " ".join(flat).lower()
    said_tokens = facts.sentence.tokens
    words = []
    for i, key in about:
        low = said_tokens[i].text.lower()
        words.append((key, low in literal or (len(low) > 3 and low in joined)))
    named = {form: token for token in said_tokens for form in (token.text, token.value)}
    held = {
        f"{place} {kinds(named[value])[-1]}"
        for simple in parsed
        for place, value in places(simple)
        if value in named
    }
    says = says or tokens(command, values_of(facts.sentence, flat))
    pieces = (*says, *sorted(held))
    return tuple(words), pieces[:MOST_PIECES]


def runs(text: str) -> list[int]:
    """The buckets of a word's runs of three and four letters, its ends marked."""
    text = f"^{text}$"
    return sorted({
        crc32(text[i : i + size].encode("utf-8", "replace")) % BUCKETS
        for size in (3, 4)
        for i in range(len(text) - size + 1)
    })[:MOST_RUNS] or [0]  # fmt: skip


def letters_of_word(key: str) -> str:
    return key.removeprefix("not ")


def letters_of_piece(piece: str) -> str:
    return piece.rpartition(" ")[2].lstrip("-=~")


def program_of(piece: str) -> str:
    return piece.partition(" ")[0]


@dataclass(frozen=True, slots=True)
class Table:
    """Vectors by name, one byte a number; with each a bias and how much it counts."""

    numbers: Mapping[str, int]
    vectors: memoryview
    biases: Sequence[float]
    weights: Sequence[float]

    @classmethod
    def of(cls, data: dict[str, Any]) -> Table:
        names = data["names"].split("\n")
        return cls(
            {name: number for number, name in enumerate(names)},
            memoryview(base64.b64decode(data["vectors"])).cast("b"),
            tuple(data["biases"]),
            tuple(data["weights"]),
        )

    @classmethod
    def read(cls, run: Packed, name: str) -> Table:
        """From packed tables. Raises KeyError, ValueError."""
        return cls(
            run.names(name), run.numbers(f"{name}.vectors"),
            run.numbers(f"{name}.biases"), run.numbers(f"{name}.weights"),
        )  # fmt: skip

    def write(self, writer: Writer, name: str) -> None:
        """Into tables to be packed."""
        writer.names(name, self.numbers)
        writer.numbers(f"{name}.vectors", array("b", bytes(self.vectors)))
        writer.numbers(f"{name}.biases", array("d", self.biases))
        writer.numbers(f"{name}.weights", array("d", self.weights))


@dataclass(frozen=True, slots=True)
class Pairing:
    """`size`: numbers of a vector; `step`: what one of its units is worth. Row 0 of `words` and `pieces` is what was
    never seen. `repeated`: what a word gains by standing in the command; `scale`, `base`: from fits to the sum."""

    size: int
    step: float
    words: Table
    pieces: Table
    programs: Table
    letters: memoryview
    word_bias: float
    piece_bias: float
    repeated: float
    scale: float
    base: float
    _seen: dict[tuple[str, bool], tuple[float, ...]] = field(default_factory=dict)

    @classmethod
    def of(cls, data: dict[str, Any]) -> Pairing:
        return cls(
            data["size"], data["step"], Table.of(data["words"]), Table.of(data["pieces"]), Table.of(data["programs"]),
            memoryview(base64.b64decode(data["letters"])).cast("b"), data["word_bias"], data["piece_bias"],
            data["repeated"], data["scale"], data["base"],
        )  # fmt: skip

    @classmethod
    def load(cls) -> Pairing | None:
        """From the package; None where the file is missing or of another version."""
        try:
            return cls.read(tables.opened())
        except (OSError, ValueError, KeyError):
            return None

    @classmethod
    def read(cls, run: Packed) -> Pairing:
        """From packed tables. Raises KeyError, ValueError."""
        size, *rest = run.numbers("pair.scales")
        step, word_bias, piece_bias, repeated, scale, base = rest
        return cls(
            int(size), step, Table.read(run, "pair.words"), Table.read(run, "pair.pieces"),
            Table.read(run, "pair.programs"), run.numbers("pair.letters"), word_bias, piece_bias, repeated, scale, base,
        )  # fmt: skip

    def write(self, writer: Writer) -> None:
        """Into tables to be packed."""
        rest = (self.word_bias, self.piece_bias, self.repeated, self.scale, self.base)
        writer.numbers("pair.scales", array("d", (self.size, self.step, *rest)))
        for name, table in (("words", self.words), ("pieces", self.pieces), ("programs", self.programs)):
            table.write(writer, f"pair.{name}")
        writer.numbers("pair.letters", array("b", bytes(self.letters)))

    def measure(self, words: Sequence[Said], pieces: Sequence[str]) -> tuple[float, ...]:
        """The sum (log odds that the command is right), what the words and what the pieces take from it, the two worst
        words and the two worst pieces."""
        if not words or not pieces:
            return NOTHING
        left = [self._vector(key, False) for key, _ in words]
        right = [self._vector(piece, True) for piece in pieces]
        near = [[2.0 * sum(map(mul, one, other)) for other in right] for one in left]
        fits = sorted(
            self.words.weights[n] * _log_chance(
                _soft(row) + self.words.biases[n] + self.word_bias + (self.repeated if is_repeated else 0.0)
            )
            for row, (key, is_repeated) in zip(near, words, strict=True)
            for n in (self.words.numbers.get(key, 0),)
        )  # fmt: skip
        asked = sorted(
            self.pieces.weights[n]
            * _log_chance(_soft([row[at] for row in near]) + self.pieces.biases[n] + self.piece_bias)
            for at, piece in enumerate(pieces)
            for n in (self.pieces.numbers.get(piece, 0),)
        )
        total = self.base + self.scale * (sum(fits) + sum(asked))
        return (
            total, sum(fits), sum(asked),
            fits[0], fits[1] if len(fits) > 1 else 0.0, asked[0], asked[1] if len(asked) > 1 else 0.0,
        )  # fmt: skip

    def _vector(self, name: str, is_piece: bool) -> tuple[float, ...]:
        found = self._seen.get((name, is_piece))
        if found is None:
            if len(self._seen) > _MOST_SEEN:
                self._seen.clear()
            found = self._seen[name, is_piece] = self._made(name, is_piece)
        return found

    def _made(self, name: str, is_piece: bool) -> tuple[float, ...]:
        own = self.pieces if is_piece else self.words
        parts = [self._row(own.vectors, own.numbers.get(name, 0))]
        if is_piece:
            parts.append(self._row(self.programs.vectors, self.programs.numbers.get(program_of(name), 0)))
        near = runs(letters_of_piece(name) if is_piece else letters_of_word(name))
        total = [self.step * value for value in map(sum, zip(*parts, strict=True))]
        share = 2.0 * self.step / len(near)
        spelled = map(sum, zip(*(self._row(self.letters, number) for number in near), strict=True))
        return tuple(value + share * more for value, more in zip(total, spelled, strict=True))

    def _row(self, vectors: memoryview, number: int) -> memoryview:
        return vectors[number * self.size : (number + 1) * self.size]


_MOST_SEEN = 1024  # vectors that are kept


def _soft(row: Sequence[float]) -> float:
    """The highest of the row, or a little more where several are near it."""
    top = max(row)
    return top + math.log(sum(math.exp(SHARP * (value - top)) for value in row)) / SHARP


def _log_chance(value: float) -> float:
    """log of the logistic function."""
    return -math.log1p(math.exp(-value)) if value > -30 else value


def packed(names: Sequence[str], vectors: Any, biases: Any, weights: Any, step: float) -> dict[str, Any]:
    """A table as it is written: for training/pairing."""
    rows = [max(-_STEPS, min(_STEPS, round(float(value) / step))) for row in vectors for value in row]
    return {
        "names": "\n".join(names),
        "vectors": base64.b64encode(bytes(value & 0xFF for value in rows)).decode(),
        "biases": [round(float(value), 3) for value in biases],
        "weights": [round(float(value), 3) for value in weights],
    }
