"""A word of the command that the output calls unknown, looked up in the list that would hold it: a near one is meant.

This knows no program. The output tells which word is wrong and what kind of thing it is; the list is the machine's or
the program's own, and a fix is made only if one name in it is clearly the nearest."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence

from terma.offline.explain import program_text
from terma.offline.explain.case import Case
from terma.offline.explain.evidence import Weight
from terma.offline.explain.finding import Finding
from terma.offline.explain.known_packages import modules, well_known
from terma.offline.explain.line import Word
from terma.offline.explain.near import SWAP, distance, limit_for, nearest, once
from terma.offline.explain.pieces import exchanged, is_named, is_value, pieces_of, says
from terma.offline.explain.proposed import takes_files
from terma.offline.explain.wordlists import by_kind, form_words, offered, own_words, values_of

_VOCABULARY_WORDS = (
    r"unknown|invalid|cannot resolve|could not import"
    r"|unrecogni[sz]ed|unsupported|illegal|\bbad\b|undefined"
    r"|not (?:an? )?(?:valid|supported|known|recogni[sz]ed|defined)"
)
_WRONG = re.compile(
    _VOCABULARY_WORDS
    + r"|no such|not found|no (?:manual )?entry|does ?n[o']t exist|not installed|can(?:not|'t) find|is not a|not known"
    r"|could(?: not|n't) (?:find|locate|resolve|open|create|be found)|unable to \w+"
    r"|allowed \w+ are|no match|choose from"
    r"|(?:must|should|has to) be one of"
    r"|doesn't|failed to \w+|\bno (?:\w+ ){1,3}(?:for|named|called|with)\b|nothing appropriate|documentation found"
    r"|name or service|did not match|not in |\bhas no \w+ ",
    re.IGNORECASE,
)
# The program speaks of its own words, and not of something that it was to look for in the world.
_VOCABULARY = re.compile(
    _VOCABULARY_WORDS
    + r"|(?:command|option|action|keyword|verb)\b.{0,60} not found|\bno (?:\w+ ){1,3}(?:for|named|called|with)\b"
    r"|failed to (?:parse|start (?:the )?\w+|load (?:the )?\w+)|couldn't open terminfo"
    r"|no such (?:option|command|setting|type|filter|format|field|key|variable|capability|property|function)",
    re.IGNORECASE,
)
_RUNS = re.compile(
    r"failed to (?:run|exec\w*)|cannot run|can't exec\w*|exec\w*(?: failed|:)|unable to execute",
    re.IGNORECASE,
)
# The files of a folder that say what can be done in it, and how they name that.
_TASKS = re.compile(
    r"(?i)tasks?|make|just|rake|gulp|grunt|nox|fab|dodo|package\.json|composer|pyproject|compose|earth|mix\.exs"
)
_DEFINED = re.compile(
    r"(?m)^(?:async )?def (\w+)\(|^[ \t]*[\"']?([\w:-]+)[\"']?[ \t]*:|^\s*(?:task|desc)[ (]+[:\"']*([\w:-]+)"
    r"|^\[(?:\w+\.)?([\w-]+)\]"
)
_MAX_TASKS = 1 << 16
_MIN_OWN = 4  # letters: shorter words are near to too many
_SHORT = 5
_MAX_LINES = 6
_MAX_PIECES = 4  # of a line are looked up: each may cost a look through a program's file
_ANAGRAM = 2.0  # slips between words of the same letters: two that changed places over a third
_FIRST = 0.4  # a first letter is seldom the wrong one, as in `near`
_CLEAR = 0.3  # how much nearer than the next name the meant one must be


def misspelt(case: Case) -> Finding | None:
    """The first word that is wrong and of which one near name is known; None when there is none."""
    return next(_findings(case), None)


def _findings(case: Case) -> Iterator[Finding]:
    yield from _proposed(case)
    yield from _looked_for(case)
    yield from _of_project(case)


def _proposed(case: Case) -> Iterator[Finding]:
    """What the output says was meant, in the place of the one word that is nearly written so; of several names that are
    as near, none."""
    for word, piece in pieces_of(case) if case.blamed else ():
        bare = piece.lstrip("-")
        near = {
            name: slip
            for name in case.evidence.suggested
            if (slip := _slip(case, word, bare, name)) is not None
        }
        best = [name for name, slip in near.items() if slip == min(near.values())]
        alone = len(case.evidence.suggested) == 1 or min(near.values(), default=2.0) <= 1.0
        if len(best) == 1 and alone and says(case.evidence.flat, bare):
            meant = best[0].lstrip("-")
            said = f"{bare} looks like {meant} misspelt, as the output says."
            yield Finding(said, exchanged(case, word, bare, meant))


def _slip(case: Case, word: Word, bare: str, name: str) -> float | None:
    """How far the proposed `name` is from the word that was typed; None where it is none for its place."""
    meant = name.lstrip("-")
    if bare == meant or name.startswith("--") != word.value.startswith("--"):
        return None
    apart = distance(bare.lower(), meant.lower(), limit_for(bare))
    return apart if apart <= limit_for(bare) or _is_short_for(case, word, name) else None


def _is_short_for(case: Case, word: Word, name: str) -> bool:
    """Whether `word` is the one option of the command that the output quotes, and the beginning of `name`."""
    typed = word.value.partition("=")[0]
    quoted = [one.value for one in case.arguments if one.value.partition("=")[0] in case.evidence.names]
    return typed.startswith("--") and name.startswith(typed) and quoted == [word.value]


def _of_project(case: Case) -> Iterator[Finding]:
    """A name that the output quotes alone, and that a file of this folder defines nearly so."""
    for word, piece in pieces_of(case) if case.blamed else ():
        quoted = re.search(rf"['\"`‘“]{re.escape(piece)}['\"`’”]", case.evidence.line)
        if not quoted or len(piece) < _MIN_OWN or word.value.startswith("-"):
            continue
        found = clear(piece, _defined_here(case), 1.0)
        if found and found != piece:
            yield Finding(
                f"{piece} looks like {found} misspelt: it is defined here.",
                exchanged(case, word, piece, found),
            )


def _defined_here(case: Case) -> list[str]:
    texts = (case.read(name, _MAX_TASKS) for name in sorted(case.listing())[:60] if _TASKS.search(name))
    return [name for text in texts for hit in _DEFINED.finditer(text) for name in hit.groups() if name]


def _looked_for(case: Case) -> Iterator[Finding]:
    for line in _telling(case):
        if not _WRONG.search(line) or not case.blamed:
            continue
        pieces = list(pieces_of(case))
        named = [one for one in pieces if is_named(line, one[1]) or is_value(case, line, *one)]
        for word, piece in [*named[:_MAX_PIECES], *(one for one in pieces if one not in named)]:
            meant = _meant(case, line, piece) if (word, piece) in named else _listed(case, line, piece)
            meant = meant or clear(piece, values_of(case, _option_of(case, word, piece)), limit_for(piece))
            if meant.lstrip("-") in (piece.lstrip("-"), word.value.lstrip("-")):
                continue  # with and without its dashes it is the same word
            if meant and _is_taken(case, word, piece, meant):
                alone = meant == _sole(case, line)
                said = (
                    f"only {meant} is there, and no {piece}"
                    if alone
                    else f"{piece} looks like {meant} misspelt"
                )
                yield Finding(
                    f"{said[:1].upper() if alone else said[:1]}{said[1:]}.",
                    exchanged(case, word, piece, meant),
                )


def _option_of(case: Case, word: Word, piece: str) -> str:
    """The option whose value `piece` is, "" where it is none."""
    name, equals, value = word.value.partition("=")
    if equals:
        return name if name.startswith("-") and value == piece else ""
    at = case.arguments.index(word) if word in case.arguments else 0
    before = case.args[at - 1] if at else ""
    return before if piece == word.value and re.fullmatch(r"--?[A-Za-z][\w-]*", before) else ""


def _telling(case: Case) -> list[str]:
    """The decisive lines, and what stands with them: a log repeats its last error and tells the reason before it."""
    found = case.evidence
    others = [index for index, weight in enumerate(found.weights) if weight >= Weight.HINTED]
    chosen = dict.fromkeys((*found.decisive[:3], *others[:_MAX_LINES]))
    return [found.lines[index] for index in chosen]


def _is_taken(case: Case, word: Word, piece: str, meant: str) -> bool:
    """Whether `meant` may stand where `piece` does: the name of a long option is one of the program's long options."""
    of_options = re.search(r"option|flag|switch|argument", case.evidence.line, re.IGNORECASE)
    if of_options and word.value in (piece, f"-{piece}") and re.match(r"-[A-Za-z][\w-]", word.value):
        single = f"-{meant.lstrip('-')}"
        return bool(re.search(rf"(?<![\w-]){re.escape(single)}(?![\w-])", f"{case.output}\n{case.manual}"))
    if word.value.partition("=")[0] not in (piece, f"--{piece}") or not word.value.startswith("--"):
        return True
    begun = [one for one in case.options() if one.startswith(word.value.partition("=")[0])]
    if len(begun) == 1 and not of_options:
        return False  # it is taken as the beginning of that one; something else is wrong
    name = f"--{meant.lstrip('-')}"
    told = re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", case.output)
    return bool(told) or name in case.options() or program_text.holds(case, name)


def _meant(case: Case, line: str, piece: str) -> str:
    """The name that was meant, "" where none is or where two are as near."""
    if found := clear(piece, offered(case, line, piece), limit_for(piece)):
        return found
    if piece in case.evidence.names and (sole := _sole(case, line)):
        return sole
    if _RUNS.search(line):
        near = case.near_programs(piece)
        return near[0] if near and not case.installed(piece) else ""
    if re.search(r"\bmodule\b", line) and (
        piece in modules() or piece in well_known("pip") or case.installed(piece)
    ):
        return ""  # a well-known one, and not installed here
    for names in by_kind(case, line):
        if piece in names:
            return ""  # it is right as it stands: something else is wrong
        if found := clear(piece, names, limit_for(piece)) or _goes_on(piece, names) or _begun(piece, names):
            return found
    if not _VOCABULARY.search(line) or "/" in piece or piece.startswith("-"):
        return ""
    for words in own_words(case, piece) if len(piece) >= _MIN_OWN else ():
        if piece in words or piece.upper() in words or piece.lower() in words:
            return (
                ""  # as it stands, but for its case, it is a word of the program's: something else is wrong
            )
        if found := clear(piece, words, 1.0) or clear(piece, _of_letters(piece, words), _ANAGRAM):
            cased = found.isupper() or found[1:] == found[1:].lower()
            likely = found.lower() if piece.islower() and cased else found
            if is_likely(piece.lower(), found.lower()):
                return likely
    forms = form_words(case)  # among few words one is clear where among all of the program's it is not
    found = clear(piece, forms, 1.0) if piece not in forms else ""
    return found if len(found) > len(piece) or sorted(found) == sorted(piece) else ""


def _sole(case: Case, line: str) -> str:
    """The only name that the output lists as one that there is, below or behind the line that calls another unknown."""
    rows = [row.strip() for row in case.evidence.flat.splitlines()]
    told = rows.index(line.strip()) if line.strip() in rows else len(rows)
    for at, row in enumerate(rows[told + 1 : told + 4], told + 1):
        listed = re.search(
            r"\b(?:available|valid|possible|existing) [\w -]{2,30}:\s*(.*)$", row, re.IGNORECASE
        )
        if listed:
            below = itertools.takewhile(bool, rows[at + 1 : at + 40])
            names = [name for name in re.split(r"[,\s]+", listed[1] or " ".join(below)) if name]
            return names[0] if len(names) == 1 and re.fullmatch(r"[\w.:+-]+", names[0]) else ""
    return ""


def _of_letters(piece: str, words: Sequence[str]) -> list[str]:
    """The words that are written with the letters of `piece`, one for one."""
    letters = sorted(piece.lower()) if len(piece) > _SHORT else []
    return [word for word in words if len(word) == len(letters) and sorted(word.lower()) == letters]


def _goes_on(piece: str, names: Sequence[str]) -> str:
    """The one name that goes on behind `piece` with a new step: v1.2.0 for v1.2."""
    found = {name for name in names if re.match(rf"{re.escape(piece)}[./_-]", name)}
    return found.pop() if len(found) == 1 and len(piece) >= _MIN_OWN else ""


def _begun(piece: str, names: Sequence[str]) -> str:
    """The one name that is the beginning of `piece`, or the other way round: app for application, eth0 for eth. What
    goes on behind a dash or a dot is another name, and no slip of that one."""
    found = {
        name
        for name in names
        if len(name) > 2
        and (name.startswith(piece) or (piece.startswith(name) and piece[len(name)].isalnum()))
    }
    return found.pop() if len(found) == 1 else ""


def is_likely(piece: str, found: str) -> bool:
    """Whether a short word is `found` as fingers slip: neighbours swapped, a letter twice, one left out."""
    return (
        len(piece) > _SHORT
        or distance(piece, found, 1.0) <= SWAP
        or once(piece) == found
        or len(found) > len(piece)
    )


def _listed(case: Case, line: str, piece: str) -> str:
    """The near one of the right words, where the output lists them and does not say which word was wrong."""
    if piece in case.operands and takes_files(case):
        return ""  # what it takes is the name of a file
    found = clear(piece, offered(case, line, piece), limit_for(piece)) if len(piece) >= _MIN_OWN else ""
    return "" if found.startswith("-") else found


def clear(piece: str, names: Sequence[str], limit: float) -> str:
    """The one name within `limit` slips of `piece` that is clearly nearer than the others; its own case comes first."""
    near = [(distance(piece.lower(), name.lower(), limit), name) for name in nearest(piece, names, 6)]
    kept = sorted(
        (
            apart + 0.5 * (name[:1].isupper() != piece[:1].isupper()) + _FIRST * _begins_apart(name, piece),
            name,
        )
        for apart, name in near
        if apart <= limit
    )
    if not kept:
        return ""
    swapped = kept[0][0] <= SWAP < min([apart for apart, _ in kept[1:]], default=limit + 1)
    if len(kept) > 1 and kept[1][0] - kept[0][0] < _CLEAR and not swapped:
        return ""
    return kept[0][1]


def _begins_apart(name: str, piece: str) -> bool:
    """Whether the two begin with different letters, and not with the same two in the other order."""
    a, b = name[:2].lower(), piece[:2].lower()
    return a[:1] != b[:1] and a[::-1] != b
