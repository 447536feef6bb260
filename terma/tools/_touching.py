"""What a command would change, by name: files, hosts, programs; for the person who decides on it."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import TYPE_CHECKING

from terma.text import one_line

if TYPE_CHECKING:
    from terma.risk.model import Call, Word

MAX_NAMED = 6
LONGEST = 80
_READS_FROM = {"<", "<<", "<<<", "<&", "0<"}
_FILES = set(
    "rm rmdir mv cp ln install mkdir touch truncate chmod chown chgrp shred unlink tee dd mkfs mount umount trash "
    "trash-put patch rsync unzip gzip gunzip xz bzip2 zstd split".split()
)
_IN_PLACE = {
    "sed": ("-i", "--in-place"),
    "perl": ("-i", "-pi"),
    "sort": ("-o",),
    "prettier": ("--write", "-w"),
}
_HOSTS = set("ssh scp sftp curl wget ping nc ncat telnet ftp rsync mosh dig nslookup".split())
# Options of theirs whose value is the next word: it is no operand.
_VALUED = {
    "truncate": "-s --size -r --reference",
    "touch": "-d --date -r --reference -t",
    "split": "-a -b -C -l -n --bytes --lines --number --line-bytes --suffix-length --filter",
    "shred": "-n -s --iterations --size --random-source",
    "mkdir": "-m --mode",
    "install": "-m -o -g --mode --owner --group",
    "patch": "-p -i -d -D -F -B -z -Y -r -o --input --directory --strip",
    "unzip": "-d -x -P",
    "mount": "-t -o --types --options -L -U",
    "mkfs": "-t --type",
    "curl": "-m -o -H -d -X -u -A -e -b -c -D -T -F -w -K -x -r -C -y -Y -z -E -P -Q -t -U --max-time --output --header"
    " --data --request --user --connect-timeout --retry --retry-delay --user-agent --cookie --form --limit-rate"
    " --cacert --cert --key --max-filesize --referer --write-out --config --data-binary --data-raw --json",
    "wget": "-O -o -a -i -t -T -w -Q -P -U -A -R -D -I -X -l -e --timeout --tries --wait",
    "ping": "-c -i -I -l -m -M -p -Q -s -S -t -T -w -W",
    "nc": "-i -I -O -p -q -s -T -V -w -x -X -P",
    "ncat": "-i -d -e -c -g -G -m -o -p -s -w -x",
    "ssh": "-b -c -D -E -e -F -I -i -J -L -l -m -O -o -p -Q -R -S -W -w -B",
    "scp": "-c -D -F -i -J -l -o -P -S -X",
    "sftp": "-B -b -c -D -F -i -J -l -o -P -R -S -s -X",
    "rsync": "-e -f -B -T -M --exclude --include --timeout --bwlimit --rsh",
    "dig": "-b -c -f -k -p -q -t -x -y",
    **dict.fromkeys(
        ("pip", "pip3"),
        "-r -c -e -t -i -f --requirement --constraint --editable --target --index-url --find-links",
    ),
    **dict.fromkeys(("apt", "apt-get"), "-t -o -c --target-release --option --config-file"),
    "kill": "-s -n",
    "pkill": "-s -t -u -U -g -G -P --signal",
    "killall": "-s -u -y -o --signal",
}
_ANY_HOST = {"ssh", "sftp", "mosh"}  # their first operand is a host, whatever it looks like
_PROGRAMS = set("kill pkill killall systemctl service launchctl".split())
_PACKAGES = set(
    "apt apt-get dnf yum pacman zypper apk brew pip pip3 pipx npm yarn pnpm cargo gem snap".split()
)
_VERBS = set("install remove uninstall purge upgrade update add del delete -S -R -U".split())


def touched(command: str) -> tuple[str, ...]:
    """Names that `command` would change or reach, the worst first; at most MAX_NAMED, and () where it cannot be read.

    A word that only becomes a name when the command runs (`$f`, what xargs and find put in) names nothing: the command
    itself, which is shown whole, says as much."""
    try:
        from terma.risk.syntax import read
        from terma.risk.wrappers import inner_calls
    except ImportError:
        return ()
    calls = read(command)[0] if len(command) <= 4000 else []
    found: dict[str, int] = {}
    for outer in calls:
        for target in (one.target for one in outer.redirects if one.operator not in _READS_FROM):
            if target.text not in ("/dev/null", "1", "2", "-") and _names_one(target, ()):
                found.setdefault(target.text, 1)
        for call in (outer, *inner_calls(outer)):
            words = call.operands(_VALUED.get(call.name, ""))
            marks = _placeholders(outer) if call.bulk else ()
            nameless = {word.text for word in words if not _names_one(word, marks)}
            for rank, name in _of_call(
                call.name, [word.text for word in call.args], [word.text for word in words]
            ):
                if name not in nameless:
                    found[name] = min(rank, found.get(name, rank))
    names = sorted(found, key=lambda name: found[name])
    return tuple(one_line(name, LONGEST) for name in names if name.strip())[:MAX_NAMED]


def _names_one(word: Word, placeholders: tuple[str, ...]) -> bool:
    """Whether `word` says a name before the command runs: `$dir/build` does, `$f`, `$(…)` and `{}.bak` do not."""
    last = word.text.rstrip("/").rpartition("/")[2]
    if any(mark in word.text for mark in placeholders):
        return False
    return not word.dynamic or not ("$" in last or "(" in word.text or "`" in word.text)


def _placeholders(outer: Call) -> tuple[str, ...]:
    """What stands for each name in the command that `outer` runs for many: `{}`, and what `xargs -I` says."""
    args = [word.text for word in outer.args]
    said = [after for arg, after in itertools.pairwise(args) if arg in ("-I", "-J")]
    said += [arg[2:] for arg in args if arg.startswith(("-I", "-J")) and len(arg) > 2]
    return ("{}", *said)


def writes(call: Call) -> tuple[str, ...]:
    """The files that `call` would write or lose, by name; redirects are not looked at."""
    operands = [word.text for word in call.operands()]
    return tuple(
        name for rank, name in _of_call(call.name, [word.text for word in call.args], operands) if rank < 2
    )


def _of_call(name: str, args: list[str], operands: list[str]) -> Iterator[tuple[int, str]]:
    """(rank, name): 0 is what may be lost, 1 what is written, 2 who is talked to, 3 what is started or stopped."""
    if name in _FILES or any(
        arg == mark or (mark.startswith("--") and arg.startswith(mark)) or (arg[:2] == mark)
        for mark in _IN_PLACE.get(name, ())
        for arg in args
    ):
        skip = 1 if name in ("chmod", "chown", "chgrp") or name in ("sed", "perl") else 0
        for operand in operands[skip:]:
            if operand.startswith("if="):
                continue
            yield (
                (0 if name in ("rm", "shred", "dd", "mkfs", "unlink", "rmdir") else 1),
                operand.removeprefix("of="),
            )
    if name in _HOSTS:
        reached = operands[:1] if name in _ANY_HOST else operands
        yield from ((2, host) for operand in reached for host in _host(name, operand))
    if name in _PROGRAMS:
        yield from ((3, operand) for operand in operands)
    if name in _PACKAGES and operands and (operands[0] in _VERBS or set(args) & _VERBS):
        yield from ((3, operand) for operand in operands if operand not in _VERBS)
    if name == "git" and operands[:1] in (["push"], ["pull"], ["fetch"], ["clone"]):
        yield 2, f"git {operands[0]} {operands[1] if len(operands) > 1 else 'origin'}"


def _host(program: str, operand: str) -> Iterator[str]:
    top = operand.partition("/")[0].rpartition(".")[2]
    if top.isdigit() and operand.count(".") != 3:
        return  # a number: the last part of a host's name is none, unless it is an address (RFC 1123, 2.1)
    if "://" in operand:
        yield operand.partition("://")[2].partition("/")[0].rpartition("@")[2]
    elif program in ("scp", "rsync"):
        if ":" in operand:
            yield operand.partition(":")[0]
    elif program in _ANY_HOST or "." in operand or "@" in operand:
        yield operand.partition("/")[0]
