"""What this machine's own texts say of a program's options and subcommands: manual pages, completions, help."""

from __future__ import annotations

import json
import re
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock

from terma import paths, reading
from terma.machine import completions, helps, manual, roff
from terma.text import one_line

try:  # hashlib brings OpenSSL
    from _blake2 import blake2b
except ImportError:
    from hashlib import blake2b

FORMAT = 1  # one more whenever the reading of texts changes
MAX_KEPT = 128
MAX_TEXT = 600_000
_LONGEST = 160  # code points of what is told of one thing
_ZSH_KINDS = ("Unix", "Linux", "Debian", "Darwin", "BSD", "Redhat", "Zsh")
_ZSH = re.compile(r"(?<![\w-])(-{1,2}[\w?@#][\w-]*)[-+=]*(?:[}\"',)-]|\\)*\[((?:[^\]\\\n]|\\.)+)\]")
_ZSH_BRACED = re.compile(r"\{(-[\w,=+-]+)\}[\"']\[((?:[^\]\\\n]|\\.)+)\]")
_HELP = re.compile(r"^[ \t]{1,10}(-[^ \t].*?)(?:[ \t]{2,}|\t)[ \t]*(\S.*)$")
_HELP_ALONE = re.compile(r"^[ \t]{1,10}(-[^ \t]\S*(?:[ ,=]\S+){0,4})$")
_COMMAND = re.compile(r"^[ \t]{1,8}([a-z][\w:-]{1,30})\*?[ \t]{2,}(\S.*)$")
_PAGE_NAME = re.compile(r"[\w.+-]{1,64}")


@dataclass(frozen=True, slots=True)
class Entry:
    """What is said of an option or a subcommand, its value's name, and which text says it."""

    says: str
    value: str = ""
    optional: bool = False
    source: str = ""


@dataclass(frozen=True, slots=True)
class ProgramHelp:
    """`about` the program in a few words; `options` by each of their names, `commands` by theirs."""

    about: str = ""
    options: Mapping[str, Entry] = field(default_factory=dict)
    commands: Mapping[str, Entry] = field(default_factory=dict)

    def __or__(self, other: ProgramHelp) -> ProgramHelp:
        """What this tells, and for what it does not tell the other."""
        return ProgramHelp(
            self.about or other.about,
            {**other.options, **self.options},
            {**other.commands, **self.commands},
        )


_kept: OrderedDict[str, ProgramHelp] = OrderedDict()
_lock = Lock()


def told(program: str, path: str, sub: tuple[str, ...] = (), *, ask: bool = False) -> ProgramHelp:
    """What is told of `program`, the file at `path`, or of its subcommand. `ask`: a harmless program that no page tells
    of may be asked for its help, which takes up to half a second once. Never raises.

    Kept in memory and on disk until the program's file or its page changes."""
    with suppress(OSError, ValueError):
        place = Path(path).resolve()
        known = place.stat()
        name = f"{FORMAT}\0{program}\0{' '.join(sub)}\0{place}\0{known.st_mtime_ns}\0{known.st_size}\0{ask}"
        key = blake2b(name.encode("utf-8", "replace"), digest_size=12).hexdigest()
        with _lock:
            if key in _kept:
                _kept.move_to_end(key)
                return _kept[key]
        found = _read(key)
        if found is None:
            found = _find(program, Path(path), sub, ask)
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
    found = page(manual.source("-".join((program, *sub)), path))
    if not found.options and not sub and path.resolve().name != program:
        found = found | page(manual.source(path.resolve().name, path))  # awk is mawk, vi is vim.basic
    found = found | _fish(program, sub)
    if not sub:
        found = found | _zsh(program, path)
    if ask and not (found.options if sub else found.options and found.commands):
        with suppress(TimeoutError):
            found = found | help_text(helps.help_text(program, path, sub))
    return found


def page(source: str) -> ProgramHelp:
    """What a manual page in roff tells."""
    about, listed = roff.entries(source)
    options: dict[str, Entry] = {}
    for tag, body in listed:
        says = one_line(roff.sentence(body), _LONGEST)
        if not says:
            continue
        if tag.startswith("-"):
            for name, value, optional in roff.names(tag):
                options.setdefault(name, Entry(says, value, optional, "manual page"))
    return ProgramHelp(one_line(about, _LONGEST), options)


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
        says = one_line(roff.sentence(says), _LONGEST)
        for name, value, optional in roff.names(tag) if tag and says else ():
            options.setdefault(name, Entry(says, value, optional, "help"))
        if not tag and (command := _COMMAND.match(line)):
            said = one_line(command[2], _LONGEST)
            commands.setdefault(command[1], Entry(said, source="help"))
    return ProgramHelp("", options, commands)


def _fish(program: str, sub: tuple[str, ...]) -> ProgramHelp:
    """What fish's completions tell: `complete -c git -n '… commit' -l amend -d '…'`."""
    options: dict[str, Entry] = {}
    commands: dict[str, Entry] = {}
    for folder in ("/usr/share/fish/vendor_completions.d", "/usr/share/fish/completions"):
        text = reading.text(f"{folder}/{program}.fish", MAX_TEXT)
        for words in completions.complete_lines(text, program):
            says = one_line(next(iter(completions.values(words, "-d", "--description")), ""), _LONGEST)
            condition = " ".join(completions.values(words, "-n", "--condition"))
            if not says or "$" in says or not _holds(condition, sub):
                continue
            entry = Entry(says, source="completion")
            for name in _fish_names(words):
                options.setdefault(name, entry)
            if not sub and ("needs_command" in condition or "use_subcommand" in condition):
                for name in " ".join(completions.values(words, "-a", "--arguments")).split():
                    if re.fullmatch(r"[a-z][\w-]*", name):
                        commands.setdefault(name, entry)
    return ProgramHelp("", options, commands)


def _fish_names(words: list[str]) -> Iterator[str]:
    yield from (f"--{name}" for name in completions.values(words, "-l", "--long-option"))
    yield from (f"-{name}" for name in completions.values(words, "-s", "--short-option"))
    yield from (f"-{name}" for name in completions.values(words, "-o", "--old-option"))


def _holds(condition: str, sub: tuple[str, ...]) -> bool:
    """Whether a line of fish's is about the program itself, or about `sub`."""
    named = set(re.findall(r"[\w-]+", condition))
    if sub:
        return "not" not in named and bool(set(sub[-1:]) & named)
    return not condition or "needs_command" in condition or "use_subcommand" in condition


def _zsh(program: str, path: Path) -> ProgramHelp:
    """What zsh's completions tell: `'(-l --long)'{-l,--long}'[long listing]'`. Of programs with subcommands they tell
    of all of them in one text: then nobody knows whose an option is."""
    share = path.parent.parent / "share"
    places = [share / folder / f"_{program}" for folder in ("zsh/vendor-completions", "zsh/site-functions")]
    places += [Path(f"/usr/share/zsh/functions/Completion/{kind}/_{program}") for kind in _ZSH_KINDS]
    text = next(filter(None, (reading.text(place, MAX_TEXT) for place in places)), "")
    if not text or len(re.findall(r"^\s*_arguments\b", text, re.MULTILINE)) > 1:
        return ProgramHelp()
    options: dict[str, Entry] = {}
    for names, says in [*_ZSH_BRACED.findall(text), *_ZSH.findall(text)]:
        entry = Entry(one_line(says.replace("\\", ""), _LONGEST), source="completion")
        for name in re.findall(r"-{1,2}[\w?@#][\w-]*", names):
            options.setdefault(name, entry)
    return ProgramHelp("", options)


def _file(key: str) -> Path:
    return paths.cache_dir() / "told" / f"{key}.json"


def _read(key: str) -> ProgramHelp | None:
    with suppress(OSError, ValueError, TypeError, KeyError):
        kept = json.loads(reading.whole(_file(key), 4 * MAX_TEXT))
        tables = [
            {name: Entry(*row) for name, row in kept[which].items()} for which in ("options", "commands")
        ]
        return ProgramHelp(str(kept["about"]), *tables)
    return None


def _write(key: str, found: ProgramHelp) -> None:
    tables = {
        which: {name: [one.says, one.value, one.optional, one.source] for name, one in table.items()}
        for which, table in (("options", found.options), ("commands", found.commands))
    }
    with suppress(OSError):
        paths.write_atomic(_file(key), json.dumps({"about": found.about, **tables}).encode())
