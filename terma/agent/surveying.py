"""The ask `screen`: what a conversation is told of what the person's terminal shows, and how deep that goes."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from terma.agent.explaining import Explaining, request_of, told
from terma.context.lines import same_command
from terma.context.own import is_ours
from terma.errors import UnknownAnswer
from terma.suggest.translate import Frame
from terma.types import Output, WhyQuery

if TYPE_CHECKING:
    from terma.agent.choosing import Choosing
    from terma.context.gather import Screen
    from terma.types import Provider, Raw

Fields = Mapping[str, str]
HIDDEN = "privacy.output is false"


class Surveying:
    """Looks at the terminal once for a conversation."""

    def __init__(self, choosing: Choosing, explaining: Explaining) -> None:
        self._choosing = choosing
        self._explaining = explaining

    async def screen(self, fields: Fields) -> AsyncGenerator[Frame | Raw, None]:
        """`done json`: {"depth": "deep", "shallow" or "none", "said": that in words, "text": what a model is told}."""
        provider = await self._choosing.provider(fields, "why")
        asked = self._explaining.query(fields)
        if is_ours(asked.command):
            asked = replace(asked, command="", status=-1)
        may_see = await self._explaining.may_see(fields, provider)
        shot = await _shot(fields, asked, may_see)
        try:
            last = await self._last(asked, fields, shot, may_see)
        except UnknownAnswer:
            last = None
        depth, said = _depth(last, shot)
        if fields.get("another_pane") and depth != "none":
            said = f"{said}, another pane"
        text = "\n\n".join(filter(None, [f"Seen of the terminal: {said}", *_texts(provider, last, shot)]))
        yield ("done", "json", json.dumps({"depth": depth, "said": said, "text": text}, ensure_ascii=False))

    async def _last(self, asked: WhyQuery, fields: Fields, shot: Screen, may_see: bool) -> WhyQuery:
        if asked.command or not shot.past:
            seen = await self._explaining.see(asked, {**fields, "command": asked.command}, may_see)
            known = seen.output.found or not _shows_terma_alone(shot)
            return seen if known else replace(seen, output=Output())
        newest = shot.past[-1]
        output = Output(newest.output, shot.source, True, command=newest.command, status=newest.status)
        return replace(asked, command=newest.command, status=newest.status, output=output)


async def _shot(fields: Fields, asked: WhyQuery, may_see: bool) -> Screen:
    from terma.context.gather import Screen, screen

    return await screen(request_of(asked, fields)) if may_see else Screen(trouble=HIDDEN)


def _shows_terma_alone(shot: Screen) -> bool:
    """Whether a terminal was read, and nothing but questions to terma stands in it: they are no command's output."""
    return bool(shot.source) and not shot.past and not shot.tail


def _before(last: WhyQuery | None, shot: Screen) -> int:
    """How many of the commands on the screen stand before the last one."""
    count = len(shot.past)
    same = last is not None and count and same_command(shot.past[-1].command, last.command)
    return count - 1 if same else count


def _texts(provider: Provider, last: WhyQuery | None, shot: Screen) -> list[str]:
    from terma.context.recent import told as listed
    from terma.redact import redact

    earlier = listed(shot.past[: _before(last, shot)])
    texts = [f"Before that on the screen, the oldest first:\n{earlier}" if earlier else ""]
    if last is not None:
        texts.append(told(provider, last).text)
    elif shot.tail and not shot.past:
        texts.append(redact(f"The end of the terminal; no prompt is known in it:\n{shot.tail}").text)
    return texts


def _depth(last: WhyQuery | None, shot: Screen) -> tuple[str, str]:
    """How deep it goes, as a word and in words."""
    trouble = f" ({shot.trouble})" if shot.trouble else ""
    seen = last is not None and last.output.deep and last.output.found
    count = _before(last, shot) + (1 if seen else 0)
    source = shot.source or (last.output.source if last is not None else "")
    if count:
        some = "1 command with its output" if count == 1 else f"{count} commands with their outputs"
        return "deep", f"deep, {some}, from {source}"
    if shot.tail or (last is not None and last.output.deep):
        return "deep", f"the end of its text, from {source}: which command printed it is not known"
    if last is not None:
        return "shallow", f"shallow, the last command without its output{trouble}"
    return "none", f"none, nothing of what ran before terma{trouble}"
