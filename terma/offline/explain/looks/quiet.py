"""Looks where nothing, or nothing of its own, was printed: what a test read, what a probe asked for."""

from __future__ import annotations

import re
from collections.abc import Iterator

from terma.offline.explain.case import Case
from terma.offline.explain.line import quote
from terma.offline.explain.shapes.told import without

_READ = re.compile(r"\$\((?:<|cat) ?([^\s()$;|&]+)\)")
_SEARCHES = frozenset(("grep", "egrep", "fgrep"))
_TESTS = frozenset(("[", "[[", "test"))


def quiet(case: Case) -> Iterator[str]:
    """What shows the state that a silent command asked about."""
    programs = {case.program_of(part) for part in {word.part for word in case.words}}
    if programs & _TESTS:
        for hit in _READ.finditer(case.command):
            if case.is_regular(hit[1]):
                yield f"cat {quote(hit[1])}"
    if case.output.strip():
        return
    if case.program == "wget":
        yield from (without(case, word) for word in case.arguments if word.value in ("-q", "--quiet"))
    if case.program in _SEARCHES and {"-q", "--quiet"} & set(case.args):
        yield from (f"cat {quote(name)}" for name in case.operands[1:] if case.is_regular(name))
    locks = [value for value in case.operands if re.search(r"lock|\.pid$", value) and case.exists(value)]
    yield from (f"fuser -v {quote(name)}" for name in locks)
