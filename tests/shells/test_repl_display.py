"""What is seen of a long output: all of it by default, else its beginning and end, and the rest by a key."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from terma.output import plain
from tests.conftest import Home
from tests.model_server import ModelServer, says
from tests.shells.in_terma import KEYS, PROMPT, Terma, prepared, proposes, served, told

NINE = {"TERMA_CONVERSATION__DISPLAY_LINES": "9"}
ASKS = "; read -p 'go 'on'? ' x; echo got $x"


@pytest.fixture
def server() -> Iterator[ModelServer]:
    yield from served()


def rows(terma: Terma) -> list[str]:
    """The rows since the last mark, as they look."""
    seen = terma.raw[terma._seen :].decode("utf-8", "replace")
    return [row.rstrip() for row in plain(seen, 80, 200).split("\n")]


def numbers(terma: Terma) -> list[int]:
    return [int(row) for row in rows(terma) if re.fullmatch(r"\d+", row)]


def test_the_beginning_and_the_end_are_shown_and_a_key_shows_the_rest(home: Home) -> None:
    prepared(home, None)
    with Terma(home, "chat", **NINE) as terma:
        terma.wait_for(PROMPT)
        terma.enter("seq 1 4000", "\n4000")
        assert numbers(terma) == [1, 2, 3, *range(3995, 4001)]
        assert "… 3,991 lines more, Ctrl+O shows them" in rows(terma)
        terma.mark().press("C-o").prompted("\r\n4000")
        assert numbers(terma) == list(range(4, 4001))
        terma.enter("seq 9", "\n9")
        assert numbers(terma) == list(range(1, 10)), "what fits is shown whole"
        terma.mark().type("seq 200" + ASKS).press("Enter").wait_for("go on? ")
        assert numbers(terma) == [1, 2, 3, *range(196, 201)], (
            "who is asked sees what stands before the question"
        )
        terma.press("y", "Enter").prompted("got y")
        terma.mark().type("seq 300 | awk '{print} END {print -1; system(\"sleep 600\")}'").press("Enter")
        terma.wait_for("298 lines more, Ctrl+O shows them: -1")
        assert numbers(terma) == [1, 2, 3]
        terma.press("C-o").wait_for("\n300\r\n-1")
        terma.press("C-c").prompted("interrupted")


def test_a_model_s_command_is_bounded_for_the_person_alone(home: Home, server: ModelServer) -> None:
    prepared(home, server)
    server.will(proposes("seq 1 500"), proposes("echo next"), says("Two commands."))
    with Terma(home, "count to 500", **NINE) as terma:
        terma.wait_for(KEYS).mark().press("y").wait_for("491 lines more").wait_for("echo next").wait_for(KEYS)
        assert 250 not in numbers(terma)
        terma.mark().press("C-o").wait_for("\n500").wait_for("echo next").wait_for(KEYS)
        assert numbers(terma) == list(range(4, 501))
        terma.mark().press("y").wait_for("Two commands.")
        assert terma.status() == 0
    assert "\n250\n" in told(server, 2), "the model reads what its own bound lets through"
