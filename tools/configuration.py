"""Writes docs/configuration.md from the settings themselves: what a page says by hand is wrong after the next change.

`python tools/configuration.py docs/configuration.md`; a test holds the page to what this makes. The words come from
terma/defaults/config.toml, the rest from the dataclasses and the flags of `terma ask`.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator
from dataclasses import MISSING, Field, fields, is_dataclass
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

from terma.cli import command_parser
from terma.commands.config import TEMPLATE
from terma.config import whose
from terma.config.layers import variable
from terma.config.settings import Model, Settings

PATH_ = tuple[str, ...]
WHO = {"anyone": "yes", "person": "no: your file alone"}
HEAD = """\
# Configuration: every setting

Generated from the settings by `python tools/configuration.py docs/configuration.md`; change those, not this page.
`terma config init` writes a file with all of it, `terma config show` tells what holds and where it comes from. Who may
say what, and why a variable may not say everything: [settings.md](settings.md).

A flag beats a variable, a variable the file, the file the default. A change needs no restart.
"""
MODEL_WORDS = {
    "model": 'its name where it answers: "qwen2.5-coder:7b", or "provider/model" for litellm',
    "provider": "the backend that speaks to it: auto, openai_http, litellm, or one of your own (plugins.md)",
    "api_base": "http://…, https://… or unix:/PATH of an OpenAI-compatible server",
    "api_key": "in this file, which must then be yours alone (chmod 600)",
    "api_key_env": "the name of the variable that holds the key, ending in _API_KEY or _TOKEN",
    "api_key_command": "run without a shell; its first line is the key",
    "api_key_keyring": '"service/user"',
    "headers": "sent with each request",
    "temperature": "0 to 2; without one the role's",
    "max_tokens": "of an answer; 0: the model's own limit",
    "context_tokens": "what the model reads at most; 0: not known",
    "proxy": "a URL; none is taken from the environment",
    "ca_file": "certificates to trust in place of the usual ones",
    "price": "US dollars for a million tokens, [prompt, answer] or [prompt, answer, cached prompt]",
}


def page() -> str:
    """The whole page."""
    words = _words(TEMPLATE.read_text(encoding="utf-8"))
    parts = [HEAD, "## Who answers, and what happens when it does not\n", _table(Settings, (), words)]
    for field in fields(Settings):
        table = field.default_factory
        if field.name == "models":
            parts += ["## [models.NAME]\n", _doc(Model), _table(Model, ("models", "NAME"), words)]
        elif is_dataclass(table):
            parts += list(_section(table, (field.name,), words))
    return "\n".join([*parts, *_flags()]).rstrip() + "\n"


def _section(table: Any, path: PATH_, words: dict[PATH_, str]) -> Iterator[str]:
    yield f"## [{'.'.join(path)}]\n"
    yield _doc(table)
    yield _table(table, path, words)
    for field in fields(table):
        if is_dataclass(field.default_factory):
            yield from _section(field.default_factory, (*path, field.name), words)


def _doc(table: Any) -> str:
    return re.sub(r"\s*\n\s*", " ", table.__doc__ or "").strip() + "\n"


def _table(table: Any, path: PATH_, words: dict[PATH_, str]) -> str:
    hints = get_type_hints(table)
    rows = ["| key | default | by a variable | |", "|---|---|---|---|"]
    for field in fields(table):
        if field.name == "models" or is_dataclass(field.default_factory):
            continue
        key = (*path, field.name)
        about = words.get(key) or (MODEL_WORDS[field.name] if table is Model else "")
        cells = (f"`{field.name}`", _default(field, hints[field.name]), _who(field, key), about)
        rows.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    return "\n".join(rows) + "\n"


def _default(field: Field[Any], hint: Any) -> str:
    choices = (
        [one for one in (get_args(hint) or ()) if isinstance(one, str)] if get_origin(hint) is Literal else []
    )
    value = field.default_factory() if field.default_factory is not MISSING else field.default
    if value is MISSING:
        return "has to be given"
    if choices:
        return " ".join(f"**{one}**" if one == value else one for one in choices)
    return f"`{_toml(value)}`" if value is not None else "none"


def _toml(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, dict):
        return "{}"
    return f"[{', '.join(map(_toml, value))}]" if isinstance(value, tuple) else str(value)


def _who(field: Field[Any], key: PATH_) -> str:
    said = field.metadata[whose.KEY]
    how = WHO["person"] if said == "person" else "" if said == "anyone" else ", stricter than the file alone"
    return how if said == "person" else f"`{variable(key)}`{how}"


def _words(template: str) -> dict[PATH_, str]:
    """What the template says of each key: behind it, or in the paragraph above it."""
    found: dict[PATH_, str] = {}
    table: PATH_ = ()
    above: list[str] = []
    last: PATH_ | None = None
    for line in template.splitlines():
        text = line.removeprefix("#").strip()
        if header := re.fullmatch(r"\[([\w.]+)\]", text):
            table, above, last = tuple(header[1].split(".")), [], None
        elif key := re.fullmatch(r"(\w+) = (?:\"[^\"]*\"|'[^']*'|\[[^\]]*\]|[^#]*?)\s*(?:#\s*(.*))?", text):
            last = (*table, key[1])
            found[last] = key[2] or " ".join(above)
        elif last and (more := re.fullmatch(r"#\s+(.*)", text)):
            found[last] += " " + more[1]
        else:
            above, last = ([*above, text] if text else []), None
            table = () if not line.strip() else table
    return found


def _flags() -> Iterator[str]:
    """The flags of one question, which beat all of that."""
    yield "## Flags of one question\n"
    yield '`terma ask` and `terma chat` take them, `terma "QUESTION"` as well.\n'
    yield "| flag | |\n|---|---|"
    for action in command_parser("ask")._actions:
        if action.option_strings and not isinstance(action, argparse._HelpAction):
            name = f"{action.option_strings[0]} {action.metavar or ''}".strip()
            yield f"| `{name}` | {(action.help or '').replace('%%', '%')} |"


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(page(), encoding="utf-8")
