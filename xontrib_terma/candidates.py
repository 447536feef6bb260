"""The list of candidates, for the key pressed twice quickly: what it holds, which one is chosen, how it is drawn."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from xontrib_terma.clean import clean
from xontrib_terma.remember import now
from xontrib_terma.stateline import DANGER, PLAIN_DANGER, StateLine

QUICK = 0.3  # seconds between two presses that are one gesture
HELP = "number or arrows, Enter · Esc: your words"
CURRENT, MENU, META = (
    f"class:completion-menu{rest}" for rest in (".completion.current", ".completion", ".meta.completion")
)


@dataclass(frozen=True, slots=True)
class Item:
    """One candidate, as an `item` frame has it. `cursor` is where it belongs, None: behind the command."""

    command: str
    level: str
    reasons: str
    note: str
    row: str
    why: str
    cursor: int | None
    select: int

    @property
    def risk(self) -> str:
        """How the state line begins when it stands."""
        return "" if self.level == "low" else f"{DANGER} {self.level}: {self.reasons} · "


def read(fields: list[str]) -> Item | None:
    """The candidate of an `item` frame; None when nothing of it can be shown."""
    command, level, reasons, note, row, why = ([clean(field) for field in fields[:6]] + [""] * 6)[:6]
    pairs = dict(field.partition("=")[::2] for field in fields[6:])
    at, length = pairs.get("cursor", ""), pairs.get("select", "")
    cursor = int(at) if at.isdecimal() and int(at) <= len(command) else None
    select = int(length) if length.isdecimal() and cursor is not None else 0
    if not command.strip():
        return None
    return Item(command.rstrip("\n"), level, reasons, note, _line(row), _line(why), cursor, select)


class Candidates:
    """The list below one prompt's line, and whether two presses were one gesture."""

    def __init__(self, state: StateLine, environment: Callable[[], Any]) -> None:
        self._state, self._environment = state, environment
        self._pressed = -QUICK
        self.items: list[Item] = []
        self.at = 0
        self.is_open = False

    def press(self) -> bool:
        """A press of the key: whether it and the last one are one gesture."""
        before, self._pressed = self._pressed, now()
        never = self._environment().get("TERMA_SUGGESTIONS__LIST") == "never"
        return not never and self._pressed - before < QUICK

    def collect(self, fields: list[str]) -> None:
        """An `item` frame."""
        item = read(fields)
        if item is not None and len(self.items) < 9:
            self.items.append(item)

    def forget(self) -> None:
        self.items, self.at, self.is_open = [], 0, False

    def close(self) -> None:
        """The list goes."""
        if self.is_open:
            self.is_open = False
            self._state.clear()

    def draw(self) -> None:
        """Show the list; the chosen one stands on the line."""
        plain = bool(self._environment().get("NO_COLOR"))
        rows: list[Any] = []
        for number, item in enumerate(self.items):
            chosen = number == self.at
            style = ("reverse" if chosen else "") if plain else (CURRENT if chosen else MENU)
            head = f"{'>' if chosen else ' '} {number + 1} "
            danger = "" if item.level == "low" else f"{PLAIN_DANGER} " if plain else f"{DANGER}  "
            colour = "" if plain else f"bold {'ansired' if item.level == 'high' else 'ansiyellow'}"
            rows += [(style, head), (f"{style} {colour if danger else ''}", danger), (style, item.row)]
            rows += [(colour if danger else "" if plain else META, f"  {item.why}"), ("", "\n")]
        self._state.show_rows([*rows, ("", HELP)], HELP, self.items[self.at].command)


def _line(text: str) -> str:
    return text.replace("\n", " ").replace("\t", " ")
