"""What machine a command was typed on: facts that decide which package manager or option is the right one."""

from __future__ import annotations

import os
import platform
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from terma.text import one_line

# In the order of asking: a system's own manager before those that are added to it.
MANAGERS = "apt-get dnf yum zypper pacman apk xbps-install emerge nix-env pkg pkg_add brew port".split()
_TIMEOUT = 2.0  # seconds for sw_vers, once, on macOS
_VERSION = re.compile(r"\d+(?:\.\d+)*[\w.()-]{0,16}\Z")


@dataclass(frozen=True, slots=True)
class System:
    """`kernel` is "Linux" or "Darwin", `name` like "Debian GNU/Linux 12 (bookworm)", `family` the ids of os-release
    ("ubuntu debian") or "macos". `manager` is the package manager found on PATH, or "". `place` is container, WSL or
    ""; `remote`: the shell came over ssh. `shell` is like "zsh 5.9", without a version when that is not known."""

    kernel: str
    release: str
    arch: str
    name: str = ""
    family: str = ""
    manager: str = ""
    place: str = ""
    remote: bool = False
    shell: str = ""

    @property
    def line(self) -> str:
        """The facts as one line: `system: Debian GNU/Linux 12 (bookworm), Linux 6.1.0 x86_64, apt-get, over ssh`."""
        parts = [
            self.name,
            f"{self.kernel} {self.release} {self.arch}",
            self.manager,
            {"container": "in a container", "WSL": "in WSL"}.get(self.place, ""),
            "over ssh" if self.remote else "",
            self.shell,
        ]
        return one_line("system: " + ", ".join(part for part in parts if part))


def system(shell: str = "", path: str = "", env: Mapping[str, str] | None = None) -> System:
    """The machine, for a shell with PATH `path` ("": the agent's own).

    `env` holds what is known of the asking shell's environment: SSH_CONNECTION or SSH_TTY, ZSH_VERSION, BASH_VERSION,
    FISH_VERSION, XONSH_VERSION. Forks nothing on Linux. Never raises."""
    env = env or {}
    kernel, release, arch, name, family, place = _machine()
    version = env.get(f"{shell.upper()}_VERSION", "")
    return System(
        kernel,
        release,
        arch,
        name,
        family,
        _manager(path or os.environ.get("PATH", os.defpath)),
        place,
        bool(env.get("SSH_CONNECTION") or env.get("SSH_TTY")),
        f"{shell} {version}" if _VERSION.match(version) else shell,
    )


def os_release(text: str) -> dict[str, str]:
    """The variables in the text of an os-release file, os-release(5): NAME=value, quoted as a shell would."""
    found = {}
    for line in text.split("\n"):
        name, equals, value = line.strip().partition("=")
        if equals and not name.startswith("#"):
            if value[:1] in ("'", '"') and value[-1:] == value[:1]:
                value = re.sub(r'\\(["$`\\])', r"\1", value[1:-1])
            found[name] = value
    return found


@lru_cache(maxsize=8)
def _manager(path: str) -> str:
    folders = ":".join(folder for folder in path.split(":") if folder.startswith("/"))
    return next((name for name in MANAGERS if shutil.which(name, path=folders)), "")


@lru_cache(maxsize=1)
def _machine() -> tuple[str, str, str, str, str, str]:
    """kernel, release, arch, name, family, place."""
    kernel, _, release, _, arch = os.uname()
    if sys.platform == "darwin":
        return kernel, release, arch, _macos(), "macos", ""
    facts = os_release(_read("/etc/os-release") or _read("/usr/lib/os-release"))
    family = " ".join(part for part in (facts.get("ID", ""), facts.get("ID_LIKE", "")) if part)
    name = facts.get("PRETTY_NAME") or facts.get("NAME", "")
    return kernel, release, arch, name, family, _place(release)


def _macos() -> str:
    version = platform.mac_ver()[0]  # reads a property list; asks sw_vers only when that gives nothing
    if not version:
        try:
            asked = ["/usr/bin/sw_vers", "-productVersion"]
            done = subprocess.run(asked, capture_output=True, text=True, timeout=_TIMEOUT, check=False)
            version = done.stdout.strip()
        except (OSError, subprocess.SubprocessError):
            version = ""
    return f"macOS {version}".strip()


def _place(release: str) -> str:
    if "microsoft" in release.lower():
        return "WSL"
    marked = Path("/.dockerenv").exists() or Path("/run/.containerenv").exists()
    groups = _read("/proc/1/cgroup")
    named = os.environ.get("container")  # noqa: SIM112 — systemd-nspawn and podman write it so
    if marked or named or re.search(r"docker|kubepods|containerd|lxc", groups):
        return "container"
    return ""


def _read(path: str) -> str:
    try:
        with Path(path).open(encoding="utf-8", errors="replace") as file:
            return file.read(16_384)
    except OSError:
        return ""
