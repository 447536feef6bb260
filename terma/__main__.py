"""`python -m terma`: the command line, where the interpreter is at hand and the script is not on the PATH."""

from __future__ import annotations

import sys

from terma.cli import main

if __name__ == "__main__":
    sys.exit(main())
