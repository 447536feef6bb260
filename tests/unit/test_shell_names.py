"""The shells' files share one room: every function and variable of theirs is made in one file alone."""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path

import pytest

TREE = Path(__file__).parents[2]
FILES = {
    "zsh": [*(TREE / "zsh").glob("*.zsh"), *(TREE / "shell_hooks").glob("*.zsh")],
    "bash": [
        *(TREE / "bash").glob("*.bash"),
        *(TREE / "shell_hooks").glob("*.bash"),
        TREE / "shell_hooks/wire.sh",
    ],
}
GLOBAL = re.compile(r"^\s*(?:typeset|declare) -g\w*((?: +\w+(?:=\S*)?)+)", re.MULTILINE)
PLAIN = re.compile(r"^((?:_terma_\w+=\S* ?){2,})", re.MULTILINE)
FUNCTION = re.compile(r"^(_terma_\w+)\(\)", re.MULTILINE)


@pytest.mark.parametrize("shell", FILES)
def test_a_name_is_made_in_one_file(shell: str) -> None:
    made: dict[tuple[str, str], set[str]] = defaultdict(set)
    for file in FILES[shell]:
        text = file.read_text(encoding="utf-8")
        for kind, pattern in (("variable", GLOBAL), ("variable", PLAIN), ("function", FUNCTION)):
            for group in pattern.findall(text):
                for name in re.findall(r"(?<!\S)(_terma_\w+)", group):
                    made[kind, name].add(file.name)
    assert len(made) > 40
    assert {name: files for name, files in made.items() if len(files) > 1} == {}
