"""A directory's environment chooses names and numbers; where words and keys go it cannot say, field by field."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import pytest

from terma.config import whose
from terma.config.layers import load, variable, whose_is
from terma.config.settings import KEY_SOURCES, Model, Settings
from terma.errors import ConfigError

# What may never be said by a variable, by the last part of its name: a new key of such a name has no other choice.
GUARDED = {*KEY_SOURCES, "api_base", "headers", "proxy", "ca_file", "address", "token_env", "secrets", "kind"}


def every(table: Any = Settings, above: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Every setting there is, with its field; a model has the name `m`."""
    for field in fields(table):
        path = (*above, field.name)
        if path == ("models",):
            assert field.metadata[whose.KEY] == "table"
            yield from every(Model, ("models", "m"))
        elif is_dataclass(field.default_factory):
            assert field.metadata[whose.KEY] == "table", path
            yield from every(field.default_factory, path)
        else:
            yield path, field


@pytest.fixture
def file(tmp_path: Path) -> Path:
    (tmp_path / "config.toml").write_text('[models.m]\nmodel = "tiny"\n')
    return tmp_path / "config.toml"


def test_every_setting_says_whose_it_is():
    found = dict(every())
    assert len(found) > 60
    for path, field in found.items():
        said = field.metadata.get(whose.KEY)
        assert said in ("anyone", "person") or callable(said), f"{'.'.join(path)} does not say whose it is"
        assert whose_is(path) == said


def test_what_leads_elsewhere_is_the_person_s_alone():
    for path, field in every():
        if path[-1] in GUARDED:
            assert field.metadata[whose.KEY] == "person", path


@pytest.mark.parametrize("path", [path for path, field in every() if field.metadata[whose.KEY] == "person"])
def test_a_variable_that_is_the_person_s_is_refused_by_its_name(file: Path, path: tuple[str, ...]):
    with pytest.raises(ConfigError) as caught:
        load(file, {variable(path): "x"})
    assert variable(path) in caught.value.message
    assert variable(path) in caught.value.hint and str(file) in caught.value.hint


@pytest.mark.parametrize(
    ("text", "said", "path", "kept"),
    [
        ("", {"TERMA_PRIVACY__OUTPUT": "false"}, "privacy.output", False),
        ("[privacy]\noutput = false\n", {"TERMA_PRIVACY__OUTPUT": "true"}, "privacy.output", False),
        ("", {"TERMA_CONVERSATION__READ_FREELY": "true"}, "conversation.read_freely", False),
        ("", {"TERMA_LIMITS__DAILY_TOKENS": "10"}, "limits.daily_tokens", 10),
        ("[limits]\ndaily_tokens = 5\n", {"TERMA_LIMITS__DAILY_TOKENS": "10"}, "limits.daily_tokens", 5),
        ("[limits]\ndaily_tokens = 5\n", {"TERMA_LIMITS__DAILY_TOKENS": "0"}, "limits.daily_tokens", 5),
        ("", {"TERMA_LOCAL_PORTS": "9999"}, "local_ports", ()),
        ("", {"TERMA_LOCAL_PORTS": "8080"}, "local_ports", (8080,)),
        ("", {"TERMA_EYES__POLICY__DENY": "rm"}, "eyes.policy.deny", ("rm",)),
        ("", {"TERMA_EYES__POLICY__ALLOW": "ls"}, "eyes.policy.allow", ()),
        ("", {"TERMA_EYES__POLICY__RISK": "medium"}, "eyes.policy.risk", "medium"),
        (
            '[eyes.policy]\nrisk = "medium"\n',
            {"TERMA_EYES__POLICY__RISK": "high"},
            "eyes.policy.risk",
            "medium",
        ),
    ],
)
def test_a_variable_makes_stricter_and_never_looser(
    file: Path, text: str, said: dict[str, str], path: str, kept: object
):
    file.write_text(text)
    found = load(file, said)
    here: Any = found.settings
    for part in path.split("."):
        here = getattr(here, part)
    assert here == kept


def test_names_and_numbers_may_be_chosen_anywhere(file: Path):
    said = {"TERMA_MODEL": "m", "TERMA_RETRIES": "0", "TERMA_MODELS__M__TEMPERATURE": "0.5"}
    found = load(file, said)
    assert (found.settings.model, found.settings.models["m"].temperature, found.ignored) == ("m", 0.5, ())
