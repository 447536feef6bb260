"""The compiled index: read from the cache, made again when it is broken, kept in memory when nothing can be written."""

from __future__ import annotations

from pathlib import Path

import pytest

from terma.offline import index
from terma.offline.compiler import compile_index, sources, stamp
from terma.offline.engine import Engine
from terma.offline.packed import Packed
from terma.types import Query
from tests.surroundings import with_knowledge


def own(place: Path, patch: pytest.MonkeyPatch) -> Path:
    """`place` as a cache without the knowledge; the tables, which take longer, are in it."""
    (with_knowledge(place) / "terma" / index.CACHED).unlink(missing_ok=True)
    patch.setenv("XDG_CACHE_HOME", str(place))
    patch.setenv("HOME", str(place))
    patch.setattr(index, "BESIDE", place / "no-index.bin")
    return place


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """What a first load writes. Compiled once: it takes seconds of a core."""
    with pytest.MonkeyPatch.context() as patch:
        place = own(tmp_path_factory.mktemp("compiled"), patch)
        assert works()
        return cached(place).read_bytes()


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache without knowledge."""
    return own(tmp_path, monkeypatch)


@pytest.fixture
def filled(cache: Path, compiled: bytes) -> Path:
    """A cache with what a first load writes."""
    file = index.cache_file(index.CACHED)
    assert file is not None
    file.write_bytes(compiled)
    return cache


def cached(cache: Path) -> Path:
    return next(cache.rglob(index.CACHED))


def works() -> bool:
    return Engine.load().answer(Query(words="extract a.tar.gz"))[0].command.startswith("tar -x")


def test_the_first_load_writes_a_cache_that_the_next_one_reads(filled: Path) -> None:
    written = cached(filled).stat().st_mtime_ns
    assert works()
    assert cached(filled).stat().st_mtime_ns == written


@pytest.mark.parametrize("broken", [b"", b"{", b'{"stamp": 1}', b"\xff\xfe", b"[]", b"null"])
def test_a_broken_cache_is_made_again(
    filled: Path, compiled: bytes, broken: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    cached(filled).write_bytes(broken)
    # the next test compiles it, in a process of its own
    monkeypatch.setattr(index, "compile_apart", lambda: bool(cached(filled).write_bytes(compiled)))
    assert works()
    assert cached(filled).read_bytes() == compiled


def test_a_cache_of_other_knowledge_is_not_used(filled: Path, compiled: bytes) -> None:
    file = cached(filled)
    key = compiled.split(b"\n", 2)[1]
    file.write_bytes(compiled.replace(key, key[::-1], 1))
    tables = [(path, path.stat().st_mtime_ns) for path in filled.rglob("offline-tables.bin")]
    assert works()
    assert file.read_bytes() == compiled
    assert all(path.stat().st_mtime_ns == before for path, before in tables)  # they are as they were


def test_without_a_writable_cache_the_engine_still_answers(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (cache / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(cache / "file" / "below"))
    assert works()


def test_every_build_gives_the_same_index(compiled: bytes) -> None:
    """`compiled` was made by another process, with another hash seed."""
    assert compiled == index.packed(compile_index(sources(), []), stamp(sources()))


def test_a_wheels_own_index_comes_first(filled: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    beside = filled / "index.bin"
    cached(filled).replace(beside)
    monkeypatch.setattr(index, "BESIDE", beside)
    assert works()
    assert not list(filled.rglob(index.CACHED))


def test_a_file_holds_what_was_compiled(compiled: bytes) -> None:
    mapped = index.Index.mapped(Packed(compiled))
    made = index.Index.of(compile_index(sources(), []))
    assert list(mapped.rows) == list(made.rows)
    assert list(mapped.lean) == list(made.lean)
    assert (mapped.weight, mapped.tools) == (made.weight, made.tools)
    for ours, theirs in ((mapped.say, made.say), (mapped.extra, made.extra)):
        assert {norm: list(numbers) for norm, numbers in ours.items()} == {
            norm: list(numbers) for norm, numbers in theirs.items()
        }
