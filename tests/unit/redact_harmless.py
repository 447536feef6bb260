"""Output of real programs on this machine, in which no secret stands."""

from __future__ import annotations

import hashlib
import importlib.metadata
import random
import subprocess
import sys
import uuid
from pathlib import Path

ROOT = Path(__file__).parents[2]


def _run(*command: str, most: int = 300) -> list[str]:
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, errors="replace", cwd=ROOT, timeout=90, check=False
        )
    except OSError:
        return []
    return done.stdout.splitlines()[:most]


def _made() -> list[str]:
    """What programs that need not be here print: identifiers and sums of every length."""
    source, rows = random.Random(1), []
    for number in range(60):
        data = source.randbytes(64)
        sha = hashlib.sha256(data).hexdigest()
        rows += [
            f"{sha}  file{number}.tar.gz",
            f'{sha[:12]}   nginx:1.{number}   "/docker-entrypoint.…"   2 hours ago   Up 2 hours   0.0.0.0:80->80/tcp',
            f"sha256:{sha}",
            f"UUID={uuid.UUID(bytes=data[:16])} /mnt/d{number} ext4 defaults 0 2",
            f"SHA2-256(file{number})= {sha}",
            f"index {sha[:7]}..{sha[7:14]} 100644",
            f'    "request_id": "{uuid.UUID(bytes=data[16:32])}",',
        ]
    return rows


def real_output() -> list[str]:
    """Some thousands of lines."""
    rows = _made()
    rows += _run("git", "log", "--stat", "-40", "--format=fuller", most=700)
    rows += _run("git", "log", "--format=%H %T %ci %s", most=300)
    rows += _run("ls", "-lR", "terma", most=300) + _run("ls", "-l", "/usr/bin", most=400)
    rows += _run("ps", "aux", most=60) + _run("env", "-i", "bash", "-c", "set; alias; ulimit -a", most=80)
    rows += _run("df", "-h") + _run("mount") + _run("curl", "--help", "all") + _run("git", "help", "-a")
    rows += (
        _run(sys.executable, "-m", "pip", "--help") + _run("dpkg", "-l", most=300) + _run("openssl", "help")
    )
    rows += (ROOT / "requirements-dev.lock").read_text(encoding="utf-8").splitlines()[:400]
    for path in sorted((ROOT / "terma").rglob("*.py"))[:60]:
        if "redact" not in str(path):
            rows += path.read_text(encoding="utf-8").splitlines()
    rows += [f"{d.name}=={d.version}" for d in importlib.metadata.distributions()]
    return [row for row in rows if row.strip()]
