"""Sentences about sets of files: read by all phrases at once, rendered when every word has found its place."""

from __future__ import annotations

from collections.abc import Iterator

from terma.offline.draft import Context, Draft
from terma.offline.grammar.file_phrases import (
    actions,
    exclusions,
    kinds,
    moves,
    names,
    output,
    owner,
    places,
    reading,
    renames,
    shown,
    size,
    tests,
    text,
)
from terma.offline.grammar.file_phrases.frame import MACROS, FileFrame
from terma.offline.grammar.file_phrases.render import render
from terma.offline.grammar.leftover import judge
from terma.offline.grammar.match import Rules
from terma.offline.sentence import Sentence

RULES = Rules[FileFrame](MACROS).joined(
    tests.RULES,
    owner.RULES,
    exclusions.RULES,
    output.RULES,
    shown.RULES,
    size.RULES,
    kinds.RULES,
    names.RULES,
    moves.RULES,
    actions.RULES,
    text.RULES,
    renames.RULES,
    reading.RULES,
    places.RULES,
)
DESTRUCTIVE = frozenset(("delete", "move", "chmod", "chown", "gzip", "extract", "replace", "rename", "touch"))


def candidates(sentence: Sentence, context: Context) -> Iterator[Draft]:
    """The one command for the set of files that the sentence describes, or nothing."""
    frame = FileFrame(sentence)
    used = RULES.read(sentence, frame)
    if frame.action == "rename":
        frame.nouns += 1
    if not (frame.nouns or frame.files.names or frame.files.contains) or len(used) < 2:
        return
    if _is_text(frame):
        return
    destructive = frame.action in DESTRUCTIVE
    score = judge(sentence, used, destructive)
    if not score:
        return
    command = render(frame)
    if not command:
        return
    tool = command.split(None, 1)[0]
    yield Draft(
        command,
        "grammar." + ("for" if tool == "for" else tool),
        frozenset(used),
        score * frame.trust,
        tool="" if tool == "for" else tool,
        destructive=destructive,
    )


_TEXT_NOUNS = frozenset("line row column field word character letter comma number value text entry".split())


def _is_text(frame: FileFrame) -> bool:
    """Whether one named file is spoken of, not a set: its lines are not for find, its deletion not for grep | rm."""
    files = frame.files
    if not files.names or any(c in name for name in files.names for c in "*?["):
        return False
    norms = {token.norm for token in frame.sentence.tokens if token.kind == "word"}
    if norms & _TEXT_NOUNS:
        return True
    return (
        not files.roots and not frame.nouns and frame.verb != "find" and frame.action not in ("copy", "move")
    )
