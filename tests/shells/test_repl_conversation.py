"""A model proposes, is rejected, proposes again, sees what came of it, and concludes: on a real terminal, over HTTP."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator

import pytest

from tests.conftest import Home
from tests.model_server import ModelServer, says
from tests.shells.driver import BASH_RC, Shell, wait_until
from tests.shells.in_bash import bash
from tests.shells.in_terma import (
    KEYS,
    NO_TOOLS,
    PATIENCE,
    SHELLS,
    TERMA,
    Terma,
    prepared,
    proposes,
    told,
    writes,
)
from tests.shells.in_zsh import zsh
from tests.unit.repl.at_terminal import person


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer() as made:
        yield made


FIRST, SECOND = "rm -rf ./cache", "cd sub && printf 'seen-%s\\n' 42"
END = says("It ", "is **do", "ne**: `sub` holds the answer.")
WITH_TOOLS = (
    proposes(FIRST, words="I clean up first.", description="deletes the cache"),
    proposes(SECOND, words="Then I only look.", description="goes there and looks"),
    END,
)
WITHOUT_TOOLS = (
    NO_TOOLS,
    writes(FIRST, words="I clean up first.", description="deletes the cache"),
    writes(SECOND, words="Then I only look.", description="goes there and looks"),
    END,
)


@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.parametrize(("replies", "skipped"), [(WITH_TOOLS, 0), (WITHOUT_TOOLS, 1)], ids=["tools", "json"])
def test_rejected_it_proposes_again_sees_the_output_and_concludes(
    home: Home, server: ModelServer, shell: str, replies: tuple[object, ...], skipped: int
) -> None:
    prepared(home, server, shell)
    (home.home / "sub").mkdir()
    (home.home / "cache").mkdir()
    server.will(*replies)  # type: ignore[arg-type]
    with Terma(home, "what is in sub?") as terma:
        terma.wait_for("I clean up first.").wait_for(FIRST).wait_for("deletes the cache")
        terma.wait_for("high risk: deletes files, recursively").wait_for(KEYS)
        terma.mark().press("Enter").wait_for("Enter alone does not run this").wait_for(KEYS)
        terma.type("r").wait_for("what should it know?")
        terma.mark().type("only look, delete nothing").press("Enter").wait_for("rejected: only look")
        level = "medium" if shell == "fish" else "low"  # what nobody here reads is never called low
        terma.wait_for("goes there and looks").wait_for(f"{level} risk").wait_for(KEYS)
        terma.mark().type("y").wait_for("seen-42").wait_for("is done: sub holds the answer.")
        assert terma.status() == 0
        assert terma.echoes
    assert (home.home / "cache").exists()
    assert "only look, delete nothing" in told(server, 2 + skipped)
    assert "exit status 0" in told(server, 3 + skipped)
    assert "seen-42" in told(server, 3 + skipped)
    assert f"directory: {home.home}/sub" in told(server, 3 + skipped)
    assert len(server.seen) == 3 + skipped


@pytest.mark.parametrize("load", [zsh, bash], ids=["zsh", "bash"])
@pytest.mark.parametrize("line", ['terma "why did this fail?"', "terma --no-save why did this fail"])
def test_the_shells_tell_of_their_last_command(
    home: Home, server: ModelServer, load: Callable[..., Shell], line: str
) -> None:
    prepared(home, server)
    (home.home / ".zshrc").unlink()  # each brings its own
    server.will(says("There is no such file."))
    with load(home, env=home.env) as shell:
        shell.type("ls no-such-file").press("Enter").wait_for("cannot access")
        shell.mark().type(line).press("Enter").wait_for("There is no such file.")
    assert "Command: ls no-such-file" in told(server, 1)
    assert "Exit status: 2" in told(server, 1)


@pytest.mark.parametrize("tail", ["", " | cat"])
def test_with_text_piped_in_the_terminal_is_asked_all_the_same(
    home: Home, server: ModelServer, tail: str
) -> None:
    prepared(home, server)
    server.will(proposes("read -r one; echo got-$one"), says("Read."))
    script = f"echo some data | {TERMA} 'what is it?'{tail}; echo status $?"
    with Shell("bash", home.home, BASH_RC, env=home.env) as shell:
        shell.type(script).press("Enter").wait_for(KEYS)
        shell.mark().type("y").wait_for("approved")
        shell.type("typed").press("Enter").wait_for("got-typed").wait_for("Read.").wait_for("status 0")
    assert "some data" in told(server, 1)
    assert "got-typed" in told(server, 2)


def test_in_the_background_nothing_is_asked_and_nothing_stops(home: Home, server: ModelServer) -> None:
    prepared(home, server)
    server.will(proposes("touch made"), says("Then not."))
    with Shell("bash", home.home, BASH_RC, env=home.env) as shell:
        shell.type(f"{TERMA} 'make it' & wait; echo status $?").press("Enter")
        shell.wait_for("not run: touch made").wait_for("Then not.").wait_for("status 0")
    assert not (home.home / "made").exists()


def test_a_terminal_that_controls_nothing_is_a_terminal(home: Home, server: ModelServer) -> None:
    """As in a container that was given one, without a session of its own."""
    prepared(home, server)
    server.will(proposes("touch made"), says("Then not."))
    with person() as one:
        process = subprocess.Popen(
            [TERMA, "make it"],
            env=home.env | {"TERM": "xterm-256color"},
            stdin=one.slave,
            stdout=one.slave,
            stderr=one.slave,
            cwd=home.home,
            start_new_session=True,
        )
        wait_until(lambda: KEYS.strip() in one.seen, "the proposal", PATIENCE)
        one.press("n")
        wait_until(lambda: "Then not." in one.seen, "the answer", PATIENCE)
        assert process.wait(PATIENCE) == 0
