"""Looks for a regular expression in a process of its own, so that one that never ends can be ended.

Runs as a program (python -I -S), knows nothing of terma, and speaks lines of JSON: first the expression and its
flags, answered with null or what is wrong with it; then texts, each answered with the places of what was found.
"""

from __future__ import annotations

import json
import re
import signal
import sys

MAX_SECONDS = 15  # seconds for one text: the asker gives up sooner, unless it was killed meanwhile


def main() -> None:
    """Serve until the input ends."""
    flags, expression = json.loads(sys.stdin.readline())
    try:
        wanted = re.compile(expression, re.MULTILINE | flags)
    except (re.error, OverflowError, RecursionError) as error:
        print(json.dumps(str(error)), flush=True)
        return
    print("null", flush=True)
    for line in sys.stdin:
        signal.alarm(MAX_SECONDS)  # nobody handles it: it ends this process in the middle of a search
        lines = json.loads(line)
        found = [number for number, text in enumerate(lines) if wanted.search(text)]
        signal.alarm(0)
        print(json.dumps(found), flush=True)


if __name__ == "__main__":
    main()
