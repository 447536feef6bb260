"""A machine far away: an sshd of the test's own on this one, and the configuration of an ssh that reaches it."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.conftest import WAIT
from tests.e2e.sessioned import EVERYTHING, wait_until


@pytest.fixture
def login(place: Path) -> Iterator[Path]:
    """The configuration of an ssh that reaches a server of this test's own, as host `host`."""
    if not (EVERYTHING or os.access(_sshd(), os.X_OK)):
        pytest.skip("sshd is not installed")
    with far_away(place) as config:
        yield config


def _sshd() -> str:
    return shutil.which("sshd") or "/usr/sbin/sshd"


@contextmanager
def far_away(place: Path) -> Iterator[Path]:
    """The same, in the empty folder `place`."""
    if os.geteuid() == 0:
        Path("/run/sshd").mkdir(mode=0o755, exist_ok=True)  # sshd wants it when it runs as root
    for name in ("host", "user"):
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", place / name], check=True)
    shutil.copy(place / "user.pub", place / "allowed")
    far = place / "far"
    far.mkdir()
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    (place / "sshd_config").write_text(
        f"ListenAddress 127.0.0.1:{port}\nHostKey {place}/host\nAuthorizedKeysFile {place}/allowed\nStrictModes no\n"
        f"UsePAM no\nPidFile none\nPasswordAuthentication no\nPrintMotd no\nPrintLastLog no\n"
        f"SetEnv HOME={far} HISTFILE=/dev/null\n"
    )
    (place / "ssh_config").write_text(
        f"Host host\n HostName 127.0.0.1\n Port {port}\n IdentityFile {place}/user\n IdentitiesOnly yes\n"
        f" UserKnownHostsFile {place}/known\n StrictHostKeyChecking accept-new\n"
    )
    with (place / "sshd.log").open("wb") as log:
        server = subprocess.Popen([_sshd(), "-D", "-e", "-f", place / "sshd_config"], stderr=log)
    try:
        wait_until(lambda: _accepts(port), f"sshd: {(place / 'sshd.log').read_text()}")
        yield place / "ssh_config"
    finally:
        server.kill()
        server.wait(WAIT)


def _accepts(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0
