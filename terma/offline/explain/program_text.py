"""What a program is made of on this disk, where its words can be found: its own file, the libraries that a small front
end leaves its work to, and the package of a script. It is read and searched, and never run."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from terma.offline.explain.case import Case

_MAX_FILE = 24 << 20  # bytes of one file that are searched
_MAX_PACKAGE = 3 << 19  # bytes of a script's package
_MAX_SOURCES, _MAX_LISTED, _DEEP = 80, 800, 3
_MAX_LIBRARIES = 3
_FRONT_END = 1 << 17  # bytes: a program no larger leaves its work to its libraries
_LIBRARY = re.compile(rb"lib([A-Za-z][\w+-]*(?:-[\d.]+)?(?:\.\w+)?)\.so\.[\w.]*\w")
# Libraries of the system, in which a program's own words do not stand.
_COMMON = frozenset(
    "c m dl rt z gcc_s pthread stdc++ util resolv crypt selinux acl attr cap tinfo ncurses readline lzma bz2".split()
)
_IMPORTED = re.compile(r"^\s*(?:from|import) ([A-Za-z_]\w*)", re.MULTILINE)
_SOURCES = (".py", ".js", ".cjs", ".mjs", ".rb", ".pm", ".pl", ".lua", ".json")


def like(case: Case, piece: str) -> tuple[str, ...]:
    """The words in the program that failed which begin as `piece` does and are about as long."""
    if len(piece) < 3:
        return ()
    return tuple(sorted(set().union(*(_like(data, piece) for data in _texts(case, names=True)))))


def holds(case: Case, text: str) -> bool:
    """Whether the program that failed has `text` as a word of its own somewhere."""
    word = text.encode()
    return any(_stands_in(data, word) for data in _texts(case))


def _stands_in(data: bytes, word: bytes) -> bool:
    at = data.find(word)
    while at >= 0:
        if not re.match(rb"[\w-]", data[max(at - 1, 0) : at]) and not re.match(
            rb"[\w-]", data[at + len(word) :][:1]
        ):
            return True
        at = data.find(word, at + 1)
    return False


def _like(data: bytes, piece: str) -> set[str]:
    """Words that begin with the first letters of `piece`, or with those in the order of fingers that slipped."""
    found: set[str] = set()
    least, most = max(len(piece) - 3, 1), len(piece) + 1
    begun = piece[:2]
    for head in {begun, piece[0] + piece[2:3], piece[1::-1], begun.upper(), begun.capitalize()}:
        pattern = re.escape(head.encode()) + rb"[\w.+-]{%d,%d}(?![\w.+-])" % (least, most)
        for hit in re.finditer(pattern, data):
            before = data[hit.start() - 1 : hit.start()] if hit.start() else b""
            if not before.isalnum():  # a linker keeps `upper` as the end of `str_upper`
                found.add(hit.group().decode("ascii", "ignore"))
    return found


def _texts(case: Case, names: bool = False) -> Iterator[bytes]:
    """The files, one by one; with `names` those of a package's files as well."""
    path = case.program_file
    if not path:
        return
    real = Path(path).resolve()
    data = case.bytes_of(str(real), _MAX_FILE)
    yield data
    if data.startswith(b"#!"):
        yield from _package(case, real, data[:4096].decode("utf-8", "replace"), names)
    elif data.startswith(b"\x7fELF"):
        yield from _libraries(case, real, data)


def _libraries(case: Case, program: Path, data: bytes) -> Iterator[bytes]:
    """The libraries whose names are the program's, else those that a front end uses first."""
    names = [(hit[1].decode(), hit.group().decode()) for hit in islice(_LIBRARY.finditer(data), 60)]
    names = [(stem, file) for stem, file in dict.fromkeys(names) if stem.partition(".")[0] not in _COMMON]
    own = [one for one in names if _akin(one[0], program.name) or _akin(one[0], case.program)]
    chosen = own or (names if len(data) < _FRONT_END else [])
    for _, file in chosen[:_MAX_LIBRARIES]:
        folders = (program.parent.parent / "lib", *_LIBRARY_FOLDERS)
        found = next((folder / file for folder in folders if (folder / file).exists()), None)
        if found:
            yield case.bytes_of(str(found), _MAX_FILE)


def _akin(library: str, program: str) -> bool:
    return len(library) > 1 and (program.startswith(library[:5]) or library.startswith(program[:5]))


_LIBRARY_FOLDERS = (
    *(Path(f"/usr/lib/{os.uname().machine}-linux-{libc}") for libc in ("gnu", "musl")),
    Path("/usr/lib64"),
    Path("/usr/lib"),
    Path("/usr/local/lib"),
)


def _package(case: Case, program: Path, script: str, names: bool) -> Iterator[bytes]:
    """The sources of the package that a script starts, those next to its entry first."""
    left = _MAX_PACKAGE
    for folder in _folders(program, script)[:2]:
        sources = _sources(folder)
        if names:  # a plug-in is called as its file is
            yield "\n".join(source.stem for source in sources).encode()
        for source in sources[:_MAX_SOURCES]:
            text = case.bytes_of(str(source), 1 << 18)
            left -= len(text)
            if left < 0:
                return
            yield text


def _folders(program: Path, script: str) -> list[Path]:
    if "python" in script.partition("\n")[0]:
        homes = [
            *program.parent.parent.glob("lib/python3*/*-packages"),
            Path("/usr/lib/python3/dist-packages"),
        ]
        names = [name for name in dict.fromkeys(_IMPORTED.findall(script)) if name not in ("sys", "re", "os")]
        found = [home / name for name in names for home in homes]
        return [folder for folder in found if folder.is_dir()]
    if "node" in script.partition("\n")[0]:
        return [folder for folder in program.parents if (folder / "package.json").is_file()][:1]
    return []


def _sources(folder: Path) -> list[Path]:
    """Its source files down to some depth, the shallow and the telling ones first; none of other packages within."""
    found: list[Path] = []
    for here, folders, files in islice(os.walk(folder), _MAX_LISTED):
        depth = len(Path(here).relative_to(folder).parts)
        folders[:] = sorted(
            name
            for name in folders
            if depth < _DEEP and name not in ("node_modules", "test", "tests", "locale")
        )
        found += [Path(here, name) for name in sorted(files) if name.endswith(_SOURCES)]
        if len(found) >= _MAX_LISTED:
            break
    found.sort(
        key=lambda path: (not re.search(r"opt|arg|cli|command|main|config", path.name), len(path.parts))
    )
    return found
