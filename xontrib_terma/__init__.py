"""Plain words become a command with Ctrl+T, and ?why explains what failed: terma in xonsh.

xonsh loads this module by its entry point, by `xontrib load terma`, or from a checkout; twice does no harm. What it
changes is put back by `xontrib unload terma`. Everything heavier than a dict loads at the first key or question.
"""

from __future__ import annotations

import sys
from typing import Any

__all__ = ()

_session: Any = None


def _load_xontrib_(xsh: Any, **_: object) -> dict[str, Any]:
    global _session  # noqa: PLW0603 xonsh has one session, and calls with nothing else in hand
    if _session is None:
        from xontrib_terma.session import Session

        session = Session(xsh)
        if session.load():
            _session = session
    return {}


def _unload_xontrib_(xsh: Any, **_: object) -> dict[str, Any]:
    global _session
    session, _session = _session, None
    if session is not None:
        session.unload()
    for name in [name for name in sys.modules if name.startswith("xontrib_terma.")]:
        del sys.modules[name]  # so that `xontrib reload` after an upgrade reads the new code
    return {}
