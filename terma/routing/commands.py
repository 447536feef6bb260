"""How a line is joined out of simple commands, and what that says."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from terma.routing.command_word import is_runnable, weigh_simple
from terma.routing.evidence import Known, Signal
from terma.routing.grammar import compound
from terma.routing.line import Command, cut
from terma.routing.operands import shapes_of, weigh_operands
from terma.routing.shapes import GRAMMAR
from terma.routing.weights import of


def weigh_commands(line: str, known: Known) -> Iterator[Signal]:
    """The evidence of `line` as the shell would read it."""
    whole = compound(line)
    if whole:
        yield whole
        return
    found = cut(line)
    main = next((command for command in found if command.words), None)
    if main is None:
        redirects = any(command.redirects for command in found) and not line.startswith("<")
        empties = line[0] == ">" and line[1:2] != ">"
        weight = of("no word" if not redirects else "empties a file" if empties else "redirection alone")
        yield Signal("structure", weight, "a redirection alone" if redirects else "no word")
        return
    if main.before == "(":
        yield Signal("structure", of("parenthesis"), "begins with a parenthesis")
    grouped = main.words[0].text == "{" and len(main.words) > 1
    if grouped:
        yield Signal("structure", of("group"), "a group")
    yield from weigh_simple(main.words[grouped:], known)
    yield from _joined(main, found, known)


def _joined(main: Command, found: Sequence[Command], known: Known) -> Iterator[Signal]:
    """Pipes, lists and redirections: evidence when what they join are commands."""
    trust = 1.0 if is_runnable(main.words, known) else of("share of what an unknown program is joined to")
    for command in found:
        for redirect in command.redirects[:2]:
            yield Signal("structure", of("redirects") * trust, f"{redirect!r} redirects")
        if command is main or not command.words or command.before in ("", "(", ")", "\n"):
            continue
        head, mark = command.words[0].text, command.before
        if not is_runnable(command.words, known):
            yield Signal("structure", of("joined to no command"), f"{head!r} behind {mark!r} is no command")
            continue
        shapes = shapes_of(command.words[1:], known.cwd)
        filters = mark == "|" and all(found in ("option", "number") for found in shapes)  # | head -3
        weight = of("joined to a filter" if filters else "joined to a command") * trust
        yield Signal("structure", weight, f"{mark!r} joins it to {head!r}")
        spoken = sum(found in GRAMMAR for found in shapes)
        if spoken:
            said = sum(weight for weight, *_ in weigh_operands(head, command.words[1:], known))
            word = of("joined to a word of a sentence")
            weight = min(word, said) if spoken > 1 else word
            yield Signal("structure", weight, f"{head!r} goes on like a sentence")
    if found[-1].before == "&" and not found[-1].words:
        yield Signal("structure", of("ampersand at the end"), "'&' at the end")
