"""The options that a program or its subcommand takes here, from its own texts; kept until the program changes."""

from __future__ import annotations

from collections import OrderedDict
from pathlib import Path
from threading import Lock

from terma import regex as re
from terma.machine import completions, helps, kept, manual
from terma.machine.notation import Options, parse

MAX_KEPT = 512
FEW = 3  # a text that names no more long options may only mention them
# One page of these leaves out what another says.
_LOG = ("git-log", "git-rev-list", "git-diff")
_RELATIVES = {
    **dict.fromkeys((f"git {sub}" for sub in "format-patch log reflog shortlog show stash".split()), _LOG),
    **dict.fromkeys((f"git {sub}" for sub in "blame diff difftool range-diff whatchanged".split()), _LOG),
    "git rev-list": ("git-log", "git-rev-parse", "git-diff"),
    "git pull": ("git-fetch", "git-merge", "git-rebase"),
    "apt": ("apt-get", "apt-cache", "apt-mark"),
    "dpkg": ("dpkg-query", "dpkg-deb"),
    "zgrep": ("grep", "gzip"),
    **dict.fromkeys(("egrep", "fgrep"), ("grep",)),
    **dict.fromkeys(("gunzip", "zcat"), ("gzip",)),
    **dict.fromkeys(("unxz", "xzcat"), ("xz",)),
    "bunzip2": ("bzip2",),
    "unzstd": ("zstd",),
}
# What help keeps to itself, though it works.
_UNSAID = {"git commit": "--allow-empty --allow-empty-message", "gzip": "--to-stdout --ascii"}
_APPLETS = {"busybox", "toybox"}
_NAME = re.compile(r"[\w.+-]{1,64}")

_kept: OrderedDict[tuple[str, ...], Options | None] = OrderedDict()
_lock = Lock()


def options(program: str, path: str, sub: tuple[str, ...] = ()) -> Options | None:
    """What `program`, the file at `path`, takes, or its subcommand; None when nobody here knows.

    The first look takes up to half a second, since help may be asked; later ones a look at the file. Never raises."""
    looked, found = at_hand(program, path, sub)
    if looked:
        return found
    words, version = _key(program, path, sub)
    try:
        found = _find(program, Path(path), sub)
    except TimeoutError:
        return None  # not kept: a busy machine cut it short
    except OSError:
        found = None
    if found:
        kept.write(words, version, found)
    _keep((*words, version), found)
    return found


def at_hand(program: str, path: str, sub: tuple[str, ...] = ()) -> tuple[bool, Options | None]:
    """Whether `options` can answer at once, and what it would say. Takes a millisecond. Never raises."""
    words, version = _key(program, path, sub)
    if not version:
        return True, None
    key = (*words, version)
    with _lock:
        if key in _kept:
            _kept.move_to_end(key)
            return True, _kept[key]
    found = kept.read(words, version)
    if found:
        _keep(key, found)
    return found is not None, found


def _key(program: str, path: str, sub: tuple[str, ...]) -> tuple[tuple[str, ...], str]:
    """What is asked, and the version of the file at `path`: "" when there is nothing to ask."""
    words = (program, path, *sub)
    if not path or not all(map(_NAME.fullmatch, (program, *sub))) or program.startswith("-"):
        return words, ""
    try:
        info = Path(path).stat()
    except (OSError, ValueError):
        return words, ""
    return words, f"{info.st_mtime_ns} {info.st_size}"


def _keep(key: tuple[str, ...], found: Options | None) -> None:
    with _lock:
        _kept[key] = found
        while len(_kept) > MAX_KEPT:
            _kept.popitem(last=False)


def forget() -> None:
    """Forget what is kept in memory; what is on disk stays."""
    with _lock:
        _kept.clear()


def options_of(program: str, path: str) -> frozenset[str]:
    """The long options of `program` alone, the file at `path`; empty when unknown."""
    found = options(program, path)
    return found.long if found else frozenset()


def _find(program: str, path: Path, sub: tuple[str, ...]) -> Options | None:
    real = path.resolve().name
    if real in _APPLETS:
        return None
    pages = _manual(program, path, sub)
    if not pages and not sub and real != program and _NAME.fullmatch(real):
        pages = _manual(real, path, ())  # awk is gawk, vi is vim.basic
    own = parse(pages)
    asked = parse("" if program == "git" and pages else helps.help_text(program, path, sub))
    shipped = completions.shipped(program, path, sub)
    whole = helps.is_whole(program, sub)
    told = bool(asked.long or asked.commands)
    sure = (whole and told) or (program == "git" and bool(sub and pages))
    texts = (own, shipped, asked) if whole else (own, shipped)
    if not sure and all(len(text.long | text.dashed) <= FEW for text in texts):
        return None
    if sub and not pages and not told:
        return None
    found = own | asked | shipped | parse(_UNSAID.get(" ".join((program, *sub)), ""))
    commands = found.commands or (not sub and manual.has_pages(program, path))
    return Options(found.long, found.dashed, found.letters, found.takes, found.joins, commands, sure)


def _manual(program: str, path: Path, sub: tuple[str, ...]) -> str:
    name = "-".join((program, *sub))
    text = manual.page(name, path)
    if text:
        others = _RELATIVES.get(" ".join((program, *sub)), ())
        text = "\n".join((text, *(manual.page(other, path) for other in others)))
    return text
