"""For a checkout that is not installed: `xontrib load terma` finds `xontrib/terma.py` on sys.path by its name."""

from xontrib_terma import _load_xontrib_, _unload_xontrib_

__all__ = ("_load_xontrib_", "_unload_xontrib_")
