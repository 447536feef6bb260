"""The commands that a terminal shows, each with what it printed: what went on before the last one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol, runtime_checkable

from terma.context.marks import finished, marked
from terma.context.own import is_ours
from terma.context.prompt import ALIKE, asked_at, begins_alike, head, likeness, rows_above, shows_again
from terma.output import digest, plain
from terma.redact import redact, whole
from terma.text import one_line, strip_ansi
from terma.types import Capture, CaptureRequest

MAX_COMMANDS = 8  # commands
NEWEST = 8_000  # code points of the newest one's output
OLDER = 1_500  # of each one before
ALL = 16_000  # of all outputs together
_COMMAND = 400
_COMPARED = 200  # rows above it that are looked at for another prompt
_TELLING = 4  # characters of a prompt that is known again in the middle of a row
_NEAR = 40  # rows from the bottom in which the question stands
_LONGEST_PROMPT = 100  # characters of its last row
_MAX_TEXT = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Past:
    """A command as it was typed and what it printed; `status` is -1 where nobody knows it."""

    command: str
    output: str
    status: int = -1


@runtime_checkable
class Remembers(Protocol):
    """A source that has the commands apart, and need not show them as one text."""

    async def recent(self, request: CaptureRequest) -> tuple[Past, ...] | None: ...


def read(capture: Capture, request: CaptureRequest) -> tuple[Past, ...] | None:
    """The commands in a terminal's text, the oldest first, raw. None where no prompt is known in it; () where nothing
    but terma was asked there."""
    raw = capture.text[-_MAX_TEXT:]
    found = [
        Past(one.command, finished(one.text, request.shell), one.status) for one in marked(raw) if one.command
    ]
    if not found:
        rows = (plain(raw, capture.columns) if "\r" in raw else strip_ansi(raw)).rstrip().split("\n")
        by_prompts = _by_prompts(rows, capture.columns)
        if by_prompts is None:
            return None
        found = by_prompts
    return tuple(one for one in found if not is_ours(one.command))


def fit(found: Sequence[Past], columns: int) -> tuple[Past, ...]:
    """The newest MAX_COMMANDS of them, fit to be read and without secrets: the newest output whole up to NEWEST, all of
    them within ALL."""
    kept: list[Past] = []
    left = ALL
    for one in reversed(found[-MAX_COMMANDS:]):
        most = min(NEWEST if not kept else OLDER, left)
        if kept and most < OLDER:
            break
        text = whole(plain(one.output, columns), NEWEST)
        text = digest(text, most, most // 4, most // 2) if len(text) > most else digest(text, most)
        kept.append(replace(one, command=one_line(one.command, _COMMAND), output=text))
        left -= len(text)
    return tuple(reversed(kept))


def told(found: Iterable[Past]) -> str:
    """They as a model reads them, each looked at for secrets with the command that printed it. What was printed is set
    in, so that no line of it passes for one of ours."""
    parts = []
    for one in found:
        command, _, output = redact(f"$ {one.command}\n{one.output}").text.partition("\n")
        rows = [f"| {row}" for row in output.split("\n")] if output.strip() else ["(it printed nothing)"]
        parts.append(
            "\n".join([command, *rows, *([f"(exit status {one.status})"] if one.status >= 0 else [])])
        )
    return "\n".join(parts)


def _by_prompts(rows: list[str], columns: int) -> list[Past] | None:
    """Cut at the rows that begin like the prompt of the lowest one: the question's, or the one that waits. None where
    no prompt is known."""
    bottom, found = _bottom(rows)
    prompt = _unglued(rows[:bottom], found)
    if not prompt:
        return [] if found and not any(map(str.strip, rows[:bottom])) else None
    return list(_between(rows, bottom, found, prompt, columns))


def _between(rows: list[str], bottom: int, found: str, prompt: str, columns: int) -> Iterable[Past]:
    """What was typed behind each `prompt` above row `bottom`, where the prompt `found` stands, and what it printed."""
    starts = [(row, *place) for row in range(bottom) if (place := _place(rows[row], prompt))]
    prompts = [prompt, *dict.fromkeys(rows[row][begins:at] for row, begins, at in starts)]
    ends = [*starts[1:], (bottom, len(found) - len(prompt), 0)] if starts else []
    for (row, begins, at), (following, left, _) in zip(starts, ends, strict=True):
        typed, first = rows[row][at:], row + 1
        while columns and first < following and len(rows[first - 1].rstrip()) == columns:
            typed, first = typed + rows[first], first + 1  # the line went on in the next row
        command = head(typed).strip()
        if not command or command.endswith("^C") or shows_again(rows[row][begins:], prompts):
            continue
        end = max(first, following - min(rows_above(rows, following, prompts), following - first))
        printed = [line.rstrip() for line in rows[first:end]]
        printed += [rows[following][:left]] if left and following < len(rows) else []
        yield Past(command, "\n".join(printed).strip("\n"))


def _place(row: str, prompt: str) -> tuple[int, int] | None:
    """Where a prompt like `prompt` begins and ends in `row`: at its beginning, or behind an output that did not end its
    line, where it is the very same. None without one."""
    if at := _prompt_end(row, prompt):
        return 0, at
    begins = row.find(f"{prompt} ") if len(prompt) >= _TELLING else -1
    return (begins, begins + len(prompt)) if begins > 0 else None


def _bottom(rows: Sequence[str]) -> tuple[int, str]:
    """The lowest row of a prompt and that prompt: where the shell waits and nothing was typed, in another pane, else
    where terma was typed, else what the last row may be; "" for none."""
    last = head(rows[-1]).rstrip() if rows else ""
    waits = bool(last) and likeness(last, None) >= ALIKE
    if waits and any(row.startswith(f"{last} ") for row in rows[-_COMPARED:-1]):
        return len(rows) - 1, last
    for row in range(len(rows) - 1, max(len(rows) - _NEAR, 0) - 1, -1):
        if (at := asked_at(rows[row])) > 0:
            prompt = rows[row][:at].rstrip()
            later = any(_prompt_end(below, prompt) for below in rows[row + 1 :])
            return (len(rows) if later else row), prompt  # of another pane, where more was typed since
    return (len(rows) - 1, last) if waits else (len(rows), "")


def _unglued(rows: Sequence[str], found: str) -> str:
    """The prompt in `found`, which may stand behind an output that did not end its line: the longest end of it at which
    a row begins; "" for none."""
    above = rows[-_COMPARED:]
    ends = [found[at:] for at in range(len(found))]
    same = (end for end in ends if len(end) >= _TELLING or end == found)
    exact = next((end for end in same if any(row.startswith(f"{end} ") for row in above)), "")
    return exact or next((end for end in ends if any(_prompt_end(row, end) for row in above)), "")


def _prompt_end(row: str, prompt: str) -> int:
    """Where what was typed begins in `row` behind a prompt like `prompt`; 0 where there is none."""
    if row.startswith(prompt) and row[len(prompt) : len(prompt) + 1] in ("", " "):
        return len(prompt)
    if not begins_alike(row, prompt):
        return 0
    at = row.find(prompt[-1])
    while 0 <= at < _LONGEST_PROMPT:
        if row[at + 1 : at + 2] in ("", " ") and likeness(row[: at + 1], prompt) >= ALIKE:
            return at + 1
        at = row.find(prompt[-1], at + 1)
    return 0
