"""Records four conversations on a real terminal, typed into key by key, each drawn as an animated SVG.

    python tools/sittings.py docs

The shell, the agent, what is approved and what runs are those of the checkout. The model is a server that says what
stands here, as a real one streams it.
"""

from __future__ import annotations

import re
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

TREE = Path(__file__).parents[1]
sys.path[:0] = [str(TREE), str(TREE / "tools")]

from recording import COLS, Film, draw  # noqa: E402

from tests.conftest import Home, end_agent_in  # noqa: E402
from tests.model_server import ModelServer, Reply, says  # noqa: E402
from tests.shells.driver import TmuxShell  # noqa: E402
from tests.shells.in_terma import prepared, proposes  # noqa: E402

ROWS = 22
WAIT = 60.0  # seconds for what is waited for
PACE = 0.06  # seconds between two pieces of what the model says
RC = """
PS1='%F{4}%1~%f %F{2}❯%f ' PS2='… '
unsetopt prompt_sp
HISTFILE=
path=(TREE/.venv/bin $path)
source TREE/zsh/terma.plugin.zsh
"""
KEYS = r"quit\s*\Z"  # the row beneath a proposal counts: it stands last
BACK = r"❯\s*\Z"


@dataclass(frozen=True, slots=True)
class Until:
    """Watch until the pattern is on the screen, and `stay` seconds longer."""

    pattern: str
    stay: float = 1.2


Act = str | float | Until  # text is typed; of KEY_NAMES it is a key


@dataclass(frozen=True, slots=True)
class Sitting:
    """`files` lie in the directory; `replies` are the model's, one a request."""

    about: str
    files: dict[str, str]
    replies: tuple[Reply, ...]
    acts: tuple[Act, ...]


KEY_NAMES = {"Enter", "C-z", "C-t", "C-c"}


def spoken(text: str) -> Reply:
    """An answer a word at a time."""
    return says(*(f"{word} " for word in text.split(" ")), gap=PACE)


BUILD = Sitting(
    "A long build is stopped by a key and goes on as a session",
    {"Makefile": "all:\n\t@for n in $$(seq 1 240); do echo \"[$$n/240] CC part$$n.c\"; sleep 0.25; done\n"},
    (
        proposes("make", words="I build it.", description="builds all targets"),
        spoken("The build is not done: it goes on in the session `make`, and nothing of it is lost."),
    ),
    (
        'terma "build this"', 0.5, "Enter", Until(KEYS), "y", Until(r"\[9/240\]", 0.2), "C-z",
        Until(r"end it\s*\Z"), "s", Until(rf"nothing of it is lost[\s\S]*{BACK}", 2.0),
        "terma session read make --tail 3", 0.5, "Enter", Until(rf"tail 3\n[\s\S]*240\][\s\S]*{BACK}", 3.0),
    ),
)  # fmt: skip
TEST = Sitting(
    "A failing test is explained, fixed and run again",
    {
        "prices.py": "def total(prices, discount):\n    return sum(prices) - discount / 100\n",
        "test_prices.py": (
            "import unittest\n\nfrom prices import total\n\n\nclass Total(unittest.TestCase):\n"
            "    def test_ten_percent(self):\n        self.assertEqual(total([40, 60], 10), 90)\n"
        ),
    },
    (
        proposes("cat prices.py", description="show what is tested"),
        proposes(
            r"sed -i 's|sum(prices) - discount / 100|sum(prices) * (100 - discount) / 100|' prices.py",
            words="`total` subtracts 10 / 100 in place of ten percent of the sum.",
            description="take the percentage of the sum",
        ),
        proposes("python3 -m unittest", description="run the tests again"),
        spoken("The test passes: a discount of 10 is now ten percent of the sum."),
    ),
    (
        "python3 -m unittest", 0.4, "Enter", Until(rf"FAILED[\s\S]*{BACK}", 1.5),
        'terma "why, and fix it"', 0.5, "Enter", Until(KEYS), "y", Until(rf"ten percent of the sum[\s\S]*{KEYS}", 2.5),
        "y", Until(rf"run the tests again[\s\S]*{KEYS}"), "y", Until(rf"is now ten percent[\s\S]*{BACK}", 3.0),
    ),
)  # fmt: skip
SERVER = Sitting(
    "A server in the background still answers after leaving",
    {"page.txt": "served by terma's session\n"},
    (
        proposes("python3 -m http.server 8042 &", description="serves this directory on port 8042"),
        spoken("This directory is served at http://localhost:8042/ now."),
    ),
    (
        'terma "serve this directory"', 0.5, "Enter", Until(KEYS, 2.0), "y", Until(r"keep  end\s*\Z", 2.0), "k",
        Until(rf"session attach[\s\S]*{BACK}", 1.5), "curl -s localhost:8042/page.txt", 0.4, "Enter",
        Until(rf"served by[\s\S]*{BACK}", 1.5), "terma session list", 0.4, "Enter", Until(rf"list\n[\s\S]*{BACK}", 3.0),
    ),
)  # fmt: skip
FOLLOW = Sitting(
    "A second question at the same prompt follows up the first; its code is one key away",
    {"notes.md": "note\n" * 40, "report.csv": "1,2,3\n" * 900, "draft.txt": "words\n" * 200},
    (
        proposes("ls -lS", description="list by size"),
        spoken("`report.csv` is the largest, with 5400 bytes."),
        spoken("Packed, it would be far smaller:\n\n```sh\ngzip --keep report.csv\n```\n"),
    ),
    (
        'terma "which file is the largest?"', 0.5, "Enter", Until(KEYS), "y", Until(rf"5400 bytes[\s\S]*{BACK}", 1.5),
        'terma "and how do I make it smaller?"', 0.5, "Enter", Until(rf"gzip --keep[\s\S]*{BACK}", 1.5),
        "C-t", Until(r"❯ gzip --keep report.csv", 1.5), "Enter", Until(rf"report.csv\n[\s\S]*{BACK}", 0.5),
        "ls -l *.gz", 0.3, "Enter", Until(rf"csv.gz\n[\s\S]*{BACK}", 3.0),
    ),
)  # fmt: skip
SITTINGS = {"build": BUILD, "test": TEST, "server": SERVER, "follow-up": FOLLOW}


def record(home: Home, server: ModelServer, sitting: Sitting) -> Film:
    """Play it in a real zsh. Raises AssertionError where what was waited for did not come."""
    server.will(*sitting.replies)
    prepared(home, server, "zsh")
    where = home.home / "demo"
    where.mkdir()
    for name, text in sitting.files.items():
        (where / name).write_text(text, encoding="utf-8")
    mark = home.home / ".local/state/terma/zsh-key-taken"
    mark.parent.mkdir(parents=True, exist_ok=True)
    mark.touch()
    rc = RC.replace("TREE", str(TREE))
    env = {key: value for key, value in home.env.items() if key.startswith("TERMA_")} | {
        "SHELL": home.env["SHELL"]
    }
    with TmuxShell(
        "zsh", home.home, rc, env=env, size=(ROWS, COLS), cwd=where, ready="❯", inside=True
    ) as shell:
        film = Film(shell, ROWS)
        film.look(0.8)
        for act in sitting.acts:
            _played(film, shell, act)
        return film


def _played(film: Film, shell: TmuxShell, act: Act) -> None:
    if isinstance(act, float):
        film.look(act)
    elif isinstance(act, Until):
        film.watch(act.pattern, limit=WAIT)
        assert re.search(act.pattern, shell.screen()), f"{act.pattern!r} did not come:\n{shell.screen()}"
        time.sleep(0.5)  # a key counts a moment after what it answers stands there
        film.look(act.stay)
    elif act in KEY_NAMES or len(act) == 1:
        shell.press(act)
    else:
        for char in act:
            shell.type(char)
            time.sleep(0.02)
            film.look(0.05)


def main(say: Callable[[str], None] = print) -> int:
    target = Path(sys.argv[1] if len(sys.argv) > 1 else "docs")
    wanted = sys.argv[2:] or list(SITTINGS)
    for name in wanted:
        sitting = SITTINGS[name]
        with tempfile.TemporaryDirectory(prefix="terma-rec", dir="/tmp") as root, ModelServer() as server:
            home = Home(Path(root))
            try:
                film = record(home, server, sitting)
            finally:
                home.end()
                end_agent_in(home.runtime)
        file = target / f"sitting-{name}.svg"
        file.write_text(draw(film, sitting.about), encoding="utf-8")
        seconds = sum(seconds for _, seconds in film.frames)
        say(f"{file}: {len(film.frames)} frames, {seconds:.0f} s, {file.stat().st_size // 1024} KiB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
