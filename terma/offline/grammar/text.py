"""Sentences about the text of a file: read by all phrases at once, rendered as a pipe."""

from __future__ import annotations

from collections.abc import Iterator

from terma.offline.draft import Context, Draft
from terma.offline.grammar import text_change, text_columns, text_lines, text_source
from terma.offline.grammar.leftover import judge
from terma.offline.grammar.match import Rules
from terma.offline.grammar.text_frame import MACROS, TextFrame
from terma.offline.grammar.text_render import render
from terma.offline.sentence import Sentence

RULES: Rules[TextFrame] = Rules(MACROS).joined(
    text_change.RULES, text_lines.RULES, text_columns.RULES, text_source.RULES
)


def candidates(sentence: Sentence, context: Context) -> Iterator[Draft]:
    """The one pipe for what the sentence says about text, or nothing."""
    frame = TextFrame(sentence)
    used = RULES.read(sentence, frame)
    if len(used) < 2 or not (frame.sources or frame.whole):
        return
    command = render(frame)
    if not command:
        return
    destructive = command.startswith("sed -i") or " > " in command
    score = judge(sentence, used, destructive)
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
