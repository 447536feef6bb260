"""Hundreds of failures with the output that real tools gave: the explainer keeps to what was wanted, as a whole.

`tests/data/failures.jsonl` was written by running each command in a sandbox after its `setup` and
keeping what it printed; the outputs of tools that are not at hand are as their documentation has them.
`fixes` holds what a colleague would accept (a regular expression between slashes), `facts` what an
explanation must name. A single item may change its answer; the shares may not fall, and what is no slip
must not be offered a fix."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from terma.offline.explain import Explanation, Failure, explain

DATA = Path(__file__).parents[2] / "data" / "failures.jsonl"
GIT = (
    "git init -q -b main .; git config user.name u; git config user.email u@e; echo a>a.txt; git add .;"
    " git commit -qm one; "
)
# The programs of the machine on which the failures happened, as far as a fix needs them to be there.
HERE = (
    "ls cat cp mv rm mkdir rmdir touch ln grep sed awk find sort uniq wc head tail tee cut tr git"
    " make gcc g++ cmake python3 node npm java javac cargo rustc docker ssh scp curl rsync tar zip"
    " unzip gzip gunzip xz jq less tmux perl sqlite3 psql systemctl apt apt-get apt-cache dpkg ip ss"
    " bash zsh sh env sudo clear chmod chown man hexdump diff patch kill ps df du date stat nc"
    " openssl set seq msggrep keytool popd reset tset nice timeout xargs xdg-open which vim vi gem ruby"
    " ssh-keygen ssh-copy-id brew yarn pip pip3 cpan go mvn gradle kubectl pgrep"
).split()


def _items() -> list[dict[str, Any]]:
    return [json.loads(line) for line in DATA.read_text(encoding="utf-8").splitlines()]


def _words(command: str) -> tuple[str, ...]:
    try:
        split = shlex.shlex(command.strip(), posix=True, punctuation_chars="|&;<>")
        split.whitespace_split, split.commenters = True, ""
        return tuple(word.removeprefix("./") if i else word for i, word in enumerate(split))
    except ValueError:
        return tuple(command.split())


def _meets(fix: str, wanted: list[str]) -> bool:
    return any(
        bool(re.fullmatch(want[1:-1], fix))
        if re.fullmatch(r"/.*[^\w./-].*/", want)
        else _words(fix) == _words(want)
        for want in wanted
    )


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[dict[str, Any], Explanation, str]]:
    base = tmp_path_factory.mktemp("failures")
    programs = base / "bin"
    programs.mkdir()
    for name in HERE:
        (programs / name).touch(mode=0o755)
    env = {
        "PATH": os.environ["PATH"],
        "HOME": str(base),
        "GIT_CONFIG_SYSTEM": "/dev/null",
        "GIT_CEILING_DIRECTORIES": str(base),
    }

    @cache
    def place(setup: str) -> str:
        """A folder in which `setup` was done; nothing changes it afterwards."""
        folder = base / f"s{abs(hash(setup))}" / "proj"
        folder.mkdir(parents=True)
        script = setup.replace("@git; ", GIT)
        subprocess.run(
            ["bash", "-c", script], cwd=folder, env=env, capture_output=True, timeout=60, check=False
        )
        return str(folder)

    def explained(item: dict[str, Any]) -> Explanation:
        cwd = place(item.get("setup", ""))
        return explain(
            Failure(
                item["command"],
                item["status"],
                item.get("output", ""),
                cwd,
                item.get("shell", "bash"),
                str(programs),
            )
        )

    return [(item, explained(item), place(item.get("setup", ""))) for item in _items()]


def test_fixes_meet_what_was_wanted(asked: list[tuple[dict[str, Any], Explanation, str]]) -> None:
    seen: Counter[bool] = Counter()
    missed = []
    for item, found, cwd in asked:
        if item.get("fixes") and not item.get("optional"):
            fix = found.fixes[0].command.replace(cwd + "/", "") if found.fixes else ""
            seen[_meets(fix, item["fixes"])] += 1
            missed += [] if _meets(fix, item["fixes"]) else [(item["command"], fix, found.rule)]
    assert seen.total() >= 200
    assert seen[True] / seen.total() >= 0.92, missed  # what a rule's record makes a guess counts as missed


def test_what_is_no_slip_is_offered_no_fix(asked: list[tuple[dict[str, Any], Explanation, str]]) -> None:
    none = [(item, found) for item, found, _ in asked if not item.get("fixes")]
    unwanted = [(item["command"], found.fixes[0].command) for item, found in none if found.fixes]
    assert len(none) >= 200
    assert len(unwanted) / len(none) <= 0.03, unwanted


def test_explanations_name_the_facts(asked: list[tuple[dict[str, Any], Explanation, str]]) -> None:
    facts = [(item, found.text, fact) for item, found, _ in asked for fact in item.get("facts", ())]
    missing = [
        (item["command"], fact, text)
        for item, text, fact in facts
        if not re.search(fact, text, re.IGNORECASE)
    ]
    assert len(missing) / len(facts) <= 0.04, missing


def test_a_fix_is_one_line_and_never_the_same_command(
    asked: list[tuple[dict[str, Any], Explanation, str]],
) -> None:
    for item, found, _ in asked:
        for fix in found.fixes:
            assert "\n" not in fix.command or "\n" in item["command"]
            assert fix.command != item["command"].strip()
