"""The structure of a line: what its first word is, whether the rest fits, how a shell would join it."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence

from terma.routing import dictionary, words
from terma.routing.line import Command, Word
from terma.routing.operands import near, shapes_of, weigh_operands
from terma.routing.programs import table
from terma.routing.shapes import GRAMMAR
from terma.routing.verdict import Known, Signal

MAX_DEPTH = 5  # of sudo env nice time ...
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*(?:\[[^]]*\])?\+?=(?!=).*", re.DOTALL)
_NAME = re.compile(r"[A-Za-z_][\w-]*")
_IDENTIFIER = re.compile(r"[A-Za-z_]\w*")
_DURATION = re.compile(r"[\d.]+[smhd]?")
_SINGULAR = re.compile(r"[a-z0-9_.-]*[0-9_.-][a-z0-9_.-]*")  # git-lfs, foo_bar, x11vnc: no word of a language
_SUDO_LIKE = frozenset("-u -g -n -c -p -s -k -S -C -h -o -i -t".split())


def weigh_commands(found: Sequence[Command], known: Known) -> Iterator[Signal]:
    """The evidence of a line's simple commands."""
    first = found[0]
    grouped = first.before == "(" and not first.words
    main = next((command for command in found if command.words), None)
    if main is None:
        if any(command.redirects for command in found):
            yield Signal("structure", 2.0, "a redirection alone")
        else:
            yield Signal("structure", -2.0, "no word that could be a command")
        return
    if first.before == "(" or grouped:
        yield Signal("structure", 0.5, "begins with a parenthesis")
    keyword = list(_compound(main, found, known))
    yield from keyword or weigh_simple(main.words, known)
    yield from _joined(main, found, known)


def _joined(main: Command, found: Sequence[Command], known: Known) -> Iterator[Signal]:
    """Pipes, lists and redirections: evidence when what they join are commands."""
    weak = 0.4 if not _is_runnable(main.words, known) else 1.0
    for command in found:
        for redirect in command.redirects[:2]:
            yield Signal("structure", 1.3 * weak, f"{redirect!r} redirects")
        if command is main or not command.before or not command.words:
            continue
        if command.before in "()" and not _is_runnable(command.words, known):
            continue
        here = _is_runnable(command.words, known)
        head = command.words[0].text
        if here and command.before != "(":
            yield Signal(
                "structure", 1.6 * weak, f"{command.before.strip() or 'a new line'} joins it to {head!r}"
            )
            if _speaks(command.words, known):
                yield Signal("structure", -2.0, f"{head!r} goes on like a sentence")
        elif command.before != "\n" and command.before not in "()":
            yield Signal("structure", -1.0, f"{head!r} behind {command.before!r} is no command")
    if found[-1].before == "&" and not found[-1].words:
        yield Signal("structure", 1.0, "'&' at the end")


def _speaks(operands: Sequence[Word], known: Known) -> bool:
    return sum(shape in GRAMMAR for shape in shapes_of(operands[1:], known.cwd)) >= 1


def _is_runnable(operands: Sequence[Word], known: Known) -> bool:
    text = operands[0].text if operands else ""
    return (
        bool(_ASSIGNMENT.fullmatch(text))
        or "/" in text
        or text[:1] == "$"
        or dictionary.is_program(text, known)
    )


def weigh_simple(operands: Sequence[Word], known: Known, depth: int = 0) -> Iterator[Signal]:
    """The evidence of a simple command: assignments, what runs it, its head and the rest."""
    rest = list(operands)
    while rest and _ASSIGNMENT.fullmatch(rest[0].text) and not rest[0].quoted | ("==" in rest[0].text):
        yield Signal("structure", 2.6, f"{rest[0].text.partition('=')[0]!r} is assigned")
        rest.pop(0)
    if not rest:
        return
    head = rest[0].text
    if " ".join(word.text for word in rest) in table().phrases:
        yield Signal("dictionary", 4.0, "a program's own words")
        return
    alias = known.aliases.get(head, "").split()
    if alias and depth < MAX_DEPTH and alias[0] != head and alias[0].isascii():
        yield Signal("dictionary", 1.0, f"{head!r} is an alias")
        yield from weigh_simple([*(Word(text, False) for text in alias), *rest[1:]], known, depth + 1)
        return
    if (
        table().kinds.get(head) == "runs"
        and len(rest) > 1
        and depth < MAX_DEPTH
        and dictionary.is_program(head, known)
    ):
        yield from _run_by(head, rest[1:], known, depth)
        return
    yield from _head(head, rest, known)


def _run_by(head: str, rest: Sequence[Word], known: Known, depth: int) -> Iterator[Signal]:
    """`sudo -u x COMMAND`, `time COMMAND`: what is run decides."""
    index = 0
    while index < len(rest) and (rest[index].text.startswith("-") or _DURATION.fullmatch(rest[index].text)):
        index += 2 if rest[index].text in _SUDO_LIKE and head != "time" and index + 2 < len(rest) else 1
    if index:
        yield Signal("structure", 1.2, f"{head} with options")
    if rest[index:]:
        yield Signal("dictionary", 0.6, f"{head!r} runs what follows")
        yield from weigh_simple(rest[index:], known, depth + 1)
    else:
        yield Signal("dictionary", 2.5, f"{head!r} is a program")


def _head(head: str, rest: Sequence[Word], known: Known) -> Iterator[Signal]:
    if (head[0] in "/.~" and "/" in head) or ("/" in head and dictionary.exists(head, known.cwd)):
        yield from _path(head, known)
    elif head[0] == "$" and len(head) > 1 and not head[1].isdigit():
        yield Signal("structure", 2.0, f"{head!r} is expanded by the shell")
    elif head in ("..", "~", "-", ".", "...") and len(rest) == 1:
        yield Signal("structure", 1.5 if head != "..." else -0.5, f"{head!r} is a directory")
        return
    else:
        yield from _named(head, rest, known)
        here = dictionary.is_here(head, known)
        if not here and not dictionary.is_usual(head):
            yield from _unknown_rest(head, rest[1:], known)
            return
        if len(rest) == 1:
            yield Signal("structure", 1.2, "a program's name alone")
    for weight, why in weigh_operands(head, rest[1:], known):
        yield Signal("structure", weight, why)


def _path(head: str, known: Known) -> Iterator[Signal]:
    file = os.path.join(known.cwd, os.path.expanduser(head))  # noqa: PTH111, PTH118 a name may be no path
    try:
        is_dir, runs = os.path.isdir(file), os.access(file, os.X_OK)  # noqa: PTH112
    except ValueError:
        is_dir = runs = False
    if runs and not is_dir:
        yield Signal("dictionary", 4.0, f"{head!r} is a program here")
    elif is_dir:
        yield Signal("dictionary", 1.6, f"{head!r} is a directory")
    else:
        yield Signal("dictionary", 2.2, f"{head!r} is the path of a program")


def _named(head: str, rest: Sequence[Word], known: Known) -> Iterator[Signal]:
    """What the dictionary says about the first word."""
    here = dictionary.is_here(head, known)
    spoken = words.is_english(head) or any(
        words.is_a(group, head) for group in ("weak", "strong", "polite", "question")
    )
    if here == "keyword":
        yield Signal("dictionary", -2.0, f"{head!r} is a keyword of the shell, but not so")
    elif here in ("alias", "function"):
        yield Signal("dictionary", 3.5, f"{head!r} is this shell's own")
    elif here:
        yield Signal(
            "dictionary", 1.6 if spoken else 3.0, f"{head!r} is a {here}{' and a word' if spoken else ''}"
        )
    elif dictionary.is_usual(head):
        weight = -0.6 if spoken else 2.4
        yield Signal(
            "dictionary", weight, f"{head!r} is a program elsewhere{' and a word' if spoken else ''}"
        )


def _unknown_rest(head: str, rest: Sequence[Word], known: Known) -> Iterator[Signal]:
    """A first word that nobody knows: a slip of the fingers, a program of the person's own, or a sentence."""
    shapes = shapes_of(rest, known.cwd)
    fits = sum(shape in ("option", "there", "path", "expansion", "number", "quoted") for shape in shapes)
    spoken = words.is_english(head) or any(
        words.is_a(group, head)
        for group in ("weak", "strong", "polite", "question", "asking", "foreign", "about")
    )
    if not spoken and near(head, table().common) and not any(shape in GRAMMAR for shape in shapes):
        meant = next(name for name in sorted(table().common) if near(head, frozenset((name,))))
        yield Signal("dictionary", 1.6, f"{head!r} is nearly {meant!r}")
        for weight, why in weigh_operands(meant, rest, known):
            yield Signal("structure", weight, why)
        return
    if _SINGULAR.fullmatch(head) and any(letter.isalpha() for letter in head) and not head[0].isdigit():
        yield Signal("dictionary", -0.8, f"{head!r} is no program known here, but no word either")
    else:
        yield Signal("dictionary", -3.0, f"{head!r} is no program known here")
    if spoken:
        yield Signal("structure", -1.5, f"{head!r} begins a sentence")
        return
    if fits:
        yield Signal("structure", min(1.2 * fits, 3.0), "what follows looks like operands")
    for word, shape in zip(rest, shapes, strict=True):
        if shape in GRAMMAR or shape == "weak":
            yield Signal("structure", -1.5, f"{word.text!r} is a word of a sentence")


def _compound(main: Command, found: Sequence[Command], known: Known) -> Iterator[Signal]:
    """`for`, `if`, `[[`, a definition: the shell's grammar, where it is kept to."""
    texts = [word.text for word in main.words]
    head, later = (
        texts[0],
        {command.words[0].text for command in found if command.words and command is not main},
    )
    joined = " ".join(texts)
    if head in ("for", "select"):
        right = len(texts) > 2 and texts[2] == "in" and bool(_IDENTIFIER.fullmatch(texts[1]))
        right = right and ("do" in later or not _speaks(main.words[2:], known))
        arithmetic = len(found) > 1 and len(texts) == 1 and found[found.index(main) + 1].before == "("
        yield Signal(
            "structure",
            5.0 if right or arithmetic else -3.0,
            f"{head!r} {'begins a loop' if right else 'is a word'}",
        )
    elif head in ("if", "while", "until"):
        closed = ("then" if head == "if" else "do") in later
        if len(main.words) > 1 and (closed or texts[1] in ("[", "[[", "!")):
            yield Signal("structure", 4.5, f"{head!r} with the shell's grammar")
        else:
            yield Signal("structure", -3.0, f"{head!r} is a word")
    elif head == "case":
        yield Signal(
            "structure", 5.0 if "in" in texts[2:] and _has_branch(found) else -3.0, "'case' and 'in'"
        )
    elif head == "function":
        right = len(texts) > 1 and (texts[-1] == "{" or "{" in texts or len(found) > 1)
        yield Signal("structure", 4.0 if right else -3.0, "'function' and a body")
    elif len(texts) == 1 and _NAME.fullmatch(head) and "(){" in _squeezed(main, found):
        yield Signal("structure", 5.0, f"{head!r} is defined")
    elif head in ("[[", "["):
        yield Signal("structure", 4.0 if texts[-1] in ("]]", "]") else 1.0, "a condition")
    elif head == "{":
        yield Signal("structure", 1.0, "a group")
        yield from weigh_simple(main.words[1:], known)
    elif head.startswith("((") or joined.startswith("(("):
        yield Signal("structure", 3.0, "arithmetic")
    elif head.startswith("#"):
        yield Signal("structure", -4.0, "a comment says something to a person")


def _has_branch(found: Sequence[Command]) -> bool:
    return len(found) > 1 or bool(found and found[0].words[-1].text == "in")


def _squeezed(main: Command, found: Sequence[Command]) -> str:
    """What follows the name of a definition: its parentheses and brace."""
    after = found[found.index(main) + 1 :][:2]
    return "".join(command.before + (command.words[0].text[:1] if command.words else "") for command in after)
