"""CONTRIBUTING.md: each extension works with the files that the page shows, and with no other."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.pages import ROOT
from tests.surroundings import with_knowledge

PAGE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| (an? [\w ]+) \| (\d+) \| (.+) \|$", PAGE, re.MULTILINE)
SECTIONS = dict(re.findall(r"^## (An? .+?)\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL))
FILE = re.compile(r"^```\w+ (\S+/\S+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
STEPS = re.compile(r"^```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def copied(place: Path) -> None:
    """The tree as links, compiled files too: what is written into it touches nothing of ours."""
    for name in ("terma", "shell_hooks", "zsh", "bash"):
        for folder, inner, files in os.walk(ROOT / name):
            here = place / Path(folder).relative_to(ROOT)
            here.mkdir()
            for file in files:
                (here / file).symlink_to(Path(folder, file))
            if "__pycache__" in inner:
                inner.remove("__pycache__")
                (here / "__pycache__").symlink_to(Path(folder, "__pycache__"))


def changed(place: Path) -> set[str]:
    """The files of the copy that are none of ours any more."""
    files = (file for file in place.rglob("*") if file.is_file() and not file.is_symlink())
    return {str(file.relative_to(place)) for file in files if "__pycache__" not in file.parts}


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> dict[str, set[str]]:
    """By section, the product's files that it touches; the tests of all are written and have passed."""
    place = tmp_path_factory.mktemp("tree")
    copied(place)
    touched: dict[str, set[str]] = {}
    for name, text in SECTIONS.items():
        before = changed(place)
        for path, content in FILE.findall(text):
            file = place / path
            file.parent.mkdir(exist_ok=True)
            assert not file.exists(), f"{name}: {path} is one of ours"
            file.write_text(content)
        for steps in STEPS.findall(text):
            subprocess.run(["sh", "-e", "-c", steps], cwd=place, check=True)
        touched[name] = {file for file in changed(place) - before if not file.startswith("tests/")}
    environment = {
        "PATH": "/usr/bin:/bin",
        "HOME": str(place),
        # of its own: with what a section adds, it would be other knowledge for every agent of the other tests
        "XDG_CACHE_HOME": str(with_knowledge(place / ".cache")),
        "PYTHONPATH": str(place),
    }
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "--durations=8",
        "-p",
        "no:cacheprovider",
        "-p",
        "no:xdist",
        "tests",
    ]
    said = subprocess.run(command, cwd=place, env=environment, capture_output=True, text=True, check=False)
    assert said.returncode == 0, said.stdout + said.stderr
    return touched


def test_the_tree_itself_is_as_it_was(tree: dict[str, set[str]]) -> None:
    assert tree
    files = {file for touched in tree.values() for file in touched}
    ours = [ROOT / file for file in files if (ROOT / file).exists()]
    assert len(ours) == 2
    assert not [file for file in ours if "TYPESCRIPT" in file.read_text()]


@pytest.mark.parametrize(("what", "count", "where"), ROWS, ids=[row[0] for row in ROWS])
def test_it_touches_as_many_files_as_the_table_says(
    tree: dict[str, set[str]], what: str, count: str, where: str
) -> None:
    files = tree[what[0].upper() + what[1:]]
    assert len(files) == int(count), files
    folders = re.findall(r"`([^`]+)`", where)
    assert all(any(file.startswith(folder) for folder in folders) for file in files)


def test_every_section_has_a_row_and_a_test() -> None:
    assert {what[0].upper() + what[1:] for what, _, _ in ROWS} == set(SECTIONS)
    for name, text in SECTIONS.items():
        assert any(path.startswith("tests/") for path, _ in FILE.findall(text)), name


def test_the_bands_are_those_of_the_code() -> None:
    from terma.offline.explain import trust
    from terma.offline.explain.rule import Rank

    rows = re.findall(r"^\| `([A-Z_]+)` \| (\d+) \|", SECTIONS["A rule"], re.MULTILINE)
    assert {name: int(number) for name, number in rows} == {band.name: band.value for band in Rank}
    assert f"Below {trust.INSERTED} " in SECTIONS["A rule"]
    assert f"from\nthere it is likely, from {trust.SURE} sure" in SECTIONS["A rule"]


def test_the_slot_language_is_the_compilers() -> None:
    from terma.offline.compiler import _ENTRY_KEYS
    from terma.offline.template import FORMS

    text = SECTIONS["A knowledge entry"]
    assert all(f"`{key}`" in text or key == "about" for key in _ENTRY_KEYS)
    assert all(f":{form}}}`" in text for form in FORMS)
