"""From shell text to simple commands: the one place that knows tree-sitter's nodes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

from terma.risk.model import Call, Feed, Redirect, Word
from terma.risk.wrappers import WRAPPERS

if TYPE_CHECKING:
    from tree_sitter import Node, Parser

_QUOTES = {"raw_string", "string", "ansi_c_string", "translated_string"}
_EXPANSIONS = {"simple_expansion", "expansion", "command_substitution", "arithmetic_expansion"}
_GLOB = re.compile(r"[*?]|\[[^\]]+\]|\{[^{}]*(?:,|\.\.)[^{}]*\}")
_HIGH = re.compile("[\x80-\xff]")
_PAIR = re.compile("[\xc0-\xcf]{2}")
_INERT = {"comment", "heredoc_start", "heredoc_end", "raw_string", "ansi_c_string"}
_REDIRECTS = {"file_redirect", "herestring_redirect", "heredoc_redirect"}

# What zsh has and bash has not, rewritten into the nearest thing that bash reads.
_ZSH = [
    (
        re.compile(r"(?<=[*?\]/\w])\((?:[-#/.@=p%+^a-zA-Z0-9,:\[\]<>|]+)\)(?=\s|$|[;&|)])"),
        "",
    ),  # glob qualifiers
    (re.compile(r"\$\{\([^()\s]*\)"), "${"),  # flags of an expansion
    (re.compile(r"&[!|](?=\s|$|;)"), "&"),  # disown
    (re.compile(r"(?<=\s)=\("), "<("),
    (re.compile(r"(?<=>)!(?=\s)"), "|"),
    (re.compile(r"\b(for(?:each)?)\s+(\w+)\s*\(([^()]*)\)\s*([^;\n]+)"), r"for \2 in \3; do \4; done"),
]


@cache
def _parser() -> Parser:
    import tree_sitter
    import tree_sitter_bash

    return tree_sitter.Parser(tree_sitter.Language(tree_sitter_bash.language()))


def read(source: str) -> tuple[list[Call], set[str], bool]:
    """The simple commands of `source` in order, the functions that multiply themselves, and whether all of it
    could be read."""
    root = _parser().parse(_spelled(source)).root_node
    if root.has_error:
        plain = source
        for pattern, instead in _ZSH:
            plain = pattern.sub(instead, plain)
        again = _parser().parse(_spelled(plain)).root_node
        root = root if again.has_error else again
    calls: list[Call] = []
    _walk(root, None, calls)
    return calls, set(_bombs(root)), not root.has_error


def _spelled(source: str) -> bytes:
    """`source` for the parser: each byte beyond ASCII as two letters, which `_text` turns back.

    The parser's scanner asks isalpha() about whole code points: with one beyond U+00FF it reads outside the C
    library's table, and `{` followed by a character of a high plane ended the process."""
    text = source.encode("utf-8", "replace").decode("latin-1")
    return _HIGH.sub(lambda found: _letters(ord(found[0])), text).encode()


def _letters(byte: int) -> str:
    return chr(0xC0 + (byte >> 4)) + chr(0xC0 + (byte & 15))


def _text(node: Node) -> str:
    text = (node.text or b"").decode("utf-8", "replace")
    plain = _PAIR.sub(lambda found: chr((ord(found[0][0]) & 15) << 4 | ord(found[0][1]) & 15), text)
    return plain.encode("latin-1", "replace").decode("utf-8", "replace")


def _walk(node: Node, feed: Feed | None, calls: list[Call]) -> None:
    kind = node.type
    if kind in _INERT:
        return
    if kind == "pipeline":
        _walk_stages([child for child in node.children if child.is_named], feed, calls)
    elif kind == "command":
        _add_command(node, (), feed, calls)
    elif kind == "redirected_statement":
        _walk_redirected(node, feed, calls)
    else:
        if kind == "variable_assignment":
            calls.append(Call((), assigned=(_assigned(node),)))
        for child in node.children:
            _walk(child, feed, calls)


def _walk_stages(stages: list[Node], feed: Feed | None, calls: list[Call]) -> Feed | None:
    for stage in stages:
        start = len(calls)
        _walk(stage, feed, calls)
        feed = _output(calls[start:], feed)
    return feed


def _output(calls: list[Call], feed: Feed | None) -> Feed:
    """What a stage of a pipeline writes: who made it, and the text when it is spelled out."""
    programs = set(feed.programs) if feed else set()
    for call in calls:
        programs.update(_programs_of(call))
    text = None
    if calls:
        last = calls[-1]
        if last.name in ("echo", "printf"):
            text = " ".join(word.text for word in last.operands())
        elif last.name in ("cat", "tee") and not last.operands() and last.feed:
            text = last.feed.text
    return Feed(frozenset(programs), text)


def _programs_of(call: Call) -> Iterator[str]:
    """The names a command may run: its own, and, behind a wrapper such as sudo, any later word."""
    if call.words:
        yield call.name
    if call.name in WRAPPERS:
        for word in call.args:
            yield word.text.rsplit("/", 1)[-1]


def _walk_redirected(node: Node, feed: Feed | None, calls: list[Call]) -> None:
    body = node.child_by_field_name("body")
    redirects = [child for child in node.children if child.type in _REDIRECTS]
    nested = [child for redirect in redirects for child in redirect.children]
    redirects += [child for child in nested if child.type == "file_redirect"]
    for redirect in redirects:
        feed = _from_here(redirect, feed)
    start = len(calls)
    if body is not None and body.type == "command":
        _add_command(body, _redirects(redirects), feed, calls)
    else:
        if body is not None:
            _walk(body, feed, calls)
        calls.append(Call((), _redirects(redirects)))
    made = _output(calls[start:], feed)
    for child in nested:  # `cat <<END | sh`: what follows stands inside the redirect
        if child.type == "pipeline":
            _walk_stages([stage for stage in child.children if stage.is_named], made, calls)
        elif child.is_named and child.type not in ("file_redirect", "heredoc_start", "heredoc_end"):
            _walk(child, feed, calls)


def _from_here(redirect: Node, feed: Feed | None) -> Feed | None:
    """The input that a here-document or here-string gives, else `feed`."""
    for child in redirect.children:
        if redirect.type == "heredoc_redirect" and child.type == "heredoc_body":
            return Feed(text=_text(child))
        if redirect.type == "herestring_redirect" and child.is_named:
            word = _word(child)
            return Feed(word.programs, word.text)
    return feed


def _redirects(nodes: list[Node]) -> tuple[Redirect, ...]:
    found = []
    for node in nodes:
        target = node.child_by_field_name("destination")
        operators = [_text(child) for child in node.children if not child.is_named]
        if node.type == "file_redirect" and target is not None and operators:
            found.append(Redirect(operators[0], _word(target)))
    return tuple(found)


def _add_command(node: Node, redirects: tuple[Redirect, ...], feed: Feed | None, calls: list[Call]) -> None:
    words: list[Word] = []
    assigned: list[Word] = []
    own = [child for child in node.children if child.type in _REDIRECTS]
    for redirect in own:
        feed = _from_here(redirect, feed)
    for child in node.children:
        if child.type == "command_name":
            words.append(_word(child.children[0] if child.children else child))
        elif child.type == "variable_assignment":
            assigned.append(_assigned(child))
        elif child.type not in _REDIRECTS and child.is_named:
            words.append(_word(child))
    for child in node.children:  # the substitutions in its words run first
        for inner in child.children if child.type == "variable_assignment" else [child]:
            _walk(inner, None, calls)
    calls.append(Call(tuple(words), redirects + _redirects(own), feed, assigned=tuple(assigned)))


def _assigned(node: Node) -> Word:
    """`NAME=value` with its value as the program would get it."""
    name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
    held = _word(value) if value is not None else Word("")
    return replace(held, text=f"{_text(name) if name is not None else ''}={held.text}")


def _word(node: Node) -> Word:
    pieces = node.children if node.type == "concatenation" else [node]
    glob_source = "".join("x" if piece.type in _QUOTES | _EXPANSIONS else _text(piece) for piece in pieces)
    bracketed = node.type in ("extglob_pattern", "brace_expression")
    programs: set[str] = set()
    _collect_programs(node, programs)
    return Word(
        text="".join(map(_plain, pieces)),
        dynamic=_holds_expansion(node),
        globs=bracketed or bool(_GLOB.search(glob_source)),
        programs=frozenset(programs),
        process=node.type == "process_substitution",
    )


def _plain(node: Node) -> str:
    text = _text(node)
    if node.type == "raw_string":
        return text[1:-1]
    if node.type == "ansi_c_string":
        return _ansi(text[2:-1])
    if node.type in ("string", "translated_string"):
        inner = text[text.index('"') + 1 : -1]
        return re.sub(r'\\([$`"\\\n])', lambda found: found[1].strip("\n"), inner)
    if node.type in _EXPANSIONS or node.type == "process_substitution":
        return text
    return re.sub(r"\\(.|\n)", lambda found: found[1].strip("\n"), text)


def _ansi(text: str) -> str:
    try:
        return text.encode("latin-1", "backslashreplace").decode("unicode_escape")
    except UnicodeDecodeError:
        return text


def _holds_expansion(node: Node) -> bool:
    return node.type in _EXPANSIONS or any(map(_holds_expansion, node.children))


def _collect_programs(node: Node, found: set[str]) -> None:
    if node.type in ("command_substitution", "process_substitution"):
        inside: list[Call] = []
        for child in node.children:
            _walk(child, None, inside)
        for call in inside:
            found.update(_programs_of(call))
        return
    for child in node.children:
        _collect_programs(child, found)


def _bombs(root: Node) -> Iterator[str]:
    """Names of functions that start themselves more than once, or in the background: fork bombs."""
    pending = [root]
    while pending:
        node = pending.pop()
        pending.extend(node.children)
        if node.type != "function_definition":
            continue
        name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        if name is None or body is None:
            continue
        calls: list[Call] = []
        _walk(body, None, calls)
        itself = sum(call.name == _text(name) for call in calls)
        if itself > 1 or (itself and any(_text(child) == "&" for child in body.children)):
            yield _text(name)
