"""When the local model answers: named, or wanted and nothing else there. Never by itself, never instead of another."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from terma.agent import local_model
from terma.agent.choosing import is_here
from terma.agent.engines import Choice, Engines
from terma.agent.local_model import LocalModel
from terma.agent.probe import Server
from terma.chat import ChatMessage, ChatRequest, ModelError, ModelSpec
from terma.config import Model, Settings
from terma.local import places
from terma.local.places import Installed

NOWHERE = Settings(local_ports=(9,))


@pytest.fixture(autouse=True)
def own(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is installed but what the test puts there."""
    (place / "run").mkdir(mode=0o700)
    monkeypatch.setenv("HOME", str(place))
    monkeypatch.setenv("TERMA_SOCKET", str(place / "run/agent.sock"))
    for name in ("DATA", "STATE"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(place / name.lower()))


def chosen(settings: Settings, found: tuple[Server, ...] = (), **environment: str) -> Choice:
    async def choose() -> Choice:
        engines = Engines()
        engines.probe.servers = found
        engines.probe.refresh = lambda _: None  # type: ignore[method-assign]
        engines.permitted.said = lambda _: True  # type: ignore[method-assign]
        return await engines.choose(settings, environment)

    return asyncio.run(choose())


def install(auto: bool) -> None:
    places.python().parent.mkdir(parents=True)
    places.python().touch()
    model = places.folder() / "small.gguf"
    model.write_bytes(b"GGUF")
    places.write_installed(Installed("1", str(model), "small", 4, "0" * 64, "here", auto))


def test_auto_leaves_it_alone_until_somebody_wanted_it() -> None:
    assert chosen(NOWHERE).engine == "offline"
    install(auto=False)
    assert chosen(NOWHERE).engine == "offline"
    install_again = places.installed()
    assert install_again is not None
    places.write_installed(replace(install_again, auto=True))
    choice = chosen(NOWHERE)
    assert (choice.engine, choice.auto) == ("local", True)
    assert choice.spec is not None
    assert choice.spec.name == "small (local)"
    assert is_here(choice.spec)


def test_keys_and_other_servers_come_first_in_auto() -> None:
    install(auto=True)
    assert chosen(NOWHERE, OPENAI_API_KEY="sk-x").why == "OPENAI_API_KEY is set"
    assert chosen(Settings(), (Server(11434, "Ollama", ("m",)),)).why == "Ollama answers on port 11434"


@pytest.mark.parametrize("settings", [Settings(engine="local"), Settings(model="local")])
def test_named_it_is_taken_whatever_else_is_there(settings: Settings) -> None:
    choice = chosen(settings, (Server(11434, "Ollama", ("m",)),), OPENAI_API_KEY="sk-x")
    assert (choice.engine, choice.auto) == ("local", False)
    assert choice.spec is not None
    assert choice.spec.api_key == ""


def test_it_may_be_fallen_back_to() -> None:
    settings = Settings(
        model="m", models={"m": Model(model="m", api_base="http://127.0.0.1:9")}, fallbacks=("local",)
    )
    assert [spec.provider for spec in chosen(settings).others] == ["local"]


def test_a_table_of_that_name_is_the_persons_own() -> None:
    own = Model(model="theirs", api_base="http://127.0.0.1:9/v1")
    choice = chosen(Settings(model="local", models={"local": own}))
    assert choice.spec is not None
    assert choice.spec.model == "theirs"


def test_what_is_set_and_not_installed_says_how_to_install_it() -> None:
    spec = chosen(Settings(model="local")).spec
    assert spec is not None

    async def ask() -> None:
        model = LocalModel()
        async for _ in model.chat(ChatRequest(spec=spec, messages=(ChatMessage("user", "hi"),))):
            pass

    with pytest.raises(ModelError) as caught:
        asyncio.run(ask())
    assert (caught.value.code, caught.value.hint) == ("not_installed", "terma local install")


@pytest.mark.parametrize(
    ("base", "here"),
    [
        ("unix:/run/x.sock", True),
        ("http://127.0.0.1:8080/v1", True),
        ("http://localhost:1234", True),
        ("http://[::1]:8080", True),
        ("https://api.openai.com/v1", False),
        ("http://10.127.0.1/v1", False),
        ("https://example.com/127.0.0.1", False),
        ("http://localhost.example.com/v1", False),
        ("http://127.0.0.1.example.com", False),
        ("http://127.0.0.1@example.com/v1", False),
        ("", False),
    ],
)
def test_a_model_is_here_where_its_address_is_this_machines_own(base: str, here: bool) -> None:
    assert is_here(ModelSpec(provider="any", model="m", api_base=base)) == here


@pytest.mark.parametrize(
    ("name", "small"),
    [
        ("qwen2.5-coder:0.5b", True),
        ("llama3.2:1b", True),
        ("gemma3:270m", True),
        ("SmolLM2-135M-Instruct", True),
        ("granite-3.1-1b-a400m-instruct", True),
        ("qwen2.5-coder:7b", False),
        ("qwen3-30b-a3b", False),
        ("gpt-4.1-mini", False),
        ("phi-3-mini-4k", False),
        ("claude-haiku-4-5", False),
        ("m", False),
    ],
)
def test_a_name_tells_a_small_model(name: str, small: bool) -> None:
    assert local_model.tells_small(name) is small
