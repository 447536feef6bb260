"""The options of one command, held against what its program is known to take."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from terma.grounding.budget import Budget
from terma.machine.completions import mentions
from terma.machine.helps import SUBCOMMANDS
from terma.machine.notation import Options
from terma.risk.model import Call

_LONG = re.compile(r"--[A-Za-z0-9][\w.-]*")
_SCRIPT_FOLLOWS = re.compile(r"-[a-zA-Z]*[cme]|--(?:eval|command|module)")
_PREDICATE = re.compile(r"--?[a-z]{3,}[\w-]*")
_PREDICATES_WITH_VALUE = frozenset(
    "-amin -anewer -atime -cmin -cnewer -ctime -fstype -gid -group -ilname -iname -inum -ipath -iregex"
    " -iwholename -links -lname -maxdepth -mindepth -mmin -mtime -name -path -perm -printf -fprint"
    " -fprint0 -fls -regex -regextype -samefile -size -type -uid -used -user -wholename -xtype -context"
    " -fprintf -D".split()
)
MIN_PREDICATES = 30  # fewer: not all of find's tests were found
MAX_SUBCOMMANDS = 3
# The first operand of these is a command or a script, and what follows is its own.
_STOPS = frozenset(
    "python python2 python3 pypy3 node deno bun ruby perl php lua Rscript julia bash sh zsh dash ksh"
    " fish ssh npx uvx pipx bunx go gdb perf script expect tclsh racket ghci ipython scala kotlin dotnet"
    " mosh systemd-run bwrap".split()
)  # fmt: skip
_STOPS_OF = frozenset(
    ("docker", sub) for sub in ("run", "exec", "create")
) | {("podman", "run"), ("podman", "exec"), ("kubectl", "exec"), ("kubectl", "run"), ("uv", "run"), ("npm", "exec"),
     ("npm", "run"), ("npm", "x"), ("poetry", "run"), ("conda", "run"), ("git", "submodule"), ("cargo", "run"),
     ("docker", "compose", "run"), ("docker", "compose", "exec"), ("uv", "tool"), ("git", "bisect")}  # fmt: skip
# Everything that they take is told in one place, whatever the subcommand.
_FLAT = frozenset(
    "systemctl loginctl timedatectl hostnamectl localectl networkctl resolvectl machinectl busctl apt"
    " apt-get apt-cache dpkg journalctl tar rsync make grep find sed".split()
)
_ONE_LEVEL = frozenset("git npm cargo pip pip3".split())
# What they take depends on plug-ins, a grammar of their own, or words of one dash.
_UNTOLD = frozenset(
    "java node npm pnpm yarn openssl gcc g++ cc c++ clang clang++ ld javac ffmpeg ffplay ffprobe convert"
    " magick mogrify identify montage terraform tofu vault consul packer nomad pytest tox nox invoke fab"
    " rake bundle rails gradle mvn ant sbt bazel composer artisan iptables ip6tables nft tc ip test expr"
    " echo printf aws gcloud az gsutil ansible ansible-playbook vim nvim emacs x264 mencoder mpv mplayer"
    " vlc qemu-system-x86_64 qemu-img busybox toybox eslint prettier jest webpack vite tsc ng vue"
    " react-scripts chromium google-chrome firefox code electron make-kpkg configure dotnet msbuild".split()
)
# Their letters are read in another way, or told in part.
_ODD_LETTERS = frozenset(
    "kill pkill chmod ps top unzip zip dd more less nc ssh vim perl awk gawk tmux screen set strace"
    " objdump readelf nm zgrep gpg cpio man node gdb npm mount umount".split()
)
_NEGATES = frozenset(
    "git rsync curl wget hg systemctl journalctl loginctl".split()
)  # any of theirs may be led by no-
# getopt_long takes the beginning of a long option; these parsers do not.
_NO_BEGINNINGS = frozenset(
    "docker podman kubectl rsync helm cargo uv rg fd bat npm jq gh".split()
    + [f"git {sub}" for sub in ("log", "show", "rev-list", "shortlog", "whatchanged")]
)


def unknown_options(call: Call, file: str, budget: Budget) -> Iterator[str]:
    """`ls has no option --newest`, for each option that the program at `file` is known not to take."""
    if call.name in _UNTOLD:
        return
    if call.name in ("find", "gfind"):
        yield from _unknown_predicates(call, budget.options(call.name, file) or Options())
        return
    said, sub, known = _walk(call, file, budget)
    title = " ".join((call.name, *sub))
    wrong = [text for text in said if known and _wrong(text, known, title)]
    if known and wrong and sub:  # the program's own may stand anywhere
        base = budget.options(call.name, file)
        known = replace(known | base, sure=known.sure) if base else None  # not known here: nothing is said
    for text in wrong:
        option = _wrong(text, known, title) if known else ""
        if option and known and (known.sure or not mentions(call.name, sub, option)):
            yield f"{title} has no option {option}"


def options_are_told(call: Call, file: str, budget: Budget) -> bool:
    """Whether an option that `call` has and its program does not would be found by `unknown_options`."""
    if call.name in _UNTOLD:
        return False
    if call.name in ("find", "gfind"):
        known = budget.options(call.name, file)
        return known is not None and len(known.dashed) >= MIN_PREDICATES
    _, _, known = _walk(call, file, budget)
    return known is not None


def _walk(call: Call, file: str, budget: Budget) -> tuple[list[str], tuple[str, ...], Options | None]:
    """The options that are the program's own, as written; its subcommand; and what that takes, None when unknown."""
    said: list[str] = []
    sub: tuple[str, ...] = ()
    known: Options | None = None
    if call.args and call.args[0].text in SUBCOMMANDS.get(call.name, ("", ()))[1]:
        known = Options(commands=True)  # as everybody knows: the program itself need not be looked at
    words = iter(call.args)
    for word in words:
        if word.text == "--":
            break
        known = known or budget.options(call.name, file)
        if known is None:
            break
        if word.text.startswith("-") and len(word.text) > 1:
            if not word.dynamic:
                said.append(word.text)
            if call.name in _STOPS and _SCRIPT_FOLLOWS.fullmatch(word.text):
                break
            if wants_next(word.text, known):
                next(words, None)
        elif call.name in _STOPS or (call.name, *sub) in _STOPS_OF:
            break
        elif _has_level(call.name, sub, known):
            unknown = word.dynamic or len(sub) == MAX_SUBCOMMANDS
            child = None if unknown else budget.options(call.name, file, (*sub, word.text))
            if child is None:
                break
            sub = (*sub, word.text)
            known = replace(known | child, commands=child.commands, sure=child.sure)
    return said, sub, known


def _has_level(name: str, sub: tuple[str, ...], known: Options) -> bool:
    if not known.commands or name in _FLAT:
        return False
    return not sub or name not in _ONE_LEVEL


def wants_next(text: str, known: Options) -> bool:
    """Whether the next word is this option's value."""
    if text in known.takes:
        return True
    if text.startswith("--") or text in known.dashed:
        return False
    for at, letter in enumerate(text[1:], 2):
        if f"-{letter}" in known.takes:
            return at == len(text)
    return False


def _wrong(text: str, known: Options, title: str) -> str:
    """The part of `text` that is no option of `title`, "" when it is one or cannot be told."""
    flag = text.partition("=")[0]
    if text.startswith("--"):
        return flag if _LONG.fullmatch(flag) and not _is_long(flag, known, title) else ""
    if not known.sure or flag in known.dashed or title.partition(" ")[0] in _ODD_LETTERS:
        return ""
    for letter in text[1:]:
        if letter.isdigit() or not letter.isalnum():
            return ""
        if letter not in known.letters:
            return f"-{letter}"
        if f"-{letter}" in known.takes | known.joins:
            return ""
    return ""


def _is_long(flag: str, known: Options, title: str) -> bool:
    name = title.partition(" ")[0]
    if flag in known.long or flag in ("--help", "--version"):
        return True
    if name in _NEGATES and flag.startswith("--no-") and f"--{flag[5:]}" in known.long:
        return True
    if name == "git" and f"--no-{flag[2:]}" in known.long:
        return True
    begun = {option.replace("colour", "color") for option in known.long if option.startswith(flag)}
    if name in _NO_BEGINNINGS or title in _NO_BEGINNINGS:
        return False
    return len(begun) == 1 or (len(begun) > 1 and not known.sure)


def _unknown_predicates(call: Call, known: Options) -> Iterator[str]:
    if len(known.dashed) < MIN_PREDICATES:
        return
    words = iter(call.args)
    for word in words:
        flag = word.text
        if flag in _PREDICATES_WITH_VALUE or flag.startswith("-newer"):
            next(words, None)
        elif _PREDICATE.fullmatch(flag) and flag not in known.dashed | known.long and not word.dynamic:
            yield f"find has no test {flag}"
