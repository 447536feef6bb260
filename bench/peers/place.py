"""Where the peers are measured: a home of its own, a scripted model that all of them ask, and each one's documented
set-up."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

from tests.conftest import RunningAgent
from tests.shells.driver import sterile_env

FIRST, GAP = 0.1, 0.05  # seconds until the model's first piece, and between two
PIECES = ("du", " -sh", " *", " |", " sort", " -h")
LAST = FIRST + GAP * (len(PIECES) - 1)  # seconds until the model has said all
SERVER = f"""
import sys
from tests.model_server import ModelServer, says
with ModelServer() as server:
    server.will(says(*{PIECES!r}, first={FIRST}, gap={GAP}))
    print(server.root, flush=True)
    sys.stdin.read()
"""
PYTHON_PEERS = {
    "shell_gpt": "shell-gpt",
    "llm": "llm",
    "llm-cmd": "llm-cmd",
    "llm-cmd-comp": "llm-cmd-comp",
    "oopsh (the kept-up fork of thefuck)": "oopsh",
    "thebleep": "thebleep",
    "pexpect": "pexpect",
}
SYSTEM_PEERS = {"fzf": "fzf", "tmux": "tmux", "script": "bsdutils", "zsh": "zsh", "bash": "bash"}
FILES = {
    "zsh-autosuggestions": Path("/usr/share/zsh-autosuggestions/zsh-autosuggestions.zsh"),
    "bash-preexec": Path("/usr/share/bash-preexec/bash-preexec.sh"),
}


class Place:
    """A home with a running agent, the peers' programs on PATH, and the model's address."""

    def __init__(self, root: Path, peers: Path, base: str) -> None:
        self.agent = RunningAgent(root, alone=True)
        self.bin = peers / "bin"
        self.base = base
        self.work = root / "work"
        self.work.mkdir()
        del self.agent.env["TERMA_ENGINE"]
        self.agent.env["TERMA_IDLE_SECONDS"] = "86400"  # what a slow peer takes is no reason to leave
        self.agent.env["XDG_CACHE_HOME"] = str(self.agent.home / ".cache")
        path = f"{self.bin}:{os.environ['PATH']}"
        self.env = sterile_env(self.agent.home) | {
            "PATH": path,
            "OPENAI_API_KEY": "sk-bench",
            "LLM_USER_PATH": str(self.agent.home / "llm"),
            "PROMPT_TOOLKIT_NO_CPR": "1",  # nobody answers for the terminal here, and it would wait for that
            "CACHE_PATH": str(root / "sgpt"),
            "CHAT_CACHE_PATH": str(root / "sgpt-chat"),
        }
        self._configure()

    @property
    def home(self) -> Path:
        return self.agent.home

    def terma_env(self, **more: str) -> dict[str, str]:
        """The environment of a shell that has terma in it."""
        ours = {name: value for name, value in self.agent.env.items() if name.startswith("TERMA_")}
        return self.env | ours | {"TERMA_SUGGESTIONS__LIST": "never"} | more

    def has(self, program: str) -> bool:
        """Whether one of the peers' own programs was installed."""
        return (self.bin / program).exists()

    def _configure(self) -> None:
        model = {"MODEL": "scripted", "PROVIDER": "openai_http", "API_BASE": f"{self.base}/v1"}
        self.agent.configure(
            {f"TERMA_MODELS__PLAYED__{name}": value for name, value in model.items()}
            | {"TERMA_MODELS__PLAYED__API_KEY": "sk-bench", "TERMA_SUGGESTIONS__OFFLINE_AFTER": "0"}
            | {"TERMA_SUGGESTIONS__LEAD": "model"}
        )
        settings = self.home / ".config/shell_gpt/.sgptrc"
        settings.parent.mkdir(parents=True)
        values = {
            "API_BASE_URL": f"{self.base}/v1",
            "DEFAULT_MODEL": "scripted",
            "OPENAI_USE_FUNCTIONS": "false",
        }
        values |= {"OPENAI_API_KEY": "sk-bench", "CACHE_PATH": self.env["CACHE_PATH"]}
        settings.write_text("".join(f"{name}={value}\n" for name, value in values.items()), encoding="utf-8")
        llm = self.home / "llm"
        llm.mkdir()
        (llm / "default_model.txt").write_text("scripted", encoding="utf-8")
        (llm / "extra-openai-models.yaml").write_text(
            f'- model_id: scripted\n  model_name: scripted\n  api_base: "{self.base}/v1"\n', encoding="utf-8"
        )
        for shell in ("zsh", "bash"):
            mark = self.home / f".local/state/terma/{shell}-key-taken"
            mark.parent.mkdir(parents=True, exist_ok=True)
            mark.touch()


@contextlib.contextmanager
def place(peers: Path) -> Iterator[Place]:
    """A place whose model and agent run until the end. `peers`: the virtual environment of requirements-peers.lock."""
    root = Path(tempfile.mkdtemp(prefix="terma-p", dir="/tmp"))
    server = subprocess.Popen(
        [sys.executable, "-c", SERVER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert server.stdout is not None
    made = Place(root, peers, server.stdout.readline().strip())
    try:
        made.agent.start()
        yield made
    finally:
        made.agent.stop()
        server.kill()
        server.communicate()
        shutil.rmtree(root, ignore_errors=True)


def versions(peers: Path) -> tuple[dict[str, str], dict[str, str]]:
    """(versions, why one is skipped) by name, of all that are compared."""
    found, skipped = {"terma": metadata.version("xontrib-terma")}, {}
    installed = {
        one.name.lower().replace("_", "-"): one.version
        for path in peers.glob("lib/python*/site-packages")
        for one in metadata.distributions(path=[str(path)])
    }
    for name, package in PYTHON_PEERS.items():
        if package in installed:
            found[name] = installed[package]
        else:
            skipped[name] = "could not be installed"
    for name, package in SYSTEM_PEERS.items():
        if shutil.which(name):
            found[name] = debian(package)
        else:
            skipped[name] = "not on this machine"
    for name, file in FILES.items():
        if file.exists():
            found[name] = debian(name)
        else:
            skipped[name] = "no package of this machine's Debian has it"
    return found, skipped


def debian(package: str) -> str:
    """Its version as Debian tells it, or that it is here."""
    told = subprocess.run(
        ["dpkg-query", "-W", "-f", "${Version}", package], capture_output=True, text=True, check=False
    )
    return told.stdout.strip() or "here"
