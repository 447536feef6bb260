"""A model file from an https address: resumed after an interruption, checked against its hash, moved in when whole."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from urllib.parse import unquote, urlsplit

from terma.local.places import LocalError

CHUNK = 1024 * 1024
LOOKS = 64 * CHUNK  # bytes between two looks at the room that is left
TRIES = 5  # interruptions in a row without a byte between them
BUSY = (408, 425, 429)  # statuses that are none of the address
LONGEST_WAIT = 30.0  # seconds that a server may ask for
MAGIC = b"GGUF"
Progress = Callable[[int, int], None]  # bytes so far, bytes in all (0: not known)
_HASH = re.compile(r"sha256=([0-9a-fA-F]{64})\Z")


class Interrupted(Exception):
    """The connection ended early, or the server was busy; what came is kept. `wait`: the seconds that it asks for."""

    def __init__(self, why: str, wait: float = 0.0) -> None:
        super().__init__(why)
        self.wait = wait


def split(source: str) -> tuple[str, str]:
    """`https://…/a.gguf#sha256=…` as its address and its hash. Raises LocalError."""
    parts = urlsplit(source)
    found = _HASH.match(parts.fragment)
    if parts.scheme != "https" or not parts.netloc:
        raise LocalError(
            f"a model is fetched over https alone: {source[:120]}", "https://HOST/FILE.gguf#sha256=…"
        )
    if not found:
        raise LocalError(
            "the address needs the file's hash: …#sha256=64 hex digits",
            "the page that offers the file says it; or fetch it yourself: --model FILE.gguf",
        )
    return source.partition("#")[0], found[1].lower()


def file_name(address: str) -> str:
    """The name under which a fetched file is kept."""
    name = unquote(urlsplit(address).path).rpartition("/")[2]
    safe = re.sub(r"[^A-Za-z0-9._+-]", "_", name).lstrip(".")[-120:]
    return safe if safe.endswith(".gguf") else (safe or "model") + ".gguf"


def fetch(address: str, wanted: str, folder: Path, progress: Progress) -> Path:
    """The file at `address`, whole and with the SHA-256 `wanted`, in `folder`. Raises LocalError.

    An interruption, Ctrl+C too, leaves a .part file from which the next call goes on."""
    target, part = folder / file_name(address), folder / f"{wanted[:16]}.part"
    if target.exists() and hash_of(target, progress) == wanted:
        return target
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    fruitless, goes_on = 0, part.exists()
    while True:
        before = part.stat().st_size if part.exists() else 0
        try:
            _fetch(address, part, folder, progress)
            if (digest := hash_of(part)) == wanted or not goes_on:
                break
            part.unlink()  # what lay there from before was of another file
            goes_on = False
        except Interrupted as error:
            fruitless = fruitless + 1 if not part.exists() or part.stat().st_size <= before else 0
            if fruitless == TRIES:
                raise LocalError(
                    f"the download broke off: {error}", "the same command goes on with it"
                ) from None
            time.sleep(max(min(0.2 * 2**fruitless, 5.0), error.wait))
    if digest != wanted:
        part.unlink()
        raise LocalError(f"the file at {address} is not the one with that hash", "check both; it was removed")
    check_magic(part)
    part.replace(target)
    return target


def hash_of(path: Path, progress: Progress | None = None) -> str:
    """The SHA-256 of a file, in hexadecimal."""
    digest, size, seen = hashlib.sha256(), path.stat().st_size, 0
    with path.open("rb") as file:
        while chunk := file.read(CHUNK):
            digest.update(chunk)
            seen += len(chunk)
            if progress is not None:
                progress(seen, size)
    return digest.hexdigest()


def check_magic(path: Path) -> None:
    """Raise LocalError unless the file begins as a GGUF model does."""
    with path.open("rb") as file:
        if file.read(4) != MAGIC:
            raise LocalError(f"{path} is no GGUF model", "llama.cpp reads files that end in .gguf")


def check_space(folder: Path, size: int) -> None:
    """Raise LocalError unless `size` bytes and some air fit into the file system of `folder`."""
    while not folder.exists():
        folder = folder.parent
    free = shutil.disk_usage(folder).free
    needed = size + size // 20 + 64 * 2**20
    if free < needed:
        raise LocalError(
            f"{needed / 1e9:.1f} GB are needed in {folder}, {free / 1e9:.1f} GB are free",
            "XDG_DATA_HOME names another place",
        )


def _fetch(address: str, part: Path, folder: Path, progress: Progress) -> None:
    """Add what is missing of `part`. Raises Interrupted, LocalError."""
    import httpx

    have = part.stat().st_size if part.exists() else 0
    headers = {"accept-encoding": "identity"} | ({"range": f"bytes={have}-"} if have else {})
    timeout = httpx.Timeout(30.0)
    try:
        with (
            httpx.Client(
                follow_redirects=True, timeout=timeout, event_hooks={"request": [only_https]}
            ) as client,
            client.stream("GET", address, headers=headers) as answer,
        ):
            if answer.status_code == 416 and have:  # it was whole already
                return
            if answer.status_code not in (200, 206):
                if answer.status_code >= 500 or answer.status_code in BUSY:
                    told = answer.headers.get("retry-after", "")
                    wait = min(float(told), LONGEST_WAIT) if told.isdecimal() else 0.0
                    raise Interrupted(f"the server says {answer.status_code}", wait)
                raise LocalError(f"{address}: the server says {answer.status_code}", "check the address")
            if answer.status_code == 200:  # all of it: this server knows no ranges
                have = 0
            elif not answer.headers.get("content-range", "").startswith(f"bytes {have}-"):
                part.unlink(missing_ok=True)
                raise Interrupted("the server sent another part of the file")
            length = int(answer.headers.get("content-length", "0"))
            check_space(folder, length)
            _write(answer, part, have, have + length if length else 0, progress)
    except httpx.HTTPError as error:
        raise Interrupted(str(error) or type(error).__name__) from None
    except OSError as error:
        raise LocalError(
            f"{part} cannot be written: {error.strerror or error}", "the same command goes on with it"
        ) from None


def _write(answer: object, part: Path, have: int, size: int, progress: Progress) -> None:
    with part.open("r+b" if have else "wb") as file:
        file.seek(have)
        for chunk in answer.iter_bytes():  # type: ignore[attr-defined]
            file.write(chunk)
            have += len(chunk)
            progress(have, size)
            if not size and have // LOOKS > (have - len(chunk)) // LOOKS:
                check_space(part.parent, 0)  # a server that tells no length may never end
        file.flush()
        os.fsync(file.fileno())


def only_https(request: object) -> None:
    """For an HTTP client: raise LocalError where a redirect leaves https."""
    if request.url.scheme != "https":  # type: ignore[attr-defined]
        raise LocalError("the server leads away from https", "use an address that stays on it")
