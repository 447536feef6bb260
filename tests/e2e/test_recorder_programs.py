"""vim, less, htop and tmux inside `terma shell`: what they write is what the terminal gets, byte for byte.

Two proofs. `script` stands between the program and the recorder's terminal and logs what the program wrote and read:
the log is compared with what reached the outer terminal, in one and the same session, so figures that change (htop)
and redraws that depend on time (tmux) do not matter. And for what is deterministic, vim and less, the session is
driven a second time without the recorder and the two streams are compared."""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from tests.conftest import WAIT, Home
from tests.e2e.recorded import MARK, Recorded
from tests.shells.driver import PROMPT, wait_until

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="script takes other arguments elsewhere")
QUIET = 0.3  # seconds without a byte: the program waits for a key

VIM = "vim -u NONE -i NONE -N --cmd 'set noswapfile ttimeoutlen=50 nottyfast t_RV= t_u7= mouse=a'"
# what a person would type, each piece once the program is quiet
SESSIONS: dict[str, tuple[str, Sequence[bytes]]] = {
    "vim": (
        f"{VIM} text",
        [
            b"ihello \xc3\xa9\x1b",
            b"yyp",
            b":set hlsearch\r",
            b"/line\r",
            b"G",
            b"\x06",
            b"\x02",
            b"v3j",
            b"\x1b",
            b":q!\r",
        ],
    ),
    "less": ("less -R text", [b" ", b"b", b"/line 9\r", b"n", b"G", b"g", b"h", b"q", b"q"]),
    "htop": ("htop -d 5", [b"\x1b[B", b"\x1bOR", b"python", b"\x1b", b"t", b"q"]),
    "tmux": (
        "tmux -L {name} -f /dev/null new-session 'PS1=in tmux; exec sh'",
        [
            b"echo in the pane\r",
            b"\x02%",
            b"echo and here\r",
            b"\x02\x1b[D",
            b"\x02[",
            b"\x1b[A",
            b"q",
            b"\x02:",
            b"kill-server",
            b"\r",
        ],
    ),
}


@pytest.fixture
def text(home: Home) -> Iterator[None]:
    """A file to look at, with colours, long lines and letters of more than one byte. A tmux that lives is ended."""
    lines = [
        f"line {number} \x1b[3{number % 8}mcolour\x1b[0m é 漢字 {'long ' * (number % 30)}"
        for number in range(300)
    ]
    (home.home / "text").write_text("\n".join(lines) + "\n", encoding="utf-8")
    yield
    subprocess.run(["tmux", "-L", f"t-{home.root.name}", "kill-server"], capture_output=True, check=False)


def quiet(terminal: Recorded) -> None:
    """Read what the program says to the last key, however late, until it has said nothing for a while."""
    terminal.read(10 * QUIET)
    until = time.monotonic() + WAIT
    while terminal.read(QUIET) and time.monotonic() < until:
        pass


@pytest.mark.parametrize("program", SESSIONS)
def test_what_a_program_writes_and_reads_is_what_the_terminal_gives_and_gets(
    home: Home, text: None, program: str
) -> None:
    if shutil.which(program) is None:
        pytest.fail(f"there is no {program}: sh tools/system-packages")
    line, keys = SESSIONS[program]
    line = line.format(name=f"t-{home.root.name}")
    written, read = home.home / "written", home.home / "read"
    quoted = line.replace('"', '\\"')
    with Recorded("bash", home, env={"COLORTERM": "truecolor"}, size=(30, 100)) as terminal:
        terminal.mark().type(f'script -q -f -O written -I read -c "{quoted}"; echo ov""er').press("Enter")
        wait_until(lambda: terminal.read() or (written.exists() and written.stat().st_size > 200), program)
        for key in keys:
            quiet(terminal)
            terminal.send(key)
        terminal.wait_for("over\r\n").wait_for(PROMPT)
        (command,) = terminal.last()
    body = written.read_bytes().partition(b"]\n")[2].rpartition(b"\nScript done")[0]
    assert len(body) > 1000
    assert body in terminal.raw
    typed = read.read_bytes().partition(b"]\n")[2].rpartition(b"\nScript done")[0]
    assert typed == b"".join(keys)
    assert command["alt_screen"] is True
    assert len(command["output"]) < 600  # of a full-screen program only what it wrote outside of its screen


@pytest.mark.parametrize("program", ["vim", "less"])
def test_a_session_is_the_same_with_and_without_the_recorder(home: Home, text: None, program: str) -> None:
    line, keys = SESSIONS[program]
    sessions = []
    for through in ("{terma}", "exec {shell}"):
        with Recorded("bash", home, size=(30, 100), through=through) as terminal:
            terminal.mark().type(line).press("Enter")
            wait_until(lambda: terminal.read() or b"\x1b[?1049h" in terminal.raw, f"the screen of {program}")
            for key in keys:
                quiet(terminal)
                terminal.send(key)
            quiet(terminal)
            terminal.type("exit").press("Enter")
            terminal.ended()
            sessions.append(terminal.raw)
    assert MARK.sub(b"", sessions[0]) == sessions[1]
    assert len(sessions[1]) > 2000


def test_the_pictures_of_a_terminal_pass_like_everything_else(home: Home) -> None:
    picture = b"\x1bPq#0;2;0;0;0#1;2;100;100;0" + b"#1~~@@vv@@~~@@~~$-" * 4000 + b"\x1b\\"
    Path(home.home / "picture").write_bytes(picture)
    with Recorded("bash", home) as terminal:
        terminal.mark().type("cat picture; echo; echo ov''er").press("Enter").wait_for("over\r\n")
        assert picture in terminal.raw
