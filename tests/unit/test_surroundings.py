"""The tests see the same whoever runs them, in whatever shell."""

from __future__ import annotations

import os
import sys

import pytest

from tests.surroundings import CACHE, cleared

HOSTILE = {
    "VIRTUAL_ENV": "/venv",
    "PYTHONPATH": "/elsewhere",
    "PYTHONSTARTUP": "/elsewhere/start.py",
    "TERMA_ENGINE": "litellm",
    "TERMA_SOCKET": "/run/theirs",
    "GIT_DIR": "/theirs/.git",
    "GIT_AUTHOR_NAME": "somebody",
    "XDG_CONFIG_HOME": "/theirs",
    "XDG_RUNTIME_DIR": "/theirs",
    "TMUX": "/tmp/tmux,1,0",
    "NO_COLOR": "1",
    "OPENAI_API_KEY": "sk-theirs",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_what_is_the_callers_own_is_not_seen(name: str) -> None:
    assert name not in cleared(HOSTILE | {"PATH": "/bin"})
    assert name not in os.environ


@pytest.mark.parametrize("path", ["/venv/bin:/usr/bin:/bin", "/usr/bin:/venv/bin/:/own/bin:/bin"])
def test_no_program_of_a_virtual_environment_is_on_the_path(path: str) -> None:
    assert cleared({"PATH": path, "VIRTUAL_ENV": "/venv"}, "/own")["PATH"] == "/usr/bin:/bin"
    assert os.path.dirname(sys.executable) not in os.environ["PATH"].split(":")  # noqa: PTH120


def test_what_the_tests_need_is_kept() -> None:
    needed = {"HOME": "/home/a", "LANG": "C.UTF-8", "TERMA_TEST_WAIT": "9", "PYTEST_XDIST_WORKER": "gw1"}
    assert cleared(needed | {"PATH": "/bin"}) == needed | {"PATH": "/bin", "XDG_CACHE_HOME": CACHE}
