"""The last command's output by the marks that shells with terminal integration print (OSC 133, and VS Code's 633).

A: a prompt begins. B: the prompt ends, what is typed begins. C: the command's output begins. D: it has ended. Source:
https://gitlab.freedesktop.org/Per_Bothner/specifications/blob/master/proposals/semantic-prompts.md; terminals that
hand out their text (kitty) repeat A and C alone."""

from __future__ import annotations

import re
from dataclasses import dataclass

from terma.context.lines import squeeze
from terma.context.own import is_ours
from terma.context.prompt import asked_at
from terma.text import strip_ansi
from terma.types import CaptureRequest

_MARK = re.compile("(?:\x1b\\]|\x9d)(?:133|633);([ABCDE])(?:;([^\x07\x1b\x9c]*))?(?:\x07|\x1b\\\\|\x9c)")
_SGR = r"(?:\x1b\[[\d;:]*m)*"
# What zsh (PROMPT_SP) and fish print behind an output that did not end with a newline.
_UNFINISHED = re.compile(rf"{_SGR}[%#⏎]{_SGR} {{8,}}(?:\r \r)?\s*{_SGR}\Z")
_CODE = re.compile(r"\\(?:x([0-9a-fA-F]{2})|\\)")


@dataclass(frozen=True, slots=True)
class Marked:
    """An output, escapes and all, with what the marks tell of its command: its text ("" when they do not) and its
    exit status (-1)."""

    text: str
    command: str = ""
    status: int = -1


@dataclass(slots=True)
class _Block:
    """One prompt and what came of it. `head` is all that stands before the output; the rest are offsets, -1 unknown."""

    start: int
    typed: int = -1
    output: int = -1
    end: int = -1
    command: str = ""
    status: int = -1


def by_marks(raw: str, request: CaptureRequest) -> Marked | None:
    """The output of the command that `request` names (of the newest one when it names none), or
    None when `raw` holds no marks or not those of that command. Its text is "" when the command printed nothing."""
    blocks = _blocks(raw)
    for block in reversed(blocks):
        if block.output < 0 and block.typed < 0 and not request.command:
            continue  # an empty prompt, or a program's own mark
        told = block.command
        head = strip_ansi(raw[block.typed if block.typed >= 0 else block.start : _head_end(block)])
        if _asked(told, head, block) or (request.asked and squeeze(request.asked) in squeeze(head)):
            continue
        wanted = squeeze(request.command)
        if wanted and wanted not in squeeze(told or head):
            continue
        if not wanted and not squeeze(told or head):
            continue
        text = raw[block.output : block.end] if block.output >= 0 else ""
        typed = told or (head.strip() if block.typed >= 0 else "")
        return Marked(text, typed if "\n" not in typed else "", block.status)
    return None


def marked(raw: str) -> tuple[Marked, ...]:
    """Every command in `raw` that has ended, the oldest first, with what it printed; () without marks."""
    found = []
    for block in _blocks(raw):
        if block.output < 0:
            continue
        head = strip_ansi(raw[block.typed if block.typed >= 0 else block.start : block.output])
        typed = block.command or (head.strip() if block.typed >= 0 else "")
        if _asked(typed, head, block) or "\n" in typed:
            continue
        found.append(Marked(raw[block.output : block.end], typed, block.status))
    return tuple(found)


def finished(raw: str, shell: str) -> str:
    """`raw`, an output as a terminal got it, without the mark that `shell` put behind its unfinished last line."""
    return _UNFINISHED.sub("", raw) if shell in {"zsh", "fish"} else raw


def _asked(told: str, head: str, block: _Block) -> bool:
    """Whether terma was asked at this prompt. `head` begins with the prompt where no mark tells where it ends."""
    return is_ours(told or head) if told or block.typed >= 0 else asked_at(head) >= 0


def _head_end(block: _Block) -> int:
    return block.output if block.output >= 0 else block.end


def _blocks(raw: str) -> list[_Block]:
    """The prompts in `raw`, in order, each with what belongs to it."""
    blocks: list[_Block] = []
    for mark in _MARK.finditer(raw):
        letter, words = mark[1], mark[2] or ""
        last = blocks[-1] if blocks else None
        if letter == "A":
            if "k=s" in words.split(";"):  # a prompt for the rest of the same command
                continue
            if last and last.end < 0:
                last.end = mark.start()
            blocks.append(_Block(mark.end()))
        elif last is None or last.end >= 0:
            continue
        elif letter == "B" and last.output < 0:
            last.typed = mark.end()
        elif letter == "E":
            last.command = _CODE.sub(_character, words.split(";")[0])
        elif letter == "C" and last.output < 0:
            last.output = mark.end()
        elif letter == "D":
            last.end = mark.start()
            last.status = int(words) if words.isdecimal() and len(words) < 4 else -1
    if blocks and blocks[-1].end < 0:
        blocks[-1].end = len(raw)
    return blocks


def _character(code: re.Match[str]) -> str:
    return chr(int(code[1], 16)) if code[1] else "\\"
