"""Models by name, and the one that this machine can carry."""

from __future__ import annotations

import contextlib
import os
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from terma.local.places import LocalError

TABLE = Path(__file__).with_name("catalogue.toml")
DEMONSTRATION = "smollm2-135m"
SHARE = 0.5  # of the memory that a model may take: the person's own work has the rest
LIMIT = Path("/sys/fs/cgroup/memory.max")


@dataclass(frozen=True, slots=True)
class Model:
    """One of the catalogue. `parameters` are in billions, `memory` is in GB; `file` is how its file's name ends."""

    name: str
    repository: str
    parameters: float
    memory: float
    cores: int
    chosen: bool
    ollama: str
    file: str
    revision: str


@dataclass(frozen=True, slots=True)
class Machine:
    """What a model would run on: memory in GB."""

    memory: float
    cores: int


@lru_cache(1)
def _table() -> dict[str, Any]:
    import tomllib

    return tomllib.loads(TABLE.read_text(encoding="utf-8"))


def hub() -> str:
    """The address of the public hub."""
    return str(_table()["hub"])


def models() -> list[Model]:
    """All, the smallest first."""
    table = _table()
    shared = {"file": table["file"], "revision": table["revision"]}
    found = [Model(name=name, **(shared | row)) for name, row in table["models"].items()]
    return sorted(found, key=lambda one: one.parameters)


def named(name: str) -> Model:
    """The one called `name`. Raises LocalError where there is none."""
    for one in models():
        if one.name == name.lower():
            return one
    raise LocalError(
        f"the catalogue has no {name[:80]}", "terma local list shows what it has; or --model FILE"
    )


def chosen(machine: Machine) -> Model:
    """The largest that this machine can carry beside its other work. Raises LocalError where none can be."""
    fitting = [
        one
        for one in models()
        if one.chosen and one.memory <= machine.memory * SHARE and one.cores <= machine.cores
    ]
    if not fitting:
        raise LocalError(
            f"{machine.memory:.1f} GB of memory are too little for a model that helps",
            f"terma local install {DEMONSTRATION} shows that all is in place; terma local list",
        )
    return fitting[-1]


def machine() -> Machine:
    """This one: what it has, or what its container may use."""
    memory = float(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
    with contextlib.suppress(OSError, ValueError):
        memory = min(memory, float(LIMIT.read_text(encoding="ascii")))  # "max" is no number
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return Machine(memory / 1e9, cores)
