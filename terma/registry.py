"""The one way to find plug-ins: a file in its package is one, and no list of names stands beside it.

Most packages want a module that exports PLUGIN; where the module itself is what is plugged in (a family of rules), its
package says what that exports. What is data is found in the same way, by its ending. Packages that people and other
distributions may add to look in terma.added as well, after ours: of two with one name ours wins.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from terma import added
from terma.errors import UsageError

Report = Callable[[str], None]


def _unheard(_line: str) -> None:
    """For who has nobody to tell: `terma doctor` names what is left out."""


def files(folder: Path, ending: str) -> list[Path]:
    """The plug-ins of a folder, sorted; what begins with _ or with a full stop is a helper or somebody's leftover."""
    return sorted(folder.glob(f"[!._]*{ending}"))


def names(package: str) -> list[str]:
    """The plug-in modules that stand in `package` ("terma.providers"), sorted; none is imported."""
    known = sys.modules[package] if package in sys.modules else import_module(package)
    return [file.stem for file in files(Path(str(known.__file__)).parent, ".py")]


def modules(package: str) -> list[ModuleType]:
    """Every module of `package`, imported."""
    return [import_module(f"{package}.{name}") for name in names(package)]


def loaded(package: str) -> Iterator[Any]:
    """The plug-ins of `package` that were used so far: what has something to give back at the end."""
    before = f"{package}."
    for name, module in list(sys.modules.items()):
        if name.startswith(before) and (plugin := getattr(module, "PLUGIN", None)) is not None:
            yield plugin
    yield from added.loaded(package)


def load(package: str, name: str) -> Any:
    """The PLUGIN of `package`.`name`. Raises UsageError when there is none of that name, TermaError for a file of the
    person's that is none or that others may write."""
    module = f"{package}.{name}"
    # What was loaded lives on when the files are replaced; what another thread is loading now is waited for.
    if module in sys.modules or (name.isidentifier() and name in names(package)):
        return import_module(module).PLUGIN
    found = added.find(package, name)
    if found is None:
        raise UsageError(
            f"there is no {name!r} in {package}", f"choose one of: {', '.join(every_name(package))}"
        )
    return found


def every_name(package: str) -> list[str]:
    """The names of ours and, behind them, of what was added."""
    ours = names(package)
    return [*ours, *(name for name in added.names(package) if name not in ours)]


def every(
    package: str, told: Report = _unheard, check: Report | Callable[[Any], object] | None = None
) -> list[Any]:
    """All plug-ins of `package`, ours first. `told` gets a line for each added one that is left out: it is broken,
    others may write it, or `check` raises for it."""
    ours = names(package)
    return [load(package, name) for name in ours] + [
        plugin for name, plugin in added.every(package, told, check) if name not in ours
    ]
