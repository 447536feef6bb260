"""A grammar of what a small model may answer, in GBNF, as llama.cpp's server takes it: a command of programs that are
here, with options that they have and words of the sentence, or a comment that says why there is none.

What is no rule of form but somebody's text (words, whole commands) is taken from the question as it is sent, so that a
secret which was taken out of that does not leave in the grammar."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

MAX_PROGRAMS = 16
MAX_OPTIONS = 48  # of one program
MAX_SUBCOMMANDS = 24
MAX_LITERALS = 32
MAX_COMMANDS = 8
MAX_LENGTH = 300  # code points of one of them
MAX_BYTES = 32_768  # of the whole
MAX_WORDS = 8  # behind a program
MAX_STAGES = 3  # of a pipe
REASON = 80  # code points of a comment
_ANY = (".", "*", "~")  # the operands that nobody has to name
_PLAIN = re.compile(r"[\w@%+=:,./~*-]+")
_MARKS = "“”‘’\"'`"
_IN_QUOTES = re.compile(r"(?<!\w)[“\"'`]([^”\"'`\n]{1,80})[”\"'`](?!\w)")
_SEPARATORS = re.compile(r"[\s“”\"`]+")


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """`programs` that are here with their options, the likeliest first; `subcommands` of those that have some;
    `commands` are whole answers."""

    programs: Mapping[str, Sequence[str]] = field(default_factory=dict)
    subcommands: Mapping[str, Sequence[str]] = field(default_factory=dict)
    commands: Sequence[str] = ()


def grammar(vocabulary: Vocabulary, words: str, sent: str) -> str:
    """The grammar, "" where nothing is known. `words` are the person's, `sent` the message in which they stand."""
    whole = [one for one in vocabulary.commands if one in sent and _is_whole(one)][:MAX_COMMANDS]
    names = [name for name in vocabulary.programs if _PLAIN.fullmatch(name)][:MAX_PROGRAMS]
    for count in range(len(names), -1, -1):
        if not count and not whole:
            return ""
        made = _made(vocabulary, names[:count], whole, literals(words))
        if len(made.encode()) <= MAX_BYTES:
            return made
    return ""


def literals(words: str) -> list[str]:
    """The words of a sentence as they may stand on a command line: those of a file's or a number's shape bare, and each
    in single quotes where a shell would read it in another way."""
    found: dict[str, None] = {}
    for quoted in _IN_QUOTES.findall(words):
        found[_quoted(quoted)] = None
    for word in _SEPARATORS.split(words):
        bare = word.strip(_MARKS + "()[]{}<>,;!?").rstrip(".:")
        if bare and len(bare) <= MAX_LENGTH:
            found[bare if _PLAIN.fullmatch(bare) and "*" not in bare else _quoted(bare)] = None
    return list(found)[:MAX_LITERALS]


def _made(vocabulary: Vocabulary, names: list[str], whole: list[str], values: list[str]) -> str:
    answers = ["line"] if names else []
    rules = {"root": [*(_text(one) for one in whole), *answers, "reason"]}
    if names:
        rules["line"] = [f'call ( " | " call ){{0,{MAX_STAGES - 1}}}']
        rules["call"] = [f"p{number}" for number, _ in enumerate(names)]
        rules["value"] = [_text(one) for one in (*values, *_ANY)]
    for number, name in enumerate(names):
        options = [one for one in vocabulary.programs[name] if _PLAIN.fullmatch(one)][:MAX_OPTIONS]
        subs = [one for one in vocabulary.subcommands.get(name, ()) if _PLAIN.fullmatch(one)]
        word = f"( o{number} | value )" if options else "value"
        first = f'" " s{number} ' if subs else ""
        rules[f"p{number}"] = [f'{_text(name)} {first}( " " {word} ){{0,{MAX_WORDS}}}']
        if options:
            rules[f"o{number}"] = [_text(one) for one in options]
        if subs:
            rules[f"s{number}"] = [_text(one) for one in subs[:MAX_SUBCOMMANDS]]
    made = [f"{name} ::= {_either(said)}" for name, said in rules.items()]
    return "\n".join([*made, f'reason ::= "# " [^\\n]{{1,{REASON}}}', ""])


def _either(said: Iterable[str]) -> str:
    return " | ".join(dict.fromkeys(said))


def _text(words: str) -> str:
    escaped = words.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _quoted(words: str) -> str:
    return "'" + words.replace("'", "'\\''") + "'"


def _is_whole(command: str) -> bool:
    return len(command) <= MAX_LENGTH and command.isprintable()
