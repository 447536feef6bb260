"""Writes the recordings of the guided first minute and of the hint behind it: a real `terma try`, key by key.

    python tools/first_minute.py docs

Nothing in it is staged: the shells, the agent and the embedded engine are those of the checkout. One picture is
80 columns wide, one 44.
"""

from __future__ import annotations

import re
import socket
import sys
import tempfile
import time
from pathlib import Path

TREE = Path(__file__).parents[1]
sys.path.insert(0, str(TREE))

from tests.conftest import Home, end_agent_in  # noqa: E402
from tests.shells.driver import TmuxShell  # noqa: E402
from tools.recording import Film, draw  # noqa: E402

ROWS = {80: 22, 44: 26}
PORT = 8080
TOLD = "terma try: three things of this machine to try, one key each, and at its end a hint below the prompt"
RC = """
PS1='%F{2}❯%f ' PS2='… '
unsetopt prompt_sp
HISTFILE=
PATH=BIN:$PATH
clear
"""


def record(home: Home, columns: int, **env: str) -> Film:
    """Play the first minute in a real shell of `columns` columns."""
    demo = home.home / "demo"
    demo.mkdir()
    for name, size in (("holiday.mov", 90_000_000), ("notes.txt", 2_000), ("report.pdf", 700_000)):
        with (demo / name).open("wb") as file:
            file.truncate(size)
    ours = {name: home.env[name] for name in ("TERMA_BIN", "XDG_CACHE_HOME", "TERMA_IDLE_SECONDS")}
    rc = RC.replace("BIN", str(Path(home.env["TERMA_BIN"]).parent))
    size = (ROWS[columns], columns)
    with (
        socket.create_server(("127.0.0.1", PORT)),
        TmuxShell(
            "zsh",
            home.home,
            rc,
            env=ours | {"TMPDIR": str(home.root)} | env,
            size=size,
            cwd=demo,
            ready="❯",
            inside=True,
        ) as shell,
    ):
        film = Film(shell, *size)
        film.look(0.6)
        film.type("terma try --shell zsh")
        press(film, "Enter", "which file is the largest")
        press(film, "C-t", r"offline · (?!thinking)\w+", 2.5)
        press(film, "Enter", r"what listens on port \d+\n?$", 2.5)
        press(film, "C-t", "sport = :", 2.5)
        press(film, "Enter", r"dtae\n?$", 2.5)
        press(film, "Enter", r"❯ \?why\n?$", 2.0)
        press(film, "Enter", r"every zsh\? \[y/N\]", 3.0)
        press(film, "y", r"\[y/N\] y[\s\S]*\[y/N\]", 2.0)
        press(film, "y", r"❯ date\n?$", 2.0)
        press(film, "C-u", r"❯\n?$", 0.6)
        film.type("wc -l nots.txt")
        press(film, "Enter", r"Ctrl\+T: wc -l notes.txt", 3.0)
        press(film, "C-t", r"❯ wc -l notes.txt", 2.5)
    return film


def press(film: Film, key: str, until: str, seconds: float = 1.5) -> None:
    """One key, what comes of it until the pattern `until` is on the screen, and `seconds` for who reads it."""
    time.sleep(0.3)  # an Enter that comes at once behind an answer is not meant
    film.look(0.5)
    film.shell.press(key)
    film.watch(until=until, limit=60.0)
    if not re.search(until, film.shell.screen()):
        raise SystemExit(f"{until!r} did not come; the screen is\n{film.shell.screen()}")
    film.watch()
    film.look(seconds)


def main() -> int:
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "docs")
    for columns, name in ((80, "first-minute.svg"), (44, "first-minute-narrow.svg")):
        with tempfile.TemporaryDirectory(prefix="terma-rec", dir="/tmp") as root:
            home = Home(Path(root))
            try:
                film = record(home, columns)
            finally:
                end_agent_in(home.runtime)
        picture = folder / name
        picture.write_text(draw(film, TOLD), encoding="utf-8")
        print(f"{picture}: {len(film.frames)} frames, {picture.stat().st_size // 1024} KiB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
