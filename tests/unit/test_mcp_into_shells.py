"""Which lines of a shell may hold a secret."""

from __future__ import annotations

import pytest

from terma.mcp import into_shells


@pytest.mark.parametrize(
    ("line", "keeps"),
    [
        ("set -gx TOKEN 'it'", False),
        ("set --local TOKEN 'it'", False),
        ("set -U TOKEN 'it'", True),  # universal variables are a file of fish's
        ("set -xU TOKEN 'it'", True),
        ("set --universal TOKEN 'it'", True),
        ("set -x TOKEN 'it'", True),  # one that is universal already stays so
        ("set TOKEN 'it'", True),
        ("set $scope -g TOKEN 'it'", True),
        ("echo it | read -U TOKEN", True),
        ("echo it | read -l TOKEN", False),
    ],
)
def test_fish_keeps_universal_variables_in_a_file(line: str, keeps: bool) -> None:
    assert bool(into_shells.might_keep(line, "fish", ["it"])) is keeps


@pytest.mark.parametrize("shell", ["bash", "zsh"])
def test_a_variable_of_another_shell_is_in_memory(shell: str) -> None:
    assert into_shells.might_keep("set -- 'it'; export TOKEN='it'; read x <<< 'it'", shell, ["it"]) == ""
