"""Draws what `?why` says of real failures as a terminal shows it, to be looked at: pictures of several widths.

    python tools/why_screens.py CASES.jsonl OUT [--every N] [--columns 80 44]

A case is a line of `training/why.jsonl`: its `setup` is run by bash in a folder of its own, and nothing else is.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from terma.commands.why import COLOURS, digested
from terma.providers.offline import OfflineProvider
from terma.risk import assess
from terma.sessions.screen import emulator
from terma.suggest.why import Answer, why
from terma.types import Output, WhyQuery

ROWS = 60


def main() -> None:
    """Write NUMBER-COLUMNS.png for each case into OUT, and all of them as text with a line for each that is odd."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("cases", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--every", type=int, default=1, help="each Nth case")
    parser.add_argument("--columns", type=int, nargs="+", default=[80, 44])
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    cases = [json.loads(line) for line in args.cases.read_text(encoding="utf-8").splitlines()][:: args.every]
    with (args.out / "all.txt").open("w", encoding="utf-8") as texts:
        for number, case in enumerate(cases):
            for columns in args.columns:
                rows, picture = drawn(said(case, columns), columns)
                texts.write(f"── {number} · {columns} ── {case['command']}\n" + "\n".join(rows) + "\n\n")
                picture.save(args.out / f"{number:03d}-{columns}.png")


def said(case: dict[str, Any], columns: int) -> str:
    """The frames of an answer as a shell prints them, in colour."""
    with tempfile.TemporaryDirectory() as folder:
        home = {**os.environ, "HOME": folder}
        setup = ["bash", "-c", case.get("setup", "")]
        subprocess.run(setup, cwd=folder, env=home, capture_output=True, timeout=60, check=False)
        output = Output(digested(case["output"].replace("{cwd}", folder)), "recording", found=True)
        query = WhyQuery(
            case["command"], case["status"], output, cwd=folder, shell=case["shell"], path=os.environ["PATH"],
            statuses=tuple(case["statuses"]), columns=columns,
        )  # fmt: skip
        return asyncio.run(_said(query, columns)).replace(folder, "/home/ann/shop")


async def _said(query: WhyQuery, columns: int) -> str:
    async def see() -> WhyQuery:
        return query

    def keep(answer: Answer) -> None:
        return None

    text = ""
    async for frame in why(query, see, OfflineProvider(), assess, columns, keep):
        if isinstance(frame, tuple) and frame[0] == "say":
            code = COLOURS.get(frame[1])
            text += f"\x1b[{code}m{frame[2]}\x1b[0m" if code else frame[2]
    return text


def drawn(text: str, columns: int) -> tuple[list[str], Any]:
    """The rows that a terminal of that width shows of `text`, and their picture."""
    from PIL import Image

    from terma.picture.painter import Painter

    screen = emulator(columns, ROWS)
    screen.feed(text.replace("\n", "\r\n").encode())
    rows = screen.rows()
    used = max((at for at, row in enumerate(rows, 1) if row.strip()), default=1)
    picture = Painter(columns, ROWS, 16).paint(screen.grid())
    height = picture.shape[0] * used // ROWS + 16
    return rows[:used], Image.fromarray(picture[:height, :, ::-1])


if __name__ == "__main__":
    main()
