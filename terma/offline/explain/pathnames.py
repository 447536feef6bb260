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


def is_of_files(case: Case, path: str) -> bool:
    """Whether `path` names a file: it looks like one, it was typed, or what speaks of it works on files. Of "failed to
    start tool 'memchek': No such file" that is not known: a program calls much by a bare name that it looks for."""
    if re.search(r"[/.~*?\[]", path) or any(
        path in word.value for word in case.words if not word.value.startswith("-")
    ):
        return True
    said = re.search(rf"(?m)^(?:\S*/)?([\w.+-]+): [^\n]*{re.escape(path)}", case.output)
    return said is None or said[1] in LOCAL or said[1].endswith("sh")
