"""What the looks are about: the lines that tell the failure, and the paths, hosts and numbers that they name."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator

from terma.offline.explain.case import Case
from terma.offline.explain.shapes.told import URL, told

_PATH = re.compile(
    r"(?<![\w./~-])((?:~|\.{1,2})?/?[\w.+@-]+(?:/[\w.+@-]+)+/?|/[\w.+@-]+|\w[\w-]*\.[A-Za-z]\w*)"
)
_NO_PATH = re.compile(r"[$*?`{}\n]|^-|^\w+://|^\d+(?:\.\d+)*$")
_ENDS = ".,;:!)"
HOST = r"(?:\[[\da-f:]+\]|[A-Za-z\d](?:[\w-]*[\w])?(?:\.[\w-]+)*|::1)"


def said(case: Case) -> str:
    """The lines that tell the failure; all that was printed where none stands out."""
    return told(case) or case.evidence.flat


def lines_with(case: Case, pattern: re.Pattern[str]) -> str:
    """Those of the telling lines in which `pattern` stands, else such lines of the rest; one that ends in a colon with
    what it announces."""
    rows = [row.strip() for row in case.evidence.flat.splitlines() if row.strip()]
    whole = {
        row: f"{row} {after}" if row.endswith(":") else row
        for row, after in itertools.pairwise([*rows, ""])
        if pattern.search(row)
    }
    telling = {line.strip() for line in said(case).splitlines()}
    return "\n".join([text for row, text in whole.items() if row in telling] or whole.values())


def subjects(case: Case, lines: str = "") -> Iterator[str]:
    """The paths that `lines`, else the telling ones, are about, each once: what they quote, then what was typed and
    they repeat, then what looks like a path in them."""
    lines = lines or said(case)
    typed = [word.value for word in case.words if word.value != case.program]
    found = [name for name in case.evidence.names if name in lines and not name.startswith("-")]
    for value in typed:
        for piece in (value, value.partition("=")[2]):
            if len(piece) > 1 and re.search(rf"(?<![\w./-]){re.escape(piece.rstrip('/'))}(?![\w-])", lines):
                found.append(piece)
    found += [hit[1] for hit in _PATH.finditer(URL.sub(" ", lines))]
    for name in dict.fromkeys(one.rstrip(_ENDS) for one in found):
        if name and not _NO_PATH.search(name) and len(name) < 200 and not _is_program(case, name):
            yield shorter(case, name)


def shorter(case: Case, path: str) -> str:
    """`path` as one types it in this folder."""
    return path.removeprefix(f"{case.cwd.rstrip('/')}/") if case.cwd not in ("", "/") else path


def _is_program(case: Case, name: str) -> bool:
    """Whether `name` only says who speaks, and is no file here."""
    return name == case.program or (case.runs(name) and not case.exists(name))


def operands_here(case: Case) -> list[str]:
    """The files that were typed and are here, what an option or dd's if= holds included."""
    typed = [piece for word in case.words for piece in (word.value, word.value.partition("=")[2])]
    return [name for name in dict.fromkeys(typed) if name and name != case.program and case.is_regular(name)]


def folder_above(case: Case, path: str) -> str:
    """The nearest folder above `path` that is here: "." for this one, "/" for none."""
    above = path.rstrip("/").rpartition("/")[0]
    while above and not case.is_dir(above):
        above = above.rpartition("/")[0]
    return above or ("/" if path.startswith("/") else ".")
