"""`make fuzz`: COUNT strings for each of SHELLS, from SEED on; ends with the strings that got through, if any did."""

from __future__ import annotations

import argparse
import time

from tests.fuzz.property import Count, escapes
from tests.fuzz.witnesses import SHELLS


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=20_000)
    parser.add_argument("--shells", default=",".join(SHELLS), help="names, with commas between them")
    args = parser.parse_args()
    got_through = 0
    for shell in args.shells.split(","):
        counted, start = Count(), time.monotonic()
        for text in escapes(shell, args.seed, args.count, counted):
            got_through += 1
            print(f"{shell}: {text!r}", flush=True)
        seconds = time.monotonic() - start
        print(
            f"{shell}: {counted.made} strings, {counted.low} low, {counted.allowed} allowed, {seconds:.0f} s",
            flush=True,
        )
    print(f"{got_through} got through")
    return 1 if got_through else 0


if __name__ == "__main__":
    raise SystemExit(main())
