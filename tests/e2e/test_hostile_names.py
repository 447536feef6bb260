"""Every command, in a home, a directory, a repository and a configuration whose names give orders to terminals."""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from terma.cli import command_names, command_parser
from terma.text import FORBIDDEN
from tests.conftest import WAIT
from tests.surroundings import with_knowledge

TERMA = str(Path(sys.executable).parent / "terma")
# The clipboard, the screen, the title, C1, the direction of text, the line's beginning, an invisible tag.
EVIL = "\x1b]52;c;eA==\x07\x1b[2J\x1b]0;x\x07\x9b31m\u202e\r\x7f\U000e0041"
_SUBCOMMANDS = argparse._SubParsersAction
OBEYED = re.compile(f"[{FORBIDDEN}]")
# What each command is asked, once or more; None: it wants a terminal, and says so.
ASKED: dict[str, list[list[str]]] = {
    "agent": [["status"], ["logs"]],
    "ask": [
        ["--engine", "offline", "list files"],
        ["--json", "--engine", "offline", "list files"],
        ["--list"],
    ],
    "chat": [[]],
    "check": [[f"ls {EVIL}"]],
    "completions": [["zsh"], ["bash"]],
    "config": [["show"], ["show", "--json"], ["path"], ["set", EVIL, "x"]],
    "doctor": [[], ["--json"]],
    "explain": [[f"ls {EVIL}"], ["--json", f"ls {EVIL}"], ["--file", EVIL]],
    "eyes": [["run", "--session", EVIL, "--dry-run", "--script", EVIL, "x"], ["replay", EVIL]],
    "forget": [["9"]],
    "init": [["zsh"], ["bash"]],
    "last": [[], ["--sent"], ["--json"]],
    "learned": [[], ["--json"]],
    "local": [["status"], ["status", "--json"], ["install", "--model", EVIL]],
    "mcp": [[]],
    "models": [[], ["--json"]],
    "recipe": [["list"], ["add", f"say {EVIL}"], ["list"], ["remove", EVIL]],
    "redact": [[]],
    "risk": [[f"rm {EVIL}"], ["--json", f"rm {EVIL}"]],
    "roles": [[]],
    "route": [[f"ls {EVIL}"]],
    "session": [["list"], ["info", EVIL], ["create", "s", "--", EVIL], ["list", "--json"], ["kill", "s"]],
    "shell": [[]],
    "suggest": [["list files"], ["--json", f"show {EVIL}"]],
    "try": [[]],
    "uninstall": [["--dry-run"], ["--dry-run", "--json"], []],
    "usage": [[], ["--json"]],
    "version": [[]],
    "why": [[], ["--json"], ["--command", f"cat {EVIL}", "--exit-status", "1"]],
}
# What holds the terminal or a port until somebody ends it.
STAYS = {("agent", "run"), ("eyes", "look"), ("eyes", "target"), ("eyes", "try"), ("session", "attach")}


def _actions() -> list[tuple[str, str]]:
    """Every action of every command that ASKED does not ask yet, as the parsers know them."""
    found = []
    for command, given in ASKED.items():
        groups = [one for one in command_parser(command)._actions if isinstance(one, _SUBCOMMANDS)]
        asked = {arguments[0] for arguments in given if arguments}
        found += [(command, name) for group in groups for name in group.choices if name not in asked]
    return [one for one in found if one not in STAYS]


def _arguments(command: str, action: str) -> list[str]:
    """A hostile word for each argument that `action` cannot do without."""
    group = next(one for one in command_parser(command)._actions if isinstance(one, _SUBCOMMANDS))
    wanted = [one for one in group.choices[action]._actions if not one.option_strings]
    return [EVIL for one in wanted if one.nargs not in ("?", "*")]


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, str]]:
    """The directory, and the environment with a home of that kind."""
    root = tmp_path_factory.mktemp("h")
    home = root / f"home{EVIL}"
    here = home / f"here{EVIL}"
    (here / ".git" / "refs" / "heads").mkdir(parents=True)
    (here / ".git" / "HEAD").write_text(f"ref: refs/heads/{EVIL}\n")
    (here / ".git" / "config").write_text("[core]\nrepositoryformatversion = 0\n")
    (here / ".git" / "objects").mkdir()
    (here / f"file{EVIL}.py").write_text("x")
    (here / "Makefile").write_text(f"{EVIL}:\n\ttrue\n")
    settings = home / ".config" / "terma" / "config.toml"
    settings.parent.mkdir(parents=True)
    name = "".join(f"\\u{ord(char):04x}" for char in EVIL)
    settings.write_text(f'role = "{name}"\n[models."{name}"]\nmodel = "{name}"\n')
    learned = home / ".local" / "state" / "terma" / "learned.json"
    learned.parent.mkdir(parents=True)
    entry = {"words": EVIL, "command": f"ls {EVIL}", "times": 3, "changed": EVIL, "when": 1.0}
    learned.write_text(json.dumps({"version": 1, "entries": [entry]}))
    recipes = settings.parent / "recipes"
    recipes.mkdir()
    (recipes / f"own{EVIL}.toml").write_text(f"[{EVIL}")
    roles = settings.parent / "roles"
    roles.mkdir()
    (roles / f"role{EVIL}.md").write_text(EVIL)
    with_knowledge(home / ".cache")
    env = {key: value for key, value in os.environ.items() if not key.startswith(("TERMA_", "XDG_", "GIT_"))}
    env |= {
        "HOME": str(home),
        "PWD": str(here),
        "TERMA_SOCKET": str(root / "s" / "agent.sock"),
        "TERM": "xterm",
    }
    env |= {"TERMA_LAST_COMMAND": f"cat {EVIL}", "TERMA_LAST_STATUS": "1", "TERMA_LAST_DIR": str(here)}
    env |= {
        "TERMA_ENGINE": "offline",
        "EDITOR": "true",
        "VISUAL": "true",
        "USER": EVIL,
        "LOGNAME": EVIL,
        "LANG": "C.UTF-8",
    }
    (root / "s").mkdir(mode=0o700)
    yield here, env
    subprocess.run(
        [TERMA, "agent", "stop"], env=env, cwd=root, capture_output=True, timeout=WAIT, check=False
    )


def test_every_command_is_asked() -> None:
    assert set(command_names()) - {"remote"} == set(ASKED)


@pytest.mark.parametrize("command", ASKED)
def test_nothing_of_others_reaches_the_terminal_as_an_order(
    hostile: tuple[Path, dict[str, str]], command: str
) -> None:
    for arguments in ASKED[command]:
        _says_nothing_that_is_obeyed(hostile, [command, *arguments])


@pytest.mark.parametrize(("command", "action"), _actions())
def test_no_action_of_a_command_repeats_such_a_word(
    hostile: tuple[Path, dict[str, str]], command: str, action: str
) -> None:
    """The actions come from the parsers: a new one is asked without being named here."""
    _says_nothing_that_is_obeyed(hostile, [command, action, *_arguments(command, action)])


def _says_nothing_that_is_obeyed(hostile: tuple[Path, dict[str, str]], words: list[str]) -> None:
    here, env = hostile
    done = subprocess.run(
        [TERMA, *words],
        cwd=here,
        env=env,
        input=b"",
        capture_output=True,
        timeout=2 * WAIT,
        check=False,
    )
    for said in (done.stdout, done.stderr):
        text = said.decode("utf-8", "surrogateescape")
        assert not OBEYED.search(text), (words, text)
        assert "Traceback" not in text
