"""`terma eyes run` on a session of the agent: a real shell, a scripted model behind HTTP, a real terminal."""

from __future__ import annotations

import json
import signal
import subprocess
from importlib.util import find_spec
from pathlib import Path

import pexpect
import pytest

from tests.conftest import WAIT, wait_until
from tests.e2e.sessioned import create
from tests.model_server import ModelServer, says

NEEDED = ("numpy", "cv2", "pyghostty")
pytestmark = pytest.mark.skipif(
    not all(find_spec(name) for name in NEEDED), reason="the extras [vision] and [screen] are not installed"
)
DONE = {"kind": "done", "evidence": "42"}
COMPUTE = {"kind": "line", "text": "expr 6 '*' 7"}


@pytest.fixture
def session(agent):
    """A plain shell in a session that keeps its screen."""
    made = create(agent, "bash", "--norc", tui=True, cols=80, rows=24)
    made.wait_for_state("idle")
    return made


@pytest.fixture
def script(agent):
    """Writes steps into a file."""

    def write(*steps: dict) -> str:
        file = agent.root / "steps.jsonl"
        file.write_text("# steps\n" + "\n".join(map(json.dumps, steps)) + "\n")
        return str(file)

    return write


def arguments(agent, *more: str) -> list[str]:
    return [
        agent.env["TERMA_BIN"],
        "eyes",
        "run",
        "--session",
        "work",
        "--log",
        str(agent.root / "runs"),
        *more,
    ]


def run(
    agent, *more: str, status: int = 0, env: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        arguments(agent, *more),
        env=agent.env | (env or {}),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=WAIT,
        check=False,
    )
    assert done.returncode == status, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    return done


def auto(agent, *patterns: str) -> None:
    """Lines that need no asking."""
    file = agent.home / ".config/terma/config.toml"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"[eyes.policy]\nallow = {json.dumps(list(patterns))}\n")


def logged(agent) -> list[dict]:
    (folder,) = (agent.root / "runs").iterdir()
    return [json.loads(line) for line in (folder / "log.jsonl").read_text().splitlines()]


def screen(session) -> str:
    return session.call("read", snapshot=True)["screen"]


def test_a_script_reaches_its_goal_and_a_page_shows_it(agent, session, script):
    auto(agent, "expr *")
    done = run(agent, "--auto", "--script", script(COMPUTE, DONE | {"when": "(?m)^42"}), "compute")
    assert done.stdout.startswith("completed: the screen shows '42'")
    assert "42" in screen(session).split("\n")
    page = subprocess.run(
        [agent.env["TERMA_BIN"], "eyes", "replay", str(next((agent.root / "runs").iterdir()))],
        env=agent.env,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.strip()
    text = Path(page).read_text()
    assert "compute" in text and "expr 6" in text and "completed" in text and "<script" not in text
    assert Path(page).stat().st_mode & 0o777 == 0o600


def test_a_model_behind_http_reaches_its_goal(agent, session):
    with ModelServer() as server:
        server.will(says("no JSON at all"), says(json.dumps(COMPUTE)), says(json.dumps(DONE)))
        file = agent.home / ".config/terma/config.toml"
        file.parent.mkdir(parents=True)
        file.write_text(
            '[eyes.policy]\nallow = ["expr *"]\n'
            f'[models.seeing]\nmodel = "scripted"\nprovider = "openai_http"\napi_base = "{server.base}"\n'
        )
        run(agent, "--auto", "--model", "seeing", "compute", env={"TERMA_ENGINE": "auto"})
        assert len(server.seen) == 3
        content = server.seen[0].body["messages"][1]["content"]
    if find_spec("fontpkg_jetbrains_mono"):
        assert content[1]["image_url"]["url"].startswith("data:image/jpeg")


def test_a_dry_run_presses_no_key(agent, session, script):
    before = screen(session)
    done = run(agent, "--dry-run", "--script", script(COMPUTE), "compute", status=0)
    assert "0 keys" in done.stdout and "expr 6 '*' 7" in done.stderr
    assert screen(session) == before


def test_without_anybody_to_ask_nothing_begins(agent, session, script):
    done = run(agent, "--script", script(COMPUTE), "compute", status=2)
    assert "nobody can be asked" in done.stderr
    done = run(agent, "--auto", "--script", script(COMPUTE), "compute", status=2)
    assert "--auto needs to know" in done.stderr


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ('{"kind": "explode"}', "steps.jsonl:1"),
        ("not json", "steps.jsonl:1"),
        ("", "no step"),
        ("[1]", "steps.jsonl:1"),
    ],
)
def test_a_script_that_is_wrong_is_named_with_its_line(agent, session, lines, said):
    file = agent.root / "steps.jsonl"
    file.write_text(lines)
    assert said in run(agent, "--dry-run", "--script", str(file), "x", status=2).stderr


def test_a_session_that_is_not_there_is_said(agent, script):
    assert "work" in run(agent, "--dry-run", "--script", script(COMPUTE), "x", status=1).stderr


def test_a_stop_file_ends_the_run(agent, session, script):
    auto(agent, "expr *")
    stop = agent.root / "stop"
    stop.touch()
    waits = [{"kind": "wait", "seconds": 30}] * 3
    done = run(agent, "--auto", "--stop-file", str(stop), "--script", script(*waits), "wait", status=1)
    assert done.stdout.startswith("stopped: there is a stop file")


def test_a_stop_counts_what_was_done_until_then(agent, session, script):
    auto(agent, "expr *")
    stop = agent.root / "stop"
    steps = [COMPUTE, *[{"kind": "wait", "seconds": 50}] * 3]
    with subprocess.Popen(
        arguments(agent, "--auto", "--stop-file", str(stop), "--script", script(*steps), "wait"),
        env=agent.env,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
    ) as running:
        made = lambda: len([1 for line in logged(agent) if line["what"] == "decide"])  # noqa: E731
        wait_until(lambda: (agent.root / "runs").exists() and made() == 2, "the second decision")
        stop.touch()
        assert running.stdout is not None
        said = running.stdout.read()
    assert "stopped: there is a stop file" in said
    assert f"(2 steps, {len(COMPUTE['text']) + 3} keys)" in said


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_signals_end_the_run_at_once(agent, session, script, number, status):
    auto(agent, "expr *")
    file = script(*[{"kind": "wait", "seconds": 50}] * 3)
    with subprocess.Popen(
        arguments(agent, "--auto", "--script", file, "wait"),
        env=agent.env,
        stdin=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    ) as running:
        assert running.stderr is not None
        assert "log:" in running.stderr.readline()
        wait_until(lambda: any(line["what"] == "decide" for line in logged(agent)), "a decision")
        running.send_signal(number)
        said = running.stderr.read()
        assert running.wait(WAIT) == status and "Traceback" not in said
    assert logged(agent)[-1]["status"] == "stopped"


@pytest.fixture
def terminal(agent):
    """A person's terminal that runs it."""
    made = []

    def start(*more: str) -> pexpect.spawn:
        command, *rest = arguments(agent, *more)
        child = pexpect.spawn(
            command,
            rest,
            env=agent.env | {"TERM": "xterm"},
            encoding="utf-8",
            timeout=WAIT,
            dimensions=(30, 120),
        )
        made.append(child)
        return child

    yield start
    for child in made:
        child.close(force=True)


def test_a_person_says_yes_to_one_and_no_to_another(agent, session, script, terminal):
    child = terminal("--script", script(COMPUTE, {"kind": "line", "text": "touch no"}, DONE), "compute")
    child.expect_exact("type expr 6 '*' 7? [y/N")
    child.sendline("y")
    child.expect_exact("type touch no? [y/N")
    child.sendline("")
    child.expect("completed: the screen shows '42'")
    child.expect(pexpect.EOF)
    assert "touch no" not in screen(session)


def test_what_is_typed_ahead_approves_nothing_that_was_not_read(agent, session, script, terminal):
    steps = [{"kind": "line", "text": f"echo {word}"} for word in ("first", "second", "third")]
    child = terminal("--script", script(*steps), "x")
    child.expect_exact("type echo first?")
    child.send("y\r")  # before it can have been read
    child.expect_exact("counts for nothing")
    child.expect_exact("[y/N")
    child.send("y\ry\ry\r")  # one for this question, and two for whatever comes
    child.expect_exact("type echo second?")
    child.expect_exact("[y/N")
    child.send("n\r")
    child.expect_exact("type echo third?")
    child.expect_exact("[y/N")
    child.send("\r")
    child.expect(pexpect.EOF)
    typed = [line["action"].get("text") for line in logged(agent) if line["what"] == "send"]
    assert [text for text in typed if text] == ["echo first"]


def test_ctrl_c_at_the_question_types_nothing(agent, session, script, terminal):
    child = terminal("--script", script(COMPUTE), "compute")
    child.expect_exact("? [y/N")
    child.sendcontrol("c")
    child.expect(pexpect.EOF)
    child.wait()
    assert child.exitstatus == 130 and "expr" not in screen(session)


def test_a_password_prompt_waits_for_the_person(agent, session, script, terminal):
    session.call("send", text=["read -s -p 'Password: ' secret"], enter=True)
    wait_until(lambda: "Password:" in screen(session), "the question")
    child = terminal(
        "--script",
        script({"kind": "line", "text": "echo ${#secret}"}, {"kind": "done", "evidence": "7"}),
        "x",
    )
    child.expect("The screen asks: Password:")
    child.expect_exact("q to stop > ")
    session.call("send", text=["hunter2"], enter=True)
    session.wait_for_state("idle")
    child.sendline("")
    child.expect_exact("type echo ${#secret}? [y/N")
    child.sendline("y")
    child.expect("completed")
    child.expect(pexpect.EOF)
    assert "hunter2" not in "".join(map(json.dumps, logged(agent)))


def test_a_proposal_is_shown_with_its_reason_and_screen_and_can_be_changed_refused_and_stopped(
    agent, session, script, terminal
):
    steps = [
        {"kind": "line", "text": "expr 6 '*' 8", "why": "to know the product"},
        {"kind": "line", "text": "touch second"},
        {"kind": "line", "text": "touch third"},
    ]
    child = terminal("--script", script(*steps), "compute")
    child.expect_exact("the screen")
    child.expect_exact("why: to know the product")
    child.expect_exact("type expr 6 '*' 8? [y/N, e to edit")
    child.sendline("e")
    child.expect_exact("edit: ")
    child.send("\x7f7\r")
    child.expect_exact("type expr 6 '*' 7? [y/N")
    child.sendline("y")
    child.expect_exact("type touch second? [y/N")
    child.sendline("not in this directory")
    child.expect_exact("the person said no: not in this directory")
    child.expect_exact("type touch third? [y/N")
    child.sendline("s")
    child.expect_exact("stopped: you said stop")
    child.expect(pexpect.EOF)
    assert "42" in screen(session) and "touch" not in screen(session)
