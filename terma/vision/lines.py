"""The line that Enter would run: what was typed since the last one, and what the screen shows of it.

Both are needed. What was typed may have arrived wrong, or after something that stood there already; what is read may
have been read wrong.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from terma.vision.types import Act, Combination, Keystroke, Line, TerminalState, Text

_ENTERING = {"j", "m", "o"}  # with Ctrl they are Enter, to a terminal
# What is known to edit a line, to move in it or to search for one. Any other key may be bound to run the line, as zsh's
# Alt+A is and readline's Ctrl+X Ctrl+E.
_EDITING = set(
    "Space Backspace Delete Insert Tab Escape Up Down Left Right Home End PageUp PageDown CapsLock NumLock".split()
)
_EDITING_WITH = {"ctrl": set("abcdefghiklnprstuwyz"), "alt": set("bcdflptuy.") | {"Backspace"}}
_ESCAPES = (Keystroke(key="Escape"), Combination(modifiers=("ctrl",), key="["))
_MORE = re.compile(
    r"^\s*(?:\w+ )*(?:\w*)>\s*"
)  # of a shell that wants the rest of a command: "> ", "dquote> "
_PROMPT_ENDS = re.compile(r"[$#%>❯»](?:\s|$)")


def enters(action: Act) -> bool:
    """Whether a terminal runs what stands on the line after this."""
    if isinstance(action, Keystroke):
        return action.key == "Enter"
    if isinstance(action, Combination):
        return action.key == "Enter" or ("ctrl" in action.modifiers and action.key.lower() in _ENTERING)
    return False


def may_enter(action: Act, composer: Composer) -> bool:
    """Whether a program may be bound to run what stands on the line at this key: nobody knows that it is not."""
    if enters(action):
        return True
    if isinstance(action, Combination):
        held, key = set(action.modifiers), action.key
        if held == {"shift"}:
            return len(key) > 1 and key not in _EDITING
        known = _EDITING_WITH.get(held.pop(), set()) if len(held) == 1 else set()
        return (key.lower() if "ctrl" in action.modifiers else key) not in known
    if isinstance(action, Keystroke) and len(action.key) > 1:
        return action.key not in _EDITING
    if not isinstance(action, Keystroke | Text) or not composer.escaped:
        return False
    first = action.key if isinstance(action, Keystroke) else action.text[0]
    return first not in _EDITING_WITH["alt"]  # Escape and a key are Alt and that key


def logical_line(state: TerminalState) -> str:
    """The line that the cursor stands in, from its first row on, with what is beneath where it was wrapped; to the
    cursor, for what stands behind it need not be typed (a suggestion in grey). Without a cursor: the last row that
    holds something."""
    rows, columns = state.rows, state.columns
    if state.cursor is None:
        last = max((number for number, row in enumerate(rows) if row.strip()), default=0)
        end = len(rows[last])
    else:
        last, end = state.cursor.row, state.cursor.column
        if end == columns - 1 and len(rows[last]) == columns:
            end = columns  # it stands on the last cell, and wraps with the next character
    first = last
    while first > 0 and wraps(rows[first - 1], columns):
        first -= 1
    above = "".join(row.ljust(columns) for row in rows[first:last])
    return above + rows[last].ljust(end)[:end]


def behind(state: TerminalState) -> str:
    """What stands behind the cursor in its line, with the rows that it goes on in: what somebody left there, a
    suggestion in grey, or a prompt at the right."""
    if state.cursor is None:
        return ""
    rows, at = state.rows, state.cursor.row
    text = rows[at][state.cursor.column :]
    while text.strip() and wraps(rows[at], state.columns) and at + 1 < len(rows):
        at += 1
        text += rows[at]
    return text.rstrip()


def told(state: TerminalState) -> tuple[str, ...]:
    """What a person who is asked reads of the line, in up to two sentences."""
    parts = (("on the line", logical_line(state)), ("behind the cursor", behind(state)))
    return tuple(f"{where}: {text.strip()}" for where, text in parts if text.strip())


def wraps(row: str, columns: int) -> bool:
    """Whether a line may go on in the next row: the last cell may hold a space, which no row shows."""
    return len(row) >= columns - 1


def bare(line: str) -> bool:
    """Whether a row holds a shell's prompt and nothing else, for certain: one that may be the rest of a command (`> `),
    or has text behind another sign that ends prompts, is not."""
    ends = list(_PROMPT_ENDS.finditer(line))
    return len(ends) == 1 and ends[0].end() >= len(line.rstrip()) and not _MORE.fullmatch(line)


def readings(line: str) -> tuple[str, ...]:
    """All that a shell may take for a command in a row of the screen: behind each thing that may end a prompt, and the
    row itself. Prompts differ, so none of them is left out."""
    behind = [line[found.end() :].strip() for found in _PROMPT_ENDS.finditer(line)]
    return tuple(dict.fromkeys(text for text in (*behind, line.strip()) if text))


@dataclass
class Composer:
    """What was typed since the last Enter. `text` is None once a key was pressed whose effect is the program's own
    (Tab, Up): the screen alone tells then. `before` is the row up to where typing began, `behind` the rest of it;
    `escaped`: Escape came last."""

    text: str | None = ""
    before: str | None = None
    behind: str = ""
    entered: list[str] = field(default_factory=list)  # of a command that goes on over several lines
    escaped: bool = False

    def typed(self, action: Act, state: TerminalState) -> None:
        """Take note of an action that is sent now; `state` is the screen before it."""
        self.escaped = action in _ESCAPES
        if enters(action):
            self._enter(state)
            return
        if self.before is None:
            self.before, self.behind = logical_line(state), behind(state)
        if isinstance(action, Text | Line):
            self.text = None if self.text is None else self.text + action.text
        elif isinstance(action, Combination) and action.modifiers == ("ctrl",) and action.key in "uc":
            self.text, self.before = "", None
        elif isinstance(action, Keystroke) and (len(action.key) == 1 or action.key == "Space"):
            character = " " if action.key == "Space" else action.key
            self.text = None if self.text is None else self.text + character
        elif isinstance(action, Keystroke) and action.key == "Backspace" and self.text:
            self.text = self.text[:-1]
        else:
            self.text = None

    def arrived(self, state: TerminalState) -> bool:
        """Whether the screen shows exactly what was typed, behind what stood there before."""
        if self.text is None or self.before is None:
            return False
        line, before = logical_line(state), self.before.rstrip()  # a cursor that is not seen hides a space
        return line.startswith(before) and line[len(before) :].strip() == self.text.strip()

    def arriving(self, state: TerminalState) -> bool:
        """Whether the screen shows a beginning of what was typed, or nothing of it yet."""
        if self.text is None or self.before is None:
            return False
        line, before = logical_line(state), self.before.rstrip()
        return line.startswith(before) and self.text.lstrip().startswith(line[len(before) :].strip())

    def pushed(self, state: TerminalState) -> bool:
        """Whether Enter may run what stands behind the cursor too: it stood there before anything was typed, and no
        prompt at the right stands still like that while a line grows towards it."""
        then, now = self.behind, behind(state)
        if self.before is None:
            return bool(now)
        still = now[:1].isspace() and len(now) < len(then) and then.endswith(now)
        return bool(then and now) and not still

    def candidates(self, state: TerminalState) -> tuple[str, ...]:
        """Every text that Enter may run now: as typed and as read, with the lines that it continues."""
        shown = logical_line(state)
        texts = [*([self.text] if self.text else []), *readings(shown)]
        if self.text is None or self.pushed(state):  # the cursor was moved, or text was left behind it
            shown += behind(state)
            texts += readings(shown)
        if self.entered and _MORE.match(shown):
            rest = _MORE.sub("", shown, count=1).strip()
            ends = [*([self.text] if self.text else []), rest]
            texts += [joined for end in ends for joined in _joined([*self.entered, end])]
        return tuple(dict.fromkeys(texts))

    def _enter(self, state: TerminalState) -> None:
        if not _MORE.match(logical_line(state)):
            self.entered.clear()
        self.entered.append(self.text or (readings(logical_line(state)) or ("",))[0])
        self.text, self.before = "", None


def _joined(lines: list[str]) -> list[str]:
    """Several lines as a shell reads them."""
    return ["\n".join(lines), "".join(line[:-1] if line.endswith("\\") else f"{line}\n" for line in lines)]
