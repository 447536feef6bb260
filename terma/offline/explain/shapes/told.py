"""What the shapes ask of an output: the lines that tell the failure, and the words of the command in them."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass

from terma.offline.explain.case import Case
from terma.offline.explain.evidence import Weight
from terma.offline.explain.line import Word
from terma.offline.explain.quoting import bare

URL = re.compile(r"[a-z][a-z0-9+.-]*://\S+")
_MAX_LINES = 6


def told(case: Case) -> str:
    """The lines that tell the failure, the decisive ones first."""
    found = case.evidence
    rest = [index for index, weight in enumerate(found.weights) if weight >= Weight.NOTE]
    kept = list(dict.fromkeys((*found.decisive, *rest)))[:_MAX_LINES]
    return "\n".join(found.lines[index] for index in kept)


def named(case: Case, piece: str) -> bool:
    """Whether a line that tells the failure holds `piece` as a word of its own."""
    return bool(piece) and bool(re.search(rf"(?<![\w-]){re.escape(piece)}(?![\w-])", told(case)))


def without_words(case: Case) -> str:
    """The lines that tell the failure without the names in them: the program's and the words of the command."""
    text = re.sub(r"(?m)^(?:\S*/)?[\w.+-]+: ", "", told(case))
    for word in sorted(case.args, key=len, reverse=True):
        if len(word) > 1:
            text = text.replace(word, " ")
    return text


@dataclass(frozen=True, slots=True)
class Chunk:
    """What stands between bare blanks: `typed` is line[start:end], `seen` the same with quotes blanked."""

    start: int
    end: int
    typed: str
    seen: str


def chunks(line: str) -> tuple[Chunk, ...]:
    """The chunks of `line` in order."""
    blank = bare(line)
    return tuple(
        Chunk(hit.start(), hit.end(), line[hit.start() : hit.end()], hit.group())
        for hit in re.finditer(r"\S+", blank)
    )


def one_word(text: str) -> str:
    """`text`, typed for the shell, as one quoted word of it; "" where no kind of quotes can hold it."""
    if "'" not in text:
        return f"'{text}'"
    if not re.search(r"[\"$`\\!]", text):
        return f'"{text}"'
    return ""


def replaced(case: Case, start: int, end: int, text: str) -> str:
    """The command with [start, end) changed to `text`; "" without a text."""
    return case.command[:start] + text + case.command[end:] if text else ""


def exchanged(case: Case, one: Word, other: Word) -> str:
    """The command with two words in each other's place, as they were typed."""
    first, second = sorted((one, other), key=lambda word: word.start)
    line = case.command
    return (
        line[: first.start]
        + line[second.start : second.end]
        + line[first.end : second.start]
        + line[first.start : first.end]
        + line[second.end :]
    )


def without(case: Case, *gone: Word) -> str:
    """The command without these words and the blanks before them."""
    line = case.command
    for word in sorted(gone, key=lambda word: -word.start):
        line = line[: word.start].rstrip() + line[word.end :]
    return line


def moved(case: Case, words: list[Word], before: Word) -> str:
    """The command with `words`, which stand together, put right before `before`, which stands ahead of them."""
    text = case.command[words[0].start : words[-1].end]
    rest = without(case, *words)
    return f"{rest[: before.start]}{text} {rest[before.start :]}"


def pairs(words: tuple[Word, ...]) -> Iterator[tuple[Word, Word]]:
    """Each option with the word behind it, which is no option."""
    for option, value in itertools.pairwise(words):
        if re.fullmatch(r"-[\w-]+", option.value) and not value.value.startswith("-"):
            yield option, value


def opposite(option: str) -> str:
    """What turns off what `option` turns on, or the other way round: --no-edit for --edit; "" for a short one."""
    if not option.startswith("--"):
        return ""
    return f"--{option[5:]}" if option.startswith("--no-") else f"--no-{option[2:]}"


def placed_option(case: Case, option: str) -> str:
    """The command with `option` in the place of its opposite, else behind its subcommands, else right behind the
    program."""
    if (typed := opposite(option)) in case.args:
        return case.swap(typed, option)
    after = ""
    for value in case.args:
        if not re.fullmatch(r"[a-z][a-z0-9-]*", value) or case.exists(value):
            break
        after = value
    return case.insert(option, after)
