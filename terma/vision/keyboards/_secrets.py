"""Placeholders for what a model must never see: {{secret:NAME}} becomes a password here, on its way to the keys."""

from __future__ import annotations

import re
from collections.abc import Mapping

from terma.config import places
from terma.errors import TermaError
from terma.vision.errors import EyesError

PLACEHOLDER = re.compile(r"\{\{secret:([A-Za-z0-9_-]{1,64})\}\}")


class Secrets:
    """`places`: a name and where its value is ("env:VARIABLE", "command:pass show box"), read anew each time."""

    def __init__(self, places: Mapping[str, str]) -> None:
        self._places = dict(places)

    def __repr__(self) -> str:
        return f"Secrets({', '.join(sorted(self._places))})"

    def fill(self, text: str) -> str:
        """`text` with every placeholder replaced. Raises EyesError, without the value, for one that has none."""
        return PLACEHOLDER.sub(lambda found: self._value(found[1]), text)

    def _value(self, name: str) -> str:
        try:
            return places.value(self._places, name, "eyes.secrets")
        except TermaError as error:
            raise EyesError(error.message, error.hint) from None


def has(text: str) -> bool:
    """Whether a placeholder stands in it."""
    return PLACEHOLDER.search(text) is not None
