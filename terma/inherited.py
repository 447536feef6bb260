"""What of its starter's environment the agent keeps: what it needs to live, and nothing that is one shell's.

The agent answers every shell of its person. A key, a setting or a proxy of the shell that happened to start it would
answer all the others, so each shell sends its own with each question, and the agent starts without any.
"""

from __future__ import annotations

import os
from collections.abc import Mapping

_CODE = "finds the interpreter's own libraries, where it does not start without them"
_PLACE = "where this person's settings, state, cache and socket are"
_UNLOCK = "lets a person's key command or keyring ask for a passphrase, on the screen or of a running service"
_TEST = "for tests"
KEPT: Mapping[str, str] = {
    "HOME": _PLACE,
    "USER": "who it is, for programs that are asked",
    "LOGNAME": "the same",
    "SHELL": "for which shell a local model's first words are written ahead",
    "PATH": "where git, a terminal's own program and a key command are, when a shell names no PATH",
    "LANG": "how file names are written",
    "LC_ALL": "the same",
    "LC_CTYPE": "the same",
    "TZ": "for times in the log",
    "TMPDIR": _PLACE,
    "XDG_CONFIG_HOME": _PLACE,
    "XDG_STATE_HOME": _PLACE,
    "XDG_CACHE_HOME": _PLACE,
    "XDG_DATA_HOME": _PLACE,
    "XDG_RUNTIME_DIR": _PLACE,
    "PYTHONPATH": "where terma itself is, in a checkout that is not installed; else the agent does not read it",
    "LD_LIBRARY_PATH": _CODE,
    "DYLD_LIBRARY_PATH": _CODE,
    "MALLOC_ARENA_MAX": "one memory arena: it has one busy thread",
    "DISPLAY": _UNLOCK,
    "WAYLAND_DISPLAY": _UNLOCK,
    "XAUTHORITY": _UNLOCK,
    "DBUS_SESSION_BUS_ADDRESS": _UNLOCK,
    "container": "says that this is one",
    "TERMA_SOCKET": _PLACE,
    "TERMA_IDLE_SECONDS": "when it leaves",
    "TERMA_LOCAL_IDLE_SECONDS": "when the local model leaves",
    "TERMA_WORKER_IDLE_SECONDS": "when litellm's process leaves",
    "TERMA_DEBUG": "how much it logs",
    "TERMA_ENV": "the same",
    "TERMA_SCRIPT": _TEST,
    "TERMA_TEST_CAPTURE_SECONDS": _TEST,
}


def kept(environment: Mapping[str, str]) -> dict[str, str]:
    """What the agent keeps of `environment`."""
    return {name: value for name, value in environment.items() if name in KEPT}


def forget() -> None:
    """Drop everything else from this process's environment."""
    for name in set(os.environ) - set(KEPT):
        del os.environ[name]
