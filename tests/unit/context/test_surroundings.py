"""A terminal is declared once, by its source: every front end's list of variables is held to that."""

from __future__ import annotations

import re
from pathlib import Path

from terma import registry, surroundings

WIRE = Path(__file__).parents[3] / "shell_hooks" / "wire.sh"
WHERE = {"TERM", "TERM_PROGRAM", "SSH_CONNECTION"}  # said of any terminal
SOURCES = [registry.load("terma.context.sources", name) for name in registry.names("terma.context.sources")]


def test_every_front_end_sends_what_the_sources_need():
    needed = {name for source in SOURCES for name in source.variables}
    assert set(surroundings.TERMINAL) == needed | WHERE
    shells = re.search(r"^_terma_terminal=\(([^)]*)\)", WIRE.read_text(), re.MULTILINE)
    assert shells
    assert shells[1].split() == surroundings.TERMINAL


def test_what_says_that_a_terminal_is_here_is_its_sources_first():
    assert set(surroundings.SCREENS) == {source.variables[0] for source in SOURCES}


def test_a_source_reads_no_variable_that_it_does_not_declare():
    for source in SOURCES:
        text = (
            Path(f"{registry.__file__}")
            .parent.joinpath("context", "sources", f"{source.name}.py")
            .read_text()
        )
        read = set(re.findall(r'env(?:\.get\(|\[)"([A-Z_]+)"', text))
        assert read <= set(source.variables), source.name
