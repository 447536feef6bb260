"""What the first word of a simple command is: a program here or elsewhere, the shell's own, a path, a slip, a word."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from terma import regex as re
from terma.routing import dictionary, words
from terma.routing.evidence import Known, Signal
from terma.routing.line import Word, cut
from terma.routing.operand_rules import is_sentence
from terma.routing.operands import shapes_of, weigh_operands
from terma.routing.programs import table
from terma.routing.shapes import GRAMMAR, shape
from terma.routing.typos import near
from terma.routing.weights import of

MAX_DEPTH = 5  # of sudo env nice time ...
MOST_FITTING = 3  # operands that speak for a program of which nothing is known
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*(?:\[[^]]*\])?\+?=(?!=).*", re.DOTALL)
_DURATION = re.compile(r"[\d.]+[smhd]?")
_ODD = re.compile(
    r"(?=.*[a-z])[a-z][a-z0-9_.-]*[0-9_.-][a-z0-9_.-]*"
)  # foo_bar, x11vnc: no word of a language
_GLUED = re.compile(r"(cd|ls)(?=[~/.-])")
_SCRIPTS = re.compile(r"(?:s?bin|scripts?|tools|node_modules|venv|vendor|target|build|out)(?:/[\w.-]+)+")
_WITH_VALUE = frozenset(
    "-a -u -g -n -c -p -s -k -S -C -h -o -i -t -I -L -P -E -d".split()
)  # of what runs a command
_FITS = frozenset(("option", "there", "path", "expansion", "number", "quoted"))
_GROUPS = ("weak", "strong", "polite", "question", "asking", "foreign", "about", "complaint", "loose")


def weigh_simple(given: Sequence[Word], known: Known, depth: int = 0) -> Iterator[Signal]:
    """The evidence of a simple command: its assignments, what runs it, its first word and the rest."""
    rest = list(given)
    while rest and _ASSIGNMENT.fullmatch(rest[0].text):
        yield Signal("structure", of("assigned"), f"{rest[0].text.partition('=')[0]!r} is assigned")
        rest.pop(0)
    if not rest:
        return
    head = rest[0].text
    if rest[0].quoted:
        head = head.strip("'\"") or rest[0].text
        if " " in head and "/" not in head.partition(" ")[0]:
            yield _string(head, known, depth)
            return
    alias = known.aliases.get(head, "").split()
    if rest[1:] and (head, rest[1].text) in table().sayings:
        yield Signal("structure", of("saying"), f"'{head} {rest[1].text}' is a saying")
    if " ".join(word.text for word in rest) in table().phrases:
        yield Signal("dictionary", of("phrase"), "a program's own words")
    elif alias and alias[0] != head and depth < MAX_DEPTH:
        yield Signal("dictionary", of("alias of a command"), f"{head!r} is an alias")
        yield from weigh_simple([*(Word(text, False) for text in alias), *rest[1:]], known, depth + 1)
    elif _runs_another(head, known) and len(rest) > 1 and depth < MAX_DEPTH:
        yield from _run_by(head, rest[1:], known, depth)
    else:
        yield from _head(head, rest[1:], known, depth)


def is_runnable(given: Sequence[Word], known: Known) -> bool:
    """Whether the first word could be run: as far as the shell, PATH and our list know, or as a path."""
    text = given[0].text if given else ""
    return (
        bool(_ASSIGNMENT.fullmatch(text))
        or "/" in text
        or text[:1] == "$"
        or dictionary.is_program(text, known)
    )


def _runs_another(head: str, known: Known) -> bool:
    return table().kinds.get(head) == "runs" and dictionary.is_program(head, known)


def _string(text: str, known: Known, depth: int) -> Signal:
    """watch 'ps aux | head': behind what runs it, a string is a line of its own; in front it is somebody's words."""
    runs = depth > 0 and is_runnable(cut(text)[0].words, known)
    return Signal(
        "structure",
        of("string that is run" if runs else "string"),
        f"{text!r} is {'a command' if runs else 'a string'}",
    )


def _run_by(head: str, rest: Sequence[Word], known: Known, depth: int) -> Iterator[Signal]:
    """`sudo -u x COMMAND`, `time COMMAND`: what is run decides."""
    index = 0
    while index < len(rest) and (rest[index].text.startswith("-") or _DURATION.fullmatch(rest[index].text)):
        index += 2 if rest[index].text in _WITH_VALUE and head != "time" and index + 2 < len(rest) else 1
    if index:
        yield Signal("structure", of("runs with options"), f"{head} with options")
    if rest[index:]:
        yield Signal("dictionary", of("runs what follows"), f"{head!r} runs what follows")
        yield from weigh_simple(rest[index:], known, depth + 1)
    else:
        yield Signal("dictionary", of("runs nothing"), f"{head!r} is a program")


def _head(head: str, operands: Sequence[Word], known: Known, depth: int) -> Iterator[Signal]:
    if "/" in head and (head[0] in "/.~" or _SCRIPTS.fullmatch(head) or dictionary.exists(head, known.cwd)):
        yield _path(head, known)
    elif shape(Word(head, False), "") == "expansion" and not re.match(r"\$\d", head):
        yield Signal("structure", of("expansion first"), f"{head!r} is expanded by the shell")
    elif head in ("..", "~", "-") and not operands:
        yield Signal("structure", of("directory sign"), f"{head!r} is a directory")
    elif not dictionary.is_program(head, known):
        yield from _unknown(head, operands, known, depth)
        return
    else:
        yield _named(head, known)
        if not dictionary.is_here(head, known) and _is_spoken(head) and _is_fed(operands, known):
            yield Signal("structure", of("operands of a word"), f"what follows is for {head!r}")
        if not operands:
            means = _alone(head, known)
            said = means.startswith("a word")
            yield Signal("structure", of(f"alone {means}".rstrip()), "a program's name alone", either=said)
    for weight, why, either in weigh_operands(head, operands, known, spoken=_is_spoken(head)):
        yield Signal("structure", weight, why, either)


def _alone(head: str, known: Known) -> str:
    """What a program's name says with nothing behind it: "nothing" where it means something inside a script alone, or
    is one letter; "a word" or "a word elsewhere" where it may be one of English."""
    unknown = not dictionary.is_here(head, known) and head not in table().unix
    if head in table().inside or (unknown and len(head) == 1):  # n may be a program, or no
        return "nothing"
    if not _is_spoken(head):
        return ""
    return "a word elsewhere" if unknown else "a word"


def _is_fed(operands: Sequence[Word], known: Known) -> bool:
    """Whether operands stand behind the program that no sentence has there: `open -a Safari`, `code .`."""
    shapes = shapes_of(operands, known.cwd)
    return bool(shapes) and shapes[0] in _FITS - {"number"} and not is_sentence(shapes)


def _is_spoken(head: str) -> bool:
    return words.is_english(head) or any(words.is_a(group, head) for group in _GROUPS)


def _path(head: str, known: Known) -> Signal:
    match dictionary.at_path(head, known.cwd):
        case "directory":
            return Signal("dictionary", of("directory here"), f"{head!r} is a directory")
        case "file":
            return Signal("dictionary", of("file here"), f"{head!r} is a file that cannot be run")
        case "program":
            return Signal("dictionary", of("program at a path"), f"{head!r} is a program here")
        case _:
            return Signal(
                "dictionary", of("path of a program"), f"{head!r} is written as the path of a program"
            )


def _named(head: str, known: Known) -> Signal:
    """What the dictionary says about a first word that is in it."""
    here, spoken = dictionary.is_here(head, known), _is_spoken(head)
    also = " and a word" if spoken else ""
    if here == "keyword":
        return Signal(
            "dictionary", of("keyword out of place"), f"{head!r} is a keyword of the shell, and out of place"
        )
    if here in ("alias", "function"):
        return Signal(
            "dictionary",
            of("program here") + of("own alias or function"),
            f"{head!r} is this shell's own {here}",
        )
    if here:
        return Signal(
            "dictionary",
            of("program here and a word" if spoken else "program here"),
            f"{head!r} is a {here}{also}",
        )
    name = "program elsewhere" if not spoken else "unix word" if head in table().unix else "word elsewhere"
    return Signal("dictionary", of(name), f"{head!r} is a program elsewhere{also}")


def _glued(head: str) -> tuple[str, str] | None:
    """`gitstatus` and `cd/tmp` as they were meant."""
    found = _GLUED.match(head)
    if found:
        return found.group(1), head[found.end(1) :]
    for name in ("git", "docker", "npm", "kubectl"):
        if head.startswith(name) and head[len(name) :] in table().verbs[name]:
            return name, head[len(name) :]
    return None


def _unknown(head: str, operands: Sequence[Word], known: Known, depth: int) -> Iterator[Signal]:
    """A first word that nobody knows: a slip of the fingers, a program of the person's own, or a sentence."""
    shapes = shapes_of(operands, known.cwd)
    spoken = _is_spoken(head)
    glued = _glued(head)
    if glued and depth < MAX_DEPTH:
        why = f"{head!r} is {glued[0]!r} and {glued[1]!r} without the blank"
        yield Signal("dictionary", of("glued"), why, either=True)
        yield from weigh_simple([*(Word(text, False) for text in glued), *operands], known, depth + 1)
        return
    clean = not any(found in GRAMMAR or found == "weak" for found in shapes)
    if not spoken and depth < MAX_DEPTH and (clean or len(operands) == 1) and near(head, table().common):
        meant = next(name for name in sorted(table().common) if near(head, frozenset((name,))))
        yield Signal("dictionary", of("misspelt"), f"{head!r} is nearly {meant!r}", either=True)
        yield from weigh_simple([Word(meant, False), *operands], known, depth + 1)
        return
    odd = bool(_ODD.fullmatch(head))
    also = ", but no word either" if odd else ""
    yield Signal(
        "dictionary",
        of("unknown and no word" if odd else "unknown"),
        f"{head!r} is no program known here{also}",
    )
    if spoken:
        yield Signal("structure", of("begins a sentence"), f"{head!r} begins a sentence")
        return
    fits = sum(found in _FITS for found in shapes)
    marked = of("option behind an unknown") if shapes and shapes[0] == "option" else 0.0
    weight = of("operand behind an unknown") * min(fits, MOST_FITTING) + marked
    yield Signal("structure", weight, "what follows looks like operands")
    for word, found in zip(operands, shapes, strict=True):
        if found in GRAMMAR or found == "weak":
            yield Signal("structure", of("word behind an unknown"), f"{word.text!r} is a word of a sentence")
