"""Finds the last command's own output in what a terminal shows, where no marks tell."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest

from terma.context.lines import Key, Shown, Spot, low_bytes, squeeze
from terma.context.prompt import ALIKE, FAINT, SAME, head, likeness, rows_above, shape, shows_again
from terma.output import cells
from terma.types import CaptureRequest

TAIL = 60  # rows given when the command is not found
_NEAR = 40  # rows from the bottom in which the question stands, with what is said to it already beneath
_AT_THE_PROMPT = 4  # rows from the bottom in which a prompt stands, with a state line beneath
_EXPANDED = re.compile(
    r"\s*[!^]"
)  # `!!` and `^old^new`: the screen shows what was typed, the shell what it became
_UNFINISHED = re.compile(r"[%#⏎] {8,}\Z")  # zsh (PROMPT_SP) and fish: the output did not end with a newline
_JOINED = re.compile(r"(.*?[%#⏎] {8,})(\S.*)\Z")
_FULL_ROW = 0.9  # of the columns: so far right a right prompt ends


@dataclass(frozen=True, slots=True)
class Cut:
    """`text` is the command's output when `found`, else the end of what the terminal shows. `command` is what was
    typed, if the request did not know."""

    text: str
    found: bool
    command: str = ""


@dataclass(frozen=True, slots=True)
class _Bottom:
    """The row on which the question or the waiting prompt begins, the text left of the question (None: unknown) and
    the right prompt."""

    row: int
    prompt: str | None
    right: str = ""


def by_text(text: str, request: CaptureRequest, columns: int = 0) -> Cut:
    """Cut the output of `request.command` out of `text`, rows without escape sequences, the newest last.

    `columns` is the width in cells at which it was drawn, 0 when unknown. Every row may hold anything: what is found
    is no more than what a person would take for it."""
    rows = _rows(text, request.shell, columns)
    screens = [Shown(rows, key) for key in _keys(request)]
    bottom = _Bottom(len(rows), None)
    for shown in screens:
        asked = _asked(shown, request, columns)
        if asked:
            bottom = _Bottom(asked.first, asked.before, asked.after.strip())
            break
    for shown in screens:
        spot = _command(shown, bottom, request, columns)
        if spot:
            own = _between(rows, spot, bottom, request.shell)
            return Cut(_unwrapped(own, rows, columns), True, _typed(rows, spot, request))
    left = "\n".join(rows[: bottom.row]).rstrip().split("\n")
    return Cut(_unwrapped(left[-TAIL:], rows, columns), False)


def _keys(request: CaptureRequest) -> tuple[Key, ...]:
    return (squeeze,) if (request.command + request.asked).isascii() else (squeeze, low_bytes)


def _rows(text: str, shell: str, columns: int) -> list[str]:
    """The rows of `text` without blank ones at the end. A mark of an unfinished line that fills its row with blanks
    makes some terminals join it with the prompt beneath: those are parted."""
    rows: list[str] = []
    for row in text.rstrip().split("\n"):
        parted = _JOINED.match(row) if shell in {"zsh", "fish"} else None
        if parted and (not columns or _width(parted[1]) % columns == 0):
            rows += parted.groups()
        else:
            rows.append(row)
    return rows


def _width(text: str) -> int:
    return len(text) if text.isascii() else sum(cells.width(char) for char in text)


def _asked(shown: Shown, request: CaptureRequest, columns: int) -> Spot | None:
    """The question, near the bottom."""
    for spot in shown.find(request.asked, len(shown.rows)):
        if spot.first < len(shown.rows) - _NEAR:
            return None
        if _stands_alone(shown, spot, columns):
            return spot
    return None


def _stands_alone(shown: Shown, spot: Spot, columns: int, right: str = "") -> bool:
    """Whether what follows on the row can be no more of the same command: nothing, or a right prompt (as `right`)."""
    if shown.ends(spot):
        return True
    if right and shape(spot.after.strip()) == shape(right):
        return True  # it may stand close
    far = not columns or _width(shown.rows[spot.last].rstrip()) >= columns * _FULL_ROW
    return spot.after.startswith("  ") and far


def _command(shown: Shown, bottom: _Bottom, request: CaptureRequest, columns: int) -> Spot | None:
    """Where the last command was typed: the lowest place behind what is most like the prompt.

    Behind a fainter likeness it may be a trace or a quotation, within the output of the same command typed above. It
    is if no other command was typed in between."""
    if not request.command.strip():
        return _newest(shown.rows, bottom)
    known = [bottom.prompt] if bottom.prompt is not None else [None, *_waiting(shown.rows)]
    best, grade = None, FAINT - 1
    for spot in shown.find(request.command, bottom.row):
        if not _stands_alone(shown, spot, columns, bottom.right):
            continue
        mine = max(likeness(spot.before, prompt) for prompt in known)
        if mine > grade and not (grade == ALIKE and best and _typed_between(shown.rows, spot, best)):
            best, grade = spot, mine
        if grade == SAME:
            break
    return _expanded(shown.rows, best, bottom) or best


def _typed_between(rows: Sequence[str], above: Spot, below: Spot) -> bool:
    """Whether a command was typed after `above` and before `below`, at the prompt of `above`."""
    prompt = above.before.rstrip()
    return any(
        rows[number].startswith(prompt) and not shows_again(rows[number], [prompt])
        for number in range(above.last + 1, below.first)
    )


def _waiting(rows: Sequence[str]) -> list[str]:
    """What may be the prompt when a key asked: the last rows."""
    return [head(row) for row in rows[-_AT_THE_PROMPT:] if row.strip()]


def _newest(rows: Sequence[str], bottom: _Bottom) -> Spot | None:
    """The lowest prompt at which anything was run, when the command is not known."""
    prompt = bottom.prompt if bottom.prompt is not None else (_waiting(rows) or [""])[-1]
    bare = prompt.rstrip()
    for number in range(bottom.row - 1, -1, -1) if bare else ():
        if rows[number].startswith(bare) and not shows_again(rows[number], [prompt]):
            return Spot(number, number, prompt, "")
    return None


def _typed(rows: Sequence[str], spot: Spot, request: CaptureRequest) -> str:
    """What stands behind the prompt, when only that tells the command."""
    return "" if request.command.strip() else head(rows[spot.first][len(spot.before.rstrip()) :].strip())


def _expanded(rows: Sequence[str], above: Spot | None, bottom: _Bottom) -> Spot | None:
    """A command that was typed as `!!` or `^old^new` beneath `above`: the next row shows what it became."""
    prompt = (above.before if above else bottom.prompt or "").rstrip()
    for number in range(bottom.row - 1, above.last if above else -1, -1) if prompt else ():
        if rows[number].startswith(prompt) and not shows_again(rows[number], [prompt]):
            typed = rows[number][len(prompt) :]
            return Spot(number, number + 1, prompt, "") if _EXPANDED.match(typed) else None
    return None


def _between(rows: Sequence[str], spot: Spot, bottom: _Bottom, shell: str) -> list[str]:
    """The rows from the command to the next prompt, without what belongs to that prompt."""
    prompts = [prompt for prompt in (spot.before, bottom.prompt) if prompt is not None]
    last = bottom.row if bottom.prompt is not None else _prompt_row(rows, spot)
    end = next((row for row in range(spot.last + 1, last) if shows_again(rows[row], prompts)), last)
    first = spot.last + 1
    rest = ""
    if end == last and bottom.prompt and shell not in {"zsh", "fish"}:
        rest = _unfinished(spot.before, bottom.prompt)
    if not rest and end < len(rows):
        end -= min(rows_above(rows, end, prompts), end - first)
    output = [*rows[first:end], *([rest] if rest else [])]
    while output and not output[-1].strip():
        output.pop()
    while output and not output[0].strip():  # a prompt that is wrapped leaves such a row
        del output[0]
    if output:
        output[-1] = _UNFINISHED.sub("", output[-1]) if shell in {"zsh", "fish"} else output[-1]
    return [row.rstrip() for row in output]


def _unwrapped(part: Sequence[str], rows: Sequence[str], columns: int) -> str:
    """`part` of `rows` as text, with words whole that stand on two rows. A terminal that joins its wrapped lines
    itself shows it by rows wider than `columns`."""
    joins = not columns or any(_width(row.rstrip()) > columns for row in rows)
    text = ""
    for row, following in zip_longest(part, part[1:], fillvalue=""):
        split = not joins and row[-1:].isalnum() and following[:1].isalnum() and _width(row) == columns
        text += row if split else row + "\n"
    return text[:-1]


def _prompt_row(rows: Sequence[str], spot: Spot) -> int:
    """The row on which the prompt waits that a key was pressed at; the end when none is seen there."""
    for number in range(len(rows) - 1, max(spot.last, len(rows) - 1 - _AT_THE_PROMPT), -1):
        if likeness(head(rows[number]), spot.before) >= ALIKE:
            return number
    return len(rows)


def _unfinished(prompt: str, row: str) -> str:
    """The end of the output that stands left of the prompt on its row: bash begins no line of its own."""
    return row[: -len(prompt)] if prompt.strip() and row != prompt and row.endswith(prompt) else ""
