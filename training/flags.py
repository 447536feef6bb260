"""Which options without a value a program has, and by which words people ask for each: what may be added to a command
that leaves such words open. From training/options.txt, the names of long options, and what our authors' sentences have
beside them oftener than others."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from terma.offline.plain import plain
from terma.offline.sentence import Sentence
from terma.offline.trust.association import keys
from terma.offline.trust.command import simples
from terma.offline.trust.facts import read

OPTIONS = Path(__file__).with_name("options.txt")
WRITTEN, NAMED, HALF_NAMED = (
    0.85,
    0.9,
    0.7,
)  # how surely a phrase of the file, a whole name and a part of it asks
GENERAL = 8  # names that have a word, from which on it alone says nothing
SEEN = 3  # commands that have to have the option and the word
DOUBT = 1.0  # commands that are thought to have the word without the option
LEAST = 0.5  # of the commands whose sentence has the word: as many have to have the option
LIFT = 2.0  # how much oftener than where the word is not said
USUAL = 0.12  # of the sentences of a program: a word that as many have says nothing of one option
MOST = 8  # learned words of one option
ALONE = 0.08  # of the places where it stands: as often no value follows an option that takes none
_DENIALS = ("no", "without", "not")
_LINE = re.compile(r"([-+]\S*(?: [-+]\S*)*)(?:\s{2,}(.*))?")


@dataclass
class _Program:
    count: int = 0
    words: Counter[str] = field(default_factory=Counter)
    flags: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    seen: Counter[str] = field(default_factory=Counter)
    places: Counter[str] = field(default_factory=Counter)
    alone: Counter[str] = field(default_factory=Counter)


def flags(pairs: Iterable[tuple[str, str]]) -> dict[str, list[list[Any]]]:
    """Command word -> [option, {words that are all said, by commas: how surely they ask for it}]."""
    counted = _counted(pairs)
    learned = {name: dict(_rows(one)) for name, one in counted.items()}
    written = _written()

    def usual(program: str) -> frozenset[str]:
        """Words that say nothing of an option there: those of the program's own name, and what many say to it."""
        one = counted.get(program, _Program())
        return frozenset(program.split()) | {
            w for w, n in one.words.items() if n > USUAL * (one.count + DOUBT)
        }

    names = Counter(
        word
        for program in written.values()
        for forms, _ in program.values()
        for form in forms
        if form[:2] == "--"
        for word in set(_name(form))
    )
    found: dict[str, list[list[Any]]] = {}
    for program in sorted({*learned, *written}):
        known = written.get(program, {})
        spelled = {form: option for option, (forms, _) in known.items() for form in forms}
        rows: dict[str, dict[str, float]] = {option: {} for option in known}
        for option, (forms, phrases) in known.items():
            for form in forms:
                _raise(rows[option], _by_name(form, names, usual(program)))
            _raise(rows[option], {_phrase(text): WRITTEN for text in phrases})
        for option, cues in learned.get(program, {}).items():
            row = rows.setdefault(spelled.get(option, option), {})
            if option not in spelled:
                _raise(row, _by_name(option, names, usual(program)))
            _raise(row, cues)
        kept = [[option, row] for option, row in sorted(rows.items()) if row]
        if kept:
            found[program] = kept
    return found


def _raise(row: dict[str, float], more: dict[str, float]) -> None:
    for phrase, share in more.items():
        if phrase:
            row[phrase] = max(row.get(phrase, 0.0), share)


def _name(option: str) -> list[str]:
    return [word for word in re.split(r"[-_=]", option.lstrip("-+")) if word]


def _by_name(option: str, names: Counter[str], usual: frozenset[str]) -> dict[str, float]:
    """The phrases that a long option's own name is: all of its words, and of two words one that few names have and that
    is not `usual` with this program."""
    words = _name(option) if option[:2] == "--" and len(option) > 4 else []
    denied = bool(words) and words[0] in _DENIALS
    said = [_phrase(f"not {word}" if denied else word) for word in (words[1:] if denied else words)]
    said = [word for word in said if word]
    if not said:
        return {}
    found = {",".join(said): NAMED}
    if len(said) == 2:
        found |= {
            text: HALF_NAMED
            for word, text in zip(words[denied:], said, strict=False)
            if names[word] < GENERAL and len(word) > 3 and text not in usual
        }
    return found


def _phrase(text: str) -> str:
    """The words of a phrase as a sentence has them; "not x" is an x that is denied."""
    facts = read(Sentence.parse(text))
    named = keys(facts)
    words = [named.get(i, token.norm) for i, token in enumerate(facts.sentence.tokens)]
    if text.split()[:1] == ["not"]:
        words = [word if word.startswith("not ") else f"not {word}" for word in words[1:]]
    return ",".join(words)


def _written() -> dict[str, dict[str, tuple[list[str], list[str]]]]:
    """Command word -> option -> its names and the phrases that options.txt has for it."""
    found: dict[str, dict[str, tuple[list[str], list[str]]]] = defaultdict(dict)
    programs: list[str] = []
    for line in OPTIONS.read_text(encoding="utf-8").splitlines():
        option = _LINE.fullmatch(line)
        if option is not None:
            forms = option[1].split(" ")
            phrases = [text.strip() for text in (option[2] or "").split("|") if text.strip()]
            for program in programs:
                found[program][forms[0]] = (forms, phrases)
        elif line and line[0] != "#":
            programs = [name.strip() for name in line.split(",")]
    return found


def _counted(pairs: Iterable[tuple[str, str]]) -> dict[str, _Program]:
    found: dict[str, _Program] = defaultdict(_Program)
    for nl, command in pairs:
        said = set(_words(nl))
        for simple in simples(command):
            program = found[f"{simple.program} {simple.sub}".strip()]
            program.count += 1
            program.words.update(said)
            for n, word in enumerate(simple.words[1:], 1):
                if word[:1] != "-" or word in ("-", "--"):
                    continue
                after = simple.words[n + 1] if n + 1 < len(simple.words) else "-"
                options = _split(word, simple.options)
                program.places.update(options)
                program.alone.update(options[:-1])
                if after[:1] == "-" and not after[1:2].isdigit() and "=" not in word:
                    program.alone[options[-1]] += 1
            for option in set(simple.options):
                program.seen[option] += 1
                program.flags[option].update(said)
    found.pop("", None)
    return found


def _words(nl: str) -> Iterator[str]:
    facts = read(Sentence.parse(plain(nl)))
    for i, word in keys(facts).items():
        if facts.sentence.tokens[i].kind == "word":
            yield word


def _split(word: str, options: tuple[str, ...]) -> list[str]:
    letters = ["-" + letter for letter in word[1:]]
    return letters if all(one in options for one in letters) else [word.partition("=")[0]]


def _rows(one: _Program) -> Iterator[tuple[str, dict[str, float]]]:
    for option, count in sorted(one.seen.items()):
        if one.alone[option] < max(1, ALONE * one.places[option]) or count == one.count > 1:
            continue
        cues = {}
        for word, both in one.flags[option].items():
            share = both / (one.words[word] + DOUBT)
            rest = (count - both) / (one.count - one.words[word] + DOUBT)
            if both >= SEEN and share >= LEAST and share > LIFT * rest:
                cues[word] = round(share, 2)
        best = sorted(cues.items(), key=lambda cue: (-cue[1], cue[0]))[:MOST]
        yield option, dict(best)
