"""The file of recipes that `terma recipe add` writes: entries are added to its end, and cut out of it."""

from __future__ import annotations

import json
import re
import tempfile
from pathlib import Path

from terma import paths, reading
from terma.errors import UsageError
from terma.offline import recipes

NAME = "added"
HEAD = "# Made by `terma recipe add`; yours to change. docs/recipes.md says what an entry may hold.\n"
LONGEST = 1_000  # code points of words or of a command
_ENTRY = re.compile(r"^\[\[entry\]\]$", re.MULTILINE)


def place() -> Path:
    """The file, whether it is there or not."""
    return recipes.folder() / f"{NAME}.toml"


def _waits(command: str) -> bool:
    """Whether something of the command is left open."""
    from terma.shell_syntax import BASH, ShellSyntaxError, parse

    try:
        parse(command, BASH)
    except ShellSyntaxError as error:
        return error.incomplete
    return False


def add(words: str, command: str) -> str:
    """Write an entry; its name. Raises UsageError for what cannot be one, and for a secret."""
    words, command = " ".join(words.split()), command.strip()
    if not re.search(r"\w", words) or len(words) > LONGEST or len(command) > LONGEST:
        raise UsageError(
            "a recipe needs words, and a command of one line", "terma recipe add 'deploy the shop'"
        )
    if not words.isprintable() or not command.isprintable():
        raise UsageError("a recipe is a command of one line", "put more into a script, and call that")
    if _waits(command):
        raise UsageError("a shell would wait for the rest of that command", "close its quotes and brackets")
    from terma.redact import redact

    if redact(command).text != command or redact(words).text != words:
        raise UsageError(
            "there is a secret in it, and it was not written down", "let the command read it from a file"
        )
    before = reading.text(place(), recipes.MAX_BYTES) if place().exists() else HEAD
    told = f"say = [{_quoted(words)}]\nrun = {_quoted(command)}\n"
    if (same := re.search(rf'^id = "([^"\n]+)"\n{re.escape(told)}', before, re.MULTILINE)) is not None:
        return f"{NAME}.{same[1]}"
    name = _name(words, before)
    entry = f"\n[[entry]]\nid = {_quoted(name)}\n{told}"
    _check(entry)
    paths.write_atomic(place(), (before.rstrip("\n") + "\n" + entry).encode())
    return f"{NAME}.{name}"


def remove(name: str) -> str:
    """Cut an entry out; its words. Raises UsageError where `add` wrote none of that name."""
    text = reading.text(place(), recipes.MAX_BYTES) if place().exists() else ""
    starts = [match.start() for match in _ENTRY.finditer(text)]
    wanted = f"id = {_quoted(name.removeprefix(f'{NAME}.'))}"
    for start, end in zip(starts, [*starts[1:], len(text)], strict=True):
        lines = text[start:end].splitlines()
        if wanted in lines:
            paths.write_atomic(
                place(), (text[:start].rstrip("\n") + "\n\n" + text[end:]).rstrip("\n").encode() + b"\n"
            )
            return next((line.removeprefix("say = ") for line in lines if line.startswith("say = ")), name)
    raise UsageError(
        f"no recipe {name} was added so", "terma recipe list; a file of your own you edit yourself"
    )


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)  # TOML's basic strings are JSON's


def _name(words: str, before: str) -> str:
    base = "-".join(re.findall(r"[a-z0-9]+", words.lower())[:5]) or "recipe"
    name, number = base, 2
    while f"id = {_quoted(name)}" in before:
        name, number = f"{base}-{number}", number + 1
    return name


def _check(entry: str) -> None:
    """Raise UsageError where the engine could not use it."""
    from terma.offline.compiler import compile_index

    errors: list[str] = []
    with tempfile.TemporaryDirectory() as made:
        file = Path(made) / f"{NAME}.toml"
        file.write_text(entry, encoding="utf-8")
        compile_index([file], errors)
    if errors:
        raise UsageError(
            f"that cannot be a recipe: {errors[0].partition(']: ')[2] or errors[0]}", "docs/recipes.md"
        )
