"""Plug-ins by convention: a module that exports PLUGIN is one, wherever its package looks for them.

Other distributions add theirs through an entry point of the group `terma.plugins`, named `package.name`
(`providers.mymodel`), which loads to the plug-in object. These are asked only for a name that is not ours,
because reading the metadata of installed distributions is slow.
"""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from typing import Any

from terma.errors import UsageError

GROUP = "terma.plugins"


def names(package: str) -> list[str]:
    """The plug-in modules that stand in `package` ("terma.providers"), sorted; none is imported."""
    folder = Path(
        str(sys.modules[package].__file__ if package in sys.modules else import_module(package).__file__)
    ).parent
    return sorted(file.stem for file in folder.glob("[a-z]*.py"))


def load(package: str, name: str) -> Any:
    """The PLUGIN of `package`.`name`. Raises UsageError when there is none of that name."""
    known = sys.modules.get(f"{package}.{name}")  # what was loaded lives on when the files are replaced
    if known is not None or (name.isidentifier() and name in names(package)):
        return (known or import_module(f"{package}.{name}")).PLUGIN
    found = _installed(f"{package.removeprefix('terma.')}.{name}")
    if found is None:
        raise UsageError(f"there is no {name!r} in {package}", f"choose one of: {', '.join(names(package))}")
    return found


def _installed(entry: str) -> Any | None:
    from importlib.metadata import entry_points

    for point in entry_points(group=GROUP, name=entry):
        return point.load()
    return None
