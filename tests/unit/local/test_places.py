"""What is written down of the local model is believed only as far as it is so."""

from __future__ import annotations

import fcntl
import os
from dataclasses import replace
from pathlib import Path

import pytest

from terma.agent import local_model
from terma.local import installing, places, process
from terma.local.places import Installed, LocalError, Running
from tests.real_model import LOCK


@pytest.fixture
def own(place: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Directories of this test's own; what is running in them is written down by the test."""
    (place / "run").mkdir(mode=0o700)
    monkeypatch.setenv("TERMA_SOCKET", str(place / "run/agent.sock"))
    for name in ("DATA", "STATE"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(place / name.lower()))
    monkeypatch.setenv("HOME", str(place))
    return place


def whole() -> Installed:
    places.python().parent.mkdir(parents=True)
    places.python().touch()
    model = places.folder() / "models/a.gguf"
    model.parent.mkdir()
    model.write_bytes(b"GGUF")
    return Installed("1", str(model), "a", 4, "0" * 64, "here")


def test_nothing_is_installed_at_first(own: Path) -> None:
    assert places.installed() is None
    assert places.running() is None
    assert not process.stop()


def test_what_was_noted_counts_while_its_files_are_there(own: Path) -> None:
    what = whole()
    places.write_installed(what)
    assert places.installed() == what
    Path(what.model).unlink()
    assert places.installed() is None


@pytest.mark.parametrize("text", ["", "{", "[]", '{"runtime": "1"}', '{"surprise": 1}'])
def test_a_note_that_is_not_ours_is_no_installation(own: Path, text: str) -> None:
    places.write_installed(whole())
    (places.folder() / "installed.json").write_text(text)
    assert places.installed() is None


def test_a_server_runs_while_it_holds_its_lock(own: Path) -> None:
    places.state_path().write_text('{"pid": 1, "base": "unix:/a", "key": "", "model": "m"}')
    places.lock_path().write_text("1")
    assert places.running() is None  # it was killed, and its file stayed
    with places.lock_path().open("r+") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        assert places.running() == Running(1, "unix:/a", "", "m")
    assert places.running() is None


def test_a_lock_behind_a_symbolic_link_is_not_looked_at(own: Path) -> None:
    (own / "elsewhere").touch()
    places.lock_path().symlink_to(own / "elsewhere")
    with (own / "elsewhere").open("r+") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        assert not places.held()


def test_remove_takes_all_of_it(own: Path) -> None:
    places.write_installed(whole())
    installing.remove()
    assert not places.folder().exists()


def test_a_linked_model_counts_nothing_and_survives_the_removal(own: Path) -> None:
    what = whole()
    os.link(what.model, own / "mine.gguf")
    assert installing.size_of(places.folder()) == 0
    installing.remove()
    assert (own / "mine.gguf").read_bytes() == b"GGUF"


def test_uninstall_names_the_model_on_its_own(own: Path) -> None:
    from terma.commands.uninstall import traces

    assert "local model" not in [trace.what for trace in traces()]
    places.write_installed(whole())
    assert ("local model", str(places.folder())) in [(trace.what, trace.where) for trace in traces()]


def test_memory_of_a_process_that_is_gone_is_unknown() -> None:
    assert places.memory(os.getpid()) > 1_000_000
    assert places.memory(2**30) == 0


def test_the_locks_name_what_the_tests_run() -> None:
    ours = installing.MODEL.read_text(encoding="utf-8") + installing.RUNTIME.read_text(encoding="utf-8")
    assert ours == LOCK.read_text(encoding="utf-8")
    assert "://" not in ours


def test_limits_are_what_the_server_tells(own: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole()
    before = local_model.spec()
    assert before.max_tokens == 0
    told = Running(1, "unix:/a", "", "m", context=32768, parameters=3_000_000_000)
    monkeypatch.setattr(places, "running", lambda: told)
    assert local_model.context() == 32768
    assert local_model.spec().max_tokens == 8192
    assert local_model._spec(before, told).max_tokens == 8192  # asked before the server ran
    assert local_model._spec(replace(before, max_tokens=1), told).max_tokens == 1
    assert not local_model.spec().small
    monkeypatch.setattr(places, "running", lambda: replace(told, parameters=135_000_000))
    assert local_model.spec().small


@pytest.mark.parametrize(
    ("model", "said"),
    [
        ("nowhere.gguf", "there is no file"),
        (__file__, "no GGUF model"),
        ("http://host/a.gguf", "over https alone"),
        ("https://host/a.gguf", "needs the file's hash"),
    ],
)
def test_no_runtime_is_fetched_for_a_model_that_cannot_be(
    own: Path, monkeypatch: pytest.MonkeyPatch, model: str, said: str
) -> None:
    told: list[str] = []
    monkeypatch.setattr(installing, "_pip", told.extend)
    with pytest.raises(LocalError, match=said):
        installing.install(model, None, told.append, lambda *_: None)
    assert told == []
    assert not (places.folder() / "env").exists()
