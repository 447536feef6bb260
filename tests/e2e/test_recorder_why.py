"""`?why` inside `terma shell`, by the real widget in both ways it is installed: what failed is seen, output and all."""

from __future__ import annotations

import shlex

import pytest

from tests.e2e.recorded import LOAD, TERMA, Recorded
from tests.shells.driver import ended

INSTALLS = {
    "sourced": LOAD,
    "printed": {shell: f'eval "$({shlex.quote(TERMA)} init {shell})"\n' for shell in ("bash", "zsh")},
}


@pytest.mark.parametrize("install", INSTALLS)
@pytest.mark.parametrize("shell", ["bash", "zsh"])
def test_why_sees_the_output_of_what_failed(agent, shell, install):
    fails = agent.home / "fails"
    fails.write_text("#!/bin/sh\necho \"ModuleNotFoundError: No module named 'requests'\" >&2\nexit 1\n")
    fails.chmod(0o755)
    terminal = Recorded(shell, agent, INSTALLS[install][shell], env=agent.env | {"TERMA_ENGINE": "offline"})
    try:
        for line in ("?why", "?why is that"):
            terminal.run("./fails")
            assert "requests" in terminal.run(line)  # its name is in the output alone
    finally:
        ended(terminal.child)
