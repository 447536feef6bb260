"""The secrets of one conversation: the same placeholder in every turn, and back again only for the person's eyes."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any

from terma.redact import Redactor
from terma.redact.find import PLACEHOLDER
from terma.text import StreamSanitizer

_TAIL = re.compile(r"<(?:S(?:E(?:C(?:R(?:E(?:T(?:_\d{0,9})?)?)?)?)?)?)?\Z")


class Secrets:
    """Takes secrets out of what a model is told, and puts them into what it says."""

    def __init__(self) -> None:
        self._redactor = Redactor()

    def hide(self, text: str) -> str:
        """`text` as a model, and a file, may have it."""
        return self._redactor.redact(text).text

    def reserve(self, texts: Iterable[str]) -> None:
        """Never give a secret the placeholder of one that is not known here: a resumed conversation has some."""
        for name in {found[0] for text in texts for found in PLACEHOLDER.finditer(text)}:
            self._redactor.redact(name)

    def show(self, text: str) -> str:
        """`text` as the person has it."""
        return self._redactor.restore(text)

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


class Spoken:
    """What a model says, for the person, as it comes: with its secrets put back, fit for a terminal."""

    def __init__(self, secrets: Secrets) -> None:
        self._secrets = secrets
        self._clean = StreamSanitizer()
        self._held = ""
        self.text = ""

    def feed(self, text: str) -> str:
        """The piece that is certain after `text`; a placeholder that may be under way is held."""
        text = self._held + text
        tail = _TAIL.search(text)
        cut = tail.start() if tail else len(text)
        self._held = text[cut:]
        return self._say(text[:cut])

    def close(self) -> str:
        """The rest."""
        held, self._held = self._held, ""
        return self._say(held)

    def _say(self, text: str) -> str:
        piece = self._clean.feed(self._secrets.show(text))
        self.text += piece
        return piece
