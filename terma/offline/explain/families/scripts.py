"""What was typed or written for another reader: a script of bash in a plain sh, a prompt sign, a tilde in quotes."""

from __future__ import annotations

import re

from terma.offline.explain.case import Case
from terma.offline.explain.line import quote
from terma.offline.explain.lookups import script_runner
from terma.offline.explain.rule import Facts, Rule
from terma.offline.explain.source import lines_of
from terma.offline.explain.unmade import goes_elsewhere

_PLAIN = ("sh", "dash", "ash")
# What bash reads and a plain sh does not.
_OF_BASH = re.compile(
    r"\[\[|^\s*function \w|^\s*(?:source|declare|typeset|shopt|mapfile|readarray|select) |\$\{!?\w+(?:\[|\^|,|/|:-?\d|@)"
    r"|\b\w+\+?=\(|[<>]\(|<<<|^\s*\(\(|&>|\blocal -[aA]|\{\d+\.\.\d+\}|\bif \(\(|;\s*\(\("
)


def _script(case: Case) -> str:
    """The script that a plain sh ran: the one that it was given, or one that names it in its first line."""
    index = next((at for at, word in enumerate(case.words) if word.part == case.part), 0)
    typed = case.words[index].value if case.words else ""
    if case.program in _PLAIN:
        return next((value for value in case.operands if case.is_file(value)), "")
    started = "/" in typed and case.is_file(typed) and script_runner(case, typed) in _PLAIN
    return typed if started else ""


def _bash_line(case: Case) -> tuple[str, int, str]:
    """The script, and the first line at which sh stumbled over something of bash; ("", 0, "") where there is none."""
    path = _script(case)
    rows = lines_of(case, path) if path else []
    told = re.findall(rf"(?m)^{re.escape(path)}: (?:line )?(\d+): ", case.output) if rows else []
    for number in sorted({int(one) for one in told})[:20]:
        near = [at for at in (number, number - 1) if 0 < at <= len(rows)]
        found = next((at for at in near if _OF_BASH.search(rows[at - 1])), 0)
        if found:
            return path, found, rows[found - 1].strip()
    return "", 0, ""


def _bash_text(case: Case, facts: Facts) -> str:
    path, number, line = _bash_line(case)
    if not path:
        return ""
    return (
        f"{path} is written for bash, and a plain sh ran it: line {number}, {line}, is nothing that sh knows."
    )


def _bash_fixes(case: Case, facts: Facts) -> list[str]:
    path = _script(case)
    if case.program in _PLAIN:
        return [case.swap(case.program, "bash")]
    return [case.swap(path, f"bash {quote(path)}", raw=True)]


def _copied(case: Case) -> str:
    """The command behind a prompt sign that was copied with it."""
    found = re.match(r"\s*[%#>] +(\S.*)", case.command)
    return found[1] if found and case.installed(found[1].split()[0]) else ""


def _quoted_home(case: Case) -> tuple[str, str]:
    """A path whose ~ stands in quotes, and the same with the ~ outside of them."""
    for word in case.words:
        typed = case.command[word.start : word.end]
        if typed[:1] in "'\"\\" and word.value.startswith("~/") and case.exists(word.value):
            return word.value, "~/" + quote(word.value[2:])
    return "", ""


def _gone(case: Case, facts: Facts) -> str:
    """What a line of a script did not find, and what is near, where the script stayed in the folder of the failure."""
    path, row = facts["path"], facts["line"]
    near = "" if goes_elsewhere(case) else case.near_path(path)
    if near:
        return f"{path}: no such file or directory; line {row} of {facts['script']} wants it. There is {near}, though."
    return f"{path}: no such file or directory; line {row} of {facts['script']} wants it, and it does not exist there."


RULES = (
    Rule("scripts.bash", ("not found", "bad substitution", "syntax error", "unexpected operator", "illegal option", "parameter not set", "bad variable name"), "", _bash_text, _bash_fixes, rewrites=True, rank=10),
    Rule("scripts.missing", "no such file", r"^(?P<script>[\w./~-]+): (?:line )?(?P<line>\d+): (?:(?:cd|\.|source): )?(?:(?:cannot|can't) (?:open|cd to) )?(?P<path>[^\s:][^:\n]*): No such file", _gone, rank=54),
    Rule("scripts.prompt", ("no current job", "no such job", "job not found", "no job control"), "", lambda c, f: "The sign at the beginning is a prompt that was copied along with the command." if _copied(c) else "", lambda c, f: [_copied(c)], rewrites=True, rank=10),
    Rule("scripts.home", ("no such file", "not a directory", "does not exist"), "", lambda c, f: f"{_quoted_home(c)[0]} is there, but its ~ stands in quotes, where the shell does not read it as your home." if _quoted_home(c)[0] in c.output and _quoted_home(c)[0] else "",
         lambda c, f: [c.swap(*_quoted_home(c), raw=True)], rewrites=True, rank=10),
)  # fmt: skip
