"""A deletion keeps the conditions that were said, and no command writes over what it is still to read."""

from __future__ import annotations

import pytest

from terma.offline.draft import Context
from terma.offline.plain import plain
from terma.offline.sentence import Sentence
from terma.offline.trust.association import Association
from terma.offline.trust.facts import read
from terma.offline.trust.overwritten import overwrites
from terma.offline.trust.verify import broken

TABLE = Association.load()


def breaks(words: str, command: str) -> tuple[str, ...]:
    return broken(read(Sentence.parse(plain(words))), command, Context(), TABLE)


@pytest.mark.parametrize(
    ("words", "kept", "dropped"),
    [
        ("delete evicted pods", "kubectl delete pods --field-selector=status.phase=Failed", "kubectl delete pods"),
        ("delete empty files in build", "find build -type f -empty -delete", "find build -type f -delete"),
        ("delete files in dumps older than 30 days", "find dumps -type f -mtime +30 -delete",
         "find dumps -type f -size +30 -delete"),
        ("remove the merged branches", "git branch --merged main | xargs git branch -d",
         "git branch | xargs git branch -D"),
    ],
)  # fmt: skip
def test_a_deletion_keeps_its_condition(words: str, kept: str, dropped: str) -> None:
    assert "dropped" not in breaks(words, kept)
    assert "dropped" in breaks(words, dropped)


@pytest.mark.parametrize(
    ("words", "command"),
    [
        ("kill -9 pid 4711", "kill -9 4711"),
        ("delete key user:1 in redis", "redis-cli del user:1"),
        ("remove stopped containers", "docker container prune"),
        ("drop unused volumes", "docker volume prune"),
        ("delete the folder build please", "rm -r build"),
        ("delete pod web-0 in namespace shop", "kubectl delete pod web-0 -n shop"),
    ],
)
def test_words_that_are_no_condition_hold_nothing_back(words: str, command: str) -> None:
    assert "dropped" not in breaks(words, command)


def test_only_what_destroys_is_held_to_it() -> None:
    assert "dropped" not in breaks("list evicted pods", "kubectl get pods")


@pytest.mark.parametrize(
    "command",
    [
        "sort names > names",
        "grep -v old hosts | sort > ./hosts",
        "cat a b >> b",
        "tr a b < f > f",
        "ffmpeg -ss 30 -i clip.mp4 -c copy clip.mp4",
        "cp a.txt ./a.txt",
        "qpdf in.pdf --rotate=90 in.pdf",
    ],
)
def test_what_is_still_to_be_read_is_not_written_over(command: str) -> None:
    assert overwrites(command)
    assert "overwritten" in breaks("some words", command)


@pytest.mark.parametrize(
    "command",
    [
        "sort names > sorted",
        "sort -o names names",
        "sort names > new && mv new names",
        "echo notes > notes",
        "sed -i s/a/b/ f",
        "convert a.png -rotate 90 a.png",
        "cp a.txt b.txt",
        "ffmpeg -i a.mov a.mp4",
        "cat a > b; cat b > a",
        "grep x a 2> /dev/null",
    ],
)
def test_what_reads_one_file_and_writes_another_may(command: str) -> None:
    assert not overwrites(command)
