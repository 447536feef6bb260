"""What `terma init`, `terma try` and `terma uninstall` do to real shells: load, keep, take away."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pexpect
import pytest

from tests.conftest import WAIT, Home, RunningAgent
from tests.shells.driver import BASH_RC, ZSH_RC, Shell, sterile_env
from tests.surroundings import with_knowledge

TERMA = str(Path(sys.executable).parent / "terma")
RC = {"zsh": ZSH_RC, "bash": BASH_RC}
RC_FILE = {"zsh": ".zshrc", "bash": ".bashrc"}
# What a person's own start-up file may hold against us.
HOSTILE = {
    "zsh": "alias local=false typeset=false print=false\nsetopt ksh_arrays sh_word_split no_clobber\n",
    "bash": "alias local=false printf=false for=false builtin=false; set -o noclobber\n",
}
shells = pytest.mark.parametrize("shell", ["zsh", "bash"])


def terma(home: Home, *arguments: str, said: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [TERMA, *arguments],
        env=sterile_env(home.home, home.env),
        input=said,
        capture_output=True,
        text=True,
        timeout=WAIT * 2,
        check=False,
    )


def opened(home: Home, shell: str, rc: str) -> Shell:
    mark = home.home / ".local/state/terma"
    mark.mkdir(parents=True, exist_ok=True)
    for name in ("zsh-key-taken", "bash-key-taken"):
        (mark / name).touch()
    ours = {key: value for key, value in home.env.items() if key.startswith("TERMA_") and key != "TERMA_BIN"}
    return Shell(shell, home.home, rc, env=ours)


def answers(shell: Shell) -> bool:
    """Whether Ctrl+T turns a sentence into the scripted command."""
    shell.type("list files").line()
    shell.press("C-t").wait_for("ls -l")
    return shell.line().text == "ls -l"


@shells
def test_the_evaluated_code_loads(agent: RunningAgent, shell: str) -> None:
    agent.will_say("ls -l")
    with opened(agent, shell, f'{RC[shell]}\neval "$({TERMA} init {shell})"\n') as live:
        assert answers(live)


@shells
def test_aliases_and_options_of_the_person_do_no_harm(agent: RunningAgent, shell: str) -> None:
    agent.will_say("ls -l")
    with opened(agent, shell, f'{RC[shell]}\n{HOSTILE[shell]}eval "$({TERMA} init {shell})"\n') as live:
        assert answers(live)


@shells
def test_installing_is_one_line_and_works(agent: RunningAgent, shell: str) -> None:
    agent.will_say("ls -l")
    file = agent.home / RC_FILE[shell]
    file.write_text(RC[shell] + HOSTILE[shell], encoding="utf-8")
    assert terma(agent, "init", shell, "--install", "--yes").returncode == 0
    text = file.read_text(encoding="utf-8")
    assert len(text.splitlines()) == len((RC[shell] + HOSTILE[shell]).splitlines()) + 1
    with opened(agent, shell, text) as live:
        assert answers(live)


@shells
def test_installing_twice_adds_nothing(home: Home, shell: str) -> None:
    file = home.home / RC_FILE[shell]
    terma(home, "init", shell, "--install", "--yes")
    once = file.read_text(encoding="utf-8")
    assert "open a new" in terma(home, "init", shell, "--install", "--yes").stdout
    assert file.read_text(encoding="utf-8") == once


@shells
def test_without_a_person_to_agree_the_start_up_file_stays_as_it_is(home: Home, shell: str) -> None:
    done = terma(home, "init", shell, "--install")
    assert not (home.home / RC_FILE[shell]).exists()
    assert "put this into" in done.stdout


def test_a_start_up_file_that_is_a_link_stays_one(home: Home) -> None:
    real = home.home / "dotfiles" / "zshrc"
    real.parent.mkdir()
    real.write_text("# mine\n", encoding="utf-8")
    (home.home / ".zshrc").symlink_to(real)
    terma(home, "init", "zsh", "--install", "--yes")
    assert (home.home / ".zshrc").is_symlink()
    assert real.read_text(encoding="utf-8").startswith("# mine\n[ ! -r ")


@shells
def test_the_line_is_harmless_when_terma_is_gone(home: Home, shell: str) -> None:
    terma(home, "init", shell, "--install", "--yes")
    line = (home.home / RC_FILE[shell]).read_text(encoding="utf-8")
    for file in (home.home / ".local/share/terma").iterdir():
        file.unlink()
    with Shell(shell, home.home, f"{RC[shell]}\n{line}") as live:
        assert "terma" not in live.text


def test_the_installed_code_needs_no_python_to_load(home: Home) -> None:
    terma(home, "init", "zsh", "--install", "--yes")
    done = subprocess.run(
        ["zsh", "-i", "-c", "typeset -f _terma_wire_encode >/dev/null && print loaded"],
        env=sterile_env(home.home) | {"PATH": "/nonexistent"},
        executable="/usr/bin/zsh",
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout == "loaded\n"


@shells
def test_an_upgrade_rewrites_the_installed_code(home: Home, shell: str) -> None:
    terma(home, "init", shell, "--install", "--yes")
    entry = home.home / f".local/share/terma/terma.{shell}"
    current = entry.read_text(encoding="utf-8")
    entry.write_text(current.replace("# terma ", "# terma 0.0.", 1), encoding="utf-8")
    assert terma(home, "agent", "start").returncode == 0
    assert entry.read_text(encoding="utf-8") == current


@shells
def test_another_terma_leaves_the_installed_code_alone(home: Home, shell: str) -> None:
    terma(home, "init", shell, "--install", "--yes")
    entry = home.home / f".local/share/terma/terma.{shell}"
    older = (
        entry.read_text(encoding="utf-8")
        .replace("# terma ", "# terma 0.0.", 1)
        .replace(TERMA, "/opt/bin/terma")
    )
    entry.write_text(older, encoding="utf-8")
    assert terma(home, "agent", "start").returncode == 0
    assert entry.read_text(encoding="utf-8") == older


@shells
def test_the_code_names_no_path_behind_a_link(home: Home, shell: str) -> None:
    link = home.home / "bin" / "terma"
    link.parent.mkdir()
    link.symlink_to(TERMA)
    done = subprocess.run(
        [str(link), "init", shell], env=home.env, capture_output=True, text=True, check=True
    )
    assert f"'{link}'" in done.stdout
    assert TERMA not in done.stdout


@shells
def test_uninstall_lists_and_removes_all_of_it(home: Home, shell: str) -> None:
    home.env["XDG_CACHE_HOME"] = str(with_knowledge(home.home / ".cache"))  # not the one that all tests share
    file = home.home / RC_FILE[shell]
    file.write_text("# mine\n", encoding="utf-8")
    terma(home, "init", shell, "--install", "--yes")
    terma(home, "agent", "start")
    listed = terma(home, "uninstall", "--dry-run").stdout
    for trace in (str(file), ".local/share/terma", ".local/state/terma", str(home.socket)):
        assert trace in listed
    assert (home.home / ".local/share/terma").exists()
    assert terma(home, "uninstall").returncode == 1  # nobody agreed
    assert home.socket.exists()
    assert terma(home, "uninstall", "--yes").returncode == 0
    assert file.read_text(encoding="utf-8") == "# mine\n"
    assert [path for path in home.home.rglob("*terma*") if path.name != "terma-t"] == []
    assert not home.socket.exists()
    assert "terma left nothing here" in terma(home, "uninstall", "--dry-run").stdout


@shells
def test_try_opens_a_shell_and_leaves_nothing(home: Home, shell: str) -> None:
    (home.home / RC_FILE[shell]).write_text(
        "echo my own file\nHISTFILE=~/my-history\nSAVEHIST=9\n", encoding="utf-8"
    )
    home.script.write_text('[{"match": "", "steps": [{"delta": "ls -l"}]}]', encoding="utf-8")
    before = sorted(home.home.rglob("*"))
    env = sterile_env(home.home, home.env) | {"TERMA_ENGINE": "scripted"}
    (home.home / ".local/state/terma").mkdir(parents=True, exist_ok=True)
    (home.home / ".local/state/terma/tour-seen").touch()
    env.pop("ZDOTDIR")
    child = pexpect.spawn(
        TERMA, ["try", "--shell", shell], env=env, cwd=str(home.home), timeout=WAIT, encoding="utf-8"
    )
    child.expect("my own file")
    child.expect("Then press Ctrl\\+T")
    child.expect(r"[#$%]")
    child.send("list files\x14")
    child.expect("ls -l")
    child.send("\x15 echo $((6*7))")
    for _ in range(200):  # Enter right after an answer, or after such an Enter, is not one that was meant
        child.send("\r")
        if child.expect(["42", pexpect.TIMEOUT], timeout=0.5) == 0:
            break
    child.send("exit\r")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0
    assert sorted(path for path in home.home.rglob("*") if ".local" not in path.parts) == before
    assert not home.socket.exists()
