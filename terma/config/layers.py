"""From file and environment to settings, each value with its origin; every error names the place to look at.

Imports pydantic: run it in a process that may be heavy (the command `terma config`, or a child of the agent).
"""

from __future__ import annotations

import json
import re
import stat
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from pathlib import Path
from typing import Any

from terma.config.settings import KEY_SOURCES, Settings
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
    """Settings and where each value that is not a default came from: ("timeouts", "connect") → "config.toml:7"."""

    settings: Settings
    origins: Mapping[Path_, str]


def load(file: Path, environment: Mapping[str, str], flags: Mapping[str, Any] | None = None) -> Loaded:
    """The settings in `file` (none when it does not exist), over them the TERMA_ variables of `environment`, over
    them `flags` ({"model": "…"}). Raises ConfigError with file, line, key and what was expected."""
    values, origins = _read(file)
    for layer, name in ((from_environment(environment), None), (dict(flags or {}), "flag")):
        for path, value in _leaves(layer):
            _put(values, path, value)
            origins[path] = name or variable(path)
    return Loaded(_validated(values, origins, file), origins)


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
