"""What `terma doctor` looks at: one function a subject, each answering with what it found and what to do."""

from __future__ import annotations

import os
import platform
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal

import terma
from terma import added, client, paths, registry, shell_code
from terma.errors import AgentUnavailable, TermaError

# Asked of an interactive shell: is terma there, which key is wanted, what does that key do.
_ASK = {
    "zsh": "typeset -f _terma_wire_encode >/dev/null && print terma-is-here; print -r -- terma-key=${TERMA_KEY:-^T};"
    ' print -r -- "terma-had=$(bindkey -- ${TERMA_KEY:-^T})";'
    " print -r -- \"terma-mark=$(bindkey -- '?')\"; print -r -- terma-why-key=${TERMA_WHY_KEY-}",
    # An installed bash loads what lies in $_terma_core with the first key.
    "bash": "[[ $(compgen -A function _terma_) && ( -z ${_terma_core-} || -r $_terma_core ) ]] && echo terma-is-here;"
    " echo terma-key=${TERMA_KEY:-^T}; echo terma-why-key=${TERMA_WHY_KEY-};"
    r""" _t=$'\n'$(bind -X 2>/dev/null; bind -s 2>/dev/null); [[ $_t != *$'\n"?"'* ]] || echo terma-mark=something""",
}
_NOTHING = ("undefined-key", "self-insert", "transpose-chars")  # what ^T does in a shell that nobody changed
MARK_TYPES = ("self-insert", "url-quote-magic", "undefined-key")  # what types a `?`
SHELL_SECONDS = 10.0  # an interactive shell with a heavy start-up file may take seconds


@dataclass(frozen=True, slots=True)
class Check:
    """One finding. `note` is worth knowing, `fail` keeps terma from working; `hint` is the line to type."""

    name: str
    status: Literal["ok", "note", "fail"]
    detail: str
    hint: str = ""

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


def checks() -> list[Check]:
    """Every check, in the order in which a person would look. Never raises TermaError."""
    subjects = (
        _terma,
        _zsh,
        _bash,
        _key,
        _socket,
        _agent,
        _transport,
        _settings,
        _engine,
        _model,
        _parser,
        _added,
    )
    found: list[Check] = []
    for subject in subjects:
        try:
            found.extend(subject())
        except TermaError as error:
            found.append(Check(subject.__name__.strip("_"), "fail", error.message, error.hint))
    return found


def _terma() -> Iterator[Check]:
    python = f"Python {platform.python_version()}, {Path(terma.__file__).parent}"
    yield Check("terma", "ok", f"{terma.__version__}, {python}")
    binary = shell_code.launcher()
    if not os.access(binary, os.X_OK):
        yield Check("terma", "fail", f"the shells cannot call {binary}", "install it with pipx or uv tool")
    elif shutil.which("terma") is None:
        yield Check("terma", "note", f"terma is not on PATH; the shells call {binary}")


def _version(shell: str, pattern: str) -> tuple[int, ...] | None:
    program = shutil.which(shell)
    if program is None:
        return None
    said = _output([program, "--version"])
    number = re.search(pattern, said)
    return tuple(map(int, number[1].split("."))) if number else (0,)


def _zsh() -> Iterator[Check]:
    yield from _shell("zsh", _version("zsh", r"zsh (\d+(?:\.\d+)+)"), (5, 3), "a newer zsh, or use bash")


def _bash() -> Iterator[Check]:
    hint = "on macOS: brew install bash" if sys.platform == "darwin" else "a newer bash, or use zsh"
    yield from _shell("bash", _version("bash", r"version (\d+\.\d+)"), (4, 4), hint)


def _shell(name: str, version: tuple[int, ...] | None, least: tuple[int, ...], hint: str) -> Iterator[Check]:
    if version is None:
        yield Check(name, "note", "not installed")
        return
    number = ".".join(map(str, version))
    if version < least:
        yield Check(name, "note", f"{number} is older than {'.'.join(map(str, least))}", hint)
        return
    entry = paths.data_dir() / f"terma.{name}"
    if _loads_terma(name):
        yield Check(name, "ok", f"{number}, loads terma")
    elif entry.exists():
        yield Check(
            name, "note", f"{number}, has terma's code but does not read it", f"terma init {name} --install"
        )
    else:
        yield Check(name, "note", f"{number}, does not load terma", f"terma init {name} --install")


def _loads_terma(shell: str) -> bool:
    """Whether an interactive shell of this person ends up with terma's functions in it."""
    return "terma-is-here" in _asked(shell)


@cache
def _asked(shell: str) -> str:
    """What an interactive shell with this person's own start-up file says of terma and of the key."""
    return _output([shutil.which(shell) or shell, "-i", "-c", _ASK[shell]], SHELL_SECONDS)


def _key() -> Iterator[Check]:
    """Which key it is, and what has it where terma is not loaded yet (terma takes it at the first prompt)."""
    for shell in shell_code.SHELLS:
        told = re.search(r"terma-key=(\S+)", _asked(shell)) if shutil.which(shell) else None
        if told is None:
            continue
        key = told[1]
        name = re.sub(r"^(\^|\\C-)(.)$", lambda found: f"Ctrl+{found[2].upper()}", key)
        had = re.search(r"terma-had=.*?([\w:.-]+)\s*$", _asked(shell), re.MULTILINE)
        detail = f"{name} in {shell}; TERMA_KEY chooses another"
        if had and had[1] not in _NOTHING and not had[1].startswith("_terma"):
            detail += f"; {had[1]} has it now, and keeps it on an empty prompt"
        yield Check("key", "ok", detail)
        yield from _mark(shell)


def _mark(shell: str) -> Iterator[Check]:
    """Whether somebody else has the key that `?why` begins with."""
    said = _asked(shell)
    mark = re.search(r"terma-mark=.*?([\w:.-]+)\s*$", said, re.MULTILINE)
    if mark and mark[1] not in MARK_TYPES and not re.search(r"terma-why-key=\S", said):
        yield Check(
            "?why",
            "note",
            f"{mark[1]} has the key ? in {shell}, and may take it on an empty prompt (as atuin does)",
            "type a blank before ?why, press Ctrl+T instead, or choose a key:"
            f" TERMA_WHY_KEY='^X^W' in .{shell}rc",
        )


def _socket() -> Iterator[Check]:
    path = paths.socket_path()
    if path.parent.exists():
        paths.check_private(path.parent)
        yield Check("socket", "ok", str(path))
        return
    parent = next(place for place in path.parent.parents if place.exists())
    if os.access(parent, os.W_OK):
        yield Check("socket", "ok", f"{path} (made by the first Ctrl+T)")
    else:
        yield Check(
            "socket", "fail", f"{parent} cannot be written to", "set TERMA_SOCKET to a path of your own"
        )


def _agent() -> Iterator[Check]:
    try:
        with client.connect(autostart_agent=False, client="doctor") as agent:
            facts = agent.ask_json("status", {}, timeout=5)
    except AgentUnavailable as error:
        if error.message == "no agent is running":
            yield Check("agent", "ok", "not running; the first Ctrl+T starts it")
            return
        raise
    detail = f"running, process {facts['pid']}, {facts['rss'] / 2**20:.0f} MB"
    if facts["version"] != terma.__version__:
        detail += f", version {facts['version']}"
        yield Check("agent", "note", detail, "terma agent restart")
    else:
        yield Check("agent", "ok", detail)


def _transport() -> Iterator[Check]:
    """zsh opens the socket itself; bash needs a helper for it."""
    zsh = shutil.which("zsh")
    if zsh and "yes" not in _output([zsh, "-f", "-c", "zmodload zsh/net/socket zsh/system && echo yes"]):
        yield Check(
            "transport", "fail", "this zsh has no zsh/net/socket", "install the distribution's zsh package"
        )
    if not shutil.which("bash"):
        return
    if (netcat := shutil.which("nc")) and "-U" in _output([netcat, "-h"]):
        yield Check("transport", "ok", f"bash talks through {netcat} -U")
    elif socat := shutil.which("socat"):
        yield Check("transport", "ok", f"bash talks through {socat}")
    else:
        hint = "faster: apt install netcat-openbsd" if sys.platform == "linux" else ""
        yield Check("transport", "ok", f"bash talks through {sys.executable}", hint)


def _settings() -> Iterator[Check]:
    """The file and the variables, as this shell has them."""
    from terma.config.layers import load

    file = paths.config_dir() / "config.toml"
    found = load(file, os.environ)
    where = str(file) if file.exists() else "no file, the defaults"
    outside = sorted({name for name in found.origins.values() if name.startswith("TERMA_")})
    yield Check("settings", "ok", f"{where}{'; ' + ', '.join(outside) if outside else ''}")
    for name in found.ignored:
        yield Check(
            "settings",
            "note",
            f"{name} would loosen what {file.name} says, and is not heard",
            "terma config edit",
        )


def _model() -> Iterator[Check]:
    """Which engine answers here, with a question to it when it is a model."""
    from terma.agent import inprocess
    from terma.commands._asking import settings

    here = {"cwd": str(Path.cwd()), "path": os.environ.get("PATH", "")} | settings()
    shown = inprocess.ask_json("models", here)
    chosen = f"{shown['used']} ({shown['why']})"
    for one in shown["left"]:
        if one["note"]:
            said, _, hint = one["note"].removeprefix(f"{one['why']}; ").partition(": ")
            asked = said == "to use it"
            yield Check(
                "model", "note", f"{one['why']}, and is not used" if asked else one["note"], hint * asked
            )
    if shown["provider"] in registry.names("terma.providers"):
        yield Check("model", "ok", chosen)
        return
    check = inprocess.ask_json("models", here | {"check": "1"})["check"]
    if check["ok"]:
        yield Check("model", "ok", f"{chosen}; first word after {check['seconds']:g} s")
    else:
        yield Check("model", "fail", f"{chosen}: {check['error']}", check["hint"])


def _engine() -> Iterator[Check]:
    from terma.providers.offline import PLUGIN

    try:
        PLUGIN.preload()
    except ImportError as error:
        yield Check("engine", "fail", f"the offline engine does not load: {error}", "install terma again")
        return
    yield Check("engine", "ok", f"{os.environ.get('TERMA_ENGINE') or 'auto'}; the offline engine loads")


def _parser() -> Iterator[Check]:
    try:
        from terma.risk import assess

        works = assess("rm -rf x").level == "high"
    except ImportError:
        works = False
    if works:
        yield Check("risk", "ok", "commands are checked before you press Enter")
    else:
        yield Check("risk", "fail", "commands cannot be checked", "install terma again")


def _added() -> Iterator[Check]:
    """What the person added that is left out: where it would be used there is nobody to tell."""
    for package, folder in added.OPEN.items():
        told: list[str] = []
        there = [name for name, _ in added.every(package, told.append)]
        for line in told:
            yield Check("added", "note", line, "docs/plugins.md shows a whole one of each")
        if there:
            yield Check("added", "ok", f"{folder}: {', '.join(there)}")
    from terma.offline import recipes

    found = recipes.read()
    for line in found.errors:
        yield Check("added", "note", f"recipes: {line}", "docs/recipes.md shows a whole one")
    if found.rows:
        yield Check("added", "ok", f"recipes: {len(found.rows)}")


def _output(command: list[str], seconds: float = 5.0) -> str:
    """What a program prints, errors too; "" when it cannot run or takes too long."""
    try:
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=seconds,
            check=False,
            start_new_session=True,  # an interactive shell must not take our terminal
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.decode("utf-8", "replace")
