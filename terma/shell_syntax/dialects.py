"""Which shell reads a line how: the differences that change where a word, a comment or a command ends."""

from __future__ import annotations

from typing import Literal

from terma.records import dataclass

_COMMON = "if then elif else fi case esac for while until do done ! { }"
_BASH = _COMMON + " function select time coproc [["
_ZSH = _COMMON + " function select time coproc [[ repeat foreach end nocorrect"


@dataclass(frozen=True, slots=True)
class Dialect:
    """`prompt`: the line is typed, so that `!` and a leading `^` reach into the history. `comments`: `#` begins one
    at a word's start. `reserved`: words that are no commands where a command begins."""

    name: str
    family: Literal["bash", "zsh", "sh"]
    reserved: frozenset[str]
    prompt: bool = False
    comments: bool = True

    @property
    def zsh(self) -> bool:
        return self.family == "zsh"

    @property
    def bash(self) -> bool:
        return self.family == "bash"

    @property
    def sh(self) -> bool:
        return self.family == "sh"


BASH = Dialect("bash", "bash", frozenset(_BASH.split()))
BASH_PROMPT = Dialect("bash prompt", "bash", BASH.reserved, prompt=True)
ZSH = Dialect("zsh", "zsh", frozenset(_ZSH.split()))
ZSH_PROMPT = Dialect("zsh prompt", "zsh", ZSH.reserved, prompt=True, comments=False)
SH = Dialect("sh", "sh", frozenset(_COMMON.split()))
DIALECTS = (BASH, BASH_PROMPT, ZSH, ZSH_PROMPT, SH)

# Where nobody knows the shell. sh stands among them for what it reads as they do: who writes another shell's syntax
# does not mean sh.
ANY_TYPED = (BASH_PROMPT, ZSH_PROMPT, SH)
ANY_GIVEN = (BASH, ZSH, SH)
# A zsh may have INTERACTIVE_COMMENTS or not, and run a line that is typed or given; `sh` is dash here and bash there.
_TYPED: dict[str, tuple[Dialect, ...]] = {
    "bash": (BASH_PROMPT,),
    "rbash": (BASH_PROMPT,),
    "zsh": (ZSH_PROMPT, ZSH),
    "sh": (SH, BASH),
    "dash": (SH,),
    "": ANY_TYPED,
}
_GIVEN = _TYPED | {"bash": (BASH,), "rbash": (BASH,), "zsh": (ZSH,), "": ANY_GIVEN}


def readings(shell: str, *, script: bool = False) -> tuple[Dialect, ...]:
    """The dialects in which `shell` (a name or path; "" when nobody knows it) may read a line; () for a shell that is
    not spoken here. `script`: the line is given to a new shell (`zsh -c`), never typed."""
    name = shell.rsplit("/", 1)[-1].removeprefix("-").lower()
    return (_GIVEN if script else _TYPED).get(name, ())
