"""The ask `chat`: a conversation's turns in, a chat model's events out, with secrets kept here on the way.

The fields `messages` and `tools` are JSON lists as `terma.models.worker.messages` writes them; `role`, `temperature`,
`settings`, `engine` and `env.NAME` say which model. Each event is a frame `event`, preceded by `part` frames where it
is long; the first one names the model. `place` and `conversation` tell what a question and a conversation start from.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import replace
from functools import partial
from typing import Any

from terma import levels
from terma.agent import local_model
from terma.agent.chat.beside import Beside, as_text, embedded, giving_way
from terma.agent.chat.secrets import hidden
from terma.agent.choosing import Choosing
from terma.agent.engines import Choice, find
from terma.agent.explaining import absolute, aliases
from terma.agent.giving import GaveWay
from terma.agent.remembering import shell_of
from terma.chat import ChatMessage, ChatRequest, ModelSpec, ToolSpec, Usage
from terma.config import Settings
from terma.config.reader import plain
from terma.config.roles import Role
from terma.context import guides, history
from terma.context.place import latest
from terma.errors import UsageError
from terma.models.worker.messages import event_out
from terma.printing import named
from terma.suggest.prompt import head
from terma.tools import among
from terma.types import Query

Fields = Mapping[str, str]
Frames = AsyncGenerator[tuple[str, ...], None]
JOB = "assistant"  # the role where a request names none
SECONDS = 3600.0  # for one answer; the model's own time-outs end a silence much earlier
PIECE = 12_000  # code points of JSON in one frame, each of which may be five bytes there
MAX_MESSAGES = 4_000
FILLED = 0.75  # of a model's context: the rest is for its answer


class Chatting:
    """Answers for the models and the embedded engine that `choosing` knows."""

    def __init__(self, choosing: Choosing, os_name: str) -> None:
        self._choosing = choosing
        self._os = os_name
        self._gave_way = GaveWay()

    def answer(self, kind: str, fields: Fields) -> Frames:
        """The frames that answer chat, place or conversation."""
        kinds = {"chat": self.chat, "place": self.place, "conversation": self.conversation}
        return kinds[kind](fields)

    async def chat(self, fields: Fields) -> Frames:
        """`event` frames, `done chat`. Raises ModelError, ConfigError or UsageError."""
        messages, tools = _messages(fields), _tools(fields)
        choice, settings, role = await self._choosing.choice(fields, JOB)
        begins = messages[-1].role == "user"
        if choice.auto and self._gave_way.holds(shell_of(fields), begins):
            choice = embedded(choice)
        tools = tuple(tool for tool in tools if role.tools is None or among(tool.name, role.tools))
        beside = Beside(self._choosing, messages, tools, self._query(fields), partial(self._typed, fields))
        if choice.spec is None:
            events = beside.answer(choice, begins)
        else:
            told = levels.of_lines(fields.get("settings", ""))
            spec = replace(_warmth(choice.spec, role, fields), verbose=told.deps)
            events = self._modelled(replace(choice, spec=spec), settings, role, messages, tools, fields)
            if choice.auto:
                given_up = partial(self._gave_way.give, shell_of(fields))
                events = giving_way(events, choice, beside, begins, self._choosing.patience, given_up)
        async with aclosing(events) as coming:
            async for said in coming:
                for frame in frames(said):
                    yield frame
        yield ("done", "chat")

    async def place(self, fields: Fields) -> Frames:
        """`done json`: what a model is told of where `question` was asked, within what privacy allows:
        {"facts", "guide"}, the latter null or {"name", "text"} of the repository's notes for agents."""
        choice, settings, _ = await self._choosing.choice(fields, JOB)
        query = self._query(fields)
        facts = [f"Directory: {named(query.cwd)}" if query.cwd else ""]
        notes: guides.Guide | None = None
        if choice.spec is not None:
            past = await history.soon(fields.get("histfile", ""))
            found = await self._choosing.rooms().place(replace(query, history=past), settings)
            facts += [f"Git: {named(found.git)}" if found.git else ""]
            facts += [f"Files here: {'  '.join(map(named, found.files))}" if found.files else ""]
            if settings.privacy.guides and not choice.spec.small:
                notes = await asyncio.to_thread(guides.guide, query.cwd)
            lately = latest(past) if settings.privacy.history else ()
            facts += ["Commands of this person:\n" + "\n".join(found.past) if found.past else ""]
            facts += ["Typed last, the oldest first:\n" + "\n".join(lately) if lately else ""]
        told = {
            "facts": "\n".join(filter(None, facts)),
            "guide": {"name": notes.name, "text": str(notes)} if notes else None,
        }
        yield ("done", "json", json.dumps(told, ensure_ascii=False))

    async def conversation(self, fields: Fields) -> Frames:
        """`done json`: {"settings": […of the table conversation], "model", "engine", "why", "role", "tools" (null:
        all), "files": whether files may be told, "context_tokens": what of the model's context a conversation may
        fill, 0 where it is not known, "asks": what `auto` found and may take after a yes, {"name", "question"}}."""
        choice, settings, role = await self._choosing.choice(fields, JOB)
        known = settings.models.get(settings.model)
        room = known.context_tokens if known else 0
        if choice.spec is not None and choice.spec.provider == local_model.PLUGIN.name:
            room = await asyncio.to_thread(local_model.context)
        about = {
            "settings": plain(settings.conversation),
            "model": choice.spec.name if choice.spec else choice.engine,
            "engine": choice.engine,
            "why": choice.why,
            "role": role.name,
            "tools": None if role.tools is None else list(role.tools),
            "files": settings.privacy.files,
            "context_tokens": int(room * FILLED),
            "asks": [
                {"name": one.name, "question": one.question} for one in choice.left if one.state == "asked"
            ],
        }
        yield ("done", "json", json.dumps(about, ensure_ascii=False))

    async def _modelled(
        self,
        choice: Choice,
        settings: Settings,
        role: Role,
        messages: Sequence[ChatMessage],
        tools: tuple[ToolSpec, ...],
        fields: Fields,
    ) -> AsyncGenerator[list[Any], None]:
        from terma.models.policy.fallbacks import with_fallbacks

        assert choice.spec is not None
        spec, rooms = choice.spec, self._choosing.rooms()
        rooms.may_ask(settings)
        here = await rooms.place(replace(self._query(fields), cwd=""), settings)
        whole = _headed(messages, head(role.text, fields.get("shell", "bash"), here))
        kept = await hidden(whole)
        self._choosing.will_tell(spec)
        rooms.told(spec.name, as_text(kept.messages, tools))
        yield ["Model", {"name": spec.name, "local": False}]
        request = ChatRequest(spec=spec, messages=kept.messages, tools=tools)
        answer = with_fallbacks(request, choice.others, find)
        if spec.verbose:
            from terma.models.policy.overheard import overheard

            answer = overheard(answer, [one.api_key for one in (spec, *choice.others)])
        async with aclosing(answer) as events:
            async for event in events:
                if isinstance(event, Usage):
                    rooms.used(spec, event)
                for shown in kept.shown(event):
                    yield event_out(shown)
        for shown in kept.close():
            yield event_out(shown)

    async def _typed(self, fields: Fields) -> tuple[str, ...]:
        allowed = (await self._choosing.settings(fields)).privacy.history
        return latest(await history.soon(fields.get("histfile", ""))) if allowed else ()

    def _query(self, fields: Fields) -> Query:
        return Query(
            words=fields.get("question", "")[:4000],
            shell=fields.get("shell", "bash"),
            cwd=absolute(fields.get("cwd", "")),
            path=fields.get("path", ""),
            os=self._os,
            aliases=aliases(fields.get("aliases", "")),
        )


def frames(said: list[Any]) -> list[tuple[str, ...]]:
    """One event as frames that fit: the last is `event`, what is before its end comes as `part`."""
    text = json.dumps(said, ensure_ascii=False)
    pieces = [text[at : at + PIECE] for at in range(0, len(text), PIECE)]
    return [*(("part", "event", piece) for piece in pieces[:-1]), ("event", pieces[-1])]


def _messages(fields: Fields) -> tuple[ChatMessage, ...]:
    """Raises UsageError."""
    turns = _list(fields, "messages")
    if not turns or len(turns) > MAX_MESSAGES:
        raise UsageError(f"a chat has 1 to {MAX_MESSAGES} messages")
    try:
        return tuple(map(ChatMessage.of, turns))
    except ValueError as error:
        raise UsageError(str(error)) from error


def _tools(fields: Fields) -> tuple[ToolSpec, ...]:
    """Raises UsageError."""
    tools = []
    for tool in _list(fields, "tools"):
        parameters = tool.get("parameters")
        if not _text(tool, "name") or not isinstance(parameters, dict):
            raise UsageError("a tool has a name, a description and parameters")
        tools.append(ToolSpec(_text(tool, "name"), _text(tool, "description"), parameters))
    return tuple(tools)


def _list(fields: Fields, key: str) -> list[dict[str, Any]]:
    try:
        value = json.loads(fields.get(key) or "[]")
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
        raise UsageError(f"{key} is not a JSON list of objects")
    return value


def _text(value: Mapping[str, Any], key: str) -> str:
    found = value.get(key)
    return found if isinstance(found, str) else ""


def _headed(messages: Sequence[ChatMessage], first: str) -> list[ChatMessage]:
    """With the role and the machine in front of the conversation's own system text, and two questions in a row as
    one: templates of models want an answer between them."""
    own = messages[0].content if messages[0].role == "system" else ""
    headed = [ChatMessage("system", f"{first}\n\n{own}" if own else first)]
    for message in messages[1:] if own else messages:
        if message.role == "user" == headed[-1].role:
            headed[-1] = replace(message, content=f"{headed[-1].content}\n\n{message.content}")
        else:
            headed.append(message)
    return headed


def _warmth(spec: ModelSpec, role: Role, fields: Fields) -> ModelSpec:
    """With the temperature that the request wants, else the model's own, else the role's. Raises UsageError."""
    text = fields.get("temperature", "")
    if not text:
        return spec if spec.temperature is not None else replace(spec, temperature=role.temperature)
    try:
        wanted = float(text)
    except ValueError:
        wanted = -1.0
    if not 0 <= wanted <= 2:
        raise UsageError(f"temperature is a number from 0 to 2, not {text!r}")
    return replace(spec, temperature=wanted)
