"""What a shell's own manual page says of its builtins: their options are listed below each."""

from __future__ import annotations

import re
from pathlib import Path

from terma.machine import manual, roff, told, usage
from terma.machine.entries import ProgramHelp

PAGES = {"bash": "bash", "zsh": "zshbuiltins"}
_FORMS = re.compile(r", (?=[a-z])")
_OPTIONS = re.compile(r"\[ ?-[^\[\]]*\]|\{[^{}]*\}")


def builtin(name: str, shell: str) -> ProgramHelp:
    """What is said of the builtin `name` of `shell`. Never raises."""
    page = PAGES.get(shell)
    if page is None:
        return ProgramHelp()
    return told.kept(
        f"builtin\0{name}", manual.place(page, Path("/usr/bin", shell)), lambda: _read(name, page, shell)
    )


def _read(name: str, page: str, shell: str) -> ProgramHelp:
    _, listed = roff.entries(manual.source(page, Path("/usr/bin", shell)))
    forms = [
        at
        for at, (tag, _) in enumerate(listed)
        if any(form.startswith(f"{name} ") for form in _FORMS.split(tag))
    ]
    if not forms:
        return ProgramHelp()
    at = next(
        (at for at in forms if f"{name} [" in listed[at][0]), forms[-1]
    )  # a bare word may be another list's
    own: list[tuple[str, str]] = []
    for tag, body in listed[at + 1 :]:
        if tag[:1] not in "-+":
            break
        own.append((tag, body))
    tag, body = listed[at]
    form = next(one for one in _FORMS.split(tag) if one.split()[0] == name)
    return ProgramHelp(told.short(body), told.listed(own), usage=usage.Usage(_operands(form)))


def _operands(form: str) -> tuple[tuple[str, ...], ...]:
    words = _OPTIONS.sub(" ", form).replace("[", " ").replace("]", " ").replace(" ...", "...").split()[1:]
    plain = [re.fullmatch(r"([a-z]+)(\.\.\.)?", word) for word in words]
    if not plain or not all(plain):
        return ()
    return (tuple(("*" if one[2] else "") + one[1] for one in plain if one),)
