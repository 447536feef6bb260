"""A folder that is not there yet, though the command is to write into it: it has to be made first.

Only what is clearly written is taken for that: the value of an option that names an output, what the output says was to
be written or created, or the last operand of a command that got another one that is there. A path of which no step
exists and that begins at the root is a mistake, and no place to make."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from pathlib import Path

from terma.offline.explain.case import Case
from terma.offline.explain.finding import Finding
from terma.offline.explain.line import quote
from terma.offline.explain.source import lines_of

_GONE = re.compile(
    r"no such file|does not exist|enoent|unable to open|failed:|fail\w* (?:to )?(?:open|creat|writ|sav|start)"
    r"|(?:could(?: not|n't)|cannot|can't) (?:open|creat|writ)",
    re.IGNORECASE,
)
_WRITES = re.compile(
    r"\b(?:renam|mov|writ|creat|sav|dump|output)\w*|\bout\b|log ?file|lock ?file", re.IGNORECASE
)
_NEAR = r"(?:\W+\w+){0,3}\W*$"  # words that may stand between such a word and the path
_OUTPUT_OPTION = re.compile(
    r"--?(?:o|O|of|out\w*|output\S*|dest\w*|target\w*|log\S*|w\w*_out|\w+[-_]out(?:put)?|d|export\S*|save\S*|write\S*)"
)


def unmade(case: Case) -> Finding | None:
    """The first such folder, and the command that makes it before the failed one; None when there is none."""
    told = case.about_command
    if not _GONE.search(told):
        return None
    for path in _written(case, told):
        folder = _missing_folder(case, path)
        if folder and (_is_told(told, path, folder) or _is_target(case, told, path)):
            what = "something" if path.rstrip("/") == folder else path
            return Finding(
                f"The folder {folder} is not there, and {what} is to be written into it.",
                f"mkdir -p {quote(folder)} && {case.command}",
            )
    return None


def _written(case: Case, told: str) -> Iterator[str]:
    """The paths that the command writes, as far as it or the output shows that."""
    before = ""
    args = case.args
    for at, value in enumerate(args):
        name, equals, given = value.partition("=")
        if equals and (_OUTPUT_OPTION.fullmatch(name) or name == "of"):
            yield given
        elif not value.startswith("-") and _OUTPUT_OPTION.fullmatch(before):
            yield value
        elif not value.startswith("-") and "/" in value:
            others = [one for one in case.operands if one != value and case.exists(one)]
            said = any(_is_said_written(case, line, _whole(value)) for line in told.splitlines())
            if said or (at == len(args) - 1 and others):
                yield value
        before = value
    for path in re.findall(r"creat\w* [^\n'‘]*['‘]([^'’\n]+/)['’]: not a dir", told, re.IGNORECASE):
        if not goes_elsewhere(case):
            yield path


def _is_said_written(case: Case, line: str, path: str) -> bool:
    """Whether `line` says that `path` was to be written: behind it, or in the words right before it."""
    before, found, after = line.removeprefix(f"{case.program}:").partition(path)
    near = rf"(?:{_WRITES.pattern}){_NEAR}"
    return bool(found) and bool(_WRITES.search(after) or re.search(near, before, re.IGNORECASE))


def goes_elsewhere(case: Case) -> bool:
    """Whether a script that the command runs changes its folder, so that its paths are not from here."""
    scripts = (word.value for word in case.words if word.part == case.part and case.is_file(word.value))
    return any(
        re.search(
            r"(?m)^\s*(?:cd|pushd|os\.chdir|Dir\.chdir|chdir|process\.chdir)\b",
            "\n".join(lines_of(case, script)),
        )
        for script in scripts
    )


def _missing_folder(case: Case, path: str) -> str:
    """The folder of `path` that is not there; "" where it is, or where the path begins nowhere."""
    if not path or "$" in path or "://" in path or re.match(r"[\w.-]+:", path):
        return ""
    whole = path.endswith("/") or ("/" not in path and f"{path}/" in case.about_command)
    folder = path.rstrip("/") if whole else posixpath.dirname(path)
    first = re.match(r"/[^/]+", path)
    if not folder or case.exists(folder) or (first and not case.exists(first.group())):
        return ""
    step = folder
    while posixpath.dirname(step) and not case.exists(step):
        if case.near_path(step, folder=True):
            return ""  # a name that is there was meant
        step = posixpath.dirname(step)
    return folder if not case.near_path(folder, folder=True) else ""


def _is_told(told: str, path: str, folder: str) -> bool:
    return path.rstrip("/") in told or _whole(path).rstrip("/") in told or folder in told


def _whole(path: str) -> str:
    """`path` as the program got it."""
    return str(Path(path).expanduser()) if path.startswith("~/") else path


def _is_target(case: Case, told: str, path: str) -> bool:
    """Whether `path` is what something is to be moved to, though the output names only what is moved."""
    others = [one for one in case.operands[:-1] if case.exists(one)]
    last = case.operands[-1:] == (path,)
    return last and any(re.search(rf"(?:renam|mov)\w* .?{re.escape(one)}", told) for one in others)
