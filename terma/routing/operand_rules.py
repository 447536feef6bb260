"""Words that a program takes although they are words: names of files and people, patterns, values of options."""

from __future__ import annotations

from collections.abc import Sequence

from terma import regex as re
from terma.routing import dictionary, words
from terma.routing.first_operand import FILTERS, Call
from terma.routing.programs import table
from terma.routing.shapes import BARE, GRAMMAR, Shape
from terma.routing.weights import of

ONE_NAME = frozenset(("host", "user", "process"))  # kinds behind which a name of somebody or something stands
_TAKE_FILES = frozenset(("verb", "files", "reads", "script", "new", "editor", "pattern"))
_TEXT_OPTIONS = frozenset("-m -am --message -name -iname -path -e --grep --author".split())  # with any words
_DECLARES = frozenset("declare typeset local readonly export".split())
_HAND_OVER = frozenset(
    "run exec x dlx debug shell start bisect".split()
)  # verbs behind which a program stands
_FINITE = re.compile(r"[a-z]{2,}(?:[^s\W]s|ed)")  # it gets, it stopped
_NOUNS = frozenset(("plain", "english", "describing", "polite", "foreign"))  # shapes of what may name a file
_MARKS = frozenset(("option", "quoted"))
_MARKED = _MARKS | {"path", "there", "number", "expansion"}
_SAYABLE = BARE - {"weak"} | {"polite", "about"}  # could be the value of an option


def kind_of(call: Call) -> str:
    """The kind of operands that the program of `call` takes, "" when nothing is known of it.

    The program at a path is no verb of a sentence, so that it takes any words ("text"), unless they say something of
    it ("own"); a directory or a mere file takes none."""
    if "/" not in call.program or call.program in table().kinds:
        return table().kinds.get(call.program, "")
    if dictionary.at_path(call.program, call.known.cwd) in ("directory", "file"):
        return ""
    return "text" if takes_words(call) else "own"


def takes_words(call: Call) -> bool:
    """Whether nothing is said of the program of `call`: no `is slow`, `gets stuck`, `in docker` stands behind it."""
    if words.in_a_row(call.bare) or [word.text for word in call.operands] == ["help"]:
        return True
    if not call.operands or call.shapes[0] in ("complaint", "question", "weak", "about"):
        return False
    first = call.operands[0].text
    return not (words.is_a("asking", first) or first in ("and", "or") or _FINITE.fullmatch(first))


def is_named(kind: str, call: Call, index: int) -> bool:
    """Whether it is a word by which people call what the program takes: a file, a person, a machine."""
    word = call.operands[index].text
    if is_in_a_row(kind, call):
        return True
    if call.shapes[index] not in _NOUNS:
        return False
    if kind in ONE_NAME:
        return words.is_a("people", word)
    return kind in _TAKE_FILES and words.names_a_file(word)


def is_in_a_row(kind: str, call: Call) -> bool:
    """Whether the operands are words that no sentence has side by side, where files or the like are taken."""
    return kind in _TAKE_FILES and words.in_a_row(call.bare[kind == "verb" :])


def is_pattern(kind: str, call: Call, index: int) -> bool:
    """Any word can be looked for, but for those that begin a sentence: unless there is just a file behind it."""
    if kind != "pattern" or index != call.first:
        return False
    if kind == "pattern" and call.shapes == ["about"] and call.program not in FILTERS:
        return words.is_english(call.operands[index].text)  # rg timeout
    if call.shapes[index] in ("question", "about", "strong") and index + 2 == len(call.shapes):
        return call.shapes[-1] in ("path", "there") or is_named(kind, call, index + 1)
    return call.shapes[index] in ("plain", "english")


def is_handed(kind: str, call: Call, index: int) -> bool:
    """Whether a program stands among the operands: docker run alpine echo hello, docker exec web which python."""
    found = call.shapes[index]
    runs = found == "plain" or (found == "english" and kind != "verb")
    asks = found == "question" and index > 1 and index + 1 < len(call.shapes)
    if kind == "verb" and call.operands[0].text not in _HAND_OVER:
        return False
    if (
        (index == 0 and kind != "launch")
        or not (runs or asks)
        or (index and call.shapes[index - 1] in GRAMMAR)
    ):
        return False
    return dictionary.is_program(call.operands[index].text, call.known)


def share(call: Call, index: int) -> float:
    """How much of its weight a word keeps that may be the value of the option before it, or a file behind all."""
    shapes, found = call.shapes, call.shapes[index]
    if index and call.operands[index - 1].text in _TEXT_OPTIONS:
        return 0.0
    if not _MARKS & set(shapes[:index]) or is_sentence(shapes[:index]):
        return 1.0
    last = index + 1 == len(shapes)
    if any(word.text == "--" for word in call.operands[1:index]):
        return of("share of a value")  # cargo run -- what now
    if call.program in _DECLARES and len(shapes) == 2:
        return of("share of a value")  # declare -A meaning
    if found == "question" and last:
        return of("share behind an option")  # make -C who
    if found == "question" and shapes[index - 1] == "option" and shapes[index + 1] in _MARKED:
        return of("share of a value")  # journalctl -u why --since today
    if found not in _SAYABLE or "option" not in shapes[:index]:
        return 1.0
    behind_option = shapes[index - 1] == "option" and not last
    if not behind_option and is_sentence(shapes[index:]):
        return 1.0
    return of("share of a value" if behind_option else "share behind an option")


def is_sentence(shapes: Sequence[Shape]) -> bool:
    """Whether there is a word among them that only sentences have."""
    return any(found in GRAMMAR or found == "weak" for found in shapes)
