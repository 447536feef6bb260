"""The lines of an output that stand under every answer: the one that decides, whole, and what belongs to it."""

from __future__ import annotations

import re
from dataclasses import replace

from terma.offline.explain.case import NO_PROGRAM, Case
from terma.offline.explain.evidence import Evidence, Place, Weight
from terma.offline.explain.evidence.named import quoted
from terma.offline.explain.source import MAX_SHOWN, holders, line_at, lines_of

MAX_LINES = 5
_NAMED = 4  # code points of a name that is looked for: a shorter one stands in many lines by chance
SHORT_TITLE = 60  # a shorter line may be the title of a paragraph that tells more


def shown(case: Case, at: tuple[int, ...] = ()) -> str:
    """A block of markdown with the decisive lines; "" where nothing was printed. `at` are the lines (their indices)
    from which the answer was read: one of them is shown in any case."""
    lines = telling(case.evidence, at)
    if not lines:
        return ""
    known = case.told or case.ended == NO_PROGRAM  # a shell speaks for a program that it does not find
    command = (case.failed_text if known else case.spoke_text or case.failed_text).partition("\n")[0]
    lines = [f"$ {command}", *lines[:-1], *_sourced(case, lines[-1]), *_advised(case, lines)]
    fence = "`" * max([3, *(len(run) + 1 for line in lines for run in re.findall(r"`{3,}", line))])
    return "\n\n" + "\n".join([fence + "output", *lines, fence])


def _sourced(case: Case, last: str) -> list[str]:
    """`last`, the row of the place, with what stands there; other rows stay, and get the source's line beneath them."""
    place = case.evidence.place
    text = line_at(case, place).strip() if place else ""
    if not place or not text:
        return [last, *([] if place else _held(case))]
    row = f"{place.file}:{place.line}: {text}"
    before = _before(case, place, text)
    return [*([] if last == f"at {place}" else [last]), *before, row]


def _held(case: Case) -> list[str]:
    """The one line of the files near here that holds what the output complains of and nobody typed."""
    told = case.evidence.line
    names = [*quoted([told]), *re.findall(r": ([\w.-]{4,})$", told)]
    for name in names:
        if len(name) >= _NAMED and not any(name in word.value for word in case.words):
            hits = holders(case, name)
            text = lines_of(case, hits[0][0])[hits[0][1] - 1].strip() if len(hits) == 1 else ""
            if text and len(text) <= MAX_SHOWN and text.isprintable():
                return [f"{hits[0][0]}:{hits[0][1]}: {text}"]
    return []


def _before(case: Case, place: Place, text: str) -> list[str]:
    """The line before a place where something was not expected: what is missing is mostly missing there."""
    if not re.search(r"syntax|unexpected|expected", case.evidence.line, re.IGNORECASE):
        return []
    earlier = (
        (number, line_at(case, replace(place, line=number))) for number in range(place.line - 1, 0, -1)
    )
    found = next(((number, line.strip()) for number, line in earlier if line.strip()), None)
    return [f"{place.file}:{found[0]}: {found[1]}"] if found else []


def _advised(case: Case, rows: list[str]) -> list[str]:
    """The command that the output says to run, where no row holds it yet."""
    return [line for line in case.evidence.advised[:1] if not any(line in row for row in rows)]


def telling(found: Evidence, at: tuple[int, ...] = ()) -> list[str]:
    """The decisive line first, then others as heavy, values, an explaining paragraph, and the place. Where the answer
    was read from other lines, `at`, the first of those stands in the place of the others as heavy."""
    if not found.decisive:
        return []
    first = found.decisive[0]
    heavy = found.weights[first] >= Weight.SPOKEN
    hinted = found.weights[first] == Weight.HINTED  # none stands out: those before it belong to the same tale
    chosen = [first, *(index for index in found.decisive[1:3] if heavy or (hinted and first - index < 6))]
    if found.weights[first] == Weight.AFTERMATH:  # what it came after stands before it
        chosen += [at for at in range(first) if found.weights[at] == Weight.PLAIN][-1:]
    if at and not set(at) & set(chosen):
        chosen = [at[0], *chosen]
    rows = [_whole(found, index) for index in sorted(set(chosen))]
    rows = [row for row in rows if not row.startswith("^")] or rows
    rows += [row for row in _more(found, first) if not _said(row, rows)]
    rows += [value for value in found.values if not _said(value, rows)][:3]
    place = found.place
    if place and not any(_names_place(row, place.file, place.line) for row in rows):
        rows.append(f"at {place}")
    return list(dict.fromkeys(rows))[: MAX_LINES + 2]


def _whole(found: Evidence, index: int) -> str:
    """The line at `index`; a bare label ("Caused by:", "The most similar command is") with the line beneath that it
    announces."""
    line = found.lines[index].strip()
    below = found.lines[index + 1].strip() if index + 1 < len(found.lines) else ""
    announces = re.fullmatch(r"[A-Z][a-z]+(?: [a-z]+)?:|[A-Z][\w ]* (?:is|are)", line)
    return f"{line} {below}" if announces and below else line


def _names_place(row: str, file: str, line: int) -> bool:
    return file.rpartition("/")[2] in row and bool(re.search(rf"(?<!\d){line}(?!\d)", row))


def _said(row: str, rows: list[str]) -> bool:
    return any(row in other or other in row for other in rows)


def _more(found: Evidence, first: int) -> list[str]:
    """What follows a short decisive line and explains it: hints, and the first sentences beneath a title."""
    short = len(found.lines[first].strip()) < SHORT_TITLE
    rows: list[str] = []
    for index in range(first + 1, min(first + 12, len(found.lines))):
        text, weight = found.lines[index].strip(), found.weights[index]
        if weight >= Weight.SPOKEN or len(rows) >= 2:
            break
        hint = (
            re.match(r"(?:hint|help|= help|suggestion|perhaps)\b[: ]", text, re.IGNORECASE)
            or "id you mean" in text
        )
        prose = (
            short
            and weight == Weight.PLAIN
            and re.match(r"[A-Z(].* \w+ .*\w", text)
            and not text.endswith(":")
        )
        prose = prose or (weight == Weight.HINTED and index <= first + 4 and not text.endswith(":"))
        if hint or prose:
            rows.append(_whole(found, index))
    return rows
