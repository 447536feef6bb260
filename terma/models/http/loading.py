"""httpx, imported without what it would bring along: a command line with its colours, and HTTP/2.

Both come with other packages, litellm's among them, and would cost the agent 4 MB that it never uses.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import cast

_UNWANTED = ("httpx._main", "h2")  # httpx and httpcore do without either when it cannot be imported


def load() -> None:
    """Import httpx and what a first connection needs, about 60 ms the first time."""
    if "httpx" not in sys.modules:
        hidden = [name for name in _UNWANTED if name not in sys.modules]
        sys.modules.update({name: cast("ModuleType", None) for name in hidden})
        try:
            import httpcore  # noqa: F401 - httpx would import it with the first client
            import httpx  # noqa: F401
        finally:
            for name in hidden:
                del sys.modules[name]
    from anyio._backends import _asyncio  # noqa: F401
