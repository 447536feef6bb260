"""The folders that everybody has at home."""

from __future__ import annotations

from pathlib import Path

import pytest

from terma.offline.draft import Context
from terma.offline.engine import Engine
from terma.offline.of_home import at_home, ones_own
from terma.offline.sentence import Sentence
from terma.offline.trust.association import Association
from terma.types import Query

TABLE = Association.load()


@pytest.mark.parametrize(
    ("command", "meant"),
    [
        ("find Downloads -type f -mtime +90 -delete", "find ~/Downloads -type f -mtime +90 -delete"),
        ("mv -n Downloads/*.pdf Documents/pdf", "mv -n ~/Downloads/*.pdf ~/Documents/pdf"),
        ("du -sh Music/* | sort -rh", "du -sh ~/Music/* | sort -rh"),
        ("cd Pictures && ls", "cd ~/Pictures && ls"),
        ("grep -rn TODO Documents", "grep -rn TODO ~/Documents"),
        ("ls -t 'Videos/My Trip'", "ls -t 'Videos/My Trip'"),  # quoted, a tilde would be none
        ("mkdir Music", "mkdir Music"),
        ("rm -r Downloads", "rm -r Downloads"),  # one at home does not go because none is here
        ("rm Downloads/*.tmp", "rm ~/Downloads/*.tmp"),
        ("mv Music Songs", "mv Music Songs"),
        ("find . -name Music", "find . -name Music"),
        ("grep -i Music notes.txt", "grep -i Music notes.txt"),
        ("tar -xf a.tar Documents/b.odt", "tar -xf a.tar Documents/b.odt"),  # what is in it
        ("tar -czf a.tar.gz Documents", "tar -czf a.tar.gz ~/Documents"),
        ("git switch Documents", "git switch Documents"),
        ("apt install Music", "apt install Music"),
        ("ls /srv/Downloads ./Music ~/Videos", "ls /srv/Downloads ./Music ~/Videos"),
        ("ls downloads", "ls downloads"),  # no such folder at home
    ],
)
def test_it_is_where_the_folder_is(command: str, meant: str, tmp_path: Path, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setenv("HOME", str(tmp_path))
    assert at_home(command, Context(), TABLE) == meant


def test_one_that_is_here_is_meant_here_and_small_letters_name_one_that_is_at_home(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home, here = tmp_path / "home", tmp_path / "here"
    (home / "Downloads").mkdir(parents=True)
    (here / "Documents").mkdir(parents=True)
    monkeypatch.setenv("HOME", str(home))
    assert at_home("ls Documents", Context(cwd=str(here)), TABLE) == "ls Documents"
    assert at_home("ls downloads", Context(cwd=str(here)), TABLE) == "ls ~/Downloads"


def test_ones_own_are_at_home_in_small_letters_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    own = ones_own(Sentence.parse("copy my pictures to /mnt/usb and list music"))
    assert own == {"pictures"}
    assert at_home("cp -r pictures /mnt/usb/", Context(), TABLE, own) == "cp -r ~/Pictures /mnt/usb/"
    assert at_home("cd ~/pictures", Context(), TABLE, own) == "cd ~/Pictures"
    assert at_home("ls music", Context(), TABLE, own) == "ls music"
    (tmp_path / "pictures").mkdir()
    assert at_home("cd ~/pictures", Context(), TABLE, own) == "cd ~/pictures"


def test_a_sentence_that_names_one_is_answered_with_it(tmp_path: Path) -> None:
    query = Query(words="delete files in Downloads that are older than 90 days", cwd=str(tmp_path), path="")
    assert "find ~/Downloads " in Engine.load().answer(query)[0].command
