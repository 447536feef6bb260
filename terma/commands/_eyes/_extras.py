"""Says what to install where an extra is missing, before anything else begins."""

from __future__ import annotations

import os
from importlib.util import find_spec

from terma.errors import UsageError


def need(extra: str, *modules: str) -> None:
    """Raises UsageError, naming the extra, unless all `modules` are installed.

    A screen is read in many small products of matrices: threads for each of them cost ten times what they give."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    missing = [module for module in modules if find_spec(module) is None]
    if missing:
        raise UsageError(
            f"this needs what is not installed: {', '.join(missing)}",
            f"pip install 'xontrib-terma[{extra}]'",
        )
