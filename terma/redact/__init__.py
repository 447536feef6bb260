"""Takes secrets out of text before it leaves the machine or is logged, and puts them back where only the user sees.

The detectors are terma's own data. detect-secrets, the library that is kept up, finds a quarter to a half of our
lines in a file (its entropy rules touch 85 of 100 harmless lines when let loose), at a hundredth of the speed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from terma.redact.find import PLACEHOLDER, Span, spans, spans_around
from terma.redact.repeats import LONG, Repeats
from terma.redact.stream import Hiding, Showing
from terma.redact.value_shapes import looks_random, very_random

__all__ = ["Hiding", "Redacted", "Redactor", "Showing", "in_lines", "marked", "redact", "restore", "whole"]

MARK = "<SECRET>"  # nobody can put it back
ENDS = 24_000  # characters at each end of a text that is about to be shortened
PASSES = 4  # what one secret hid may show the next; more is a text made to be so
SEARCHED = 50_000_000  # characters that may be searched for secrets seen before, in one text


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
        self._again = Repeats()
        self._number = 0

    def redact(self, text: str, before: str = "") -> Redacted:
        """Never raises, on any text. Its time grows with the length of the text, no faster.

        `before` stood before `text`, is read and not returned: a name there may give away a value here."""
        self._reserve(text)
        stream = Hiding(self, before)
        text = stream.feed(text) + stream.flush()
        used = {match[0] for match in PLACEHOLDER.finditer(text)}
        return Redacted(text, {name: value for name, value in self.secrets.items() if name in used})

    def portion(self, text: str, before: str) -> str:
        """One portion of a stream, see `Hiding`."""
        self._reserve(text)
        shift = len(before)
        found, known = spans(before + text), 0
        for number in range(PASSES):
            cut = [(max(start - shift, 0), end - shift) for start, end in found if end > shift]
            text, places = self._replace(text, cut)
            if number and not places:
                break  # and nothing stands again that did not before
            seen = len(self._again)
            text, again = self._replace(text, self._repeats(text, known))
            known = seen
            if not places and not again:
                break
            places = [match.span() for match in PLACEHOLDER.finditer(text)] if again else places
            found = spans_around(before + text, [(start + shift, end + shift) for start, end in places])
        return text

    def _reserve(self, text: str) -> None:
        """Never give out the number of a placeholder that is somebody else's."""
        for match in PLACEHOLDER.finditer(text):
            if match[0] not in self.secrets:
                self._number = max(self._number, int(match[1]))

    def restore(self, text: str) -> str:
        """Put back every secret that this session took out."""
        return restore(text, self.secrets)

    def _replace(self, text: str, found: list[Span]) -> tuple[str, list[Span]]:
        """The text with placeholders, and where they stand in it."""
        pieces: list[str] = []
        places: list[Span] = []
        last = length = 0
        for start, end in found:
            name = self._name(self.restore(text[start:end]))
            pieces += [text[last:start], name]
            length += start - last + len(name)
            places.append((length - len(name), length))
            last = end
        return "".join([*pieces, text[last:]]), places

    def _repeats(self, text: str, known: int) -> list[Span]:
        """Where secrets of this session stand again, bare, when they are too odd to be words; those alone that were
        found after the first `known`."""
        found: list[Span] = []
        values = sorted(self._again.in_text(text, known), key=len, reverse=True)
        for value in values[: max(20, SEARCHED // max(1, len(text)))]:
            at = text.find(value)
            while at >= 0:
                end = at + len(value)
                if len(value) >= LONG or not (text[at - 1 : at].isalnum() or text[end : end + 1].isalnum()):
                    found.append((at, end))
                at = text.find(value, end)
        return _apart(found)

    def _name(self, value: str) -> str:
        if value not in self._names:
            self._number += 1
            name = f"<SECRET_{self._number}>"
            self._names[value], self.secrets[name] = name, value
            odd = very_random(value) or (len(value) >= LONG and looks_random(value))
            if odd and len(value) < 500 and not re.search(r"[<>\n]|SECRET_", value):
                self._again.add(value)
        return self._names[value]


def redact(text: str) -> Redacted:
    """The secrets of one text, numbered from 1. A text that was redacted before comes back as it is."""
    return Redactor().redact(text)


def in_lines(done: Redacted) -> str:
    """The text with as many lines as it had before its secrets were taken out, for who counts them."""
    return PLACEHOLDER.sub(
        lambda found: found[0] + "\n" * done.secrets.get(found[0], "").count("\n"), done.text
    )


def whole(text: str, limit: int) -> str:
    """`text` as it can be shortened to `limit` characters, by its ends and single lines of its middle: what is longer
    has its secrets taken out there, since nobody knows one by its half. They are marked without a number."""
    if len(text) <= limit:
        return text
    if len(text) <= 2 * ENDS:
        return marked(redact(text))
    head, tail = redact(text[:ENDS]), Redactor().redact(text[-ENDS:], text[-2 * ENDS : -ENDS])
    return f"{marked(head)}{text[ENDS:-ENDS]}{marked(tail)}"


def marked(done: Redacted) -> str:
    """The text with as many lines as before and its secrets as MARK, for who has other placeholders."""
    return PLACEHOLDER.sub(
        lambda found: (
            MARK + "\n" * done.secrets[found[0]].count("\n") if found[0] in done.secrets else found[0]
        ),
        done.text,
    )


def restore(text: str, secrets: Mapping[str, str]) -> str:
    """Put the values back in place of their placeholders; placeholders that `secrets` does not know stay."""
    return PLACEHOLDER.sub(lambda match: secrets.get(match[0], match[0]), text)


def _apart(found: list[Span]) -> list[Span]:
    """In order, and of two that overlap only the first."""
    kept: list[Span] = []
    for start, end in sorted(found, key=lambda span: (span[0], -span[1])):
        if not kept or start >= kept[-1][1]:
            kept.append((start, end))
    return kept
