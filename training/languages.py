"""`python -m training.languages`: which words of each lexicon tell its language: those that at most one of our English
authors writes (a slip, a name). And how often
each language has the words that several share. Writes terma/offline/languages/telling.json."""

from __future__ import annotations

import json
import sys
from collections import Counter, defaultdict

from terma.offline import foreign_pieces, language, translate
from training import pairs

LANGUAGES = ("German", "French", "Spanish", "Portuguese")
CODES = {"de": "German", "fr": "French", "es": "Spanish", "pt": "Portuguese"}
OUT = translate.FOLDER / "telling.json"


def telling() -> dict[str, list[str]]:
    """The telling words of each language, folded."""
    authors: dict[str, set[str]] = defaultdict(set)
    for path in sorted(pairs.SENTENCES.glob("*.jsonl")):
        for row in map(json.loads, path.read_text(encoding="utf-8").splitlines()):
            if not row.get("lang"):
                for word in language.words(row["nl"]):
                    authors[foreign_pieces.folded(word)].add(path.stem)
    english = {word for word, writers in authors.items() if len(writers) > 1}
    return {
        name: sorted({foreign_pieces.folded(keys[0]) for keys in own.phrases if len(keys) == 1} - english)
        for name in LANGUAGES
        if (own := translate.lexicon(name))
    }


def often() -> dict[str, dict[str, int]]:
    """How often our own sentences in each language have each word that several lexicons hold: "o" is what everybody
    says in Portuguese, and hardly anybody in Spanish."""
    lexicons = {
        name: {foreign_pieces.folded(key) for keys in own.phrases for key in keys}
        for name in LANGUAGES
        if (own := translate.lexicon(name))
    }
    counts = {name: Counter[str]() for name in LANGUAGES}
    for path in sorted(pairs.SENTENCES.glob("*.jsonl")):
        for row in map(json.loads, path.read_text(encoding="utf-8").splitlines()):
            name = next((one for one in LANGUAGES if CODES.get(row.get("lang")) == one), "")
            if name:
                counts[name].update(foreign_pieces.folded(word) for word in language.words(row["nl"]))
    shared = {
        word
        for words in lexicons.values()
        for word in words
        if sum(word in one for one in lexicons.values()) > 1
    }
    return {
        name: {word: n for word, n in sorted(found.items()) if word in shared}
        for name, found in counts.items()
    }


def main() -> int:
    found = {"telling": telling(), "often": often()}
    OUT.write_text(json.dumps(found, ensure_ascii=False, separators=(",", ":")) + "\n", encoding="utf-8")
    print({name: len(words) for name, words in found["telling"].items()})
    return 0


if __name__ == "__main__":
    sys.exit(main())
