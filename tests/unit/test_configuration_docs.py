"""docs/configuration.md is what the settings say, every one of them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.unit.config.test_whose import every

ROOT = Path(__file__).parents[2]


def test_the_page_is_what_the_settings_make(tmp_path: Path) -> None:
    made = tmp_path / "configuration.md"
    subprocess.run(
        [sys.executable, str(ROOT / "tools/configuration.py"), str(made)], check=True, env={"COLUMNS": "80"}
    )
    page = (ROOT / "docs/configuration.md").read_text(encoding="utf-8")
    assert made.read_text(encoding="utf-8") == page, "python tools/configuration.py docs/configuration.md"
    for path, _ in every():
        assert f"| `{path[-1]}` |" in page, path
    for named in ("fallbacks", "retries", "limits", "protocol", "--max-steps"):
        assert named in page
