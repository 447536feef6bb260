"""Which model `terma local install` is to bring, and what is said of it before anything is fetched."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import urlsplit

from terma.errors import UsageError
from terma.local import catalogue, fetching, hub, installing, places
from terma.local.catalogue import DEMONSTRATION
from terma.local.places import LocalError


@dataclass(frozen=True, slots=True)
class ModelSource:
    """`source` as `installing.install` takes it; `size` in bytes of what has to be fetched from a hub, else 0."""

    source: str
    size: int = 0


def wanted(name: str, model: str, address: str, say: Callable[[str], None]) -> ModelSource:
    """By name or as a file; without either what is there already, else what fits this machine. Raises TermaError."""
    if name and model:
        raise UsageError("a name or --model, not both", "terma local list")
    if model or (not name and places.installed() is not None):
        return ModelSource(model)
    if name.lower() == DEMONSTRATION:
        return ModelSource(installing.DEFAULT)
    here = catalogue.machine()
    chosen = catalogue.named(name) if name else catalogue.chosen(here)
    why = "" if name else f", which fits {here.memory:.0f} GB of memory and {here.cores} cores"
    say(f"the model: {chosen.name}, {chosen.parameters:g} billion parameters{why}")
    if name and chosen.memory > here.memory:
        say(f"it takes {chosen.memory:g} GB of memory, and this machine has {here.memory:.1f}")
    where = address or catalogue.hub()
    found = hub.offer(chosen, where)
    folder = places.folder() / "models"
    say(f"from: {urlsplit(where).netloc}, {chosen.repository}, revision {found.revision[:12]}")
    say(f"licence: {found.licence}")
    say(f"into: {folder}, {found.size / 1e6:.0f} MB")
    if shutil.which("ollama"):
        say(f"Ollama is here: terma local install {chosen.name} --ollama lets it fetch and serve the model")
    fetching.check_space(folder, found.size + installing.RUNTIME_BYTES)
    return ModelSource(found.source, found.size)


def by_ollama(name: str) -> str:
    """Let Ollama fetch the model; its name there. Raises LocalError."""
    program = shutil.which("ollama")
    if program is None:
        raise LocalError("Ollama is not installed", "without --ollama llama.cpp is installed for it")
    chosen = catalogue.named(name) if name else catalogue.chosen(catalogue.machine())
    if subprocess.run([program, "pull", chosen.ollama], check=False).returncode:
        raise LocalError(f"ollama pull {chosen.ollama} failed", "ollama serve has to run")
    return chosen.ollama
