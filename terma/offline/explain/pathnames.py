"""Whether what an output names is a file, and one that can be looked at from here."""

from __future__ import annotations

import re

from terma.offline.explain.case import Case
from terma.offline.explain.unmade import goes_elsewhere

# What works on this machine's own files and services, where root could do what this user may not.
LOCAL = frozenset(
    "cat cp mv rm mkdir rmdir touch ln ls cd pushd head tail less more tee install chmod chown chgrp stat du find grep sed awk sort"
    " wc tar zip unzip gzip gunzip xz dd truncate split vi vim nano emacs diff cmp file rsync curl wget systemctl service"
    " mount umount dmesg journalctl ss lsof kill pkill killall renice crontab apt apt-get dpkg dnf yum pacman snap ip"
    " iptables nft tcpdump nmcli hostnamectl timedatectl useradd usermod passwd ping make python python3 bash sh zsh source . echo"
    " printf nginx apachectl tree git readlink test mknod mkfifo setfacl chattr lsblk fdisk sysctl modprobe reboot".split()
)


def is_from_elsewhere(case: Case, path: str) -> bool:
    """Whether a script that changed its folder speaks of a path that nobody typed: a look from here tells nothing."""
    first = path.partition("/")[0] or "/"
    typed = any(first in word.value for word in case.words[1:])
    return not path.startswith(("/", "~")) and not typed and goes_elsewhere(case)


# What takes the numbers of processes, and no names of files.
_OF_PROCESSES = frozenset(
    "kill pkill killall renice strace gdb ltrace taskset chrt ionice prlimit reptyr wait".split()
)


# The frames of Python's own that start another program.
_STARTS = re.compile(
    r"in (?:_execute_child|_posix_spawn|_spawnvef|_?execvpe?)\b|os\.(?:exec[lv]\w*|posix_spawnp?)\("
)


def starts_program(case: Case) -> bool:
    """Whether a Python program was stopped as it started another one: what it names is a program then, and no file."""
    return bool(_STARTS.search(case.output))


def is_path(case: Case, name: str) -> bool:
    """Whether `name` is the path of something that is there or was to be: not a process, nor what a program calls its
    step ("Cannot open")."""
    if not name or (name.isdigit() and case.program in _OF_PROCESSES):
        return False
    return case.exists(name) or "/" in name or any(name == word.value for word in case.words)


# What stands before a colon where a name might, and is none.
_LABELS = frozenset("error fatal warning failed failure exception abort panic info note".split())


def subject(case: Case, told: str, line: str) -> str:
    """The path that `line` complains of, where a pattern took `told` for it: that itself, else the word of the command
    or the path in the line; "" where it names none. Who speaks, a label, and what a program calls its step are none."""
    if _is_a_name(case, told, line):
        return told
    last = told.rpartition(" ")[2]
    if last != told and (
        case.exists(last) or _lies_in_one(case, last) or any(last == word.value for word in case.words)
    ):
        return last
    typed = [word.value for word in case.words[1:] if len(word.value) > 1 and not word.value.startswith("-")]
    said = [value for value in typed if re.search(rf"(?<![\w./-]){re.escape(value)}(?![\w/-]|\.\w)", line)]
    paths = re.findall(r"(?<=[\s'\"‘“`(:])(?:~|\.{0,2})/[^\s:'\"‘’“”`,;)]+", line)
    found = list(dict.fromkeys(said or paths))
    return found[0] if len(found) == 1 else ""


def _lies_in_one(case: Case, name: str) -> bool:
    """Whether `name` is a path into a folder that is here."""
    folder = name.rpartition("/")[0]
    return bool(folder) and case.is_dir(folder)


def _is_a_name(case: Case, told: str, line: str) -> bool:
    if any(told in (word.value, word.value.rstrip("/")) for word in case.words[1:]):
        return True
    bare = told.strip(" *").lower()
    speaks = re.match(rf"{re.escape(told)}(?:\[\d+\])?: ", line.lstrip()) or told == case.program
    if speaks or bare in _LABELS or bare.isdigit():
        return False
    quoted = re.search(rf"[‘'`\"“]{re.escape(told)}[’'\"”]", line)
    return bool(quoted) or case.exists(told) or not re.search(r"\s", told)


def is_of_files(case: Case, path: str) -> bool:
    """Whether `path` names a file: it looks like one, it was typed, or what speaks of it works on files. Of "failed to
    start tool 'memchek': No such file" that is not known: a program calls much by a bare name that it looks for."""
    if re.search(r"[/.~*?\[]", path) or any(
        path in word.value for word in case.words if not word.value.startswith("-")
    ):
        return True
    said = re.search(rf"(?m)^(?:\S*/)?([\w.+-]+): [^\n]*{re.escape(path)}", case.output)
    return said is None or said[1] in LOCAL or said[1].endswith("sh")
