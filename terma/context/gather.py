"""Asks the places that may have the last command's output, one after the other, and makes it fit to be read."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterable
from dataclasses import replace
from functools import cache

from terma import registry
from terma.context.cut import by_text
from terma.context.marks import Marked, by_marks, finished
from terma.errors import TermaError
from terma.text import one_line, strip_ansi
from terma.types import Capture, CaptureRequest, Output, Source

# Seconds for each source: it answers in milliseconds, unless the machine is busy. Tests are more patient.
LIMIT = float(os.environ.get("TERMA_TEST_CAPTURE_SECONDS", "1"))
LONGEST = 8_000  # code points of an output that are not shortened
_PACKAGE = "terma.context.sources"
_MAX_TEXT = 1024 * 1024  # code points of a capture that are looked at: its end


async def gather(
    request: CaptureRequest, sources: Iterable[Source] | None = None, limit: float = LIMIT
) -> Output:
    """What the last command printed, from the first of `sources` (all of ours by default) that shows it.

    A source that is cut off after `limit` seconds or broken leaves its reason in `trouble`, and the next one is asked;
    so it is when the command does not stand in what one shows, and then the first end of a terminal's text is given,
    with `found` False. Raises nothing but CancelledError."""
    troubles: list[str] = []
    unsure: Output | None = None
    for source in _ours() if sources is None else sources:
        try:
            async with asyncio.timeout(limit):
                capture = await source.capture(request)
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
        text = output.digest(
            whole(output.plain(finished(own.text, request.shell), columns), LONGEST), LONGEST
        )
        return Output(text, capture.source, True, command=own.command, status=own.status)
    cut = by_text(output.plain(raw, columns) if "\r" in raw else strip_ansi(raw), request, columns)
    text = output.digest(whole(output.plain(cut.text, columns), LONGEST), LONGEST)
    if not cut.found and not text.strip():
        return Output(trouble=f"{capture.source} shows nothing above the prompt: the screen was cleared")
    return Output(text, capture.source, cut.found, command=cut.command)


@cache
def _ours() -> tuple[Source, ...]:
    sources = [registry.load(_PACKAGE, name) for name in registry.names(_PACKAGE)]
    return tuple(sorted(sources, key=lambda source: source.priority))


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
