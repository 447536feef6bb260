"""Records are data classes: they say, compare and refuse what the standard decorator's do."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from collections.abc import Callable
from dataclasses import FrozenInstanceError, InitVar, field
from typing import Any, ClassVar

import pytest

from terma import records
from terma.records import dataclass


@dataclass(frozen=True, slots=True)
class Base:
    start: int
    end: int = 0


@dataclass(frozen=True, slots=True)
class Word(Base):
    text: str = ""
    parts: list[str] = field(default_factory=list, compare=False)
    hidden: str = field(default="", repr=False)

    def __post_init__(self) -> None:
        if self.start < 0:
            raise ValueError("before the beginning")


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    name: str
    size: float = 0.5


@dataclass(frozen=True, slots=True)
class Empty:
    pass


@dataclass(slots=True)
class Open:
    name: str
    words: list[str] = field(default_factory=list)


def _pickled(one: Any) -> Any:
    return pickle.loads(pickle.dumps(one))  # noqa: S301 its own


def twin(cls: type) -> Any:
    """The same class, made by the standard decorator."""
    body = {"__annotations__": {one.name: one.type for one in dataclasses.fields(cls)}}
    for one in dataclasses.fields(cls):
        if one.default is not dataclasses.MISSING or one.default_factory is not dataclasses.MISSING:
            body[one.name] = field(  # type: ignore[call-overload]
                default=one.default, default_factory=one.default_factory, compare=one.compare, repr=one.repr
            )
    kw_only = any(one.kw_only for one in dataclasses.fields(cls))
    return dataclasses.dataclass(frozen=True, kw_only=kw_only)(type(cls.__name__, (), body))


@pytest.mark.parametrize(
    ("cls", "one", "other"),
    [
        (Base, {"start": 1}, {"start": 1, "end": 2}),
        (Word, {"start": 1, "text": "a", "hidden": "s"}, {"start": 1, "text": "b"}),
        (Named, {"name": "a"}, {"name": "a", "size": 1.0}),
    ],
)
def test_a_record_says_compares_and_hashes_as_the_standard_one(
    cls: Any, one: dict[str, Any], other: dict[str, Any]
) -> None:
    std = twin(cls)
    assert repr(cls(**one)) == repr(std(**one))
    assert cls(**one) == cls(**one) and cls(**one) != cls(**other) and cls(**one) != std(**one)
    assert hash(cls(**one)) == hash(std(**one))
    assert dataclasses.asdict(cls(**one)) == dataclasses.asdict(std(**one))
    assert dataclasses.replace(cls(**one), **other) == cls(**{**one, **other})
    assert cls.__match_args__ == std.__match_args__


def test_what_is_not_compared_or_shown_is_not() -> None:
    assert Word(1, parts=["a"]) == Word(1, parts=["b"])
    assert hash(Word(1, parts=["a"])) == hash(Word(1))
    assert "hidden" not in repr(Word(1, hidden="s"))


def test_each_record_has_a_list_of_its_own() -> None:
    assert Word(1).parts is not Word(1).parts


def test_a_record_cannot_be_changed_and_holds_nothing_else() -> None:
    for change in (
        lambda: setattr(Base(1), "end", 2),
        lambda: delattr(Base(1), "end"),
        lambda: setattr(Base(1), "x", 2),
    ):
        with pytest.raises(FrozenInstanceError):
            change()
    assert not hasattr(Word(1), "__dict__")


def test_a_record_that_is_not_frozen_can_be_changed_and_is_no_key() -> None:
    one = Open("a")
    one.words.append("x")
    one.name = "b"
    assert one == Open("b", ["x"]) and one != Open("a", ["x"]) and Open("a").words == []
    assert dataclasses.replace(one, name="c") == Open("c", ["x"]) and repr(one).endswith(
        "(name='b', words=['x'])"
    )
    with pytest.raises(TypeError):
        hash(one)
    with pytest.raises(AttributeError):
        one.other = 1  # type: ignore[attr-defined]


def test_only_the_beginning_of_a_record_is_compiled() -> None:
    assert Open.__eq__.__code__ is Base.__eq__.__code__ and Base.__hash__.__code__ is Word.__hash__.__code__


@pytest.mark.parametrize("make", [copy.copy, copy.deepcopy, _pickled])
def test_a_record_is_copied_whole(make: Callable[[Any], Any]) -> None:
    one = Word(1, 2, "a", ["b"], "c")
    assert make(one) == one and make(one).parts == ["b"]


def test_what_is_checked_behind_the_fields_is() -> None:
    with pytest.raises(ValueError, match="before the beginning"):
        Word(-1)


def test_missing_and_unknown_arguments_are_refused() -> None:
    for arguments in ({}, {"start": 1, "more": 2}):
        with pytest.raises(TypeError):
            Base(**arguments)
    with pytest.raises(TypeError):
        Named("a")  # type: ignore[misc]


def test_an_empty_record_is_one() -> None:
    assert Empty() == Empty() and repr(Empty()) == "Empty()" and hash(Empty()) == hash(())


def test_what_is_worked_out_and_what_all_share_is_no_argument() -> None:
    @dataclass(frozen=True, slots=True)
    class Call:
        words: str
        shared: ClassVar[list[int]] = []
        name: str = field(init=False, compare=False)

        def __post_init__(self) -> None:
            object.__setattr__(self, "name", self.words.split()[0])

    assert Call("ls -l").name == "ls" and Call("a").shared is Call("b").shared
    assert dataclasses.replace(Call("ls"), words="rm").name == "rm"
    with pytest.raises(TypeError):
        Call("ls", "ls")  # type: ignore[call-arg]


def test_nothing_is_compiled_before_a_record_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[type] = []
    compiled = records._compiled

    def watched(cls: type, fields: tuple[dataclasses.Field[Any], ...]) -> dict[str, Any]:
        asked.append(cls)
        return compiled(cls, fields)

    monkeypatch.setattr(records, "_compiled", watched)

    @dataclass(frozen=True, slots=True)
    class Late:
        name: str

    assert asked == []
    assert Late("a") == Late("a") and asked == [Late]


def test_what_is_rare_is_left_to_the_standard_decorator() -> None:
    @dataclass(frozen=True, slots=True)
    class Rare:
        given: InitVar[int] = 1
        size: int = field(default=0, init=False)

        def __post_init__(self, given: int) -> None:
            object.__setattr__(self, "size", given)

    @dataclass(frozen=True, slots=True)
    class Own:
        name: str

        def __eq__(self, other: object) -> bool:
            return isinstance(other, Own) and self.name.lower() == other.name.lower()

        __hash__ = None  # type: ignore[assignment]

    @dataclass(slots=True)
    class Open:
        count: int = 0

    assert Rare(given=3).size == 3
    assert Own("A") == Own("a")
    changed = Open()
    changed.count += 1
    assert changed == Open(1)
