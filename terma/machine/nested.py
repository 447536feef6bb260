"""The subcommands of a subcommand (`git remote add`, `docker image ls`), where its page or help names all of them."""

from __future__ import annotations

import re
from pathlib import Path

from terma.machine import helps, manual, usage

FEW = 3  # a list that names fewer is not all of it
GROUPS = frozenset("docker podman kubectl".split())
PROGRAMS = GROUPS | {"git"}
_WORD = re.compile(r"[a-z][a-z-]+")
_LITERAL = re.compile(r"\\f[BI]([a-z][a-z-]+)\\f")
_HEADING = re.compile(r"^(?:[A-Z]\w+ )?Commands:\s*$", re.MULTILINE)
_LISTED = re.compile(r"^ {1,4}([a-z][a-z0-9-]+)\*?(?:  |$)", re.MULTILINE)


def nested(program: str, path: Path, sub: str) -> frozenset[str]:
    """All subcommands of `program`'s subcommand `sub`; empty where it has none, or nobody here names all of them. May
    ask for help: half a second. Raises TimeoutError where that took too long."""
    found: frozenset[str] = frozenset()
    if program == "git":
        found = _by_page(manual.source(f"git-{sub}", path), f"git {sub}")
    elif program in GROUPS:
        text = helps.help_text(program, path, (sub,))
        if heading := _HEADING.search(text):
            found = frozenset(_LISTED.findall(text[heading.start() :]))
    return found | {"help"} if len(found) >= FEW else frozenset()


def _by_page(source: str, name: str) -> frozenset[str]:
    """The words that may follow `name` by the page's synopsis; none where something else may stand there."""
    found: set[str] = set()
    for form in usage.forms(source):
        text = form.replace("⟨", "").replace("⟩", "")
        if not text.startswith(f"{name} ") and text != name:
            continue
        first = _after_options(text[len(name) :].strip())
        if first is None:
            return frozenset()
        found.update(first)
    if found:  # other names of theirs stand in the text: `remove`, `rm`
        found.update(_LITERAL.findall(source.replace("\\-", "-")))
    return frozenset(found)


def _after_options(text: str) -> list[str] | None:
    """The words of which one stands first, options left out; None where it may be anything."""
    while text.startswith(("[-", "-")):
        end = _closing(text) if text[0] == "[" else len(text.split(maxsplit=1)[0])
        text = text[end:].lstrip()
    if not text:
        return []
    if text[0] in "([" and text[1:2].isalpha():
        end = _closing(text)
        inner = text[1 : end - 1]
        if text[0] == "[":  # it may be left out: whatever stands behind it may be first too
            return None if text[end:].strip() else _after_options(inner)
        words = [word.strip() for word in inner.split("|")]
        return words if all(map(_WORD.fullmatch, words)) else None
    word = re.split(r"[ \\[]", text, maxsplit=1)[0]
    return [word] if _WORD.fullmatch(word) else None


def _closing(text: str) -> int:
    """Where the bracket that begins the text is closed: behind it."""
    depth = 0
    for at, char in enumerate(text):
        depth += (char in "([") - (char in ")]")
        if not depth:
            return at + 1
    return len(text)
