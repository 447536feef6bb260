"""Named things looked up where they would be: what a file is, a module that lies near, a schema, contexts, hosts."""

from __future__ import annotations

import mmap
import os
import platform
import re
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from terma import reading
from terma.offline.explain.surroundings import Surroundings

SYSTEM_FOLDERS = ("/usr/local/sbin", "/usr/sbin", "/sbin", "/opt/bin", "/snap/bin")
HOME_FOLDERS = ("~/.local/bin", "~/bin", "~/go/bin", "~/.cargo/bin", "~/.npm-global/bin")
MACHINES = {
    3: "i386",
    8: "mips",
    20: "ppc",
    21: "ppc64",
    22: "s390x",
    40: "armv7l",
    62: "x86_64",
    183: "aarch64",
    243: "riscv64",
}
_LISTS_BUDGET = 0.08  # seconds for the package lists
_MAX_LISTS, _PIECE = 1 << 27, 1 << 22  # bytes of one list, and of a look at it
_DEEP = 3  # folders down in which a module is looked for
_SKIPPED = frozenset("node_modules .git .venv venv env __pycache__ .tox .mypy_cache target dist".split())
_CLAUSES = frozenset(("PRIMARY", "FOREIGN", "UNIQUE", "CHECK", "CONSTRAINT"))
_PYTHON = re.compile(
    r"^(?:import \w|from \w[\w.]* import |def \w+\(|class \w+[:(]|print\(|if __name__)", re.MULTILINE
)


def head(here: Surroundings, path: str, size: int = 4096) -> bytes:
    """The first bytes of the regular file `path`, b"" when there is none."""
    with suppress(OSError, ValueError):
        return reading.head(here.at(path), size)
    return b""


def has_carriage_returns(here: Surroundings, path: str) -> bool:
    """Whether the text file `path` has Windows line ends."""
    return b"\r\n" in head(here, path)


def foreign_machine(here: Surroundings, path: str) -> str:
    """The processor that the ELF program `path` was built for, when it is another than this machine's and one that is known."""
    start = head(here, path, 20)
    if len(start) < 20 or start[:4] != b"\x7fELF":
        return ""
    number = int.from_bytes(start[18:20], "little" if start[5] == 1 else "big")
    name = MACHINES.get(number, "")  # a number that is none is of a damaged header
    return "" if name == platform.machine() else name


def interpreter_of(here: Surroundings, path: str) -> str:
    """What runs the script `path`, which names no interpreter itself: by its ending, else by how it reads."""
    start = head(here, path)
    if not start or start.startswith((b"#!", b"\x7fELF")) or b"\0" in start:
        return ""
    by_ending = {".py": "python3", ".rb": "ruby", ".pl": "perl", ".js": "node", ".php": "php", ".lua": "lua"}
    ending = Path(path).suffix
    if ending in by_ending:
        return by_ending[ending]
    return "python3" if not ending and _PYTHON.search(start.decode("utf-8", "replace")) else ""


def noexec(here: Surroundings, path: str) -> bool:
    """Whether the file `path` lies on a file system from which nothing may be executed."""
    with suppress(OSError, ValueError):
        return bool(os.statvfs(here.at(path)).f_flag & os.ST_NOEXEC)
    return False


def script_runner(here: Surroundings, path: str) -> str:
    """The program that the script `path` names in its first line or by its ending, without its folder; "" when none."""
    start = head(here, path, 300).partition(b"\n")[0].decode("utf-8", "replace")
    words = start[2:].split() if start.startswith("#!") else []
    if words and words[0].endswith("/env"):
        words = words[1:]
    named = words[0].rpartition("/")[2] if words else ""
    return named or {".sh": "bash", ".py": "python3", ".pl": "perl", ".rb": "ruby"}.get(Path(path).suffix, "")


def can_run(here: Surroundings, path: str) -> bool:
    """Whether the right to execute would make the file `path` run: it names its interpreter, is a binary, or has no
    ending but a shell script's. True also of a file that cannot be read."""
    start = head(here, path, 300)
    named = start.startswith(b"#!") or b"\0" in start
    return not start or named or Path(path).suffix in ("", ".sh", ".bash", ".zsh", ".ksh")


def outside_path(here: Surroundings, program: str) -> str:
    """The file of `program` in a folder of programs that is not in PATH, "" when there is none."""
    folders = [folder for folder in (*SYSTEM_FOLDERS, *HOME_FOLDERS) if folder not in here.search_path]
    return next((f"{folder}/{program}" for folder in folders if here.exists(f"{folder}/{program}")), "")


def module_folder(here: Surroundings, module: str) -> str:
    """The folder, seen from here, that holds the Python module or package `module`; "" when none near does."""
    top = module.partition(".")[0]
    for folder in folders(here, ".", _DEEP):
        base = "" if folder == "." else f"{folder}/"
        if here.exists(f"{base}{top}.py") or (
            here.is_dir(f"{base}{top}") and _is_package(here, f"{base}{top}")
        ):
            return folder
    return ""


def _is_package(here: Surroundings, folder: str) -> bool:
    return any(name.endswith(".py") for name in here.listing(folder))


def folders(here: Surroundings, folder: str, deep: int) -> Iterator[str]:
    """`folder` and those beneath it, the near ones first, at most some hundred."""
    level, seen = [folder], 0
    for _ in range(deep):
        below: list[str] = []
        for one in level:
            yield one
            seen += 1
            if seen > 200:
                return
            names = (
                name for name in here.listing(one)[:400] if name not in _SKIPPED and not name.startswith(".")
            )
            below += [
                path
                for path in (name if one == "." else f"{one}/{name}" for name in names)
                if here.is_dir(path)
            ]
        level = below


def sqlite_names(here: Surroundings, path: str) -> tuple[list[str], list[str]]:
    """The tables and the columns of the SQLite database `path`, read from the statements that its first pages keep, so
    that nothing is locked; empty lists when it is none."""
    start = head(here, path, 1 << 16)
    if not start.startswith(b"SQLite format 3"):
        return [], []
    text = start.decode("utf-8", "replace")
    made = re.findall(
        r"CREATE (?:TABLE|VIEW) (?:IF NOT EXISTS )?[\"'`\[]?(\w+)[\"'`\]]?\s*\(([^\0]{0,4000}?)\)(?=[\0-\x1f\x80-\uffff]|$|CREATE)",
        text,
        re.IGNORECASE,
    )
    columns = [name for _, body in made for name in re.findall(r"(?:^|,)\s*[\"'`\[]?(\w+)", body)]
    tables = re.findall(r"CREATE (?:TABLE|VIEW) (?:IF NOT EXISTS )?[\"'`\[]?(\w+)", text, re.IGNORECASE)
    return list(dict.fromkeys(tables)), [
        name for name in dict.fromkeys(columns) if name.upper() not in _CLAUSES
    ]


def kube_contexts(here: Surroundings) -> list[str]:
    """The contexts of the kubeconfig."""
    text = here.read("~/.kube/config", 1 << 20)
    part = re.search(r"^contexts:\n((?:[ -].*\n?)*)", text, re.MULTILINE)
    return re.findall(r"^\s*(?:- )?name: [\"']?([^\"'\s]+)", part[1], re.MULTILINE) if part else []


def ssh_hosts(here: Surroundings) -> list[str]:
    """The names that ~/.ssh/config gives to hosts."""
    rows = re.findall(r"(?im)^\s*Host\s+(.+)$", here.read("~/.ssh/config", 1 << 18))
    return [name for row in rows for name in row.split() if not re.search(r"[*?!]", name)]


def users(here: Surroundings) -> list[str]:
    return [row.partition(":")[0] for row in here.read("/etc/passwd", 1 << 18).splitlines()]


def groups(here: Surroundings) -> list[str]:
    return [row.partition(":")[0] for row in here.read("/etc/group", 1 << 18).splitlines()]


def debian_names(begin: str, folder: str = "/var/lib/apt/lists") -> list[str]:
    """The packages in the lists on this disk whose names begin with `begin`, by the files that are not compressed."""
    found: set[str] = set()
    pattern = re.compile(rb"^Package: (" + re.escape(begin.encode()) + rb"[^\n]*)$", re.MULTILINE)
    end = time.monotonic() + _LISTS_BUDGET
    with suppress(OSError, ValueError):
        for path in [*sorted(Path(folder).glob("*_Packages"))[:8], Path("/var/lib/dpkg/status")]:
            with (
                suppress(OSError, ValueError),
                path.open("rb") as file,
                mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as text,
            ):
                for start in range(0, min(len(text), _MAX_LISTS), _PIECE):
                    if time.monotonic() > end:
                        return sorted(found)
                    found |= {
                        hit.decode("ascii", "replace")
                        for hit in pattern.findall(text[start : start + _PIECE + 200])
                    }
    return sorted(found)
