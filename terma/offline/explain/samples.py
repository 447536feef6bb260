"""A file that is missing and lies here as a sample, under the name that such samples have: it is copied first."""

from __future__ import annotations

import posixpath
import re

from terma.offline.explain.case import Case
from terma.offline.explain.finding import Finding
from terma.offline.explain.line import quote
from terma.offline.explain.shapes.told import told

_MISSING = re.compile(
    r"no such file|not found|does ?n[o']t exist|missing|enoent|(?:cannot|can't|could not|unable to|failed to) (?:find|open|read|load)"
    r"|no rule to make",
    re.IGNORECASE,
)
_FILE = re.compile(r"(?<![\w/.-])((?:[\w.-]+/)*\.?[A-Za-z][\w-]*(?:\.[A-Za-z]\w*)*)(?![\w/-])")
_KIND = "example|sample|dist|template|tmpl|default|in"
_MAX_NAMED = 24


def from_sample(case: Case) -> Finding | None:
    """The first missing file of which the one sample lies beside it; None where there is none."""
    lines = "\n".join(line for line in told(case).splitlines() if _MISSING.search(line))
    for path in dict.fromkeys(one.removeprefix(f"{case.cwd}/") for one in _FILE.findall(lines)[:_MAX_NAMED]):
        name = posixpath.basename(path)
        if "." not in name or case.exists(path) or (path in case.args[-1:] and case.program == "cp"):
            continue
        folder = posixpath.dirname(path)
        found = [one for one in case.listing(folder or ".")[:400] if is_sample(one, name)]
        if len(found) == 1:
            sample = posixpath.join(folder, found[0])
            if sample.endswith(".in") and re.search(r"@\w+@", case.read(sample)):
                return None  # a configure script fills it in
            return Finding(
                f"{path} is not there, and {sample} is: the sample that it is made of.",
                f"cp {quote(sample)} {quote(path)} && {case.command}",
            )
    return None


def is_sample(one: str, name: str) -> bool:
    """Whether `one` is called as a sample of `name` is: `.env.example`, `config.sample.json`, `example.cfg.in`."""
    stem, dot, ending = name.rpartition(".")
    return bool(
        re.fullmatch(rf"{re.escape(name)}[.-](?:{_KIND})", one)
        or (stem and re.fullmatch(rf"{re.escape(stem)}[.-](?:{_KIND}){re.escape(dot + ending)}", one))
        or re.fullmatch(rf"(?:{_KIND})[.-]{re.escape(name.lstrip('.'))}", one)
    )
