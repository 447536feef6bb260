"""Reads the part of POSIX shell syntax that xonsh can say as well: words, and the operators between them."""

from __future__ import annotations

import re

from terma.dialect.xonsh.words import Part, Word

Token = str | Word  # an operator or a redirection ("2>&1", ">"), or a word

GLUE = "\0"  # behind a redirection that its file follows without a blank
_OPERATOR = re.compile(r"&&|\|\||\|&|[|;&\n](?![;&])")
_DUPLICATE = re.compile(r"([12]?)>&([12])(?=[\s;&|]|\Z)")
_REDIRECT = re.compile(r"(&>|[12]?>>|[12]?>|0?<)(?![<>(&|])")
_VARIABLE = re.compile(r"\$(?:([A-Za-z_]\w*)|\{([A-Za-z_]\w*)\})", re.ASCII)
_PLAIN = re.compile(r"[^\s'\"\\$`;&|<>()#]+|(?<=\S)#")
_CODES = re.compile(r"\\(?:n|t|\\|'|e)")
_MEANS = {"\\n": "\n", "\\t": "\t", "\\\\": "\\", "\\'": "'", "\\e": "\x1b"}


class Unreadable(Exception):
    """More of a shell's syntax than is read here."""


def lex(source: str) -> list[Token]:
    """The tokens of `source`. Raises Unreadable."""
    tokens: list[Token] = []
    at = 0
    source = source.strip().replace("\\\n", " ")
    while at < len(source):
        found, at = read(source, at)
        tokens += found
    return tokens


def read(source: str, at: int) -> tuple[list[Token], int]:
    """The tokens of the next word, redirection or operator, none for a blank, and where it ends. Raises Unreadable."""
    if source[at] in " \t":
        return [], _blanks(source, at)
    if source[at] == "#":
        raise Unreadable("a comment")
    if found := _DUPLICATE.match(source, at):
        return [f"{found[1] or '1'}>&{found[2]}"], found.end()
    if found := _REDIRECT.match(source, at):
        start = _blanks(source, found.end())
        word, end = _word(source, start)
        return [found[1].removeprefix("0") + (GLUE if start == found.end() else ""), word], end
    if found := _OPERATOR.match(source, at):
        return ["2>&1", "|"] if found[0] == "|&" else [found[0]], found.end()
    word, end = _word(source, at)
    return [word], end


def _blanks(source: str, at: int) -> int:
    while at < len(source) and source[at] in " \t":
        at += 1
    return at


def _word(source: str, at: int) -> tuple[Word, int]:
    parts: list[Part] = []
    start = at
    while at < len(source) and source[at] not in " \t\n;&|<>()":
        char = source[at]
        if char == "'":
            end = source.find("'", at + 1)
            if end < 0:
                raise Unreadable("an open quote")
            parts.append(Part("quoted", source[at + 1 : end]))
            at = end + 1
        elif char == '"':
            at = _double(source, at + 1, parts)
        elif char == "\\":
            if at + 1 == len(source):
                raise Unreadable("a backslash at the end")
            parts.append(Part("quoted", source[at + 1]))
            at += 2
        elif char == "$" and source[at + 1 : at + 2] == "'":
            end = at + 2
            while end < len(source) and source[end] != "'":
                end += 2 if source[end] == "\\" else 1
            body = source[at + 2 : end]
            if end >= len(source) or "\\" in _CODES.sub("", body):
                raise Unreadable("an unusual escape")
            parts.append(Part("quoted", _CODES.sub(lambda found: _MEANS[found[0]], body)))
            at = end + 1
        elif char in "$`":
            part, at = _expansion(source, at, quoted=False)
            parts.append(part)
        elif found := _PLAIN.match(source, at):
            parts.append(Part("bare", found[0]))
            at = found.end()
        else:
            raise Unreadable(source[at])
    if at == start:
        raise Unreadable(source[at : at + 1])
    return _joined(parts), at


def _double(source: str, at: int, parts: list[Part]) -> int:
    """Reads to the closing double quote; the index behind it."""
    text = ""
    while at < len(source) and source[at] != '"':
        char = source[at]
        if char == "\\" and source[at + 1 : at + 2] in ("\\", '"', "$", "`"):
            text += source[at + 1]
            at += 2
        elif char in "$`" and not (char == "$" and source[at + 1 : at + 2] in (" ", '"', "")):
            parts.append(Part("quoted", text))
            text = ""
            part, at = _expansion(source, at, quoted=True)
            parts.append(part)
        else:
            text += char
            at += 1
    if at >= len(source):
        raise Unreadable("an open quote")
    parts.append(Part("quoted", text))
    return at + 1


def _expansion(source: str, at: int, *, quoted: bool) -> tuple[Part, int]:
    if found := _VARIABLE.match(source, at):
        return Part("variable", found[1] or found[2], quoted), found.end()
    if source.startswith("$(", at) and not source.startswith("$((", at):
        end = _closing(source, at + 2)
        return Part("command", source[at + 2 : end], quoted), end + 1
    if source[at] == "`":
        end = source.find("`", at + 1)
        if end > 0 and "\\" not in source[at:end]:
            return Part("command", source[at + 1 : end], quoted), end + 1
    raise Unreadable(source[at : at + 2])


def _closing(source: str, at: int) -> int:
    """The index of the bracket that closes a substitution whose text begins at `at`."""
    depth, quote = 1, ""
    while at < len(source):
        char = source[at]
        if quote:
            if char == "\\" and quote == '"':
                at += 1
            elif char == quote:
                quote = ""
        elif char in "'\"":
            quote = char
        elif char == "\\":
            at += 1
        elif char in "()":
            depth += 1 if char == "(" else -1
            if not depth:
                return at
        at += 1
    raise Unreadable("an open bracket")


def _joined(parts: list[Part]) -> Word:
    """Neighbours of one kind as one; a part without text is left out, a word of none is an empty one."""
    word: list[Part] = []
    for part in parts:
        if not part.text:
            continue
        if word and word[-1].kind == part.kind and part.kind in ("bare", "quoted"):
            word[-1] = Part(part.kind, word[-1].text + part.text)
        else:
            word.append(part)
    return tuple(word)
