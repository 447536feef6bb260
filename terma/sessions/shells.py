"""How each kind of shell or REPL is started so that it marks where a command ends, and how a command is given to it."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from terma.errors import UsageError
from terma.machine.zshenv import moves_zdotdir

HOOKS = Path(__file__).parent / "hooks"
_PASTE, _PASTE_END = "\x1b[200~", "\x1b[201~"
_POSIX = ("sh", "dash", "ash", "ksh", "mksh", "yash")
_PLAIN = ("-i", "-l", "-il", "-li", "--login", "-q", "--norc", "-f")
_WITH_VALUE = ("-o", "+o", "-O", "+O", "--rcfile", "--init-file", "-C", "--init-command")  # options of shells
MAX_COMMAND = 48 * 1024  # bytes
_BYTES = ("utf-8", "surrogateescape")  # what is no text is typed as it came
_MAY_UNMARK = re.compile(
    r"\b(?:source|eval|unset|add-zsh-hook)\b|(?:^|[\s;&|({])\.\s|PROMPT_COMMAND|PS[012]|prompt|precmd|preexec",
    re.M,
)


@dataclass(frozen=True, slots=True)
class Kind:
    """What is known of a program that reads commands.

    `pastes`: it takes a whole text as one bracketed paste and draws its prompt when all of it has run. Otherwise it
    reads line by line, and answers each with a prompt. `marks_start`: it says where the output begins (C). `far`: it
    may be behind a login or another program, and is asked for marks at its first prompt, by what is typed there."""

    name: str
    pastes: bool = False
    marks_start: bool = False
    asks: bool = False
    far: bool = False

    @property
    def marked(self) -> bool:
        """Whether the end of a command can be seen."""
        return self.name != "none"


ZSH, BASH, FISH = (Kind(name, pastes=True, marks_start=True) for name in ("zsh", "bash", "fish"))
PYTHON, SH, NONE = Kind("python"), Kind("sh", far=True), Kind("none")
FAR_FISH, FAR_PYTHON = replace(FISH, far=True), replace(PYTHON, far=True)
KINDS = {kind.name: kind for kind in (ZSH, BASH, FISH, PYTHON, SH, NONE)}
_FAR = {"zsh": SH, "bash": SH, "fish": FAR_FISH, "python": FAR_PYTHON}


@dataclass(frozen=True, slots=True)
class Start:
    """A command line and its environment. `late`: it is asked for marks at its first prompt."""

    command: tuple[str, ...]
    environment: dict[str, str]
    kind: Kind
    late: bool = False


def kind_of(command: Sequence[str]) -> Kind:
    """What `command` is when it is interactive; NONE for scripts and everything else. A shell with options that are not
    known to leave its line editor alone is asked for marks as any POSIX shell is."""
    name = Path(command[0]).name.lstrip("-")
    words = [word for word in command[1:] if word not in _PLAIN]
    if words:
        shell = name in _POSIX or KINDS.get(name) in (ZSH, BASH, FISH)
        return SH if shell and _only_options(words) else NONE
    if name.startswith("python") and not name.strip("python0123456789."):
        return PYTHON
    if name in _POSIX:
        return SH
    return KINDS.get(name, NONE)


def _only_options(words: Sequence[str]) -> bool:
    """Whether a shell with these reads its commands from the terminal: there is neither a script nor a command, but for
    fish one that comes first (-C)."""
    rest = iter(words)
    for word in rest:
        if word in _WITH_VALUE:
            next(rest, None)
            continue
        operand = word[:1] not in ("-", "+") or word in ("-", "--")
        if operand or word.startswith("--command") or ("c" in word and not word.startswith("--")):
            return False
    return True


def named(name: str, command: Sequence[str]) -> Kind:
    """What reads commands there, where the caller says so: the kind of this name, behind `command` where that is
    another program (ssh, docker, sudo), which cannot be told how to start it."""
    program = Path(command[0]).name.lstrip("-")
    return KINDS[name] if program.startswith(name) else _FAR.get(name, KINDS[name])


def again(name: str, *, far: bool, asks: bool) -> Kind:
    """The kind as another process had it."""
    kind = KINDS.get(name, NONE)
    return replace(_FAR.get(name, kind) if far else kind, asks=asks)


def start(
    command: Sequence[str], environment: Mapping[str, str], nonce: str, kind: Kind, *, drops: bool = False
) -> Start:
    """How to start `command` so that it prints marks with `nonce`. `drops`: lines that are typed while a command runs
    are no commands of the shell's."""
    env = {name: value for name, value in environment.items() if not name.startswith("TERMA_SESSION_")}
    hooked = env | {"TERMA_SESSION_MARK": nonce, "TERMA_SESSION_HOOKS": str(HOOKS)}
    if drops:
        hooked["TERMA_SESSION_DROPS"] = "1"
    words = tuple(command)
    if kind is ZSH and "-f" not in words and not moves_zdotdir(env):
        if "ZDOTDIR" in env:
            hooked["TERMA_SESSION_ZDOTDIR"] = env["ZDOTDIR"]
        return Start((*words, "-i"), hooked | {"ZDOTDIR": str(HOOKS)}, kind)
    if kind is BASH and "-l" not in words and "--login" not in words and "--norc" not in words:
        return Start((words[0], "--rcfile", str(HOOKS / "bashrc"), *words[1:], "-i"), hooked, kind)
    if kind is FISH:
        load = f"source {HOOKS / 'session.fish'}"
        return Start((words[0], "--private", "--init-command", load, *words[1:], "-i"), hooked, kind)
    if kind is PYTHON:
        if "PYTHONSTARTUP" in env:
            hooked["TERMA_SESSION_STARTUP"] = env["PYTHONSTARTUP"]
        basic = {"PYTHONSTARTUP": str(HOOKS / "session.python"), "PYTHON_BASIC_REPL": "1"}
        return Start(words, hooked | basic, kind)
    if kind in (ZSH, BASH):
        return Start(words, env, kind, late=True)
    return Start(words, env, kind)


def bootstrap(kind: Kind, nonce: str, *, drops: bool = False) -> str:
    """What, typed into a shell that runs already, makes it print marks; "" where nothing can.

    Any POSIX shell expands `$?` in PS1, so there the prompt is the mark, at the far end of an ssh, too; zsh when it is
    told to. What would write PS1 anew at each prompt goes. Where fish stands there instead, which alone reads
    '\\\\' as one character, it says so (A with `fish`), and is asked in its own words then."""
    if kind.far and kind.name != "sh":
        return _far(kind.name, nonce)
    if kind in (ZSH, BASH):
        dropping = " TERMA_SESSION_DROPS=1" if drops else ""
        return f" TERMA_SESSION_MARK={nonce}{dropping}; . '{HOOKS / f'session.{kind.name}'}'\r"
    if kind is FISH:
        return f" set -g fish_history ''; set TERMA_SESSION_MARK {nonce}; source '{HOOKS / 'session.fish'}'\r"
    if kind is SH:
        first = rf"\033]133;D;%s;terma={nonce}\007$ \033]133;B;terma={nonce}\007"
        more = rf"\033]133;A;k=c;terma={nonce}\007> \033]133;B;terma={nonce}\007"
        quiet = "unset PROMPT_COMMAND precmd_functions; setopt promptsubst >/dev/null 2>&1 || :"
        posix = f"{quiet}; PS1=$(printf '{first}' '$?') PS2=$(printf '{more}')".replace("'", r"'\''")
        return rf" test '\\' = \\ && printf '\033]133;A;fish=1;terma={nonce}\007' || eval '{posix}'" + "\r"
    return ""


def _far(name: str, nonce: str) -> str:
    """The hooks themselves, in one line: the other machine has no file of them."""
    text = (HOOKS / f"session.{name}").read_text(encoding="utf-8")
    if name == "python":
        return f"import os; os.environ['TERMA_SESSION_MARK'] = '{nonce}'; exec({text!r})\r"
    lines = [line.strip() for line in text.split("\n") if line.strip() and not line.startswith("#")]
    told = "; ".join([" set -g fish_history ''", f"set TERMA_SESSION_MARK {nonce}", *lines])
    return f"{_PASTE}{told}{_PASTE_END}\r"


def check(text: str) -> None:
    """Raise UsageError for a command that a line editor would take for keys."""
    try:
        length = len(text.encode(*_BYTES))
    except UnicodeEncodeError as error:
        raise UsageError("the command holds half a character", "send text as UTF-8") from error
    if length > MAX_COMMAND:
        raise UsageError(f"the command is longer than {MAX_COMMAND} bytes", "write it to a file and run that")
    if any((char < " " and char not in "\n\t") or char == "\x7f" for char in text):
        raise UsageError("the command holds control characters", "for keys: terma session send")


def encode(kind: Kind, text: str) -> list[bytes]:
    """What to type for `text`: at once, or one line at each prompt."""
    text = text.replace("\r\n", "\n").rstrip("\n")
    if kind.pastes:
        return [f"{_PASTE}{text}{_PASTE_END}\r".encode(*_BYTES)]
    if kind.name == "python":
        from terma.sessions.python_lines import typed

        text = typed(text)
    return [f"{line}\r".encode(*_BYTES) for line in text.split("\n")]


END = " _terma_session_end\r"


def marking(kind: Kind, text: str) -> str:
    """`text`, with lines around it that print the marks where the prompt does not, or with one behind it that sets
    them again where it may take them away (`source ~/.bashrc`). The status goes through these lines."""
    if kind.asks:
        return f" _terma_session_begin\n{text}\n{END.rstrip()}"
    if kind not in (ZSH, BASH) or text.endswith("\\") or not _MAY_UNMARK.search(text):
        return text
    return f"{text}\n _terma_session_keep"


def as_typed(text: str, paste: bool) -> bytes:
    """`text` as a person would enter it: Enter is CR, several lines as one bracketed paste where that is understood."""
    body = text.replace("\r\n", "\n")
    if paste and "\n" in body.rstrip("\n"):
        return f"{_PASTE}{body.rstrip(chr(10))}{_PASTE_END}".encode(*_BYTES) + (
            b"\r" if body.endswith("\n") else b""
        )
    return body.replace("\n", "\r").encode(*_BYTES)


def own_shell(environment: Mapping[str, str]) -> str:
    """$SHELL, else the shell of the account, else sh."""
    import pwd

    try:
        account = pwd.getpwuid(os.geteuid()).pw_shell
    except KeyError:
        account = ""
    for path in (environment.get("SHELL", ""), account):
        if path.startswith("/") and os.access(path, os.X_OK):
            return path
    return "/bin/sh"
