"""One slip of TOML in a file that a program refused: a value without quotes, a quote or bracket not closed; proved by
reading the file again."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator

from terma.offline.explain.case import Case
from terma.offline.explain.finding import Finding
from terma.offline.explain.source import line_at, lines_of, sed

_TOLD = re.compile(r"toml|end of document|invalid value|invalid (?:key|string)|expected", re.IGNORECASE)
_SET = re.compile(r"^(\s*[\w.\"-]+)\s*(=|:)\s*(.*?)\s*$")


def toml_slip(case: Case) -> Finding | None:
    """The one line of a TOML file of the command, or of what the source opens there, with which it can be read."""
    place = case.evidence.place
    if not _TOLD.search(f"{case.about_command}\n{case.evidence.line}"):
        return None
    read = re.findall(r"['\"]([^'\"]+\.toml)['\"]", line_at(case, place)) if place else []
    named = re.findall(r"(?<![\w/])[\w./-]+\.toml\b", case.evidence.flat)
    names = dict.fromkeys([*([place.file] if place and place.own else []), *case.args, *read, *named])
    for path in (name for name in names if name.endswith(".toml") and case.is_regular(name)):
        rows = lines_of(case, path)
        number = stops(rows)
        if not 0 < number <= len(rows):
            continue
        kept = [
            one
            for one in _changed(rows[number - 1])
            if not stops([*rows[: number - 1], one[0], *rows[number:]])
        ]
        if len(kept) == 1:
            changed, said = kept[0]
            text = re.sub(r"([\\&|])", r"\\\1", changed)
            return Finding(f"Line {number} of {path} {said}.", sed(case, path, f"{number}s|.*|{text}|"))
    return None


def stops(rows: list[str]) -> int:
    """The line, from 1, where reading stops; 0 where it does not."""
    try:
        tomllib.loads("\n".join(rows))
    except tomllib.TOMLDecodeError as error:
        told = re.search(r"at line (\d+)", str(error))
        return int(told[1]) if told else max((n for n, row in enumerate(rows, 1) if row.strip()), default=0)
    except RecursionError:
        return 0
    return 0


def _changed(row: str) -> Iterator[tuple[str, str]]:
    """The line with one change, and what was wrong with it."""
    found = _SET.match(row)
    if not found:
        return
    name, sign, value = found.groups()
    if sign == ":":
        yield f"{name} = {value}", "has a colon for its ="
    elif value[:1] in "\"'" and value.count(value[:1]) == 1:
        yield f"{row.rstrip()}{value[:1]}", "lacks the closing quote"
    elif value[:1] == "[" and "]" not in value:
        yield f"{row.rstrip()}]", "lacks the closing bracket"
    elif re.fullmatch(r"[\w./:@~^<>=* -]+", value):
        yield f'{name} = "{value}"', "has a text without quotes"
