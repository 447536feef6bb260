"""From file and environment to settings, each value with its origin; every error names the place to look at.

Imports pydantic: run it in a process that may be heavy (the command `terma config`, or a child of the agent).
"""

from __future__ import annotations

import json
import re
import stat
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from terma.config import whose
from terma.config.faults import copied, leaves, validated
from terma.config.settings import Model, Settings
from terma.config.toml_lines import Path_, lines_of
from terma.errors import ConfigError

PREFIX = "TERMA_"
# Variables of ours that are no settings: where things are, and what a shell hands over.
OTHERS = re.compile(
    r"TERMA_(KEY|SOCKET|BIN|DISABLE|DEBUG|ENV|VERBOSE_DEPS|SCRIPT|IDLE_SECONDS|RECORDING|TERMINAL_VARIABLES|(WHY|LAST|TEST|XONSH)_.*)\Z"
)
_LISTS = {
    *(("fallbacks",), ("local_ports",), ("conversation", "allow")),
    *(("eyes", "policy", "allow"), ("eyes", "policy", "deny"), ("eyes", "camera", "crop")),
    ("eyes", "screen", "corners"),
}


@dataclass(frozen=True, slots=True)
class Loaded:
    """Settings and where each value that is not a default came from: ("timeouts", "connect") → "config.toml:7".

    `ignored` names the variables that would have loosened what they may only tighten."""

    settings: Settings
    origins: Mapping[Path_, str]
    ignored: tuple[str, ...] = ()


def load(file: Path, environment: Mapping[str, str], flags: Mapping[str, Any] | None = None) -> Loaded:
    """The settings in `file` (none when it does not exist), over them the TERMA_ variables of `environment`, over
    them `flags` ({"model": "…"}). Raises ConfigError with file, line, key and what was expected, and for a variable
    that says what only the person's file may say: to answer without it could send words where nobody wanted them."""
    values, origins = _read(file)
    own = dict(origins)
    only = copied(values)
    rules: dict[Path_, whose.Rule] = {}
    for path, value in leaves(from_environment(environment)):
        said = whose_is(path)
        if callable(said):
            rules[path] = said
        elif said != "anyone":
            raise ConfigError(
                f"{variable(path)}: only your own file sets {'.'.join(path)}; a directory can set variables",
                f"unset {variable(path)}, and put it into {file}",
            )
        _put(values, path, value)
        _comes_from(origins, path, variable(path))
    for path, value in leaves(dict(flags or {})):
        _put(values, path, value)
        _comes_from(origins, path, "flag")
    settings = validated(values, origins, file)
    if not rules:
        return Loaded(settings, origins)
    return _tightened(settings, validated(only, own, file), rules, origins)


def _comes_from(origins: dict[Path_, str], path: Path_, origin: str) -> None:
    """Note who said the key at `path`; what else was said of it, or in it, does not hold any more."""
    for other in [known for known in origins if known[: len(path)] == path]:
        del origins[other]
    origins[path] = origin


def _tightened(
    settings: Settings, own: Settings, rules: Mapping[Path_, whose.Rule], origins: dict[Path_, str]
) -> Loaded:
    """`settings` with what `rules` leave of the variables that may only be stricter than `own`, the file's."""
    ignored = []
    for path, rule in rules.items():
        said, kept = _at(settings, path), rule(_at(own, path), _at(settings, path))
        if kept != said:
            ignored.append(origins.pop(path))
            settings = _with(settings, path, kept)
    return Loaded(settings, origins, tuple(ignored))


def whose_is(path: Path_) -> str | whose.Rule:
    """Who may set the key at `path`: "anyone", "person", or the rule that keeps a variable from loosening it.

    "anyone" as well for what is no setting, so that the check of names says what is wrong with it."""
    here: Any = Settings
    for number, part in enumerate(path):
        found = {field.name: field for field in fields(here)}.get(part)
        if found is None:
            return "anyone"
        said: str | whose.Rule = found.metadata.get(whose.KEY, "person")
        if said != "table":
            return said
        if (here, part) == (Settings, "models"):
            here = Model
            return whose_is_of(here, path[number + 2 :])
        here = found.default_factory
    return "anyone"


def whose_is_of(table: Any, path: Path_) -> str | whose.Rule:
    """The same for the rest of a path, below a table with a name of the person's choice."""
    found = {field.name: field for field in fields(table)}.get(path[0]) if path else None
    return "anyone" if found is None else found.metadata.get(whose.KEY, "person")


def _at(settings: Any, path: Path_) -> Any:
    for part in path:
        settings = getattr(settings, part)
    return settings


def _with(settings: Any, path: Path_, value: Any) -> Any:
    name, *below = path
    inner = _with(getattr(settings, name), tuple(below), value) if below else value
    return replace(settings, **{name: inner})


def from_environment(environment: Mapping[str, str]) -> dict[str, Any]:
    """TERMA_TIMEOUTS__CONNECT=3 as {"timeouts": {"connect": "3"}}; lists as JSON or with commas. Names that are no
    settings are left out."""
    layer: dict[str, Any] = {}
    top = {field.name: field for field in fields(Settings)}
    for name, value in environment.items():
        if not name.startswith(PREFIX) or OTHERS.match(name):
            continue
        path = tuple(part.lower() for part in name.removeprefix(PREFIX).split("__"))
        if path[0] in top and all(path):
            _put(layer, path, _value(path, value))
    return layer


def variable(path: Path_) -> str:
    """The name of the variable that sets the key at `path`."""
    return PREFIX + "__".join(part.upper() for part in path)


def _read(file: Path) -> tuple[dict[str, Any], dict[Path_, str]]:
    try:
        info = file.stat()
        text = file.read_text(encoding="utf-8")
    except FileNotFoundError:
        return {}, {}
    except UnicodeDecodeError as error:
        raise ConfigError(f"{file}: not UTF-8 (byte {error.start})", "terma config edit") from None
    except OSError as error:
        raise ConfigError(f"{file}: {error.strerror}", "check its owner and mode") from None
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{file}: {_where(str(error))}", "terma config edit") from None
    if info.st_mode & (stat.S_IRWXG | stat.S_IRWXO) and any(
        path[-1] == "api_key" and value for path, value in leaves(values)
    ):
        raise ConfigError(f"{file} holds an api_key and others can read it", f"chmod 600 {file}")
    return values, {path: f"{file.name}:{line}" for path, line in lines_of(text).items()}


def _where(message: str) -> str:
    """tomllib's message with the line first: `line 3: Invalid value`."""
    found = re.search(r"(.*) \(at (?:line (\d+), column \d+|end of document)\)\Z", message)
    if not found:
        return message
    return f"line {found[2]}: {found[1]}" if found[2] else f"at its end: {found[1]}"


def _put(values: dict[str, Any], path: Path_, value: Any) -> None:
    for part in path[:-1]:
        below = values.setdefault(part, {})
        if not isinstance(below, dict):
            return  # the type check says what is wrong
        values = below
    values[path[-1]] = value


def _value(path: Path_, text: str) -> Any:
    if path not in _LISTS:
        return text
    if text.startswith("["):
        try:
            return json.loads(text)
        except ValueError:
            return text
    return [part.strip() for part in text.split(",") if part.strip()]
