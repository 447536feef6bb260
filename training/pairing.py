"""Learns terma/offline/trust/pairing.json: vectors of words and of pieces of commands, such that in right drafts every
word is answered and every piece is asked for, and in wrong ones some is not. Adam, in numpy, with the derivatives
written out."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from terma.offline.trust import pairing
from terma.offline.trust.pairing import BUCKETS, MOST_PIECES, MOST_RUNS, MOST_WORDS, SHARP, Said

SIZE = 24
ROUNDS = 8
LINES = 48  # whose drafts are one step
LEARN, SLOWER = 3e-3, 0.75
DROPPED = 0.25  # share of a vector's numbers that a step does without
SHRINK = 2e-6
SEEN_WORD, SEEN_PIECE = (
    3,
    2,
)  # how often a word or a piece must stand in labelled lines for a vector of its own
RANK = 0.5  # weight of "the right draft before the others of its line" beside "right or wrong"
COUNTS = 5.0


@dataclass(frozen=True, slots=True)
class Example:
    """One command for one sentence. Examples of one `line` compete."""

    line: int
    words: tuple[Said, ...]
    pieces: tuple[str, ...]
    right: bool


class Names:
    """Names by number, 0 being what was never seen, and of each its letters."""

    def __init__(self, counts: Counter[str], least: float) -> None:
        self.known = [
            "",
            *sorted(name for name, count in counts.items() if count >= least and "\n" not in name),
        ]
        self.numbers = {name: number for number, name in enumerate(self.known)}

    def __getitem__(self, name: str) -> int:
        return self.numbers.get(name, 0)


class _Items:
    """All words, or all pieces, of the examples: each once, with its number and the buckets of its letters."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}

    def __getitem__(self, name: str) -> int:
        return self.numbers.setdefault(name, len(self.numbers) + 1)

    def buckets(self, letters: Any) -> tuple[np.ndarray, np.ndarray]:
        """(items, MOST_RUNS) bucket numbers and their shares."""
        at = np.zeros((len(self.numbers) + 1, MOST_RUNS), dtype=np.int64)
        share = np.zeros((len(self.numbers) + 1, MOST_RUNS), dtype=np.float32)
        for name, number in self.numbers.items():
            found = pairing.runs(letters(name))
            at[number, : len(found)] = found
            share[number, : len(found)] = 2.0 / len(found)
        return at, share


def learn(examples: Sequence[Example], drafted: Iterable[str] = (), seed: int = 5) -> dict[str, Any]:
    """The data of `Pairing.of`. `drafted`: pieces of drafts, which are known by a tenth of their count."""
    return _Learner(examples, Counter(drafted), seed).learned()


class _Learner:
    def __init__(self, examples: Sequence[Example], drafted: Counter[str], seed: int) -> None:
        self.rng = np.random.default_rng(seed)
        said: Counter[str] = Counter(key for one in examples if one.right for key, _ in one.words)
        done: Counter[str] = Counter(piece for one in examples if one.right for piece in one.pieces)
        for piece, count in drafted.items():
            done[piece] += count / 10  # type: ignore[assignment]
        self.words, self.pieces = Names(said, SEEN_WORD), Names(done, SEEN_PIECE)
        word_items, piece_items = _Items(), _Items()
        count = len(examples)
        self.x = np.zeros((count, MOST_WORDS), dtype=np.int32)
        self.repeated = np.zeros((count, MOST_WORDS), dtype=np.float32)
        self.z = np.zeros((count, MOST_PIECES), dtype=np.int32)
        self.y = np.array([float(one.right) for one in examples], dtype=np.float32)
        self.lines: dict[int, list[int]] = defaultdict(list)
        for n, one in enumerate(examples):
            self.lines[one.line].append(n)
            for at, (key, is_repeated) in enumerate(one.words[:MOST_WORDS]):
                self.x[n, at] = word_items[key]
                self.repeated[n, at] = is_repeated
            for at, piece in enumerate(one.pieces[:MOST_PIECES]):
                self.z[n, at] = piece_items[piece]
        programs = sorted({pairing.program_of(piece) for piece in self.pieces.known if piece})
        self.programs = ["", *programs]
        by_program = {name: number for number, name in enumerate(self.programs)}
        self.word_of = np.array([0, *(self.words[name] for name in word_items.numbers)])
        self.piece_of = np.array([0, *(self.pieces[name] for name in piece_items.numbers)])
        self.program_of = np.array(
            [0, *(by_program.get(pairing.program_of(name), 0) for name in piece_items.numbers)]
        )
        self.word_runs = word_items.buckets(pairing.letters_of_word)
        self.piece_runs = piece_items.buckets(pairing.letters_of_piece)
        self.p = self._begun()
        self.moments = {name: (np.zeros_like(value), np.zeros_like(value)) for name, value in self.p.items()}
        self.steps = 0

    def _begun(self) -> dict[str, np.ndarray]:
        def vectors(count: int) -> np.ndarray:
            return self.rng.normal(0, 0.1, (count, SIZE)).astype(np.float32)

        words, pieces = len(self.words.known), len(self.pieces.known)
        return {
            "words": vectors(words), "pieces": vectors(pieces), "programs": vectors(len(self.programs)),
            "letters": vectors(BUCKETS),
            "word_biases": np.zeros(words, np.float32), "piece_biases": np.zeros(pieces, np.float32),
            "word_weights": np.zeros(words, np.float32), "piece_weights": np.zeros(pieces, np.float32),
            # bias of words, of pieces, what repeating gains, scale, base
            "scalars": np.array([0.0, 0.0, 3.0, 1.0, 3.0], np.float32),
        }  # fmt: skip

    def learned(self) -> dict[str, Any]:
        rate = LEARN
        order = np.array(list(self.lines))
        for _ in range(ROUNDS):
            self.rng.shuffle(order)
            for begin in range(0, len(order), LINES):
                rows = np.array([n for line in order[begin : begin + LINES] for n in self.lines[line]])
                lines = np.repeat(
                    np.arange(len(order[begin : begin + LINES])),
                    [len(self.lines[line]) for line in order[begin : begin + LINES]],
                )
                self._step(self._slopes(rows, lines), rate)
            rate *= SLOWER
        return self._data()

    def _vectors(self, items: np.ndarray, is_piece: bool) -> np.ndarray:
        """(items, SIZE): own vector, the program's, and the mean of the letters'."""
        p = self.p
        at, share = self.piece_runs if is_piece else self.word_runs
        spelled = np.einsum("nrd,nr->nd", p["letters"][at[items]], share[items])
        if is_piece:
            own = p["pieces"][self.piece_of[items]] * (self.piece_of[items] > 0)[:, None]
            return np.asarray(own + p["programs"][self.program_of[items]] + spelled)
        return np.asarray(p["words"][self.word_of[items]] * (self.word_of[items] > 0)[:, None] + spelled)

    def _slopes(self, rows: np.ndarray, lines: np.ndarray) -> dict[str, np.ndarray]:
        p, scalars = self.p, self.p["scalars"]
        x, x_at = np.unique(self.x[rows], return_inverse=True)
        z, z_at = np.unique(self.z[rows], return_inverse=True)
        x_at, z_at = x_at.reshape(len(rows), -1), z_at.reshape(len(rows), -1)
        is_word, is_piece = self.x[rows] > 0, self.z[rows] > 0
        kept_x = (self.rng.random((len(rows), MOST_WORDS, SIZE)) >= DROPPED) / np.float32(1 - DROPPED)
        kept_z = (self.rng.random((len(rows), MOST_PIECES, SIZE)) >= DROPPED) / np.float32(1 - DROPPED)
        left = self._vectors(x, False)[x_at] * kept_x.astype(np.float32)
        right = self._vectors(z, True)[z_at] * kept_z.astype(np.float32)
        near = 2.0 * np.matmul(left, right.transpose(0, 2, 1))
        word_soft, word_share = _softest(near, is_piece[:, None, :], 2)
        piece_soft, piece_share = _softest(near, is_word[:, :, None], 1)
        word, piece = self.word_of[x][x_at], self.piece_of[z][z_at]
        a = word_soft + p["word_biases"][word] + scalars[0] + scalars[2] * self.repeated[rows]
        b = piece_soft + p["piece_biases"][piece] + scalars[1]
        weight_a = _softplus(COUNTS * p["word_weights"][word]) * is_word
        weight_b = _softplus(COUNTS * p["piece_weights"][piece]) * is_piece
        log_a, log_b = -_softplus(-a), -_softplus(-b)
        mass = (log_a * weight_a).sum(1) + (log_b * weight_b).sum(1)
        total = scalars[3] * mass + scalars[4]
        d = self._blame(total, self.y[rows], lines)
        d_a = (d * scalars[3])[:, None] * weight_a * _logistic(-a)
        d_b = (d * scalars[3])[:, None] * weight_b * _logistic(-b)
        d_near = 2.0 * (d_a[:, :, None] * word_share + d_b[:, None, :] * piece_share)
        d_left = np.matmul(d_near, right) * kept_x
        d_right = np.matmul(d_near.transpose(0, 2, 1), left) * kept_z
        slopes = {name: np.zeros_like(value) for name, value in p.items()}
        self._spread(slopes, x, x_at, d_left, False)
        self._spread(slopes, z, z_at, d_right, True)
        d_weight_a = (d * scalars[3])[:, None] * log_a * is_word * COUNTS
        d_weight_b = (d * scalars[3])[:, None] * log_b * is_piece * COUNTS
        np.add.at(slopes["word_biases"], word, d_a)
        np.add.at(slopes["piece_biases"], piece, d_b)
        np.add.at(slopes["word_weights"], word, d_weight_a * _logistic(COUNTS * p["word_weights"][word]))
        np.add.at(slopes["piece_weights"], piece, d_weight_b * _logistic(COUNTS * p["piece_weights"][piece]))
        slopes["scalars"][:] = (
            d_a.sum(),
            d_b.sum(),
            (d_a * self.repeated[rows]).sum(),
            (d * mass).sum(),
            d.sum(),
        )
        for name in ("words", "pieces", "programs", "letters"):
            slopes[name] += SHRINK * p[name]
        return slopes

    @staticmethod
    def _blame(total: np.ndarray, y: np.ndarray, lines: np.ndarray) -> np.ndarray:
        """Slope of the loss: right or wrong, and the right ones of a line before its others."""
        blame = (_logistic(total) - y) / len(total)
        chance = np.exp(total - total.max())
        count = int(lines.max()) + 1
        every = np.bincount(lines, chance, count)
        good = np.bincount(lines, chance * y, count)
        has = good > 0
        share = np.where(has, RANK / max(1, int(has.sum())), 0.0)[lines]
        blame += share * (chance / every[lines] - y * chance / np.where(has, good, 1.0)[lines])
        return np.asarray(blame, dtype=np.float32)

    def _spread(
        self,
        slopes: dict[str, np.ndarray],
        items: np.ndarray,
        at: np.ndarray,
        slope: np.ndarray,
        is_piece: bool,
    ) -> None:
        of_item = np.zeros((len(items), SIZE), np.float32)
        np.add.at(of_item, at.reshape(-1), slope.reshape(-1, SIZE))
        of_item[items == 0] = 0.0
        buckets, share = self.piece_runs if is_piece else self.word_runs
        spelled = of_item[:, None, :] * share[items][:, :, None]
        np.add.at(slopes["letters"], buckets[items].reshape(-1), spelled.reshape(-1, SIZE))
        if is_piece:
            np.add.at(slopes["pieces"], self.piece_of[items], of_item * (self.piece_of[items] > 0)[:, None])
            np.add.at(slopes["programs"], self.program_of[items], of_item)
        else:
            np.add.at(slopes["words"], self.word_of[items], of_item * (self.word_of[items] > 0)[:, None])

    def _step(self, slopes: dict[str, np.ndarray], rate: float) -> None:
        self.steps += 1
        for name, slope in slopes.items():
            first, second = self.moments[name]
            first += 0.1 * (slope - first)
            second += 0.001 * (slope * slope - second)
            size = rate / (1 - 0.9**self.steps)
            self.p[name] -= size * first / (np.sqrt(second / (1 - 0.999**self.steps)) + 1e-8)

    def _data(self) -> dict[str, Any]:
        p = self.p
        step = max(float(np.abs(p[name]).max()) for name in ("words", "pieces", "programs", "letters")) / 127
        for name in ("words", "pieces"):
            p[name][0] = 0.0
        word_bias, piece_bias, repeated, scale, base = map(float, p["scalars"])
        blank = np.zeros(len(self.programs))
        return {
            "size": SIZE, "step": step, "word_bias": word_bias, "piece_bias": piece_bias, "repeated": repeated,
            "scale": scale, "base": base,
            "words": pairing.packed(
                self.words.known, p["words"], p["word_biases"], _softplus(COUNTS * p["word_weights"]), step
            ),
            "pieces": pairing.packed(
                self.pieces.known, p["pieces"], p["piece_biases"], _softplus(COUNTS * p["piece_weights"]), step
            ),
            "programs": pairing.packed(self.programs, p["programs"], blank, blank, step),
            "letters": pairing.packed((), p["letters"], (), (), step)["vectors"],
        }  # fmt: skip


def _softest(near: np.ndarray, which: np.ndarray, axis: int) -> tuple[np.ndarray, np.ndarray]:
    """A soft maximum along the axis, of what counts, and the share that each had in it."""
    masked = np.where(which, near, np.float32(-50.0))
    top = masked.max(axis=axis, keepdims=True)
    powers = np.exp(SHARP * (masked - top))
    total = powers.sum(axis=axis, keepdims=True)
    return (top + np.log(total) / SHARP).squeeze(axis), powers / total


def _softplus(value: np.ndarray) -> np.ndarray:
    return np.logaddexp(np.float32(0), value)


def _logistic(value: np.ndarray) -> np.ndarray:
    return np.asarray(1.0 / (1.0 + np.exp(-np.clip(value, -60, 60))))
