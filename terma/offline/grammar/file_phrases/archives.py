"""Archives of files: to make one, to unpack one, to compress in place."""

from __future__ import annotations

from terma.offline.grammar.file_phrases.frame import FileFrame
from terma.offline.grammar.quoting import word

UNPACKERS = {
    ".tar.gz": "tar -xzf",
    ".tgz": "tar -xzf",
    ".gz": "gunzip",
    ".zip": "unzip",
    ".bz2": "bunzip2",
    ".xz": "unxz",
    ".tar": "tar -xf",
}


def compress_each(frame: FileFrame) -> str:
    glob = frame.files.shell_glob()
    if not frame.files.names and frame.files.plain and not frame.nouns:
        return ""
    if glob and not frame.files.roots:
        return f"gzip {glob}"
    return frame.files.find("-exec gzip {} +")


def unpack(frame: FileFrame) -> str:
    suffix = next((end for end in UNPACKERS if any(n.endswith(end) for n in frame.files.names)), "")
    if not suffix or len(frame.files.names) != 1 or "*" not in frame.files.names[0]:
        return ""
    tool = UNPACKERS[suffix]
    many = not tool.startswith(("tar", "unzip"))
    return frame.files.find(f"-exec {tool} {{}} {'+' if many else chr(92) + ';'}")


def pack(frame: FileFrame) -> str:
    dest, files = frame.dest, frame.files
    if not dest or not (files.names or not files.plain):
        return ""
    glob = files.shell_glob()
    if dest.endswith(".zip"):
        return f"zip {word(dest)} {glob}" if glob else files.find() + f" | zip {word(dest)} -@"
    letter = (
        "z" if dest.endswith(("gz",)) else "j" if dest.endswith("bz2") else "J" if dest.endswith("xz") else ""
    )
    if not dest.endswith((".tar", "gz", "bz2", "xz")):
        return ""
    if glob:
        return f"tar -c{letter}f {word(dest)} {glob}"
    return files.find("-print0") + f" | tar -c{letter}f {word(dest)} --null -T -"
