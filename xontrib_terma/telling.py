"""What each piece of the line does, below it, before it runs: asked for as a task beside the prompt by a key of its
own, shown in the state line's place until the next key. The key on a line that is a command shows the same."""

from __future__ import annotations

import ast
import asyncio
import builtins
from typing import Any

from terma.errors import TermaError
from xontrib_terma.clean import clean

TEXT = "an explanation"  # what the state line says it is, for who asks
PYTHON = "terma: that is Python, which is not explained; commands are"
MAX_ROWS = 200


class Telling:
    """The explanation of one prompt session, shown in `state`."""

    def __init__(self, session: Any, prompter: Any, state: Any) -> None:
        self._session, self._prompter, self._state = session, prompter, state
        self._task: asyncio.Task[None] | None = None
        self._number = 0
        self._told: str | None = None  # the line below which it stands
        self._is_watching = False

    def press(self, app: Any, displaced: Any) -> None:
        """The key, which was `displaced` before: that it is on an empty line, and again on an explained one."""
        text = self._prompter.default_buffer.text
        was, self._told = self._told, None
        if not text.strip() or text == was:
            self._state.clear()
            if displaced is not None:
                displaced.press()
        elif is_python(self._session.xsh.ctx, text):
            self._state.show(PYTHON, text)
        else:
            self._stop()
            self._task = app.create_background_task(self._ask(text))

    def show(self, rows: list[tuple[str, str]], text: str) -> None:
        """Each row's level and text, below the line `text`."""
        if not self._is_watching:
            self._is_watching = True
            self._prompter.app.key_processor.before_key_press += self._key
        plain = bool(self._session.environment().get("NO_COLOR"))
        styles = {"": "ansibrightblack", "high": "bold ansired"}
        shown: list[tuple[str, str]] = []
        for level, row in rows:
            shown += [("", "\n")] if shown else []
            shown.append(("" if plain else styles.get(level, "ansired"), row))
        self._told = text
        self._state.show_rows(shown, TEXT, text)

    def end(self) -> None:
        """Another prompt."""
        self._stop()
        self._told = None

    def unload(self) -> None:
        """terma is unloaded."""
        self.end()
        if self._is_watching:
            self._is_watching = False
            self._prompter.app.key_processor.before_key_press -= self._key

    def _key(self, processor: Any) -> None:
        """Any key takes it away; its own key looks first whether it stands there."""
        if self._told is not None and self._state.text == TEXT:
            self._state.clear()
            if [str(getattr(press.key, "value", press.key)) for press in processor.input_queue][:1] != [
                "escape"
            ]:
                self._told = None

    def _stop(self) -> None:
        task, self._task = self._task, None
        if task is not None:
            task.cancel()

    async def _ask(self, text: str) -> None:
        from xontrib_terma import stream  # what talks to the agent loads at the first press

        before = self._prompter.default_buffer.document
        try:
            rows = await self._rows(text)
        except (stream.Refused, TermaError, OSError, ValueError) as error:
            if self._prompter.default_buffer.document == before:
                self._state.show(f"terma: {stream.shown(error)}", text)
            return
        if rows and self._prompter.default_buffer.document == before:
            self.show(rows, text)

    async def _rows(self, text: str) -> list[tuple[str, str]]:
        from xontrib_terma import stream

        self._number += 1
        rows: list[tuple[str, str]] = []
        own = {"buffer": text} | surroundings(self._session)
        async with stream.closing(stream.answer(self._session, self._number, "explain", own)) as frames:
            async for verb, *rest in frames:
                if verb == "starting":
                    self._state.show("terma · starting the agent", text)
                elif verb == "piece":
                    collect(rows, rest)
                elif verb == "done":
                    break
        return rows


def collect(rows: list[tuple[str, str]], fields: list[str]) -> None:
    """A `piece` frame."""
    if len(rows) < MAX_ROWS and len(fields) > 1:
        rows.append((fields[0], " ".join(clean(fields[1]).split("\n")).replace("\t", " ")))


def surroundings(session: Any) -> dict[str, str]:
    """What an explanation is told beside the line."""
    return {"plain": "1"} if session.environment().get("NO_COLOR") else {}


def is_python(names: Any, text: str) -> bool:
    """Whether xonsh reads `text` as Python and not as a command: it parses as that, and is a statement, or begins with
    a name that Python knows here."""
    try:
        body = ast.parse(text.strip()).body
    except (SyntaxError, ValueError):
        return False
    if len(body) != 1 or not isinstance(body[0], ast.Expr):
        return True
    first = next((node for node in ast.walk(body[0]) if isinstance(node, ast.Name)), None)
    return first is None or any(
        isinstance(node, ast.Name)
        and node.col_offset == 0
        and (node.id in names or hasattr(builtins, node.id))
        for node in ast.walk(body[0])
    )
