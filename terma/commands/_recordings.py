"""`terma session record` and `replay`: what a session shows, kept as an asciicast file, and played."""

from __future__ import annotations

import os
import shutil
import sys
import time
from collections import deque
from pathlib import Path

from terma import client
from terma.errors import TermaError, UsageError
from terma.printing import own
from terma.sessions import casting, screens

_FRAME = 0.04  # seconds between two screens at least
_ENTER, _LEAVE = "\x1b[?1049h\x1b[2J", "\x1b[0m\x1b[?25h\x1b[?1049l"


def record(name: str, file: str) -> int:
    """Until the program has exited, or Ctrl+C. Raises TermaError."""
    path = Path(file).expanduser()
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
    except FileExistsError:
        raise UsageError(f"there is {file} already", "another name") from None
    except OSError as error:
        raise UsageError(f"{file} cannot be written: {error.strerror}") from error
    began, clock = time.time(), time.monotonic()
    recording: casting.Recording | None = None
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as out, client.connect() as agent:
            for shown in screens.shows(agent, name):
                if recording is None:
                    recording = casting.Recording(out, shown, name, began)
                    print(f"recording {name}: Ctrl+C ends", file=sys.stderr, flush=True)
                recording.show(time.monotonic() - clock, shown)
                time.sleep(_FRAME)
    except KeyboardInterrupt:
        pass
    except OSError as error:
        raise TermaError(f"{file} cannot be written: {error.strerror}") from error
    finally:
        if recording is None:
            path.unlink(missing_ok=True)
    print(f"{time.monotonic() - clock:.1f} s in {file}; terma session replay {file} plays it")
    return 0


def replay(file: str, speed: float, pause: float) -> int:
    """Play it on this terminal; where that is none, print what it shows last. Raises UsageError."""
    path = Path(file).expanduser()
    if not sys.stdout.isatty():
        print(next((text for _, _, text in deque(casting.played(path), 1)), ""))
        return 0
    size, at, last = shutil.get_terminal_size(), 0.0, ""
    own(_ENTER)
    try:
        for seconds, drawn, text in casting.played(path, size.columns, size.lines):
            time.sleep(max(min(seconds - at, pause), 0.0) / max(speed, 0.01))
            at, last = seconds, text
            own(drawn)
            sys.stdout.flush()
    except KeyboardInterrupt:
        pass
    finally:
        own(_LEAVE)
    print(last)
    return 0
