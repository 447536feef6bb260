"""What a draft leaves unexplained: a word costs it, an argument rules it out."""

from __future__ import annotations

from pathlib import Path

import pytest

from terma.offline.compiler import compile_index
from terma.offline.draft import Context, Draft
from terma.offline.index import Index
from terma.offline.rank import weighed
from terma.offline.sentence import Sentence


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Index:
    file: Path = tmp_path_factory.mktemp("knowledge") / "frob.toml"
    file.write_text(
        '[[entry]]\nid = "frob"\nsay = ["frob {file} {count} times"]\nrun = "frob -n {count} {file}"\n'
    )
    return Index.of(compile_index([file]))


@pytest.mark.parametrize("left", ["notes.txt", "3", "/srv/www", "*.log", "'a word'", "8080/tcp"])
def test_a_draft_that_leaves_an_argument_out_is_not_weighed(index: Index, left: str) -> None:
    sentence = Sentence.parse(f"frob it {left}")
    tokens = frozenset(range(len(sentence.tokens)))
    argument = frozenset(at for at in tokens if sentence.tokens[at].kind not in ("word", "ident"))
    assert argument
    whole, without = Draft("frob it", "a", tokens), Draft("frob", "b", tokens - argument)
    assert [one.draft for one in weighed(sentence, [whole, without], Context(), index)] == [whole]


def test_a_draft_that_leaves_a_word_out_is_weighed_less(index: Index) -> None:
    sentence = Sentence.parse("frob it gently")
    tokens = frozenset(range(len(sentence.tokens)))
    drafts = [Draft("frob", "b", tokens - {max(tokens)}), Draft("frob --gently", "a", tokens)]
    first, second = weighed(sentence, drafts, Context(), index)
    assert (first.draft.source, second.draft.source) == ("a", "b")
    assert first.coverage > second.coverage
    assert second.left == (max(tokens),)
