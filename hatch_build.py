"""Compiles the offline engine's knowledge and tables into the wheel, so that no machine compiles them again."""

from __future__ import annotations

import importlib.util
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class KnowledgeIndexHook(BuildHookInterface):  # type: ignore[type-arg]
    """Adds terma/offline/index.bin and tables.bin. An editable install gets none: its knowledge may change at any
    time."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if self.target_name != "wheel" or version == "editable":
            return
        sys.path.insert(0, self.root)
        try:
            if importlib.util.find_spec("terma.offline.compiler") is None:
                raise RuntimeError("terma/offline/compiler.py is missing: build from a whole source tree")
            from terma.offline import index, tables
            from terma.offline.compiler import compile_index, sources

            made = {"index.bin": index.packed(compile_index(sources())), "tables.bin": tables.packed()}
        finally:
            sys.path.remove(self.root)
        folder = Path(tempfile.mkdtemp(prefix="terma-index-"))
        self._folder = folder
        for name, data in made.items():
            (folder / name).write_bytes(data)
            build_data["force_include"][str(folder / name)] = f"terma/offline/{name}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        folder = getattr(self, "_folder", None)
        if folder is not None:
            shutil.rmtree(folder, ignore_errors=True)
