"""Completes `terma` in xonsh: its commands, their words and options, read from terma's own parsers at the first Tab."""

from __future__ import annotations

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
        if command is None or not command.args or command.args[0].value != "terma" or not command.arg_index:
            return None
        if not known:
            from terma.commands.completions import forms

            known.update({form.path: (form.words, form.options) for form in forms()})
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
