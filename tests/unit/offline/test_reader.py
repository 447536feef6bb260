"""training/reader: a sentence and a command in units, and the model of commands as plain Python reads it."""

from __future__ import annotations

import math
import random
from array import array
from dataclasses import dataclass
from typing import Any

import pytest

from terma.offline.sentence import Sentence
from terma.offline.trust.reader.model import LEAST, Reader
from terma.offline.trust.reader.units import BUCKETS, MOST_TOKENS, MOST_UNITS, said, units
from terma.offline.trust.reader.vectors import Matrix, Table
from training.reader.vocabulary import Pair, Vocabulary

np = pytest.importorskip("numpy")


def tokens(sentence: str) -> tuple[Any, ...]:
    return Sentence.parse(sentence).tokens


@pytest.mark.parametrize(
    ("sentence", "command", "repeated"),
    [
        ("copy a.txt to b.txt", "cp a.txt b.txt", ["a.txt", "b.txt"]),
        ("last 20 lines of app.log", "tail -n 20 app.log", ["20", "app.log"]),
        ("last 20 lines of app.log", "tail -n20 app.log", ["app.log"]),  # a part of a longer word
        ("stop web", "docker stop web-1", ["stop"]),
        ("log of the nginx", "tail --log=nginx.txt", ["nginx"]),  # no part of an option
        ("the in the", "in the", []),  # what says nothing is no value
    ],
)
def test_a_value_points_to_its_token(sentence: str, command: str, repeated: list[str]) -> None:
    read = tokens(sentence)
    found = [one for one in units(command, read) if one.token >= 0]
    assert [one.text for one in found] == repeated
    assert all(one.text in (read[one.token].text, read[one.token].value) for one in found)


def test_each_unit_knows_its_program() -> None:
    found = units("sudo ss -tlnp | xargs grep -v :22", ())
    assert [one.program for one in found] == ["sudo", "ss", "ss", "ss", "xargs", "grep", "grep", "grep"]


def test_what_stands_without_a_space_is_joined() -> None:
    found = units("git log --since=friday", tokens("since friday"))
    assert [(one.text, one.joined) for one in found] == [
        ("git", False), ("log", False), ("--since=", False), ("friday", True),
    ]  # fmt: skip
    assert len(units("a " * 99, ())) == MOST_UNITS


def test_a_matrix_of_long_integers_multiplies_as_number_by_number() -> None:
    lot = random.Random(3)
    rows = [[lot.randint(-127, 127) for _ in range(48)] for _ in range(96)]
    vector = [lot.uniform(-9, 9) for _ in range(96)]
    whole = memoryview(array("b", [value for row in rows for value in row]))
    found = Matrix(Table(whole, 48, 0.01), [0.5] * 48)(vector)
    for n in range(48):
        exact = 0.5 + 0.01 * sum(value * row[n] for value, row in zip(vector, rows, strict=True))
        assert math.isclose(found[n], exact, abs_tol=0.05)


@dataclass
class Drawn:
    """A model of random weights, as `written` asks for them."""

    parts: dict[str, Any]
    enc: tuple[int, ...] = (0,)
    dec: tuple[int, ...] = (0,)

    def state_dict(self) -> dict[str, Any]:
        return {name: Kept(part) for name, part in self.parts.items()}


@dataclass
class Kept:
    """An array where torch would have a tensor."""

    data: Any

    def detach(self) -> Kept:
        return self

    float = cpu = detach

    def numpy(self) -> Any:
        return self.data


SIZE = 16
LINES = [
    ("logs of the container web", "docker logs web"),
    ("follow the logs of the container web", "docker logs -f web"),
    ("delete old.txt", "rm old.txt"),
]


@pytest.fixture(scope="module")
def reader() -> Reader:
    from training.reader.written import written

    pairs = [Pair(said(tokens(nl)), (0.0,) * 9, units(ref, tokens(nl))) for nl, ref in LINES * 3]
    vocabulary = Vocabulary.of(pairs)
    lot = np.random.default_rng(1)
    sizes = vocabulary.sizes()
    shapes = {name: (sizes[name], SIZE) for name in ("word", "text", "pair", "prog")}
    shapes |= {
        "srun": (BUCKETS, SIZE),
        "crun": (BUCKETS, SIZE),
        "join": (4, SIZE),
        "out": (sizes["out"], SIZE),
    }
    shapes |= {"spos": (MOST_TOKENS, SIZE), "cpos": (MOST_UNITS + 2, SIZE)}
    shapes |= {name: (SIZE, SIZE) for name in ("link", "pk", "pq", "pqj")}
    for layer, parts in (("enc.0", "a"), ("dec.0", "ac")):
        shapes |= {f"{layer}.{part}.{name}": (SIZE, SIZE) for part in parts for name in "qkvo"}
        shapes |= {f"{layer}.wide": (2 * SIZE, SIZE), f"{layer}.narrow": (SIZE, 2 * SIZE)}
    drawn = {f"{name}.weight": lot.normal(0, 0.5, shape) for name, shape in shapes.items()}
    drawn |= {f"{name}.bias": lot.normal(0, 0.5, shape[0]) for name, shape in shapes.items()}
    for at in ("sn", "dn", "enc.0.n1", "enc.0.n2", "dec.0.n1", "dec.0.n2", "dec.0.n3"):
        drawn |= {f"{at}.weight": lot.normal(1, 0.2, SIZE), f"{at}.bias": lot.normal(0, 0.2, SIZE)}
    drawn["tag"] = lot.normal(0, 0.5, SIZE)
    return Reader.of(written(Drawn(drawn), vocabulary, SIZE, 2))


def test_a_command_reads_alike_alone_and_beside_others(reader: Reader) -> None:
    read = tokens(LINES[1][0])
    commands = ["docker logs web", "docker logs -f web", "docker logs", "rm web"]
    together = reader.measure(read, (), commands)
    assert together == [reader.measure(read, (), [command])[0] for command in commands]
    assert len(set(together)) == len(commands)


def test_what_a_value_is_called_changes_nothing(reader: Reader) -> None:
    """`a.csv` and `b.csv` are values alike, in the sentence and in the command; a value that nobody named is not."""
    one = reader.measure(tokens("delete a.csv"), (), ["rm a.csv"])
    assert one == reader.measure(tokens("delete b.csv"), (), ["rm b.csv"])
    assert one != reader.measure(tokens("delete a.csv"), (), ["rm b.csv"])


def test_what_nobody_wrote_before_is_hardly_expected(reader: Reader) -> None:
    whole, mean, worst = reader.measure(tokens(LINES[0][0]), (), ["frobnicate"])[0]
    assert worst == LEAST
    assert whole == pytest.approx(2 * mean)


def test_a_sentence_without_words_measures_nothing(reader: Reader) -> None:
    assert reader.measure((), (), ["ls"]) == [(0.0, 0.0, 0.0)]
