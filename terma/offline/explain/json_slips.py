"""A comma too few or too many in JSON that a program refused: found by reading the file, proved by reading it again."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from terma.offline.explain.case import Case
from terma.offline.explain.finding import Finding
from terma.offline.explain.source import line_at, lines_of, sed

_TOLD = re.compile(
    r"json|pars|unexpected (?:token|string|number)|delimiter|comma|property name", re.IGNORECASE
)
_LAST = re.compile(r",( *[\]}])")
_MAX_TRIES = 4  # lines back from where the reader stopped that may lack the comma


def json_slip(case: Case) -> Iterator[Finding]:
    """The one line of a JSON file of the command, or of the place told, that a comma more or less makes right."""
    if not _TOLD.search(f"{case.about_command}\n{case.evidence.line}"):
        return
    place = case.evidence.place
    read = (
        re.findall(r"['\"]([^'\"]+)['\"]", line_at(case, place)) if place else []
    )  # what the source opens there
    names = dict.fromkeys([*([place.file] if place and place.own else []), *case.operands, *case.args, *read])
    for path in (name for name in names if name.endswith(".json") and case.is_file(name)):
        text = "\n".join(lines_of(case, path))
        stopped = _stops(text)
        if not text or not stopped:
            continue
        rows = text.split("\n")
        for number in range(stopped, max(stopped - _MAX_TRIES, 0), -1):
            row = rows[number - 1]
            bare = row.rstrip()
            for changed, script, said in (
                (f"{bare},", "s/ *$/,/", "lacks the comma at its end"),
                (bare.removesuffix(","), "s/, *$//", "has a comma behind the last value"),
                (_LAST.sub(r"\1", row), r"s/,\( *[]}]\)/\1/", "has a comma behind the last value"),
            ):
                if changed != row and not _stops("\n".join([*rows[: number - 1], changed, *rows[number:]])):
                    yield Finding(f"Line {number} of {path} {said}.", sed(case, path, f"{number}{script}"))
                    return


def _stops(text: str) -> int:
    """The line, from 1, where reading `text` as JSON stops; 0 where it does not."""
    try:
        json.loads(text)
    except json.JSONDecodeError as error:
        return error.lineno
    except RecursionError:
        return 0
    return 0
