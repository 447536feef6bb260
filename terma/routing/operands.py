"""What the words behind a program say: whether they are what that program takes, or the rest of a sentence."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from terma.routing import dictionary
from terma.routing.line import Word
from terma.routing.programs import table
from terma.routing.shapes import GRAMMAR, Shape, shape
from terma.routing.verdict import Known

Evidence = Iterator[tuple[float, str]]  # weight, why
# What a word of each shape is worth behind a program of which nothing is known.
USUAL: dict[Shape, float] = {
    "option": 1.5, "there": 1.6, "path": 1.3, "number": 0.3, "name": 0.4, "quoted": 0.8, "expansion": 1.5,
    "assignment": 1.2, "strong": -2.8, "question": -2.6, "polite": -3.0, "about": -2.0, "foreign": -1.8,
    "script": -1.5, "spoken": -2.2, "weak": -1.7, "english": -1.0, "plain": -0.6,
}  # fmt: skip
_WHY: dict[Shape, str] = {
    "option": "is an option", "there": "is a file here", "path": "looks like a file", "number": "is a number",
    "name": "looks like a name", "quoted": "is quoted", "expansion": "is expanded by the shell",
    "assignment": "is an assignment", "strong": "is a word of a sentence", "question": "is a question word",
    "polite": "is polite", "about": "speaks about a program", "foreign": "is a word of another language",
    "script": "is a word in another script", "spoken": "ends as in a sentence", "weak": "is a preposition or the like",
    "english": "is plain English", "plain": "may be a word",
}  # fmt: skip
# What a kind of program makes of the shapes that are words, where it differs.
KINDS: dict[str, Mapping[Shape, float]] = {
    "nothing": {"plain": -2.2, "english": -2.4, "weak": -2.6, "name": -0.8, "path": 0.2, "number": 0.2},
    "number": {"number": 1.6, "plain": -2.2, "english": -2.6, "name": -0.6, "path": -0.5},
    "files": {"plain": -0.8, "english": -1.3, "name": 0.3},
    "new": {"plain": 0.0, "english": -0.5, "name": 0.6},
    "text": {
        "english": 0.0, "plain": 0.0, "foreign": 0.0, "weak": 0.0, "script": 0.0, "spoken": 0.0, "number": 0.0,
        "strong": -0.4, "question": -0.4, "polite": -0.6, "about": -0.4,
    },
    "names": {"plain": -1.0, "english": -1.8},
    "process": {"plain": 0.0, "english": -0.7, "name": 0.5},
    "host": {"plain": -0.1, "english": -1.5, "name": 0.6, "path": 1.5},
    "pattern": {"plain": -0.2, "english": -0.7, "name": 0.6},
    "expression": {"plain": -1.8, "english": -2.4, "number": 0.8},
    "user": {"plain": 0.0, "english": -1.5},
    "variables": {"plain": -0.8, "english": -1.4, "name": 0.8, "assignment": 2.5},
    "verb": {"plain": -0.2, "english": -0.5, "name": 0.4, "number": 0.3},
    "target": {"plain": -0.4, "english": -1.2, "name": 0.5, "assignment": 1.5},
}  # fmt: skip
_OPERATORS = frozenset("= == != -eq -ne -lt -le -gt -ge -nt -ot + - * / % < > ] \\* =~".split())
MANY = 4  # bare words: more of them are hardly ever operands


def weigh_operands(program: str, operands: Sequence[Word], known: Known) -> Evidence:
    """The evidence of `operands`, as typed behind `program`."""
    kind = table().kinds.get(program, "")
    worth = {**USUAL, **KINDS.get(kind, {})}
    shapes = shapes_of(operands, known.cwd)
    first = next((i for i, s in enumerate(shapes) if s != "option"), len(shapes))
    settled = -1
    if first < len(shapes) and kind in _FIRST:
        settled, weight, why = _FIRST[kind](program, operands, shapes, known)
        if why:
            yield weight, why
    bare = options = 0
    for index, (word, found) in enumerate(zip(operands, shapes, strict=True)):
        if index == settled:
            continue
        weight = worth[found]
        if kind == "expression" and word.text in _OPERATORS:
            weight = 2.0
        if found == "option":
            options += 1
            weight = weight if options == 1 else 0.4
        elif kind == "pattern" and index == first and found not in GRAMMAR:
            weight = max(weight, 0.0)  # any word can be looked for
        elif (
            kind in ("host", "user", "process", "new")
            and index == first
            and len(operands) == 1
            and found == "english"
        ):
            weight = -0.5
        elif found in ("plain", "english"):
            bare += 1
            weight -= 0.4 * (bare > MANY and kind != "text")
        yield weight, f"{word.text!r} {_WHY[found]}"


def shapes_of(operands: Sequence[Word], cwd: str) -> list[Shape]:
    """The shape of each word; `a` and `i` are words of a sentence only before another word."""
    found = [shape(word, cwd) for word in operands]
    for index, word in enumerate(operands):
        follows = index + 1 < len(found) and found[index + 1] in GRAMMAR | {"weak", "english", "plain"}
        if word.text in ("a", "i", "I", "A", "y", "o", "e", "u", "à") and follows:
            found[index] = "strong" if word.text in "aiIA" else "foreign"
    return found


First = tuple[int, float, str]
_NONE: First = (-1, 0.0, "")


def _verb(program: str, operands: Sequence[Word], shapes: list[Shape], known: Known) -> First:
    """Whether one of the first two operands is a verb that the program has."""
    verbs = table().verbs[program]
    places = [i for i, s in enumerate(shapes) if s != "option"][:2]
    for place in places:
        if operands[place].text in verbs:
            return place, 2.2, f"{program} has {operands[place].text!r}"
    word = operands[places[0]].text
    if dictionary.has_extension(program, word, known):
        return places[0], 2.2, f"{program} has {word!r}"
    if shapes[places[0]] in ("path", "there", "expansion", "assignment", "quoted", "number"):
        return places[0], 0.3, ""
    if len(word) > 3 and shapes[places[0]] not in GRAMMAR and near(word, verbs):
        return places[0], 0.8, f"{word!r} is nearly something that {program} has"
    if places[0] > 0 and shapes[places[0]] not in GRAMMAR:
        return places[0], -0.6, f"{word!r} may belong to the option before it"
    return places[0], -4.6, f"{program} has no {word!r}"


def _target(program: str, operands: Sequence[Word], shapes: list[Shape], known: Known) -> First:
    """Whether the first operand is a target of the makefile here, or one that many have."""
    place = next(i for i, s in enumerate(shapes) if s != "option")
    word = operands[place].text
    here = dictionary.targets(program, known.cwd)
    if word in here:
        return place, 3.0, f"{program} has the target {word!r} here"
    if word in table().verbs["make"]:
        return place, 1.4, f"{word!r} is a usual target"
    return _NONE


def _name(program: str, operands: Sequence[Word], shapes: list[Shape], known: Known) -> First:
    """Whether the first operand names a program."""
    places = [i for i, s in enumerate(shapes) if s not in ("option", "number")]
    if not places:
        return _NONE
    word = operands[places[0]].text
    if shapes[places[0]] not in GRAMMAR and dictionary.is_program(word.partition("-")[0], known):
        return places[0], 1.8, f"{word!r} is a program"
    return _NONE


def _existing(program: str, operands: Sequence[Word], shapes: list[Shape], known: Known) -> First:
    """find looks in places that are there: its first operand is one, or a path."""
    place = next(i for i, s in enumerate(shapes) if s != "option")
    if program == "find" and place == 0 and shapes[0] in ("plain", "english", "name"):
        return 0, -3.0, f"there is no {operands[0].text!r} to look in"
    if program == "install" and len(operands) == 1:
        return 0, -2.0, "install needs a place to put it"
    return _NONE


_FIRST: dict[str, Callable[[str, Sequence[Word], list[Shape], Known], First]] = {
    "verb": _verb,
    "target": _target,
    "names": _name,
    "files": _existing,
}
_LETTERS = re.compile(r"[a-z][a-z-]+")


def near(word: str, names: frozenset[str] | set[str]) -> bool:
    """Whether `word` is one slip away from one of `names`: a letter more, less, other, or two exchanged."""
    if not _LETTERS.fullmatch(word):
        return False
    slips = {word[:i] + word[i + 1 :] for i in range(len(word))}
    slips.update(word[:i] + word[i + 1] + word[i] + word[i + 2 :] for i in range(len(word) - 1))
    if slips & names:
        return True
    for name in names:
        if len(name) == len(word) and sum(a != b for a, b in zip(name, word, strict=True)) == 1:
            return True
        if len(name) == len(word) + 1 and word in {name[:i] + name[i + 1 :] for i in range(len(name))}:
            return True
    return False
