"""Reasoning that a model writes into its answer as `<think>…</think>`, told apart while it streams."""

from __future__ import annotations

from terma.chat import ReasoningDelta, TextDelta

OPEN, CLOSE = "<think>", "</think>"


class ThinkSplitter:
    """`feed` the text of an answer. A block counts only at its very beginning: later, it is what the person asked."""

    def __init__(self) -> None:
        self._held = ""
        self._state = "start"  # then "think", "gap" (blanks behind the block), "text"

    def feed(self, text: str) -> list[TextDelta | ReasoningDelta]:
        """The pieces that are certain after `text`."""
        said: list[TextDelta | ReasoningDelta] = []
        self._held += text
        if self._state == "start":
            bare = self._held.lstrip()
            if bare.startswith(OPEN):
                self._state, self._held = "think", bare[len(OPEN) :]
            elif not OPEN.startswith(bare):
                self._state = "text"
        if self._state == "think":
            thought, closed, after = self._held.partition(CLOSE)
            if closed:
                self._state, self._held = "gap", after
            else:
                keep = _overlap(thought)
                thought, self._held = thought[: len(thought) - keep], thought[len(thought) - keep :]
            if thought:
                said.append(ReasoningDelta(thought))
        if self._state == "gap":
            self._held = self._held.lstrip()
            if self._held:
                self._state = "text"
        if self._state == "text" and self._held:
            said.append(TextDelta(self._held))
            self._held = ""
        return said

    def close(self) -> list[TextDelta | ReasoningDelta]:
        """What was held back in case a tag followed."""
        left, self._held = self._held, ""
        if not left or self._state == "gap":
            return []
        return [ReasoningDelta(left) if self._state == "think" else TextDelta(left)]


def _overlap(text: str) -> int:
    """How many characters at the end of `text` may be the beginning of the closing tag."""
    return next((n for n in range(min(len(CLOSE) - 1, len(text)), 0, -1) if text.endswith(CLOSE[:n])), 0)
