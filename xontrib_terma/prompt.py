"""What the key does with the line: asks about it, draws the answer as it comes, and can take it all back in one step.

prompt_toolkit saves the line for undo before the key's handler; nothing that is drawn here is saved, so one undo finds
the sentence, and one redo the answer.
"""

from __future__ import annotations

import asyncio
from typing import Any

from prompt_toolkit.document import Document

from xontrib_terma.candidates import Candidates
from xontrib_terma.clean import clean
from xontrib_terma.hints import Hint
from xontrib_terma.remember import now
from xontrib_terma.stateline import StateLine
from xontrib_terma.telling import Telling, collect, surroundings

GUARD = 0.2  # seconds after a change of ours, or an Enter that did nothing, in which Enter does nothing
REPEATS = (
    0.5  # seconds more behind an Enter that did nothing: a key held down comes again later than it goes on
)
SETTLE = 0.02  # seconds: what was typed ahead has reached the prompt by then
MAX_TRIES = 5  # candidates that xonsh cannot read are passed over


class Prompt:
    """One prompt session's line. `kind` is what is asked: translate, fix, or fixes (those of an explanation)."""

    def __init__(self, session: Any, prompter: Any) -> None:
        self._session, self._prompter = session, prompter
        self.state = StateLine(prompter, lambda: bool(session.environment().get("NO_COLOR")))
        self._kind = "translate"
        self._origin = Document()  # the line before the key was first pressed on it
        self._drawn: Document | None = None  # as we last set it
        self._attempt = self._number = self._fix_at = 0
        self._task: asyncio.Task[None] | None = None
        self._changed = self._held = -GUARD - REPEATS
        self._note = self._risk = ""
        self._half = ""  # how dangerous what stands so far is
        self._displaced: Any = None  # xontrib_terma.displaced.Displaced, what the key would do without us
        self._has_told = False  # that it goes to what it was
        self._kept: tuple[Document, str, int] | None = (
            None  # the whole answer before, its state line, its number
        )
        self._is_whole = self._again = self._wants_list = self._asks_list = False
        self._near: str | None = None  # the sentence below which a command stands that terma is not sure of
        self._second = False  # whether that command is what is asked for
        self.key = "the key"  # by its name
        self.list = Candidates(self.state, session.environment)
        self.hint = Hint(session, prompter, self.state)
        self.telling = Telling(session, prompter, self.state)
        self._pieces: list[tuple[str, str]] = []  # of the line that is a command already
        self.offer = False  # the first fix waits for the next prompt

    @property
    def is_busy(self) -> bool:
        return self._task is not None and not self._task.done()

    @property
    def is_untouched(self) -> bool:
        """Whether an answer stands there as it came: so long ^C gives the words back, once."""
        return not self.is_busy and self._is_ours()

    @property
    def is_guarded(self) -> bool:
        return now() - self._changed < GUARD or now() - self._held < GUARD + REPEATS

    @property
    def _buffer(self) -> Any:
        return self._prompter.default_buffer

    def has_something_to_ask(self) -> bool:
        memory = self._session.memory
        return bool(self._buffer.text.strip() or self._session.fixes or memory.answered or memory.has_failed)

    def is_new(self, _: Any = None) -> bool:
        """Whether the line is the person's own, and so a step for undo."""
        return self._drawn is None or self._buffer.text != self._drawn.text

    def press(self, app: Any, displaced: Any) -> None:
        """The key, which was `displaced` before."""
        buffer, repeated = self._buffer, not self.is_new()
        near = self._near is not None and buffer.text == self._near
        quick = self.list.press() and (repeated or near) and self._kind == "translate"
        if self.list.is_open:
            self.move(1)
            return
        if quick and self.is_busy:
            self._wants_list = True  # as soon as this answer, which may cost something, is whole
            return
        if near:
            self._take_near(app, quick)
            return
        self._stop()
        self._again = False
        if quick:
            self._ask_list(app)
            return
        if repeated and self._kind == "fixes" and self._session.fixes:
            self._step_fix(1)
            return
        if repeated:
            self._keep()
            self._attempt += 1
        elif buffer.text.strip():
            self._take("translate")
        elif self._session.fixes and not self._session.memory.answered:
            self._begin_fixes()
            return
        elif self._session.memory.answered or self._session.memory.has_failed:
            self._take("fix")
        else:
            self.state.show("terma: type what you want, then press the key", buffer.text)
            return
        self._ask(app, displaced)

    def _ask(self, app: Any, displaced: Any) -> None:
        line = self._buffer.document
        self._drawn, self._note, self._risk, self._displaced = line, "", "", displaced
        self._half = ""
        self._is_whole = self._wants_list = False
        self._near = None
        self.list.forget()
        self.state.show("terma · asking · Ctrl+C cancels", line.text)
        self._held = -GUARD - REPEATS
        self._task = app.create_background_task(self._fill())

    def _take_near(self, app: Any, quick: bool) -> None:
        """The command below the sentence. Twice quickly was pressed for the list: nothing was read yet."""
        if not quick:
            self._take("translate")
            self._second = True
            self._ask(app, None)

    def _stand_near(self, extra: dict[str, str]) -> None:
        """The sentence stays, and what is nearest stands below it."""
        from xontrib_terma import dialect

        if self._kept is not None or not dialect.parses(self._session.xsh, extra["near"]):
            self._fail(extra["why"])
            return
        level = self._risk.partition(":")[0]
        said = f"{level + ' · ' if level else ''}{extra['why']}; {self.key}: {extra['near']}"
        self._put_origin()
        self._near = self._buffer.text
        self.state.show(said, self._near)

    def _ask_list(self, app: Any) -> None:
        self._keep()
        self._attempt, self._asks_list = 1, True
        self._ask(app, None)

    def _open_list(self) -> None:
        from xontrib_terma import dialect

        choices = self.list
        choices.items = [each for each in choices.items if dialect.parses(self._session.xsh, each.command)]
        if not choices.items:
            self._fail("no answer that xonsh can read; say it in other words")
            return
        self._task, self._kept, choices.is_open = None, None, True
        self.move(0)

    def move(self, step: int) -> None:
        """In the list: the candidate `step` further stands on the line."""
        choices = self.list
        choices.at = (choices.at + step) % len(choices.items)
        self._attempt, self._note, self._risk = choices.at, "", ""
        self._draw(choices.items[choices.at].command)
        choices.draw()

    def take(self, number: int | None = None) -> None:
        """Out of the list: the chosen candidate, or that `number`, stands as any answer does."""
        choices = self.list
        if number is not None:
            self.move(number - choices.at)
        item = choices.items[choices.at]
        choices.close()
        self._note, self._risk = item.note, item.risk
        self._finish(
            item.command,
            {} if item.cursor is None else {"cursor": str(item.cursor), "select": str(item.select)},
        )

    def step_back(self, app: Any) -> None:
        """The candidate before, on an answer that stands as it came."""
        self._stop()
        if self._kind == "fixes" and self._session.fixes:
            self._step_fix(-1)
        elif self._attempt == 0:
            self.state.show(
                "terma: this is the first answer; Ctrl+C gives your words back", self._buffer.text
            )
        else:
            self._keep()
            self._attempt, self._again = self._attempt - 1, True
            self._ask(app, None)

    def _keep(self) -> None:
        if self._is_whole and self._drawn is not None:
            self._kept = (self._drawn, self._risk + self._note, self._attempt)

    def cancel(self) -> None:
        """The answer before, which was paid for, or the line as it was before the key."""
        ours = self._is_ours()
        asked = self.is_busy
        self.list.close()
        self._stop()
        self.state.clear()
        if ours and asked and self._kept is not None:
            self._drawn, shown, self._attempt = self._kept
            self._is_whole = True
            self.state.show(shown, self._drawn.text)
            self._buffer.set_document(self._drawn, bypass_readonly=True)
        elif ours:
            self._buffer.set_document(self._origin, bypass_readonly=True)
            self._drawn = None

    def hold(self) -> None:
        """Enter, which runs nothing now, nor does the next one without a pause before it: it may be held down."""
        self._changed = now()
        if now() - self._held > GUARD + REPEATS:
            self._held = now()
        if self.is_busy:
            self.state.show("terma: still writing; Ctrl+C gives the sentence back", self._buffer.text)

    def look(self, _: Any = None) -> None:
        """The line or its cursor has changed: by another hand than ours, that hand has it from here on."""
        if self.list.is_open and not self._is_ours():
            self.list.close()
        if self._near is not None and self._buffer.text != self._near:
            self._near = None
        if self.is_busy and not self._is_ours():
            self._stop()  # an Enter straight behind it was typed ahead, too
            self._leave_half()

    def begin(self) -> None:
        """A new prompt comes: nothing of the last one is left, and a fix that waits is put on it."""
        self._stop()
        self.hint.end()
        self.telling.end()
        self.state.clear()
        self.list.forget()
        self._drawn, self._near = None, None
        self._changed = self._held = -GUARD - REPEATS
        if self.offer and self._session.fixes:
            app = self._prompter.app
            app.pre_run_callables.append(lambda: app.create_background_task(self._offer()))
        elif self._session.memory.has_just_failed():
            self.hint.begin()

    def end(self) -> None:
        """terma is unloaded."""
        self._stop()
        self.hint.unload()
        self.telling.unload()
        self.state.clear()

    async def _offer(self) -> None:
        await asyncio.sleep(SETTLE)  # what was typed meanwhile comes first
        if self.offer and self._session.fixes and not self._buffer.text:
            self.offer = False
            self._buffer.save_to_undo_stack()
            self._begin_fixes()

    def _step_fix(self, step: int) -> None:
        self._fix_at = (self._fix_at + step) % len(self._session.fixes)
        self._put_fix()

    def _take(self, kind: str) -> None:
        self._kept, self._second = None, False
        self._kind, self._origin, self._attempt = kind, self._buffer.document, 0

    def _is_ours(self) -> bool:
        """Whether what stands there, cursor and all, is what we drew."""
        return self._drawn is not None and self._drawn == self._buffer.document

    def _stop(self) -> None:
        task, self._task = self._task, None
        if task is not None and not task.done():
            task.cancel()
            self._changed = now()

    def _draw(self, text: str, cursor: int | None = None) -> None:
        from xontrib_terma import mode

        at = mode.resting(self._prompter.app, len(text) if cursor is None else cursor, text)
        self.state.show(self._risk + self._note, text)
        self._drawn, self._changed = Document(text, at), now()
        self._buffer.set_document(self._drawn, bypass_readonly=True)
        self._prompter.app.invalidate()

    async def _fill(self) -> None:
        """The task of one press."""
        from xontrib_terma import stream  # what talks to the agent loads at the first press

        try:
            text, extra = await self._answer()
        except stream.Refused as error:
            nothing = self._kind == "fix" and error.code == "unknown"
            self._session.memory.unfixable |= nothing
            self._session.memory.answered &= not nothing
            if nothing and self._displaced and self._displaced.name != "transpose-chars":
                self._give_back(told=True)
            else:
                self._fail(str(error))
        except asyncio.CancelledError:
            raise
        except Exception as error:
            self._fail(stream.shown(error))
        else:
            if text:
                self._finish(text, extra)
                if self._wants_list:
                    self._ask_list(self._prompter.app)
            elif "list" in extra:
                self._open_list()
            elif "near" in extra:
                self._stand_near(extra)
            elif "told" in extra:
                self._put_origin()
                self.telling.show(self._pieces, self._buffer.text)
            elif extra:
                self._give_back()

    async def _answer(self) -> tuple[str, dict[str, str]]:
        """The first answer that xonsh can read; an empty one as _stream gives it."""
        from xontrib_terma import dialect, stream

        for _ in range(MAX_TRIES):
            text, extra = await self._stream()
            if not text or dialect.parses(self._session.xsh, text):
                return text, extra
            self._attempt += 1
            if self._attempt >= int(extra.get("total", "1")):
                break
        raise stream.Refused("unknown", "no answer that xonsh can read; say it in other words")

    async def _stream(self) -> tuple[str, dict[str, str]]:
        """The whole answer and its extras; no text when the person has taken over, or, with an extra `displaced`, when
        the key is not ours on this line."""
        from xontrib_terma import reach, stream

        own = {"attempt": str(self._attempt)} | ({"again": "1"} if self._again else {})
        if self._kind == "translate":
            own |= {"buffer": self._origin.text, "displaced": "1" if self._displaced else ""}
            own["list"] = "1" if self._asks_list else "0"
            own["second"] = "1" if self._second else "0"
            own |= {"explain": "1", "half": "1", "lines": reach.lines()} | surroundings(self._session)
            self._pieces = []
            self._asks_list = False
        else:
            own |= reach.output(self._session) | ({"answered": "1"} if self._session.memory.answered else {})
        self._number += 1
        text = ""
        async with stream.closing(stream.answer(self._session, self._number, self._kind, own)) as frames:
            async for verb, *rest in frames:
                if not self._is_ours():
                    self._leave_half()
                    return "", {}
                if verb == "starting":
                    self.state.show("terma · starting the agent · Ctrl+C cancels", self._buffer.text)
                elif verb == "delta":
                    text += clean(rest[0])
                    if len(text) > stream.MAX_ANSWER:
                        raise stream.Refused("internal", "the answer is far too long")
                    self._draw(text)
                elif verb == "note":
                    self._say(note=rest[0])
                elif verb == "item":
                    self.list.collect(rest)
                elif verb == "piece":
                    collect(self._pieces, rest)
                elif verb == "sofar":
                    self._half = "" if rest[0] == "low" else f"⚠ {rest[0]}: {rest[1]} · not the whole answer"
                elif verb == "risk":
                    self._say(risk=f"⚠ {rest[0]}: {rest[1]} · ")
                elif verb == "done":
                    if rest[0] == "displaced" and self._displaced:
                        return "", {"displaced": "1"}
                    if rest[0] == "list" and self.list.items:
                        return "", {"list": "1"}
                    if rest[0] == "explained" and self._pieces:
                        return "", {"told": "1"}
                    if rest[0] == "unsure" and len(rest) > 2:
                        return "", {"near": clean(rest[1]), "why": clean(rest[2])}
                    if rest[0] != "replace" or len(rest) < 2:
                        break
                    pairs = (pair.partition("=") for pair in rest[2:])
                    return clean(rest[1]).rstrip("\n"), {key: value for key, _, value in pairs}
        raise stream.Refused("internal", "the agent gave no answer")

    def _leave_half(self) -> None:
        """The person's key has ended an answer in its middle: what stands is the line, and where that is dangerous it
        says so; not of one that begins otherwise, or has lost more than its last character."""
        line, half = self._buffer.text, self._drawn.text if self._drawn else ""
        self.state.show(self._half if line.startswith(half) or line == half[:-1] else "", line)

    def _say(self, note: str | None = None, risk: str | None = None) -> None:
        self._note = self._note if note is None else note
        self._risk = self._risk if risk is None else risk
        self.state.show(self._risk + self._note, self._buffer.text)

    def _finish(self, text: str, extra: dict[str, str]) -> None:
        """The whole answer stands, its first blank to fill marked."""
        start, length = _number(extra, "cursor"), _number(extra, "select")
        self._task, self._is_whole = None, True
        self._draw(text, start if 0 <= start <= len(text) and "cursor" in extra else None)
        if 0 < length <= len(text) - start:
            from xontrib_terma import mode

            mode.mark(self._prompter.app, self._buffer, start, length)
        self._prompter.app.invalidate()

    def _give_back(self, told: bool = False) -> None:
        """The line is a command already, or there is no fix: the key does what it did before terma. Said once unless it
        is `told` otherwise."""
        displaced, self._displaced, self._task, self._drawn = self._displaced, None, None, None
        self.state.clear()
        displaced.press()
        if not (self._has_told or told):
            self._has_told = True
            what = f" {displaced.name}" if displaced.name else ""
            self.state.show(f"terma: a command already; the key did{what} as before", self._buffer.text)

    def _put_origin(self) -> None:
        self._task = None
        if self._is_ours() and self._buffer.document != self._origin:
            self._buffer.set_document(self._origin, bypass_readonly=True)
            self._changed = now()
        self._drawn = None

    def _fail(self, message: str) -> None:
        self._put_origin()
        self.state.show(f"terma: {message}", self._buffer.text)

    def _begin_fixes(self) -> None:
        """The first fix, on an empty prompt: one undo brings that back."""
        self._take("fixes")
        self._fix_at = 0
        self._put_fix()

    def _put_fix(self) -> None:
        fixes = self._session.fixes
        command, self._risk = fixes[self._fix_at]
        self._note = f"fix {self._fix_at + 1}/{len(fixes)}" if len(fixes) > 1 else ""
        if not self._note:
            self._risk = self._risk.removesuffix(" · ")
        self._draw(command)


def _number(extra: dict[str, str], key: str) -> int:
    text = extra.get(key, "")
    return int(text) if text.isdecimal() else 0
