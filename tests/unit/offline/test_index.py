"""The compiled index: read from the cache, made again when it is broken, kept in memory when nothing can be written."""

from __future__ import annotations

from pathlib import Path

import pytest

from terma.offline import index
from terma.offline.engine import Engine
from terma.types import Query


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr(index, "BESIDE", tmp_path / "no-index.json")
    return tmp_path


def cached(cache: Path) -> Path:
    return next(cache.rglob("offline-index.json"))


def works() -> bool:
    return Engine.load().answer(Query(words="extract a.tar.gz"))[0].command.startswith("tar -x")


def test_the_first_load_writes_a_cache_that_the_next_one_reads(cache: Path) -> None:
    assert works()
    written = cached(cache).stat().st_mtime_ns
    assert works()
    assert cached(cache).stat().st_mtime_ns == written


@pytest.mark.parametrize("broken", [b"", b"{", b'{"stamp": 1}', b"\xff\xfe", b"[]", b"null"])
def test_a_broken_cache_is_made_again(cache: Path, broken: bytes) -> None:
    assert works()
    whole = cached(cache).read_bytes()
    cached(cache).write_bytes(broken)
    assert works()
    assert cached(cache).read_bytes() == whole


def test_a_cache_of_other_knowledge_is_not_used(cache: Path) -> None:
    assert works()
    file = cached(cache)
    whole = file.read_bytes()
    file.write_bytes(whole.replace(b'"stamp":"', b'"stamp":"0'))
    assert works()
    assert file.read_bytes() == whole


def test_without_a_writable_cache_the_engine_still_answers(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (cache / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(cache / "file" / "below"))
    assert works()


def test_every_build_gives_the_same_index(cache: Path) -> None:
    assert works()  # compiled in another process, with another hash seed
    from terma.offline.compiler import compile_index, sources, stamp

    here = index.to_json(compile_index(sources(), []) | {"stamp": stamp(sources())})
    assert cached(cache).read_text(encoding="utf-8") == here


def test_a_wheels_own_index_comes_first(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert works()
    beside = cache / "index.json"
    cached(cache).replace(beside)
    monkeypatch.setattr(index, "BESIDE", beside)
    assert works()
    assert not list(cache.rglob("offline-index.json"))
