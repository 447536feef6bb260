"""Compiles the offline engine's knowledge into the wheel, so that no machine compiles it again."""

from __future__ import annotations

import importlib.util
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class KnowledgeIndexHook(BuildHookInterface):  # type: ignore[type-arg]
    """Adds terma/offline/index.json. An editable install gets none: its knowledge may change at any time."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if self.target_name != "wheel" or version == "editable":
            return
        sys.path.insert(0, self.root)
        try:
            if importlib.util.find_spec("terma.offline.compiler") is None:
                raise RuntimeError("terma/offline/compiler.py is missing: build from a whole source tree")
            from terma.offline.compiler import compile_index, sources
            from terma.offline.index import to_json

            text = to_json(compile_index(sources()))
        finally:
            sys.path.remove(self.root)
        folder = Path(tempfile.mkdtemp(prefix="terma-index-"))
        (folder / "index.json").write_text(text, encoding="utf-8")
        self._folder = folder
        build_data["force_include"][str(folder / "index.json")] = "terma/offline/index.json"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        folder = getattr(self, "_folder", None)
        if folder is not None:
            (folder / "index.json").unlink(missing_ok=True)
            folder.rmdir()
