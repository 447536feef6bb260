"""What people add to terma without touching it: files beside their settings, and entry points of other distributions.

`OPEN` says to which packages. A file is `~/.config/terma/FOLDER/NAME.py` and exports what a file of ours would; one
that others may write is refused, for it would run as the person. An entry point is one of the group `terma.FOLDER`,
called NAME, and loads to the plug-in or to a module that exports it. Packages without a folder take entry points of the
group `terma.plugins`, called PACKAGE.NAME (`vision.strategies.mine`).

The installed distributions' entry points are read from their files: importlib.metadata takes 60 ms and 7 MB for that,
which an agent that idles below 30 has not to give.
"""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Callable, Iterator
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from terma import paths, reading
from terma.errors import TermaError
from terma.text import one_line

OPEN = {
    "terma.tools": "tools",
    "terma.models": "backends",
    "terma.context.sources": "terminals",
    "terma.offline.explain.families": "explain",
}
EXPORTED = {"terma.offline.explain.families": ""}  # the module itself; elsewhere it is PLUGIN
GROUP = "terma.plugins"
_MAX_BYTES = 256 * 1024  # of one distribution's entry points

_kept: dict[str, tuple[tuple[int, ...], Any]] = {}  # by file, with its stamp: a plug-in keeps connections
_installed: dict[tuple[str, str], Any] = {}  # by package and name


def folder(package: str) -> Path | None:
    """The person's folder for `package`, whether it is there or not; None where there is none."""
    return paths.config_dir() / OPEN[package] if package in OPEN else None


def check_own(path: Path) -> None:
    """Raise TermaError where somebody else could have written `path`, or may."""
    info = path.stat()
    # A group of one's own is what many systems give each person, and their files by default.
    foreign_group = info.st_mode & stat.S_IWGRP and info.st_gid != os.getegid()
    if info.st_uid not in (os.geteuid(), 0) or foreign_group or info.st_mode & stat.S_IWOTH:
        raise TermaError(f"others may write {path}: chmod go-w it")


def names(package: str) -> list[str]:
    """What was added to `package`, by name; nothing is imported."""
    return list(dict.fromkeys([*_files(package), *(name for name, _ in _points(package))]))


def find(package: str, name: str) -> Any | None:
    """The one called `name`, None where there is none. Raises TermaError for one that cannot be had."""
    if (file := _files(package).get(name)) is not None:
        return _of_file(package, file)
    for known, target in _points(package):
        if known == name:
            return _of_point(package, name, target)
    return None


def every(
    package: str, told: Callable[[str], None], check: Callable[[Any], object] | None = None
) -> Iterator[tuple[str, Any]]:
    """(name, plug-in) of all that was added to `package`. One that cannot be had is told in a line."""
    own = _files(package)
    for name in names(package):
        where = own.get(name) or f"{name} of another package"
        try:
            plugin = find(package, name)
            if check is not None:
                check(plugin)
        except Exception as error:  # the edge of one plug-in: it costs itself alone
            said = error.message if isinstance(error, TermaError) else f"{type(error).__name__}: {error}"
            told(f"{OPEN.get(package, package)}: {where} is left out: {one_line(said, 200)}")
        else:
            yield name, plugin


def loaded(package: str) -> Iterator[Any]:
    """What of it was used so far."""
    own = str(folder(package)) if package in OPEN else None
    yield from (plugin for file, (_, plugin) in _kept.items() if str(Path(file).parent) == own)
    yield from (plugin for (known, _), plugin in _installed.items() if known == package)


def stamp(package: str) -> tuple[object, ...]:
    """Another one when a file was added, changed or taken away: what was made of them is made anew then."""
    return tuple((name, *_state(file)) for name, file in _files(package).items())


def _files(package: str) -> dict[str, Path]:
    place = folder(package)
    return {} if place is None else {file.stem: file for file in sorted(place.glob("[!._]*.py"))}


def _state(file: Path) -> tuple[int, ...]:
    try:
        info = file.stat()
    except OSError:
        return ()
    return (info.st_ino, info.st_mtime_ns, info.st_size, info.st_mode)


def _of_file(package: str, file: Path) -> Any:
    """Raises TermaError for a file that others could have written, and what the file itself raises."""
    check_own(file.parent)
    check_own(file)
    state = _state(file)
    kept = _kept.get(str(file))
    if kept is None or kept[0] != state:
        kept = _kept[str(file)] = (state, _exported(package, _module(package, file)))
    return kept[1]


def _module(package: str, file: Path) -> ModuleType:
    from importlib.util import module_from_spec, spec_from_file_location

    name = f"terma_own_{OPEN[package]}.{file.stem}"
    spec = spec_from_file_location(name, file)
    if spec is None or spec.loader is None:
        raise TermaError("it is no Python file")
    module = module_from_spec(spec)
    sys.modules[name] = module  # dataclasses look their module up
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


def _exported(package: str, found: Any) -> Any:
    wanted = EXPORTED.get(package, "PLUGIN")
    if not wanted or not isinstance(found, ModuleType):
        return found
    plugin = getattr(found, wanted, None)
    if plugin is None:
        raise TermaError(f"it has no {wanted}", f"end it with: {wanted} = …")
    return plugin


def _of_point(package: str, name: str, target: str) -> Any:
    key = (package, name)
    if key not in _installed:
        module, _, attribute = target.partition(":")
        found: Any = import_module(module.strip())
        for part in attribute.partition("[")[0].split(".") if attribute else ():
            found = getattr(found, part.strip())
        _installed[key] = _exported(package, found)
    return _installed[key]


def _points(package: str) -> tuple[tuple[str, str], ...]:
    """(name, "module:attribute") of the entry points for `package`, those of the first folder on the path first."""
    return _points_on(tuple(sys.path), package)


@lru_cache(maxsize=32)  # what is installed meanwhile counts from the next start on, as with any program
def _points_on(places: tuple[str, ...], package: str) -> tuple[tuple[str, str], ...]:
    found: list[tuple[str, str]] = []
    group = f"terma.{OPEN[package]}" if package in OPEN else GROUP
    before = "" if package in OPEN else f"{package.removeprefix('terma.')}."
    for file in _entry_files(places):
        text = reading.text(file, _MAX_BYTES)
        if f"[{group}]" in text:
            found += (
                (name.removeprefix(before), target)
                for name, target in _section(text, group)
                if name.startswith(before)
            )
    return tuple(found)


def _entry_files(places: tuple[str, ...]) -> Iterator[str]:
    """The entry points of each distribution that is installed where modules are looked for."""
    for place in dict.fromkeys(places):
        try:
            found = sorted(os.listdir(place)) if place else []  # noqa: PTH208 a path may be a zip file
        except OSError:
            continue
        for name in found:
            if name.endswith((".dist-info", ".egg-info")):
                yield os.path.join(place, name, "entry_points.txt")  # noqa: PTH118


def _section(text: str, group: str) -> Iterator[tuple[str, str]]:
    """The lines `name = target` of [group]; the format is that of an INI file."""
    inside = False
    for line in map(str.strip, text.splitlines()):
        if line.startswith("["):
            inside = line == f"[{group}]"
        elif inside and "=" in line and not line.startswith(("#", ";")):
            name, _, target = line.partition("=")
            yield name.strip(), target.strip()
