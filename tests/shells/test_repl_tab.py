"""Tab in the conversation asks the person's own shell: what it completes there, it completes here."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import Home
from tests.shells.in_terma import RC, Terma, prepared

GIT = Path("/usr/share/bash-completion/completions/git")
OWN = {
    "bash": """
pick() { echo "picked $*"; }
_pick() { COMPREPLY=($(compgen -W "apple apricot --colour=red --colour=rust" -- "$2")); }
complete -F _pick pick
_late() { complete -W "lemon lime" later; return 124; }
complete -D -F _late
later() { echo "later $*"; }
_files() { compopt -o filenames -o nospace; COMPREPLY=("a long name"); }
complete -F _files look
look() { cat "$1/file.txt"; }
_slow() { sleep 600; }
complete -F _slow slow
slow() { cat "$@"; }
""",
    "zsh": """
autoload -Uz compinit; compinit -u -D
pick() { echo "picked $*" }
_pick() { compadd apple apricot; compadd -S '' -- --colour=red --colour=rust }
compdef _pick pick
look() { cat $1/file.txt }
_look() { _files -/ }
compdef _look look
slow() { cat "$@" }
_slow() { sleep 600 }
compdef _slow slow
""",
    "fish": """
function pick; echo "picked $argv"; end
complete -c pick -f -a "apple apricot --colour=red --colour=rust"
function look; cat $argv[1]/file.txt; end
function slow; cat $argv; end
complete -c slow -f -a "(sleep 600)"
""",
}
FILES = {"bash": ".bashrc", "zsh": ".zshrc", "fish": ".config/fish/config.fish"}


def chat(home: Home, shell: str, more: str = "", **env: str) -> Terma:
    prepared(home, None, shell)
    (home.home / FILES[shell]).write_text(RC[FILES[shell]] + OWN[shell] + more)
    (home.home / "a long name").mkdir(exist_ok=True)
    (home.home / "a long name" / "file.txt").write_text("found it\n")
    (home.home / "notes.txt").write_text("what was noted\n")
    # behind the first command it has a shell, and knows what that calls its own
    return Terma(home, "chat", **env).prompted().enter("!echo re''ady", "ready")


@pytest.mark.parametrize("shell", OWN)
def test_what_the_shell_completes_is_completed_and_keys_wait_for_it(home: Home, shell: str) -> None:
    with chat(home, shell) as terma:
        for keys, printed in (
            ("!pick app\tnow\r", "picked apple now"),
            ("!pick a\tr\t twice | tr a-z A-Z\r", "PICKED APRICOT TWICE"),
            ("!true; pick app\t\r", "picked apple"),
            ("!pick a one\x1b[D\x1b[D\x1b[D\x1b[Dpp\t\r", "picked apple one"),
            ("!look a\\ l\t\r", "found it"),
            ("!slow no\t\r", "what was noted"),  # it answers never: files are known here
        ):
            terma.waits_for_input().mark().type(keys).prompted(printed)


@pytest.mark.parametrize("shell", OWN)
def test_nothing_of_it_stays_in_the_shell(home: Home, shell: str) -> None:
    with chat(home, shell) as terma:
        terma.enter("!false", "exit status 1")
        status = "$status" if shell == "fish" else "$?"
        terma.waits_for_input().mark().type(f"!pick app\t{status}\r").prompted("picked apple 1")
        # fish keeps what begins with a blank until the next command is entered, and never in its file
        kept = "history save; cat ~/.local/share/fish/fish_history" if shell == "fish" else "history"
        none = "0\r\n" if shell == "fish" else "\n0"
        terma.enter(f"!{kept} | grep -c 'shell_tab.as[k]'", none)
        terma.enter("!set | grep -c '^_terma_[wo][a-z]*='", none)


def test_a_completion_of_bash_that_comes_late_or_names_files(home: Home) -> None:
    with chat(home, "bash") as terma:
        for keys, printed in (
            ("!later lem\t\r", "later lemon"),
            ("!look a\t\r", "found it"),
            ("!FRUIT=1 pick apr\t\r", "picked apricot"),
        ):
            terma.waits_for_input().mark().type(keys).prompted(printed)


@pytest.mark.parametrize("shell", OWN)
def test_git_as_everyone_types_it(home: Home, shell: str) -> None:
    if shell == "bash" and not GIT.exists():
        pytest.skip("git's completion for bash is not installed")
    with chat(home, shell, f"\n. {GIT}\n" if shell == "bash" else "") as terma:
        terma.waits_for_input().mark().type("!git statu\t--short; echo s''een\r")
        terma.prompted("seen")
        assert "git status --short" in terma.since()


@pytest.mark.parametrize("shell", OWN)
def test_ctrl_c_gives_up_a_completion_that_takes_long(home: Home, shell: str) -> None:
    with chat(home, shell) as terma:
        terma.waits_for_input().mark().type("!slow no\tx\r").press("C-c").prompted()
        terma.enter("!echo st''ill", "still")
