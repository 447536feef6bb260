"""Whether two commands are the same but for spelling: the judge of training labels and of every figure in the docs."""

from __future__ import annotations

import re
import shlex
from functools import lru_cache
from itertools import pairwise

# Options of these programs are words, not letters, or their order is meaning.
ORDERED = frozenset(
    "find java ffmpeg convert magick openssl tar ps test [ gcc go xargs mplayer ffprobe nmcli ip tc awk jq "
    "sqlite3".split()
)
# (program, spelled, the same as): long options and habits that say one thing.
_SAME = {
    "head": {"--lines": "-n", "--bytes": "-c"}, "tail": {"--lines": "-n", "--follow": "-f", "--bytes": "-c"},
    "ls": {"--all": "-a", "--recursive": "-R", "--human-readable": "-h", "--reverse": "-r", "--almost-all": "-A",
           "--sort=size": "-S", "--sort=time": "-t"},
    "grep": {"--recursive": "-r", "-R": "-r", "--ignore-case": "-i", "--line-number": "-n", "--count": "-c",
             "--invert-match": "-v", "--files-with-matches": "-l", "--word-regexp": "-w", "--extended-regexp": "-E",
             "--only-matching": "-o", "--fixed-strings": "-F", "--files-without-match": "-L"},
    "du": {"--summarize": "-s", "--human-readable": "-h", "--max-depth": "-d", "--one-file-system": "-x",
           "--all": "-a", "--total": "-c"},
    "df": {"--human-readable": "-h", "--inodes": "-i"},
    "cp": {"--recursive": "-r", "-R": "-r", "--no-clobber": "-n", "--archive": "-a", "--interactive": "-i"},
    "mv": {"--no-clobber": "-n", "--interactive": "-i"}, "rm": {"--recursive": "-r", "-R": "-r", "--force": "-f"},
    "mkdir": {"--parents": "-p"}, "chmod": {"--recursive": "-R"}, "chown": {"--recursive": "-R"},
    "sort": {"--unique": "-u", "--numeric-sort": "-n", "--reverse": "-r", "--key": "-k", "--field-separator": "-t",
             "--human-numeric-sort": "-h", "--ignore-case": "-f", "--output": "-o", "--version-sort": "-V"},
    "uniq": {"--count": "-c", "--repeated": "-d", "--unique": "-u"}, "wc": {"--lines": "-l", "--words": "-w",
             "--bytes": "-c", "--chars": "-m"},
    "cut": {"--delimiter": "-d", "--fields": "-f", "--characters": "-c"}, "sed": {"--in-place": "-i", "-r": "-E"},
    "npm": {"list": "ls", "--save-dev": "-D", "install": "i", "--global": "-g", "uninstall": "rm"},
    "git": {"--all": "-a", "--message": "-m", "--force": "-f", "--set-upstream": "-u", "switch": "checkout",
            "--short": "-s", "--delete": "-d", "--verbose": "-v"},
    "docker": {"--all": "-a", "--follow": "-f", "--detach": "-d", "--force": "-f", "--tail": "-n", "--volumes": "-v",
               "--interactive": "-i", "--tty": "-t", "--quiet": "-q", "--publish": "-p", "--env": "-e"},
    "kubectl": {"--namespace": "-n", "--all-namespaces": "-A", "--selector": "-l", "--filename": "-f", "--output": "-o",
                "--follow": "-f", "--previous": "-p", "po": "pods", "pod": "pods", "deploy": "deployment",
                "deployments": "deployment", "svc": "services", "service": "services", "node": "nodes",
                "ns": "namespaces",
                "--container": "-c"},
    "journalctl": {"--unit": "-u", "--follow": "-f", "--boot": "-b", "--dmesg": "-k", "--priority": "-p",
                   "--lines": "-n", "--reverse": "-r", "--since=today": "--since=today", "--user-unit": "--user -u"},
    "curl": {"--silent": "-s", "--head": "-I", "--location": "-L", "--output": "-o", "--remote-name": "-O",
             "--header": "-H", "--data": "-d", "--request": "-X", "--user": "-u", "--user-agent": "-A",
             "--insecure": "-k", "--verbose": "-v", "--include": "-i"},
    "rsync": {"--archive": "-a", "--verbose": "-v", "--compress": "-z", "--dry-run": "-n"},
    "make": {"--jobs": "-j", "--directory": "-C", "--dry-run": "-n"}, "pip": {"--requirement": "-r", "--dest": "-d"},
    "ssh": {}, "ss": {}, "diff": {"--unified": "-u",  "--recursive": "-r", "--brief": "-q"}, "tree": {}, "zip": {},
}  # fmt: skip
_PROGRAMS = {"egrep": ("grep", "-E"), "fgrep": ("grep", "-F"), "pip3": ("pip",), "python": ("python3",),
             "docker-compose": ("docker", "compose"), "nano": ("nano",), "vi": ("vim",), "gunzip": ("gzip", "-d"),
             "zcat": ("gzip", "-d", "-c")}  # fmt: skip
_GROUPS = {"docker": {"image", "container"}}
_HARMLESS = {"grep": {"-E", "-F", "--color", "--color=auto", "-H", "-n"}, "ls": {"-h", "-1", "-d"}, "diff": {"-u"},
    "id": {"-u"}, "ps": set(), "rm": {"-f", "-i", "-v"}, "mkdir": {"-p"},
             "cp": {"-v", "-i"}, "mv": {"-v", "-n", "-i"}, "git": {"--no-pager", "--oneline"}, "cut": set(),
             "tar": {"v"}, "rsync": {"-v", "--progress", "-P", "-h"}, "curl": {"-s", "-S", "-L", "-f"}, "wget": {"-q"},
             "df": {"-h", "-T"}, "du": {"-h"}, "dig": set(), "lsof": {"-n", "-P"}, "ss": {"-n", "-p"}, "free": {"-h"},
             "journalctl": {"--no-pager"}, "systemctl": {"--no-pager"}, "iptables": {"-n", "-v", "--line-numbers"},
             "ssh-keygen": set(), "npm": set(), "kubectl": set(), "scp": {"-p"},
             "unzip": {"-q"}, "zip": {"-q", "-r"}}  # fmt: skip


def _words(command: str) -> list[str]:
    try:
        lex = shlex.shlex(command, posix=True, punctuation_chars="|&;<>")
        lex.whitespace_split = True
        lex.commenters = ""
        return list(lex)
    except ValueError:
        return command.split()


@lru_cache(maxsize=65536)
def normal(command: str, loose: bool = True) -> tuple[object, ...]:
    """The pipeline as simple commands, each with its options sorted ahead of its operands. `loose` also maps aliases
    and drops options that only change how much is told."""
    if loose:
        command = _respelt(command)
        command = re.sub(r"\s*2>\s*/dev/null|\s*2>&1(?=\s*$)", "", command)
        command = re.sub(r"(?:^|(?<=[|;&]))\s*cat (\S+) \| (\w[\w-]* [^|;&<>]*)", r" \2 \1", command.strip())
        command = re.sub(r"^(\w[^|;&<>]*) < (\S+)", r"\1 \2", command.strip())
    parts: list[object] = []
    current: list[str] = []
    for word in [*_words(command.strip().rstrip(";")), "|"]:
        if word and set(word) <= set("|&;<>"):
            if current:
                parts.append(_simple(current, loose))
            parts.append(word)
            current = []
        else:
            current.append(word)
    return tuple(parts[:-1])


_SPELT = [
    (re.compile(pattern), text)
    for pattern, text in (
        (r"\s--(?=\s)", ""), (r"-perm\s+(?:-o=w|-o\+w|-0?002|-2|/o\+w|/o=w|-0?002)\b", "-perm -0002"),
        (r"-perm\s+(?:-u=s|-u\+s|-4000|/4000|/u\+s|/u=s)\b", "-perm -4000"),
        (r"-SIGKILL|-KILL|-s KILL|-s 9|-s SIGKILL", "-9"),
        (r"-SIGHUP|-HUP|-s HUP", "-1"), (r"\bshutdown -h\b", "shutdown"), (r"\btmux (new-session|new)\b", "tmux new"),
        (r"\btmux (attach-session|attach|a)\b", "tmux a"), (r"\btmux (list-sessions|ls)\b", "tmux ls"),
        (r"\btmux kill-session\b", "tmux kill-session"),
        (r"\b(get|describe|delete|logs|scale|rollout \w+|edit|restart) "
         r"(pod|deployment|deploy|svc|service|statefulset|sts|daemonset|node|job|ns"
            r"|namespace|cronjob|configmap|secret)s?/", r"\1 \2 "),
        (r"\bpython -m\b", "python3 -m"), (r"\bping -c \d+ ", "ping "), (r"^(curl[^|]*)https?://", r"\1"),
        (r"\bmysql -u root -p\b", "mysql"),
        (r"\bmysqldump -u root -p\b", "mysqldump"), (r"\bpsql -U postgres\b", "psql"), (r"\bjq -r\b", "jq"),
        (r"\bapt-get\b", "apt"),
        (r"-exec ([^;+]*?) \\;", r"-exec \1 +"), (r"\s\{\} \+", " {} +"),
        (r"\bsystemctl (\w[\w-]*) ([\w@-]+)\.service\b", r"systemctl \1 \2"),
        (r"-u ([\w@-]+)\.service\b", r"-u \1"), (r"\bpip3\b|\bpython3? -m pip\b", "pip"), (r"\bps -ef\b", "ps aux"),
        (r"\bls -1\b(?! ?\w)", "ls"),
        (r"-mtime 0\b|-daystart -mtime -1\b", "-mtime -1"), (r"\bgrep -R\b", "grep -r"), (r"\bhead -(\d+)\b",
        r"head -n \1"),
        (r"\btail -(\d+)\b", r"tail -n \1"), (r"\bgit -C \. ", "git "), (r"\bnode --version\b", "node -v"),
        (r"\bdig \+short (\S+) (\S+)$", r"dig \2 \1 +short"),
        (r"\bdig (\S+) \+short (\S+)$", r"dig \1 \2 +short"), (r"\bdig \+short (\S+)$", r"dig \1 +short"),
        (r"HEAD\^(?!\w)", "HEAD~1"), (r"HEAD~(?!\d)", "HEAD~1"),
        (r"\bhostname -I\b", "hostname -I"), (r"\bsort (?:-u|--unique) \| wc -l", "sort -u | wc -l"),
        (r"\bsort \| uniq \| wc -l", "sort -u | wc -l"),
        (r"sort -nr\b", "sort -rn"), (r"\bxargs -r\b", "xargs"), (r"\btail -F\b", "tail -f"),
        (r"\bssh-keygen -t ed25519 -C ed25519", "ssh-keygen -t ed25519 -C wrong"),
    )
]  # fmt: skip
_SCRIPTED = frozenset("awk gawk jq yq sed".split())


def _respelt(command: str) -> str:
    for pattern, text in _SPELT:
        command = pattern.sub(text, command)
    return command.strip()


def _simple(words: list[str], loose: bool) -> tuple[str, ...]:
    if words[0] == "sudo" and len(words) > 1:
        words = words[1:]
    if loose and words[0] in _PROGRAMS:
        words = [*_PROGRAMS[words[0]], *words[1:]]
    program = words[0]
    if loose and program in _SCRIPTED:
        words = [program, *(re.sub(r"\s+|;(?=\s*\})", "", word) for word in words[1:])]
    if loose and program == "find":
        words = [
            word
            for i, word in enumerate(words)
            if not (word == "f" and words[i - 1] == "-type")
            and not (word == "-type" and words[i + 1 : i + 2] == ["f"])
        ]
    if loose and program in _GROUPS and len(words) > 2 and words[1] in _GROUPS[program]:
        sub = {
            "ls": "ps" if words[1] == "container" else "images",
            "rm": "rm" if words[1] == "container" else "rmi",
        }
        words = [program, sub.get(words[2], words[2]), *words[3:]]
    if program in ORDERED:
        kept = [
            _path(word) if loose else word for word in _tar(words) if not loose or word not in ("-print", ".")
        ]
        return tuple(
            _tests_sorted(kept)
            if loose and program == "find" and not {"-o", "-exec", "-prune", "!", "-not"} & set(kept)
            else kept
        )
    same = _SAME.get(program, {}) if loose else {}
    options: list[str] = []
    rest: list[str] = []
    for word in (same.get(word, word) for word in words[1:]):
        name, equals, value = word.partition("=")
        if equals and name in same:
            options += [same[name], value]
            continue
        if word.startswith("--") and "=" in word:
            options += word.split("=", 1)
        elif loose and program in ("head", "tail") and re.fullmatch(r"-\d+", word):
            options += ["-n", word[1:]]
        elif loose and re.fullmatch(r"-[a-zA-Z]\d+", word):
            options += [same.get(word[:2], word[:2]), word[2:]]
        elif len(word) > 2 and word[0] == "-" and word[1] != "-" and word[1:].isalpha():
            options += [same.get("-" + letter, "-" + letter) for letter in word[1:]]
        elif word.startswith("-") and word != "-":
            options.append(word)
        else:
            rest.append(_path(word) if loose else word)
    if loose:
        quiet = _HARMLESS.get(program, set())
        values = [option for option in options if not option.startswith("-")]
        options = [option for option in options if option not in quiet and option not in values]
        rest = [
            *sorted([*values, *(word for word in rest if word.isdigit())]),
            *(w for w in rest if not w.isdigit()),
        ]
        rest = [word for word in rest if word != "."]
    return (program, *sorted(set(options) if loose else options), *rest)


def _tests_sorted(words: list[str]) -> list[str]:
    """find's tests in any order."""
    start = next((i for i, word in enumerate(words) if word[:1] == "-"), len(words))
    tests: list[tuple[str, ...]] = []
    for word in words[start:]:
        if word[:1] == "-" and not word[1:2].isdigit() and word not in ("-0002", "-4000"):
            tests.append((word,))
        elif tests:
            tests[-1] = (*tests[-1], word)
    return [*words[:start], *(word for test in sorted(tests) for word in test)]


def _tar(words: list[str]) -> list[str]:
    if words[0] == "tar" and len(words) > 1:
        flags = words[1].lstrip("-")
        if flags.isalpha():
            words = ["tar", *sorted(set(flags) - set("vzjJa")), *words[2:]]
    return words


def _path(word: str) -> str:
    if word.startswith("./") and len(word) > 2:
        word = word[2:]
    return word.rstrip("/") if len(word) > 1 else word


def equal(command: str, refs: list[str]) -> bool:
    """Whether `command` is one of `refs` but for spelling."""
    if not command:
        return False
    strict = {normal(ref, False) for ref in refs}
    loose = normal(command)
    return (
        normal(command, False) in strict
        or loose in {normal(ref) for ref in refs}
        or any(_moved(command, ref) for ref in refs)
    )


def _moved(one: str, other: str) -> bool:
    """Whether the two differ in where their options stand alone (`logs -n shop web` and `logs web -n shop`)."""
    if sorted(one) != sorted(other):  # the same letters: cheap, and most are told apart by it
        return False
    here, there = _words(_respelt(one)), _words(_respelt(other))
    if sorted(here) != sorted(there) or not here:
        return False
    parts, others = _parts(here), _parts(there)
    return len(parts) == len(others) and all(map(_same_parts, parts, others))


def _parts(words: list[str]) -> list[list[str]]:
    """The simple commands of a line, each operator at the end of the one before it."""
    parts: list[list[str]] = [[]]
    for word in words:
        parts[-1].append(word)
        if set(word) <= set("|&;"):
            parts.append([])
    return parts


def _same_parts(one: list[str], other: list[str]) -> bool:
    if one == other:
        return True
    program = next((word for word in one if word != "sudo"), "")
    if sorted(one) != sorted(other) or program in _BY_ORDER or {"<", ">", ">>", "--"} & set(one):
        return False
    if program == "dd":
        return True
    valued = _pairs(one) & _pairs(other)
    return _bare(one, valued) == _bare(other, valued)


# What an option of these means depends on what stands before it.
_BY_ORDER = frozenset(
    "find ffmpeg convert magick gcc g++ clang java tar ps test [ xargs for while ssh docker".split()
)


def _pairs(words: list[str]) -> set[tuple[str, str]]:
    """Each option with the word behind it, which may be its value."""
    return {(word, after) for word, after in pairwise(words) if word[:1] == "-" and after[:1] != "-"}


def _bare(words: list[str], valued: set[tuple[str, str]]) -> list[str]:
    """What is no option, and no value that both commands have behind the same option, in order."""
    return [
        word for before, word in pairwise(["", *words]) if word[:1] != "-" and (before, word) not in valued
    ]
