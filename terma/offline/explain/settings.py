"""A variable of the environment that is missing, and a file of settings near here that gives it a value."""

from __future__ import annotations

import re

from terma.offline.explain.case import Case
from terma.offline.explain.finding import Finding
from terma.offline.explain.line import quote
from terma.offline.explain.shapes.told import told
from terma.offline.explain.source import lines_of

# How outputs call a variable that has no value; Python's KeyError speaks of one only where the source asks for it so.
_NAME = r"['\"`‘]?\$?\{?(?P<name>[A-Z][A-Z\d]*_?[A-Z\d_]*)\}?['\"`’]?"
_UNSET = tuple(
    re.compile(pattern, re.MULTILINE)
    for pattern in (
        rf"{_NAME}: (?:unbound variable|parameter (?:null or )?not set)",
        rf"(?i:variable|setting|config\w*|env) {_NAME}:? (?i:is |was |must be |has to be )?(?i:not (?:be )?(?:set|defined|found|given)"
        r"|missing|required|unset|undefined|empty|set)",
        rf"{_NAME} (?i:environment variable )?(?i:is|was|must be|has to be) (?i:not (?:set|defined|found)|missing|required|unset|undefined|set\b)",
        rf"(?i:missing|no|set|required|undefined)(?i: the)?(?i: required)? (?i:environment )?(?i:variables?:?) {_NAME}$",
        rf"^KeyError: {_NAME}$",
    )
)
_SETTINGS = re.compile(r"(?:[\w.-]*\.)?env(?:\.local|\.development|\.dev|\.sh)?|\.envrc|[\w-]+\.env")
_FOLDERS = (".", "conf", "config", "etc", "env")
_SHELLS = frozenset(("bash", "zsh", "sh", "dash", "ksh"))


def unset(case: Case) -> Finding | None:
    """The failed command with the settings of the one file that assigns the variable; None where there is none."""
    name = _missing(case)
    files = [path for path in _files(case) if name and _assigns(case, path, name)]
    if not name or len(files) > 1 or case.failure.shell not in _SHELLS:
        return None
    if not files:
        source = _source(case)
        typed = re.search(rf"\b{name}=|\$\{{?{name}\b", case.command)
        made = not source or typed or emptied(case)[1] or re.search(rf"\b{name}=", source)
        return None if made else Finding("", f"export {name}={{value}} && {case.command}")
    path = files[0] if "/" in files[0] else f"./{files[0]}"
    return Finding(
        f"{files[0]} sets {name}, and nothing has read that file into the environment.",
        f"set -a && . {quote(path)} && set +a && {case.command}",
    )


def emptied(case: Case) -> tuple[str, str]:
    """The variable that the output misses, and the file of settings that leaves it empty; ("", "") for none."""
    name = _missing(case)
    files = _files(case) if name else []
    return next(
        ((name, path) for path in files if re.search(rf"(?m)^\s*(?:export )?{name}=", case.read(path))),
        ("", ""),
    )


def _source(case: Case) -> str:
    """The text of the script that was run."""
    place = case.evidence.place
    path = case.script or (place.file if place and place.own else "")
    return "\n".join(lines_of(case, path)) if path else ""


def _missing(case: Case) -> str:
    """The variable that the output misses, "" where it speaks of none."""
    lines = f"{told(case)}\n{case.evidence.line}"
    for pattern in _UNSET:
        found = pattern.search(lines)
        if found and (not found.group().startswith("KeyError") or "environ" in case.output):
            return found["name"]
    return ""


def _files(case: Case) -> list[str]:
    """The files of settings in this folder and in those that hold some; samples hold no values of this machine."""
    return [
        name if folder == "." else f"{folder}/{name}"
        for folder in _FOLDERS
        for name in case.listing(folder)[:400]
        if _SETTINGS.fullmatch(name) and not re.search(r"example|sample|template|dist", name)
    ]


def _assigns(case: Case, path: str, name: str) -> bool:
    """Whether every line of `path` can be read by a shell, and one gives `name` a value."""
    rows = [row.strip() for row in case.read(path).splitlines()]
    plain = re.compile(r"(?:export )?[A-Za-z_]\w*=(?:'[^']*'|\"[^\"$`\\]*\"|[\w./:@%+,=-]*)")
    kept = [row for row in rows if row and not row.startswith("#")]
    return all(map(plain.fullmatch, kept)) and any(
        re.match(rf"(?:export )?{re.escape(name)}=.", row) for row in kept
    )
