"""Writes the README's recording: a real zsh with terma, typed into key by key, drawn as an animated SVG.

    python tools/recording.py docs/recording.svg

Nothing in it is staged: the shell, the agent and the embedded engine are those of the checkout.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from html import escape
from pathlib import Path

TREE = Path(__file__).parents[1]
sys.path.insert(0, str(TREE))

from tests.conftest import Home, end_agent_in  # noqa: E402
from tests.shells.driver import TmuxShell  # noqa: E402

ROWS, COLS = 15, 88
CELL, LINE, PAD = 8.4, 19.0, 14.0
FONT = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace"
# Each colour is a variable of the picture's, which follows what the reader's page is: dark or light.
DARK = (
    "#1d1f28 #e8616c #8ccf7e #e5c76b #67b0e8 #c47fd5 #6cbfbf #d6d9e0 "
    "#8a90a0 #ef7d88 #a5dd98 #eed48a #84c1ef #d498e2 #88d0d0 #ffffff #1d1f28 #d6d9e0 #8a90a0 #67b0e8"
).split()
LIGHT = (
    "#24292f #b3202c #1a7f37 #8a5a00 #0b62b5 #7d3aa8 #136c6c #57606a "
    "#636c76 #b3202c #1a7f37 #8a5a00 #0b62b5 #7d3aa8 #136c6c #24292f #fafbfc #24292f #636c76 #0b62b5"
).split()
PALETTE, BRIGHT = ([f"var(--c{number})" for number in numbers] for numbers in (range(8), range(8, 16)))
GROUND, INK, DIM, CURSOR = (f"var(--c{number})" for number in range(16, 20))
_SGR = re.compile(r"\x1b\[([\d;]*)m|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[()][0-9A-B]|[\x0e\x0f]")

# What is typed: text as it is, or the name of a key. A number is a pause in seconds for the reader.
SCENE: tuple[str | float, ...] = (
    "which process listens on port 8080", 0.6, "C-t", 2.2, "C-t", 2.0, "C-u", 0.4,
    "convert notes.txt to upper case", 0.6, "C-t", 2.0, "C-u", 0.4,
    "discard all my changes", 0.6, "C-t", 2.8, "C-u", 0.4,
    "wc -l nots.txt", 0.4, "Enter", 2.6, "C-t", 2.0, "C-u", 0.4, "?why", 0.5, "Enter", 4.0, "C-u", 0.8,
)  # fmt: skip
KEYS = {"C-t", "C-c", "C-u", "Enter", "Escape"}
RC = """
PS1='%F{4}~/demo%f %F{2}❯%f ' PS2='… '
unsetopt prompt_sp
HISTFILE=
source TREE/zsh/terma.plugin.zsh
"""


@dataclass
class Pen:
    """How the next character looks."""

    colour: str = INK
    bold: bool = False
    underlined: bool = False

    def look(self) -> str:
        """The attributes beside the colour."""
        return (' font-weight="bold"' if self.bold else "") + (
            ' text-decoration="underline"' if self.underlined else ""
        )

    def take(self, codes: str) -> None:
        """Obey the numbers of an SGR sequence."""
        for number in (int(part or 0) for part in codes.split(";")):
            if number == 0:
                self.colour, self.bold, self.underlined = INK, False, False
            elif number == 1:
                self.bold = True
            elif number == 2:
                self.colour = DIM
            elif number in (4, 24):
                self.underlined = number == 4
            elif number in (22, 39):
                self.colour, self.bold = INK, False
            elif 30 <= number <= 37:
                self.colour = PALETTE[number - 30]
            elif 90 <= number <= 97:
                self.colour = BRIGHT[number - 90]


@dataclass
class Film:
    """Frames as they were seen, each with the seconds for which it stands."""

    shell: TmuxShell
    height: int = ROWS  # rows of the picture
    width: int = COLS
    frames: list[tuple[tuple[str, ...], float]] = field(default_factory=list)

    def look(self, seconds: float) -> None:
        """Take a frame; one that looks like the last makes that one stand longer."""
        rows = tuple(_rows(self.shell.screen(colours=True), self.shell.cursor(), self.height))
        if self.frames and self.frames[-1][0] == rows:
            seconds += self.frames.pop()[1]
        self.frames.append((rows, seconds))

    def watch(self, until: str = "", quiet: float = 0.3, limit: float = 10.0) -> None:
        """Follow the screen until the pattern `until` is on it, or nothing has changed for `quiet` seconds."""
        changed = start = time.monotonic()
        while time.monotonic() - start < limit:
            before = len(self.frames)
            self.look(0.03)
            time.sleep(0.02)
            changed = time.monotonic() if len(self.frames) > before else changed
            if re.search(until, self.shell.screen()) if until else time.monotonic() - changed > quiet:
                return

    def type(self, text: str) -> None:
        """Key by key, each in a frame of its own."""
        for char in text:
            self.shell.type(char)
            time.sleep(0.02)
            self.look(0.05)


def record(home: Home) -> Film:
    """Play the scene in a real shell."""
    (home.home / "demo").mkdir()
    (home.home / "demo/notes.txt").write_text("one\ntwo\n", encoding="utf-8")
    mark = home.home / ".local/state/terma/zsh-key-taken"
    mark.parent.mkdir(parents=True)
    mark.touch()
    env = {key: value for key, value in home.env.items() if key.startswith("TERMA_")} | {
        "TERMA_ENGINE": "offline",
        "TERMA_HINTS": "1",
    }
    # a warm agent, as it is all day; only the first question of a session waits for its start
    subprocess.run([home.env["TERMA_BIN"], "agent", "start"], env=home.env | env, check=True)
    rc = RC.replace("TREE", str(TREE))
    where = home.home / "demo"
    with TmuxShell(
        "zsh", home.home, rc, env=env, size=(ROWS, COLS), cwd=where, ready="❯", inside=True
    ) as shell:
        film = Film(shell)
        film.look(0.8)
        typed = ""
        for act in SCENE:
            if isinstance(act, float):
                film.look(act)
            elif act in KEYS:
                shell.press(act)
                if act == "C-t":
                    film.watch(until=r"offline · \w+")
                elif typed == "wc -l nots.txt" and act == "Enter":
                    film.watch(until="Ctrl\\+T: wc -l notes.txt")
                elif typed == "?why":
                    film.watch(until=r"offline · tmux[^?]*❯ wc -l notes.txt")
                film.watch()
            else:
                typed = act
                film.type(act)
        return film


def _rows(screen: str, cursor: tuple[int, int], height: int) -> Iterator[str]:
    """SVG for each row of a screen with colours."""
    lines = screen.split("\n")[:height]
    pen = Pen()  # what a row ends with, the next one begins with
    for number, line in enumerate(lines):
        spans = "".join(_spans(line, pen))
        if number == cursor[0]:
            x = cursor[1] * CELL
            spans += f'<rect x="{x:.1f}" y="-14" width="{CELL}" height="18" fill="{CURSOR}" opacity=".55"/>'
        yield spans


def _spans(line: str, pen: Pen) -> Iterator[str]:
    """The runs of one colour in a line, each where its first cell stands."""
    at, column = 0, 0
    for code in [*_SGR.finditer(line), None]:
        text = line[at : code.start() if code else None]
        if text.strip():
            start = column + len(text) - len(text.lstrip())  # not every viewer keeps blanks at the beginning
            yield f'<text x="{start * CELL:.1f}" fill="{pen.colour}"{pen.look()}>{escape(text.strip())}</text>'
        column += sum(2 if ord(char) > 0x2E80 else 1 for char in text)
        if code is None:
            return
        at = code.end()
        if code[1] is not None:
            pen.take(code[1])


def _colours(values: list[str]) -> str:
    return f"svg{{{';'.join(f'--c{number}:{value}' for number, value in enumerate(values))}}}"


def draw(film: Film, label: str = "Words at a prompt become a command") -> str:
    """The film as one SVG: every distinct row is drawn once, and each frame shows its rows for its time."""
    total = sum(seconds for _, seconds in film.frames)
    width, height = film.width * CELL + 2 * PAD, film.height * LINE + 2 * PAD
    known: dict[str, str] = {}
    frames, rules, now = [], [], 0.0
    for number, (rows, seconds) in enumerate(film.frames):
        uses = []
        for row, spans in enumerate(rows):
            if spans:
                name = known.setdefault(spans, f"r{len(known)}")
                uses.append(f'<use href="#{name}" y="{row * LINE:.0f}"/>')
        start, end = 100 * now / total, 100 * (now + seconds) / total
        shown = f"{start:.3f}%{{visibility:visible}}{end:.3f}%{{visibility:hidden}}"
        rules.append(f"@keyframes k{number}{{0%{{visibility:hidden}}{shown}}}")
        rules.append(f".f{number}{{animation-name:k{number}}}")
        frames.append(f'<g class="f f{number}">{"".join(uses)}</g>')
        now += seconds
    rows_drawn = "".join(f'<g id="{name}">{spans}</g>' for spans, name in known.items())
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" xml:space="preserve" viewBox="0 0 {width:.0f} {height:.0f}" '
        f'width="{width:.0f}" height="{height:.0f}" role="img" aria-label="{escape(label)}">\n'
        f"<style>{_colours(DARK)}@media(prefers-color-scheme:light){{{_colours(LIGHT)}}}"
        f"text{{font:14px {FONT};white-space:pre}}"
        f".f{{visibility:hidden;animation:{total:.2f}s steps(1) infinite}}{''.join(rules)}</style>\n"
        f"<defs>{rows_drawn}</defs>\n"
        f'<rect width="100%" height="100%" rx="8" fill="{GROUND}"/>\n'
        f'<g transform="translate({PAD:.0f} {PAD + 14:.0f})">{"".join(frames)}</g>\n</svg>\n'
    )


def main() -> int:
    target = Path(sys.argv[1] if len(sys.argv) > 1 else "docs/recording.svg")
    with tempfile.TemporaryDirectory(prefix="terma-rec", dir="/tmp") as name:
        home = Home(Path(name))
        try:
            film = record(home)
        finally:
            end_agent_in(home.runtime)
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(draw(film), encoding="utf-8")
    seconds = sum(seconds for _, seconds in film.frames)
    print(f"{target}: {len(film.frames)} frames, {seconds:.0f} s, {target.stat().st_size // 1024} KiB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
