"""From a failure to what a shell prints of it: a header at once, the explanation as it comes, the fixes, the source.

Like translate, this is a border: everything that an engine says is sanitised here, and every fix carries what it
could destroy before anybody can press Enter on it.
"""

from __future__ import annotations

import asyncio
import signal
import textwrap
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Iterator
from dataclasses import field, replace

from terma.errors import ProviderError
from terma.records import dataclass
from terma.suggest.markdown import Renderer, Span
from terma.suggest.translate import MAX_COMMAND, PIECE, Frame, close
from terma.text import one_line, sanitize
from terma.types import Delta, Explained, Fix, Note, Output, Provider, Raw, Risk, Style, WhyQuery

Assess = Callable[[str, str, str], Risk]
See = Callable[[], Awaitable[WhyQuery]]

SOON = 0.5  # seconds of silence before the line that decides is shown by itself
MAX_FIXES = 5
MAX_SAID = 40_000  # code points of an explanation; a person reads far less
TOO_LONG = ("the explanation never ends", "ask again")
UNSEEN = "terma shell would keep it"
HEADER_COMMAND = 60  # columns of the command in the header


@dataclass(slots=True)
class Answer:
    """An explanation as it grew: `text` is its markdown, `fixes` what may be typed instead, each with its risk, `shown`
    the same of the commands in its code blocks: put nowhere unasked."""

    query: WhyQuery
    text: str = ""
    fixes: list[tuple[Fix, Risk]] = field(default_factory=list)
    shown: list[tuple[Fix, Risk]] = field(default_factory=list)


async def why(
    asked: WhyQuery,
    see: See,
    provider: Provider,
    assess: Assess,
    columns: int,
    keep: Callable[[Answer], None],
    decisive: Callable[[WhyQuery], str] = lambda query: "",
) -> AsyncGenerator[Frame | Raw, None]:
    """The frames that answer. `asked` is what the shell itself knows, for the header; `see` adds what can be seen of
    the output. `keep` gets the answer when it is whole. While the provider is silent the line that `decisive` finds in
    the output is shown. Raises what the provider raises."""
    for span in header(asked, columns):
        yield ("say", span.style, span.text)
    query = await see()
    answer, renderer = Answer(query), Renderer(columns)
    async for event in _with_a_word(_events(provider, answer, assess)):
        match event:
            case None:
                for frame in say(await asyncio.to_thread(_first_word, decisive, query)):
                    yield frame
            case Delta(text):
                for frame in say(renderer.feed(text)):
                    yield frame
            case Note(text):
                yield ("note", one_line(f"{provider.name} · {text}"))
            case Raw():
                yield event
    for frame in say(
        [*renderer.close(), *fix_lines(answer, columns), *trailer(provider.name, query.output, columns)]
    ):
        yield frame
    keep(answer)
    for fix, risk in answer.fixes:
        if fix.look:
            continue  # it mends nothing: it waits for the key, and nothing is put on the prompt
        yield ("fix", fix.command, risk.level, one_line(", ".join(risk.reasons)))
    yield ("done", "why")


async def _with_a_word(
    events: AsyncGenerator[Delta | Note | Raw, None],
) -> AsyncGenerator[Delta | Note | Raw | None, None]:
    """`events`, and None once where the first of them does not come within SOON seconds."""
    first = asyncio.ensure_future(anext(events, None))
    try:
        done, _ = await asyncio.wait((first,), timeout=SOON)
        if not done:
            yield None
        event = await first
        while event is not None:
            yield event
            event = await anext(events, None)
    finally:
        if not first.done():
            first.cancel()
            await asyncio.wait((first,))
        await close(events)


def _first_word(decisive: Callable[[WhyQuery], str], query: WhyQuery) -> list[Span]:
    line = one_line(decisive(query)) if query.output.text else ""
    return [Span("dim", f"{line}\n")] if line else []


async def answer_whole(query: WhyQuery, provider: Provider, assess: Assess) -> Answer:
    """The same for a program, which wants it in one piece."""
    answer = Answer(query)
    async for _ in _events(provider, answer, assess):
        pass
    return replace(answer, text=sanitize(answer.text))


async def _events(
    provider: Provider, answer: Answer, assess: Assess
) -> AsyncGenerator[Delta | Note | Raw, None]:
    """What the provider says until it has explained; `answer` grows with it."""
    events = provider.explain(answer.query)
    try:
        async for event in events:
            if isinstance(event, Explained):
                answer.fixes = list(_checked(event.fixes, answer.query, assess))
                answer.shown = list(_checked(event.shown, answer.query, assess))
                return
            if isinstance(event, Delta):
                answer.text += event.text
                if len(answer.text) > MAX_SAID:
                    raise ProviderError(*TOO_LONG)
            yield event
    finally:
        await close(events)
    raise ProviderError(f"{provider.name} ended without an answer", "try again")


def _checked(fixes: Iterable[Fix], query: WhyQuery, assess: Assess) -> Iterator[tuple[Fix, Risk]]:
    """The fixes that can be typed: visible, not too long, none twice, at most MAX_FIXES."""
    seen: set[str] = set()
    for fix in fixes:
        command = sanitize(fix.command)
        if command and command not in seen and len(command) <= MAX_COMMAND and len(seen) < MAX_FIXES:
            seen.add(command)
            risk = assess(command, query.cwd, query.shell)
            if query.shell == "xonsh":
                from terma.dialect.xonsh.rewrite import for_xonsh, is_python

                if command != query.command and query.command in command and is_python(query.command):
                    continue  # a call of Python's cannot go on behind a command, nor in another shell
                command = for_xonsh(command)
            yield replace(fix, command=command, note=one_line(fix.note)), risk


def header(query: WhyQuery, columns: int = 0) -> list[Span]:
    """What ran and how it ended: `make test · exit status 2 · 3.1 s`; on two lines where `columns` are too few."""
    if not query.command:
        return []
    command = one_line(query.command.partition("\n")[0], HEADER_COMMAND)
    parts = [ending(query.status)] if query.status >= 0 else []
    if query.duration >= 1_000_000:
        parts.append(_spent(query.duration / 1_000_000))
    ended = "".join(f" · {part}" for part in parts)
    if columns and len(command) + len(ended) >= columns:
        ended = "\n" + " · ".join(parts)
    return [Span("bold", command), Span("dim", ended + "\n")]


def ending(status: int) -> str:
    """An exit status in words: above 128 a shell reports a signal."""
    if status > 128:
        try:
            return f"exit status {status}, {signal.Signals(status - 128).name}"
        except ValueError:
            pass
    return f"exit status {status}"


def _spent(seconds: float) -> str:
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min {rest} s"


def fix_lines(answer: Answer, columns: int = 0) -> list[Span]:
    """The fixes to read: the first one is the one that will stand at the prompt. Of them only the risk is broken."""
    spans: list[Span] = []
    for number, (fix, risk) in enumerate(answer.fixes):
        if not number:
            spans.append(Span("plain", "\n"))
        command = fix.command.replace("\n", "\n     ")
        name = "look " if fix.look else "fix  "
        spans += [Span("dim", name if not number else "or   "), Span("code", command)]
        if fix.note:
            spans.append(Span("dim", f"   {fix.note}"))
        if risk.level != "low":
            style: Style = "danger" if risk.level == "high" else "warn"
            said = f"     ⚠ {risk.level}: {one_line(', '.join(risk.reasons))}"
            room = max(columns - 1, 20) if columns else len(said)
            spans.append(Span(style, "\n" + textwrap.fill(said, room, subsequent_indent=" " * 7)))
        spans.append(Span("plain", "\n"))
    return spans


def trailer(engine: str, output: Output, columns: int) -> list[Span]:
    """Who answered, and what it has seen, broken between words where `columns` are too few (0: not known)."""
    if not output.deep:
        seen = f"no output was seen ({output.trouble or UNSEEN})"
    elif not output.found:
        seen = f"{output.source}, the end of the screen: the command was not found on it"
    else:
        seen = output.source
    said = f"{engine} · {one_line(seen)}"
    return [Span("dim", (textwrap.fill(said, max(columns - 1, 20)) if columns else said) + "\n")]


def say(spans: Iterable[Span]) -> Iterator[Frame]:
    """Spans as frames that fit."""
    for span in spans:
        for at in range(0, len(span.text), PIECE):
            yield ("say", span.style, span.text[at : at + PIECE])
