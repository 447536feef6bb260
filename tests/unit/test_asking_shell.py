"""Which shell a command of terma's says that it was asked from."""

from __future__ import annotations

import pytest

from terma.commands._asking import surroundings


@pytest.mark.parametrize(
    ("login", "asks", "said"),
    [("/bin/bash", "zsh", "zsh"), ("/bin/zsh", "", "zsh"), ("/bin/bash", "fish", "bash"), ("", "", "bash")],
)
def test_the_shell_that_asks_is_told_and_not_the_login_shell(
    login: str, asks: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SHELL", login)
    monkeypatch.setenv("TERMA_LAST_SHELL", asks)
    assert surroundings()["shell"] == said
    assert surroundings("xonsh")["shell"] == "xonsh"
