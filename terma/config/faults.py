"""What is wrong with settings, in a person's words: the key, where it was said, what was expected, what was meant."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

from terma.config.settings import KEY_SOURCES, Settings
from terma.config.toml_lines import Path_
from terma.errors import ConfigError


def validated(values: dict[str, Any], origins: Mapping[Path_, str], file: Path) -> Settings:
    """The settings in `values`; `origins` says where each was said. Raises ConfigError about the first fault."""
    from pydantic import TypeAdapter, ValidationError

    check = TypeAdapter(Settings).validate_python
    try:
        return check(values)
    except ValidationError as error:
        faults = error.errors(include_url=False)
    unknown = (fault for fault in faults if fault["type"] == "unexpected_keyword_argument")
    first = next(unknown, faults[0])  # what is missing may only be misspelt
    path = tuple(str(part) for part in first["loc"])
    place = path
    if first["type"] == "value_error":  # a table's own check does not say which of its keys it is about
        leaves_below = _below(values, path, origins)
        place = next((leaf for leaf in leaves_below if _mends(check, values, leaf, faults)), path)
    raise ConfigError(_sentence(first, path, _origin(place, origins, file)), _hint(path)) from None


def _below(values: dict[str, Any], path: Path_, origins: Mapping[Path_, str]) -> list[Path_]:
    """The keys in the table at `path`: variables before the file, and there the last before the first, since what was
    said later is what does not fit."""
    below = [leaf for leaf, _ in leaves(values) if leaf[: len(path)] == path and leaf != path]
    return sorted(reversed(below), key=lambda leaf: ":" in origins.get(leaf, ":"))


def _mends(check: Callable[[Any], Any], values: dict[str, Any], leaf: Path_, faults: list[Any]) -> bool:
    """Whether the first of `faults` is gone, and no other one there, once the key at `leaf` is."""
    from pydantic import ValidationError

    without = copied(values)
    table = without
    for part in leaf[:-1]:
        table = table[part]
    del table[leaf[-1]]
    try:
        check(without)
    except ValidationError as error:
        left = [(fault["loc"], fault["msg"]) for fault in error.errors(include_url=False)]
        known = [(fault["loc"], fault["msg"]) for fault in faults]
        return known[0] not in left and all(fault in known for fault in left)
    return True


def _origin(path: Path_, origins: Mapping[Path_, str], file: Path) -> str:
    """`/…/config.toml:7` or a variable's name: where the key at `path` was said, or what is nearest to it."""
    for n in range(len(path), 0, -1):
        near = next((origins[at] for at in origins if at[:n] == path[:n]), "")
        if origin := origins.get(path[:n], near):
            break
    else:
        origin = file.name
    return origin.replace(file.name, str(file), 1) if origin.startswith(file.name) else origin


def _sentence(error: Any, path: Path_, where: str) -> str:
    """`/…/config.toml:7: timeouts.connect: expected a number, not "soon"`."""
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


def leaves(values: Mapping[str, Any], above: Path_ = ()) -> Iterator[tuple[Path_, Any]]:
    """Every value with its path; a list is one value, and so is an empty table."""
    for key, value in values.items():
        if isinstance(value, Mapping) and value:
            yield from leaves(value, (*above, str(key)))
        else:
            yield (*above, str(key)), value


def copied(values: Mapping[str, Any]) -> dict[str, Any]:
    """The same values in tables of their own."""
    return {key: copied(value) if isinstance(value, dict) else value for key, value in values.items()}
