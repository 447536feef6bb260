"""What this machine's own texts say of a program's options and subcommands: manual pages, completions, help."""

from __future__ import annotations

import json
import re
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from threading import Lock

from terma import paths, reading
from terma.machine import completed, helps, manual, roff, usage
from terma.machine.entries import LONGEST, Entry, ProgramHelp
from terma.machine.named_values import values
from terma.text import one_line

try:  # hashlib brings OpenSSL
    from _blake2 import blake2b
except ImportError:
    from hashlib import blake2b

FORMAT = 3  # one more whenever the reading of texts changes
MAX_KEPT = 128
MAX_TEXT = 600_000
_HELP = re.compile(r"^[ \t]{1,10}(-[^ \t].*?)(?:[ \t]{2,}|\t)[ \t]*(\S.*)$")
_HELP_ALONE = re.compile(r"^[ \t]{1,10}(-[^ \t]\S*(?:[ ,=]\S+){0,4})$")
_COMMAND = re.compile(r"^[ \t]{1,8}([a-z][\w:-]{1,30})\*?[ \t]{2,}(\S.*)$")
_KEYWORD = re.compile(r"([a-z][a-z0-9_-]+) (?:\[ \w+ \] )?([A-Z][A-Z0-9_-]+)\b")
_COMMANDS = re.compile(r"(?i)\bsub-?commands?$|^§§ commands$")
_COMMAND_TAG = re.compile(r"[a-z][a-z-]+(?= *$| *[\[<{A-Z⟨])")
_SUBCOMMANDS = re.compile(r"[a-z][a-z-]+(?:[ ,|]+[a-z][a-z-]+)*(?= - |$| *[\[<{A-Z])")
_TABLES = ("options", "commands", "keywords")
_PAGE_NAME = re.compile(r"[\w.+-]{1,64}")


_kept: OrderedDict[str, ProgramHelp] = OrderedDict()
_lock = Lock()


def told(program: str, path: str, sub: tuple[str, ...] = (), *, ask: bool = False) -> ProgramHelp:
    """What is told of `program`, the file at `path`, or of its subcommand. `ask`: a harmless program that no page tells
    of may be asked for its help, which takes up to half a second once. Never raises.

    Kept in memory and on disk until the program's file or its page changes."""
    return kept(
        f"{program}\0{' '.join(sub)}\0{ask}", Path(path), lambda: _find(program, Path(path), sub, ask)
    )


def kept(name: str, file: Path, find: Callable[[], ProgramHelp]) -> ProgramHelp:
    """What `find` finds, kept under `name` for as long as `file` does not change."""
    with suppress(OSError, ValueError):
        place = file.resolve()
        known = place.stat()
        name = f"{FORMAT}\0{name}\0{place}\0{known.st_mtime_ns}\0{known.st_size}"
        key = blake2b(name.encode("utf-8", "replace"), digest_size=12).hexdigest()
        with _lock:
            if key in _kept:
                _kept.move_to_end(key)
                return _kept[key]
        found = _read(key)
        if found is None:
            found = find()
            _write(key, found)
        with _lock:
            _kept[key] = found
            while len(_kept) > MAX_KEPT:
                _kept.popitem(last=False)
        return found
    return ProgramHelp()


def _find(program: str, path: Path, sub: tuple[str, ...], ask: bool) -> ProgramHelp:
    if not _PAGE_NAME.fullmatch(program) or not all(_PAGE_NAME.fullmatch(word) for word in sub):
        return ProgramHelp()
    found = page(manual.source("-".join((program, *sub)), path), (program, *sub))
    if not found.options and not sub and path.resolve().name != program:
        found = found | page(manual.source(path.resolve().name, path))  # awk is mawk, vi is vim.basic
    found = found | completed.fish(program, sub)
    if not sub:
        found = found | completed.zsh(program, path)
    if ask and not (found.options if sub else found.options and found.commands):
        with suppress(TimeoutError):
            found = found | help_text(helps.help_text(program, path, sub))
    return found


def page(source: str, words: tuple[str, ...] = ()) -> ProgramHelp:
    """What a manual page in roff tells; `words`: the command that it is about."""
    about, found = roff.entries(source)
    usages = usage.read(source, words)
    below = list(_below(found, words)) if words else []
    commands: dict[str, Entry] = {}
    for current, tag, body in below:
        for name in () if tag or not short(body) else current:
            commands.setdefault(name, Entry(short(body), source="manual page"))
    if usages.commands:
        commands |= _commands(found)
    keywords = {name: Entry("", value, source="manual page") for name, value in usages.keywords.items()}
    keywords |= _keywords(below)
    return ProgramHelp(one_line(about, LONGEST), listed(found), commands, keywords, usages)


def short(body: str) -> str:
    """What is shown of a paragraph."""
    return one_line(roff.sentence(body), LONGEST)


def listed(found: Iterable[tuple[str, str]]) -> dict[str, Entry]:
    """The options in what a page lists, by each of their names."""
    options: dict[str, Entry] = {}
    for tag, body in found:
        says = short(body)
        if says and tag.startswith("-"):
            names = list(roff.names(tag))
            single = dict(values(body, [name for name, _, _ in names]))
            single = {value: one_line(said, LONGEST) for value, said in single.items()}
            for name, value, optional in names:
                options.setdefault(name, Entry(says, value, optional, "manual page", single if value else {}))
    return options


def _below(
    found: Iterable[tuple[str, str]], words: tuple[str, ...]
) -> Iterator[tuple[tuple[str, ...], str, str]]:
    """(the subcommands under whose heading it stands, tag, body): `ip route get` heads what is told of get. Of several
    that follow each other, each with no sentence of its own, what follows the last is told of all."""
    current: tuple[str, ...] = ()
    waiting = False
    for tag, body in found:
        heading = tag.lstrip("§ ")
        named = _subcommands(heading, words)
        shares, waiting = waiting, bool(named) and heading is tag and "." not in body
        if named:
            current = (*(current if shares else ()), *named)
            yield current, "", heading.partition(" - ")[2] or body
        else:
            yield current, heading if heading is tag else "", body


def _subcommands(heading: str, words: tuple[str, ...]) -> tuple[str, ...]:
    """`add` and `change` of `ip route add | change`; the command itself may be shortened."""
    begins, rest = heading.split()[: len(words)], heading.split()[len(words) :]
    own = len(begins) == len(words) and all(map(str.startswith, words, begins))
    found = _SUBCOMMANDS.match(" ".join(rest)) if own else None
    return tuple(re.findall(r"[a-z-]+", found[0])) if found else ()


def _commands(found: Iterable[tuple[str, str]]) -> dict[str, Entry]:
    """What a page lists in its section on commands, of a program whose usage wants one."""
    commands: dict[str, Entry] = {}
    inside = False
    for tag, body in found:
        if tag.startswith(roff.SECTION):
            inside = bool(_COMMANDS.search(tag))
        elif inside and (says := short(body)):
            for form in re.split(r"(?:,|\|| or) *(?=[a-z])", tag):
                if name := _COMMAND_TAG.match(form):
                    commands.setdefault(name[0], Entry(says, source="manual page"))
    return commands


def _keywords(listed: Iterable[tuple[tuple[str, ...], str, str]]) -> dict[str, Entry]:
    """The words that want a value behind them, as `dev` of `ip`: by themselves, and behind each subcommand."""
    keywords: dict[str, Entry] = {}
    for current, tag, body in listed:
        if (says := short(body)) and (keyword := _KEYWORD.match(tag)):
            entry = Entry(says, keyword[2], source="manual page")
            for name in (f"{one} {keyword[1]}" for one in current):
                keywords.setdefault(name, entry)
            first = keywords.setdefault(keyword[1], entry)
            if first.says != says:  # it hangs on the subcommand
                keywords[keyword[1]] = replace(first, says="")
    return keywords


def help_text(text: str) -> ProgramHelp:
    """What a program's help tells."""
    options: dict[str, Entry] = {}
    commands: dict[str, Entry] = {}
    pending = ""
    for line in text.splitlines():
        tag, says = "", ""
        if matched := _HELP.match(line):
            tag, says = matched.groups()
        elif pending and (rest := line.strip()) and not rest.startswith("-"):
            tag, says = pending, rest
        alone = _HELP_ALONE.match(line)
        pending = alone[1] if alone and not tag else ""
        says = one_line(roff.sentence(says), LONGEST)
        for name, value, optional in roff.names(tag) if tag and says else ():
            options.setdefault(name, Entry(says, value, optional, "help"))
        if not tag and (command := _COMMAND.match(line)):
            said = one_line(command[2], LONGEST)
            commands.setdefault(command[1], Entry(said, source="help"))
    return ProgramHelp("", options, commands)


def _file(key: str) -> Path:
    return paths.cache_dir() / "told" / f"{key}.json"


def _read(key: str) -> ProgramHelp | None:
    with suppress(OSError, ValueError, TypeError, KeyError):
        text = json.loads(reading.whole(_file(key), 4 * MAX_TEXT))
        options, commands, keywords = (
            {name: Entry(*row) for name, row in text[which].items()} for which in _TABLES
        )
        lines, behind, others = text["usage"]
        form = usage.Usage(tuple(map(tuple, lines)), behind, {}, frozenset(others))
        return ProgramHelp(str(text["about"]), options, commands, keywords, form)
    return None


def _write(key: str, found: ProgramHelp) -> None:
    tables = {
        which: {
            name: [one.says, one.value, one.optional, one.source, dict(one.values)]
            for name, one in table.items()
        }
        for which, table in zip(_TABLES, (found.options, found.commands, found.keywords), strict=True)
    }
    form = [found.usage.lines, found.usage.behind, sorted(found.usage.others)]
    with suppress(OSError):
        paths.write_atomic(_file(key), json.dumps({"about": found.about, "usage": form, **tables}).encode())
