"""A fix is as sure as its rule and its kind were measured to be; a guess is said, and not inserted."""

from __future__ import annotations

from pathlib import Path
from unittest.mock import patch

import pytest

from terma.offline.explain import Failure, explain, trust
from terma.offline.explain.case import Case
from training.why import counted


@pytest.mark.parametrize(
    ("command", "output", "fix", "kind"),
    [
        ("git push", "    git push --set-upstream origin main\n", "git push --set-upstream origin main", "advised"),
        ("git stauts", "The most similar command is\n\tstatus", "git status", "proposed"),
        ("cat nots.txt", "cat: nots.txt: No such file or directory", "cat notes.txt", "found"),
        ("python3 a.py", "SyntaxError: expected ':'", "sed -i '1s/$/:/' a.py && python3 a.py", "edit"),
        ("touch a/b", "touch: cannot create", "mkdir -p a && touch a/b", "step"),
        ("grpe a notes.txt", "bash: grpe: command not found", "grep a notes.txt", "found"),
        ("zz-top", "bash: zz-top: command not found", "sudo apt install zz-top", "known"),
        ("ls --sise", "ls: unrecognized option '--sise'", "ls --size", "known"),
    ],
)  # fmt: skip
def test_the_kind_of_a_fix(command: str, output: str, fix: str, kind: str, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").touch()
    assert trust.kind_of(Case(Failure(command, 1, output, str(tmp_path))), fix) == kind


def test_a_rule_is_worth_what_was_seen_of_it_and_its_kind_before_that() -> None:
    counts = {
        "all": (8, 10),
        "kind found": (9, 9),
        "kind known": (3, 6),
        "rule bad, found": (0, 6),
        "rule once, found": (0, 1),
        "rule good, known": (90, 90),
    }
    assert trust.estimate({}, "new", "known") == 0.5
    assert trust.estimate(counts, "new", "found") > trust.estimate(counts, "new", "known")
    assert trust.band(trust.estimate(counts, "bad", "found")) == "guess"
    assert trust.band(trust.estimate(counts, "good", "known")) == "sure"
    assert trust.band(trust.estimate(counts, "once", "found")) == "likely", "one case decides nothing"


def test_what_a_rule_knows_of_one_kind_says_nothing_of_another() -> None:
    counts = {"all": (80, 100), "kind found": (40, 50), "kind known": (40, 50), "rule no, found": (40, 40)}
    assert trust.band(trust.estimate(counts, "no", "found")) == "sure"
    assert trust.estimate(counts, "no", "known") == trust.estimate(counts, "other", "known")


def test_a_wrong_offer_that_was_mended_counts_for_its_kind_and_not_for_its_rule() -> None:
    cases = [
        {"first": ["a", "found", True]},
        {"first": ["a", "found", False], "mended": True},
        {"first": ["b", "known", False]},
    ]
    assert counted(cases) == {
        "all": (1, 3), "kind found": (1, 2), "kind known": (0, 1), "rule a, found": (1, 1), "rule b, known": (0, 1),
    }  # fmt: skip


def test_a_guess_is_told_and_not_inserted(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").touch()
    failed = Failure("cat nots.txt", 1, "cat: nots.txt: No such file or directory", str(tmp_path))
    rule = explain(failed).rule
    assert [fix.command for fix in explain(failed).fixes] == ["cat notes.txt"]
    with patch.object(trust, "_measured", lambda: {"all": (9, 9), f"rule {rule}, found": (0, 9)}):
        found = explain(failed)
    assert not found.fixes and "`cat notes.txt`" in found.text


@pytest.mark.parametrize("seen", [True, False])
def test_what_people_mistype_all_day_is_sure(seen: bool, tmp_path: Path) -> None:
    """With its output and, where the shell shows none, without it."""
    (tmp_path / "Downloads").mkdir()
    sought = (
        ("gti status", 127, "bash: gti: command not found", "git status"),
        ("git psuh", 1, "git: 'psuh' is not a git command.\n\nThe most similar command is\n\tpush", "git push"),
        ("cd Dwonloads", 1, "bash: cd: Dwonloads: No such file or directory", "cd Downloads"),
    )  # fmt: skip
    for command, status, output, fix in sought:
        found = explain(
            Failure(command, status, output if seen else "", str(tmp_path), path="/usr/bin:/bin")
        ).fixes
        assert [one.command for one in found][:1] == [fix]
        assert trust.band(found[0].confidence) == "sure"
