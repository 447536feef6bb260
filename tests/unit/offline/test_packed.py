"""Packed tables say what was packed, whatever the names, and a run that is broken is refused."""

from __future__ import annotations

import mmap
import sys
from array import array
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from terma.offline import index, tables
from terma.offline.cases.memory import Memory
from terma.offline.engine import Engine
from terma.offline.packed import Packed, Writer, let_go
from terma.offline.trust.association import Association
from terma.offline.trust.pairing import Pairing
from terma.types import Query
from tests.surroundings import CACHE

NAMES = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)


@given(st.dictionaries(NAMES, NAMES), st.dictionaries(NAMES, st.floats(allow_nan=False)), st.sets(NAMES))
def test_what_was_packed_is_found_by_its_name_and_nothing_else_is(
    texts: dict[str, str], numbers: dict[str, float], others: set[str]
) -> None:
    writer = Writer()
    writer.texts_by("texts", texts)
    writer.numbers_by("numbers", numbers)
    writer.lists_by("lists", {name: array("H", range(len(text))) for name, text in texts.items()})
    run = Packed(writer.packed("made of this"), "made of this")
    found, counted, lists = run.texts_by("texts"), run.numbers_by("numbers"), run.lists_by("lists")
    assert dict(found) == texts and list(found) == list(texts) and dict(counted) == numbers
    assert {name: list(row) for name, row in lists.items()} == {
        n: list(range(len(t))) for n, t in texts.items()
    }
    for name in others - set(texts):
        assert name not in found and found.get(name) is None and found.get(name, "?") == "?"
        with pytest.raises(KeyError):
            found[name]


def test_more_than_is_kept_of_lookups_is_still_found() -> None:
    writer = Writer()
    writer.numbers_by("much", {f"name {n}": n / 7 for n in range(3000)})
    much = Packed(writer.packed("")).numbers_by("much")
    for _ in range(2):
        assert all(much[f"name {n}"] == n / 7 and f"none {n}" not in much for n in range(3000))


@pytest.fixture(scope="module")
def packed() -> bytes:
    """The shipped tables, as `terma.offline --compile` packed them for all tests where it did."""
    ours = Path(CACHE, "terma", tables.CACHED)
    return ours.read_bytes() if tables.holds(ours, tables.stamp()) else tables.packed(tables.stamp())


@pytest.mark.parametrize("size", [0, 1, 15, 40, 200, 5000, 100000, -1])
def test_a_run_that_is_cut_off_is_refused(packed: bytes, size: int) -> None:
    with pytest.raises(ValueError):
        Packed(packed[:size])


def test_a_run_of_something_else_is_refused(packed: bytes) -> None:
    with pytest.raises(ValueError, match="something else"):
        Packed(packed, "another stamp")


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where tables are cached: nothing yet."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(tables, "BESIDE", tmp_path / "no-tables.bin")
    monkeypatch.setattr(tables, "opened", tables.opened.__wrapped__)
    file = index.cache_file(tables.CACHED)
    assert file is not None
    file.parent.mkdir(parents=True)
    return file


@pytest.mark.parametrize(
    "broken", [b"", b"{", b"terma-tables 1\n", b"terma-tables 1\n\n[]", b"terma-tables 1\nx\nnull\n"]
)
def test_broken_tables_are_made_again(
    cache: Path, packed: bytes, broken: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache.write_bytes(broken)
    monkeypatch.setattr(index, "compile_apart", lambda: bool(cache.write_bytes(packed)))
    assert Memory.read(tables.opened()).rows[0] == Memory.load().rows[0]


def test_a_wheels_own_tables_come_first(cache: Path, packed: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    beside = cache.with_name("beside.bin")
    beside.write_bytes(packed)
    monkeypatch.setattr(tables, "BESIDE", beside)
    monkeypatch.setattr(index, "compile_apart", lambda: pytest.fail("there is nothing to compile"))
    assert Association.load().knows("file") and not cache.exists()


def test_without_a_place_for_a_cache_they_are_made_in_memory(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(index, "cache_file", lambda name: None)
    assert Pairing.load() is not None and not cache.exists()


def test_without_the_trained_files_the_engine_answers_from_its_knowledge(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("MEMORY", "ASSOCIATION", "PAIRING"):
        monkeypatch.setattr(tables, name, cache.with_name("gone.json"))
    monkeypatch.setattr(index, "compile_apart", lambda: False)
    assert not Memory.load().rows and Pairing.load() is None and not Association.load().knows("file")
    assert Engine(index.load()).explain(Query(words="extract a.tar.gz"))
    with pytest.raises(OSError, match="gone"):
        tables.opened()


def test_a_mapped_file_may_be_replaced_while_it_is_in_use(cache: Path, packed: bytes) -> None:
    cache.write_bytes(packed)
    with cache.open("rb") as file:
        run = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    before, memory = list(Memory.read(Packed(packed)).rows), Memory.read(Packed(run))
    cache.with_name("new").write_bytes(b"another")
    cache.with_name("new").replace(cache)
    assert list(memory.rows) == before


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_what_is_let_go_is_held_no_more_and_read_again_when_it_is_touched(tmp_path: Path) -> None:
    writer = Writer()
    writer.numbers("many", array("d", [0.5]) * 500_000)
    path = tmp_path / "tables"
    path.write_bytes(writer.packed(""))
    with path.open("rb") as file:
        run = Packed(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
    assert sum(run.numbers("many")) == 250_000 and held(path) > 3_000
    run.let_go()
    assert held(path) == 0
    assert sum(run.numbers("many")) == 250_000


def held(path: Path) -> int:
    """Kilobytes of the file that are in this process's memory."""
    _, _, behind = Path("/proc/self/smaps").read_text(encoding="ascii").partition(f"{path}\n")
    return int(behind.partition("Rss:")[2].split()[0])


def test_what_is_not_mapped_is_kept_and_an_engine_answers_as_before_when_it_has_rested() -> None:
    let_go(memoryview(b"kept"))
    engine, query = Engine.load(), Query(words="show free disk space", os="linux")
    said = engine.answer(query)
    engine.rest()
    assert engine.answer(query) == said != []
