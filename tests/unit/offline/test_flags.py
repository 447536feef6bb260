"""Words that a draft leaves open are answered by an option of its program that says them."""

from __future__ import annotations

import pytest

from terma.offline.cases.flags import flagged, of
from terma.offline.draft import Draft
from terma.offline.sentence import Sentence
from terma.offline.trust.facts import read
from training.flags import flags

KNOWN = of(
    {
        "wares list": [
            ["-t", {"timestamp": 0.9}],
            ["--no-cache", {"not cache": 0.85}],
            ["-a", {"all,ware": 0.85}],
        ],
        "find": [["-empty", {"empty": 0.85}]],
        "docker logs": [
            ["-t", {"timestamp": 0.9}],
            ["-f", {"follow": 0.9}],
            ["--no-color", {"not color": 0.9}],
        ],
    }
)


def drafts(words: str, command: str, *accounted: int) -> list[str]:
    facts = read(Sentence.parse(words))
    return [one.command for one in flagged([Draft(command, "t", frozenset(accounted))], facts, KNOWN)]


@pytest.mark.parametrize(
    ("words", "accounted", "command", "becomes"),
    [
        ("logs of api with timestamps", (0, 1, 2), "docker logs api", ["docker logs -t api"]),
        ("follow logs of api with timestamps", (1, 2, 3), "docker logs api", ["docker logs -f -t api"]),
        ("logs of api without color", (0, 1, 2), "docker logs api", ["docker logs --no-color api"]),
        ("logs of api with color", (0, 1, 2), "docker logs api", []),
        ("logs of api with timestamps", (0, 1, 2), "docker logs -t api", []),
        ("empty files in src", (1, 2, 3), "find src -type f", ["find src -type f -empty"]),
        ("timestamps of a.txt", (1, 2), "stat a.txt", []),
        ("logs of api with timestamps", (0, 1, 2), "docker logs 'api", []),
        ("logs of api with timestamps", (), "()", []),
    ],
)
def test_an_option_is_added_that_open_words_ask_for(
    words: str, accounted: tuple[int, ...], command: str, becomes: list[str]
) -> None:
    assert drafts(words, command, *accounted) == becomes


def test_words_that_the_draft_accounts_for_ask_for_nothing_more() -> None:
    assert drafts("logs of api with timestamps", "docker logs api", 0, 1, 2, 3, 4) == []


def test_what_names_an_option_asks_for_it_and_so_does_what_people_say_with_it() -> None:
    said = [(f"brief list of wares{n}", f"wares wares{n} -b") for n in range(4)]
    said += [(f"list of wares{n}", f"wares wares{n}") for n in range(8)]
    found = {name: {row[0]: row[1] for row in rows} for name, rows in flags(said).items()}
    assert found["wares"]["-b"]["brief"] > 0.5
    assert "list" not in found["wares"]["-b"]
    assert found["docker logs"]["-t"]["timestamp"] > 0.5  # the file's own
    assert found["pip install"]["--no-cache-dir"]["not cache"] > 0.5
    assert "cache" not in found["pip install"]["--no-cache-dir"]
