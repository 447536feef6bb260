"""What can be done here at all: become root, reach a network, install into this Python."""

from __future__ import annotations

import grp
import os
import sys
import sysconfig
from pathlib import Path

_ADMINS = ("sudo", "wheel", "admin", "root")


def is_root() -> bool:
    return os.geteuid() == 0


def is_admin() -> bool:
    """Whether this user is in a group that sudo usually serves."""
    for number in os.getgroups():
        try:
            if grp.getgrgid(number).gr_name in _ADMINS:
                return True
        except KeyError:
            continue
    return False


def has_network(root: str = "/proc/net") -> bool:
    """Whether any route leads off this machine; True where that cannot be told."""
    try:
        rows = Path(f"{root}/route").read_bytes().splitlines()[1:]
        if any(not row.startswith(b"lo\t") for row in rows):
            return True
        other = Path(f"{root}/ipv6_route").read_bytes().splitlines()
    except OSError:
        return True
    return any(not row.endswith(b" lo") for row in other)


def is_managed(python: str) -> bool:
    """Whether the Python at `python` (a path) belongs to the system's packages (PEP 668)."""
    real = Path(os.path.realpath(python))
    if Path(python).parent.joinpath("../pyvenv.cfg").exists():
        return False
    name = (
        real.name
        if real.name.startswith("python3.")
        else f"python{sys.version_info[0]}.{sys.version_info[1]}"
    )
    folder = real.parent.parent / "lib" / name
    own = Path(sysconfig.get_path("stdlib")) if real == Path(os.path.realpath(sys.executable)) else folder
    return any(
        (place / "EXTERNALLY-MANAGED").exists()
        for place in (folder, own, real.parent.parent / "lib" / "python3")
    )
