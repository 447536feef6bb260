"""Looks at all there is of a kind: the output misses one thing, and a list shows those that there are.

First what the failed program can list itself, by its own options and subcommands; then the system's own lists."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator

from terma.offline.explain.case import Case
from terma.offline.explain.line import quote
from terma.offline.explain.looks.named import operands_here, said
from terma.offline.explain.seen import MOUNTS
from terma.offline.explain.subcommands import SUBCOMMANDS

_NONE = re.compile(
    r"\bno(?:ne)? \w+|not (?:found|exist|installed|a valid|a known|supported|recogni[sz]ed|available|appear|defined|a block)"
    r"|does ?n[o']t (?:exist|appear)|unknown|invalid|no such|unable to (?:locate|find)|cannot find|can't find|could not (?:find|be found)|conversion"
    r"|failed to start|is not a\b|\bbad (?:revision|object|ref)\b|\bonly has \d|needed a single",
    re.IGNORECASE,
)
_TAKEN = re.compile(r"already (?:exists|checked out|used by)", re.IGNORECASE)
_STANDS = re.compile(
    r"conflict|unmerged|in progress|local changes|uncommitted|overwritten by|not (?:staged|clean)|unstaged|detached",
    re.IGNORECASE,
)
_SHORT_OF = re.compile(r"limit|memory|systemd|\bbus\b|too many", re.IGNORECASE)
_REQUIRED = re.compile(
    r"\b(?:requires?|needs?|minimum|at least|expected|wanted:?) ['\"`{(]*([a-z][\w+-]*)['\"`]?:? ?(?:version )?['\"`]?(?:[<>=^~]|v?\d)"
)
_OF_GRAMMAR = re.compile(r"command|operation|option|flag\b|argument|usage|syntax|directory", re.IGNORECASE)
# What lists the things of a kind, by what a message calls one of them: {0} is the name that was typed.
_OF_SYSTEM: tuple[tuple[str, str], ...] = (
    (r"no such job|no current job", "jobs"),
    (r"block device", "lsblk"),
    (r"(?:network )?interface|device \"?\w+\"? (?:does not|not)", "ip -br link"),
    (r"\bmounted\b|mount ?point", "findmnt"),
    (r"(?<![\w/.-])(?:users?|login|account)(?![\w/.-]| name)", "getent passwd"),
    (r"(?<![\w/.-])groups?(?![\w/.-])", "getent group"),
    (r"\blocale\b", "locale -a"),
    (r"\bmanual entry\b|nothing appropriate", "man -k {0}"),
    (r"\bresource limit|too many open files|\blimit\b", "ulimit -a"),
    (r"cannot allocate memory|out of memory", "free -h"),
    (r"booted with systemd|connect to bus", "pgrep -af {0}"),
    (r"\bpackages?\b", "apt-cache search {1}"),
    (r"\bdisplay\b", "echo $DISPLAY"),
)
# The same of a program that keeps the things itself.
_OF_GIT: tuple[tuple[str, str], ...] = (
    (r"stash", "git stash list"),
    (r"checked out at|used by worktree|work ?tree '", "git worktree list"),
    (
        r"revision ['\"`‘]?(?:[\da-f]{7,40}\b|\S*[~^])|upstream ['\"`‘]?\S*[~^]|bad object",
        "git log --oneline",
    ),
    (r"remote|does not appear to be a git repository", "git remote -v"),
    (r"\btag\b", "git tag"),
    (r"branch|refspec|revision|\bref\b|commit|pathspec", "git branch -a"),
)


def kinds(case: Case) -> Iterator[str]:
    """What lists the things of which one is missing, where the message says what kind they are."""
    lines = said(case)
    if _STANDS.search(case.evidence.flat) and "status" in SUBCOMMANDS.get(case.program, "").split():
        yield f"{case.program} status"
    yield from _rows(case, lines)
    if library := re.search(r"cannot find -l([\w.+-]+)", lines):
        yield f"apt-cache search lib{library[1]}"
    if case.program in MOUNTS:
        yield "findmnt"
    if case.program == "git" and (_NONE.search(lines) or _TAKEN.search(lines)):
        yield from (command for noun, command in _OF_GIT if re.search(noun, lines, re.IGNORECASE))
        return
    yield from _rule_of(case, lines)
    yield from (f"{name} --version" for name in dict.fromkeys(_REQUIRED.findall(lines)) if case.runs(name))
    for noun, command in _OF_SYSTEM:
        for line in lines.splitlines():
            missed = _NONE.search(line) or _SHORT_OF.search(line)
            if missed and re.search(noun, line, re.IGNORECASE) and (filled := _filled(case, line, command)):
                yield filled


def own_list(case: Case) -> Iterator[str]:
    """The failed program's own list: `--list-keys`, `list`, `-ls`, as its manual or our list of it says."""
    lines = said(case)
    rows = [line for line in lines.splitlines() if _NONE.search(line) and not _names_file(case, line)]
    if case.evidence.place or not rows or all(_OF_GRAMMAR.search(row) for row in rows):
        return  # what lists the inside of a file lists no names, and no list mends how the command was written
    words = {word.rstrip("s") for word in re.findall(r"[a-z]{3,}", lines.lower())}
    heads = re.findall(r"(?m)^[ \t]*(?:-\w, *)?(--list(?:-[a-z]+)*)(?![\w-])", case.manual)
    lists = list(dict.fromkeys(heads))
    fitting = [one for one in lists if words & {part.rstrip("s") for part in one.split("-")[3:]}]
    for one in [
        *fitting,
        *(one for one in lists if one in ("--list", "--list-all")),
        *_with_letter(case, lists),
    ]:
        yield f"{case.program} {one}"
    subs = SUBCOMMANDS.get(case.program, "").split()
    fitting = [one for one in subs if one.startswith("list-") and words & {one[5:].rstrip("s")}]
    for one in [*fitting, *(one for one in ("list", "ls") if one in subs)]:
        yield f"{case.program} {one}"
    if re.search(r"(?m)^[ \t]*-ls\b", case.manual) and case.program != "find":  # there it lists files
        yield f"{case.program} -ls"


def _names_file(case: Case, line: str) -> bool:
    return any(re.search(rf"(?<![\w./-]){re.escape(name)}(?![\w-])", line) for name in operands_here(case))


def _with_letter(case: Case, lists: list[str]) -> list[str]:
    """The first of the lists that the manual gives a letter of its own as well: the one that is wanted most."""
    lettered = (
        one
        for one in lists
        if re.search(rf"(?m)^[ \t]*(?:-\w, *)?{one}\b(?:, *-\w\b|\n+[ \t]*-\w$)|-\w, *{one}\b", case.manual)
    )
    return list(itertools.islice(lettered, 1))


def _filled(case: Case, lines: str, command: str) -> str:
    """`command` with the typed name that the lines repeat; "" where it wants one and there is none."""
    if "{" not in command:
        return command
    named = [one for one in case.operands if re.search(rf"(?<![\w-]){re.escape(one)}(?![\w-])", lines)]
    name = (named or [one for one in case.operands[-1:] if "{0}" in command])[-1:]
    if not name or not re.fullmatch(r"[A-Za-z][\w.+-]*", name[0]):
        return ""
    called = (
        rf"(?i)packages?:? ['‘\"]?{re.escape(name[0])}|(?<![\w-]){re.escape(name[0])}['’\"]? (?:is|was) not"
    )
    if "{1}" in command and not re.search(called, lines):
        return ""
    stem = re.split(r"[-_.]?\d", name[0])[0]
    return command.format(quote(name[0]), quote(stem)) if len(stem) > 1 else ""


def _rule_of(case: Case, lines: str) -> Iterator[str]:
    """Where a makefile speaks of the target that it has no rule for."""
    told = re.search(r"[Nn]o rule to make target [`'‘](?P<name>[^'’]+)['’]", lines)
    if not told:
        return
    for file in ("GNUmakefile", "makefile", "Makefile"):
        if case.is_regular(file):
            plain = re.fullmatch(r"[\w./-]+", told["name"]) and told["name"] in case.read(file)
            yield f"grep -n {quote(told['name'])} {file}" if plain else f"cat {file}"
            return


def _rows(case: Case, lines: str) -> Iterator[str]:
    """The tables and columns of a database file; of a constraint, the rows that it compares with."""
    table = re.search(r"constraint failed: (\w+)\.\w+", lines)
    if table or re.search(r"no such (?:table|column)|table \w+ has (?:\d+ columns|no column)", lines):
        for name in operands_here(case):
            if case.bytes_of(name, 16).startswith(b"SQLite format 3"):
                asked = f"'select * from {table[1]}'" if table else ".schema"  # noqa: S608  (to be read)
                yield f"sqlite3 {quote(name)} {asked}"
