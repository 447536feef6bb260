"""What a command would change, by name: files, hosts, programs; for the person who decides on it."""

from __future__ import annotations

from collections.abc import Iterator

from terma.text import one_line

MOST = 6
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
_ANY_HOST = {"ssh", "sftp", "mosh"}  # their first operand is a host, whatever it looks like
_PROGRAMS = set("kill pkill killall systemctl service launchctl".split())
_PACKAGES = set(
    "apt apt-get dnf yum pacman zypper apk brew pip pip3 pipx npm yarn pnpm cargo gem snap".split()
)
_VERBS = set("install remove uninstall purge upgrade update add del delete -S -R -U".split())


def touched(command: str) -> tuple[str, ...]:
    """Names that `command` would change or reach, the worst first; at most MOST, and () where it cannot be read."""
    try:
        from terma.risk.syntax import read
        from terma.risk.wrappers import inner_calls
    except ImportError:
        return ()
    calls = read(command)[0] if len(command) <= 4000 else []
    found: dict[str, int] = {}
    for outer in calls:
        for target in (one.target.text for one in outer.redirects if one.operator not in _READS_FROM):
            if target not in ("/dev/null", "1", "2", "-"):
                found.setdefault(target, 1)
        for call in (outer, *inner_calls(outer)):
            operands = [word.text for word in call.operands()]
            for rank, name in _of_call(call.name, [word.text for word in call.args], operands):
                found[name] = min(rank, found.get(name, rank))
    names = sorted(found, key=lambda name: found[name])
    return tuple(one_line(name, LONGEST) for name in names if name.strip())[:MOST]


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
    if "://" in operand:
        yield operand.partition("://")[2].partition("/")[0].rpartition("@")[2]
    elif program in ("scp", "rsync"):
        if ":" in operand:
            yield operand.partition(":")[0]
    elif program in _ANY_HOST or "." in operand or "@" in operand:
        yield operand.partition("/")[0]
