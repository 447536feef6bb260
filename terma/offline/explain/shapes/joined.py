"""Words that the shell took apart and that were meant as one: a text, a script, a name with blanks, an address."""

from __future__ import annotations

import re
from collections.abc import Iterator

from terma.offline.explain.case import Case
from terma.offline.explain.finding import Finding
from terma.offline.explain.line import Word, quote
from terma.offline.explain.quoting import bare, open_quote
from terma.offline.explain.shapes.grammar import brackets, delimiters, sentence, surplus
from terma.offline.explain.shapes.told import (
    URL,
    chunks,
    named,
    one_word,
    replaced,
    without_words,
)

# Options whose value is a text, and the programs that have the short ones; and those whose value is a program.
_TEXT = re.compile(r"--(?:message|header|title|body|subject|comment|description)")
_SHORT = {"-m": ("git", "hg", "svn"), "-H": ("curl", "wget", "http"), "-c": ("git",), "-b": ("git",)}
_TESTS = frozenset(("test", "[", "[[", "expr", "awk", "jq"))
_SCRIPT = re.compile(r"-(?:e|c|r|ex)|--(?:eval|command|expression|run|exec)")
_SYNTAX = re.compile(
    r"syntax|unexpected|expected|unterminated|parse|unknown option to|extra characters"
    r"|end of (?:string|file|input)|missing|unmatched",
    re.IGNORECASE,
)


def torn(case: Case) -> Iterator[Finding]:
    """What the shell's grammar shows: brackets, quotes, delimiters that close in a later word, an & in a word."""
    yield from _quote_before_files(case)
    yield from _address(case)
    yield from _bracketed_file(case)
    yield from _value(case)
    yield from _assigned(case)
    if _SYNTAX.search(case.output) or re.search(
        r"zsh: (?:unknown file attribute|number expected)", case.output
    ):
        yield from sentence(case)
        yield from brackets(case)
        yield from delimiters(case)
        yield from surplus(case)


def joined(case: Case) -> Iterator[Finding]:
    """What names here or the output show."""
    yield from _file(case)
    yield from _beside(case)
    yield from _pattern(case)


def _quote_before_files(case: Case) -> Iterator[Finding]:
    """A quote is never closed, and the last words in it are files: it ends before them."""
    mark = open_quote(case.command)
    if mark not in ("'", '"') or ("matching" not in case.low and "unmatched" not in case.low):
        return
    at = max(
        (
            index
            for index, char in enumerate(case.command)
            if char == mark and open_quote(case.command[:index]) == ""
        ),
        default=-1,
    )
    inside = re.split(r"( +)", case.command[at + 1 :])
    files = 0
    while files * 2 + 1 < len(inside) and case.exists(inside[-1 - 2 * files]):
        files += 1
    if at < 0 or not files or files * 2 + 1 > len(inside) - 1:
        return
    text = "".join(inside[: -2 * files])
    rest = "".join(inside[-2 * files :])
    yield Finding(
        f"The quote is not closed before {rest.strip()}.", f"{case.command[:at]}{mark}{text}{mark}{rest}"
    )


def _address(case: Case) -> Iterator[Finding]:
    """A bare & inside of a word ends the command for the shell: an address or form data wants quotes."""
    for chunk in chunks(case.command):
        split = re.search(r"(?<=[\w%])&(?=[\w%]+=)", chunk.seen)
        if split and ("=" in chunk.seen[: split.start()]) and not re.search(r"['\"$]", chunk.typed):
            yield Finding(
                f"The & in {chunk.typed} ended the command for the shell: what follows it was another one.",
                replaced(case, chunk.start, chunk.end, one_word(chunk.typed)),
            )


def _bracketed_file(case: Case) -> Iterator[Finding]:
    """A file whose name has blanks and parentheses, typed as it is called."""
    found = chunks(case.command)
    if "(" not in case.command:
        return
    for first in range(1, len(found)):
        for last in range(first, min(first + 6, len(found))):
            name = case.command[found[first].start : found[last].end]
            if "(" in name and case.exists(name):
                yield Finding(
                    f"There is {name}: such a name wants quotes.",
                    replaced(case, found[first].start, found[last].end, quote(name)),
                )
                return


def _assigned(case: Case) -> Iterator[Finding]:
    """`make CC = gcc`: a program reads NAME=value in one word, and blanks around the sign make three of it."""
    words = case.arguments
    for name, sign, value in zip(words, words[1:], words[2:], strict=False):
        if sign.value == "=" and re.fullmatch(r"[A-Z_][A-Z0-9_]*", name.value) and case.program not in _TESTS:
            typed = case.command
            yield Finding(
                f"{name.value}={value.value} is one word: no blanks around the sign.",
                f"{typed[: name.end]}={typed[value.start :]}",
            )
            return


def _file(case: Case) -> Iterator[Finding]:
    """Words that stand together and, with their blanks, are the name of a file here."""
    words = case.arguments
    for first in range(len(words)):
        if case.exists(words[first].value):
            continue
        for last in range(first + 1, min(first + 6, len(words))):
            name = " ".join(word.value for word in words[first : last + 1])
            if case.exists(name):
                yield Finding(
                    f"There is {name}: a name with blanks wants quotes.",
                    replaced(case, words[first].start, words[last].end, quote(name)),
                )
                return


def _value(case: Case) -> Iterator[Finding]:
    """The text behind an option, taken apart: the output stumbles over one of its later words."""
    words = case.arguments
    for at, option in enumerate(words[:-2]):
        takes = (
            _TEXT.fullmatch(option.value)
            or _SCRIPT.fullmatch(option.value)
            or case.program in _SHORT.get(option.value, ())
        )
        if not takes or not _is_bare(case, words[at + 1]):
            continue
        last = at + 1
        code = bool(_SCRIPT.fullmatch(option.value))
        while last + 1 < len(words) and (
            not _stands_alone(case, words[last + 1]) or (code and _is_quoted(case, words[last + 1]))
        ):
            last += 1
        rest = [word.value for word in words[at + 2 : last + 1]]
        script = code and bool(_SYNTAX.search(without_words(case)))
        if code and not script and case.program not in _SHORT.get(option.value, ()):
            continue
        if rest and (
            script or any(named(case, word) or named(case, word.partition("/")[0]) for word in rest)
        ):
            text = case.command[words[at + 1].start : words[last].end]
            if case.program == "git" and option.value in ("-c", "-b"):  # the name of a branch holds no blanks
                name = re.sub(r" +", "-", text)
                yield Finding(
                    "A branch's name holds no blanks.",
                    replaced(case, words[at + 1].start, words[last].end, quote(name)),
                )
                continue
            if not re.search(r"[|;&<>()]", bare(text)):
                yield Finding(
                    f"{option.value} takes one word, and the text behind it has several: it wants quotes.",
                    replaced(case, words[at + 1].start, words[last].end, one_word(text)),
                )


def _is_bare(case: Case, word: Word) -> bool:
    """Whether `word` was typed without quotes, and is no file and no option."""
    typed = case.command[word.start : word.end]
    return typed == word.value and not word.value.startswith("-") and not case.exists(word.value)


def _is_quoted(case: Case, word: Word) -> bool:
    return case.command[word.start] in "'\"" and not word.value.startswith("-")


def _stands_alone(case: Case, word: Word) -> bool:
    return word.value.startswith("-") or case.exists(word.value) or bool(URL.match(word.value))


def _beside(case: Case) -> Iterator[Finding]:
    """A word too many that is written like the one before it: a format or an address with a blank in it."""
    for before, word in zip(case.arguments, case.arguments[1:], strict=False):
        if not named(case, word.value) and not re.search(
            rf"(?:host|operand)\S*:? .?{re.escape(word.value)}", case.output
        ):
            continue
        formats = before.value.startswith("+") and "%" in before.value and "%" in word.value
        address = URL.match(before.value) and re.search(r"resolve|malformed|bad url", case.low)
        if (formats or address) and not case.exists(word.value):
            text = case.command[before.start : word.end]
            yield Finding(
                f"A blank parts {text}: it wants quotes.",
                replaced(case, before.start, word.end, one_word(text)),
            )


def _pattern(case: Case) -> Iterator[Finding]:
    """A pattern that the program reads itself, and that zsh found no file for: quoted it reaches the program."""
    found = re.search(r"no matches found: (\S+)", case.output)
    word = next((one for one in case.arguments if found and one.value == found[1]), None)
    if word is None:
        return
    before = next(
        (one for one, other in zip(case.arguments, case.arguments[1:], strict=False) if other is word), None
    )
    reads = bool(before) and bool(
        re.search(r"name|path|regex|include|exclude|glob|pattern|ignore", before.value if before else "")
    )
    extra = re.fullmatch(r"[\w.-]+\[[\w,-]+\](?:[=<>~!].*)?", word.value) and "install" in case.args
    if reads or extra or URL.match(word.value) or re.match(r"[\w.-]+(?::\d+)?/\S*[?&]\w+=", word.value):
        yield Finding(
            f"{word.value} is meant for {case.program}, not for the shell: quotes keep it as it is.",
            replaced(case, word.start, word.end, one_word(word.value)),
        )
