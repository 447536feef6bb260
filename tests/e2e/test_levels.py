"""TERMA_DEBUG, TERMA_ENV and TERMA_VERBOSE_DEPS tell more of one command, also where the agent runs already."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.conftest import Home
from tests.e2e.test_ask import call
from tests.model_server import ModelServer, says
from tests.shells.in_terma import prepared

WORDS = "how many moons has neptune"
KEY = "sesame"


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer() as made:
        yield made


@pytest.fixture
def asking(home: Home, server: ModelServer) -> Home:
    """With an agent that runs and was told nothing of levels."""
    server.will(*[says("Sixteen.")] * 9)
    made = prepared(home, server)
    assert call(made, "first").returncode == 0
    return made


def logged(home: Home) -> str:
    return home.log.read_text(encoding="utf-8")


def test_without_them_nothing_is_told(asking: Home) -> None:
    done = call(asking, WORDS)
    assert done.stderr == "" or "info" not in done.stderr
    assert "neptune" not in logged(asking)


def test_debug_tells_the_words_here_and_in_the_log_of_an_agent_that_runs(asking: Home) -> None:
    before = logged(asking).count(" start ")
    done = call(asking, WORDS, TERMA_DEBUG="1")
    assert done.stdout.strip() == "Sixteen."
    assert " info ask kind=chat" in done.stderr
    assert " debug answer frame=event" in done.stderr
    assert f"asked words={WORDS}" in logged(asking)
    assert "answered kind=chat" in logged(asking)
    assert logged(asking).count(" start ") == before


def test_dev_tells_what_is_asked_and_no_words(asking: Home) -> None:
    done = call(asking, WORDS, TERMA_ENV="dev")
    assert " info answered kind=chat seconds=" in done.stderr
    assert "debug" not in done.stderr
    assert " ask kind=chat" in logged(asking)
    assert "neptune" not in logged(asking)


def test_verbose_deps_tells_what_the_libraries_say_without_the_key(asking: Home) -> None:
    done = call(asking, WORDS, TERMA_VERBOSE_DEPS="1")
    assert "httpcore" in done.stderr or "httpx" in done.stderr
    assert KEY not in done.stderr + logged(asking)
    assert "httpcore" in logged(asking) or "httpx" in logged(asking)
    assert "neptune" not in logged(asking)
    assert "httpcore" not in call(asking, WORDS).stderr
