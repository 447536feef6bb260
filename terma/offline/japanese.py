"""The forms in which Japanese verbs stand at the end of a request (JIS grammar's te, ta, masu, tai and the imperative),
so that a lexicon need hold the dictionary form alone."""

from __future__ import annotations

from collections.abc import Iterator

from terma import regex as re

# The last kana of a five-step verb: its stem before ます, and its te form.
_FIVE_STEP = {
    "す": ("し", "して"), "く": ("き", "いて"), "ぐ": ("ぎ", "いで"), "む": ("み", "んで"), "ぶ": ("び", "んで"),
    "ぬ": ("に", "んで"), "う": ("い", "って"), "つ": ("ち", "って"), "る": ("り", "って"),
}  # fmt: skip
_AFTER_TE = ("", "おいて", "くれ", "ほしい", "もらう", "いる", "みて")
_AFTER_STEM = ("ます", "たい", "ましょう", "")
_NOUN = re.compile(r"[\u30a0-\u30ff\u3400-\u9fff々ー]{2,}\Z")  # katakana or characters: takes する


def forms(phrase: str) -> Iterator[str]:
    """The phrase, and as it ends when somebody asks for it: 消す, 消して, 消します, 消したい; コピー, コピーして."""
    yield phrase
    if _NOUN.search(phrase):
        yield phrase + "する"
        yield from _ends(phrase + "し", phrase + "して")
    elif len(phrase) > 1 and phrase[-1] in _FIVE_STEP:
        bare = phrase[:-1]
        stem, te = _FIVE_STEP[phrase[-1]]
        yield from _ends(bare + stem, bare + te)
        if phrase[-1] == "る":  # as often a one-step verb: its る simply goes
            yield from _ends(bare, bare + "て")


def _ends(stem: str, te: str) -> Iterator[str]:
    for after in _AFTER_TE:
        yield te + after
    yield te[:-1] + ("だ" if te.endswith("で") else "た")
    for after in _AFTER_STEM:
        yield stem + after
