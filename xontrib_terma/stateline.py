"""One line of state while an answer comes and after: in the bottom toolbar, below the person's own, or where the height
of the terminal is not known (ssh), beside the right prompt. It goes with the next change of the line."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from prompt_toolkit.utils import get_cwidth

from xontrib_terma.clean import clean

ROWS = 2  # of the state line, on a narrow terminal: a risk is worth a second one
Fragments = list[Any]  # of (style, text), as prompt_toolkit has them


class StateLine:
    """The state line of one prompt session."""

    def __init__(self, prompter: Any) -> None:
        self._prompter = prompter
        self._slot = ""  # the attribute that is ours now
        self._users: Any = None
        self._ours: Callable[[], Fragments] | None = None
        self._text = ""
        self._expected = ""  # what stands on the prompt while the line is true

    @property
    def text(self) -> str:
        """What it says, "" when it is not there."""
        return self._text if self._ours else ""

    def show(self, text: str, buffer_text: str) -> None:
        """Say `text` until the line is something else than `buffer_text`."""
        self._text, self._expected = " ".join(clean(text).split()), buffer_text
        if not self._text:
            self.clear()
            return
        if self._ours is None:
            self._take()
        self._prompter.app.invalidate()

    def clear(self) -> None:
        """The person's own toolbar and prompt are as they were."""
        if self._ours is None:
            return
        if getattr(self._prompter, self._slot) is self._ours:
            setattr(self._prompter, self._slot, self._users)
        self._ours = self._users = None
        self._prompter.default_buffer.on_text_changed -= self._changed
        self._prompter.app.invalidate()

    def _take(self) -> None:
        known = self._prompter.app.renderer.height_is_known
        self._slot = "bottom_toolbar" if known else "rprompt"
        self._users = getattr(self._prompter, self._slot)
        self._ours = self._fragments
        setattr(self._prompter, self._slot, self._ours)
        self._prompter.default_buffer.on_text_changed += self._changed

    def _changed(self, buffer: Any) -> None:
        if buffer.text != self._expected:
            self.clear()

    def _fragments(self) -> Fragments:
        from prompt_toolkit.formatted_text import to_formatted_text

        users = list(to_formatted_text(self._users)) if self._users else []
        if self._slot == "rprompt":
            return [("ansibrightblack", self._text), *([("", "  "), *users] if users else [])]
        text = fitted(self._text, max(self._prompter.app.output.get_size().columns - 1, 2))
        return [*users, *([("", "\n")] if users else []), ("", text)]


def fitted(text: str, width: int) -> str:
    """`text` in at most ROWS lines of `width` cells, broken between words where it can be; what is left over is cut."""
    rows = [""]
    for word in text.split(" "):
        joined = f"{rows[-1]} {word}" if rows[-1] else word
        if get_cwidth(joined) <= width or not rows[-1]:
            rows[-1] = joined
        else:
            rows.append(word)
    shown = rows[:ROWS]
    if len(rows) > ROWS:
        shown[-1] += " …"
    return "\n".join(_cut(row, width) for row in shown)


def _cut(row: str, width: int) -> str:
    if get_cwidth(row) <= width:
        return row
    while get_cwidth(row) >= width:
        row = row[:-1]
    return row + "…"
