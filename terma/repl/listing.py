"""`--list`: the saved conversations, the newest first."""

from __future__ import annotations

import json
import sys
import time
from dataclasses import asdict

from terma.conversation.saved import Summary, listed, place


def show(as_json: bool) -> int:
    """Print them, or that there are none; exit status 0."""
    found = listed(place())
    if as_json:
        for one in found:
            print(json.dumps(asdict(one), ensure_ascii=False))
        return 0
    for one in found:
        print(_row(one))
    if not found:
        print('no conversation is saved yet; begin one: terma "question"', file=sys.stderr)
    return 0


def _row(one: Summary) -> str:
    when = time.strftime("%Y-%m-%d %H:%M", time.localtime(one.updated))
    asked = f"{one.turns} question{'s' * (one.turns != 1)}"
    return f"{one.id}  {when}  {asked:<12}  {one.problem or one.title}"
