"""The text of a program's own manual page, found beside the program itself."""

from __future__ import annotations

import bz2
import lzma
import zlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

from terma import reading
from terma import regex as re

MAX_TEXT = 600_000  # characters; the longest that is worth reading is rsync's, a quarter of it
MAX_SOURCED = 3  # pages that only name another page
_SECTIONS = ("1", "8", "1ssl", "6", "7")
# Each gives MAX_TEXT bytes at most: a packed page can be a thousand times as long as its file.
_UNPACK: dict[str, Callable[[bytes], bytes]] = {
    "": bytes,
    ".gz": lambda data: zlib.decompressobj(wbits=31).decompress(data, MAX_TEXT),
    ".xz": lambda data: lzma.LZMADecompressor(memlimit=128 * 2**20).decompress(data, MAX_TEXT),
    ".bz2": lambda data: bz2.BZ2Decompressor().decompress(data, MAX_TEXT),
}
_FONT = re.compile(r"\\f(?:\[[^]]*\]|\(..|.)|\\s[-+]?\d|\\[&|^%,/:)]|\\m\[[^]]*\]")
_DASH = re.compile(r"\\-|\\\[-\]|\\\(hy|\\\(mi|\\N'45'")
_ALTERNATING = re.compile(r"\.(?:[BIR][BIR])\b *")
_WORD = re.compile(r'"((?:[^"]|"")*)"|(\S+)')
_MDOC = re.compile(r"\b(?:Ar|Ns|Op|Oo|Oc|Xo|Xc|No|Cm|Li|Ql|Pa|Nm|It|Sm|Ta|Pq|Dq|Ic|Ev)\b")


def page(name: str, program: Path) -> str:
    """The manual page `name` that came with `program`, as plain text; "" when there is none. Never raises."""
    for folder in _folders(program):
        if text := _read(folder, name):
            return plain(text)
    return ""


def source(name: str, program: Path) -> str:
    """The same page as it was written, in roff; "" when there is none. Never raises."""
    return next(filter(None, (_read(folder, name) for folder in _folders(program))), "")


def place(name: str, program: Path) -> Path:
    """The file of that page; where there is none, of the program."""
    for folder in _folders(program):
        for file in (folder / "man1").glob(f"{name}.1*"):
            return file
    return program


def whole(name: str, program: Path) -> str:
    """The name of the only page that begins so (`ip-neigh`, ip-neighbour); "" where there are none or several."""
    found = {
        file.name.split(".")[0]
        for folder in _folders(program)
        for section in ("man1", "man8")
        for file in (folder / section).glob(f"{name}*")
    }
    return found.pop() if len(found) == 1 else ""


def has_pages(prefix: str, program: Path) -> bool:
    """Whether there are pages of subcommands, `PREFIX-something`."""
    return any(True for folder in _folders(program) for _ in (folder / "man1").glob(f"{prefix}-*.1*"))


def _folders(program: Path) -> Iterator[Path]:
    """Where the pages of the program at `program` can be: beside its own folder, never another installation's."""
    seen = set()
    files = [program]
    with suppress(OSError):
        files.append(program.resolve())
    for file in files:
        above = file.parent.parent
        home = Path("/usr") if above == Path("/") else above
        for folder in (home / "share/man", home / "man"):
            if folder not in seen:
                seen.add(folder)
                yield folder


def _read(folder: Path, name: str, depth: int = 0) -> str:
    for section in _SECTIONS:
        for ending, unpack in _UNPACK.items():
            file = folder / f"man{section[0]}" / f"{name}.{section}{ending}"
            with suppress(OSError, EOFError, ValueError, lzma.LZMAError, zlib.error):
                text = unpack(reading.whole(file, MAX_TEXT)).decode("utf-8", "replace")
                sourced = re.match(r"\.so (?:man\w+/)?([\w.+-]+)\.\w+\s*$", text.strip())
                if not sourced:
                    return text
                return _read(folder, sourced[1], depth + 1) if depth < MAX_SOURCED else ""
    return ""


def plain(text: str) -> str:
    """Roff, man or mdoc, as far as names of options and their values need it."""
    text = _DASH.sub("-", _FONT.sub("", text)).replace("\\ ", " ").replace("\\~", " ").replace("\\e", "\\")
    return "\n".join(_line(line) for line in text.splitlines() if not line.startswith(('.\\"', "'\\\"")))


def _line(line: str) -> str:
    if not line.startswith("."):
        return line
    words = [quoted.replace('""', '"') or bare for quoted, bare in _WORD.findall(line)]
    if _ALTERNATING.match(line):
        return "".join(words[1:])
    if words[0] == ".IP":
        return " ".join(words[1:2])
    if words[0] in (".TP", ".RS", ".PP", ".sp"):
        return ""
    text = " ".join(words[1:])
    if words[0] in (".It", ".Op", ".Fl") or " Fl " in line:  # mdoc
        text = f"Fl {text}" if words[0] == ".Fl" else text
        return re.sub(r"\bFl ?(?=\S)", "-", _MDOC.sub("", text))
    return text
