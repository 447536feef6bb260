"""Text as it comes, without its secrets, and text as it comes with its secrets put back: the two streams there are.

A text is redacted in portions whose ends depend on the text alone, never on the pieces in which it came: so a stream
says what redacting the whole says. A portion ends at a line's end, never inside a private key, and is read together
with what stands before it."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Protocol

from terma.redact import blocks
from terma.redact.find import PLACEHOLDER_TAIL, spans, without_noise
from terma.redact.key_lines import BETWEEN
from terma.redact.key_lines import wide as is_wide
from terma.redact.rows import BARE
from terma.redact.rows import bare as is_bare

PORTION = 64_000  # characters: they fit a cache, and most of them are ASCII
AHEAD = (
    4_000  # of a line that is longer than a portion, what is read to see whether a secret stands at its end
)
LONGEST = (
    PORTION + blocks.LIMIT + AHEAD
)  # characters that a stream holds at most, besides what it is fed at once
BEFORE = 2_000  # characters before a portion: a name there gives away a value here
MANIFEST = 32_000  # the same, where a Kubernetes Secret was begun


class Hides(Protocol):
    """What a stream needs of a Redactor."""

    def portion(self, text: str, before: str) -> str: ...


class Hiding:
    """Takes the secrets out of a stream. What `feed` and `flush` return together is the same for all ways to cut the
    text in pieces, and what `Redactor.redact` makes of the whole; at most LONGEST characters are held.

    `settle` gives what is held already, for somebody who looks on: whole lines, and of a private key nothing. The
    portions end elsewhere then, so that a value may get another number, but none is shown that was given away."""

    def __init__(self, redactor: Hides, before: str = "") -> None:
        self._redactor = redactor
        self._held = ""
        self._before = before[-blocks.LIMIT :]

    def feed(self, text: str) -> str:
        self._held += text
        return self._portions(final=False)

    @property
    def held(self) -> int:
        """How many characters wait."""
        return len(self._held)

    def settle(self) -> str:
        """What can be told without what comes next."""
        return self._take(settled(self._held))

    def flush(self) -> str:
        """The rest: nothing more comes."""
        return self._portions(final=True)

    def _portions(self, *, final: bool) -> str:
        done = []
        held, at = self._held, 0  # what is left is moved once, not for each portion of a long text
        while at < len(held) and (final or len(held) - at >= LONGEST):
            ahead = held[at : at + LONGEST]
            count = _cut(ahead, self._before)
            done.append(self._portion(ahead[:count]))
            at += count
        self._held = held[at:]
        return "".join(done)

    def _take(self, count: int) -> str:
        if not count:
            return ""
        text, self._held = self._held[:count], self._held[count:]
        return self._portion(text)

    def _portion(self, text: str) -> str:
        before, self._before = self._before, _kept(self._before + text)
        return self._redactor.portion(text, before)


class Showing:
    """A model's words as they come, with the secrets put back by `restore` and then made fit by `clean`; a placeholder
    that may be under way is held. `given` is all that was returned."""

    def __init__(
        self,
        restore: Callable[[str], str] = str,
        clean: Callable[[str], str] = str,
    ) -> None:
        self.restore = restore
        self._clean = clean
        self._held = ""
        self.given = ""

    def feed(self, text: str) -> str:
        text = self._held + text
        tail = PLACEHOLDER_TAIL.search(text)
        cut = tail.start() if tail else len(text)
        self._held = text[cut:]
        return self._say(text[:cut])

    def flush(self) -> str:
        """What was held, when nothing follows it."""
        held, self._held = self._held, ""
        return self._say(held)

    def _say(self, text: str) -> str:
        piece = self._clean(self.restore(text))
        self.given += piece
        return piece


def settled(text: str) -> int:
    """How many characters of `text` can be redacted before more comes: whole lines, up to a private key that has not
    ended and to lines that may be of the middle of one."""
    return _in_its_noise(text, _settled)


def _in_its_noise(text: str, count: Callable[[str], int]) -> int:
    """What `count` says of `text` without colours and the like, in `text` itself."""
    if "\x1b" not in text and "\x9b" not in text:
        return count(text)
    bare, places = without_noise(text)
    number = count(bare)
    return len(text) if number == len(bare) else places[number]


def _settled(text: str) -> int:
    cut = text.rfind("\n") + 1
    if "-----BEGIN " in text or "PuTTY-" in text:
        begun = blocks.open_at(text)
        if 0 <= begun < cut:
            cut = text.rfind("\n", 0, begun) + 1
    return _before_wide(text, cut)


def _before_wide(text: str, cut: int) -> int:
    """`cut`, or before the one full line of base64 that stands there, perhaps with shorter ones or others behind it:
    the lines to come say whether it is of a key. Of two full ones that is known, and what follows is read together
    with them. Lines of nothing else are known by more of them, see `rows`."""
    starts = [cut]
    while len(starts) < BETWEEN + 3 and starts[-1] > max(0, cut - 2_000):
        starts.append(text.rfind("\n", 0, starts[-1] - 1) + 1)
    last = [text[start:end] for end, start in pairwise(starts)]
    bare = next((number for number, line in enumerate(last) if not is_bare(line)), len(last))
    if 0 < bare < BARE:
        cut = starts[bare]
    ended = next((number for number, line in enumerate(last) if blocks.END.search(line)), len(last))
    wide = [number for number, line in enumerate(last[:ended]) if is_wide(line)]
    one = len(wide) == 1 and wide[0] <= BETWEEN
    return min(cut, starts[wide[0] + 1]) if one else cut


def _cut(text: str, before: str) -> int:
    """Where the portion ends that `text` begins with; `text` is all there is, or as long as LONGEST."""
    if len(text) <= PORTION:
        return len(text)
    return _in_its_noise(text, lambda bare: _end_of_portion(bare, before))


def _end_of_portion(text: str, before: str) -> int:
    if len(text) <= PORTION:
        return len(text)
    end = text.rfind("\n", PORTION // 2, PORTION) + 1
    if not end:
        return _inside_a_line(text, before)
    begun = blocks.open_at(text[:end])
    if begun >= 0 and (close := blocks.END.search(text, begun, begun + blocks.LIMIT)):
        line = text.rfind("\n", 0, begun) + 1
        return line or text.find("\n", close.end()) + 1 or len(text)
    return _before_wide(text, end) or end


def _inside_a_line(text: str, before: str) -> int:
    """The end of a portion in a line that is longer: behind the secret that stands there."""
    near = text[: PORTION + AHEAD]
    head = before + near
    return max(
        (end - len(before) for start, end in spans(head) if start < len(before) + PORTION < end),
        default=PORTION,
    )


def _kept(text: str) -> str:
    """What of the text before a portion is read with it: some lines, and a Secret's from its head on."""
    if len(text) <= BEFORE:
        return text
    at = len(text) - BEFORE
    manifest = text.rfind("kind", max(0, len(text) - MANIFEST))
    if 0 <= manifest < at and "Secret" in text[manifest : manifest + 20] and "\n---" not in text[manifest:]:
        at = manifest
    return text[text.rfind("\n", max(0, at - AHEAD), at) + 1 or at :]
