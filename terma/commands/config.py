"""`terma config`: the settings as a person meets them: made once, shown with their origin, changed without loss."""

from __future__ import annotations

import argparse
import json
import os
import shlex
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

from terma import paths
from terma.errors import ConfigError, TermaError, UsageError
from terma.quiet import yes

HELP = "show, make and change the settings"
TEMPLATE = Path(__file__).parent.parent / "defaults" / "config.toml"
SECRETS = ("api_key", "headers")
MASK = "********"


def config_file() -> Path:
    """Where the settings stand, whether they do or not."""
    return paths.config_dir() / "config.toml"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    acts = parser.add_subparsers(dest="act", metavar="ACT")
    parser.set_defaults(act="show", json=False)
    show = acts.add_parser("show", help="every setting, its value and where that comes from")
    show.add_argument("--json", action="store_true", help="for programs")
    acts.add_parser("init", help="write a file with every setting and its default, to edit")
    change = acts.add_parser("set", help="change one setting in the file; its comments stay")
    change.add_argument("key", metavar="KEY", help="like timeouts.connect")
    change.add_argument("value", metavar="VALUE")
    acts.add_parser("edit", help="open the file in your editor; what is wrong with it is said at once")
    acts.add_parser("path", help="where the file is")


def run(args: argparse.Namespace) -> int:
    """Exit status 1 with file, line and key when a setting is wrong."""
    match args.act:
        case "show":
            _show(args.json)
        case "init":
            _init()
        case "set":
            change(args.key, args.value)
        case "edit":
            _edit()
        case "path":
            print(config_file())
    return 0


def _show(as_json: bool) -> None:
    from terma.config.layers import load, variable

    found = load(config_file(), os.environ)
    rows = [
        (path, _shown(path, value), found.origins.get(path, "default"))
        for path, value in _leaves(found.settings)
    ]
    if as_json:
        print(
            json.dumps({".".join(path): {"value": value, "origin": origin} for path, value, origin in rows})
        )
        return
    for name in found.ignored:
        print(f"terma: {name} would loosen what your file says, and is not heard", file=sys.stderr)
    width = max(len(".".join(path)) for path, _, _ in rows)
    for path, value, origin in rows:
        said = origin if origin != "default" else f"default; {variable(path)}"
        print(f"{'.'.join(path):<{width}}  {json.dumps(value, ensure_ascii=False):<24}  # {said}")


def _leaves(value: Any, above: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Every setting with its path; of a model of your own those that are set."""
    for field in fields(value):
        path, item = (*above, field.name), getattr(value, field.name)
        if is_dataclass(item):
            yield from _leaves(item, path)
        elif path == ("models",):
            for name, model in item.items():
                yield from (
                    (key, one) for key, one in _leaves(model, (*path, name)) if one not in ("", None, 0, {})
                )
        else:
            yield path, list(item) if isinstance(item, tuple) else item


def _shown(path: tuple[str, ...], value: Any) -> Any:
    return MASK if path[-1] in SECRETS and value else value


def _init() -> None:
    file = config_file()
    if file.exists():
        raise UsageError(f"{file} is there already", "terma config edit")
    paths.write_atomic(file, TEMPLATE.read_bytes())
    print(file)


def change(key: str, value: str) -> None:
    """Write the file anew with one key changed, once the whole of it holds. Raises ConfigError."""
    import tomlkit
    from tomlkit.exceptions import TOMLKitError

    file = config_file()
    path = tuple(part for part in key.split(".") if part)
    try:
        document = tomlkit.parse(file.read_text(encoding="utf-8") if file.exists() else "")
        table: Any = document
        for part in path[:-1]:
            if part not in table:
                table[part] = tomlkit.table()
            table = table[part]
        table[path[-1]] = _typed(value)
    except (TOMLKitError, TypeError, IndexError, AttributeError) as error:
        raise ConfigError(f"{file}: {key} cannot be set: {error}", "terma config edit") from None
    text = tomlkit.dumps(document)
    _check(text, file)
    paths.write_atomic(file, text.encode())


def _typed(text: str) -> Any:
    """A value as TOML would read it, else the text itself: `3`, `true`, `["a/b"]`, `gpt-4o-mini`."""
    import tomllib

    try:
        return tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return text


def _check(text: str, file: Path) -> None:
    """Raise ConfigError, in the words of the file to be, when `text` does not hold."""
    from terma.config.layers import load

    draft = file.with_name(f".{file.name}.draft")
    paths.write_atomic(draft, text.encode())
    try:
        load(draft, {})
    except ConfigError as error:
        raise ConfigError(
            error.message.replace(str(draft), str(file)).replace(draft.name, file.name), error.hint
        ) from None
    finally:
        draft.unlink(missing_ok=True)


def _edit() -> None:
    """An editor on a copy: the file changes only when what was written holds."""
    file = config_file()
    text = file.read_text(encoding="utf-8") if file.exists() else TEMPLATE.read_text(encoding="utf-8")
    copy = file.with_name("config.edit.toml")
    paths.write_atomic(copy, text.encode())
    editor = shlex.split(os.environ.get("VISUAL") or os.environ.get("EDITOR") or "vi")
    while True:
        try:
            done = subprocess.run([*editor, str(copy)], check=False)
        except OSError as error:
            raise TermaError(f"{editor[0]}: {error.strerror}", "set EDITOR to your editor") from None
        if done.returncode:
            raise TermaError(f"{editor[0]} ended with status {done.returncode}", f"your text is in {copy}")
        fresh = copy.read_text(encoding="utf-8")
        try:
            _check(fresh, file)
            break
        except ConfigError as error:
            print(f"terma: {error.message}\n  {error.hint}", file=sys.stderr)
            if not yes("edit it again?", usual=True):
                raise TermaError("the settings are as they were", f"your text is in {copy}") from None
    if fresh != text or not file.exists():
        paths.write_atomic(file, fresh.encode())
    copy.unlink()
