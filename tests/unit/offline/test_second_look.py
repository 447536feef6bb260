"""trust/second_look: which drafts are read, and what comes of it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from terma.offline.engine import Engine
from terma.offline.sentence import Sentence
from terma.offline.trust.accept import NONE, Scale, Trees
from terma.offline.trust.features import NAMES
from terma.offline.trust.second_look import MORE, Judged, Read, SecondLook, likeliest, widened
from terma.types import Query

NO_FEATURES = (0.0,) * len(NAMES)


class Told:
    """Stands for the reader: says what it was told to, and keeps what it was asked."""

    def __init__(self, **says: float) -> None:
        self.says, self.asked = says, list[str]()

    def measure(self, tokens: object, tags: object, commands: list[str]) -> list[Read]:
        self.asked += commands
        return [(self.says[command],) * 3 for command in commands]


def by_whole(reader: object, most: int = 3) -> SecondLook:
    """A look by which a draft is worth 4 where the reader says more than -2 of it, and -4 otherwise."""
    trees = Trees.of({
        "roots": [0], "feature": [MORE.index("whole"), -1, -1], "number": [-2.0, -4.0, 4.0], "right": [2, 0, 0],
    })  # fmt: skip
    assert Trees.of(NONE).total(()) == 0.0
    return SecondLook(reader, trees, Scale((), ()), 0.1, 0.95, most, 9)  # type: ignore[arg-type]


def drafts(**totals: float) -> list[Judged]:
    scale = Scale((), ())
    return [Judged(name, NO_FEATURES, total, scale.of(total)) for name, total in totals.items()]


def looked(look: SecondLook, given: list[Judged]) -> dict[str, float]:
    return {one.command: one.confidence for one in look.look(Sentence.parse("list files").tokens, (), given)}


def test_what_is_read_decides() -> None:
    found = looked(by_whole(Told(ls=-9, du=-1, df=-9)), drafts(ls=1.0, du=0.5, df=0.2))
    assert found["du"] > 0.95
    assert found["ls"] < 0.05


@pytest.mark.parametrize("best", [5.0, -5.0])
def test_what_is_clear_is_not_read(best: float) -> None:
    reader = Told()
    given = drafts(ls=best, du=-6.0)
    assert by_whole(reader).look((), (), given) == given
    assert reader.asked == []


def test_only_the_likeliest_are_read_and_the_rest_stays_behind_them() -> None:
    reader = Told(ls=-9, du=-9)
    given = drafts(df=-0.1, ls=1.0, du=0.5)
    found = looked(by_whole(reader, most=2), given)
    assert reader.asked == ["ls", "du"]
    assert found["df"] <= min(found["ls"], found["du"])


def test_longer_sentences_than_it_learned_from_are_not_read() -> None:
    reader = Told()
    given = drafts(ls=1.0, du=0.5)
    assert by_whole(reader).look(Sentence.parse("list " * 10).tokens, (0.0,) * 10, given) == given
    assert reader.asked == []


def test_nothing_to_look_at() -> None:
    assert by_whole(Told()).look((), (), []) == []
    assert likeliest([], 0.0, 1.0, 4) == []


def test_each_is_held_beside_the_others() -> None:
    rows = widened([(NO_FEATURES, 2.0), (NO_FEATURES, 1.0)], [(-1.0, -0.5, -0.7), (-3.0, -0.4, -2.0)])
    assert [dict(zip(MORE, row, strict=True))["ahead_whole"] for row in rows] == [2.0, -2.0]
    alone = widened([(NO_FEATURES, 2.0)], [(-1.0, -0.5, -0.7)])
    assert alone[0][-3:] == (0.0, 0.0, 0.0)


def test_what_is_shipped_belongs_together() -> None:
    """Where the acceptance is trained anew and the second look is not, it would be left out in silence."""
    look = SecondLook.load()
    assert look is not None
    assert look.low < look.high


@pytest.mark.parametrize("words", ["free disk space", "list hidden files", "list running containers"])
def test_what_was_written_for_the_sentence_needs_no_reader(engine: Engine, words: str) -> None:
    reader = Told()  # knows of no command: it raises when it is asked
    found = replace(engine, second=by_whole(reader)).explain(Query(words))
    assert found[0].inserts
    assert reader.asked == []


def test_what_the_engine_is_not_sure_of_is_read(engine: Engine) -> None:
    reader = Told(worth=-9.0)
    unsure = "the wordy log of what went on with the frobnicator"
    given = engine.explain(Query(unsure))
    assert given and not given[0].inserts
    with pytest.raises(KeyError):
        replace(engine, second=replace(by_whole(reader), low=0.0, longest=24)).explain(Query(unsure))
    assert 0 < len(reader.asked) <= 3
