"""What the capture tests share: shells that know `?why`, prompts that people have, and a question to `gather`."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

from terma.context.gather import gather
from terma.types import CaptureRequest, Output

# The line that asks runs nothing here; what it does is another room's.
# Each prompt leaves an x in $HOME/prompts just before it is drawn, so that a test knows that a command has ended.
ZSH_ASK = """
setopt interactivecomments; alias -- '?why=: #'
bindkey -e
_prompts() { print -n x >> $HOME/prompts }; precmd_functions+=(_prompts)
"""
BASH_ASK = """
alias -- '?why=: #'
PROMPT_COMMAND='printf x >> "$HOME/prompts"'
"""

ZSH_PROMPTS = {
    "plain": "PS1='ready> '",
    "default": "PS1='ready %m%# '",
    "right": "PS1='ready %1~ %# ' RPROMPT='%T'",
    "two lines": "PS1=$'\\n╭─ %n ready ─ %?\\n╰─❯ ' RPROMPT='%T'",
    "transient": (
        "PS1='ready %~ ❯ '\n"
        "_short() { PROMPT='❯ '; zle reset-prompt; PROMPT='ready %~ ❯ ' }; zle -N zle-line-finish _short"
    ),
}
BASH_PROMPTS = {
    "plain": "PS1='ready> '",
    "debian": r"PS1='\[\e[32m\]ready@\h\[\e[0m\]:\w\$ '",
    "two lines": r"PS1='\n┌─ ready \w ($?)\n└─\$ '",
    "status": r"PS1='ready [$?] \W \$ '",
}


def ask(
    env: Mapping[str, str],
    command: str,
    *,
    asked: str = "?why",
    shell: str = "zsh",
    columns: int = 0,
    path: str = "",
) -> Output:
    """What `gather` makes of the terminal that `env` names, with a bound that a loaded machine can keep."""
    request = CaptureRequest(env, shell=shell, command=command, asked=asked, columns=columns, path=path)
    return asyncio.run(gather(request, limit=10.0))
