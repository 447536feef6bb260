"""The router's lines by their sets, the machines on which they are judged, and what comes of it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from terma.routing import Kind, Known, Route, route
from terma.routing.programs import listed, table

DATA = Path(__file__).parents[2] / "data"
SETS = tuple(sorted(path.stem for path in DATA.glob("route_*.tsv")))
HELD = ("route_held",)  # held out for good: nothing is ever fitted to it, and nobody reads it
LEARNED = tuple(name for name in SETS if name not in HELD)
# A server: what every Unix has, and what is typed most; no docker, no node, no kubectl.
SERVER = """
awk basename bash bc bzip2 cat chgrp chmod chown cmp comm cp cron crontab curl cut date dd df diff dig
dirname dmesg du env expr file find free ftp gawk getent git gpg grep groups gunzip gzip head host hostname
htop id install ip join journalctl kill last less ln locate logger ls lsof mail make man md5sum mkdir mktemp
mount mv nano nc netstat nice nl nohup openssl passwd paste patch perl ping pkill printenv ps pwd python3
readlink rm rmdir rsync scp screen sed seq sh sleep sort split ss ssh stat strings su sudo systemctl tail
tar tee telnet test time timeout tmux top touch tr traceroute true tty umount uname uniq unzip uptime users
vi vim w watch wc wget whereis which who whoami xargs xxd yes zcat zip
"""


@dataclass(frozen=True, slots=True)
class Line:
    """A line as typed, what it is, and whether it is a mean one."""

    kind: Kind
    mean: bool
    text: str


def lines(name: str) -> list[Line]:
    """The lines of a set."""
    return _read(name)


def _read(name: str) -> list[Line]:
    rows = (DATA / f"{name}.tsv").read_text(encoding="utf-8").splitlines()
    parts = [row.split("\t", 2) for row in rows]
    return [
        Line("command" if kind == "command" else "prompt", level == "mean", text)
        for kind, level, text in parts
    ]


def lines_with_context() -> list[Line]:
    """Lines that hang on what is there: targets, files, aliases, functions; and what is pasted, over several lines."""
    return [
        Line(line.kind, line.mean, line.text.replace("\\n", "\n")) for line in _read("routed_with_context")
    ]


def project(folder: Path, known: Known) -> Known:
    """The same machine in a directory with a makefile and files, in a shell that has aliases and functions."""
    made = folder / "project"
    (made / "firmware").mkdir(parents=True, exist_ok=True)
    (made / "Makefile").write_text("sandwich bread: butter\n\ttrue\ntest:\n\ttrue\n")
    for name in ("notes.txt", "recipes", "run.sh"):
        (made / name).touch()
    (made / "run.sh").chmod(0o755)
    aliases = {"g": "git", "please": "sudo", "la": "ls -A"}
    return Known(known.path, known.shell, aliases, frozenset(("frobnicate", "todo")), str(made))


def machine(name: str, folder: Path) -> Known:
    """A shell on a machine with an empty working directory: "server", "full" (all that terma knows of) or "bare"."""
    names = {"server": frozenset(SERVER.split()) | table().unix, "full": listed(), "bare": frozenset[str]()}[
        name
    ]
    path, cwd = folder / name / "bin", folder / name / "empty"
    for made in (path, cwd):
        made.mkdir(parents=True, exist_ok=True)
    for program in names:
        if "/" not in program:
            (path / program).touch()
    return Known(path=str(path), shell="bash", cwd=str(cwd))


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a set was judged: `table` counts (what it is, what it was taken for)."""

    table: Counter[tuple[Kind, Kind]]
    mistakes: tuple[tuple[Line, Route], ...]
    unsure: int

    @property
    def right(self) -> float:
        """The share of lines that were taken for what they are."""
        return 1 - len(self.mistakes) / self.table.total()

    @property
    def sure(self) -> int:
        """How many mistakes nobody would be asked about."""
        return sum(not found.unsure for _, found in self.mistakes)


def judged(name: str, known: Known) -> Outcome:
    """Every line of a set, judged in `known`."""
    found = [(line, route(line.text, known)) for line in lines(name)]
    return Outcome(
        Counter((line.kind, taken.kind) for line, taken in found),
        tuple((line, taken) for line, taken in found if line.kind != taken.kind),
        sum(taken.unsure for _, taken in found),
    )


def report(name: str, known: Known) -> str:
    """A set's row in docs/routing.md."""
    outcome, all_lines = judged(name, known), lines(name)
    cells = [outcome.table[kind, taken] for kind in ("command", "prompt") for taken in ("command", "prompt")]
    mean = sum(line.mean for line in all_lines) / len(all_lines)
    numbers = " | ".join(map(str, [*cells, outcome.unsure, outcome.sure]))
    return (
        f"| {name.removeprefix('route_')} | {len(all_lines)} | {mean:.0%} | {outcome.right:.1%} | {numbers} |"
    )
