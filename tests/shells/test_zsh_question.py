"""`?why` and whatever stands behind it on the line: it is asked, and none of it is ever run or expanded."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import RunningAgent
from tests.shells.driver import Shell
from tests.shells.in_zsh import zsh
from tests.shells.test_zsh_neighbours import load

# {} is a word by which the answer shows that the agent got the whole line.
HOSTILE = [
    "?why",
    "?why {} isn't it",
    '?why {} "open',
    "?why {} $(touch PWNED)",
    "?why {} `touch PWNED`",
    "?why {}; touch PWNED",
    "?why {} && touch PWNED || touch PWNED",
    "?why {} | tee PWNED > PWNED &",
    "?why {} <(touch PWNED) >(touch PWNED) =(touch PWNED)",
    "?why {} (x; y > PWNED",
    "?why {} { } ) fi done esac",
    "?why {} !! !$ !touch ^a^b !?x? !#",
    "?why {} * ? [a-z]* **/*(.) ~root =ls",
    "?why {} ends with \\",
    "?why {} <<EOF",
    "?why {} # $HOME ${x:?PWNED} $((1/0)) %n",
    "?why {} 为什么 é 👩‍👩‍👧 isn't",
    "   ?why {} led by blanks",
    "\x1b[200~?why\t{} $(touch PWNED)\x1b[201~",
    "?why;touch PWNED {}",
    "?why$(touch PWNED) {}",
    "?why! {}",
    "?why? isn't {}",
    "?why&touch PWNED {}",
    "?why>PWNED {}",
    "?why'{}",
    "\x1b[200~?why {} isn't\ntouch PWNED\n$(touch PWNED)\x1b[201~",
    "\x1b[200~?why\ntouch PWNED {}\x1b[201~",
]  # fmt: skip
OPTIONS = [
    "",
    "setopt null_glob csh_null_glob extended_glob ksh_glob no_case_glob glob_dots auto_cd rc_expand_param",
    "setopt interactive_comments hist_reduce_blanks hist_verify inc_append_history correct correct_all"
    " csh_junkie_history csh_junkie_quotes no_hist_beep magic_equal_subst",
    "setopt no_aliases rc_quotes path_dirs hist_ignore_all_dups hist_no_store prompt_subst; unalias -a; bindkey -v",
    "setopt ksh_arrays sh_word_split glob_subst no_unset err_return warn_create_global posix_builtins",
]
DONE = "the answer is over"


def answer(agent: RunningAgent, number: int) -> str:
    word = f"q{number}q"
    agent.will_explain(f"{DONE} {word}.\n", match=word)
    return word


def history(shell: Shell) -> list[str]:
    """What the shell itself remembers, oldest first."""
    file = shell.home / "history"
    file.unlink(missing_ok=True)
    code = 'print -rN -- "${(@)history[@]}" end > $HOME/history'
    shell.run(" " + code)
    return file.read_bytes().decode().split("\0")[::-1][2:]


@pytest.mark.parametrize("terma_first", [True, False])
@pytest.mark.parametrize("options", OPTIONS)
def test_nothing_on_the_line_runs_whatever_it_is(
    agent: RunningAgent, options: str, terma_first: bool
) -> None:
    bearable = "ksh_arrays" not in options  # the plugins break under that
    plugins = load("autosuggestions") + load("highlighting") if bearable else ""
    before, after = ("", plugins) if terma_first else (plugins, "")
    save = "\nsave() { set -o > $HOME/$1; alias >> $HOME/$1; trap >> $HOME/$1; print saved }"
    agent.will_explain(f"{DONE}.\n")
    cwd = agent.root / "work"
    cwd.mkdir()
    Path(cwd, "awhy").write_text("#!/bin/sh\ntouch PWNED\n")
    Path(cwd, "awhy").chmod(0o755)
    with zsh(agent, before, f"{after}{save}\npath+=($PWD)\n{options}", cwd=cwd) as shell:
        assert shell.run("save one") == "saved"
        typed = []
        for number, line in enumerate(HOSTILE):
            text = line.replace("{}", answer(agent, number))
            shell.type(text).line()
            shell.mark().press("Enter").wait_for(f"{DONE} q{number}q" if "{}" in line else DONE)
            assert shell.line().text == "", text
            typed.append(text.removeprefix("\x1b[200~").removesuffix("\x1b[201~"))
            assert list(Path(cwd).iterdir()) == [cwd / "awhy"], text
        assert "more> " not in shell.text
        assert shell.run("save two") == "saved"
        assert (agent.home / "one").read_text() == (agent.home / "two").read_text()
        assert not list(agent.home.rglob("PWNED"))
        ours = ("?why", "_terma_why")
        assert [line for line in shell.ran if not line.lstrip().startswith(ours)] == ["save one", "save two"]
        kept = history(shell)
        assert [line.strip() for line in kept if "?why" in line] == [line.strip() for line in typed]
