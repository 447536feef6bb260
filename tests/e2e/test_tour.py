"""The first minute: three things of this machine, one key each; its end installs, and any moment ends it."""

from __future__ import annotations

import os
import re
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from terma.commands import _tour
from tests.conftest import Home, wait_until
from tests.shells.driver import BASH_RC, Timeout, TmuxShell
from tests.shells.in_xonsh import NEWEST, OLDEST, XONSH, both, needs_xonsh
from tests.shells.oldest_xonsh import oldest_xonsh

shells = pytest.mark.parametrize("shell", ["zsh", "bash"])
WORDS = "which file is the largest"


@contextmanager
def trial(home: Home, command: str, columns: int = 80, **env: str) -> Iterator[TmuxShell]:
    """A person's bash in which `command` was entered, in a home with one large file."""
    (home.home / "big.bin").write_bytes(b"x" * 90_000)
    ours = {name: home.env[name] for name in ("TERMA_BIN", "XDG_CACHE_HOME", "TERMA_IDLE_SECONDS")}
    tmp = home.root / "t"
    tmp.mkdir()
    full = ours | {"TMPDIR": str(tmp)} | env
    with TmuxShell("bash", home.home, BASH_RC, env=full, size=(50, columns)) as person:
        person.type(command.replace("terma", home.env["TERMA_BIN"], 1)).press("Enter")
        yield person


def stands(shell: TmuxShell, line: str) -> None:
    """Waits until `line` stands on the last prompt that is shown."""

    def there() -> bool:
        rows = [row.rstrip() for row in shell.screen().splitlines() if row.strip()]
        return bool(rows) and rows[-1].endswith(f" {line}")

    wait_until(there, f"{line!r} on the prompt; the screen is\n{shell.screen()}")


def enter(shell: TmuxShell, until: str) -> None:
    """Presses Enter, again where it came too early behind an answer to be meant, until `until` is on the screen."""
    while until not in shell.screen():
        with suppress(Timeout):
            shell.press("Enter").wait_for(until, timeout=3)


def wants_hints(home: Home) -> bool:
    file = home.home / ".config/terma/config.toml"
    return file.exists() and "hints = true" in file.read_text()


@shells
@pytest.mark.parametrize("columns", [44, 80])
def test_the_first_minute_from_its_first_key_to_its_last(home: Home, shell: str, columns: int) -> None:
    with (
        socket.create_server(("127.0.0.1", 0)),
        trial(home, f"terma try --shell {shell} --clean", columns) as it,
    ):
        it.wait_for("1/3").wait_for("big.bin")
        stands(it, WORDS)
        it.press("C-t").wait_for("offline")
        enter(it, "2/3")
        wait_until(lambda: re.search(r"[#%$] what listens on port \d+$", it.screen().rstrip()), "the words")
        it.press("C-t").wait_for("sport = :").press("C-u")
        enter(it, "3/3")
        stands(it, "dtae")
        it.press("Enter").wait_for("not found")
        stands(it, "?why")
        it.press("Enter").wait_for(f"terma in every {shell}? [y/N]")
        assert it.screen().count("Enter asks:") == 1  # what terma says is no output of the command
        it.type("y").wait_for("added one line to")
        it.wait_for("terma is sure of? [y/N]").type("y")
        wait_until(lambda: wants_hints(home), "the yes to hints")
        it.wait_for("Hints are on;")
        stands(it, "date")  # the fix that ?why promised, on the prompt behind the questions
        assert "# added by terma init" in (home.home / f".{shell}rc").read_text()
        assert (home.home / ".local/state/terma" / _tour.SEEN).exists()


def with_xonsh(which: str = NEWEST, **env: str) -> dict[str, str]:
    """The environment of a trial that finds the tests' xonsh."""
    program = oldest_xonsh() if which == OLDEST else XONSH
    return {"PATH": f"{Path(program).parent}:{os.environ['PATH']}"} | env


@needs_xonsh
@both
@pytest.mark.parametrize(("columns", "vi"), [(44, False), (80, False), (80, True)])
def test_the_first_minute_in_xonsh(home: Home, columns: int, which: str, vi: bool) -> None:
    """terma does not load by itself here, so it is asked whether it shall."""
    env = with_xonsh(which, XONTRIBS_AUTOLOAD_DISABLED="1")
    rc = home.home / ".xonshrc"
    if vi:
        rc.write_text("$VI_MODE = True\n")
    with (
        socket.create_server(("127.0.0.1", 0)),
        trial(home, f"terma try --shell xonsh{'' if vi else ' --clean'}", columns, **env) as it,
    ):
        it.wait_for("1/3").wait_for("big.bin")
        stands(it, WORDS)
        assert "Welcome to" not in it.screen()
        it.press("C-t").wait_for("offline")
        enter(it, "2/3")
        wait_until(lambda: re.search(r"# what listens on port \d+$", it.screen().rstrip()), "the words")
        it.press("C-t").wait_for("sport = :").press("C-u")
        enter(it, "3/3")
        stands(it, "dtae")
        it.press("Enter").wait_for("not found")
        stands(it, "?why")
        it.press("Enter").wait_for("terma in every xonsh? [y/N]")
        assert it.screen().count("Enter asks:") == 1
        it.type("y").wait_for("added one line to")
        it.wait_for("terma is sure of? [y/N]").type("n")
        it.wait_for("Hints are off;")
        stands(it, "date")
        assert re.search("^xontrib load terma  #", rc.read_text(), re.M)
        assert not wants_hints(home)


@needs_xonsh
def test_in_xonsh_one_key_ends_it_and_words_that_were_entered_are_there_again(home: Home) -> None:
    with trial(home, "terma try --shell xonsh --clean", **with_xonsh()) as it:
        stands(it, WORDS)
        it.press("Enter").wait_for("These were words: Ctrl+T before Enter.")
        stands(it, WORDS)
        it.press("C-g").wait_for("Over. terma try --tour shows it again.")
        it.type("echo @(2 * 21)").press("Enter").wait_for("\n42")
        assert "2/3" not in it.screen()
        it.type("exit").press("Enter")
        wait_until(lambda: not list((home.root / "t").glob("terma-try-*")), "the trial to be over")


@shells
def test_one_key_ends_it_and_it_is_shown_once(home: Home, shell: str) -> None:
    with trial(home, f"terma try --shell {shell} --clean") as it:
        stands(it, WORDS)
        it.press("C-g").wait_for("Over. terma try --tour shows it again.")
        it.type("echo mi''ne").press("Enter").wait_for("\nmine")
        assert "2/3" not in it.screen()
        it.type("exit").press("Enter")
        wait_until(lambda: not list((home.root / "t").glob("terma-try-*")), "the trial to be over")
        it.type(f"clear; {home.env['TERMA_BIN']} try --shell {shell} --clean").press("Enter")
        it.wait_for("Then press Ctrl+T")
        assert "1/3" not in it.screen()


@shells
def test_words_that_were_entered_are_there_again(home: Home, shell: str) -> None:
    with trial(home, f"terma try --shell {shell} --clean") as it:
        stands(it, WORDS)
        it.press("Enter").wait_for("These were words: Ctrl+T before Enter.")
        stands(it, WORDS)
        assert "2/3" not in it.screen()


def test_what_is_not_here_is_not_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_tour.ports, "listening", lambda: ())
    first, second, *rest = _tour.steps(tmp_path, "/nowhere")
    assert first.line == "how full is the disk"
    assert "port" not in second.said + second.line
    assert rest == []


def test_after_an_install_it_is_offered_once(home: Home) -> None:
    with trial(home, "terma init bash --install") as it:
        it.wait_for("Add this line").wait_for("[Y/n]").press("Enter")
        it.wait_for("See what it does").wait_for("own? [Y/n]").press("Enter")
        stands(it, WORDS)
        assert "nothing of yours was changed" not in it.screen()
        it.press("C-g").wait_for("Over.")
