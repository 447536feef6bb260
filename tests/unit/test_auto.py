"""What `auto` finds may answer only where the person said so, about this address and whoever is behind it."""

from __future__ import annotations

import asyncio
import os
import socket
from dataclasses import replace
from pathlib import Path

import pytest

from terma import backends
from terma.agent import found
from terma.agent.engines import Engines
from terma.agent.found import Finding, hosted, served
from terma.agent.permitted import Permitted
from terma.agent.probe import Server
from terma.chat import ModelError
from terma.config import Model, Settings
from terma.installed import adding
from terma.machine import ports
from terma.machine.ports import Listening, listening_on, program_of

SERVER = Server(8080, "llama.cpp", ("tiny-coder",))
ME = os.geteuid()
STRANGER = 4321 if ME != 4321 else 4322


@pytest.fixture
def permitted(tmp_path: Path) -> Permitted:
    return Permitted(tmp_path / "state" / "permitted.json")


def one(permitted: Permitted, who: Listening | None, monkeypatch: pytest.MonkeyPatch) -> Finding:
    monkeypatch.setattr(found, "listening_on", lambda _port: who)
    monkeypatch.setattr(found, "_program", lambda who: f"/opt/server-of-{max(who.uids)}")
    (finding,) = served((SERVER,), permitted, (8080,))
    return finding


def listening(*uids: int) -> Listening:
    return Listening(frozenset(uids), frozenset({f"socket:[{sum(uids)}]"}))


def test_a_server_of_mine_is_asked_about_once(permitted, monkeypatch):
    asked = one(permitted, listening(ME), monkeypatch)
    assert asked.state == "asked"
    assert "terma models --allow 127.0.0.1:8080" in asked.note
    assert "your words" in asked.question and "llama.cpp" in asked.question
    permitted.say(asked.key, True, asked.question)
    assert one(permitted, listening(ME), monkeypatch).state == "allowed"
    permitted.say(asked.key, False, asked.question)
    denied = one(permitted, listening(ME), monkeypatch)
    assert (denied.state, denied.note) == ("denied", "")


def test_another_person_s_is_never_taken_up(permitted, monkeypatch):
    barred = one(permitted, listening(STRANGER), monkeypatch)
    permitted.say(barred.key, True, "")
    again = one(permitted, listening(STRANGER), monkeypatch)
    assert (again.state, again.spec) == ("barred", None)
    assert one(permitted, listening(ME, STRANGER), monkeypatch).state == "barred"
    assert one(permitted, Listening(frozenset({ME, 33}), frozenset()), monkeypatch).state == "barred"


def test_a_service_s_has_to_be_named(permitted, monkeypatch):
    monkeypatch.setattr(found, "PERSONS", 5000)
    named = one(permitted, listening(STRANGER), monkeypatch)
    assert named.state == "named"
    assert "user 4321" in named.note and "--allow" in named.note
    permitted.say(named.key, True, named.question)
    assert one(permitted, listening(STRANGER), monkeypatch).state == "allowed"


def test_an_answer_is_about_who_listens_and_not_about_the_port(permitted, monkeypatch):
    asked = one(permitted, listening(0), monkeypatch)
    permitted.say(asked.key, True, "")
    assert one(permitted, listening(0), monkeypatch).state == "allowed"
    assert (
        one(permitted, None, monkeypatch).state == "asked"
    )  # where it cannot be told, it is another question
    monkeypatch.setattr(found, "_program", lambda who: "/tmp/another")
    monkeypatch.setattr(found, "listening_on", lambda _port: listening(0))
    assert next(served((SERVER,), permitted, (8080,))).state == "asked"


def test_a_port_that_the_settings_no_longer_name_is_not_asked(permitted):
    assert list(served((SERVER,), permitted, ())) == []


def test_a_key_is_asked_about_and_another_key_again(permitted):
    (asked,) = hosted({"OPENAI_API_KEY": "sk-mine"}, permitted)
    assert asked.state == "asked"
    assert "sk-mine" not in asked.key + asked.question + asked.note
    permitted.say(asked.key, True, asked.question)
    assert next(hosted({"OPENAI_API_KEY": "sk-mine"}, permitted)).state == "allowed"
    assert next(hosted({"OPENAI_API_KEY": "sk-of-a-directory"}, permitted)).state == "asked"


@pytest.mark.parametrize("name", ["openai/gpt-4.1", "OpenAI/gpt-4.1"])
def test_a_service_and_a_key_that_variables_name_are_asked_about(permitted, name: str):
    engines, settings, keys = Engines(), Settings(model=name), {"OPENAI_API_KEY": "sk-x"}
    engines.permitted = permitted
    choose = engines.choose
    assert asyncio.run(choose(settings, keys)).spec.api_key == "sk-x"  # the person's own file names it
    with pytest.raises(ModelError, match="a directory can set both"):
        asyncio.run(choose(settings, keys, frozenset({name})))
    (asked,) = hosted(keys, permitted)
    permitted.say(asked.key, True, asked.question)
    assert asyncio.run(choose(settings, keys, frozenset({name}))).spec.api_key == "sk-x"
    with pytest.raises(ModelError, match="a directory can set both"):
        asyncio.run(choose(settings, {"OPENAI_API_KEY": "sk-another"}, frozenset({name})))


def test_a_variable_may_choose_among_the_person_s_own_models(permitted):
    engines = Engines()
    engines.permitted = permitted
    own = Model(model="m", api_base="http://127.0.0.1:9/v1", api_key="mine")
    settings = Settings(model="openai", models={"openai": own})
    for name in ("openai", "openai/other"):
        chosen = asyncio.run(
            engines.choose(replace(settings, model=name), {"OPENAI_API_KEY": "sk-x"}, frozenset({name}))
        )
        assert (chosen.spec.api_key, chosen.spec.api_base) == ("mine", "http://127.0.0.1:9/v1")


def test_a_service_that_needs_a_missing_package_says_how_to_add_it(permitted, monkeypatch):
    monkeypatch.setattr(backends, "find_spec", lambda _name: None)
    (missing,) = hosted({"ANTHROPIC_API_KEY": "sk-x"}, permitted)
    assert missing.state == "missing"
    assert "ANTHROPIC_API_KEY is set" in missing.note and adding("litellm") in missing.note


def test_a_damaged_file_allows_nothing(permitted, tmp_path):
    (tmp_path / "state").mkdir()
    for text in ("", "[]", "{", '{"a": 1}', '{"a": {"allowed": 1}}'):
        (tmp_path / "state/permitted.json").write_text(text)
        assert not permitted.said("a")


@pytest.mark.parametrize(
    ("prefix", "words"),
    [
        ("/home/me/.local/share/pipx/venvs/xontrib-terma", "pipx inject xontrib-terma litellm"),
        ("/home/me/.local/share/uv/tools/xontrib-terma", "uv tool install xontrib-terma --with litellm"),
        ("/home/me/venv", "/home/me/venv/bin/python -m pip install litellm"),
    ],
)
def test_the_words_that_add_a_package_are_those_of_this_installation(prefix: str, words: str):
    assert adding("litellm", prefix) == words


def test_an_environment_of_uv_has_no_pip(tmp_path: Path):
    (tmp_path / "pyvenv.cfg").write_text("home = /usr\nuv = 0.9\n")
    assert adding("litellm", str(tmp_path)).startswith("uv pip install --python ")


@pytest.mark.parametrize(("family", "address"), [(socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::")])
def test_the_kernel_tells_who_listens(family: socket.AddressFamily, address: str):
    with socket.socket(family) as server:
        server.bind((address, 0))
        port = server.getsockname()[1]
        assert listening_on(port) is None
        server.listen()
        who = listening_on(port)
        assert who is not None and who.uids == frozenset({ME})
        assert program_of(who) == os.readlink("/proc/self/exe")  # noqa: PTH115
    assert listening_on(port) is None


def test_a_descriptor_that_is_closed_meanwhile_hides_no_other(tmp_path: Path):
    files = tmp_path / "7" / "fd"
    files.mkdir(parents=True)
    (tmp_path / "7" / "comm").write_text("serve\n")
    (files / "3").write_text("")  # no link: reading it fails as that of a closed one does
    (files / "4").symlink_to("socket:[77]")
    (tmp_path / "7" / "exe").symlink_to("/usr/bin/serve")
    (tmp_path / "net").mkdir()
    row = "   0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000  5 0 77 1\n"
    (tmp_path / "net/tcp").write_text("  sl  local_address\n" + row)
    who = listening_on(8080, str(tmp_path))
    assert who is not None and program_of(who, str(tmp_path)) == "/usr/bin/serve"


def test_only_what_a_connection_to_this_machine_reaches_counts(tmp_path: Path):
    table = "  sl  local_address rem_address   st tx rx tr tm retrnsmt   uid\n"
    row = "   0: {} 00000000:0000 0A 00000000:00000000 00:00000000 00000000  {} 0 77 1\n"
    (tmp_path / "net").mkdir()
    other = table + row.format("0500000A:1F90", 5) + row.format("0100007F:1F91", 6)
    (tmp_path / "net/tcp").write_text(other)
    assert listening_on(8080, str(tmp_path)) is None
    (tmp_path / "net/tcp").write_text(other + row.format("00000000:1F90", 7))
    who = listening_on(8080, str(tmp_path))
    assert who == ports.Listening(frozenset({7}), frozenset({"socket:[77]"}))
