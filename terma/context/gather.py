"""Asks the places that may have the last command's output, one after the other, and makes it fit to be read."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache

from terma import added, registry
from terma.context import recent
from terma.context.cut import TAIL, by_text
from terma.context.lines import squeeze
from terma.context.marks import Marked, by_marks, finished
from terma.errors import TermaError
from terma.text import one_line, strip_ansi
from terma.types import Capture, CaptureRequest, Output, Source

# Seconds for each source: it answers in milliseconds, unless the machine is busy. Tests are more patient.
LIMIT = float(os.environ.get("TERMA_TEST_CAPTURE_SECONDS", "1"))
LONGEST = 8_000  # code points of an output that are not shortened
_PACKAGE = "terma.context.sources"
_QUESTION = 4  # rows at most on which one that was typed ahead is known again
_TELLING = 16  # characters of a greeting that goes on in the next row
_MAX_TEXT = 1024 * 1024  # code points of a capture that are looked at: its end


async def gather(
    request: CaptureRequest, sources: Iterable[Source] | None = None, limit: float = LIMIT
) -> Output:
    """What the last command printed, from the first of `sources` (all there are by default) that shows it.

    A source that is cut off after `limit` seconds or broken leaves its reason in `trouble`, and the next one is asked;
    so it is when the command does not stand in what one shows, and then the first end of a terminal's text is given,
    with `found` False. Raises nothing but CancelledError."""
    troubles: list[str] = []
    unsure: Output | None = None
    for source in _all() if sources is None else sources:
        try:
            async with asyncio.timeout(limit):
                capture = _before_greeting(await source.capture(request), request)
            output = None if capture is None else read(capture, request)
        except TimeoutError:
            troubles.append(f"{source.name} did not answer within {limit * 1000:.0f} ms")
        except Exception as error:  # the edge of one plug-in: whatever it does wrong, the question goes on
            troubles.append(_reason(source.name, error))
        else:
            if output and output.found:
                return output
            unsure = unsure or output
    trouble = troubles[0] if troubles else ""
    return replace(unsure, trouble=trouble or unsure.trouble) if unsure else Output(trouble=trouble)


@dataclass(frozen=True, slots=True)
class Screen:
    """What a terminal shows of the commands before: `past`, the oldest first, fit to be read, as `source` has them.
    `tail` is the end of its text where no prompt is known in it; `trouble` why there is nothing."""

    past: tuple[recent.Past, ...] = ()
    source: str = ""
    tail: str = ""
    trouble: str = ""


async def screen(
    request: CaptureRequest, sources: Iterable[Source] | None = None, limit: float = LIMIT
) -> Screen:
    """The commands on the screen of `request`, from the first source that shows any. Raises nothing but
    CancelledError."""
    from terma import output
    from terma.redact import whole

    troubles: list[str] = []
    ends: list[Screen] = []
    for source in _all() if sources is None else sources:
        try:
            async with asyncio.timeout(limit):
                if isinstance(source, recent.Remembers):
                    found = await source.recent(request)
                else:
                    capture = _before_greeting(await source.capture(request), request)
                    found = None if capture is None else recent.read(capture, request)
        except TimeoutError:
            troubles.append(f"{source.name} did not answer within {limit * 1000:.0f} ms")
        except Exception as error:  # the edge of one plug-in: whatever it does wrong, the question goes on
            troubles.append(_reason(source.name, error))
        else:
            if found:
                return Screen(recent.fit(found, request.columns), source.name)
            if found is not None:
                ends.append(Screen((), source.name))
            elif not isinstance(source, recent.Remembers) and capture is not None:
                text = strip_ansi(capture.text[-_MAX_TEXT:]).rstrip().split("\n")[-TAIL:]
                ends.append(
                    Screen((), source.name, output.digest(whole("\n".join(text), LONGEST), LONGEST).strip())
                )
    return ends[0] if ends else Screen(trouble=troubles[0] if troubles else "")


def _before_greeting(capture: Capture | None, request: CaptureRequest) -> Capture | None:
    """What stood on the screen before a conversation began there: it draws its prompt while it is looked at."""
    if capture is None or capture.exact or not request.greeting:
        return capture
    rows = capture.text[-_MAX_TEXT:].split("\n")
    for at in range(len(rows) - 1, -1, -1):
        row = strip_ansi(rows[at]).strip()
        if row.startswith(request.greeting) or (len(row) >= _TELLING and request.greeting.startswith(row)):
            return replace(capture, text="\n".join(rows[:at]))
    return capture


def read(capture: Capture, request: CaptureRequest) -> Output:
    """The last command's output in `capture`, as plain text, folded and shortened. Without `source` when the terminal
    shows nothing at all."""
    from terma import output
    from terma.redact import whole

    raw = capture.text[-_MAX_TEXT:]
    columns = capture.columns
    if capture.exact:
        own: Marked | None = Marked(raw, capture.command, capture.status)
    else:
        own = by_marks(raw, request)
    if own is not None:
        shown = _without_typed_ahead(output.plain(finished(own.text, request.shell), columns), request)
        text = output.digest(whole(shown, LONGEST), LONGEST)
        return Output(text, capture.source, True, command=own.command, status=own.status)
    cut = by_text(output.plain(raw, columns) if "\r" in raw else strip_ansi(raw), request, columns)
    shown = output.plain(cut.text, columns)
    shown = _without_typed_ahead(shown, request) if cut.found else shown
    text = output.digest(whole(shown, LONGEST), LONGEST)
    if not cut.found and not text.strip():
        return Output(trouble=f"{capture.source} shows nothing above the prompt: the screen was cleared")
    return Output(text, capture.source, cut.found, command=cut.command)


def _without_typed_ahead(text: str, request: CaptureRequest) -> str:
    """`text` without the question at its end, where that was typed before the command had ended: the terminal itself
    showed it there, and the shell does so once more at its prompt."""
    asked = squeeze(request.asked)
    rows = text.rstrip().split("\n")
    for count in range(1, _QUESTION + 1) if asked and asked not in squeeze(request.command) else ():
        if squeeze("".join(rows[-count:])) == asked:
            return "\n".join(rows[:-count])
    return text


def _all() -> tuple[Source, ...]:
    """Ours and the person's own, in the order in which they are asked; anew when a file of theirs changed."""
    return _of(added.stamp(_PACKAGE))


@lru_cache(maxsize=1)
def _of(_stamp: tuple[object, ...]) -> tuple[Source, ...]:
    broken: list[Source] = []
    sources = registry.every(_PACKAGE, lambda line: broken.append(_LeftOut(line)), _check)
    return (*sorted(sources, key=lambda source: source.priority), *broken)


def _check(source: Source) -> None:
    _ = (source.name, source.priority + 0, source.variables[0], source.capture)


class _LeftOut:
    """In the place of a source of the person's that cannot be had: says so where no other one has the text."""

    name = "terminals"
    priority = 1000
    variables: tuple[str, ...] = ()

    def __init__(self, line: str) -> None:
        self.line = line

    async def capture(self, request: CaptureRequest) -> Capture | None:
        """Raises TermaError, always."""
        raise TermaError(self.line)


def _reason(name: str, error: Exception) -> str:
    """One line; a bare exception's words may be empty."""
    if isinstance(error, TermaError):
        said = error.message if not error.hint else f"{error.message} ({error.hint})"
    elif isinstance(error, OSError):
        said = error.strerror or str(error)
    else:
        said = f"it failed with {type(error).__name__}"
    line = one_line(said, 240)
    return line if line.lower().startswith(name) else f"{name}: {line}"
