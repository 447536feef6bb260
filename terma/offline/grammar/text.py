"""Sentences about the text of a file: read by all phrases at once, rendered as a pipe."""

from __future__ import annotations

from collections.abc import Iterator

from terma.offline.draft import Context, Draft
from terma.offline.grammar.leftover import judge
from terma.offline.grammar.match import Rules
from terma.offline.grammar.text_phrases import (
    around,
    changes,
    columns,
    counts,
    deletions,
    lines,
    matches,
    shape,
    sort,
    source,
)
from terma.offline.grammar.text_phrases.frame import MACROS, TextFrame
from terma.offline.grammar.text_phrases.render import render
from terma.offline.sentence import Sentence

RULES = Rules[TextFrame](MACROS).joined(
    changes.RULES,
    deletions.RULES,
    shape.RULES,
    lines.RULES,
    matches.RULES,
    around.RULES,
    counts.RULES,
    columns.RULES,
    sort.RULES,
    source.RULES,
)


def candidates(sentence: Sentence, context: Context) -> Iterator[Draft]:
    """The one pipe for what the sentence says about text, or nothing."""
    frame = TextFrame(sentence)
    used = RULES.read(sentence, frame)
    if len(used) < 2 or not (frame.sources or frame.whole):
        return
    if _is_set(frame):
        return
    command = render(frame)
    if not command:
        return
    destructive = command.startswith("sed -i") or " > " in command
    score = judge(sentence, used, destructive)
    if any("*" in source for source in frame.sources):
        score *= 0.93  # a set of files is rather read by the other grammar
    if not score:
        return
    tool = command.split(None, 1)[0]
    yield Draft(
        command,
        f"grammar.{tool}",
        frozenset(used),
        score,
        tool="" if tool == "echo" else tool,
        destructive=destructive,
    )


_SET_NOUNS = frozenset(
    "directory subdirectory tree symlink recursive recursively filename folder file".split()
)
_KNOWN_FILES = ("/etc/", "/proc/", "/dev/std", "$")


def _is_set(frame: TextFrame) -> bool:
    """Whether a source looks like a directory: a path without a suffix that nobody called a file."""
    norms = {token.norm for token in frame.sentence.tokens if token.kind == "word"}
    for path in frame.sources:
        tail = path.rstrip("/").rpartition("/")[2]
        if "/" in path and "." not in tail.strip(".") and "literal" not in frame.flags:
            if norms & _SET_NOUNS or not path.startswith(_KNOWN_FILES):
                return True
            if path.count("/") < 2:
                return True
    return False
