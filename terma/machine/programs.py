"""Which file a shell runs for a word, and the words for which it runs none."""

from __future__ import annotations

import os
from pathlib import Path

_BOTH = frozenset(
    ". : [ alias bg break builtin cd command continue declare dirs disown echo enable eval exec exit"
    " export false fc fg getopts hash history jobs kill let local logout popd printf pushd pwd read"
    " readonly return set shift source suspend test times trap true type typeset ulimit umask unalias"
    " unset wait if then elif else fi case esac for select while until do done in function time coproc {"
    " } ! [[ ]] ((".split()
)
_OWN = {
    "bash": frozenset("bind caller compgen complete compopt help mapfile readarray shopt".split()),
    "zsh": frozenset(
        "autoload bindkey bye chdir compadd comparguments compdef compinit disable echotc echoti"
        " emulate end float foreach functions getln integer limit log nocorrect noglob print printenv"
        " pushln r rehash repeat sched setopt stat strftime syswrite sysread sysopen ttyctl unfunction"
        " unhash unlimit unsetopt vared whence where which zcompile zformat zle zmodload zparseopts"
        " zstat zstyle zsystem zmv zargs zcalc nogl - always add-zsh-hook promptinit prompt colors".split()
    ),
    "xonsh": frozenset(
        "EOF and completer not or quit showcmd source-bash source-cmd source-foreign source-sh source-zsh timeit"
        " trace which xcontext xexec xonfig xontrib xpip xpython xreset xxonsh".split()
    ),
}  # fmt: skip
# Functions that people's start-up files define, under names that no program has: nobody tells us which.
USUAL_FUNCTIONS = frozenset(
    "nvm rvm sdk conda mamba micromamba z zi j jump workon deactivate activate mkvirtualenv fuck"
    " thefuck proxy_on pyenv rbenv nodenv jenv asdf mise fnm direnv module ml spack condactivate zinit"
    " zplug antigen antidote omz sdkman".split()
)


def is_builtin(name: str, shell: str) -> bool:
    """Whether `shell` ("bash", "zsh", "xonsh") has `name` itself: a builtin or a keyword."""
    return name in _BOTH or name in _OWN.get(shell, frozenset())


def where(program: str, path: str, cwd: str) -> str:
    """The file that a shell with PATH `path` in the directory `cwd` runs for `program`, "" when there is none."""
    if "/" in program:
        file = Path(cwd or "/") / os.path.expanduser(program)  # noqa: PTH111 a name may be no path
        return str(file) if _runs(file) else ""
    for directory in path.split(os.pathsep):
        file = Path(directory or cwd or ".") / program
        if _runs(file):
            return str(file)
    return ""


def _runs(file: Path) -> bool:
    try:
        return file.is_file() and os.access(file, os.X_OK)
    except (OSError, ValueError):
        return False
