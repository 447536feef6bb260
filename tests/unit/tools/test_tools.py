"""Each tool says what it would do before it does it, in words that a terminal may show."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from typing import Any

import pytest

from terma import tools
from terma.conversation.loop import Conversation
from terma.conversation.memory import Memory
from terma.conversation.tokens import of_tools
from terma.dialogue import Ran, Running
from terma.errors import UsageError
from terma.tools._lasting import detaches, lasts
from terma.tools._touching import touched
from terma.tools.last_failure import PLUGIN as LAST
from terma.tools.run_command import PLUGIN as RUN
from terma.tools.run_command import Outcome, read, told
from tests.unit.conversation.scripted import FakeShell, Person, Screen, ScriptedModel, World, says

BY_NAME = {tool.spec.name: tool for tool in tools.load()}


@pytest.fixture
def world() -> World:
    return World(FakeShell(), Screen())


def test_the_tools_there_are():
    assert next(iter(BY_NAME)) == "run_command"
    assert {
        "read_file",
        "search_files",
        "last_failure",
        "session_create",
        "session_exec",
        "session_kill",
    } <= set(BY_NAME)
    assert {name for name, tool in BY_NAME.items() if tool.read_only} == {
        "read_file",
        "search_files",
        "last_failure",
        "session_read",
        "session_search",
        "session_list",
    }
    for tool in BY_NAME.values():
        assert json.dumps(dict(tool.spec.parameters))
        assert tool.spec.parameters["additionalProperties"] is False


def test_a_role_may_want_fewer():
    assert [tool.spec.name for tool in tools.load(["run_command", "read_file"])] == [
        "run_command",
        "read_file",
    ]
    assert len(tools.load(["session_*"])) == 7
    assert tools.load([]) == []


TICKET = """
from terma.chat import ToolSpec


class Ticket:
    read_only = True
    spec = ToolSpec("ticket", "Read a ticket.")

    def propose(self, call_id, arguments, world): ...

    async def call(self, proposal, world): ...
"""


@pytest.mark.parametrize(
    ("target", "said"),
    [
        ("ticketed:Ticket", ""),
        ("ticketed:nothing", "nothing"),
        ("not_there", "ModuleNotFoundError"),
        ("os", "PLUGIN"),
    ],
)
def test_other_packages_add_theirs_and_a_broken_one_is_named(monkeypatch, tmp_path, target: str, said: str):
    (tmp_path / "ticketed.py").write_text(TICKET)
    info = tmp_path / "ticketed-1.dist-info"
    info.mkdir()
    (info / "entry_points.txt").write_text(
        f"[terma.tools]\n# one\nticket{len(said)} = {target}\n\n[other]\nx = y\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    told: list[str] = []
    found = {tool.spec.name for tool in tools.load(None, told.append)}
    assert ("ticket" in found) == (not said)
    assert {"run_command", "read_file"} <= found
    assert [said in line and "of another package is left out" in line for line in told] == [True] * bool(said)


def test_a_command_is_shown_as_it_runs(world):
    proposal = RUN.propose("c1", {"command": "rm -rf build\x1b[2K\u202e\n", "description": "a\nb\x07"}, world)
    assert proposal.command == "rm -rf build"
    assert proposal.description == "a b"
    assert proposal.risk.level == "high"
    assert proposal.touches == ("build",)
    text, ran = asyncio.run(RUN.call(proposal, world))
    assert world.shell.ran == ["rm -rf build"]
    assert world.screen.of(Running) == [Running("rm -rf build")]
    assert ran is not None
    assert text.startswith("exit status 0\ndirectory: /work\noutput:\n")


@pytest.mark.parametrize("command", ["", "  \n", "\x1b[31m", "x" * 20_000])
def test_a_command_that_is_none_is_refused(world, command):
    with pytest.raises(UsageError):
        RUN.propose("c1", {"command": command}, world)


@pytest.mark.parametrize(
    ("ran", "words", "outcome"),
    [
        (Ran("x", "hello\n", 0), "exit status 0\noutput:\nhello", Outcome(0, "hello")),
        (
            Ran("x", "", 3, seconds=2.04),
            "exit status 3 after 2.0 s\nIt printed nothing.",
            Outcome(3, "", seconds=2.0),
        ),
        (
            Ran("x", "a", None, "timeout", "running", 30.0),
            "no exit status yet: it still runs",
            Outcome(-1, "a"),
        ),
        (Ran("x", "Pass:", None, "settle", "password"), "nobody is here to type it", Outcome(-1, "Pass:")),
        (Ran("x", "", None, "settle", "continuation"), "not complete", Outcome(-1, "")),
        (
            Ran("x", "a", 130, "interrupt", seconds=4),
            "the person pressed Ctrl+C after 4.0 s",
            Outcome(130, "a", seconds=4.0),
        ),
        (Ran("x", "a", 0, restarted=True), "this is a new one", Outcome(0, "a")),
        (Ran("x", "a", 0, "exit", "exited"), "The shell has ended with it", Outcome(0, "a")),
        (Ran("x", "a", 0, dropped=5), "5 bytes of its output were not kept", Outcome(0, "a")),
        (Ran("x", "output:\nexit status 9", 0), "exit status 0", Outcome(0, "output:\nexit status 9")),
    ],
)
def test_how_it_went_is_told_and_can_be_read_again(ran, words, outcome):
    assert words in told(ran)
    assert read(told(ran)) == outcome


def test_what_did_not_run_has_no_outcome():
    assert read("not run: the person rejected it") is None
    assert read("error: x") is None
    changed = read("The person changed the command. What ran: ls -a\nexit status 1\noutput:\nno")
    assert changed == Outcome(1, "no", "ls -a")


@pytest.mark.parametrize(
    ("command", "names"),
    [
        ("rm -rf build dist", ("build", "dist")),
        ("ls -l", ()),
        ("sort a > out.txt 2>/dev/null", ("out.txt",)),
        ("cp a b && rm c", ("c", "a", "b")),
        ("sed -i s/a/b/ x.txt", ("x.txt",)),
        ("sed s/a/b/ x.txt", ()),
        ("curl -fsSL https://example.org/x | sh", ("example.org",)),
        ("ssh server uptime", ("server",)),
        ("sudo rm /etc/hosts", ("/etc/hosts",)),
        ("scp a me@host:/tmp", ("me@host",)),
        ("kill -9 123", ("123",)),
        ("apt-get install -y vim", ("vim",)),
        ("dd if=/dev/zero of=/dev/sdb", ("/dev/sdb",)),
        ("git push", ("git push origin",)),
        ("pip install -r requirements.txt", ()),
        ("pip install flask -c limits.txt", ("flask",)),
        ("find . -name '*.o' -exec rm {} +", ()),
        ('for f in *; do mv "$f" "${f%.x}.y"; done', ()),
        ("xargs -I% cp % %.bak backup < list", ("backup",)),
        ("find . -type f -exec mv {} kept \\;", ("kept",)),
        ('rm -r "$dir/build" $HOME/x.txt $(cat list)', ("$dir/build", "$HOME/x.txt")),
        ("sort a > $out", ()),
        ("sleep 0.5 && ping -i 0.5 example.org", ("example.org",)),
        ("curl --unheard-of 0.5 -o page.html https://example.org/x", ("example.org",)),
        ("ping 10.0.0.1", ("10.0.0.1",)),
        ("truncate -s 0 log", ("log",)),
        ("ssh -p 2222 server uptime", ("server",)),
        ("echo '", ()),
    ],
)
def test_what_a_command_touches_is_named(command, names):
    assert touched(command) == names


class Asked(World):
    def __init__(self, answer: Any) -> None:
        super().__init__(FakeShell(), Screen())
        self.heard: list[tuple[str, dict[str, str]]] = []
        self._answer = answer

    async def ask(self, kind: str, fields: Mapping[str, str]) -> Any:
        self.heard.append((kind, dict(fields)))
        return self._answer


def test_the_last_failure_comes_from_the_agent():
    world = Asked({"text": "Command: make\nExit status: 2"})
    proposal = LAST.propose("c1", {}, world)
    assert asyncio.run(LAST.call(proposal, world)) == ("Command: make\nExit status: 2", None)
    assert world.heard == [("last", {})]


def test_what_needs_a_session_is_described_once_there_is_one():
    world = World(FakeShell({"make": Ran("make", "", None, session="make")}), Screen())
    talk = Conversation(ScriptedModel(says("Hm.")), tools.load(), Person(), Screen(), world, Memory("", 9000))
    described = talk._offered()
    assert [spec.name for spec in described if spec.name.startswith("session_")] == ["session_create"]
    assert of_tools(described) < 600, "these tokens go with every request"
    asyncio.run(RUN.call(RUN.propose("c1", {"command": "make", "description": ""}, world), world))
    assert [spec.name for spec in talk._offered()] == list(BY_NAME), (
        "a command that was moved to a session counts"
    )


def test_sessions_are_asked_for_what_was_approved():
    world = Asked({"session": "db", "exit_status": 0, "output": "3 rows"})
    proposal = BY_NAME["session_exec"].propose("c1", {"session": "db", "input": "rm x\x1b[0m"}, world)
    assert (proposal.command, proposal.risk.level) == ("rm x", "high")
    assert proposal.touches == ("session db",)
    text, _ = asyncio.run(BY_NAME["session_exec"].call(proposal, world))
    assert text.endswith("\n3 rows")
    kind, fields = world.heard[0]
    assert kind == "session_exec"
    assert json.loads(fields["args"]) == {"session": "db", "input": "rm x"}


LINE = {
    "session": "db",
    "command": ["bash", "-l"],
    "cwd": "/srv/evil",
    "unentered": "",
    "sure": True,
    "cleared": False,
    "seen": "as it was",
}


def proposed(name: str, arguments: dict[str, Any], **line: Any) -> tuple[Any, Asked]:
    """A proposal as a person sees it, where the session's line is like that."""
    world = Asked(LINE | line)
    tool = BY_NAME[name]
    proposal = asyncio.run(tool.looked(tool.propose("c1", arguments, world), world))
    return proposal, world


def test_what_is_typed_into_a_session_is_seen_before():
    proposal, world = proposed("session_send", {"session": "db", "text": ["rm ", "-rf x"], "enter": True})
    assert proposal.where == {
        "session": "db",
        "text": "rm -rf x<Enter>",
        "enter": "true",
        "program": "bash -l",
        "directory": "/srv/evil",
    }
    assert proposal.risk.level == "high"
    asyncio.run(BY_NAME["session_send"].call(proposal, world))
    sent = json.loads(world.heard[-1][1]["args"])
    assert sent == {"session": "db", "text": ["rm ", "-rf x"], "enter": True, "seen": "as it was"}
    with pytest.raises(UsageError):
        BY_NAME["session_send"].propose("c1", {"session": "db", "text": []}, world)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (r"\x72\x6d -rf ~\r", "rm -rf ~<Enter>"),
        (r"\u0072m -rf ~\n", "rm -rf ~<Enter>"),
        (r"xx\x7f\brm x\r", "xx<Backspace><Ctrl+H>rm x<Enter>"),
        (r"nonsense\x15rm x\r", "nonsense<Ctrl+U>rm x<Enter>"),
        (r"echo\rrm x\r", "echo<Enter>rm x<Enter>"),
        (r"\e[200~rm x\e[201~\r", "<Esc>[200~rm x<Esc>[201~<Enter>"),
    ],
)
def test_keys_are_judged_and_shown_as_they_will_arrive(text, shown):
    proposal, _ = proposed("session_send", {"session": "db", "text": [text], "keys": True})
    assert proposal.where["text"] == shown
    assert proposal.risk.level == "high"


def test_what_stands_on_the_line_already_is_part_of_what_is_approved():
    proposal, _ = proposed(
        "session_send", {"session": "db", "text": ["-rf ~"], "enter": True}, unentered="rm "
    )
    assert proposal.where["typed before, and not entered"] == "rm "
    assert proposal.risk.level == "high"
    left, _ = proposed("session_exec", {"session": "db", "input": "-rf ~"}, unentered="rm ")
    assert left.risk.level == "high"
    cleared, _ = proposed("session_exec", {"session": "db", "input": "x"}, unentered="rm ", cleared=True)
    assert cleared.risk.level == "low" and "rm " not in cleared.where.values()


@pytest.mark.parametrize(
    "keys",
    [r"\e[A\r", r"mak\t\r", r"\x12ls\r", r"\x10\r", r"\x10\x0f", r"ls\ea", r"\x19\eOM", r"ls \x18\x05"],
)
def test_a_line_that_the_program_completes_is_never_harmless(keys):
    proposal, _ = proposed("session_send", {"session": "db", "text": [keys], "keys": True})
    assert proposal.risk.level == "medium"
    assert "not known in full" in proposal.risk.reasons[0]


def test_keys_behind_an_unknown_line_are_never_harmless():
    proposal, _ = proposed("session_send", {"session": "db", "text": ["x"], "enter": True}, sure=False)
    assert proposal.risk.level == "medium"
    assert "cannot follow" in proposal.where["typed before, and not entered"]


def test_a_session_is_started_with_the_command_that_was_seen():
    world = Asked({"session": "web"})
    tool = BY_NAME["session_create"]
    proposal = tool.propose(
        "c1", {"session": "web", "command": ["python3", "-m", "http.server", "a b"]}, world
    )
    assert proposal.command == "python3 -m http.server 'a b'"
    assert proposal.where == {"session": "web", "directory": world.shell.cwd}
    asyncio.run(tool.call(proposal, world))
    assert json.loads(world.heard[0][1]["args"])["cwd"] == world.shell.cwd
    assert json.loads(world.heard[0][1]["args"])["command"][-1] == "a b"


def test_a_session_starts_where_it_was_shown_to_start(tmp_path):
    (tmp_path / "evil").mkdir()
    (tmp_path / "link").symlink_to("evil")
    world = Asked({"session": "web"})
    tool = BY_NAME["session_create"]
    arguments = {"session": "web", "command": ["make", "install"], "cwd": str(tmp_path / "link")}
    proposal = tool.propose("c1", arguments, world)
    assert proposal.where["directory"] == str(tmp_path / "evil")
    asyncio.run(tool.call(proposal, world))
    assert json.loads(world.heard[0][1]["args"])["cwd"] == str(tmp_path / "evil")


@pytest.mark.parametrize(
    ("command", "stays"),
    [
        ("python3 -m http.server &", True),
        ("nohup ./serve >log 2>&1 &", True),
        ("cd site && (hugo server & echo up)", True),
        ("make -j2 & make docs & wait", False),
        ("make 2>&1 | tee log &> /dev/null", False),
        ("echo 'a & b' && true", False),
        ("sleep 1 &!", True),
        ("sh -c 'python3 -m http.server &'; sleep 1", True),
        ("bash -c 'a & wait'", False),
        ("serve() { python3 -m http.server & }; serve", True),
        ("serve() { python3 -m http.server & }; echo later", False),
        ("again() { a & again; }; again", True),
        ("coproc python3 -m http.server", True),
        ("coproc W { exec ./serve; }", True),
        ("coproc ./serve; wait", False),
        ("echo coproc", False),
    ],
)
def test_a_command_that_leaves_something_running_is_known_by_its_syntax(command: str, stays: bool) -> None:
    assert lasts(command, "zsh") is stays


@pytest.mark.parametrize(
    ("command", "by_itself"),
    [
        ("tmux -L x new-session -d 'make serve'", True),
        ("tmux new -ds web ./serve", True),
        ("tmux attach -d", False),
        ("screen -dmS web ./serve", True),
        ("screen -d web", False),
        ("sudo docker compose up -d", True),
        ("docker run --rm -it alpine", False),
        ("docker exec --detach web ./job", True),
        ("cd a && ssh -fN -L 8080:localhost:80 host", True),
        ("systemd-run --user ./serve", True),
        ("systemd-run --user --wait ./job", False),
        ("redis-server --daemonize yes", True),
        ("sort -d names", False),
    ],
)
def test_a_program_that_leaves_the_terminal_by_itself_is_known(command: str, by_itself: bool) -> None:
    assert detaches(command, "bash") is by_itself


def test_a_part_that_was_stopped_is_not_told_as_the_whole() -> None:
    ran = Ran("for n in 1 2; do sleep 9; done", "1", 0, alone="sleep 9")
    assert "stopped sleep 9 alone" in told(ran)
    assert read(told(ran)) == Outcome(0, "1")
    assert "alone" not in told(Ran("sleep 9", "1", 0))
