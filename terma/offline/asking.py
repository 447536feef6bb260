"""A question is answered by looking: whether a sentence is one, and whether a command changes anything."""

from __future__ import annotations

import re
from functools import lru_cache

from terma.offline.sentence import Sentence

_OPENS = frozenset(
    "is are was were am does did has have what whats what's which who whos who's whose where wheres where's when why "
    "whens any isn't aren't doesn't isnt".split()
)
_HOW = frozenset(
    "many much long big large old often far fast full busy hot deep wide heavy high small new slow often's".split()
)
_AUXILIARY = frozenset("i we you they any the this that these those my it".split())
_ASKS_HOW = frozenset("command commands type way tool program syntax run do".split())
_POLITE = frozenset("please hey hi hello ok okay so tell me show us let know and check see find out".split())
_ORDERS = frozenset(
    "delete remove kill stop start restart move copy save write replace change rename add install create compress "
    "extract commit push restore open close put set store run reload disable enable sort".split()
)
_START = r"(?:^|[|;&(`]\s*|\$\(\s*|\b(?:sudo|exec|do|then|xargs(?:\s+-\S+)*(?:\s+\d+)?)\s+)"
_CHANGING = (
    "rm rmdir mv cp ln mkdir touch chmod chown chgrp truncate shred dd mkfs\\S* fdisk parted wipefs install rsync scp "
    "sftp patch tee kill pkill killall renice useradd userdel usermod groupadd groupdel gpasswd passwd adduser deluser "
    "chsh chfn mount umount swapoff fusermount shutdown reboot poweroff halt bg disown nohup unzip gzip gunzip bzip2 "
    "bunzip2 xz unxz zstd 7z cpio zip mogrify convert magick ssh-keygen ssh-copy-id ssh-add wget export unset source "
    "chattr setfacl chroot insmod rmmod modprobe loginctl nft iptables dos2unix unix2dos rename split csplit "
    "visudo vipw at batch cryptsetup lvextend resize2fs losetup setcap xdg-open sendmail mail history\\s+-[cd]"
)
_CHANGES = re.compile(
    _START
    + "(?:"
    + "|".join(_CHANGING.split(" ")).replace("history\\s+-[cd]", r"history\s+-[cd]")
    + r")(?=\s|$)"
    r"|(?<![<0-9&=-])>>?\s*(?!/dev/(?:null|stderr|stdout|tty))[\w./~\"'${]"
    r"|\s-delete\b|\bsort\s+(?:-\S+\s+)*-o\b|\b(?:sed|perl)\s+(?:-\S+\s+)*-\w*i\b|\bnc\s+-\w*l|\bfuser\s+-\w*k"
    r"|\bsystemctl\s+(?:--\S+\s+)*(?:start|stop|restart|reload|enable|disable|mask|unmask|kill|edit|set|isolate|"
    r"daemon-reload|reboot|poweroff|suspend|hibernate)"
    r"|\bservice\s+\S+\s+(?:start|stop|restart|reload)|\b(?:hostname|timedate|locale)ctl\s+set"
    r"|\bgit\s+(?:-\S+\s+)*(?:add|commit|push|pull|merge|rebase|reset|checkout|switch|restore|rm|mv|clean|cherry-pick|"
    r"revert|clone|init|apply|am|gc|stash(?!\s+(?:list|show))|tag\s+-?[ad\w]|branch\s+-[dDmMc]|branch\s+(?!-)\w|"
    r"remote\s+(?:add|remove|rm|rename|set-url|prune)|config\s+(?!.*(?:--get|--list|-l\b))\S+\s+\S+\s+\S)"
    r"|\b(?:docker|podman)(?:\s+(?:container|image|volume|network|compose|system))?\s+(?:run|start|stop|restart|rm|rmi|"
    r"kill|pause|unpause|prune|build|pull|push|create|up|down|exec|rename|tag|commit|cp|update|connect|disconnect)\b"
    r"|\bkubectl\s+(?:\S+\s+)*?(?:apply|create|delete|scale|edit|set|drain|cordon|patch|run|exec|expose|label|cp)\b"
    r"|\bhelm\s+(?:install|upgrade|uninstall|rollback)|\bterraform\s+(?:apply|destroy)"
    r"|\b(?:apt|apt-get|dnf|yum|brew|snap|pip3?|pipx|npm|yarn|cargo|gem|pacman|flatpak)\s+(?:-\S+\s+)*(?:install|remove|"
    r"purge|upgrade|update|uninstall|add|-S|-R|autoremove|full-upgrade|reinstall|ci|clean|autoclean|run|publish)\b"
    r"|\btar\s+-?\w*[cx]\w*f?|\bcrontab\s+(?:-r|-e|-\s*$)|\|\s*crontab\b|\bufw\s+(?!status|show)\w+|\bcurl\s+.*-[oOXdT]\b"
    r"|\bip\s+(?:link|addr|route|a|r)\s+(?:add|del|set|flush)|\bsysctl\s+-w|\bdmesg\s+-\w*[cC]|\bffmpeg\b(?!.*-f null)"
    r"|\baws\s+s3\s+(?:cp|mb|rm|rb|sync|mv)|\bopenssl\b.*\s-out\b|\bgpg\s+(?:-c|-e|-d|--import|--delete|--sign|-s)"
    r"|\btmux\s+(?:kill|new|rename)|\bhttp\.server\b|\bmake\b(?!.*\s-n)|\bselect-editor\b|\bjournalctl\s+--vacuum"
)
_COMPARISON = re.compile(
    r"(?<=awk )(?:-\S+ )*'[^']*'|\(\(.*?\)\)|-gt|'[^']*'|\"[^\"]*\""
)  # a `>` in quotes writes nothing


@lru_cache(maxsize=8)
def is_question(sentence: Sentence) -> bool:
    """Whether the sentence asks for facts. "How do I …", "can you …" and "what command …" ask for a command."""
    words = [token.text.lower().replace("’", "'") for token in sentence.tokens]
    while words and words[0] in _POLITE:
        if words[0] in ("see", "check", "find", "show", "tell") and words[1:2] not in (
            ["if"],
            ["whether"],
            ["me"],
        ):
            if words[1:2] and words[1] in _OPENS | {"how", "out"}:
                words = words[1:]
                continue
            return False
        words = words[1:]
    if not words:
        return False
    first, rest = words[0], words[1:]
    asks = (
        first in _OPENS
        or first in ("if", "whether")
        or (first == "how" and bool(rest) and rest[0] in _HOW)
        or (
            first in ("do", "can", "should")
            and bool(rest)
            and rest[0] in _AUXILIARY - {"you"}
            and first == "do"
        )
    )
    if not asks or (first in ("what", "which", "whats", "what's") and _ASKS_HOW & set(rest[:5]) & _SHAPES):
        return False
    return not _orders_later(sentence)


_SHAPES = frozenset(("command", "commands", "type", "way", "tool", "syntax"))


def _orders_later(sentence: Sentence) -> bool:
    """`which process uses port 80 and kill it`."""
    tokens = sentence.tokens
    return any(
        tokens[i].text.lower() in _ORDERS and tokens[i - 1].text.lower() in ("and", "then")
        for i in range(2, len(tokens))
    )


@lru_cache(maxsize=256)
def changes(command: str) -> bool:
    """Whether a command writes, starts, stops or moves anything, as far as its words say."""
    if _CHANGES.search(_COMPARISON.sub("''", command)):
        return True
    return bool(
        re.search(
            _START + r"sh\s+-c|\bfind\b.*-(?:exec|ok)\S*\s+(?:rm|mv|cp|chmod|chown|sed -i|gzip)", command
        )
    )
