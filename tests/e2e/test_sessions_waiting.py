"""Waiting over several sessions, what follows keys, the readers' places, and the screen of a plain session."""

from __future__ import annotations

import threading

import pytest

from terma.errors import TermaError
from terma.sessions import remote, screens
from tests.e2e.sessioned import SLOW, create, needs


def wait(agent, *sessions, **values):
    with agent.connect() as connection:
        return remote.call(connection, "wait", {"sessions": list(sessions), "timeout": SLOW} | values)


def test_the_first_of_several_that_is_idle_ends_the_wait_with_its_status(agent):
    slow, quick = create(agent, "bash", name="slow"), create(agent, "bash", name="quick")
    slow.send("sleep 300", enter=True)
    quick.send("until [ -e go ]; do sleep 0.02; done; (exit 3)", enter=True)
    threading.Timer(0.3, (agent.home / "go").touch).start()
    told = wait(agent, "slow", "quick")
    assert {one["session"]: one["last_status"] for one in told["sessions"]}[
        "slow"
    ] is None  # none has ended yet
    assert (told["session"], told["ended_by"]) == ("quick", "idle")
    assert {one["session"]: one["last_status"] for one in told["sessions"]}["quick"] == 3


def test_the_first_pattern_that_is_printed_is_told_by_its_name(agent):
    create(agent, "sh", "-c", "echo fine; sleep 300", name="one")
    create(agent, "sh", "-c", "sleep 0.3; echo 'port 80 is taken'; sleep 300", name="two")
    told = wait(agent, "one", "two", pattern=["ready=listening on", "failed=port [0-9]+ is taken"])
    assert (told["session"], told["ended_by"], told["pattern"]) == ("two", "pattern", "failed")
    assert "taken" in create_reader(agent, "two")


def test_an_expression_that_is_none_is_told_before_anything_is_waited_for(agent):
    create(agent, "cat", name="silent")
    with pytest.raises(TermaError, match="no regular expression"):
        wait(agent, "silent", pattern=["ready=listening", "failed=(a+"])


def create_reader(agent, name):
    """What has not been read yet: the wait moved no place."""
    with agent.connect() as connection:
        return remote.text_of(remote.call(connection, "read", {"session": name}))


def test_an_exit_ends_it_and_so_does_its_time(agent):
    create(agent, "sh", "-c", "exit 4", name="brief")
    create(agent, "cat", name="long")
    told = wait(agent, "long", "brief", until="exit")
    assert (told["session"], told["ended_by"]) == ("brief", "exit")
    assert told["sessions"][1]["exit_status"] == 4
    assert wait(agent, "long", until="exit", timeout=0.2)["ended_by"] == "timeout"
    with pytest.raises(TermaError, match="no session"):
        wait(agent, "long", "nowhere")


def test_send_returns_what_followed_and_reading_goes_on_behind_it(agent):
    session = create(agent, "bash")
    told = session.send("echo one$((1+1))", enter=True, wait="one2", timeout=SLOW)
    assert told["ended_by"] == "pattern"
    assert "one2" in remote.text_of(told)
    session.exec("echo three")
    assert "one2" not in session.read()
    echoed = session.send("sleep 0.3; echo fo''ur; : four", enter=True, wait="four$", timeout=SLOW)
    assert remote.text_of(echoed).split("\n")[1] == "four"  # it was not found where it was typed
    assert session.send("", wait="nothing", timeout=0.2)["ended_by"] == "timeout"


def test_the_places_of_readers_are_listed_moved_and_dropped(agent):
    session = create(agent, "seq", "3")
    session.wait_for_state("exited")
    assert session.read(cursor="me").split() == ["1", "2", "3"]
    assert session.read(cursor="me") == ""
    assert session.call("cursor", cursor="me", to="start")["cursors"] == {"me": 0}
    assert session.read(cursor="me").split() == ["1", "2", "3"]
    assert session.call("cursor", cursor="me", drop=True)["cursors"] == {}
    session.call("cursor", cursor="me", to="end")
    assert session.read(cursor="me") == ""
    with pytest.raises(TermaError, match="no position"):
        session.call("cursor", to="middle")


def test_keys_go_by_their_names_in_the_form_that_the_program_asked_for(agent):
    session = create(agent, "sh", "-c", "stty raw -echo; echo ready; exec cat -v")
    session.call("read", wait="ready", timeout=SLOW)
    assert "^[[B^C^[x^[[21~<" in remote.text_of(
        session.send("<Down><C-c><M-x><F10><lt>", keys=True, settle=300, timeout=SLOW)
    )
    asks = create(
        agent, "sh", "-c", "stty raw -echo; printf '\\033[?1h'; echo ready; exec cat -v", name="asks"
    )
    asks.call("read", wait="ready", timeout=SLOW)
    assert "^[OB" in remote.text_of(asks.send("<Down>", keys=True, wait="OB", timeout=SLOW))
    with pytest.raises(TermaError, match="no key <Dwon>"):
        session.send("<Dwon>", keys=True)


def test_a_full_screen_program_in_a_plain_session_is_read_as_its_screen(agent):
    (agent.home / "text").write_text("".join(f"line {number}\n" for number in range(1, 100)))
    session = create(agent, "bash", rows=10, env={"LESS": "", "TERM": "xterm-256color"})
    told = session.exec("echo before; less text")
    assert told["alternate_screen"]
    assert "line 9" in told["screen"]
    assert "line 9" in session.call("read", tail=5)["screen"]
    assert session.call("search", pattern="^line 7$")["total"] == 1
    session.send("q")
    session.wait_for_state("idle")
    after = session.exec("echo after")
    assert after["output"] == "after"
    assert "screen" not in after


def test_a_reader_of_a_screen_is_told_what_has_changed_since(agent):
    menu = (
        r"printf '\033[?1049h\033[2J\033[H\033[7m one\033[0m\r\n two\r\n three'; read -r x; "
        r"printf '\033[2;1H\033[7m two\033[0m\033[4;1Hfour'; sleep 300"
    )
    session = create(agent, "sh", "-c", menu, rows=8)
    whole = session.call("read", snapshot=True, wait="three", timeout=SLOW)
    assert whole["changed"] == [0, 1, 2]
    assert "start" not in whole  # it is no part of the output
    again = session.call("read", snapshot=True)
    assert again["changed"] == []
    assert screens.changed(again) == ""
    session.send(enter=True)
    after = session.call("read", snapshot=True, wait="four", timeout=SLOW)
    assert screens.changed(after).split("\n") == ["1:  two", "3: four"]  # the second is another colour alone
    assert session.call("read", snapshot=True, cursor="other")["changed"] == [0, 1, 2, 3]
    assert session.call("cursor", cursor="other", drop=True)["screens"] == [""]
    assert session.call("read", snapshot=True, cursor="other")["changed"] == [0, 1, 2, 3]


def test_the_mouse_is_told_in_the_form_that_the_program_asked_for(agent):
    for name, modes, told in (
        ("new", "1000;1006", "^[[<0;11;4M^[[<0;11;4m^[[<65;1;1M"),
        ("old", "1002", "^[[M +$^[[M#+$^[[Ma!!"),
    ):
        script = f"stty raw -echo; printf '\\033[?{modes}h'; echo ready; exec cat -v"
        session = create(agent, "sh", "-c", script, name=name)
        session.call("read", wait="ready", timeout=SLOW)
        sent = session.send("<Click:3,10><ScrollDown:0,0>", keys=True, settle=300, timeout=SLOW)
        assert told in remote.text_of(sent)
    deaf = create(agent, "cat", name="deaf")
    with pytest.raises(TermaError, match="does not ask for the mouse"):
        deaf.send("<Click:0,0>", keys=True)
    with pytest.raises(TermaError, match="no key <Clack:0,0>"):
        deaf.send("<Clack:0,0>", keys=True)
    with pytest.raises(TermaError, match="so far out"):
        session.send("<Click:0,300>", keys=True)


def test_a_click_in_a_real_program_goes_where_it_points(agent):
    (agent.home / "text").write_text("".join(f"line {number}\n" for number in range(1, 9)))
    editor = create(agent, "vim", "-u", "NONE", "-c", "set mouse=a ttymouse=sgr", "text", tui=True, rows=10)
    editor.call("read", snapshot=True, wait="line 8", timeout=SLOW)
    editor.send("<Click:4,3>", keys=True)
    shown = editor.call("read", snapshot=True, settle=300, timeout=SLOW)
    assert (shown["cursor_row"], shown["cursor_column"]) == (4, 3)
    editor.send("<Esc>:q!<Enter>", keys=True)


@needs("man")
def test_a_manual_is_read_page_by_page_in_a_plain_session(agent):
    lines = "".join(f".PP\nPoint {number} of it.\n" for number in range(1, 30))
    (agent.home / "page.1").write_text(f".TH PAGE 1\n.SH NAME\npage \\- is long\n.SH DESCRIPTION\n{lines}")
    session = create(agent, "bash", rows=12, env={"LESS": "", "MANPAGER": "less", "TERM": "xterm-256color"})
    told = session.exec("man ./page.1")
    assert told["alternate_screen"]
    assert told["output"] == ""
    first = told["screen"].split("\n")
    assert "PAGE(1)" in first[0]
    assert session.call("read", tail=1)["screen"] == first[-1]
    assert "Manual page page.1 line 1" in first[-1]
    session.send("<Space>", keys=True)
    down = session.call("read", snapshot=True, wait="Point 5", timeout=SLOW)["screen"].split("\n")
    assert first[0] not in down
    left = session.call("send", text=["q"], keys=True, wait="[$#] $", timeout=SLOW)
    assert "Point" not in remote.text_of(left)  # it was drawn, and is gone
    session.wait_for_state("idle")
    assert session.exec("echo $?")["output"] == "0"  # the prompt holds no q that would have to be taken away
    session.send("half a line<C-c>", keys=True, wait="[$#] $", timeout=SLOW)
    assert session.call("info")["last_status"] == 0  # a line that is given up is no command


def test_a_program_that_was_started_to_have_a_screen_is_read_as_that(agent):
    script = r"for i in 1 2 3; do printf '\033[2J\033[Hpicture %s\r\nits end' $i; done; exec sleep 300"
    session = create(agent, "sh", "-c", script, tui=True)
    session.call("read", snapshot=True, wait="picture 3", timeout=SLOW)
    told = session.call("read", all=True)
    assert told["screen"] == "picture 3\nits end"
    assert not told["alternate_screen"]
    assert session.call("read", tail=1)["screen"] == "its end"
    assert session.call("search", pattern="picture")["total"] == 1
    shell = create(agent, "bash", name="shell", tui=True)
    assert "screen" not in shell.exec("echo lines")


def test_what_is_chosen_on_a_screen_is_told(agent):
    script = r"printf '\033]2;a menu\007\033[2J\033[H one\r\n\033[7m two \033[0m\r\n three'; sleep 300"
    session = create(agent, "sh", "-c", script)
    shown = session.call("read", snapshot=True, wait="three", timeout=SLOW)
    assert shown["title"] == "a menu"
    assert [(one["row"], one["column"], one["text"]) for one in shown["highlighted"]] == [(1, 0, " two")]
