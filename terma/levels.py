"""How much is told beside the answer: TERMA_DEBUG=1, TERMA_ENV=dev and TERMA_VERBOSE_DEPS=1, as people bring them.

TERMA_ENV=dev tells what is asked and how long it took, TERMA_DEBUG=1 also the words and each piece of an answer,
TERMA_VERBOSE_DEPS=1 what the libraries beneath say. They travel with each question, so an agent that runs obeys them.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Mapping
from typing import NamedTuple

MAX_LINE = 2_000  # code points


class Levels(NamedTuple):
    """`debug` tells more than `info`; `deps` is of other people's code."""

    info: bool = False
    debug: bool = False
    deps: bool = False


def of(environment: Mapping[str, str]) -> Levels:
    """What these variables want."""
    debug = environment.get("TERMA_DEBUG") == "1"
    dev = environment.get("TERMA_ENV", "").lower() in ("dev", "development")
    deps = environment.get("TERMA_VERBOSE_DEPS", "").lower() in ("1", "true", "yes", "on")
    return Levels(debug or dev, debug, deps)


def of_lines(settings: str) -> Levels:
    """The same for the field `settings` of a request: NAME=value a line."""
    pairs = (line.partition("=") for line in settings.split("\n") if line.startswith("TERMA_"))
    return of({name: value for name, _, value in pairs})


def tell(event: str, *, debug: bool = False, **facts: object) -> None:
    """A line on standard error, where this process's variables want it. Never what is a key: callers hand over names,
    sizes and words that are shown anyway."""
    wanted = of(os.environ)
    if not (wanted.debug if debug else wanted.info) or sys.stderr is None:
        return
    now = time.time()
    clock = f"{time.strftime('%H:%M:%S', time.localtime(now))}.{int(now * 1000) % 1000:03d}"
    said = " ".join(f"{key}={value!s}" for key, value in facts.items())
    line = ascii(f"terma {clock} {'debug' if debug else 'info'} {event} {said}".rstrip())[1:-1][:MAX_LINE]
    print(line, file=sys.stderr, flush=True)
