"""From file and environment to settings, each value with its origin; every error names the place to look at.

Imports pydantic: run it in a process that may be heavy (the command `terma config`, or a child of the agent).
"""

from __future__ import annotations

import json
import re
import stat
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from pathlib import Path
from typing import Any

from terma.config import whose
from terma.config.settings import KEY_SOURCES, Model, Settings
from terma.errors import ConfigError

PREFIX = "TERMA_"
# Variables of ours that are no settings: where things are, and what a shell hands over.
OTHERS = re.compile(
    r"TERMA_(KEY|SOCKET|BIN|DISABLE|DEBUG|SCRIPT|IDLE_SECONDS|RECORDING|(WHY|LAST|TEST|XONSH)_.*)\Z"
)
Path_ = tuple[str, ...]
_LISTS = {
    *(("fallbacks",), ("local_ports",), ("conversation", "allow")),
    *(("eyes", "policy", "allow"), ("eyes", "policy", "deny"), ("eyes", "camera", "crop")),
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
    only = _copy(values)
    rules: dict[Path_, whose.Rule] = {}
    for path, value in _leaves(from_environment(environment)):
        said = whose_is(path)
        if callable(said):
            rules[path] = said
        elif said != "anyone":
            raise ConfigError(
                f"{variable(path)}: only your own file sets {'.'.join(path)}; a directory can set variables",
                f"unset {variable(path)}, and put it into {file}",
            )
        _put(values, path, value)
        origins[path] = variable(path)
    for path, value in _leaves(dict(flags or {})):
        _put(values, path, value)
        origins[path] = "flag"
    settings = _validated(values, origins, file)
    if not rules:
        return Loaded(settings, origins)
    return _tightened(settings, _validated(only, own, file), rules, origins)


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


def _copy(values: Mapping[str, Any]) -> dict[str, Any]:
    return {key: _copy(value) if isinstance(value, dict) else value for key, value in values.items()}


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


def line_of(text: str, path: Path_) -> int:
    """The line (from 1) on which the key at `path`, or the nearest table above it, stands in TOML `text`; 0: none."""
    best = (0, 0)
    table: Path_ = ()
    for number, line in enumerate(text.splitlines(), 1):
        if header := re.match(r"\s*\[\[?\s*([^\[\]]+?)\s*\]\]?", line):
            table = _dotted(header[1])
            here: Path_ = table
        elif key := re.match(r"\s*([A-Za-z0-9_.\"'-]+)\s*=", line):
            here = (*table, *_dotted(key[1]))
        else:
            continue
        if path[: len(here)] == here and len(here) > best[0]:
            best = (len(here), number)
    return best[1]


def _dotted(text: str) -> Path_:
    return tuple(part.strip().strip("\"'") for part in re.findall(r'"[^"]*"|\'[^\']*\'|[^.]+', text))


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
        path[-1] == "api_key" and value for path, value in _leaves(values)
    ):
        raise ConfigError(f"{file} holds an api_key and others can read it", f"chmod 600 {file}")
    return values, {path: f"{file.name}:{line_of(text, path)}" for path, _ in _leaves(values)}


def _where(message: str) -> str:
    """tomllib's message with the line first: `line 3: Invalid value`."""
    found = re.search(r"(.*) \(at (?:line (\d+), column \d+|end of document)\)\Z", message)
    if not found:
        return message
    return f"line {found[2]}: {found[1]}" if found[2] else f"at its end: {found[1]}"


def _validated(values: dict[str, Any], origins: Mapping[Path_, str], file: Path) -> Settings:
    from pydantic import TypeAdapter, ValidationError

    try:
        return TypeAdapter(Settings).validate_python(values)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        path = tuple(str(part) for part in first["loc"])
        raise ConfigError(_sentence(first, path, origins, file), _hint(path)) from None


def _sentence(error: Any, path: Path_, origins: Mapping[Path_, str], file: Path) -> str:
    """`/…/config.toml:7: timeouts.connect: expected a number, not "soon"`."""
    lengths = range(len(path), 0, -1)
    near = next((path[:n] for n in lengths if path[:n] in origins), None)
    below = next((origins[at] for n in lengths for at in origins if at[:n] == path[:n]), None)
    # What is wrong with the whole is wrong with the names in it.
    named = [origins[at] for at in (("model",), ("engine",), ("fallbacks",)) if at in origins]
    outside = ", ".join(origin for origin in named if not origin.startswith(file.name))
    origin = origins[near] if near else below or (not path and outside) or file.name
    where = origin.replace(file.name, str(file), 1) if origin.startswith(file.name) else origin
    key = ".".join(path)
    if error["type"] == "unexpected_keyword_argument":
        return f"{where}: there is no setting {key}"
    message = (
        str(error["msg"])
        .removeprefix("Value error, ")
        .removeprefix("Input should be ")
        .partition(", unable")[0]
    )
    if error["type"] != "value_error":
        shown = "" if path and path[-1] in KEY_SOURCES else f", not {json.dumps(error['input'], default=str)}"
        message = f"expected {message}{shown}" if error["type"] != "missing" else "is missing"
    return f"{where}: {key}: {message}" if key else f"{where}: {message}"


def _hint(path: Path_) -> str:
    from difflib import get_close_matches

    close = get_close_matches(path[-1], known_keys(path[:-1]), n=1) if path else []
    if close and close[0] != path[-1]:
        return f"did you mean {'.'.join((*path[:-1], close[0]))}?"
    return "terma config edit"


def known_keys(table: Path_) -> list[str]:
    """The keys that a table may have; a name of your own stands for each model."""
    here: Any = Settings
    for part in table:
        if here is Settings and part == "models":
            here = dict
        elif here is dict:
            from terma.config.settings import Model

            here = Model
        else:
            found = next((field for field in fields(here) if field.name == part), None)
            here = found.default_factory if found and is_dataclass(found.default_factory) else None
        if here is None:
            return []
    return [field.name for field in fields(here)] if is_dataclass(here) else []


def _leaves(values: Mapping[str, Any], above: Path_ = ()) -> Iterator[tuple[Path_, Any]]:
    for key, value in values.items():
        if isinstance(value, Mapping) and value:
            yield from _leaves(value, (*above, str(key)))
        else:
            yield (*above, str(key)), value


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
