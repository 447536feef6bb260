"""Which remembered cases are aligned, what a case says just so, and which drafts are measured."""

from __future__ import annotations

import heapq
import json
from dataclasses import replace

import pytest

from terma.offline.cases.flags import flagged
from terma.offline.cases.heard import heard
from terma.offline.cases.memory import Memory
from terma.offline.cases.near import CLOSE, _most, suffix
from terma.offline.draft import UNHEARD, Context, Draft
from terma.offline.index import load
from terma.offline.rank import Weighed
from terma.offline.shortlist import MEASURED, Shortlist
from terma.offline.trust.asked import asked
from terma.offline.trust.association import Association
from terma.offline.trust.facts import Facts, read
from terma.offline.trust.features import measure
from terma.offline.trust.tagger import Tagger
from terma.offline.trust.verify import broken
from terma.offline.understood import understood
from terma.offline.usage import Usage
from training.compile_cases import known_words, rows
from training.learned import options
from training.pairs import Line

USAGE = Usage.load()
TABLE = Association.load()


def facts(words: str) -> Facts:
    return read(understood(words, load(), USAGE)[0])


def remembering(*lines: tuple[str, str]) -> Memory:
    own = [Line("a", nl, (command,), False) for nl, command in lines]
    return Memory.of(rows(own, options(own, TABLE), known_words()))


def drafts(memory: Memory, words: str) -> list[Draft]:
    return memory.drafts(facts(words), Context(path=""))


@pytest.mark.parametrize(
    ("said", "answer", "asked_for", "rule"),
    [
        ("show store.p12, no keys", "openssl pkcs12 -in store.p12 -nokeys", "show mine.p12, no keys", "denials"),
        ("sign a.csr without questions", "openssl x509 -req -in a.csr", "sign b.csr without questions", "denials"),
        ("which snap updates are there", "snap refresh --list", "which snap updates are there", "looks"),
        ("next song", "playerctl next", "next song", "ordinary"),
        ("enable a.timer and start it", "systemctl enable --now a.timer", "enable b.timer and start it", "steps"),
    ],
)  # fmt: skip
def test_what_a_person_answered_in_the_same_words_is_not_judged_by_rules(
    said: str, answer: str, asked_for: str, rule: str
) -> None:
    about = facts(asked_for)
    draft = drafts(remembering((said, answer)), asked_for)[0]
    assert rule in broken(about, draft.command, Context(path=""), TABLE)
    assert rule not in broken(about, draft.command, Context(path=""), TABLE, draft.heard)


@pytest.mark.parametrize(
    ("said", "answer", "asked_for"),
    [
        ("remove old.txt, not new.txt", "rm old.txt", "remove the logs, but not the keys in old.txt"),
        ("contents of store.p12, no keys", "openssl pkcs12 -in store.p12", "contents of mine.p12, no certificates"),
        ("delete a.log without asking", "rm -f a.log", "don't delete b.log"),
    ],
)  # fmt: skip
def test_another_denial_is_judged(said: str, answer: str, asked_for: str) -> None:
    assert not any(draft.heard.denials for draft in drafts(remembering((said, answer)), asked_for))


def test_a_question_is_the_same_only_without_an_order_besides() -> None:
    said = "which images are unused and remove them"
    memory = remembering((said, "docker image prune -a"))
    assert not any(draft.heard.asks for draft in drafts(memory, "which images are unused"))


def test_the_value_of_a_case_is_no_word_of_it() -> None:
    memory = remembering(("logs of api", "docker logs api"))
    draft = drafts(memory, "logs of web")[0]
    tokens = facts("logs of web").sentence.tokens
    assert draft.command == "docker logs web"
    assert {tokens[i].text for i in draft.heard.words} == {"logs", "of"}


def test_what_was_added_to_a_case_is_another_command() -> None:
    about = facts("logs of web, follow")
    draft = drafts(remembering(("logs of api", "docker logs api")), "logs of web, follow")[0]
    more = list(flagged([draft], about, Memory.load().flags))
    assert draft.heard.words
    assert more
    assert all(one.heard == UNHEARD for one in more)


def test_without_words_nothing_is_heard() -> None:
    assert heard((), {}, facts("next song")) == UNHEARD


def test_of_many_cases_with_the_same_word_that_of_the_same_kind_of_file_is_aligned() -> None:
    others = [(f"tags of v{n}.{n % 7}", f"git tag -l v{n}.{n % 7}") for n in range(2 * CLOSE)]
    memory = remembering(*others, ("tags of mix.flac", "metaflac --list mix.flac"))
    assert "metaflac --list song.flac" in [draft.command for draft in drafts(memory, "tags of song.flac")]


def test_the_suffix_of_a_name() -> None:
    assert [suffix(text) for text in ("a/b.tar.GZ", ".bashrc", "notes", "v1.2", "x.longest")] == [
        "gz",
        "",
        "",
        "2",
        "",
    ]


def weighed(command: str, source: str = "case.x", prior: float = 0.5) -> Weighed:
    return Weighed(Draft(command, source, frozenset(), score=0.995), 1.0, (), False, prior, "")


def test_the_likeliest_are_kept_in_the_order_of_their_priors() -> None:
    about = asked(facts("show free memory"), TABLE, load(), 0, Tagger.load())
    by_prior = Shortlist(tuple(float(name == "prior") for name in MEASURED))
    ones = [weighed(f"free -{letter}", prior=n / 10) for n, letter in enumerate("abcdef")]
    kept = by_prior.of(ones, about, TABLE, 3)
    assert [one.draft.command for one in kept] == ["free -f", "free -e", "free -d"]
    assert by_prior.of([], about, TABLE, 3) == []


def test_what_the_table_tells_of_a_draft_is_asked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    about = asked(facts("show free memory"), TABLE, load(), 0, Tagger.load())
    kept = Shortlist.load().of([weighed("free -h"), weighed("free -m")], about, TABLE, 2)
    assert set(about.seen) == {"free -h", "free -m"}
    monkeypatch.setattr("terma.offline.trust.asked.fits", lambda *_: pytest.fail("asked again"))
    assert len(measure(about, kept, Context(path=""), load(), TABLE, None)) == 2


@pytest.mark.parametrize("count", [1, 7, 40, 60])
def test_the_most_are_those_of_a_heap(count: int) -> None:
    worth = {number * 7 % 50: number % 5 / 4 for number in range(50)}  # many are worth the same
    heap = heapq.nlargest(count, ((value, -number) for number, value in worth.items()))
    assert _most(worth, count) == [-less for _, less in heap]


def test_what_the_person_said_themselves_is_always_kept() -> None:
    about = asked(facts("show free memory"), TABLE, load(), 0, Tagger.load())
    by_prior = Shortlist(tuple(float(name == "prior") for name in MEASURED))
    own = weighed("free -own", source="recipe.own", prior=0.01)
    kept = by_prior.of([*(weighed(f"free -{n}", prior=0.9) for n in range(5)), own], about, TABLE, 2)
    assert own in kept


def test_what_cannot_be_run_here_takes_half_of_the_places() -> None:
    about = asked(facts("show free memory"), TABLE, load(), 0, Tagger.load())
    by_prior = Shortlist(tuple(float(name == "prior") for name in MEASURED))
    far = [replace(weighed(f"gone -{n}", prior=0.9), lacks="gone") for n in range(5)]
    here = [weighed(f"free -{n}", prior=0.1) for n in range(5)]
    assert sum(one.here for one in by_prior.of([*far, *here], about, TABLE, 4)) == 2
    assert len(by_prior.of(far, about, TABLE, 4)) == 4


def test_the_trained_weights_are_of_this_version() -> None:
    assert len(Shortlist.load().weights) == len(MEASURED)


def test_weights_of_another_version_are_told(tmp_path, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    from terma.offline import shortlist

    (tmp_path / "old.json").write_text(json.dumps({"features": ["prior"], "weights": [1.0]}))
    monkeypatch.setattr(shortlist, "BESIDE", tmp_path / "old.json")
    with pytest.raises(ValueError, match=r"training\.shortlist"):
        Shortlist.load()
