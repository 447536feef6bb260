"""The secrets of one conversation: the same placeholder in every turn, and back again only for the person's eyes."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from terma.redact import Redactor, Showing, in_lines
from terma.redact.find import PLACEHOLDER
from terma.text import StreamSanitizer


class Secrets:
    """Takes secrets out of what a model is told, and puts them into what it says."""

    def __init__(self) -> None:
        self._redactor = Redactor()

    def hide(self, text: str) -> str:
        """`text` as a model, and a file, may have it."""
        return self._redactor.redact(text).text

    def hide_lines(self, text: str) -> str:
        """The same with as many lines as before: a part of it is wanted."""
        return in_lines(self._redactor.redact(text))

    def reserve(self, texts: Iterable[str]) -> None:
        """Never give a secret the placeholder of one that is not known here: a resumed conversation has some."""
        for name in {found[0] for text in texts for found in PLACEHOLDER.finditer(text)}:
            self._redactor.redact(name)

    def show(self, text: str) -> str:
        """`text` as the person has it."""
        return self._redactor.restore(text)

    def spoken(self) -> Showing:
        """What a model says, for the person, as it comes: its secrets put back, fit for a terminal."""
        return Showing(self.show, StreamSanitizer().feed)

    @staticmethod
    def unknown(value: Any) -> str:
        """A placeholder in a JSON value that stands for nothing here: of a conversation that another process held."""
        found = PLACEHOLDER.search(json.dumps(value, ensure_ascii=False))
        return found[0] if found else ""

    def show_all(self, value: Any) -> Any:
        """The same for every string in a JSON value."""
        if isinstance(value, str):
            return self.show(value)
        if isinstance(value, list):
            return [self.show_all(item) for item in value]
        if isinstance(value, dict):
            return {key: self.show_all(item) for key, item in value.items()}
        return value
