"""The first operand, for programs that are particular about it: verbs, targets, names, places, patterns."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from terma.records import dataclass
from terma.routing import dictionary
from terma.routing.evidence import Known
from terma.routing.line import Word
from terma.routing.programs import table
from terma.routing.shapes import BARE, GRAMMAR, Shape
from terma.routing.typos import near
from terma.routing.weights import of

First = tuple[int, float, str]  # which operand that is, what it is worth, why
_NONE: First = (-1, 0.0, "")
FILTERS = frozenset(("grep", "egrep", "fgrep", "zgrep"))
OPERATORS = frozenset("! = == != -eq -ne -lt -le -gt -ge -nt -ot + - * / % < > ] \\* =~".split())
_NO_WORDS = frozenset(("path", "there", "expansion", "assignment", "quoted", "number"))


@dataclass(frozen=True, slots=True)
class Call:
    """A program with its operands, their shapes, and where it would run. `first` is the first that is no option."""

    program: str
    operands: Sequence[Word]
    shapes: Sequence[Shape]
    known: Known

    @property
    def first(self) -> int:
        return next((i for i, found in enumerate(self.shapes) if found != "option"), len(self.shapes))

    @property
    def bare(self) -> list[str]:
        """The operands that are no options."""
        return [
            word.text for word, found in zip(self.operands, self.shapes, strict=True) if found != "option"
        ]


def weigh_first(kind: str, call: Call) -> First:
    """What the first operand says to a program of `kind`; an index of -1 when there is nothing particular about it."""
    if kind not in _RULES or call.first == len(call.shapes):
        return _NONE
    return _RULES[kind](call)


def _verb(call: Call) -> First:
    """Whether it is a verb that the program has."""
    verbs = table().verbs[call.program]
    places = [i for i, found in enumerate(call.shapes) if found != "option"][:2]
    place, behind_option = places[0], places[0] > 0
    if behind_option and call.operands[place].text not in verbs and len(places) > 1:
        place = places[1] if call.operands[places[1]].text in verbs else place  # git -C there status
    word, found = call.operands[place].text, call.shapes[place]
    if word in verbs or dictionary.has_extension(call.program, word, call.known):
        return place, of("verb"), f"{call.program} has {word!r}"
    if found in _NO_WORDS:
        return place, of("no verb but no word"), f"{word!r} is no word"
    if found in ("plain", "name") and len(word) > 2 and near(word, verbs):
        return place, of("verb misspelt"), f"{word!r} is nearly something that {call.program} has"
    if found not in GRAMMAR and behind_option:
        return place, of("no verb but behind an option"), f"{word!r} may belong to the option before it"
    if found == "name":
        return place, of("no verb but a name"), f"{call.program} has no {word!r}, but that is a name"
    if len(call.operands) == 1 and found == "plain":
        return (
            place,
            of("no verb but alone"),
            f"{call.program} has no {word!r}, but that is no word of a sentence",
        )
    return place, of("no verb"), f"{call.program} has no {word!r}"


def _late(call: Call) -> First:
    """service NAME VERB."""
    if len(call.operands) == 2 and call.operands[1].text in table().verbs[call.program]:
        return 1, of("late verb"), f"{call.program} has {call.operands[1].text!r}"
    return 0, of("no late verb"), f"{call.program} wants a name and a verb"


def _target(call: Call) -> First:
    """Whether it is a target of the makefile here, or one that many have."""
    elsewhere = any(word.text in ("-C", "-f") for word in call.operands)
    here = frozenset[str]() if elsewhere else dictionary.targets(call.program, call.known.cwd)
    word = call.operands[call.first].text
    if word in here:
        return call.first, of("target here"), f"{call.program} has the target {word!r} here"
    if word in table().verbs["make"]:
        return call.first, of("usual target"), f"{word!r} is a usual target"
    if here and call.shapes[call.first] in ("plain", "english"):
        return call.first, of("no target here"), f"{call.program} has no target {word!r} here"
    return _NONE


def _name(call: Call) -> First:
    """Whether it names a program: `man git-rebase`, `which which`."""
    place = next((i for i, found in enumerate(call.shapes) if found not in ("option", "number")), -1)
    if place < 0 or (call.shapes[place] in GRAMMAR and len(call.operands) > 1):
        return _NONE
    word = call.operands[place].text
    if place and call.shapes[place - 1] == "number" and len(call.operands) == 2:
        return place, of("page of the manual"), f"{word!r} behind a number is a page of the manual"
    if dictionary.is_program(word.partition("-")[0], call.known):
        return place, of("names a program"), f"{word!r} is a program"
    return _NONE


def _file(call: Call) -> First:
    """What some will not do without: find looks in places that are there, install has somewhere to put it."""
    if call.program == "find" and call.shapes[0] in ("plain", "english", "name"):
        if "option" in call.shapes:
            return 0, of("find without a place but with options"), "find looks for what its options say"
        return 0, of("find without a place"), f"there is no {call.operands[0].text!r} to look in"
    places = {"path", "there", "expansion", "option"}
    if call.program == "install" and not places & set(call.shapes):
        return 0, of("install without a place"), "install needs a place to put it"
    return _NONE


def _pattern(call: Call) -> First:
    """A filter that has a pattern and no file, unquoted: it would wait for somebody to type."""
    if call.program in FILTERS and all(found in BARE for found in call.shapes):
        adverb = "describing" in call.shapes
        return (
            0,
            of("filter of an adverb" if adverb else "filter of nothing"),
            f"{call.program} has nothing to read",
        )
    return _NONE


def _expression(call: Call) -> First:
    """A test that is complete: an operator of one letter and a word, or two words and an operator between them."""
    texts = [word.text for word in call.operands]
    unary = len(texts) == 2 and len(texts[0]) == 2 and call.shapes[0] == "option"
    if unary or (len(texts) == 3 and texts[1] in OPERATORS):
        return len(texts) - 1, of("test"), f"{' '.join(texts)!r} can be tested"
    return _NONE


def _edit(call: Call) -> First:
    """The program of sed and awk is hardly ever a word."""
    if call.first == 0 and call.shapes[0] in ("plain", "english"):
        return 0, of("script of one word"), f"{call.operands[0].text!r} is nothing for {call.program}"
    return _NONE


_RULES: dict[str, Callable[[Call], First]] = {
    "verb": _verb,
    "late": _late,
    "target": _target,
    "names": _name,
    "files": _file,
    "pattern": _pattern,
    "edits": _edit,
    "expression": _expression,
}
