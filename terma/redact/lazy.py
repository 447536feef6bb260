"""Patterns that are compiled when a text first needs them: most need few, and all take a sixth of a second."""

from __future__ import annotations

import functools
import re

ASCII, LINES, ANY_CASE = (
    int(re.ASCII),
    int(re.ASCII | re.MULTILINE),
    int(re.ASCII | re.IGNORECASE | re.MULTILINE),
)
compiled = functools.cache(re.compile)
