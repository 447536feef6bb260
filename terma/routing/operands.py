"""What the words behind a program say: whether they are what that program takes, or the rest of a sentence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from terma.routing import dictionary
from terma.routing.firsts import Call, weigh_first
from terma.routing.line import Word
from terma.routing.programs import table
from terma.routing.shapes import BARE, GRAMMAR, WORDS, Shape, shape
from terma.routing.verdict import Known
from terma.routing.worth import AFTER_TARGET, AGAIN, ALONE, DOUBT, FURTHER, SPOKEN, VALUE, WHY, worth

Evidence = Iterator[tuple[float, str]]  # weight, why
_OPERATORS = frozenset("! = == != -eq -ne -lt -le -gt -ge -nt -ot + - * / % < > ] \\* =~".split())
_TEXT_OPTIONS = frozenset("-m -am --message -name -iname -path -e --grep --author".split())  # with any words
_HANDS_OVER = frozenset(("verb", "host", "names"))  # a program may stand among their operands
_ONE_NAME = frozenset(("host", "user", "process", "names"))  # a word alone behind these names something
_HAVE_VERBS = frozenset(("verb", "late"))
_SAYABLE = BARE - {"weak"} | {"polite", "about"}  # could be the value of an option


def weigh_operands(program: str, operands: Sequence[Word], known: Known, *, spoken: bool = False) -> Evidence:
    """The evidence of `operands`, as typed behind `program`. `spoken`: its name is a word of English."""
    kind = table().kinds.get(program, "")
    kind = "said" if spoken and kind == "text" else kind
    call = Call(program, operands, shapes_of(operands, known.cwd), known)
    settled, kept, why = weigh_first(kind, call)
    doubted = kept > 0 and any(s in GRAMMAR | {"weak"} for i, s in enumerate(call.shapes) if i != settled)
    yield kept * (DOUBT if doubted else 1.0), why
    bare = options = 0
    for index, (word, found) in enumerate(zip(operands, call.shapes, strict=True)):
        if index == settled:
            continue
        if kind in _HANDS_OVER and _is_handed(kind, call, index):
            kind = table().kinds.get(word.text, kind)  # docker run alpine echo hello
            yield 0.3, f"{word.text!r} is run in there"
            continue
        weight = _weight(kind, call, index)
        if found == "option":
            weight = 0.4 if options else weight
            options += 1
        elif found in BARE and kind != "text" and not _is_pattern(kind, call, index):
            weight = _bare(kind, call, found, weight, spoken, bare)
            bare += 1
        if kind == "script" and found in ("path", "there", "expansion"):
            kind = ""  # what follows is the script's own
        yield weight * _share(call, index), f"{word.text!r} {WHY[found]}"


def _weight(kind: str, call: Call, index: int) -> float:
    """What an operand is worth by its shape alone, and by what the program is known to take."""
    word, found = call.operands[index].text, call.shapes[index]
    if kind == "expression" and word in _OPERATORS:
        return 2.0
    if kind == "target" and found in ("plain", "english", "loose", "about"):
        is_target = word in table().verbs["make"] or word in dictionary.targets(call.program, call.known.cwd)
        return 0.3 if is_target else worth(kind)[found] + AFTER_TARGET * (index > 0)
    if kind in _HAVE_VERBS and found == "plain" and dictionary.is_program(word, call.known):
        return 0.2  # apt install vim git
    if kind in _HAVE_VERBS and found in ("plain", "english") and word in table().verbs.get(call.program, ()):
        return 0.2  # git remote add
    if _is_pattern(kind, call, index):
        return 0.0
    return worth("files" if kind == "pattern" and index else kind)[found]


def _is_pattern(kind: str, call: Call, index: int) -> bool:
    """Any word can be looked for, but for those that begin a sentence."""
    return kind == "pattern" and index == call.first and call.shapes[index] in ("plain", "english")


def _bare(kind: str, call: Call, found: Shape, weight: float, spoken: bool, before: int) -> float:
    """The weight of a word without any mark: more against a command the more of them there are."""
    alone = len(call.operands) == 1
    if alone and not spoken and found == "english":
        weight = max(weight, ALONE.get(kind, weight))
    if spoken and not (alone and kind in _ONE_NAME):
        weight += SPOKEN * (2 if found in ("weak", "loose") else 1)
    if before and weight < 0:
        weight += AGAIN if found == "plain" and kind != "host" else FURTHER.get(kind, AGAIN)
    return weight


def _share(call: Call, index: int) -> float:
    """How much of its weight a word keeps that may be the value of the option before it."""
    if index and call.operands[index - 1].text in _TEXT_OPTIONS:
        return 0.0
    behind_option = index and call.shapes[index - 1] == "option" and index + 1 < len(call.shapes)
    return VALUE if behind_option and call.shapes[index] in _SAYABLE else 1.0


def _is_handed(kind: str, call: Call, index: int) -> bool:
    """Whether a program stands among the operands: docker run alpine echo hello, docker exec web which python."""
    found = call.shapes[index]
    runs = found == "plain" or (found == "english" and kind != "verb")
    asks = found == "question" and index > 1 and index + 1 < len(call.shapes)
    if index == 0 or not (runs or asks) or call.shapes[index - 1] in GRAMMAR:
        return False
    return dictionary.is_program(call.operands[index].text, call.known)


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
