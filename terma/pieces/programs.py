"""What the first word of a command is: an alias, a function, a builtin, a program, a script of somebody's own."""

from __future__ import annotations

import re
from pathlib import Path

from terma import reading
from terma.machine.programs import is_builtin, where
from terma.pieces.letters import Written
from terma.pieces.model import NO_PROGRAM, Asked
from terma.pieces.sources import OURS, Source
from terma.text import one_line

DYNAMIC = "what runs is only known when it runs"  # of a word that the shell fills in
_LONGEST = 80
_ROOTS = "/usr/local/sbin:/usr/sbin:/sbin"


def about_program(word: Written, asked: Asked, here: bool = True) -> tuple[str, str, Source | None, str]:
    """(what it does, who says so, who knows its words, the text of an alias). `here` false: it runs on another machine
    or in a container, of whose programs and aliases nothing is known."""
    name = word.text
    if not word.plain:
        return DYNAMIC, OURS, None, ""
    if here and word.raw == name and name in asked.aliases:
        value = asked.aliases[name]
        return (
            f"your alias for {one_line(value, _LONGEST)}",
            "alias",
            Source(_behind(value, asked), ""),
            value,
        )
    if here and name in asked.functions:
        return "a function of your shell", "function", None, ""
    shell = asked.shell or "bash"
    short = name.rsplit("/", 1)[-1]
    file = where(name, asked.path, asked.cwd) or where(short, _ROOTS, "") * ("/" not in name)
    builtin = is_builtin(name, shell)
    mine = "/" in name and not _is_systems(file or name)
    if mine and not here:
        return "a program there", OURS, None, ""
    if mine:
        return _script(name, file), "file" if file else "", None, ""
    source = Source((short,), "" if builtin else file, shell if builtin else "")
    says, by = source.about
    if not says and builtin:
        says, by = "a command of the shell itself", OURS
    if not here and not says:
        return "", "", None, ""
    if here and not builtin and not file:
        says = f"{says}; it is not on this machine" if says else ""
        if not says:
            return NO_PROGRAM, OURS, None, ""
    return says, by if says else "", source, ""


def _behind(value: str, asked: Asked) -> tuple[str, ...]:
    words = value.split()
    return (words[0] if words and re.fullmatch(r"[\w.+-]+", words[0]) else "alias",)


def _is_systems(path: str) -> bool:
    return path.startswith(("/usr/", "/bin/", "/sbin/", "/opt/"))


def _script(name: str, file: str) -> str:
    """A program at a path: what its first line says of it."""
    if not file:
        return NO_PROGRAM if name.startswith(("/", "./", "../", "~")) else ""
    head = reading.text(Path(file), 200)
    found = re.match(r"#!\s*(?:\S*/env\s+(?:-S\s+)?)?(\S+)", head)
    return (
        f"a {found[1].rsplit('/', 1)[-1]} script of your own choice" if found else "a program at this place"
    )
