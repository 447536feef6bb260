"""The first stage of redaction, which says what lines the rules read, against all that hold a rule's literal."""

from __future__ import annotations

import random
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.redact_lines import left_in_part
from terma.redact import context, lines, nouns, redact
from terma.redact.names import ALONE, NO, YES, may_name
from terma.redact.secret_names import KEYS, PASSWORDS, family
from terma.redact.vocabulary import Vocabulary
from tests.unit.redact_harmless import real_output

Span = tuple[int, int]
VALUES = "Kq{}vLr Tz-{}W hunter{} correct-{} {{}} None 42 $TOKEN <your-{}> a3f9{}5e58 true self.v{}".split()
FORMS = (
    "{name}={value}", "{name}: {value}", '"{name}": "{value}",', "export {name}={value}", "--{name} {value}",
    "<{name}>{value}</{name}>", "{name} = '{value}'", "the {name} is {value}", "config set {name} {value}",
    "{value} as the {name}", "{name} for ann: {value}", "for {name} in {name}s:", "x.{name}[{value}]",
    '("{name}", "{value}")',
    "curl -u ann:{value} -H 'X-{name}: {value}' https://ann:{value}@host.example/?{name}={value}&k=1",
    "tool -u ann -p {value}", "{name}|user\n{value}|ann", "$ get {name}\n{value}", "{name}:\n  '{value}'",
)  # fmt: skip


class Thorough(lines.HotLines):
    """As slow as can be: each literal is searched for, and every line with one of IN_NAMES may name a secret."""

    def hold(self, hints: tuple[str, ...]) -> bool:
        return bool(self.of(hints))

    def of(self, hints: tuple[str, ...]) -> list[Span]:
        every = {lines.NAMES: lines.IN_NAMES, lines.NOUNS: nouns.PLAIN}
        literals = [each for hint in hints for each in every.get(hint, (hint,))]
        near = [span for each in literals for span in lines._windows(self._low, each, 0, len(self._low))]
        return lines._joined(sorted(near))


def _generated(seed: int, count: int) -> str:
    source = random.Random(seed)
    known = sorted(PASSWORDS | KEYS)
    names = [f"{first}{mark}{last}" for first in ("db", "MY", "x", "") for mark in "_-." for last in known]
    names += [
        last.title() for last in known
    ] + "keyboard author passed tokenizer sort_key compass mapping user".split()
    rows = [
        source.choice(FORMS).format(
            name=source.choice(names), value=source.choice(VALUES).format(source.randbytes(4).hex())
        )
        for _ in range(count)
    ]
    return "\n".join(" " * source.choice((0, 0, 4)) + row for row in rows)


@pytest.mark.parametrize("seed", range(6))
def test_the_lines_that_are_passed_over_hold_nothing(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    text = _generated(seed, 800) + "\n" + "\n".join(real_output()[:1500])
    quick = redact(text)
    monkeypatch.setattr(context.lines, "HotLines", Thorough)
    thorough = redact(text)
    assert len(quick.secrets) > 100
    assert quick.text.splitlines() == thorough.text.splitlines()


@pytest.mark.parametrize("word", ["keyboard", "author", "tokenizer", "passed", "compass_needle", "key_path"])
def test_a_word_that_ends_no_name_is_passed_over(word: str) -> None:
    assert may_name(word) == NO
    assert not family(word)


def test_whatever_family_knows_may_be_a_name() -> None:
    for known in sorted(PASSWORDS | KEYS):
        for name in (known, f"db_{known}", f"{known}_value2", f"x-{known}-prod", f"my{known}"):
            assert may_name(name) != NO, name
            assert not family(known) or may_name(known) == YES


def test_a_key_alone_says_nothing_and_a_part_of_a_name_does() -> None:
    assert may_name("key") == ALONE
    value = "x9Kq2vLr8TzWb41mQe7Y"
    assert redact(f"api.key = '{value}'").secrets
    assert not redact(f"for key in '{'abc'}':").secrets


@pytest.mark.parametrize(
    ("shown", "left"),
    [
        ("login ann <SECRET_1>", False),
        ("login ann <SECRET_1>maple77", True),
        ("login ann ann-m<SECRET_1>", True),
    ],
)
def test_the_score_tells_a_secret_that_is_left_in_part(shown: str, left: bool) -> None:
    assert left_in_part("login ann ann-maple77", "ann-maple77", shown) is left


def test_a_part_that_stands_elsewhere_in_the_line_is_not_of_the_secret() -> None:
    assert not left_in_part("user maple password maple77", "maple77", "user maple password <SECRET_1>")


@given(st.text(alphabet="aK1_- \n\u017f\u0130\u212a", max_size=200))
def test_long_words_are_placed_where_they_stand(text):
    words = Vocabulary(text)
    found = {(word.decode(), at) for word in words.lengthy for at in words.places({word})}
    runs = re.finditer(r"[a-z0-9_-]{15,}", words.strict)
    assert found == {(run[0], run.start()) for run in runs}
