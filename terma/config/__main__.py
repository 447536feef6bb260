"""The child that validates: {"file", "variables"} on standard input, {"settings"} or {"error", "hint"} back."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from terma.config.layers import load
from terma.config.reader import plain
from terma.errors import ConfigError


def main() -> int:
    asked = json.load(sys.stdin)
    try:
        found = load(Path(asked["file"]), asked["variables"])
    except ConfigError as error:
        json.dump({"error": error.message, "hint": error.hint}, sys.stdout)
    else:
        json.dump({"settings": plain(found.settings)}, sys.stdout)
    return 0


if __name__ == "__main__":
    sys.exit(main())
