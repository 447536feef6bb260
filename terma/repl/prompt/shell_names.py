"""What the person's own shell knows by name: aliases and functions, asked of it unseen, for router and completion."""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path

from terma.errors import TermaError
from terma.repl.shell.opening import own_shell
from terma.repl.shell.persistent import PersistentShell

SECONDS = 5.0  # for the answer; the shell's own start is not in it
MARK = "terma:functions"
_ASKED = {  # a blank in front: what keeps histories leaves such lines out
    "bash": f" alias; echo {MARK}; compgen -A function",
    "zsh": f" alias; echo {MARK}; print -rl -- ${{(k)functions}}",
    "fish": f" alias; echo {MARK}; functions -n | string split ', '",
}
_ALIAS = re.compile(r"(?:alias )?(?:-- )?([^\s=']+)[= ](.*)\Z")
_CHANGES = re.compile(r"\balias\b|\bsource\b|^\s*\.\s|\bfunction\b|\(\s*\)|\bfuncsave\b|\babbr\b")


class Names:
    """`aliases` and `functions` are empty until the shell has told them."""

    def __init__(self, shell: PersistentShell, environment: dict[str, str]) -> None:
        self.kind = Path(own_shell("", environment)).name
        self.aliases: dict[str, str] = {}
        self.functions: frozenset[str] = frozenset()
        self._shell = shell

    async def learn(self) -> None:
        """Ask the shell. Raises nothing: without an answer the names stay as they were."""
        asked = _ASKED.get(self.kind)
        if asked is None:
            return
        with suppress(TermaError, OSError, TimeoutError):
            ran = await self._shell.quietly(asked, SECONDS)
            self._read(ran.output)

    def may_change(self, command: str) -> bool:
        """Whether `command` looks as if it brought new names."""
        return bool(_CHANGES.search(command))

    def all(self) -> list[str]:
        """Both, for completion; without what a shell's own machinery is called."""
        return [*self.aliases, *(name for name in self.functions if not name.startswith("_"))]

    def _read(self, output: str) -> None:
        aliases, _, functions = output.partition(f"{MARK}\n")
        found = (_ALIAS.match(line) for line in aliases.splitlines())
        self.aliases = {one[1]: one[2].strip("'\"") for one in found if one}
        self.functions = frozenset(name.strip() for name in functions.splitlines() if name.strip())
