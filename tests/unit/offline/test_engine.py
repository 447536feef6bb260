"""The engine as a whole: what it answers, what it refuses, and that nothing makes it fail."""

from __future__ import annotations

import os
import tomllib
from pathlib import Path

import pytest

from terma.offline import Engine
from terma.offline.compiler import KnowledgeError, compile_index, sources
from terma.types import Candidate, Query

DATA = tomllib.loads((Path(__file__).parents[2] / "data" / "sentences.toml").read_text(encoding="utf-8"))
ANSWERED = 0.93  # of our own sentences, first candidate; a change that loses more must be looked at
REFUSED = 0.88


@pytest.fixture(autouse=True)
def mistakes_are_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERMA_DEBUG", "1")


def ask(engine: Engine, words: str, **more: object) -> list[Candidate]:
    return engine.answer(Query(words=words, cwd="/nonexistent", **more))  # type: ignore[arg-type]


def test_our_own_sentences_are_answered_first(engine: Engine) -> None:
    missed = []
    for entry in DATA["answer"]:
        found = ask(engine, entry["say"])
        wanted = [" ".join(run.split()) for run in entry["run"]]
        if not found or " ".join(found[0].command.split()) not in wanted:
            missed.append((entry["say"], found[0].command if found else ""))
    assert len(missed) <= (1 - ANSWERED) * len(DATA["answer"]), missed


def test_nonsense_and_conditions_that_no_command_has_are_refused(engine: Engine) -> None:
    said = [(words, found[0].command) for words in DATA["refuse"]["say"] if (found := ask(engine, words))]
    assert len(said) <= (1 - REFUSED) * len(DATA["refuse"]["say"]), said


@pytest.mark.parametrize(
    "words",
    [
        "",
        " ",
        "\x00",
        "\x1b[31mls",
        "'" * 500,
        "a" * 20_000,
        "find " * 4_000,
        "delete " + "x.txt " * 900,
        "🙂",
        "{file}",
        "\ue0003",
    ],
)
def test_any_text_gets_an_answer_or_none(engine: Engine, words: str) -> None:
    assert isinstance(ask(engine, words), list)


def test_a_question_is_never_answered_with_a_deletion(engine: Engine) -> None:
    for words in ("which files here are empty", "list old logs in /var/log", "what is in notes.txt"):
        assert not [
            c.command
            for c in ask(engine, words)
            if c.command.startswith(("rm ", "rmdir ")) or "-delete" in c.command
        ]


def test_an_argument_is_never_ignored(engine: Engine) -> None:
    for candidate in ask(engine, "delete the files in /srv/x that are older than 25 days"):
        assert "25" in candidate.command


def test_what_nothing_fills_is_a_placeholder_where_it_says(engine: Engine) -> None:
    assert not [c for c in ask(engine, "rename notes.txt") if c.placeholders], "never inserted"
    near = engine.explain(Query(words="rename notes.txt", cwd="/nonexistent"))
    found = [ranked.candidate for ranked in near if ranked.candidate.placeholders]
    assert found
    for place in found[0].placeholders:
        assert found[0].command[place.start : place.end] == "{" + place.name + "}"


def test_a_typo_in_a_word_is_forgiven(engine: Engine) -> None:
    assert ask(engine, "serch for timeout in nginx.conf")[0].command == "grep timeout nginx.conf"


def test_a_program_that_is_not_installed_is_said_and_ranks_lower(engine: Engine, tmp_path: Path) -> None:
    (tmp_path / "cp").touch(mode=0o755)
    query = Query(words="copy the folder a/ to b/", cwd="/nonexistent", path=str(tmp_path))
    noted = {r.candidate.command.split()[0]: r.candidate.note for r in engine.explain(query)}
    assert noted["cp"] == ""
    assert noted["rsync"] == "rsync is not installed"


def test_of_what_is_sure_enough_that_comes_first_which_can_be_run_here(
    engine: Engine, tmp_path: Path
) -> None:
    programs = []
    for name in ("lsof", "ss"):
        folder = tmp_path / name
        folder.mkdir()
        (folder / name).touch(mode=0o755)
        found = ask(engine, "which process listens on port 8080", path=str(folder))
        programs.append(found[0].command.split()[0])
    assert programs == ["lsof", "ss"]


@pytest.mark.parametrize("user", [0, 1000])
def test_root_needs_no_sudo_where_there_is_none(
    engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, user: int
) -> None:
    (tmp_path / "systemctl").touch(mode=0o755)
    monkeypatch.setattr(os, "geteuid", lambda: user)
    found = engine.explain(Query(words="restart nginx", path=str(tmp_path)))[0].candidate
    if user == 0:
        assert (found.command, found.note) == ("systemctl restart nginx", "")
    else:
        assert (found.command, found.note) == ("sudo systemctl restart nginx", "sudo is not installed")


def test_a_name_that_exists_is_taken_for_a_file(engine: Engine, tmp_path: Path) -> None:
    (tmp_path / "ledger").touch()
    found = engine.answer(Query(words="how many lines in ledger", cwd=str(tmp_path)))
    assert found[0].command in ("wc -l ledger", "wc -l < ledger")


def test_macos_gets_its_own_variant(engine: Engine) -> None:
    words = "replace cat with dog in pets.txt in place"
    assert ask(engine, words, os="darwin")[0].command == "sed -i '' 's/cat/dog/g' pets.txt"
    assert ask(engine, words, os="linux")[0].command == "sed -i 's/cat/dog/g' pets.txt"


def test_a_past_command_that_the_sentence_names_comes_first(engine: Engine) -> None:
    history = ("ls", "./deploy.sh staging --fast", "docker compose up -d --build")
    assert ask(engine, "run deploy staging again", history=history)[0].command == "./deploy.sh staging --fast"
    assert ask(engine, "docker compose up", history=history)[0].source == "history"


@pytest.mark.parametrize(
    "command",
    [
        "curl -H 'Authorization: Bearer abcdef' https://x.example/api",
        "export API_TOKEN=abc123",
        "mysql -u root -phunter2 shop",
        "git clone https://bob:s3cret@example.org/x.git",
    ],
)
def test_a_past_command_with_a_secret_is_never_offered(engine: Engine, command: str) -> None:
    words = " ".join(part for part in command.split()[:2] if part.isalpha()) + " again"
    assert command not in [c.command for c in ask(engine, words, history=(command,))]


def test_candidates_are_distinct_and_in_order(engine: Engine) -> None:
    found = ask(engine, "show the size of the folder build")
    assert len({c.command for c in found}) == len(found)
    assert [c.score for c in found] == sorted((c.score for c in found), reverse=True)


def test_a_long_sentence_is_dropped(engine: Engine) -> None:
    assert ask(engine, "please " + "copy a.txt to b.txt and " * 2_000) == []


def test_a_mistake_in_a_knowledge_file_is_named(tmp_path: Path) -> None:
    bad = tmp_path / "bad.toml"
    bad.write_text('[[entry]]\nid = "x"\nsay = ["do {thing:nosuch}"]\nrun = "do {thing}"\n')
    with pytest.raises(KnowledgeError, match=r"bad\.toml \[x\].*nosuch"):
        compile_index([bad])
    bad.write_text('[[entry]]\nid = "x"\nsay = ["do it"]\nrun = "do"\nwords = { loud = ["loudly"] }\n')
    with pytest.raises(KnowledgeError, match="loud"):
        compile_index([bad])


def test_all_knowledge_compiles_and_covers_many_tools() -> None:
    data = compile_index(sources())
    assert len(data["entries"]) >= 400
    assert len({entry[1] for entry in data["entries"]}) >= 90


@pytest.mark.parametrize("words", ["list", "show", "delete", "find", "remove it", "please count"])
def test_an_order_without_an_object_is_not_guessed(engine: Engine, words: str) -> None:
    assert ask(engine, words) == []


def test_the_engine_follows_the_system_of_the_question(engine: Engine) -> None:
    words = "find broken symlinks in /opt"
    commands = {
        os: engine.answer(Query(words=words, os=os, cwd="/nonexistent"))[0].command
        for os in ("linux", "macos", "bsd")
    }
    assert "-xtype" not in commands["macos"] + commands["bsd"]
    assert commands["linux"] != commands["macos"]
