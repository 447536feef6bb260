"""The person's own settings, written into the file of a test's home: a variable may not say where a model is."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from terma.config.layers import from_environment

_LISTS = ("fallbacks", "allow", "local_ports", "deny")


def toml(variables: Mapping[str, str]) -> str:
    """TERMA_MODELS__M__MODEL=tiny and so on, as the text of a config.toml."""
    top: list[str] = []
    tables: dict[tuple[str, ...], list[str]] = {}
    for path, value in _leaves(from_environment(variables)):
        line = f"{path[-1]} = {_written(path[-1], value)}"
        (tables.setdefault(path[:-1], []) if path[:-1] else top).append(line)
    blocks = ["\n".join(top)] + [f"[{'.'.join(path)}]\n" + "\n".join(lines) for path, lines in tables.items()]
    return "\n\n".join(blocks) + "\n"


def configure(home: Path, variables: Mapping[str, str]) -> Path:
    """Write them into the settings of this home, at once for whoever reads; the file."""
    file = home / ".config/terma/config.toml"
    file.parent.mkdir(parents=True, exist_ok=True)
    fresh = file.with_suffix(".new")
    fresh.write_text(toml(variables), encoding="utf-8")
    fresh.chmod(0o600)
    return fresh.replace(file)


def _leaves(values: Mapping[str, Any], above: tuple[str, ...] = ()) -> list[tuple[tuple[str, ...], Any]]:
    found = []
    for key, value in values.items():
        found += _leaves(value, (*above, key)) if isinstance(value, dict) else [((*above, key), value)]
    return found


def _written(key: str, value: Any) -> str:
    if key in _LISTS or isinstance(value, list):
        items = value if isinstance(value, list) else value.split(",")
        return json.dumps([item.strip() if isinstance(item, str) else item for item in items])
    if value in ("true", "false"):
        return str(value)
    try:
        float(value)
    except ValueError:
        return json.dumps(value)
    return str(value)
