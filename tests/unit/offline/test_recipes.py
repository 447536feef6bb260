"""A person's own recipes: their words bring their command, from files that nobody else may write."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from terma.errors import UsageError
from terma.offline import recipe_file, recipes
from terma.offline.engine import Engine
from terma.offline.recipes import Recipes
from terma.suggest.hybrid import SURE
from terma.types import Candidate, Query

DEPLOY = "make -C ~/shop deploy ENV=prod"


@pytest.fixture(autouse=True)
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    return tmp_path / "terma" / "recipes"


@pytest.fixture
def beside(engine: Engine) -> Recipes:
    made = Recipes()
    made.beside(engine)
    return made


def answers(beside: Recipes, engine: Engine, words: str) -> list[Candidate]:
    query = Query(words=words, os="linux", cwd="/", path=os.environ.get("PATH", os.defpath))
    return beside.beside(engine).answer(query)


def test_the_words_bring_the_command_without_a_restart(beside, engine):
    assert not answers(beside, engine, "deploy the shop")
    assert recipe_file.add("deploy the shop", DEPLOY) == "added.deploy-the-shop"
    for words in ("deploy the shop", "please deploy the shop", "how do i deploy the shop"):
        assert answers(beside, engine, words)[0].command == DEPLOY
    recipe_file.remove("added.deploy-the-shop")
    assert not answers(beside, engine, "deploy the shop")


@pytest.mark.parametrize(
    ("said", "command", "words"),
    [
        ("ship it", "make ship", "ship it"),
        ("look at {file}", "less +G {file}", "look at notes.md"),
        ("wipe the cache", "rm -r .cache/shop", "please wipe the cache"),
    ],
)
def test_ones_own_words_are_certain_enough_to_come_before_any_model(
    beside: Recipes, engine: Engine, said: str, command: str, words: str
) -> None:
    recipe_file.add(said, command)
    first = answers(beside, engine, words)[0]
    assert first.command == command.replace("{file}", "notes.md")
    assert first.score >= SURE


def test_one_word_is_enough_of_ones_own(beside, engine):
    recipe_file.add("morning", "git pull && make")
    assert answers(beside, engine, "morning")[0].command == "git pull && make"


def test_values_are_filled_and_quoted(beside, engine):
    recipe_file.add("frobnicate {file} twice", "frob --times 2 {file}")
    assert answers(beside, engine, "frobnicate a.txt twice")[0].command == "frob --times 2 a.txt"


def test_braces_that_are_no_places_stay(beside, engine):
    command = "awk '{print $1}' stars | sort | uniq -c"
    recipe_file.add("count my stars", command)
    assert answers(beside, engine, "count my stars")[0].command == command


def test_other_sentences_are_answered_as_before(beside, engine):
    before = answers(beside, engine, "show disk space")
    recipe_file.add("deploy the shop", DEPLOY)
    assert answers(beside, engine, "show disk space") == before


def test_a_second_entry_of_the_same_words_has_a_name_of_its_own(beside):
    names = [recipe_file.add("deploy the shop", command) for command in ("make one", "make two")]
    assert names == ["added.deploy-the-shop", "added.deploy-the-shop-2"]
    recipe_file.remove(names[0])
    assert [row[2] for row in recipes.read().rows] == ["make two"]


def test_the_same_once_more_is_the_same():
    assert recipe_file.add("deploy the shop", DEPLOY) == recipe_file.add("deploy  the shop", DEPLOY)
    assert len(recipes.read().rows) == 1


def test_the_file_is_private_and_keeps_what_a_person_wrote_into_it(own):
    recipe_file.add("one", "ls")
    file = own / "added.toml"
    file.write_text("# mine\n" + file.read_text())
    recipe_file.add("two", "pwd")
    recipe_file.remove("one")
    assert file.read_text().startswith("# mine\n")
    assert [row[2] for row in recipes.read().rows] == ["pwd"]
    assert file.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    ("words", "command", "why"),
    [
        ("", "ls", "needs words"),
        ("list", "ls\nrm x", "one line"),
        ("list", "ls \x1b[2J", "one line"),
        ("log in", "curl -H 'Authorization: Bearer " + "ghp_" + "a1B2" * 9 + "' example.org", "secret"),
        ("to {planet:sort}", "ssh {planet}", "unknown type"),
    ],
)
def test_what_cannot_be_one_is_not_written(own, words, command, why):
    with pytest.raises(UsageError, match=why):
        recipe_file.add(words, command)
    assert not own.exists()


def test_a_file_that_others_may_write_is_left_out_and_named(own, beside, engine):
    recipe_file.add("deploy the shop", DEPLOY)
    (own / "added.toml").chmod(0o646)
    assert not answers(beside, engine, "deploy the shop")
    (line,) = recipes.read().errors
    assert line.endswith("added.toml: chmod go-w it")


@pytest.mark.parametrize(
    "text", ["[[entry]]\nid = 3\nsay = 4\n", "[[entry]\n", "entry = 3\n", '[[entry]]\nid = "x"\n']
)
def test_a_damaged_file_costs_itself_alone(own, beside, engine, text):
    recipe_file.add("deploy the shop", DEPLOY)
    (own / "bad.toml").write_text(text)
    assert answers(beside, engine, "deploy the shop")[0].command == DEPLOY
    assert recipes.read().errors


def test_the_example_of_the_documentation_is_one(own, beside, engine):
    page = (Path(__file__).parents[3] / "docs" / "recipes.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"```toml\n(.*?)```", page, re.DOTALL)
    own.mkdir(parents=True)
    (own / "shop.toml").write_text(example)
    assert not recipes.read().errors
    assert answers(beside, engine, "logs of the shop")[0].command == "journalctl -u shop"
    assert answers(beside, engine, "last 20 lines of the shop's log")[0].command == "journalctl -u shop -n 20"


@pytest.mark.parametrize(
    ("said", "command", "words", "wanted"),
    [
        ("greet {name}", "echo hello {name}", "greet Alice", "echo hello Alice"),
        ("backup {dir} to {file}", "tar -czf {file} {dir}", "backup 'my dir' to a.tgz", "tar -czf a.tgz 'my dir'"),
        ("release version {number}", "git tag v{number}", "release version 1.2.3", "git tag v1.2.3"),
        ("follow the {service} on {host}", "ssh {host} journalctl -fu {service}", "follow nginx on web1.example.com",
         "ssh web1.example.com journalctl -fu nginx"),
        ("wie geht es {name}", "finger {name}", "wie geht es anna", "finger anna"),
    ],
)  # fmt: skip
def test_whatever_stands_at_the_places_of_ones_own_words_is_taken(
    beside: Recipes, engine: Engine, said: str, command: str, words: str, wanted: str
) -> None:
    recipe_file.add(said, command)
    first = answers(beside, engine, words)[0]
    assert (first.command, first.score >= SURE) == (wanted, True)


@pytest.mark.parametrize(
    "words", ["greet", "do not greet bob", "greet bob and alice", "release version two of it"]
)
def test_other_words_than_ones_own_are_not_taken_for_them(
    beside: Recipes, engine: Engine, words: str
) -> None:
    recipe_file.add("greet {name}", "echo hello {name}")
    recipe_file.add("release version {number}", "git tag v{number}")
    assert not [one for one in answers(beside, engine, words) if one.score >= SURE]


def test_a_command_that_is_left_open_is_no_recipe() -> None:
    with pytest.raises(UsageError, match="wait for the rest"):
        recipe_file.add("say it", 'echo "left open')
