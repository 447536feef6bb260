"""Saved conversations: whole, private, redacted before they come here, and safe from each other."""

from __future__ import annotations

import json
import multiprocessing
import os
import stat
import time
from pathlib import Path

import pytest

from terma.chat import ChatMessage, ToolCall, Usage
from terma.conversation import saved, saved_file
from terma.conversation.memory import Memory
from terma.errors import TermaError, UsageError

TURNS = (
    ChatMessage("user", "how many files?"),
    ChatMessage("assistant", "I look.", (ToolCall("c1", "run_command", '{"command": "ls"}'),)),
    ChatMessage("tool", "exit status 0", tool_call_id="c1"),
    ChatMessage("assistant", "Three: ä, 中, \U0001f600."),
)


def memory(*turns: ChatMessage) -> Memory:
    made = Memory("system", messages=turns or TURNS)
    made.used(Usage(10, 5, cost=0.5))
    return made


def kept(folder: Path, *turns: ChatMessage) -> str:
    """The id of a conversation that was saved and closed."""
    one = saved.new(folder)
    one.model = "m"
    one.save(memory(*turns))
    one.close()
    return one.id


def test_what_was_saved_comes_back(tmp_path):
    name = kept(tmp_path)
    found = saved.resume(tmp_path, name)
    fresh = Memory("another system")
    found.restore(fresh)
    assert tuple(fresh.messages) == TURNS
    assert fresh.totals.cost == 0.5
    assert fresh.system == "another system"
    assert found.model == "m"
    found.close()


def test_what_a_summary_stands_for_comes_back(tmp_path):
    made = memory()
    made.compact("three files")
    one = saved.new(tmp_path)
    one.save(made)
    one.close()
    fresh = Memory()
    saved.resume(tmp_path, one.id).restore(fresh)
    assert len(fresh.messages) == 2
    assert fresh.uncompact()
    assert tuple(fresh.messages) == TURNS


def test_it_is_for_its_owner_alone(tmp_path):
    folder = tmp_path / "state" / "conversations"
    name = kept(folder)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert stat.S_IMODE((folder / f"{name}.json").stat().st_mode) == 0o600


def test_nothing_is_written_before_the_first_turn_and_an_emptied_one_goes(tmp_path):
    one = saved.new(tmp_path)
    assert saved.listed(tmp_path) == []
    one.save(memory())
    assert len(saved.listed(tmp_path)) == 1
    one.save(Memory())
    assert saved.listed(tmp_path) == []
    one.close()
    assert list(tmp_path.iterdir()) == []


def test_the_list_has_the_newest_first_and_names_what_is_damaged(tmp_path):
    old = kept(tmp_path, ChatMessage("user", "old one"))
    file = tmp_path / f"{old}.json"
    file.write_text(file.read_text().replace('"updated": ', '"updated": 1.0, "was": '))
    new = kept(tmp_path, ChatMessage("user", "Data\n~~~~\nx\n~~~~\n\nnew\x1b[31m one"))
    (tmp_path / "20200101-000000-dead.json").write_text("{")
    (tmp_path / "other.json").write_text("{}")
    first, *rest = saved.listed(tmp_path)
    assert {one.id for one in (first, *rest)} == {old, new, "20200101-000000-dead"}
    by_id = {one.id: one for one in (first, *rest)}
    assert by_id[new].title == "new one"
    assert "damaged" in by_id["20200101-000000-dead"].problem
    assert saved.resume(tmp_path, "last").id == new  # neither says where it was asked


def test_the_beginning_or_the_end_of_an_id_will_do(tmp_path):
    name = kept(tmp_path)
    for wanted in (name, name[:15], name[-4:]):
        one = saved.resume(tmp_path, wanted)
        assert one.id == name
        one.close()


@pytest.mark.parametrize("wanted", ["nothing", "", "last", "../../etc/passwd", "*"])
def test_one_that_is_not_there_is_said(tmp_path, wanted):
    with pytest.raises(UsageError):
        saved.resume(tmp_path, wanted)
    with pytest.raises(UsageError):
        saved.resume(tmp_path / "none", wanted)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "\x00\xff",
        '{"version": 1}',
        '{"version": 1, "updated": 1, "messages": 3}',
        '{"version": 1, "updated": 1, "messages": [3]}',
        '{"version": 1, "updated": 1, "messages": [{"role": "king", "content": ""}]}',
        '{"version": 1, "updated": 1, "messages": [{"role": "user", "content": 7}]}',
        '{"version": 1, "updated": 1, "messages": [{"role": "assistant", "content": "", "tool_calls": [1]}]}',
        '{"version": 99, "updated": 1, "messages": []}',
        "[" * 100_000,
    ],
)
def test_a_damaged_file_is_a_clear_error(tmp_path, text):
    (tmp_path / "20200101-000000-dead.json").write_text(text)
    with pytest.raises(TermaError) as error:
        saved.resume(tmp_path, "20200101-000000-dead")
    assert "20200101-000000-dead" in error.value.message
    assert error.value.hint


def test_one_that_is_open_elsewhere_is_copied(tmp_path):
    name = kept(tmp_path)
    first = saved.resume(tmp_path, name)
    second = saved.resume(tmp_path, name)
    assert second.id != name
    assert second.copied_from == name
    second.save(memory(*TURNS, ChatMessage("user", "more")))
    assert saved_file.read(tmp_path / f"{name}.json").messages == TURNS
    first.close()
    third = saved.resume(tmp_path, name)
    assert third.id == name


def test_the_oldest_go_and_what_is_open_stays(tmp_path):
    names = [kept(tmp_path) for _ in range(4)]
    held = saved.resume(tmp_path, names[0])
    for number, name in enumerate(names):
        import os

        os.utime(tmp_path / f"{name}.json", (number, number))
    saved.prune(tmp_path, 2)
    assert {one.id for one in saved.listed(tmp_path)} == {names[0], names[2], names[3]}
    held.close()


def test_a_disk_that_fails_leaves_the_old_file(tmp_path, monkeypatch):
    name = kept(tmp_path)
    one = saved.resume(tmp_path, name)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(OSError, match="space"):
        one.save(memory(ChatMessage("user", "lost")))
    assert saved_file.read(tmp_path / f"{name}.json").messages == TURNS
    assert [file.name for file in tmp_path.iterdir() if file.name.endswith(".json")] == [f"{name}.json"]


def _many(folder: Path) -> None:
    for number in range(20):
        kept(folder, ChatMessage("user", f"question {number}"))


def test_many_processes_save_at_once(tmp_path):
    context = multiprocessing.get_context("spawn")
    workers = [context.Process(target=_many, args=(tmp_path,)) for _ in range(3)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(60)
        assert worker.exitcode == 0
    assert len(saved.listed(tmp_path)) == 60
    assert all(not one.problem for one in saved.listed(tmp_path))
    assert not [file for file in tmp_path.iterdir() if file.suffix != ".json"]


def test_a_name_that_is_taken_is_neither_used_nor_held(tmp_path, monkeypatch):
    taken = kept(tmp_path)
    monkeypatch.setattr(saved.time, "strftime", lambda _: taken.rpartition("-")[0])
    ends = iter([taken.rpartition("-")[2], "ffff" if not taken.endswith("ffff") else "0000"])
    monkeypatch.setattr(saved.randoms, "token_hex", lambda _: next(ends))
    one = saved.new(tmp_path)
    assert one.id != taken
    other = saved.resume(tmp_path, taken)
    assert not other.copied_from  # nobody holds it
    one.close()
    other.close()
    assert not [file for file in tmp_path.iterdir() if file.suffix != ".json"]


def test_surrogates_and_controls_are_written_as_they_can_be(tmp_path):
    name = kept(tmp_path, ChatMessage("user", "a\udc80b\x00c"))
    assert json.loads((tmp_path / f"{name}.json").read_bytes())["messages"][0]["content"] == "a?b\x00c"


def asked_in(folder: Path, shell: str, cwd: str, question: str, updated: float = 0.0) -> str:
    """The id of a conversation that `shell` asked in `cwd`, last written at `updated` (0: now)."""
    one = saved.new(folder)
    one.shell, one.cwd = shell, cwd
    one.save(memory(ChatMessage("user", question), ChatMessage("assistant", "So it is.")))
    one.close()
    if updated:
        file = folder / f"{one.id}.json"
        content = json.loads(file.read_text()) | {"updated": updated}
        file.write_text(json.dumps(content))
        os.utime(file, (updated, updated))
    return one.id


def test_last_is_of_this_shell_then_of_this_directory(tmp_path):
    now = time.time()
    mine = asked_in(tmp_path, "10-1", "/a", "mine", now - 900)
    there = asked_in(tmp_path, "20-1", "/b", "there", now - 600)
    asked_in(tmp_path, "30-1", "/c", "elsewhere", now - 300)
    assert saved.resume(tmp_path, "last", shell="10-1", cwd="/b").id == mine
    assert saved.resume(tmp_path, "last", shell="40-1", cwd="/b").id == there
    assert saved.resume(tmp_path, "last", shell="", cwd="/b").copied_from == there  # it is open above
    with pytest.raises(UsageError) as raised:
        saved.resume(tmp_path, "last", shell="40-1", cwd="/nowhere")
    assert "elsewhere" in raised.value.hint
    assert "5 min ago" in raised.value.hint
    assert "--resume" in raised.value.hint


def test_a_question_follows_up_only_what_its_own_shell_asked_a_moment_ago(tmp_path):
    now = time.time()
    asked_in(tmp_path, "10-1", "/a", "long ago", now - 3600)
    mine = asked_in(tmp_path, "10-1", "/a", "just now", now - 60)
    asked_in(tmp_path, "20-1", "/a", "another shell", now - 1)
    assert saved.followed(tmp_path, "10-1", 900) == mine
    assert saved.followed(tmp_path, "10-1", 30) == ""
    assert saved.followed(tmp_path, "10-2", 900) == ""  # the same number, another process
    assert saved.followed(tmp_path, "", 900) == ""
    assert saved.followed(tmp_path, "10-1", 0) == ""
