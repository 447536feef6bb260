"""What a proposed command would do, without running it: its programs' own manual pages, then the model in words."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from contextlib import aclosing
from pathlib import Path
from typing import TYPE_CHECKING

from terma.chat import ChatMessage, TextDelta
from terma.dialogue import Model, Piece, Proposal, Said, Waiting
from terma.errors import TermaError
from terma.machine import manual
from terma.machine.programs import is_builtin, where
from terma.repl.live import Live
from terma.repl.render import TerminalView
from terma.repl.terminal import Terminal
from terma.text import StreamSanitizer, one_line

if TYPE_CHECKING:
    from terma.repl.drawing import Drawing

ASKED = (
    "Explain the command below to the person who is asked to approve it: what each part does, what it changes, what "
    "could go wrong. At most eight short lines of markdown. Nothing is run."
)
_CALLS, _OPTIONS, _LONGEST = 6, 8, 160
_ARGUMENTS = 3  # words that follow an option on its own line
_NAME = re.compile(r"^NAME\s+(?:.*?\s)?\\?-{1,2}\s+(.+)$", re.MULTILINE)


async def explain(
    proposal: Proposal, terminal: Terminal, model: Model | None, drawing: Drawing, path: str, cwd: str
) -> None:
    """Tell it on the terminal, whose output wants its carriage returns. `model` None: the pages alone."""
    columns = max(terminal.size[0] - 1, 10)
    facts = await asyncio.to_thread(lambda: list(known(proposal.command, path, cwd)))
    for head, rest in facts:
        for row in drawing.text(f"{head}  {rest}" if rest else head, "dim", columns, "  "):
            terminal.write(row + "\r\n")
    if model is None:
        if not facts:
            terminal.write("  nothing is known of it here\r\n")
        return
    view = TerminalView(Live(terminal.write, lambda: terminal.size))
    view.show(Waiting())
    clean, said = StreamSanitizer(), ""
    shown = proposal.command or f"{proposal.tool} {dict(proposal.arguments)}"
    messages = (ChatMessage("system", ASKED), ChatMessage("user", shown))
    try:
        async with aclosing(model.chat(messages, ())) as events:
            async for event in events:
                if isinstance(event, TextDelta):
                    piece = clean.feed(event.text)
                    said += piece
                    view.show(Piece(piece))
        view.show(Said(said))
        await view.drained()
    except TermaError as error:
        view.stop()
        terminal.write(f"  {one_line(error.message)}\r\n")
    finally:
        view.stop()


def known(command: str, path: str, cwd: str) -> Iterator[tuple[str, str]]:
    """(`tar`, "an archiving utility"), (`  -x`, …): each program and option of which the machine itself tells. Blocks
    for some milliseconds."""
    try:
        from terma.risk.syntax import read
        from terma.risk.wrappers import inner_calls
    except ImportError:
        return
    calls = [call for outer in read(command)[0] for call in (outer, *inner_calls(outer)) if call.name]
    seen: set[tuple[str, ...]] = set()
    for call in calls[:_CALLS]:
        words = tuple(word.text for word in call.words)
        if words in seen:
            continue
        seen.add(words)
        page, name = _page(call.name, words[1:], path, cwd)
        if not page:
            yield call.name, "a builtin of the shell" if is_builtin(call.name, "bash") else ""
            continue
        about = _NAME.search(page)
        yield name, one_line(about[1], _LONGEST) if about else ""
        for word in _options(words[1:], page):
            if text := _option(page, word):
                yield f"  {word}", text


def _page(name: str, words: tuple[str, ...], path: str, cwd: str) -> tuple[str, str]:
    file = where(name, path, cwd)
    if not file:
        return "", name
    sub = next((word for word in words if not word.startswith("-")), "")
    if sub.isalpha() and (page := manual.page(f"{name}-{sub}", Path(file))):
        return page, f"{name} {sub}"
    return manual.page(name, Path(file)), name


def _options(words: tuple[str, ...], page: str) -> list[str]:
    """The options, a cluster as its letters where the page knows none of that name."""
    found: list[str] = []
    for word in words:
        if word == "--":
            break
        if word.startswith("--"):
            found.append(word.partition("=")[0])
        elif word.startswith("-") and word[1:].isalpha():
            cluster = len(word) > 2 and not _option(page, word)
            found += [f"-{letter}" for letter in word[1:]] if cluster else [word]
    return list(dict.fromkeys(found))[:_OPTIONS]


def _option(page: str, option: str) -> str:
    """What the page says of `option`: the text beneath the line that begins with it, and holds little else."""
    for line in re.finditer(
        rf"^(?:-[^\n]*, ?)?{re.escape(option)}(?![\w-])([^\n]*)\n+((?:[^\n]+\n?){{1,3}})", page, re.M
    ):
        text = " ".join(line[2].split()).partition(". ")[0]
        entry = len(line[1].split()) <= _ARGUMENTS and ")" not in line[1]
        if entry and text[0].isalpha() and text.count("(") == text.count(")") and not text.startswith("and "):
            return one_line(text, _LONGEST)
    return ""
