"""What the words behind a program say: whether they are what that program takes, or the rest of a sentence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from terma.routing import dictionary
from terma.routing.evidence import Known
from terma.routing.first_operand import OPERATORS, Call, weigh_first
from terma.routing.line import Word
from terma.routing.operand_rules import (
    ONE_NAME,
    is_handed,
    is_in_a_row,
    is_named,
    is_pattern,
    kind_of,
    share,
    takes_words,
)
from terma.routing.programs import table
from terma.routing.shapes import BARE, GRAMMAR, WORDS, Shape, shape
from terma.routing.weights import WHY, of, of_kind

Evidence = Iterator[tuple[float, str, bool]]  # weight, why, whether it could as well be a word of a sentence
MOST_OPERANDS = 60  # that are looked at: by then it is clear what a line is
_HANDS_OVER = frozenset(("verb", "host", "names", "launch"))  # a program may stand among their operands
_NAMES_ONE = frozenset(  # verbs that do little without one name
    "new create get init show info grep view start stop exec run x checkout switch branch tag add install uninstall"
    " remove ls rm logs describe inspect".split()
)
_PERSONAL = frozenset(("strong", "polite", "complaint", "spoken"))  # somebody is spoken to
_SPEAK_OF = frozenset(
    "vs versus without keeps fails hangs crashes prints returns shows gives adds doesnt isnt".split()
)
_HAVE_VERBS = frozenset(("verb", "late"))


def weigh_operands(program: str, operands: Sequence[Word], known: Known, *, spoken: bool = False) -> Evidence:
    """The evidence of `operands`, as typed behind `program`. `spoken`: its name is a word of English."""
    operands = operands[:MOST_OPERANDS]
    call = Call(program, operands, shapes_of(operands, known.cwd), known)
    kind = kind_of(call)
    kind = "said" if spoken and kind == "text" else kind
    settled, kept, why = weigh_first(kind, call)
    doubted = (
        kept > 0
        and kind != "expression"
        and any(
            found in GRAMMAR | {"weak"} and index != settled and not is_named(kind, call, index)
            for index, found in enumerate(call.shapes)
        )
    )
    yield kept * (of("share of a doubted verb") if doubted else 1.0), why, False
    kind = "text" if kind == "expression" and settled >= 0 else kind
    bare = options = 0
    for index, (word, found) in enumerate(zip(operands, call.shapes, strict=True)):
        if index == settled:
            continue
        if kind in _HANDS_OVER and is_handed(kind, call, index):
            kind = table().kinds.get(word.text, kind)  # docker run alpine echo hello
            yield of("run in there"), f"{word.text!r} is run in there", False
            continue
        weight = _weight(kind, call, index)
        if found == "option":
            weight = of("further option") if options else weight
            options += 1
        elif is_in_a_row(kind, call):
            weight = 0.0
        elif is_named(kind, call, index):
            weight = of("login" if kind in ONE_NAME else "name of a file") + of("name behind a word") * spoken
        elif found in BARE and kind != "text" and not is_pattern(kind, call, index):
            weight = _bare(kind, call, found, weight, spoken, bare)
            bare += 1
        yield weight * share(call, index), f"{word.text!r} {WHY[found]}", found in GRAMMAR
        if kind == "script":
            kind = _behind_script(call, index)


def _behind_script(call: Call, index: int) -> str:
    """Of what kind the operands behind this one are: behind a script they are its own."""
    if is_named("script", call, index):
        return ""
    if call.shapes[index] not in ("path", "there", "expansion"):
        return "script"
    rest = Call(call.operands[index].text, call.operands[index + 1 :], call.shapes[index + 1 :], call.known)
    return "text" if takes_words(rest) else ""


def _weight(kind: str, call: Call, index: int) -> float:
    """What an operand is worth by its shape alone, and by what the program is known to take."""
    word, found = call.operands[index].text, call.shapes[index]
    if found == "there" and index and call.shapes[index - 1] in GRAMMAR | {"weak"} and word.isalpha():
        return 0.0  # a bash loop, where a directory is called bash
    if kind == "host" and word == "any":
        return 0.0  # dig host any, tcpdump -i any
    if kind == "text" and word in _SPEAK_OF and index + 1 < len(call.operands):
        spoken_of = index == 0 or (index == 1 and call.shapes[0] == "expansion")
        return (
            of("spoken of") if spoken_of else of_kind(found, kind)
        )  # echo vs printf, echo $PATH prints nothing
    if kind == "expression" and word in OPERATORS:
        return of("operator")
    if kind == "target" and found in ("plain", "english", "loose", "about"):
        is_target = word in table().verbs["make"] or word in dictionary.targets(call.program, call.known.cwd)
        return (
            of("further target") if is_target else of_kind(found, kind) + of("behind a target") * (index > 0)
        )
    if kind in _HAVE_VERBS and found == "plain" and dictionary.is_program(word, call.known):
        return of("names a program to a verb")  # apt install vim git
    if kind in _HAVE_VERBS and found in ("plain", "english") and word in table().verbs.get(call.program, ()):
        return of("verb of a verb")  # git remote add
    if is_pattern(kind, call, index):
        return 0.0
    if kind == "verb" and len(call.operands) == 2:
        verb = call.operands[0].text
        if verb == "help" and found not in _PERSONAL:
            return of("help of anything")  # git help why
        if verb in _NAMES_ONE and found == "question":
            return of("one name that asks")  # cargo new what
    return of_kind(found, "files" if kind == "pattern" and index else kind)


def _bare(kind: str, call: Call, found: Shape, weight: float, spoken: bool, before: int) -> float:
    """The weight of a word without any mark: more against a command the more of them there are."""
    alone = len(call.operands) == 1
    if alone and not spoken and found == "english":
        weight += of_kind("alone english", kind)
    if spoken and not (alone and kind in ("host", "process", "names")):
        weight += of("behind a word") * (2 if found in ("weak", "loose") else 1)
    if found == "weak" and len(call.operands) > 1 and call.shapes[0] == found:
        weight += of("leading preposition")
    if before and weight < 0:
        weight += of("further plain") if found == "plain" and kind != "host" else of_kind("further", kind)
    return weight


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
