"""Says what to install where an extra is missing, before anything else begins."""

from __future__ import annotations

from importlib.util import find_spec

from terma.errors import UsageError


def need(extra: str, *modules: str) -> None:
    """Raises UsageError, naming the extra, unless all `modules` are installed."""
    missing = [module for module in modules if find_spec(module) is None]
    if missing:
        raise UsageError(
            f"this needs what is not installed: {', '.join(missing)}",
            f"pip install 'xontrib-terma[{extra}]'",
        )
