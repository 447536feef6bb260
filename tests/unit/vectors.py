"""Reads shell_hooks/vectors.txt, so that every codec's test holds to the same hostile fields."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

VECTORS = Path(__file__).parents[2] / "shell_hooks" / "vectors.txt"


@dataclass(frozen=True, slots=True)
class Vector:
    """`text` is what the sender means; `field` is what travels; a `drop` vector loses its NULs on the way."""

    name: str
    text: bytes
    field: bytes
    drop: bool = False


def _repeated(word: str) -> tuple[bytes, int]:
    digits, _, times = word.partition("*")
    return b"" if digits == "-" else bytes.fromhex(digits), int(times or 1)


def load() -> list[Vector]:
    """All vectors, in the file's order."""
    vectors = []
    for line in VECTORS.read_bytes().split(b"\n"):
        if not line or line.startswith(b"# "):
            continue
        drop = line.startswith(b"~drop ")
        name, hexed, field = line.removeprefix(b"~drop ").split(b" ", 2)
        text, times = _repeated(hexed.decode())
        vectors.append(Vector(name.decode(), text * times, field * times, drop))
    return vectors
