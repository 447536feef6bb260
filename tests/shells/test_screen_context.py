"""What a question is told of the screen: recent commands, their outputs, in shells that do not have terma's hooks."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.conftest import Home
from tests.model_server import ModelServer, says
from tests.shells.driver import TmuxShell, wait_until
from tests.shells.in_terma import PATIENCE, TERMA, Terma, prepared, told

RC = "PS1='box:\\w% '\n"


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer() as made:
        yield made


def seen(server: ModelServer, number: int) -> str:
    """Of what the model was told with request `number`, what came with the last question."""
    return told(server, number).rpartition("Seen of the terminal")[2]


def test_in_tmux_the_last_commands_and_another_pane_are_seen(home: Home, server: ModelServer) -> None:
    prepared(home, server)
    server.will(says("The first."), says("The second."), says("Of the other one."))
    env = {name: value for name, value in home.env.items() if name != "PS1"}
    shell = TmuxShell("bash", home.home, RC, env=env, size=(40, 100), inside=True, ready="box:")
    try:
        for line, after in (
            ("mkdir -p deep; cat absent", "No such file"),
            ("cd deep; seq 4 | tr '\\n' -", "1-2-3-4"),
            (f"{TERMA} 'what went wrong?'", "The first."),
            ("expr 40 + 2", "42"),
            (f"{TERMA} 'and now?'", "The second."),
        ):
            shell.type(line).press("Enter")
            shell.wait_for(after, PATIENCE)
            shell.wait_screen(lambda screen: screen.rstrip().endswith("%"), "a prompt", PATIENCE)
        first, second = seen(server, 1), seen(server, 2)
        assert first.startswith(": deep, 2 commands with their outputs, from tmux")
        assert "$ mkdir -p deep; cat absent\n| cat: absent: No such file or directory" in first
        assert "Command: cd deep; seq 4 | tr" in first and first.rstrip().find("1-2-3-4") > 0
        assert second.startswith(": deep, 3 commands") and "Command: expr 40 + 2" in second
        assert "what went wrong" not in second.partition("and now?")[0].replace("follows", "")
        assert "context: deep, 2 commands" in " ".join(shell.screen(history=True).split())

        pane = shell._tmux(
            "split-window", "-d", "-P", "-F", "#{pane_id}", "sh", "-c", "PS1='other$ ' sh"
        ).strip()
        wait_until(lambda: "other$" in shell._tmux("capture-pane", "-p", "-t", pane), "the other shell")
        shell._tmux("send-keys", "-t", pane, "cd /usr; echo from the other; echo ready-$((20+2))", "Enter")
        wait_until(lambda: "ready-22" in shell._tmux("capture-pane", "-p", "-t", pane), "the other pane")
        shell.type(f"{TERMA} --new --pane {pane} 'and there?'").press("Enter")
        shell.wait_for("Of the other one.", PATIENCE)
        assert "from the other\nready-22" in seen(server, 3) and "expr 40" not in seen(server, 3)
        assert ", another pane" in seen(server, 3) and "\nDirectory: /usr\n" in seen(server, 3)
    finally:
        shell.close()


def test_without_a_terminal_that_tells_it_is_said_that_nothing_is_seen(
    home: Home, server: ModelServer
) -> None:
    prepared(home, server)
    server.will(says("Alone."))
    with Terma(home, "what is this?") as asked:
        asked.wait_for("context: none").wait_for("Alone.")
        assert asked.status() == 0
    assert seen(server, 1).startswith(": none")


def test_in_its_own_room_terma_tells_what_stood_outside_and_not_itself(
    home: Home, server: ModelServer
) -> None:
    prepared(home, server)
    server.will(says("The first."), says("The second."))
    env = {name: value for name, value in home.env.items() if name != "PS1"}
    shell = TmuxShell("bash", home.home, RC, env=env, size=(30, 100), inside=True, ready="box:")
    try:
        shell.type("cat absent").press("Enter").wait_for("No such file", PATIENCE)
        shell.type(f"{TERMA} chat").press("Enter").wait_for("Ctrl+D leaves", PATIENCE)
        shell.wait_screen(lambda screen: "~ ❯" in screen, "terma's prompt", PATIENCE)
        for line, after in (
            ("seq 60", "\n60\n"),
            ("ls /nowhere", "exit status 2"),
            ("what was it?", "The first."),
        ):
            shell.type(line).press("Enter")
            shell.wait_screen(
                lambda screen, after=after: after in screen and "~ ❯" in screen.rpartition(after)[2],  # type: ignore[misc]
                f"a prompt after {after}",
                PATIENCE,
            )
        outside, _, inside = seen(server, 1).partition("The person ran: ")
        assert outside.startswith(": deep, 1 command with its output, from tmux")
        assert "Command: cat absent" in outside and "absent: No such file" in outside
        assert "seq 60" not in outside and "❯" not in outside and "nowhere" in inside
        shell.press("C-d").wait_screen(lambda screen: screen.rstrip().endswith("%"), "bash", PATIENCE)
        shell.type(f"TERMA_DEBUG= {TERMA} --new 'and now?' | cat").press("Enter")
        shell.wait_for("The second.", PATIENCE)
        assert seen(server, 2).startswith(": deep, 1 command") and "nowhere" not in seen(server, 2)
    finally:
        shell.close()
