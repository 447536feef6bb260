"""What a model must know of where a person stands to write a command that works there: files, tools, old commands.

Each list is bounded, and the nearest to the sentence come first: a prompt has little room, and what is not sent
cannot leak.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from heapq import nlargest
from itertools import islice

from terma.context.own import is_ours

MAX_ENTRIES = 3_000  # of a directory that are looked at
MAX_FILES = 40
MAX_COMMANDS = 5
MAX_LATEST = 10
MAX_COMMAND = 200  # code points
# Programs that change what a good command is, where they are there; the ordinary ones need no mention.
TELLING = (
    "apt brew dnf pacman zypper apk nix snap flatpak port systemctl launchctl rc-service journalctl eza exa "
    "lsd fd fdfind rg ag bat batcat delta fzf jq yq xh http dust duf ncdu btop htop procs sd zoxide tldr "
    "parallel git gh glab hub svn hg docker podman nerdctl kubectl helm terraform ansible vagrant aws gcloud "
    "az python3 python pip pipx uv poetry conda node npm pnpm yarn bun deno cargo go ruby gem php composer "
    "java mvn gradle make cmake ninja just gcc clang psql mysql sqlite3 redis-cli mongosh ffmpeg convert "
    "magick pdftotext pandoc rsync rclone scp sftp curl wget aria2c nc ncat socat nmap ss netstat ip ifconfig "
    "dig tmux screen xclip xsel wl-copy pbcopy 7z zip unzip unrar zstd xz pigz trash trash-put gio sudo doas "
    "code vim nvim emacs nano"
).split()
_WORD = re.compile(r"[^\W_]{2,}")


def words_of(text: str) -> frozenset[str]:
    """The words of a text, lower case, without an English plural's s: `Photos` and `photo.jpg` share one."""
    return frozenset(
        word[:-1] if len(word) > 3 and word.endswith("s") else word for word in _WORD.findall(text.lower())
    )


def files(cwd: str, sentence: str, limit: int = MAX_FILES) -> tuple[str, ...]:
    """Names in `cwd` ("name/" for a directory), those that share words with the sentence first, then the newest.

    () where it cannot be read. Hidden files only when the sentence names one."""
    wanted, said = words_of(sentence), frozenset(sentence.split())
    found: list[tuple[float, float, str]] = []
    try:
        with os.scandir(cwd) as entries:
            for entry in islice(entries, MAX_ENTRIES):
                near = _near(entry.name, wanted, said)
                if entry.name.startswith(".") and not near:
                    continue
                try:
                    name = f"{entry.name}/" if entry.is_dir() else entry.name
                    age = entry.stat(follow_symlinks=False).st_mtime
                except OSError:
                    name, age = entry.name, 0.0
                found.append((near, age, name))
    except OSError:
        return ()
    return tuple(name for _, _, name in nlargest(limit, found))


def _near(name: str, wanted: frozenset[str], said: frozenset[str]) -> float:
    if name in said:
        return 10.0
    low = name.lower()
    if not any(
        word in low for word in wanted
    ):  # most names share nothing, and this tells it ten times sooner
        return 0.0
    return float(len(words_of(name) & wanted))


@lru_cache(maxsize=8)
def tools(path: str) -> tuple[str, ...]:
    """Which of the telling programs are on the PATH `path`."""
    there: set[str] = set()
    for directory in dict.fromkeys(path.split(os.pathsep)):
        if directory.startswith("/"):
            try:
                there.update(os.listdir(directory))  # noqa: PTH208 names alone, thousands of them
            except OSError:
                continue
    return tuple(name for name in TELLING if name in there)


def near_commands(
    past: Sequence[str], sentence: str, limit: int = MAX_COMMANDS, is_secret: Iterable[str] = ()
) -> tuple[str, ...]:
    """Of a person's own commands (the newest last) those that share most words with the sentence, best first."""
    wanted = words_of(sentence)
    secret = frozenset(is_secret)
    scored = [
        (len(shared), number, command)
        for number, command in enumerate(past)
        if len(command) <= MAX_COMMAND
        and command not in secret
        and not is_ours(command)
        and "\n" not in command
        and (shared := words_of(command) & wanted)
    ]
    return tuple(command for _, _, command in nlargest(limit, scored))


def latest(past: Sequence[str], limit: int = MAX_LATEST) -> tuple[str, ...]:
    """The last of a person's own commands, the oldest first; what they asked of terma is none of them."""
    fit = [command for command in past if len(command) <= MAX_COMMAND and "\n" not in command]
    return tuple(command for command in fit[-4 * limit :] if not is_ours(command))[-limit:]
