"""What the words behind a program say: whether they are what that program takes, or the rest of a sentence."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from terma.routing import dictionary
from terma.routing.line import Word
from terma.routing.programs import table
from terma.routing.shapes import BARE, GRAMMAR, WORDS, Shape, shape
from terma.routing.verdict import Known
from terma.routing.worth import AFTER_TARGET, AGAIN, DOUBT, FURTHER, SPOKEN, VALUE, WHY, worth

Evidence = Iterator[tuple[float, str]]  # weight, why
_OPERATORS = frozenset("= == != -eq -ne -lt -le -gt -ge -nt -ot + - * / % < > ] \\* =~".split())
_TEXT_OPTIONS = frozenset(
    "-m -am --message -name -iname -path -e --grep --author".split()
)  # any word may follow
_HANDS_OVER = frozenset(("verb", "host", "names"))  # a program may stand among their operands
_ONE_NAME = frozenset(("host", "user", "process", "names"))  # a word alone behind these names something


def weigh_operands(program: str, operands: Sequence[Word], known: Known, *, spoken: bool = False) -> Evidence:
    """The evidence of `operands`, as typed behind `program`. `spoken`: its name is a word of English."""
    kind = table().kinds.get(program, "")
    if spoken and kind == "text":
        kind = "said"
    shapes = shapes_of(operands, known.cwd)
    first = next((i for i, s in enumerate(shapes) if s != "option"), len(shapes))
    settled, kept = -1, 0.0
    if first < len(shapes) and kind in _FIRST:
        settled, kept, why = _FIRST[kind](program, operands, shapes, known)
        doubted = kept > 0 and any(s in GRAMMAR | {"weak"} for i, s in enumerate(shapes) if i != settled)
        yield kept * (DOUBT if doubted else 1.0), why
    bare = options = 0
    for index, (word, found) in enumerate(zip(operands, shapes, strict=True)):
        if index == settled:
            continue
        if kind in _HANDS_OVER and _is_handed(kind, index, word, shapes, known):
            kind = table().kinds.get(word.text, kind)  # docker run alpine echo hello
            yield 0.3, f"{word.text!r} is run in there"
            continue
        weight = _weight(kind, word, found, index, program, known)
        if kind == "script" and found in ("path", "there", "expansion"):
            kind = ""  # what follows is the script's own
        if found == "option":
            options += 1
            weight = weight if options == 1 else 0.4
        elif kind == "pattern" and index == first and found in ("plain", "english"):
            weight = 0.0  # any word can be looked for
        elif found in BARE and kind != "text":
            alone = kind in _ONE_NAME and len(operands) == 1
            weight = -0.5 if alone and not spoken and found == "english" else weight
            weight += SPOKEN * (2 if found in ("weak", "loose") else 1) if spoken and not alone else 0.0
            weight += _further(kind, found) if bare and weight < 0 else 0.0
            bare += 1
        behind_option = index and shapes[index - 1] == "option" and index + 1 < len(shapes)
        if behind_option and found in BARE - {"weak"} | {"polite", "about"}:
            weight *= VALUE
        elif index and operands[index - 1].text in _TEXT_OPTIONS:
            weight = 0.0
        yield weight, f"{word.text!r} {WHY[found]}"


def _is_handed(kind: str, index: int, word: Word, shapes: Sequence[Shape], known: Known) -> bool:
    """Whether a program stands among the operands: docker run alpine echo hello, docker exec web which python."""
    found = shapes[index]
    runs = found == "plain" or (found == "english" and kind != "verb")
    if index == 0 or not (runs or (found == "question" and index > 1 and index + 1 < len(shapes))):
        return False
    return shapes[index - 1] not in GRAMMAR and dictionary.is_program(word.text, known)


def _further(kind: str, found: Shape) -> float:
    return AGAIN if found == "plain" and kind != "host" else FURTHER.get(kind, AGAIN)


def _weight(kind: str, word: Word, found: Shape, index: int, program: str, known: Known) -> float:
    if kind == "expression" and word.text in _OPERATORS:
        return 2.0
    if kind == "target" and found in ("plain", "english", "loose", "about"):
        is_target = word.text in table().verbs["make"] or word.text in dictionary.targets(program, known.cwd)
        return 0.3 if is_target else worth(kind)[found] + AFTER_TARGET * (index > 0)
    if kind in ("verb", "late") and found == "plain" and dictionary.is_program(word.text, known):
        return 0.2  # apt install vim git
    if (
        kind in ("verb", "late")
        and found in ("plain", "english")
        and word.text in table().verbs.get(program, ())
    ):
        return 0.2  # git remote add
    return worth("files" if kind == "pattern" and index else kind)[found]


def shapes_of(operands: Sequence[Word], cwd: str) -> list[Shape]:
    """The shape of each word. `a`, `all` and `on` are words of a sentence only before another word."""
    found = [shape(word, cwd) for word in operands]
    for index, word in enumerate(operands[:-1]):
        if found[index + 1] not in WORDS | {"usual"}:
            continue
        if word.text in ("a", "i", "I", "A", "all", "every", "each"):
            found[index] = "strong"
        elif word.text in ("y", "o", "e", "u", "à"):
            found[index] = "foreign"
        elif word.text == "on":
            found[index] = "weak"
    return found


First = tuple[int, float, str]
_NONE: First = (-1, 0.0, "")


def _verb(program: str, operands: Sequence[Word], shapes: list[Shape], known: Known) -> First:
    """Whether the first operand is a verb that the program has."""
    verbs = table().verbs[program]
    places = [i for i, s in enumerate(shapes) if s != "option"][:2]
    place, behind_option = places[0], places[0] > 0
    if (
        behind_option
        and operands[place].text not in verbs
        and len(places) > 1
        and operands[places[1]].text in verbs
    ):
        place = places[1]  # git -C there status
    word, found = operands[place].text, shapes[place]
    if word in verbs or dictionary.has_extension(program, word, known):
        return place, 1.8, f"{program} has {word!r}"
    if found in ("path", "there", "expansion", "assignment", "quoted", "number"):
        return place, 0.3, f"{word!r} is no word"
    if found in ("plain", "name") and len(word) > 2 and near(word, verbs):
        return place, 0.8, f"{word!r} is nearly something that {program} has"
    if found not in GRAMMAR and behind_option:
        return place, -0.6, f"{word!r} may belong to the option before it"
    if len(operands) == 1 and found in ("name", "plain"):
        return place, -2.2, f"{program} has no {word!r}, but that is no word of a sentence"
    return place, -4.8, f"{program} has no {word!r}"


def _late(program: str, operands: Sequence[Word], shapes: list[Shape], known: Known) -> First:
    """service NAME VERB."""
    if len(operands) == 2 and operands[1].text in table().verbs[program]:
        return 1, 2.2, f"{program} has {operands[1].text!r}"
    return 0, -2.5, f"{program} wants a name and a verb"


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
    if (shapes[places[0]] not in GRAMMAR or len(operands) == 1) and dictionary.is_program(
        word.partition("-")[0], known
    ):
        return places[0], 1.8, f"{word!r} is a program"
    return _NONE


def _file(program: str, operands: Sequence[Word], shapes: list[Shape], known: Known) -> First:
    """What some programs will not do without: find looks in places that are there, install has somewhere to put it."""
    place = next(i for i, s in enumerate(shapes) if s != "option")
    if program == "find" and place == 0 and shapes[0] in ("plain", "english", "name"):
        return 0, -3.0, f"there is no {operands[0].text!r} to look in"
    if program == "install" and not any(s in ("path", "there", "expansion", "option") for s in shapes):
        return 0, -2.0, "install needs a place to put it"
    return _NONE


def _pattern(program: str, operands: Sequence[Word], shapes: list[Shape], known: Known) -> First:
    """A filter that has a pattern and no file, unquoted: it would wait for somebody to type."""
    filters = program in ("grep", "egrep", "fgrep", "zgrep")
    if filters and all(s in BARE for s in shapes):
        return 0, -1.8, f"{program} has nothing to read"
    return _NONE


def _edit(program: str, operands: Sequence[Word], shapes: list[Shape], known: Known) -> First:
    """The program of sed and awk is hardly ever a word."""
    place = next(i for i, s in enumerate(shapes) if s != "option")
    if shapes[place] in ("plain", "english") and place == 0:
        return 0, -3.0, f"{operands[0].text!r} is nothing for {program}"
    return _NONE


_FIRST: dict[str, Callable[[str, Sequence[Word], list[Shape], Known], First]] = {
    "verb": _verb,
    "late": _late,
    "target": _target,
    "names": _name,
    "files": _file,
    "pattern": _pattern,
    "edits": _edit,
}
_LETTERS = re.compile(r"[a-z][a-z-]{1,30}")


def near(word: str, names: frozenset[str] | set[str]) -> bool:
    """Whether `word` is one slip away from one of `names`: a letter more, less, other, or two exchanged."""
    if not _LETTERS.fullmatch(word):
        return False
    slips = {word[:i] + word[i + 1] + word[i] + word[i + 2 :] for i in range(len(word) - 1)}
    for i in range(len(word)):
        if len(word) > 3 or word[i] in word[:i][-1:] + word[i + 1 :][:1]:  # lls, but not lol
            slips.add(word[:i] + word[i + 1 :])
    if slips & names or len(word) < 3:
        return bool(slips & names)
    for name in names:
        if len(name) == len(word) and sum(a != b for a, b in zip(name, word, strict=True)) == 1:
            return True
        if len(name) == len(word) + 1 and word in {name[:i] + name[i + 1 :] for i in range(len(name))}:
            return True
    return False
