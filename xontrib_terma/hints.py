"""A hint without a key: behind a failure the agent is asked which command it is sure of, as a task beside the empty
prompt, and that stands in the state line until the first key. Off until the settings or $TERMA_HINTS say yes."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping
from typing import Any

from terma import paths
from terma.errors import TermaError
from xontrib_terma.clean import clean

SETTLE = 0.02  # seconds: what was typed ahead has reached the prompt by then
NO = ("0", "f", "false", "n", "no", "off")
_YES = re.compile(r"[ \t]*hints[ \t]*=[ \t]*true\s*(#.*)?\Z")


def is_wanted(environ: Mapping[str, str]) -> bool:
    """Whether the person said yes: the variable, else a line of the file before its first table. The agent reads both
    anew."""
    told = environ.get("TERMA_HINTS", "")
    if told:
        return told.lower() not in NO
    try:
        text = (paths.config_dir() / "config.toml").read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return False
    for line in text.splitlines():
        if line.lstrip().startswith("["):
            return False
        if _YES.match(line):
            return True
    return False


class Hint:
    """The hint of one prompt session, shown in `state`."""

    def __init__(self, session: Any, prompter: Any, state: Any) -> None:
        self._session, self._prompter, self._state = session, prompter, state
        self._task: asyncio.Task[None] | None = None
        self._number = 0
        self._text = ""
        self._is_watching = False  # the keys
        self._has_started = False  # an agent, for a hint

    def begin(self) -> None:
        """A new prompt comes, behind a failure."""
        app = self._prompter.app
        app.pre_run_callables.append(self._start)

    def end(self, _: Any = None) -> None:
        """A key, or another prompt: it is gone, or not awaited any more."""
        task, self._task = self._task, None
        if task is not None:
            task.cancel()
        if self._text and self._state.text == self._text:
            self._state.clear()
        self._text = ""

    def unload(self) -> None:
        """terma is unloaded."""
        self.end()
        self._prompter.app.key_processor.before_key_press -= self.end

    def _start(self) -> None:
        self.end()
        app = self._prompter.app
        if not self._is_watching:
            self._is_watching = True
            app.key_processor.before_key_press += self.end
        self._task = app.create_background_task(self._ask())

    async def _ask(self) -> None:
        await asyncio.sleep(SETTLE)
        if self._prompter.default_buffer.text or not is_wanted(self._session.environment()):
            return
        from xontrib_terma import dialect, stream  # what talks to the agent loads here

        try:
            command = await self._command()
        except (stream.Refused, TermaError, OSError, ValueError):
            return  # nobody has asked: nothing is said
        is_free = not self._prompter.default_buffer.text and not self._state.text
        if command and is_free and dialect.parses(self._session.xsh, command):
            self._text = f"{self._session.editor.prompt.key}: {command}"
            self._state.show(self._text, "")

    async def _command(self) -> str:
        from xontrib_terma import reach, stream

        self._number += 1
        asked = stream.answer(self._session, self._number, "hint", reach.output(self._session))
        async with stream.closing(asked) as frames:
            async for verb, *rest in frames:
                if verb == "starting":
                    if self._has_started:
                        return ""
                    self._has_started = True
                elif verb == "done" and len(rest) > 1 and rest[0] == "hint":
                    return clean(rest[1])
        return ""
