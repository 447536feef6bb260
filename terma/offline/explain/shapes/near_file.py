"""A file beside the one that was named: the same name further down or up, with its ending, in another version."""

from __future__ import annotations

import fnmatch
import posixpath
import re
from collections.abc import Iterator

from terma.offline.explain.case import Case
from terma.offline.explain.finding import Finding
from terma.offline.explain.lookups import folders
from terma.offline.explain.neighbours import MANIFESTS, OF_FILES
from terma.offline.explain.shapes.told import told

_MISSING = re.compile(
    r"no such file|no matches? found|not found|could(?: not|n't) (?:be )?(?:find|found|read|open|load)"
    r"|(?:cannot|can't|unable to|failed to) (?:find|open|stat|access|read|load)"
    r"|does ?n[o']t exist|not accessible|nosuchfile|not a (?:file|directory)|not in|did not match|ambiguous redirect"
    r"|is not a valid",
    re.IGNORECASE,
)
# Endings that name one kind of file.
_KIN = tuple(
    frozenset(group.split())
    for group in (
        "jpg jpeg jpe",
        "yml yaml",
        "htm html",
        "txt text",
        "tif tiff",
        "cfg conf ini",
        "md markdown mdx",
        "mpg mpeg",
        "js mjs cjs",
        "jsonl ndjson",
        "cc cpp cxx",
        "gz tgz",
        "csv tsv",
    )
)
_VERSION = re.compile(r"\d+(?:\.\d+)+")
_DEEP = 6


def beside(case: Case) -> Iterator[Finding]:
    if not _MISSING.search(told(case)):
        return
    for word in case.words:
        if word.part != case.part:
            continue
        for piece in _pieces(case, word.value):
            meant = list(dict.fromkeys(_candidates(case, piece)))
            if len(meant) == 1:
                typed = case.command[word.start : word.end]
                if piece in typed:
                    changed = typed.replace(piece, meant[0], 1)
                    yield Finding(
                        f"There is {meant[0]}.",
                        case.command[: word.start] + changed + case.command[word.end :],
                    )


def _pieces(case: Case, value: str) -> Iterator[str]:
    """The paths in one word that are not there and that the output speaks of."""
    spoken = told(case)
    for piece in dict.fromkeys((value, value.lstrip("@"), value.partition("=")[2], *value.split())):
        path = piece.removeprefix("./").rstrip("/")
        name = posixpath.basename(path)
        if (
            len(name) < 3
            or piece.startswith("-")
            or case.exists(piece.rstrip("/"))
            or not re.fullmatch(r"[\w.*/~+-]+", piece)
        ):
            continue
        if piece == case.program:
            continue
        dotted = path.replace("/", ".")
        if any(one in spoken for one in (path, dotted)) or (piece.startswith("~/") and path[2:] in spoken):
            yield piece


def _candidates(case: Case, piece: str) -> Iterator[str]:
    path = piece.rstrip("/")
    folder, name = posixpath.split(path)
    if "*" in path:
        yield from _other_ending(case, folder, name)
        return
    ended = _with_ending(case, path) if OF_FILES.search(told(case)) else ""
    found = [one for one in (ended, _shorter(case, path), _version(case, path), _steps(case, path)) if one]
    if found:
        yield found[0]
        return
    if ("." in name or name in MANIFESTS) and not path.startswith(("/", "~")):
        yield from _further_down(case, path)


def _other_ending(case: Case, folder: str, pattern: str) -> Iterator[str]:
    """The pattern with another ending of the same kind, which does match."""
    stem, dot, ending = pattern.rpartition(".")
    names = case.listing(folder or ".")
    kin = next((group for group in _KIN if ending.lower() in group), frozenset((ending.lower(),)))
    for other in sorted({name.rpartition(".")[2] for name in names}):
        if dot and other != ending and other.lower() in kin and fnmatch.filter(names, f"{stem}.{other}"):
            yield posixpath.join(folder, f"{stem}.{other}")


def _with_ending(case: Case, path: str) -> str:
    """The one file that is `path` with an ending."""
    folder, name = posixpath.split(path)
    found = [
        one
        for one in case.listing(folder or ".")
        if one.startswith(f"{name}.") and not case.is_dir(posixpath.join(folder, one))
    ]
    made = [one for one in found if not one.endswith((".o", ".class", ".pyc", "~", ".bak", ".swp", ".pub"))]
    return posixpath.join(folder, made[0]) if len(made) == 1 and "." not in name else ""


def _shorter(case: Case, path: str) -> str:
    """`path` without its first folders: it was written as seen from further up."""
    rest = path
    while "/" in rest and not path.startswith(("/", "~")):
        rest = rest.partition("/")[2]
        if rest and case.exists(rest) and not case.is_dir(rest):
            return rest
    return ""


def _version(case: Case, path: str) -> str:
    """The one file that differs in a version number alone."""
    folder, name = posixpath.split(path)
    blank = _VERSION.sub("#", name)
    same = [one for one in case.listing(folder or ".") if "#" in blank and _VERSION.sub("#", one) == blank]
    return posixpath.join(folder, same[0]) if len(same) == 1 else ""


def _steps(case: Case, path: str) -> str:
    """`path` with one folder changed to the one that was meant: with or without its dot, in other capitals, or written
    out (`strutil` for `stringutil`)."""
    steps = [step for step in path.split("/") if step not in ("", ".")]
    begin = "/" if path.startswith("/") else "./" if path.startswith("./") else ""
    found = []
    for at, step in enumerate(steps):
        above = begin + "/".join(steps[:at])
        if at and not case.is_dir(above):
            break
        names = case.listing(above or ".")
        bare = step.strip(".").lower()
        near = [one for one in names if one != step and one.strip(".").lower() == bare]
        if not near and not case.exists(posixpath.join(above, step)):
            near = [one for one in names if _written_out(step, one)]
        whole = [begin + "/".join([*steps[:at], one, *steps[at + 1 :]]) for one in near]
        found += [one for one in whole if case.exists(one)]
    return found[0] if len(found) == 1 else ""


def _written_out(short: str, name: str) -> bool:
    """Whether `name` has the letters of `short` in their order and begins and ends as it does."""
    if (
        len(short) < 5
        or not len(short) < len(name) <= len(short) + 4
        or name[0] != short[0]
        or name[-2:] != short[-2:]
        or re.search(r"\d", short + name)
    ):
        return False
    left = iter(name)
    return all(char in left for char in short)


def _further_down(case: Case, path: str) -> Iterator[str]:
    """The files of that name, and of that end of the path, in the folders below."""
    path = path.removeprefix("./").removeprefix("../")
    name = posixpath.basename(path)
    found = [
        posixpath.join(folder, one) if folder != "." else one
        for folder in folders(case, ".", _DEEP)
        for one in case.listing(folder)[:400]
        if one == name
    ]
    same = [one for one in found if one == path or one.endswith(f"/{path}") or "/" not in path]
    gone = not case.exists(posixpath.dirname(path))  # its folder has another name, or none
    yield from same or (found if gone else [])
