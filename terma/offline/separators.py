"""Columns as the file's suffix separates them: what reads a `.csv` by blanks reads something else."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from terma import regex as re
from terma.offline.draft import Draft
from terma.offline.sentence import Sentence
from terma.shell_syntax import BASH, ShellSyntaxError, parse
from terma.shell_syntax import nodes as tree

# The option of each program that names the separator, and one that has to be there for it to read columns at all.
_OPTIONS = {"awk": ("-F", ""), "gawk": ("-F", ""), "cut": ("-d", "-f"), "sort": ("-t", "-k"), "column": ("-s", "-t"),
            "join": ("-t", "")}  # fmt: skip
_BY_SUFFIX = {".csv": ",", ".tsv": "\t", ".tab": "\t"}
_FIELD = re.compile(r"\$[1-9({A-Za-z]|\bNF\b")
_BLANKS = frozenset(("", " "))
_NAMED = frozenset(
    "comma semicolon tab colon pipe space blank separator delimiter separated delimited".split()
)
_PASS_ON = frozenset("cat head tail grep sort uniq sed tee shuf".split())  # what they read is what they write


def separated(draft: Draft, sentence: Sentence) -> Draft:
    """The draft with its columns separated as the suffix of the file says; as it is where the sentence names a
    separator itself, or where it cannot be read."""
    if not any(suffix in draft.command for suffix in _BY_SUFFIX):
        return draft
    if any(
        token.norm in _NAMED or (token.kind == "quoted" and len(token.value) == 1)
        for token in sentence.tokens
    ):
        return draft
    try:
        script = parse(draft.command, BASH)
    except ShellSyntaxError:
        return draft
    command = draft.command
    for start, end, text in sorted(_edits(script), reverse=True):
        command = command[:start] + text + command[end:]
    return draft if command == draft.command else replace(draft, command=command)


def _edits(script: tree.Script) -> Iterator[tuple[int, int, str]]:
    for statement in script.statements:
        for pipeline in statement.pipelines:
            mark = ""
            for command in pipeline.commands:
                if not isinstance(command, tree.Simple) or not command.words:
                    break
                mark = _mark(command) or mark
                name = command.words[0].text
                if mark and name in _OPTIONS:
                    yield from _edit(command, *_OPTIONS[name], mark)
                if name not in _PASS_ON:
                    break


def _mark(command: tree.Simple) -> str:
    """The separator of the first file that the command names."""
    texts = [word.text for word in command.words[1:]]
    texts += [one.target.text for one in command.redirects if one.operator == "<"]
    return next((mark for text in texts for suffix, mark in _BY_SUFFIX.items() if text.endswith(suffix)), "")


def _edit(command: tree.Simple, option: str, needs: str, mark: str) -> Iterator[tuple[int, int, str]]:
    """What is to be put in place of what, so that the command splits at `mark`."""
    name, *words = command.words
    if needs and not any(_has(word.text, needs) for word in words):
        return
    if name.text in ("awk", "gawk") and not any(_FIELD.search(word.text) for word in words):
        return
    wanted = "" if (name.text, mark) == ("cut", "\t") else f" {option}{_quoted(name.text, mark)}"
    at = next((i for i, word in enumerate(words) if word.text.startswith(option)), None)
    if at is None:
        yield name.end, name.end, wanted
        return
    word, given = words[at], words[at].text[len(option) :]
    end = word.end
    if not given and at + 1 < len(words):  # its value stands by itself
        given, end = words[at + 1].text, words[at + 1].end
    if given in _BLANKS or (given == "," and mark != ","):
        yield word.start - 1, end, wanted


def _has(word: str, option: str) -> bool:
    return word.startswith(option) or (word[:1] == "-" and word[1:2].isalpha() and option[1] in word[1:])


def _quoted(program: str, mark: str) -> str:
    if mark == ",":
        return ","
    return "'\\t'" if program in ("awk", "gawk") else "$'\\t'"
