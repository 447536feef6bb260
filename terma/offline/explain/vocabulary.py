"""A word of a file that the program calls unknown without a quote, and that its own vocabulary has nearly so: a keyword
of a configuration, an option in a script of the program's language."""

from __future__ import annotations

import re

from terma.offline.explain.case import Case
from terma.offline.explain.finding import Finding
from terma.offline.explain.misspelt import clear, is_likely
from terma.offline.explain.shapes.told import told
from terma.offline.explain.source import edited, lines_of
from terma.offline.explain.wordlists import own_words

_CALLED = re.compile(
    r"\b(?:unknown|invalid|bad|unrecogni[sz]ed|unsupported|illegal|no such)(?: [\w-]+){0,2}?"
    r" (?:option|keyword|directive|parameter|key|setting|command|field|attribute|property"
    r"|statement|instruction|token|name)s?:? "
    r"['\"`‘]?(?P<name>[A-Za-z][\w-]{3,40})['\"`’]?(?=$|[\s.,;)])",
    re.IGNORECASE | re.MULTILINE,
)


def vocabulary(case: Case) -> Finding | None:
    """The one line of the file that holds the word, with the program's own word in its place."""
    called = _CALLED.search(told(case))
    if not called or any(called["name"] in word.value for word in case.words):
        return None
    at = _stands(case, called["name"])
    if at is None:
        return None
    path, line, name = at
    for words in own_words(case, name.lower()):
        low = {word.lower() for word in words}
        if name.lower() in low:
            return None
        found = clear(name.lower(), words, 1.0)
        if found and is_likely(name.lower(), found.lower()):
            meant = found.capitalize() if name.istitle() else found
            fix = edited(case, path, line, name, meant)
            return Finding(f"Line {line} of {path} says {name}, which looks like {meant} misspelt.", fix)
    return None


def _stands(case: Case, name: str) -> tuple[str, int, str] | None:
    """The file and line in which `name` stands once, and as it is written there: the place that the output tells, else
    a file that was typed."""
    place = case.evidence.place
    files = [place.file] if place and place.own else [one for one in case.operands if case.is_regular(one)]
    found = [
        (path, number, hit.group())
        for path in files[:4]
        for number, row in enumerate(lines_of(case, path), 1)
        for hit in re.finditer(rf"(?<![\w-]){re.escape(name)}(?![\w-])", row, re.IGNORECASE)
        if not place or place.file != path or place.line == number
    ]
    return found[0] if len(found) == 1 else None
