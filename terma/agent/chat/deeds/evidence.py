"""What is known of a question that nothing answers: the commands and the files that it names, as the record and the
disk have them. It is said to be no answer, and each row of it is a fact."""

from __future__ import annotations

import os
import re
import stat
import time
from collections.abc import Iterator
from dataclasses import dataclass

from terma.agent.chat.deeds.of_one import duration, ended, not_run
from terma.agent.chat.deeds.record import REFUSED, Deed, Record
from terma.agent.chat.deeds.senses import Sense, meant_by, telling, words_of
from terma.agent.chat.deeds.words import read, spoken
from terma.agent.chat.unanswered import norms
from terma.text import ago, one_line

MAX_ROWS = 4  # commands, and files, that are told
MAX_LINES = 3  # of an output
MAX_LOOKED = 30  # commands that are looked at, the newest
MAX_READ = 400  # lines of an output that are read
MAX_ENTRIES = 1_000  # of a folder that are counted
_TOKEN = re.compile(r"[\w./~+@:-]*\w[\w./~+@:-]*/?")


def evidence(question: str, known: Record, sense: Sense, cwd: str) -> str:
    """Markdown, "" where it names neither a command by its own words nor a file, and of its other words no more than
    half are known. Blocks for some milliseconds a command."""
    wanted = telling(question)
    named = {id(deed) for deed in read(question, known.known).all_named}
    ran = {deed.command for deed in known.deeds}
    looked = [one for one in known.known[-MAX_LOOKED:] if one.by != REFUSED or one.command not in ran]
    found = [
        one
        for one in (_named_by(deed, wanted, sense) for deed in looked)
        if one.words or id(one.deed) in named
    ]
    files = list(_files(question, known, cwd))[:MAX_ROWS]
    at_hand = {part for name in files for part in (name.lower(), name.lower().rpartition("/")[2])}
    seen = frozenset(wanted & at_hand).union(*(one.words for one in found))
    if not (named or files or 2 * len(seen) > len(wanted)) or not (found or files):
        return ""
    told = sorted(found, key=lambda one: (id(one.deed) in named, len(one.words)))[-MAX_ROWS:]
    rows = [row for one in found if one in told for row in _of_a_deed(one)]
    rows += [f"- {_as_it_is(name, cwd)}" for name in files]
    said = "I have no answer to that. What I know of what it names:\n\n" + "\n".join(rows)
    if left := [word for word in sorted(wanted - seen) if word not in said]:
        said += f"\n\nOf “{' '.join(left)}” nothing is known here."
    return said


def nothing_named(question: str, known: Record, sense: Sense) -> str:
    """What of a question about the past no command names; "" for another question, and where none ran."""
    words = read(question, known.known)
    wanted = telling(question)
    seen = frozenset[str]().union(*(_named_by(deed, wanted, sense).words for deed in known.known))
    left = sorted(wanted - seen, key=question.lower().find)
    if not (words.told_past and left and known.deeds and known.whole):
        return ""
    which = "the one command" if len(known.deeds) == 1 else f"none of the {len(known.deeds)} commands"
    negative = " does not name" if len(known.deeds) == 1 else " names"
    return f"{which} that I know of here{negative} “{'” or “'.join(left)}”"


@dataclass(frozen=True, slots=True)
class _Named:
    """A command, the words that name it or that it printed, and the lines where it did."""

    deed: Deed
    words: frozenset[str]
    lines: tuple[str, ...]


def _named_by(deed: Deed, wanted: set[str], sense: Sense) -> _Named:
    called = words_of(deed.command, sense)
    meant = {word: meant_by(word) | {word} for word in wanted}
    parts = {part for whole in deed.command.lower().split() for part in (whole, whole.rpartition("/")[2])}
    named = {word for word, norm in meant.items() if norm & called or word in parts}
    rows = [(line, norms(line) | spoken(line)) for line in (deed.output or "").splitlines()[:MAX_READ]]
    printed = {
        word for word, norm in meant.items() if word not in named and any(norm & words for _, words in rows)
    }
    lines = [line for line, words in rows if any(meant[word] & words for word in printed)]
    return _Named(deed, frozenset(named | printed), tuple(lines[:MAX_LINES]))


def _of_a_deed(one: _Named) -> Iterator[str]:
    deed = one.deed
    if deed.by == REFUSED:
        yield f"- {not_run(deed)}"
        return
    yield f"- {ended(deed)}" + (f" It took {duration(deed)}." if deed.seconds >= 1 else "")
    if deed.output is not None and not deed.output.strip():
        yield "  - It printed nothing."
    for line in one.lines:
        yield f"  - It printed: `{one_line(line.strip(), 200)}`"
    rest = [line for line in (deed.output or "").splitlines() if line.strip()]
    if not one.lines and len(rest) == 1:
        yield f"  - It printed: `{one_line(rest[0].strip(), 200)}`"


def _files(question: str, known: Record, cwd: str) -> Iterator[str]:
    """The names in it that are here, or that a command which ran has and that look like a file's, as that has them."""
    in_deeds: dict[str, str] = {}
    for deed in known.known:
        for word in (one.rstrip("/") for one in _TOKEN.findall(deed.command)):
            in_deeds |= {word: word, word.rpartition("/")[2]: word}
    for word in dict.fromkeys(_TOKEN.findall(question)):
        name = word.rstrip(".:-/")
        if len(name) < 2 or not cwd or ".." in name.split("/"):
            continue
        if os.path.lexists(_place(name, cwd)):
            yield name
        elif re.search(r"[./]", name) and name in in_deeds:
            yield in_deeds[name]


def _as_it_is(name: str, cwd: str) -> str:
    """A file in a sentence, from what the disk says of it; nothing is opened but a folder."""
    place = _place(name, cwd)
    try:
        here = os.lstat(place)
    except OSError:
        return f"`{name}` is not there now."
    age = time.time() - here.st_mtime
    changed = f"changed {ago(age)}" if age > -1 else "dated in the future"
    rights = stat.filemode(here.st_mode)
    if stat.S_ISDIR(here.st_mode):
        return f"`{name}` is a folder with {_count(place)}, {rights}, {changed}."
    if stat.S_ISREG(here.st_mode):
        return f"`{name}` is a file of {here.st_size:,} bytes, {rights}, {changed}."
    return f"`{name}` is there, {rights}, {changed}."


def _place(name: str, cwd: str) -> str:
    return name if name.startswith("/") else f"{cwd}/{name}"


def _count(folder: str) -> str:
    try:
        with os.scandir(folder) as entries:
            count = sum(1 for _, _ in zip(range(MAX_ENTRIES + 1), entries, strict=False))
    except OSError:
        return "entries that cannot be read"
    if count > MAX_ENTRIES:
        return f"more than {MAX_ENTRIES:,} entries"
    return "1 entry" if count == 1 else f"{count} entries" if count else "nothing in it"
