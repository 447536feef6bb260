"""Takes secrets out of text before it leaves the machine or is logged, and puts them back where only the user sees.

The detectors are terma's own data: detect-secrets brings requests and PyYAML along, which is much for a filter.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from terma.redact import blocks, context, tokens

__all__ = ["Redacted", "Redactor", "redact", "redact_lines", "restore"]

PLACEHOLDER = re.compile(r"<SECRET_(\d{1,9})>")
PASSES = 4  # what one secret hid may show the next; more is a text made to be so


@dataclass(frozen=True, slots=True)
class Redacted:
    """`text` without its secrets; `secrets` maps each placeholder in it, like `<SECRET_1>`, to what stood there."""

    text: str
    secrets: Mapping[str, str] = field(default_factory=dict)


class Redactor:
    """One session: the same secret has the same placeholder in every text. Not for several threads at once."""

    def __init__(self) -> None:
        self.secrets: dict[str, str] = {}
        self._names: dict[str, str] = {}
        self._number = 0

    def redact(self, text: str) -> Redacted:
        """Never raises, on any text. Its time grows with the length of the text, no faster."""
        for match in PLACEHOLDER.finditer(text):
            if match[0] not in self.secrets:  # somebody else's: never give out its number
                self._number = max(self._number, int(match[1]))
        for _ in range(PASSES):
            spans = _merged(text)
            if not spans:
                break
            text = self._replace(text, spans)
        used = {match[0] for match in PLACEHOLDER.finditer(text)}
        return Redacted(text, {name: value for name, value in self.secrets.items() if name in used})

    def restore(self, text: str) -> str:
        """Put back every secret that this session took out."""
        return restore(text, self.secrets)

    def _replace(self, text: str, spans: list[tuple[int, int]]) -> str:
        pieces, last = [], 0
        for start, end in spans:
            pieces += [text[last:start], self._name(self.restore(text[start:end]))]
            last = end
        return "".join([*pieces, text[last:]])

    def _name(self, value: str) -> str:
        if value not in self._names:
            self._number += 1
            name = f"<SECRET_{self._number}>"
            self._names[value], self.secrets[name] = name, value
        return self._names[value]


def redact(text: str) -> Redacted:
    """The secrets of one text, numbered from 1. A text that was redacted before comes back as it is."""
    return Redactor().redact(text)


def restore(text: str, secrets: Mapping[str, str]) -> str:
    """Put the values back in place of their placeholders; placeholders that `secrets` does not know stay."""
    return PLACEHOLDER.sub(lambda match: secrets.get(match[0], match[0]), text)


def redact_lines(lines: Iterable[str], redactor: Redactor) -> Iterator[str]:
    """`lines` (with their ends) redacted as they come; only the lines of a private key wait for its end."""
    held: list[str] = []
    for line in lines:
        if held and not blocks.goes_on(line):
            yield redactor.redact("".join(held)).text
            held = []
        if held or blocks.starts_one(line):
            held.append(line)
            if (blocks.closes(line) and not blocks.starts_one(line)) or len(held) > 2000:
                yield redactor.redact("".join(held)).text
                held = []
            continue
        yield redactor.redact(line).text
    if held:
        yield redactor.redact("".join(held)).text


def _merged(text: str) -> list[tuple[int, int]]:
    """Where the secrets stand: in order, none overlapping, none touching a placeholder."""
    found = sorted({*blocks.spans(text), *tokens.spans(text), *context.spans(text)})
    merged: list[tuple[int, int]] = []
    for start, end in found:
        if start >= end:
            continue
        if merged and start < merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return [span for span in merged if not PLACEHOLDER.fullmatch(text, *span)]
