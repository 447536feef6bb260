"""Commands that a model proposes: through a tool call, or as JSON in its text where it cannot call tools.

The protocol is `{"commands": [{"command": …, "description": …}]}`. Models put it in fences and prose, forget its end,
say it twice. Both ways give the same Commands; an unfinished command is none, since its missing end may be all that
keeps it harmless.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from terma.chat import Command, ToolCall, ToolSpec
from terma.conversation.json_records import (
    LISTS,
    MAX_COMMANDS,
    NAMES,
    NOTES,
    WRAPPERS,
    balanced,
    begun,
    records,
    unique,
    whole_commands,
)
from terma.conversation.loose_json import read

TOOL = ToolSpec(
    "propose_commands",
    "Offer shell commands to the person, who will look at them and may run one. The best comes first.",
    {
        "type": "object",
        "properties": {
            "commands": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {
                        "command": {"type": "string", "description": "one command line, as it is typed"},
                        "description": {"type": "string", "description": "what it does, in a few words"},
                    },
                    "required": ["command", "description"],
                },
            }
        },
        "required": ["commands"],
    },
)
INSTRUCTION = (
    "End your answer with the commands you propose, the best first, as one JSON object and nothing after it: "
    '{"commands": [{"command": "one command line", "description": "what it does"}]}'
)
MAX_TEXT = 256 * 1024  # code points of a reply that are looked at
MAX_OPENINGS = 200  # braces tried; a page of code has no commands behind its two-hundredth
_FENCE = re.compile(r"(?:^|\n)[ \t]*(?:```+|~~~+)[ \t]*[\w-]*[ \t]*\n?[ \t\n]*\Z")
_TAG = re.compile(r"<[\w|/]{0,20}>?\s*\Z")
_ENDING_BEGUN = re.compile(r"\s*[\]})]*\s*(?:`{0,2}|~{0,2}|</?[\w|]{0,20})")
_QUOTES = "\"'`“”‘’„"
# What may stand between the opening brace and the first key that tells: blanks, quotes, comments, an outer bracket.
_OPENING = re.compile(rf"[\[{{]\s*(?:[\[{{]\s*){{0,3}}(?:(?://|\#)[^\n]*\n\s*)*[{_QUOTES}]*\s*(\w*)")
_KEYS = (*LISTS, *NAMES, *NOTES, *WRAPPERS, "name", "type", "id", "tool", "reasoning", "thought", "shell")


def from_call(call: ToolCall) -> list[Command]:
    """The commands of a native tool call, whatever the tool's name; arguments that are not quite JSON are read too."""
    text = call.arguments.lstrip()
    return unique(whole_commands(read(text)[0])) if text[:1] in ("{", "[") else []


def from_text(text: str) -> list[Command]:
    """The commands of a whole reply, in its order, none twice. Empty when it proposes none."""
    reader = CommandReader()
    found = [*reader.feed(text).commands, *reader.close().commands]
    return found


@dataclass(frozen=True, slots=True)
class Reading:
    """What became certain: prose for the person, and commands that are whole."""

    prose: str = ""
    commands: tuple[Command, ...] = ()


@dataclass
class CommandReader:
    """Reads a reply as it streams: `feed` its pieces, then `close`. Prose comes out without the JSON and its fences;
    each command comes out once, as soon as it is whole."""

    _held: str = ""  # what is not yet known to be prose, or an object that is still being written
    _told: set[str] = field(default_factory=set)
    _inside: bool = False
    _behind: bool = False  # an object ended: the fence or bracket behind it belongs to it
    _size: int = 0

    def feed(self, text: str) -> Reading:
        """What is certain after `text`."""
        self._size += len(text)
        if self._size > MAX_TEXT:
            text = text[: max(len(text) - (self._size - MAX_TEXT), 0)]
        self._held += text
        return self._go(last=False)

    def close(self) -> Reading:
        """The rest: held prose, and the commands of an object whose end was never written."""
        return self._go(last=True)

    def _go(self, last: bool) -> Reading:
        prose: list[str] = []
        commands: list[Command] = []
        for _ in range(MAX_OPENINGS):
            if self._inside:
                if not self._object(commands, last):
                    break
            elif not self._prose(prose, last):
                break
        if last:
            prose.append(self._held if not self._inside else "")
            self._held, self._inside = "", False
        return Reading("".join(prose), tuple(commands))

    def _object(self, commands: list[Command], last: bool) -> bool:
        """Take what is whole of the object that opens the held text. Whether it has ended."""
        value, end = read(self._held)
        over = end < len(self._held) or closed(self._held[:end])
        for command in whole_commands(value) if over or last else begun(value):
            if command.command not in self._told and len(self._told) < MAX_COMMANDS:
                self._told.add(command.command)
                commands.append(command)
        if over:
            self._held, self._inside, self._behind = self._held[end:], False, True
        return over

    def _prose(self, prose: list[str], last: bool) -> bool:
        """Let prose out up to what may open an object. Whether one opens."""
        if self._behind:
            self._held, waiting = without_ending(self._held, last)
            if waiting:
                return False
            self._behind = False
        for opening in re.finditer(r"[\[{]", self._held):
            at = opening.start()
            if (verdict := _opens(self._held[at:], last)) is False:
                continue
            start = fence_before(self._held, at)
            prose.append(self._held[:start])
            if verdict is None:
                self._held = self._held[start:]
                return False
            self._held, self._inside = self._held[at:], True
            return True
        keep = 0 if last else len(self._held) - fence_before(self._held, len(self._held))
        cut = len(self._held) - keep
        prose.append(self._held[:cut])
        self._held = self._held[cut:]
        return False


def _opens(text: str, last: bool) -> bool | None:
    """Whether `text`, which begins with a bracket, is an object of commands; None while that is not known."""
    match = _OPENING.match(text)
    if match is None:
        return False
    word, rest = match[1].lower(), text[match.end() :]
    if not rest:
        if last:
            return bool(word) and word in _KEYS
        return None if any(key.startswith(word) for key in _KEYS) else False
    if word not in _KEYS or not rest.lstrip(_QUOTES + " \t\n").startswith((":", "=")):
        return None if word in _KEYS and not last and not rest.strip(_QUOTES + " \t\n") else False
    if word in (*LISTS, *NAMES):
        return True
    value, end = read(text)  # a wrapper, or a note before its command: look what comes of it
    if any(True for _ in records(value)):
        return True
    return None if end == len(text) and not closed(text) and not last else False


def fence_before(text: str, at: int) -> int:
    """Where the fence or tag that opens at the end of `text[:at]` begins; `at` when there is none."""
    head = text[:at]
    found = _FENCE.search(head) or _TAG.search(head)
    if found:
        return found.start()
    ticks = re.search(r"(?:^|\n)[ \t]*[`~]{1,2}\Z|\n[ \t]*\Z", head)  # a fence may be on its way
    return ticks.start() if ticks and at == len(text) else at


def without_ending(text: str, last: bool) -> tuple[str, bool]:
    """`text` behind an object, without the fence, bracket or tag that closes it, and whether more must come first."""
    if not last and ending_begun(text):
        return text, True
    match = re.match(r"\s*[\]})]*\s*(?:```+|~~~+|</?[\w|]{1,20}>)?[ \t]*\n?", text)
    assert match is not None
    rest = text[match.end() :]
    if not rest.strip() and not last:
        return text, True
    return rest, False


def ending_begun(text: str) -> bool:
    """Whether `text`, behind an object, may be the beginning of what closes its fence or tag."""
    return bool(_ENDING_BEGUN.fullmatch(text))


def closed(text: str) -> bool:
    """Whether the object that `text` begins with has its last bracket."""
    return text.rstrip()[-1:] in ("}", "]") and balanced(text)
