"""One line of state while an answer comes and after: in the bottom toolbar, below the person's own; where the terminal
does not tell where the cursor is, beside the right prompt, or above the prompt when it would be hidden there. It goes
with the next change of the line.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from prompt_toolkit.utils import get_cwidth

from xontrib_terma.clean import clean

GAP = 6  # cells between the line and a right prompt, and between ours and the person's
DANGER, PLAIN_DANGER = "⚠", "!!"  # what a risk begins with, in colours and without
ROWS = 5  # of the state line at most, on a narrow terminal
Fragments = list[Any]  # of (style, text), as prompt_toolkit has them


class StateLine:
    """The state line of one prompt session. `is_plain` tells whether the person wants no colours."""

    def __init__(self, prompter: Any, is_plain: Callable[[], bool]) -> None:
        self._prompter, self._is_plain = prompter, is_plain
        self._slot = ""  # the attribute that is ours now
        self._users: Any = None
        self._ours: Callable[[], Fragments] | None = None
        self._text = ""
        self._rows: Fragments = []  # of a list, in place of the text
        self._expected = ""  # what stands on the prompt while the line is true

    @property
    def text(self) -> str:
        """What it says, "" when it is not there."""
        return self._text if self._ours else ""

    def show(self, text: str, buffer_text: str) -> None:
        """Say `text` until the line is something else than `buffer_text`."""
        self._text, self._expected, self._rows = " ".join(clean(text).split()), buffer_text, []
        if self._text.startswith(DANGER) and self._is_plain():
            self._text = PLAIN_DANGER + self._text.removeprefix(DANGER)
        if not self._text:
            self.clear()
            return
        self._place(self._best_slot(buffer_text))

    def show_rows(self, rows: Fragments, text: str, buffer_text: str) -> None:
        """Show a list of lines, of which `text` says what it is, until the line is something else."""
        self._text, self._expected, self._rows = text, buffer_text, rows
        self._place("bottom_toolbar" if self._prompter.app.renderer.height_is_known else "message")

    def _place(self, slot: str) -> None:
        if slot != self._slot:
            self.clear()
        if self._ours is None:
            self._take(slot)
        self._prompter.app.invalidate()

    def clear(self) -> None:
        """The person's own toolbar and prompt are as they were."""
        if self._ours is None:
            return
        if getattr(self._prompter, self._slot) is self._ours:
            setattr(self._prompter, self._slot, self._users)
        self._ours, self._users, self._slot = None, None, ""
        self._prompter.default_buffer.on_text_changed -= self._changed
        self._prompter.app.invalidate()

    def _best_slot(self, line: str) -> str:
        """Where it is seen. prompt_toolkit has no toolbar until it knows its height, and hides a right prompt that the
        line would touch."""
        prompter = self._prompter
        if prompter.app.renderer.height_is_known:
            return "bottom_toolbar"
        right = self._users if self._slot == "rprompt" else prompter.rprompt
        message = self._users if self._slot == "message" else prompter.message
        taken = _width(right) + _width(message) + max(map(get_cwidth, line.split("\n")))
        has_room = taken + get_cwidth(self._text) + GAP <= prompter.app.output.get_size().columns
        return "rprompt" if has_room and "\n" not in line else "message"

    def _take(self, slot: str) -> None:
        self._slot = slot
        self._users = getattr(self._prompter, slot)
        self._ours = self._fragments
        setattr(self._prompter, slot, self._ours)
        self._prompter.default_buffer.on_text_changed += self._changed

    def _changed(self, buffer: Any) -> None:
        if buffer.text != self._expected:
            self.clear()

    def _fragments(self) -> Fragments:
        from prompt_toolkit.formatted_text import to_formatted_text

        users = list(to_formatted_text(self._users)) if self._users else []
        if self._rows:
            if self._slot == "message":
                return [*self._rows, ("", "\n"), *users]
            width = self._prompter.app.output.get_size().columns
            return [*users, *([("", "\n")] if users else []), *_grounded(self._rows, width)]
        if self._slot == "rprompt":
            return [*_painted(self._text, "ansibrightblack"), *([("", "  "), *users] if users else [])]
        width = self._prompter.app.output.get_size().columns
        text = fitted(self._text, max(width - 1, 2))
        if self._slot == "message":
            return [*_painted(f"{text}\n", "ansibrightblack"), *users]
        return [*users, ("", "\n"), *_painted(text, "")] if users else _quiet(text, width)


def _painted(text: str, style: str) -> Fragments:
    """`text` in `style`, the danger at its beginning bold: red where it is high, else yellow."""
    if not text.startswith(DANGER):
        return [(style, text)]
    danger, stop, rest = text.partition(" · ")
    colour = "ansired" if danger.startswith(f"{DANGER} high") else "ansiyellow"
    return [(f"bold {colour}", danger), *([(style, stop + rest)] if stop else [])]


def _grounded(rows: Fragments, width: int) -> Fragments:
    """`rows` on the ground of the terminal, all of each: in a toolbar, which is turned around, their colours would be
    grounds, and a row that is turned around for being the chosen one would look like the others."""
    found: Fragments = []
    used = 0
    for style, text in [*rows, ("", "\n")]:
        if text == "\n":
            found += [("noreverse", " " * max(width - used, 0)), ("", "\n")]
            used = 0
        else:
            found.append((f"noreverse {style}", text))
            used += get_cwidth(text)
    return found[:-1]


def _quiet(text: str, width: int) -> Fragments:
    """`text` dim on the ground of the terminal, all of each row: a bright bar is for who has set one."""
    found: Fragments = []
    for row in text.split("\n"):
        rest = " " * max(width - get_cwidth(row), 0)
        shown = [(f"{style} noreverse", part) for style, part in _painted(row, "ansibrightblack")]
        found += [("", "\n"), *shown, ("noreverse", rest)]
    return found[1:]


def _width(formatted: Any) -> int:
    """Cells of the last line of what prompt_toolkit shows there."""
    from prompt_toolkit.formatted_text import fragment_list_to_text, to_formatted_text

    return (
        get_cwidth(fragment_list_to_text(to_formatted_text(formatted)).rpartition("\n")[2])
        if formatted
        else 0
    )


def fitted(text: str, width: int) -> str:
    """`text` in at most ROWS lines of `width` cells, broken between words; what is left over is cut. What went
    wrong and its hint stand apart where they do not fit on one line."""
    message, stop, hint = text.partition("; ")
    if stop and (message.startswith("terma: ") or "not sure" in message) and get_cwidth(text) > width:
        return f"{_rows(message, width)}\n{_rows(hint, width)}"  # the hint is what the person needs
    return _rows(text, width)


def _rows(text: str, width: int) -> str:
    rows = broken(text, width)
    shown = rows[:ROWS]
    if len(rows) > ROWS:
        shown[-1] += " …"
    return "\n".join(_cut(row, width) for row in shown)


def broken(text: str, width: int) -> list[str]:
    """`text` in rows of `width` cells, broken between words; a longer word has a row of its own."""
    rows = [""]
    for word in text.split(" "):
        joined = f"{rows[-1]} {word}" if rows[-1] else word
        if get_cwidth(joined) <= width or not rows[-1]:
            rows[-1] = joined
        else:
            rows.append(word)
    return rows


def _cut(row: str, width: int) -> str:
    if get_cwidth(row) <= width:
        return row
    while get_cwidth(row) >= width:
        row = row[:-1]
    return row + "…"
