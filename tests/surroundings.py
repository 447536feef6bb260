"""What of the caller's environment the tests see: enough to find programs, and nothing that is one person's or one
shell's. conftest clears it for all of them.

A virtual environment that is active would put its own `terma` and `python` on every PATH; a TERMA_, GIT_ or PYTHON
variable would answer for what a test believes it has set.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path

# The compiled knowledge, for all tests of this tree: compiling it takes seconds of a core, and a tree with other
# knowledge that wrote to the same place would have it done anew for every agent.
CACHE = str(Path(__file__).parents[1] / ".cache" / "tests")

# What of it is nobody's settings, and what takes seconds of a core to make.
_COMPILED = ("offline-index.bin", "offline-tables.bin")

# What a test's agents, shells and programs are given.
BASIC = ("PATH", "LANG", "LC_ALL", "LC_CTYPE", "TERM", "TZ")
# What the tests themselves need: whose account it is, and how pip reaches its index.
_NAMES = frozenset(BASIC) | frozenset(
    "HOME USER LOGNAME SHELL PWD TMPDIR CI SSL_CERT_FILE SSL_CERT_DIR REQUESTS_CA_BUNDLE http_proxy https_proxy"
    " no_proxy HTTP_PROXY HTTPS_PROXY NO_PROXY LD_LIBRARY_PATH"
    " DYLD_LIBRARY_PATH PYTHONDONTWRITEBYTECODE PYTHONPYCACHEPREFIX".split()
)
_BEGINNINGS = ("TERMA_TEST_", "PYTEST_", "COVERAGE_", "PIP_", "UV_")


def cleared(environ: Mapping[str, str], prefix: str = "") -> dict[str, str]:
    """What is kept of `environ`; the programs of the active virtual environment, and of the one in `prefix`, are not
    on its PATH."""
    kept = {name: value for name, value in environ.items() if name in _NAMES or name.startswith(_BEGINNINGS)}
    active = {os.path.join(root, "bin") for root in (environ.get("VIRTUAL_ENV"), prefix) if root}  # noqa: PTH118
    folders = kept.get("PATH", os.defpath).split(os.pathsep)
    kept["PATH"] = os.pathsep.join(folder for folder in folders if folder.rstrip("/") not in active)
    return kept | {"XDG_CACHE_HOME": CACHE}


def clear() -> None:
    """Make this process's environment what the tests see."""
    kept = cleared(os.environ, sys.prefix if sys.prefix != sys.base_prefix else "")
    for name in set(os.environ) - set(kept):
        del os.environ[name]
    os.environ.update(kept)


def with_knowledge(cache: Path) -> Path:
    """`cache`, a cache directory of its own, with the knowledge that is compiled for all tests: for those whose agents
    may not share the cache. What was not compiled yet is left out, and their agents compile it."""
    ours = cache / "terma"
    ours.mkdir(parents=True, exist_ok=True, mode=0o700)
    for name in _COMPILED:
        with contextlib.suppress(FileNotFoundError):
            shutil.copyfile(Path(CACHE, "terma", name), ours / name)
    return cache
