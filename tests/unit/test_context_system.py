"""What is said of the machine is what the machine says of itself."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from terma.context import system as module
from terma.context.system import os_release, system

UBUNTU = """\
PRETTY_NAME="Ubuntu 24.04.1 LTS"
# a comment
NAME=Ubuntu
ID=ubuntu
ID_LIKE=debian
ODD='single $x'
ESCAPED="a \\"b\\" \\$c"
"""


def test_os_release_is_read_as_a_shell_would() -> None:
    facts = os_release(UBUNTU)
    assert facts["PRETTY_NAME"] == "Ubuntu 24.04.1 LTS"
    assert (facts["NAME"], facts["ID_LIKE"]) == ("Ubuntu", "debian")
    assert (facts["ODD"], facts["ESCAPED"]) == ("single $x", 'a "b" $c')
    assert os_release("no line of its kind") == {}


def test_kernel_and_architecture_are_those_of_uname() -> None:
    told = subprocess.run(["uname", "-srm"], capture_output=True, text=True, check=True).stdout.split()
    here = system()
    assert [here.kernel, here.release, here.arch] == told
    assert " ".join(told) in here.line


@pytest.mark.skipif(not Path("/etc/os-release").exists(), reason="no os-release on this system")
def test_the_distribution_is_named() -> None:
    wanted = os_release(Path("/etc/os-release").read_text())
    assert system().name == wanted.get("PRETTY_NAME", wanted.get("NAME", ""))
    assert system().family.split()[0] == wanted["ID"]


def test_the_first_package_manager_on_the_path(tmp_path: Path) -> None:
    for name in ("brew", "dnf"):
        (tmp_path / name).write_text("#!/bin/sh\n")
        (tmp_path / name).chmod(0o755)
    assert system(path=str(tmp_path)).manager == "dnf"
    assert system(path="/nowhere:relative").manager == ""


def test_shell_version_and_ssh_come_from_the_shell() -> None:
    here = system("zsh", env={"ZSH_VERSION": "5.9", "SSH_CONNECTION": "a b c d"})
    assert (here.shell, here.remote) == ("zsh 5.9", True)
    assert "over ssh, zsh 5.9" in here.line
    assert system("bash", env={"BASH_VERSION": "5.2.15(1)-release"}).shell == "bash 5.2.15(1)-release"
    assert system("bash", env={"BASH_VERSION": "\x1b[2J; rm -rf ~"}).shell == "bash"
    assert not system("bash").remote


@pytest.mark.skipif(sys.platform != "linux", reason="Linux alone needs no program for this")
def test_nothing_is_started_on_linux(monkeypatch: pytest.MonkeyPatch) -> None:
    module._machine.cache_clear()
    started: list[object] = []
    monkeypatch.setattr(subprocess, "Popen", lambda *words, **_: started.append(words))
    monkeypatch.setattr(os, "fork", lambda: started.append("fork"))
    assert system("zsh").kernel == "Linux"
    assert started == []


@pytest.mark.parametrize(("release", "place"), [("5.15.153.1-microsoft-standard-WSL2", "WSL")])
def test_wsl_is_told_from_its_kernel(release: str, place: str) -> None:
    assert module._place(release) == place
