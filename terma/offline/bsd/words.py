"""A command line as words and what stands between them, so that a change of one word leaves every other byte."""

from __future__ import annotations

from dataclasses import dataclass

_OPERATORS = ("&&", "||", ";;", "|&", "|", "&", ";", "\n", "(", ")")
_REDIRECTS = ("<<<", "<>", ">>", ">|", ">&", "<&", "&>", "<", ">")


@dataclass(slots=True)
class Piece:
    """`kind`: word, blank, op (ends a simple command), redirect, or target (a redirect's word).
    A word that is set to "" goes, with the blank before it; `text` may become several words."""

    text: str
    kind: str

    @property
    def value(self) -> str:
        """The word without its quotes; what the shell would expand stays as it is written."""
        text = self.text
        if text.startswith("$'") or not any(c in text for c in "'\"\\"):
            return text
        out: list[str] = []
        at, double = 0, False
        while at < len(text):
            char = text[at]
            if char == "'" and not double:
                end = text.index("'", at + 1)
                out.append(text[at + 1 : end])
                at = end + 1
            elif char == "\\" and (not double or text[at + 1 : at + 2] in '"$`\\'):
                out.append(text[at + 1 : at + 2])
                at += 2
            else:
                double ^= char == '"'
                out.append("" if char == '"' else char)
                at += 1
        return "".join(out)


class Unreadable(ValueError):
    """Open quotes, a here-document: a line that is better left alone."""


def pieces(line: str) -> list[Piece]:
    """The line cut up; joined again it is the line. Raises Unreadable."""
    found: list[Piece] = []
    at, wants_target = 0, False
    while at < len(line):
        char = line[at]
        if char in " \t" or line.startswith("\\\n", at):
            end = at + (2 if char == "\\" else 1)
            while end < len(line) and line[end] in " \t":
                end += 1
            found.append(Piece(line[at:end], "blank"))
        elif char == "#":
            end = line.find("\n", at)
            end = len(line) if end < 0 else end
            found.append(Piece(line[at:end], "blank"))
        elif line.startswith(("<(", ">("), at):
            end = _word_end(line, at)
            found.append(Piece(line[at:end], "word"))
        elif redirect := _redirect(line, at):
            end = at + len(redirect)
            found.append(Piece(redirect, "redirect"))
            wants_target = True
        elif operator := next((op for op in _OPERATORS if line.startswith(op, at)), ""):
            end = at + len(operator)
            found.append(Piece(operator, "op"))
        else:
            end = _word_end(line, at)
            found.append(Piece(line[at:end], "target" if wants_target else "word"))
            wants_target = False
        at = end
    return found


def _redirect(line: str, at: int) -> str:
    end = at
    while end < len(line) and line[end].isdigit():
        end += 1
    mark = next((mark for mark in _REDIRECTS if line.startswith(mark, end)), "")
    if line.startswith("<<", end) and mark != "<<<":
        raise Unreadable("a here-document")
    return line[at : end + len(mark)] if mark else ""


def _word_end(line: str, at: int) -> int:
    while at < len(line):
        char = line[at]
        if char == "\\":
            at += 2
        elif char == "'":
            at = _close(line, "'", at + 1)
        elif char == '"':
            at = _double(line, at + 1)
        elif char == "`":
            at = _close(line, "`", at + 1)
        elif char == "$" and line.startswith("$'", at):
            at += 2
            while line[at : at + 1] not in ("'", ""):
                at += 2 if line[at] == "\\" else 1
            at = _close(line, "'", at)
        elif line.startswith(("$(", "<(", ">("), at):
            at = nested(line, at + 2, ")")
        elif line.startswith("${", at):
            at = nested(line, at + 2, "}")
        elif char in " \t\n|&;()<>":
            return at
        else:
            at += 1
    if at > len(line):
        raise Unreadable("a backslash at the end")
    return at


def _close(line: str, mark: str, at: int) -> int:
    end = line.find(mark, at)
    if end < 0:
        raise Unreadable("an open quote")
    return end + 1


def _double(line: str, at: int) -> int:
    while at < len(line):
        if line[at] == '"':
            return at + 1
        if line[at] == "\\":
            at += 2
        elif line.startswith("$(", at):
            at = nested(line, at + 2, ")")
        elif line[at] == "`":
            at = _close(line, "`", at + 1)
        else:
            at += 1
    raise Unreadable("an open quote")


def nested(line: str, at: int, end: str) -> int:
    """The place after the bracket `end` that closes what was opened before `at`. Raises Unreadable."""
    start, depth = "(" if end == ")" else "{", 1
    while at < len(line):
        char = line[at]
        if char == "\\":
            at += 2
            continue
        if char == "'":
            at = _close(line, "'", at + 1)
            continue
        if char == '"':
            at = _double(line, at + 1)
            continue
        depth += (char == start) - (char == end)
        at += 1
        if not depth:
            return at
    raise Unreadable("an open bracket")


def joined(parts: list[Piece]) -> str:
    """The line again. The blank before a word that went goes with it."""
    out: list[str] = []
    for part in parts:
        if not part.text and part.kind == "word":
            if out and out[-1].strip(" \t") == "":
                out.pop()
            continue
        out.append(part.text)
    return "".join(out)


def quoted(text: str) -> str:
    """In single quotes."""
    return "'" + text.replace("'", "'\\''") + "'"
