"""Whether a line is nothing but simple commands with plain words, and which: what may be compared with a list."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from terma.risk.syntax import _parser, _spelled, _text, _word

if TYPE_CHECKING:
    from tree_sitter import Node

# Everything else (expansions, redirections, assignments, subshells, loops, functions, `&`) makes a line not plain.
_JOINS = {"program", "list", "pipeline", "&&", "||", ";", "|", "\n", "comment"}
_WORDS = {"word", "number", "string", "string_content", "raw_string", "concatenation", '"'}
_LONGEST = 4000  # code points


_BRACES = re.compile(r"\{[^{}]*(?:,|\.\.)[^{}]*\}")


@dataclass(frozen=True, slots=True)
class SimpleWord:
    """A word as the program gets it, but for what the shell would still expand: that stands in `text` as it is
    written, and a mark says so. Each mark is about what is not quoted: `glob` (`*`, `?`, `[`), `brace` (`{a,b}`,
    `{1..3}`), `tilde` (`~`, `~name`), `expansion` (`$NAME`, `${NAME…}`, also in double quotes)."""

    text: str
    glob: bool = False
    brace: bool = False
    tilde: bool = False
    expansion: bool = False

    @property
    def expands(self) -> bool:
        """Whether the program may get other words than `text`."""
        return self.glob or self.brace or self.tilde or self.expansion


def simple_commands(source: str, shell: str = "") -> list[tuple[SimpleWord, ...]] | None:
    """The words of each simple command of `source`; None for a line that is more than that, or that the shells which
    may run it read differently, or that `shell` (its name; "" when nobody knows it) reads in its own way.

    `2>&1` and what goes to /dev/null is left out."""
    if not source.strip() or len(source) > _LONGEST:
        return None
    root = _parser().parse(_spelled(source)).root_node
    if shell not in ("", "bash", "zsh", "sh", "dash"):
        return None
    commands: list[tuple[SimpleWord, ...]] = []
    return commands if not root.has_error and _collect(root, commands) and commands else None


def _collect(node: Node, commands: list[tuple[SimpleWord, ...]]) -> bool:
    if node.type == "command":
        return _command(node, commands)
    if node.type == "redirected_statement":
        body = node.child_by_field_name("body")
        others = [child for child in node.children if child != body]
        return body is not None and all(map(_harmless, others)) and _collect(body, commands)
    return node.type in _JOINS and all(_collect(child, commands) for child in node.children)


def _command(node: Node, commands: list[tuple[SimpleWord, ...]]) -> bool:
    words: list[SimpleWord] = []
    for child in node.children:
        if child.type == "file_redirect":
            if not _harmless(child):
                return False
            continue
        inner = child.children[0] if child.type == "command_name" and child.children else child
        if not _is_plain(inner):
            return False
        words.append(_simple(inner))
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


def _simple(node: Node) -> SimpleWord:
    pieces = node.children if node.type == "concatenation" else [node]
    bare = "".join(_text(piece) if piece.type in ("word", "number") else "x" for piece in pieces)
    bare = re.sub(r"\\.", "x", bare)
    return SimpleWord(
        _word(node).text, bool(re.search(r"[*?\[]", bare)), bool(_BRACES.search(bare)), bare.startswith("~")
    )
