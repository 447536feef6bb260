"""What a sentence demands of any command, whoever wrote it: a last look before an answer is shown.

Rules and knowledge account for words as they see them; this holds the finished command against the words that
change what is done ("and follow", "every 5 seconds", "50%", "in place"), and against what must never be done."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise

from terma.offline.meant import MEANT, is_talk
from terma.offline.sentence import Sentence, Token

UNMET = 0.5  # below the floor, whatever else speaks for it
_DISK = r"/dev/(?:sd|nvme|hd[a-z]|vd|xvd|mmcblk|loop|disk|md|dm-|mapper|sr\d|cdrom|usb)"
_WRITES_DISK = re.compile(rf"(?:>|\btee\b[^|;&]*|\b(?:cp|mv|rsync|scp|truncate|ln)\b[^|;&]*)\s*{_DISK}")
_ON_DISK = re.compile(rf"(?<![=\w]){_DISK}")
_DISK_TOOL = re.compile(
    r"\b(?:dd|mkfs\S*|mkswap|mount|umount|f?s?g?disk|cfdisk|sgdisk|parted|partprobe|lsblk|blkid|fsck\S*|e2\w+|smartctl|"
    r"hdparm|cryptsetup|wipefs|shred|badblocks|eject|findmnt|df|file|stat|ls|tune2fs|resize2fs|udisksctl|diskutil|"
    r"swapon|swapoff|cat|head|xxd|hexdump|od|lsof|fuser|losetup|pv\w*|vg\w*|lv\w*|zpool|mdadm|grub-install|btrfs|"
    r"ddrescue|sha\d+sum|md5sum|udevadm|nvme|ntfs\w*|xfs_\w+|dumpe2fs|growpart|test|exfat\w*|mlabel|fatlabel|blockdev)\b"
)
_BINARY = re.compile(
    r"\.(?:jpe?g|png|gif|bmp|webp|tiff?|heic|mp[34]|mkv|avi|mov|webm|wav|flac|ogg|m4a|wmv|flv|pdf|docx|xlsx|odt|"
    r"zip|7z|rar|t?gz|tar|iso|sqlite|db)\Z",
    re.I,
)
_TEXT_TOOL = re.compile(
    r"(?:sed|awk|grep|cat|less|more|sort|uniq|cut|tr|nl|tac|rev|fold|head|tail -n|wc -[lw]|wc|iconv|vim?|nano|column|"
    r"comm|paste|join|shuf|diff|sdiff|source|fmt|expand|dos2unix|unix2dos|jq|sqlite3|patch|psql|time|pr)\s"
)
_REPEATS = re.compile(
    r"\b(?:watch|while|until|for|cron|crontab|sleep|timer|at|vmstat|mpstat|iostat|sar|pidstat|top|ping|inotifywait)\b"
    r"|\s-(?:i|s|d|n) ?\d|--(?:interval|delay)|\*/|\* \*|@(?:daily|hourly|weekly|monthly|reboot)|\bsplit\b|segment"
    r"|\bawk\b|\bsed\b|ServerAlive|fps|NR ?%"
)
_WORDS: dict[str, str] = {
    "follow": r"\s-\w*[fF]\b|--follow|\bwatch\b|follow|-L\b|\+F|-w\b",
    "background": r"&\s*\)?\s*$|& |\bbg\b|\bnohup\b|\s-\w*[db]\w*\b|--detach|setsid|disown|screen|tmux|background",
    "recursive": r"\s-\w*[rRa]\w*\b|\bfind\b|\*\*|recurs|\btree\b|\bdu\b|\btar\b|\brg\b|-prune|clone|submodule|wget",
    "inplace": r"\s-\w*i\w*\b|\s-o\b|in-place|\bmv\b|sponge|>|dos2unix|unix2dos|mogrify|\bedit\b|black|prettier"
    r"|-overwrite|shfmt|gofmt|-w\b",
    "sorted": r"sort|\bls\b|order|\btop\b|\s-\w*[kStr]\b|history|max|\bps\b|asort|\bcomm\b|\bgit\b|last",
    "shuffled": r"shuf|sort -R|rand",
    "numbered": r"\bnl\b|cat -\w*n|grep -\w*n|NR|\b=\b|rename|-n\b|%0?\d?d|less -N|enumerate|history|\$i|\(\(",
}
_COMPILED = {word: re.compile(pattern) for word, pattern in _WORDS.items()}
_FORMS = {
    "following": "follow", "follow": "follow", "background": "background", "recursively": "recursive",
    "recursive": "recursive", "inplace": "inplace", "in-place": "inplace", "sorted": "sorted", "shuffled": "shuffled",
    "numbered": "numbered",
}  # fmt: skip
_ROOT = re.compile(r"\bsudo\b|\bsu\b|\bdoas\b|\broot\b|-u 0\b|pkexec")
_IGNORES_CASE = re.compile(
    r"\s-\w*i\w*\b|/\w*[iI]\w*(?:['\" ;]|$)|iname|ipath|iregex|tolower|toupper|ignore-?case|nocase|\s-\w*f\w*\b|\btr\b"
)


def met(sentence: Sentence, command: str) -> float:
    """A factor: 1 when the command does what the sentence's words demand, 0 when it must not be offered at all."""
    if _ON_DISK.search(command) and not _DISK_TOOL.search(command):
        return 0.0
    if _WRITES_DISK.search(command):
        return 0.0  # only a program that is made for disks writes to one
    if is_talk(sentence):
        return UNMET
    if any(not check(sentence.tokens, command) for check in _CHECKS):
        return UNMET
    return _suited(sentence.tokens, command)


def _words(tokens: tuple[Token, ...], command: str) -> bool:
    for i, token in enumerate(tokens):
        if token.kind != "word":
            continue
        word = _FORMS.get(token.text.lower())
        if word == "background" and not {"in", "into"} & {
            other.text.lower() for other in tokens[max(0, i - 2) : i]
        }:
            continue
        if word is None or (word == "follow" and _is_adjective(tokens, i)):
            continue
        if not _COMPILED[word].search(command) and token.text not in command:
            return False
    return True


def _is_adjective(tokens: tuple[Token, ...], i: int) -> bool:
    """`the following lines`, `in the following way`."""
    return tokens[i].text.lower() == "following" and i > 0 and tokens[i - 1].text.lower() in ("the", "in")


def _repeated(tokens: tuple[Token, ...], command: str) -> bool:
    """`every 5 seconds`, `each night`."""
    for here, after in pairwise(tokens):
        if here.text.lower() in ("every", "each") and (
            after.kind == "duration"
            or after.norm in ("minute", "hour", "day", "night", "week", "month", "morning")
        ):
            return bool(_REPEATS.search(command))
    return True


def _in_place(tokens: tuple[Token, ...], command: str) -> bool:
    texts = [token.text.lower() for token in tokens]
    stands = any(pair == ("in", "place") for pair in pairwise(texts))
    return not stands or bool(_COMPILED["inplace"].search(command))


def _as_root(tokens: tuple[Token, ...], command: str) -> bool:
    texts = [token.text.lower() for token in tokens]
    stands = any(
        one in ("as", "with") and other in ("root", "sudo", "superuser") for one, other in pairwise(texts)
    )
    return not stands or bool(_ROOT.search(command))


def _case(tokens: tuple[Token, ...], command: str) -> bool:
    texts = {token.text.lower() for token in tokens}
    said = texts & {"case-insensitive", "case-insensitively", "insensitive", "insensitively"} or (
        "case" in texts and texts & {"ignore", "ignoring", "regardless"}
    )
    return not said or bool(_IGNORES_CASE.search(command))


def _numbers(tokens: tuple[Token, ...], command: str) -> bool:
    """A number that was said stands in the command, or the one beside it ("skip the first 3" starts at 4)."""
    for i, token in enumerate(tokens):
        if token.kind == "number" and token.text.endswith("%"):
            if token.text not in command and not _fraction(token.value, command):
                return False
            continue
        if token.kind != "number" or not token.value.isdigit() or not any(c.isdigit() for c in token.text):
            continue
        value = int(token.value)
        if value < 2 or (i + 1 < len(tokens) and tokens[i + 1].kind == "duration"):
            continue
        near = (value, value - 1, value + 1, value * 60, value * 7, value * 24)
        if token.value not in command and not any(str(other) in command for other in near):
            return False
    return True


def _fraction(value: str, command: str) -> bool:
    """`50%` may be written 0.5 or, where the tool counts so, 50."""
    try:
        share = float(value)
    except ValueError:
        return True
    return f"{share / 100:g}" in command or bool(
        re.search(rf"(?<![\dx]){re.escape(value)}(?![\dx])", command)
    )


_CHECKS: tuple[Callable[[tuple[Token, ...], str], bool], ...] = (
    _words, _repeated, _in_place, _as_root, _case, _numbers, *MEANT,
)  # fmt: skip


def _suited(tokens: tuple[Token, ...], command: str) -> float:
    """Less than 1 when a tool for lines of text is to work on pictures, films or archives."""
    files = [token.value for token in tokens if token.kind in ("file", "path")]
    if not files or not all(_BINARY.search(name) for name in files):
        return 1.0
    return 0.7 if _TEXT_TOOL.match(command) or (_PACKED.match(command) and _MEDIA.search(files[0])) else 1.0


_PACKED = re.compile(r"(?:gzip|zstd|bzip2|xz|cat)\s")
_MEDIA = re.compile(r"\.(?:jpe?g|png|gif|webp|mp[34]|mkv|avi|mov|webm|wav|flac|ogg|m4a|pdf)\Z", re.I)
