"""Completes `terma` in xonsh: its commands, their words and options, read from terma's own parsers at the first Tab."""

from __future__ import annotations

import os
from typing import Any

NAME = "terma"


def add(session: Any) -> None:
    """Register the completer before the exclusive ones."""
    from xonsh.completers.completer import add_one_completer  # type: ignore[import-untyped]
    from xonsh.completers.tools import (  # type: ignore[import-untyped]
        RichCompletion,
        contextual_completer,
    )

    completers = session.xsh.completers
    if completers is None or NAME in completers:
        return
    known: dict[str, tuple[dict[str, str], dict[str, str]]] = {}

    @contextual_completer  # type: ignore[untyped-decorator]
    def complete_terma(context: Any) -> set[Any] | None:
        """Completes terma's own command line."""
        command = context.command
        if command is None or not command.args or not command.arg_index:
            return None
        if os.path.basename(command.args[0].value) != "terma":  # noqa: PTH119 the alias comes expanded, as a path
            return None
        if not known:
            known.update(_forms())
        before = (arg.value for arg in command.args[1 : command.arg_index])
        words, options = known.get(" ".join(word for word in before if not word.startswith("-")), ({}, {}))
        offered = options if command.prefix.startswith("-") else words
        return {
            RichCompletion(word, description=text, append_space=True)
            for word, text in offered.items()
            if word.startswith(command.prefix)
        } or None

    add_one_completer(NAME, complete_terma, "start")

    def back() -> None:
        if completers.get(NAME) is complete_terma:
            del completers[NAME]

    session.undo(back)


def _forms() -> dict[str, tuple[dict[str, str], dict[str, str]]]:
    """What may follow each command line. In a checkout without terma's dependencies: the commands alone."""
    from terma import cli

    try:
        from terma.commands.completions import forms

        return {form.path: (form.words, form.options) for form in forms()}
    except ImportError:
        return {
            "": ({name: cli.summary(name) for name in cli.command_names()}, {"--help": "", "--version": ""})
        }
