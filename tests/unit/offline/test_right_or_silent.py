"""Right or silent: an ordinary word is no value, another language is recognised, what is near is no answer."""

from __future__ import annotations

from pathlib import Path

import pytest

from terma.offline.draft import Context
from terma.offline.engine import Engine
from terma.offline.language import foreign
from terma.offline.sentence import Sentence
from terma.offline.trust.association import Association
from terma.offline.trust.command import effect
from terma.offline.trust.facts import read
from terma.offline.trust.ordinary import misread
from terma.offline.trust.verify import broken
from terma.types import Query
from training.thresholds import needed

TABLE = Association.load()


@pytest.fixture(scope="module")
def engine() -> Engine:
    return Engine.load()


@pytest.mark.parametrize(
    ("words", "command"),
    [
        ("how much room does this directory take", "du -sh take/*"),
        ("how many files does that folder have", "ls have | wc -l"),
        ("find large files", "find . -name large"),
        ("show what is using memory", "pgrep using"),
        ("stop whatever is running", "docker stop running"),
    ],
)
def test_a_verb_or_adjective_of_the_sentence_is_no_value(engine: Engine, words: str, command: str) -> None:
    assert misread(read(Sentence.parse(words)), command, Context(), engine.table)


@pytest.mark.parametrize(
    ("words", "command"),
    [
        ("remove the folder called take", "rm -r take"),
        ("how big is the folder large", "du -sh large"),
        ("lines containing running in app.log", "grep running app.log"),
        ('delete "take"', "rm take"),
        ("how big is Source", "du -sh Source"),
        ("bring eth0 up", "sudo ip link set eth0 up"),
    ],
)
def test_what_is_introduced_or_the_programs_own_is_a_value(engine: Engine, words: str, command: str) -> None:
    assert not misread(read(Sentence.parse(words)), command, Context(), engine.table)


def test_a_thing_of_that_name_makes_the_word_a_name(engine: Engine, tmp_path) -> None:  # type: ignore[no-untyped-def]
    facts = read(Sentence.parse("how big is take"))
    assert misread(facts, "du -sh take", Context(cwd=str(tmp_path)), engine.table)
    (tmp_path / "take").mkdir()
    assert not misread(facts, "du -sh take", Context(cwd=str(tmp_path)), engine.table)


@pytest.mark.parametrize(
    ("words", "language"),
    [
        ("zeig mir die größten Ordner", "German"),
        ("supprime les fichiers vides", "French"),
        ("muestra los archivos de esta carpeta", "Spanish"),
        ("mostra as linhas do arquivo app.log", "Portuguese"),
        ("显示当前目录", "Chinese"),
        ("ファイルを表示して", "Japanese"),
        ("покажи файлы", "Russian"),
        ("파일 목록을 보여줘", "Korean"),
    ],
)
def test_another_language_is_recognised(words: str, language: str) -> None:
    assert foreign(words) == language


@pytest.mark.parametrize("words", ["покажи файлы", "파일 목록을 보여줘"])
def test_a_language_without_a_lexicon_is_not_answered(engine: Engine, words: str) -> None:
    assert engine.answer(Query(words=words)) == [] == engine.near(Query(words=words))


@pytest.mark.parametrize(
    "words",
    [
        "list files",
        "du",
        "grep '删除所有文件' in notes.txt",
        "delete die.txt",
        "remove no.log",
        "cd données",
        "la",
    ],
)
def test_english_with_foreign_names_stays_english(words: str) -> None:
    assert foreign(words) == ""


def test_what_is_near_has_passed_the_verifier_and_is_not_inserted(engine: Engine) -> None:
    for words in (
        "how much room does this directory take",
        "stop whatever is running",
        "make room on the disk",
    ):
        query = Query(words=words)
        inserted = {one.command for one in engine.answer(query)}
        for one in engine.near(query):
            assert not one.broken
            assert one.candidate.command not in inserted


def test_nine_in_ten_of_what_is_inserted_must_have_been_right() -> None:
    sure = [(0.9, True, "ls")] * 45 + [(0.8, n % 2 == 0, "ls") for n in range(10)] + [(0.4, False, "ls")] * 50
    found = needed(sure)
    assert found["look"] == 0.8  # 50 of 55 are right, from 0.4 on no longer
    assert found["look"] <= found["change"] <= found["destroy"]


@pytest.mark.parametrize(
    ("words", "wrong", "right"),
    [
        (
            "make a link called current that points to /srv/app",
            "ln -s current /srv/app",
            "ln -s /srv/app current",
        ),
        ("create a symlink named latest pointing to /opt/v2", "ln -s latest /opt/v2", "ln -s /opt/v2 latest"),
        ("symlink ~/bin/ed -> /opt/ed/run", "ln -s ~/bin/ed /opt/ed/run", "ln -s /opt/ed/run ~/bin/ed"),
        ("symlink /opt/v2 as latest", "ls -t /opt/v2", "ln -s /opt/v2 latest"),
        ("make latest a link to /opt/v2", "ls -t > /opt/v2", "ln -sfn /opt/v2 latest"),
        ("create a hard link b.txt to a.txt", "ln b.txt a.txt", "ln a.txt b.txt"),
        ("symlink latest to build-9", "ln -s latest build-9", "ln -s build-9 latest"),
        (
            "link ~/bin/node to /opt/node/node",
            "ln -s ~/bin/node /opt/node/node",
            "ln -s /opt/node/node ~/bin/node",
        ),
    ],
)
def test_a_link_is_made_from_what_it_points_to(words: str, wrong: str, right: str) -> None:
    facts = read(Sentence.parse(words))
    assert broken(facts, wrong, Context(), TABLE)
    assert not broken(facts, right, Context(), TABLE)


@pytest.mark.parametrize(
    ("words", "wrong", "right"),
    [
        ("log out of reg.io", "docker login reg.io", "docker logout reg.io"),
        ("swap off for now", "sudo swapon -a", "sudo swapoff -a"),
    ],
)
def test_a_verb_and_its_particle_are_not_turned_round(words: str, wrong: str, right: str) -> None:
    facts = read(Sentence.parse(words))
    assert "particle" in broken(facts, wrong, Context(), TABLE)
    assert "particle" not in broken(facts, right, Context(), TABLE)


@pytest.mark.parametrize(
    ("words", "wrong", "right"),
    [
        ("make a.md read only", "chmod 600 a.md", "chmod 444 a.md"),
        ("make a.md read-only", "chmod u+w a.md", "chmod a-w a.md"),
        ("make a.md writable for all", "chmod 444 a.md", "chmod a+w a.md"),
        ("make a.sh executable", "chmod 644 a.sh", "chmod 755 a.sh"),
    ],
)
def test_a_mode_in_digits_says_what_was_said(words: str, wrong: str, right: str) -> None:
    facts = read(Sentence.parse(words))
    assert "left as" in broken(facts, wrong, Context(), TABLE)
    assert not {"left as", "granted"} & set(broken(facts, right, Context(), TABLE))


@pytest.mark.parametrize(
    ("words", "wrong", "right"),
    [
        ("take the stack down but keep the volumes", "docker compose down -v", "docker compose down"),
        (
            "drain node w3, local data must stay",
            "kubectl drain w3 --delete-emptydir-data",
            "kubectl drain w3",
        ),
        ("undo the commit but leave my edits", "git reset --hard HEAD~1", "git reset HEAD~1"),
        (
            "pack logs into logs.tar, keep logs",
            "tar --remove-files -cf logs.tar logs",
            "tar -cf logs.tar logs",
        ),
    ],
)
def test_what_is_to_be_kept_is_not_thrown_away(words: str, wrong: str, right: str) -> None:
    facts = read(Sentence.parse(words))
    assert "spared" in broken(facts, wrong, Context(), TABLE)
    assert "spared" not in broken(facts, right, Context(), TABLE)


@pytest.mark.parametrize(
    ("words", "command"),
    [
        ("mirror a to b, delete old ones but keep .known", "rsync -a --delete --exclude=.known a/ b/"),
        ("keep the 3 newest and delete the rest", "ls -t | tail -n +4 | xargs rm --"),
        ("stop the stack and delete the volumes", "docker compose down -v"),
        ("purge the logs and keep following", "journalctl --vacuum-size=1M"),
    ],
)
def test_what_was_asked_to_go_may_go(words: str, command: str) -> None:
    assert "spared" not in broken(read(Sentence.parse(words)), command, Context(), TABLE)


@pytest.mark.parametrize(
    ("words", "command", "stands"),
    [
        ("list the files to be deleted in /tmp", "find /tmp -type f -delete", False),
        ("show which images would be removed", "docker image prune -f", False),
        ("print the old logs to remove", "rm *.log", False),
        ("show a.txt, then delete it", "cat a.txt && rm a.txt", True),
        ("list old logs and remove them", "find . -name '*.log' -print -delete", True),
        ("delete the files that are listed in l.txt", "xargs rm < l.txt", True),
    ],
)
def test_who_asks_to_see_is_not_answered_by_destroying(words: str, command: str, stands: bool) -> None:
    found = broken(read(Sentence.parse(words)), command, Context(), TABLE)
    assert ("shown" not in found) == stands


@pytest.mark.parametrize("words", ["immutable flag on /etc/hosts?", "a hold on nginx?", "a quota on /home?"])
def test_what_asks_by_its_question_mark_alone_changes_nothing(engine: Engine, words: str) -> None:
    assert all(effect(one.command) == "look" for one in engine.answer(Query(words=words)))


@pytest.mark.parametrize(
    ("words", "wrong", "right"),
    [
        ("set the clock from the hardware clock", "hwclock --systohc", "hwclock --hctosys"),
        ("write the system time to the hardware clock", "hwclock --hctosys", "hwclock --systohc"),
        ("folders bigger than 1G", "find . -type d -size +1G", "du -h -t 1G"),
    ],
)
def test_neither_turned_round_nor_beside_the_point(words: str, wrong: str, right: str) -> None:
    facts = read(Sentence.parse(words))
    assert {"from to", "weighed"} & set(broken(facts, wrong, Context(), TABLE))
    assert not {"from to", "weighed"} & set(broken(facts, right, Context(), TABLE))


def test_a_link_does_not_take_the_name_of_what_is_there(tmp_path: Path) -> None:
    (tmp_path / "build-9").mkdir()
    (tmp_path / "notes.txt").touch()
    here = Context(cwd=str(tmp_path))

    def stands(words: str, command: str, context: Context = here) -> bool:
        return not broken(read(Sentence.parse(words)), command, context, TABLE)

    assert not stands("symlink /srv/gone as notes.txt", "ln -s /srv/gone notes.txt")
    assert stands("symlink notes.txt as today.txt", "ln -s notes.txt today.txt")
    # who says "from A to B" may mean either: what is there decides
    assert stands("make a symlink from build-9 to latest", "ln -s build-9 latest")
    assert not stands("make a symlink from latest to build-9", "ln -s latest build-9")
    assert not stands("make a symlink from build-9 to latest", "ln -s build-9 latest", Context())


def test_a_folder_is_not_made_in_one_that_is_not_there(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    here = Context(cwd=str(tmp_path))
    facts = read(Sentence.parse("create the folder docs/new"))
    assert not broken(facts, "mkdir docs/new", here, TABLE)
    facts = read(Sentence.parse("create the folder src/new"))
    assert "made" in broken(facts, "mkdir src/new", here, TABLE)
    assert not broken(facts, "mkdir -p src/new", here, TABLE)


@pytest.mark.parametrize("words", ["largest file here", "what is in here please", "find big files here now"])
def test_a_word_that_leaves_nothing_open_is_no_reason_to_doubt(engine: Engine, words: str) -> None:
    found = engine.explain(Query(words=words, cwd="/", path="/usr/bin:/bin"))
    assert found and not {"here", "please", "now"} & {word for one in found for word in one.left}


@pytest.mark.parametrize(
    ("words", "wrong", "right"),
    [
        ("replace commas with tabs in a.csv", "tr '\\t' ',' < a.csv", "tr ',' '\\t' < a.csv"),
        ("colons to semicolons in a.txt", "sed 's/;/:/g' a.txt", "sed 's/:/;/g' a.txt"),
        ("use stop instead of halt in a.txt", "sed -i 's/stop/halt/g' a.txt", "sed -i 's/halt/stop/g' a.txt"),
        ("turn upper case into lower case in a.txt", "tr a-z A-Z < a.txt", "tr A-Z a-z < a.txt"),
        ("replace dots by dashes in a.txt", "sed 's/dots/dashes/g' a.txt", "tr . - < a.txt"),
        ("convert spaces to underscores in file names", 'mv "$f" "${f//_/ }"', 'mv "$f" "${f// /_}"'),
    ],
)
def test_what_comes_in_place_of_another_is_not_taken_for_it(words: str, wrong: str, right: str) -> None:
    facts = read(Sentence.parse(words))
    assert "translated" in broken(facts, wrong, Context(), TABLE)
    assert "translated" not in broken(facts, right, Context(), TABLE)
