"""The subcommands of a subcommand (`git remote add`, `docker image ls`), where its page or help names all of them."""

from __future__ import annotations

import re
from pathlib import Path

from terma.machine import aws, helps, manual, usage

FEW = 3  # a list that names fewer is not all of it
GROUPS = frozenset("docker podman kubectl terraform".split())
PROGRAMS = GROUPS | {"git", "ip", "aws"}
_WORD = re.compile(r"[a-z][a-z-]+")
_LITERAL = re.compile(r"\\f[BI]([a-z][a-z-]+)\\f")
_HEADING = re.compile(r"^(?:(?:[A-Z]\w+ )?Commands|Subcommands):\s*$", re.MULTILINE)
_BRACED = re.compile(r"\{([^{}]*)\}")
_OBJECTS = re.compile(r"OBJECT⟩? *:= *\{(.*?)\}")
_EVERY = "add delete change replace show list lst ls help"  # what ip takes of most objects, and other names of `show`
_LISTED = re.compile(r"^ {1,4}([a-z][a-z0-9-]+)\*?(?:  |$)", re.MULTILINE)


def nested(program: str, path: Path, sub: str) -> frozenset[str]:
    """All subcommands of `program`'s subcommand `sub`; empty where it has none, or nobody here names all of them. May
    ask for help: half a second. Raises TimeoutError where that took too long."""
    found: frozenset[str] = frozenset()
    if program == "git":
        found = _by_page(manual.source(f"git-{sub}", path), f"git {sub}")
    elif program == "ip":
        found = _ip(path, sub)
    elif program == "aws":
        return aws.operations(path, sub)
    elif program in GROUPS:
        text = helps.help_text(program, path, (sub,))
        if heading := _HEADING.search(text):
            found = frozenset(_LISTED.findall(text[heading.start() :]))
    return found | {"help"} if len(found) >= FEW else frozenset()


def _ip(path: Path, sub: str) -> frozenset[str]:
    """The words behind `ip OBJECT`, and the beginnings of them, which ip takes as well."""
    objects = " ".join(_OBJECTS.findall(" ".join(usage.forms(manual.source("ip", path)))))
    # Of a beginning that several share ip takes the first in its own order.
    name = next((word for word in _WORD.findall(objects) if word.startswith(sub)), sub)
    page = manual.whole(f"ip-{name}", path)
    found: set[str] = set()
    for form in usage.forms(manual.source(page, path)) if page else ():
        start = re.match(rf"ip (?:\[[^]]*\] )?{page.partition('-')[2]}? ?", form)
        start = start or re.match(rf"ip (?:\[[^]]*\] )?{re.escape(sub)}\w* ", form)
        if not start:
            continue
        rest = re.sub(r"[⟨⟩\\\"]", " ", form[start.end() :]).strip().removeprefix("[").strip()
        words = _BRACED.match(rest)
        found.update(_WORD.findall(words[1] if words else rest.split(" ", 1)[0]))
    if len(found) < FEW:
        return frozenset()
    whole = found.union(_EVERY.split())
    return frozenset(word[:size] for word in whole for size in range(1, len(word) + 1))


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
