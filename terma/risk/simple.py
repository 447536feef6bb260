"""Whether a line is nothing but simple commands with plain words, and which: what may be compared with a list."""

from __future__ import annotations

from typing import TYPE_CHECKING

from terma.risk.syntax import _parser, _spelled, _word

if TYPE_CHECKING:
    from tree_sitter import Node

# Everything else (expansions, redirections, assignments, subshells, loops, functions, `&`) makes a line not plain.
_JOINS = {"program", "list", "pipeline", "&&", "||", ";", "|", "\n", "comment"}
_WORDS = {"word", "number", "string", "string_content", "raw_string", "concatenation", '"'}
_LONGEST = 4000  # code points


def simple_commands(source: str) -> list[tuple[str, ...]] | None:
    """The words of each simple command of `source`, as the program gets them; None for a line that is more than that.

    `2>&1` and what goes to /dev/null is left out; wildcards stand as they are written."""
    if not source.strip() or len(source) > _LONGEST:
        return None
    root = _parser().parse(_spelled(source)).root_node
    commands: list[tuple[str, ...]] = []
    return commands if not root.has_error and _collect(root, commands) and commands else None


def _collect(node: Node, commands: list[tuple[str, ...]]) -> bool:
    if node.type == "command":
        return _command(node, commands)
    if node.type == "redirected_statement":
        body = node.child_by_field_name("body")
        others = [child for child in node.children if child != body]
        return body is not None and all(map(_harmless, others)) and _collect(body, commands)
    return node.type in _JOINS and all(_collect(child, commands) for child in node.children)


def _command(node: Node, commands: list[tuple[str, ...]]) -> bool:
    words: list[str] = []
    for child in node.children:
        if child.type == "file_redirect":
            if not _harmless(child):
                return False
            continue
        inner = child.children[0] if child.type == "command_name" and child.children else child
        if not _is_plain(inner):
            return False
        words.append(_word(inner).text)
    commands.append(tuple(words))
    return bool(words)


def _is_plain(node: Node) -> bool:
    return node.type in _WORDS and all(map(_is_plain, node.children))


def _harmless(node: Node) -> bool:
    target = node.child_by_field_name("destination")
    if node.type != "file_redirect" or target is None or not _is_plain(target):
        return False
    operators = {
        (child.text or b"").decode("ascii", "replace") for child in node.children if not child.is_named
    }
    text = _word(target).text
    return (operators <= {">&"} and text.isdigit()) or (
        operators <= {">", ">>", "&>"} and text == "/dev/null"
    )
