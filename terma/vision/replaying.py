"""A run as one page: what was seen, decided, approved and typed, in order, with the pictures beside it."""

from __future__ import annotations

import html
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from terma.vision import log

NAME = "replay.html"
_HEAD = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>terma eyes: {title}</title>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src 'self' file: data:; \
style-src 'unsafe-inline'">
<style>
body {{ font: 15px/1.5 system-ui, sans-serif; max-width: 1100px; margin: 2em auto; padding: 0 1em; color: #222; }}
section {{ border-left: 4px solid #bbb; margin: 1em 0; padding: 0 1em; }}
section.send {{ border-color: #2a7; }} section.refuse, section.error {{ border-color: #c33; }}
section.decide {{ border-color: #38f; }} section.approve, section.pause {{ border-color: #d90; }}
time {{ color: #777; font-variant-numeric: tabular-nums; margin-right: .7em; }}
pre {{ background: #141414; color: #ddd; padding: .7em; overflow-x: auto; line-height: 1.25; }}
img {{ max-width: 100%; }} details summary {{ cursor: pointer; color: #555; }}
@media (prefers-color-scheme: dark) {{ body {{ background: #1a1a1a; color: #ddd; }} }}
</style></head><body>
<h1>{title}</h1>
"""


def write(folder: Path) -> Path:
    """Write the page of the run in `folder`, beside its log; where it is. Raises EyesError where there is no log."""
    lines = log.read(folder)
    goal = next((str(line.get("goal", "")) for line in lines if line.get("what") == "begin"), "a run")
    end: Mapping[str, Any] = next((line for line in reversed(lines) if line.get("what") == "end"), {})
    page = [_HEAD.format(title=html.escape(goal or "a run"))]
    page.append(
        f"<p><strong>{_text(end.get('status', 'not ended'))}</strong>: {_text(end.get('reason', ''))}</p>"
    )
    last: list[str] = []
    for line in lines:
        rows = line.get("rows")
        if line.get("what") == "screen" and rows == last:
            continue  # it was looked at again, and showed the same
        last = rows if isinstance(rows, list) else last
        page.append(_section(line))
    page.append("</body></html>\n")
    file = folder / NAME
    descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as stream:
        stream.write("\n".join(page))
    return file


def _section(line: Mapping[str, Any]) -> str:
    what = str(line.get("what", ""))
    kind = "".join(character for character in what if character.isalpha())
    body = (
        _screen(line)
        if what == "screen"
        else f"<p>{_time(line)}<strong>{_text(what)}</strong> {_rest(line)}</p>"
    )
    return f'<section class="{kind}">{body}</section>'


def _screen(line: Mapping[str, Any]) -> str:
    rows = "\n".join(str(row) for row in line.get("rows", [])).rstrip("\n")
    frame = str(line.get("frame") or "")
    picture = ""
    if frame.startswith(f"{log.FRAMES}/") and ".." not in frame:
        picture = f'<details><summary>picture</summary><img loading="lazy" alt="" src="{html.escape(frame)}"></details>'
    note = " · a password is asked for" if line.get("password") else ""
    return f"<p>{_time(line)}screen, read by {_text(line.get('reader', ''))}{note}</p><pre>{_text(rows)}</pre>{picture}"


def _rest(line: Mapping[str, Any]) -> str:
    pieces = []
    for key, value in line.items():
        if key in ("at", "what"):
            continue
        pieces.append(f"{_text(key)}: <code>{_text(_shown(value))}</code>")
    return " · ".join(pieces)


def _shown(value: object) -> str:
    if isinstance(value, Mapping):
        return " ".join(f"{name}={part}" for name, part in value.items())
    return str(value)


def _time(line: Mapping[str, Any]) -> str:
    return f"<time>{float(line.get('at') or 0):.1f} s</time>"


def _text(value: object) -> str:
    return html.escape(str(value))
