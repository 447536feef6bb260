"""Marks in a remembered command what may go: options that single words asked for, and the place in which it works."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from terma.offline.cases.parts import SLOT, part, slot
from terma.offline.trust.association import Association
from terma.offline.trust.command import simples, tokens
from terma.offline.trust.programs import LONG_OPTIONS, SUBCOMMANDS, VALUED
from terma.shell_syntax import BASH, ShellSyntaxError, parse
from terma.shell_syntax import nodes as tree

Goes = Callable[[str, str], float]  # (word, token of a command) -> how surely the word stands for it
_LEAST = 0.02
_OPEN = re.compile("\ue001\\d+:([^\ue002]*)\ue002\\Z")
_PLACED = {"find": 0, "ls": 0, "du": 0, "tree": 0}  # program -> number of the operand that is a place
_SEARCHES = frozenset(
    ("-r", "-R", "-rn", "-rl", "-ri", "-rni", "-rin", "-rL", "-rc", "-rnw", "-rnE", "-rE", "-rh")
)


@dataclass(frozen=True, slots=True)
class Known:
    """What all commands show of options: `alone`, those seen with no word behind them that could be theirs, and `says`,
    token of a command -> the words that stand for it."""

    goes: Goes
    alone: frozenset[tuple[str, str]]
    says: Mapping[str, tuple[str, ...]]

    @classmethod
    def of(cls, commands: Iterable[str], table: Association) -> Known:
        alone = set()
        for command in commands:
            for simple in simples(command):
                for n, word in enumerate(simple.words[1:], 1):
                    after = simple.words[n + 1] if n + 1 < len(simple.words) else "-"
                    if word[:1] == "-" and after[:1] == "-" and not after[1:2].isdigit():
                        alone.add((simple.program, word))
        says: dict[str, list[tuple[float, str]]] = {}
        for word in table.rows:
            for token, share in (table.row(word) or {}).items():
                says.setdefault(token, []).append((share, word))
        return cls(
            table.stands,
            frozenset(alone),
            {
                token: tuple(
                    word for share, word in sorted(found, reverse=True)[:_SYNONYMS] if share > _LEAST
                )
                for token, found in says.items()
            },
        )


_SYNONYMS = 12


def marked(template: str, items: list[str], known: Known) -> str:
    """The template with its optional parts and its place marked; as it was where it cannot be read."""
    try:
        script = parse(template, BASH)
    except ShellSyntaxError:
        return template
    cues = _cues(template, items, known.goes)
    edits: list[tuple[int, int, str]] = []
    for statement in script.statements:
        for pipeline in statement.pipelines:
            for command in pipeline.commands:
                if isinstance(command, tree.Simple) and len(command.words) > 1:
                    edits += _edits(template, command, cues, known)
    for start, end, text in sorted(edits, reverse=True):
        template = template[:start] + text + template[end:]
    return template


def _cues(template: str, items: list[str], goes: Goes) -> dict[str, tuple[str, ...]]:
    """Token of the command -> the words of the sentence that stand for it more than for any other of its tokens."""
    said = tokens(SLOT.sub("\ue003", template))
    found: dict[str, list[str]] = {}
    for word in dict.fromkeys(item for item in items if item[:1] != "{"):
        score, token = max(((goes(word, token), token) for token in said), default=(0.0, ""))
        if score >= _LEAST:
            found.setdefault(token, []).append(word)
    return {token: tuple(words) for token, words in found.items()}


def _edits(
    template: str, command: tree.Simple, cues: dict[str, tuple[str, ...]], known: Known
) -> Iterator[tuple[int, int, str]]:
    words = command.words
    at = 1 if words[0].text == "sudo" else 0
    program = words[at].text.rpartition("/")[2]
    sub = next((word.text for word in words[at + 1 :] if word.text[:1] != "-"), "")
    name = f"{program} {sub}" if program in SUBCOMMANDS and sub else program
    busy: set[int] = set()
    spoken = tokens(SLOT.sub("\ue003", template))
    for n in range(at + 1, len(words)):
        option = words[n].text.partition("=")[0]
        if not _single(option, program):
            continue
        flag = (program, words[n].text) in known.alone or "=" in words[n].text
        valued = option in VALUED.get(program, ()) and "=" not in words[n].text
        last = n + 1 if valued and n + 1 < len(words) else n
        busy.update(range(n, last + 1))
        if not flag and not valued:
            continue
        text = template[words[n - 1].end : words[last].end]
        why = cues.get(f"{name} {option}", ())
        if program != "find" and (why or SLOT.search(text)):
            token = f"{name} {option}"
            others = [word for word in known.says.get(token, ()) if _stands(word, token, spoken, known.goes)]
            said = tuple(dict.fromkeys((*why, *others))) if why else ()
            yield words[n - 1].end, words[last].end, part(said, text)
    yield from _place(template, program, [words[n] for n in range(at + 1, len(words)) if n not in busy])


def _stands(word: str, token: str, spoken: Iterable[str], goes: Goes) -> bool:
    """Whether no other token of the command is told by the word as much: "log" says `docker logs`, not its -f."""
    return all(goes(word, other) < goes(word, token) for other in spoken if other != token)


def _single(option: str, program: str) -> bool:
    """Whether the word is one option, and no bundle of letters."""
    if option[:1] != "-" or len(option) < 2 or option[1:2].isdigit():
        return False
    return len(option) == 2 or option.startswith("--") or program in LONG_OPTIONS


def _place(template: str, program: str, words: list[tree.Word]) -> Iterator[tuple[int, int, str]]:
    operands = [word for word in words if word.text[:1] != "-"]
    options = {word.text for word in words if word.text[:1] == "-"}
    word: tree.Word | None = None
    if program in _PLACED:
        first = words[0] if words else None
        word = operands[0] if operands and (program != "find" or operands[0] is first) else None
        if len(operands) > 1 and program != "find":
            word = None
    elif program in ("grep", "rg") and len(operands) == 2 and (program == "rg" or options & _SEARCHES):
        word = operands[1]
    if word is None:
        return
    text = template[word.start : word.end]
    if text == ".":
        yield word.start, word.end, slot("", "t", True)
    elif match := SLOT.fullmatch(text):
        yield word.start, word.end, slot(match[1], match[3], True)


__all__ = ["Known", "marked"]
