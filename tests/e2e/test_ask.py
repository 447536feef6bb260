"""`terma "question"` as a person or a program calls it: in pipes, with text handed over, saved, and its exit status."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import WAIT, Home
from tests.model_server import ModelServer, Reply, fails, says
from tests.model_wire import Call
from tests.shells.in_terma import MODEL, TERMA, prepared, proposes, told


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer() as made:
        yield made


@pytest.fixture
def asking(home: Home, server: ModelServer) -> Home:
    return prepared(home, server)


def call(
    home: Home, *arguments: str, said: str | None = None, **env: str
) -> subprocess.CompletedProcess[str]:
    """Run terma without a terminal: a session of its own has no /dev/tty."""
    return subprocess.run(
        [TERMA, *arguments],
        env=home.env | env,
        input=said,
        stdin=subprocess.DEVNULL if said is None else None,
        capture_output=True,
        text=True,
        timeout=WAIT * 3,
        cwd=home.home,
        start_new_session=True,
        check=False,
    )


def question(server: ModelServer, number: int = 1) -> str:
    """The last turn of the person, as the model got it."""
    turns = server.wait_for(number).body["messages"]
    return next(str(turn["content"]) for turn in reversed(turns) if turn["role"] == "user")


def allow(home: Home, server: ModelServer, *commands: str) -> None:
    """Have the person's settings allow these with --yes."""
    more = {"TERMA_MODELS__M__API_BASE": server.base, "TERMA_CONVERSATION__ALLOW": json.dumps(commands)}
    home.configure(MODEL | more)


def saved(home: Home) -> list[Path]:
    return sorted((home.home / ".local/state/terma/conversations").glob("*.json"))


@pytest.mark.parametrize(
    "arguments",
    [
        ("why is the sky blue?",),
        ("ask", "why is the sky blue?"),
        ("tell", "me", "why is the sky blue?"),
        ("--role", "debug", "why is the sky blue?"),
    ],
)
def test_a_question_is_answered_in_words(
    asking: Home, server: ModelServer, arguments: tuple[str, ...]
) -> None:
    server.will(says("It ", "**scatters**.\n\n", "- blue `light`"))
    done = call(asking, *arguments)
    assert (done.stdout, done.stderr, done.returncode) == ("It **scatters**.\n\n- blue `light`\n", "", 0)
    assert "why is the sky blue?" in question(server)


def test_a_question_from_a_pipe_loads_nothing_that_draws(asking: Home, server: ModelServer) -> None:
    """They were a third of what `terma ask` costs before it answers."""
    server.will(says("It scatters."))
    loaded = call(asking, "ask", "why is the sky blue?", PYTHONPROFILEIMPORTTIME="1").stderr
    assert " terma.repl.setup.assemble\n" in loaded
    assert not re.search(r" (?:rich|prompt_toolkit|pygments|markdown_it)\n", loaded)


@pytest.mark.parametrize("arguments", [("sugest",), ("sugest", "x"), ("versoin",), ("modles",)])
def test_a_mistyped_command_is_no_question(
    asking: Home, server: ModelServer, arguments: tuple[str, ...]
) -> None:
    done = call(asking, *arguments)
    assert done.returncode == 2
    assert "did you mean: terma " in done.stderr
    assert not server.seen


def test_without_arguments_and_terminal_it_tells_what_there_is(asking: Home) -> None:
    done = call(asking)
    assert done.returncode == 0
    assert done.stdout.startswith('usage: terma "QUESTION"')
    assert "\n  ask " in done.stdout
    assert "\n  chat " in done.stdout


def test_what_is_piped_in_belongs_to_the_question(asking: Home, server: ModelServer) -> None:
    assert call(asking, "what is wrong?", said="\x1b[31mfatal: no such ref\x1b[0m\n").returncode == 0
    assert "Standard input:\nfatal: no such ref" in question(server)
    assert question(server).endswith("what is wrong?")


def test_what_is_piped_in_without_words_is_asked_about(asking: Home, server: ModelServer) -> None:
    server.will(says("There is no such target."))
    done = call(asking, said="make: *** No rule to make target 'x'.  Stop.\n")
    assert (done.stdout, done.returncode) == ("There is no such target.\n", 0)
    assert "No rule to make target" in question(server)
    assert question(server).endswith("what is wrong?")


def test_config_alone_shows(asking: Home) -> None:
    assert call(asking, "config").stdout == call(asking, "config", "show").stdout != ""


@pytest.mark.parametrize("arguments", [("-",), ("ask", "-"), ("ask",)])
def test_the_question_itself_can_be_piped_in(
    asking: Home, server: ModelServer, arguments: tuple[str, ...]
) -> None:
    assert call(asking, *arguments, said="why is it so?\n").returncode == 0
    assert question(server).endswith("why is it so?")
    assert "Standard input" not in question(server)


def test_files_belong_to_it_and_secrets_do_not(asking: Home, server: ModelServer) -> None:
    (asking.home / "a.log").write_text(
        "first\nexport AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMIK7MDENGbPxRfiCYzzqqzzKEY1\n"
    )
    (asking.home / "b.log").write_text("second")
    assert call(asking, "--file", "a.log", "--file", "b.log", "compare").returncode == 0
    assert "File a.log:\nfirst" in question(server)
    assert "File b.log:\nsecond" in question(server)
    assert "wJalrXUtnFEMIK7MDENGbPxRfiCY" not in json.dumps(server.seen[0].body)
    assert "wJalrXUtnFEMIK7MDENGbPxRfiCY" not in saved(asking)[0].read_text()


def test_the_last_command_of_the_shell_comes_along(asking: Home, server: ModelServer) -> None:
    last = {"TERMA_LAST_COMMAND": "make tset", "TERMA_LAST_STATUS": "2", "TERMA_LAST_DIR": str(asking.home)}
    assert call(asking, "why did this fail?", **last).returncode == 0
    assert "Command: make tset" in question(server)
    assert "Exit status: 2" in question(server)
    assert f"Directory: {asking.home}" in question(server)


def test_no_context_tells_nothing(asking: Home, server: ModelServer) -> None:
    last = {"TERMA_LAST_COMMAND": "make tset", "TERMA_LAST_STATUS": "2"}
    assert call(asking, "--no-context", "why did this fail?", **last).returncode == 0
    assert question(server) == "why did this fail?"


def test_what_the_flags_say_is_what_is_asked(asking: Home, server: ModelServer) -> None:
    assert call(asking, "--temperature", "1.5", "--role", "debug", "look").returncode == 0
    assert server.seen[0].body["temperature"] == 1.5
    assert "find out why" in server.seen[0].body["messages"][0]["content"]


@pytest.mark.parametrize(
    "arguments",
    [
        ("--temperature", "3", "x y"),
        ("--max-steps", "0", "x y"),
        ("--resume", "no-such-id", "x y"),
        ("--role", "no-such-role", "x y"),
        ("--nope", "x y"),
        ("ask",),
        (" ",),
        ("--file", ".", "x y"),
    ],
)
def test_wrong_usage_is_status_2_in_a_line_or_two(
    asking: Home, server: ModelServer, arguments: tuple[str, ...]
) -> None:
    done = call(asking, *arguments)
    assert done.returncode == 2, done.stderr
    assert done.stdout == ""
    assert "Traceback" not in done.stderr
    assert done.stderr.strip()


def test_a_model_that_fails_is_status_1_in_a_line_or_two(asking: Home, server: ModelServer) -> None:
    server.will(fails(401, "wrong key"))
    done = call(asking, "why is it so?")
    assert done.returncode == 1
    assert 1 <= len(done.stderr.strip().splitlines()) <= 2
    assert done.stderr.startswith("terma: ")


def test_an_interrupted_question_is_status_130(asking: Home, server: ModelServer) -> None:
    server.will(says("half", then="hang"))
    process = subprocess.Popen(
        [TERMA, "tell me all"],
        env=asking.env,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        cwd=asking.home,
    )
    assert process.stdout and process.stderr
    assert process.stdout.read(4) == b"half"
    process.send_signal(signal.SIGINT)
    assert process.wait(WAIT) == 130
    assert process.stdout.read() == b"\n"
    assert process.stderr.read() == b""
    process.stdout.close()
    process.stderr.close()
    assert server.left.wait(WAIT)


def test_without_a_terminal_a_proposal_is_rejected_and_said(asking: Home, server: ModelServer) -> None:
    server.will(proposes("touch made"), says("Then you do it."))
    done = call(asking, "make it")
    assert (done.stdout, done.returncode) == ("Then you do it.\n", 0)
    assert done.stderr == "not run: touch made (nobody is at a terminal to approve it)\n"
    assert not (asking.home / "made").exists()
    assert "nobody" in told(server, 2)


def test_yes_covers_what_the_settings_list_and_is_harmless(asking: Home, server: ModelServer) -> None:
    allow(asking, server, "echo *", "touch *", "rm *")
    server.will(proposes("echo se''en", "rm -r sub", "echo a; rm -r sub", "ls"), says("Done."))
    (asking.home / "sub").mkdir()
    done = call(asking, "--yes", "go")
    assert done.returncode == 0, done.stderr
    assert "allowed by the settings: echo se''en" in done.stderr
    assert "not run: rm -r sub" in done.stderr
    assert "not run: echo a; rm -r sub" in done.stderr
    assert "not run: ls" in done.stderr
    assert (asking.home / "sub").exists()
    assert "seen" in told(server, 2)


def test_a_tool_that_another_distribution_brings_is_offered_and_answers(
    asking: Home, server: ModelServer, tmp_path: Path
) -> None:
    """As its page has it: the module, and the entry point beside it."""
    page = (Path(__file__).parents[2] / "docs/tools.md").read_text()
    module = page.partition("```python\n")[2].partition("```")[0]
    point = page.partition("```toml\n")[2].partition("```")[0].splitlines()[1]
    package, info = tmp_path / "my_package", tmp_path / "my_package-1.dist-info"
    package.mkdir()
    info.mkdir()
    (package / "disk_free.py").write_text(module)
    (info / "entry_points.txt").write_text(f"[terma.tools]\n{point.replace(chr(34), '')}\n")
    more = {"TERMA_MODELS__M__API_BASE": server.base, "TERMA_CONVERSATION__READ_FREELY": "true"}
    asking.configure(MODEL | more)
    used = Call("call_1", "disk_free", (json.dumps({"path": "/"}),))
    server.will(Reply(pieces=(), calls=(used,)), says("Enough."))
    done = call(asking, "how much is free?", PYTHONPATH=str(tmp_path))
    assert (done.returncode, done.stdout) == (0, "Enough.\n"), done.stderr
    offered = [tool["function"]["name"] for tool in server.wait_for(1).body["tools"]]
    assert "disk_free" in offered
    assert re.search(r"^\d+\.\d GiB$", told(server, 2), re.MULTILINE)


def test_the_list_alone_allows_nothing_without_yes(asking: Home, server: ModelServer) -> None:
    server.will(proposes("touch made"), says("Then not."))
    allow(asking, server, "touch *")
    call(asking, "go")
    assert not (asking.home / "made").exists()


def test_json_has_every_event_on_a_line(asking: Home, server: ModelServer) -> None:
    server.will(proposes("ls", words="I look."), says("That ", "is all."))
    done = call(asking, "--json", "what is here?")
    events: list[dict[str, Any]] = [json.loads(line) for line in done.stdout.splitlines()]
    kinds = [event["event"] for event in events]
    assert kinds[0] == "waiting"
    assert kinds[-1] == "closed"
    assert {"piece", "said", "decided", "tool_answered", "used"} <= set(kinds)
    said = [event["text"] for event in events if event["event"] == "said"]
    assert said == ["I look.", "That is all."]
    decided = next(event for event in events if event["event"] == "decided")
    assert decided["proposal"]["command"] == "ls"
    assert decided["decision"]["by"] == "nobody"
    assert events[-1]["reason"] == "answered"
    assert (done.stderr, done.returncode) == ("", 0)


def test_json_tells_of_a_failure_and_keeps_the_status(asking: Home, server: ModelServer) -> None:
    server.will(fails(401, "wrong key"))
    done = call(asking, "--json", "why is it so?")
    assert json.loads(done.stdout.splitlines()[-1])["reason"] == "error"
    assert done.returncode == 1


def test_a_hostile_answer_is_printed_without_its_controls(asking: Home, server: ModelServer) -> None:
    server.will(says("red \x1b[31m", "\x1b]0;owned\x07", "and \u202ereversed"))
    assert call(asking, "say something").stdout == "red and reversed\n"


def test_a_reader_that_leaves_early_is_no_error(asking: Home, server: ModelServer) -> None:
    server.will(says(*(f"line {number}\n" for number in range(2_000)), gap=0.001))
    script = f"{sys.executable} -m terma.cli 'tell me all' | head -n 1; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(
        ["bash", "-c", script],
        env=asking.env,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=WAIT * 2,
        start_new_session=True,
        check=False,
    )
    assert (done.stdout, done.stderr, done.returncode) == ("line 0\n", "", 141)


def test_conversations_are_saved_listed_and_gone_on_with(asking: Home, server: ModelServer) -> None:
    server.will(says("First answer."), says("Second answer."), says("Third answer."))
    assert call(asking, "first question?").returncode == 0
    assert call(asking, "--no-save", "a secret question?").returncode == 0
    (file,) = saved(asking)
    assert file.stat().st_mode & 0o777 == 0o600
    rows = call(asking, "--list").stdout.splitlines()
    assert len(rows) == 1
    assert rows[0].startswith(file.stem)
    assert rows[0].endswith("first question?")
    assert call(asking, "--continue", "and then?").stdout == "Third answer.\n"
    assert "First answer." in told(server, 3)
    assert call(asking, "--resume", file.stem, "and?").returncode == 0
    assert "Third answer." in told(server, 4)
    assert json.loads(call(asking, "--list", "--json").stdout)["turns"] == 3


def test_where_nothing_can_be_saved_it_is_answered_all_the_same_and_said(
    asking: Home, server: ModelServer
) -> None:
    server.will(says("An answer."))
    (asking.home / "file").touch()
    asking.env["XDG_STATE_HOME"] = str(asking.home / "file")
    done = call(asking, "say something")
    assert (done.stdout, done.returncode) == ("An answer.\n", 0)
    assert "the conversation is not saved: " in done.stderr
    again = call(asking, "--continue", "and now?")
    assert again.returncode != 0
    assert len(again.stderr.splitlines()) <= 2


@pytest.mark.parametrize(
    ("where", "status", "words"),
    [(">/dev/full", 1, "terma: the answer could not be written: no space left"), (">&-", 0, "")],
)
def test_an_output_that_takes_nothing_is_told_in_a_line_or_two(
    asking: Home, server: ModelServer, where: str, status: int, words: str
) -> None:
    server.will(says("An answer."))
    done = subprocess.run(
        ["sh", "-c", f'"$1" "say something" {where}', "sh", TERMA],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        env=asking.env,
        cwd=asking.home,
        timeout=WAIT * 3,
        check=False,
    )
    assert "internal error" not in done.stderr
    assert done.stderr.startswith(words)
    assert done.returncode == status


def test_steps_have_a_bound(asking: Home, server: ModelServer) -> None:
    server.will(proposes("ls"))
    done = call(asking, "--max-steps", "2", "go on forever")
    assert done.returncode == 1
    assert "stopped after 2 steps" in done.stderr
    assert len(server.seen) == 2


def test_the_embedded_engine_explains_what_is_piped_in(home: Home) -> None:
    prepared(home, None)
    done = call(home, "--engine", "offline", "why?", said="bash: gti: command not found\n")
    assert done.returncode == 0
    assert "gti" in done.stdout


def test_without_a_usable_directory_it_is_answered_without_an_agent(home: Home) -> None:
    prepared(home, None, with_agent=False)
    home.runtime.chmod(0o777)
    done = call(home, "--engine", "offline", "why?", said="bash: gti: command not found\n")
    assert (done.returncode, done.stderr) == (0, "")
    assert "gti" in done.stdout
    assert not home.socket.exists()
