"""The Python codec against the hostile vectors, and its refusals."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from terma import wire
from terma.errors import ProtocolError
from tests.unit.vectors import Vector, load

VECTORS = load()


def text_of(vector: Vector) -> str:
    return vector.text.decode("utf-8", "surrogateescape")


def field_of(vector: Vector) -> str:
    return vector.field.decode("utf-8", "surrogateescape")


def test_there_are_at_least_forty_hostile_vectors() -> None:
    assert len(VECTORS) >= 40
    assert len({vector.name for vector in VECTORS}) == len(VECTORS)
    assert any(len(vector.text) >= 60 * 1024 for vector in VECTORS)


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector.name)
def test_a_vector_is_encoded_as_the_file_says(vector: Vector) -> None:
    assert wire.encode_field(text_of(vector)) == field_of(vector)


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector.name)
def test_a_vector_is_decoded_as_the_file_says(vector: Vector) -> None:
    expected = text_of(vector).replace("\0", "") if vector.drop else text_of(vector)
    assert wire.decode_field(field_of(vector)) == expected


@given(
    st.lists(
        st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"])), min_size=1, max_size=6
    )
)
def test_any_text_survives_a_frame(fields: list[str]) -> None:
    fields[0] = fields[0] or "kind"
    assert wire.decode(wire.encode(*fields)) == tuple(fields)


def test_a_lone_surrogate_cannot_break_the_wire() -> None:
    assert wire.decode(wire.encode("delta", "a\ud800b")) == ("delta", "a\ufffdb")


@given(st.binary(max_size=300))
def test_bytes_from_anywhere_are_decoded_or_refused_and_nothing_else(data: bytes) -> None:
    try:
        fields = wire.decode(data)
    except ProtocolError:
        return
    assert wire.encode(*fields) == data.removesuffix(b"\n") + b"\n"


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"\n",
        b".",
        b"hello",
        b"hello\x1f1",
        b"\x1f.",
        b"hello\x1f1\x1f.x",
        b"a\rb\x1f.",
        b"a\x1b[0m\x1f.",
        b"a\\x41\x1f.",
        b"a\\0777\x1f.",
        b"a\\07\x1f.",
        b"a\\",
        b"x" * 70_000 + b"\x1f.",
    ],
)
def test_a_frame_outside_the_grammar_is_refused(line: bytes) -> None:
    with pytest.raises(ProtocolError):
        wire.decode(line)


def test_an_oversized_frame_is_not_written() -> None:
    with pytest.raises(ProtocolError, match="over the limit"):
        wire.encode("ask", "x" * wire.MAX_FRAME)


def test_keyed_fields_round_trip_and_leave_out_the_empty() -> None:
    fields = wire.unkeyed({"buffer": "a=b", "cwd": "/home/me", "status": ""})
    assert fields == ["buffer=a=b", "cwd=/home/me"]
    assert wire.keyed(fields) == {"buffer": "a=b", "cwd": "/home/me"}


@pytest.mark.parametrize("field", ["", "nokey", "=value"])
def test_a_request_field_without_a_key_is_refused(field: str) -> None:
    with pytest.raises(ProtocolError):
        wire.keyed([field])
