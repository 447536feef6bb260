"""What a line does on devices and stores, into repositories and by settings: told by verbs, roles and kinds."""

from __future__ import annotations

from pathlib import Path

import pytest

from terma.risk import assess

DANGEROUS = [
    # a device has no shell: the verb stands where a program does
    ("ssh sw7 'delete flash:old.bin'", "medium", "deletes"),
    ("ssh sw7 'erase startup-config'", "high", "deletes"),
    ("ssh sw7 'format flash:'", "high", "deletes"),
    ("ssh sw7 reload in 5", "high", "stops"),
    # the name of a script that a store is told to run
    ("redis-cli --eval drop_all.lua", "high", "deletes"),
    ("valkey-cli debug segfault", "high", "stops"),
    # all of a kind, and not one by its number
    ("curl -X DELETE https://api.example.com/v2/projects", "high", "deletes"),
    # a key that goes to another machine
    ("kubectl cp ~/.ssh/id_rsa web-0:/tmp/k", "high", "leaks"),
    ("git add -f .env && git commit -m x && git push", "high", "leaks"),
    # a setting that names a program
    ("frob config set core.pager 'less -R'", "medium", "persists"),
    ("frob config set hook /tmp/x", "high", "persists"),
    ("docker build -t app https://git.example.com/x.git", "medium", "runs-unknown-code"),
    ("avrdude -p m8 -c usbasp -e", "high", "disks"),
    ("frob free note", "medium", "deletes"),
    ("exportfs -o rw,no_root_squash '*:/srv'", "high", "grants"),
]
HARMLESS = [
    "ssh sw7 'show running-config'",
    "redis-cli --eval count_keys.lua",
    "kubectl cp ./report.csv web-0:/tmp/",
    "git add main.py && git commit -m x && git push",
    "docker build -t git.example.com/app .",
    "avrdude -p m8 -c usbasp -U flash:r:dump.hex:i",
    "sudo pfctl -s rules",
    "sudo exportfs -v",
    "doveadm user '*'",
    "free -h",
]


@pytest.mark.parametrize(("line", "level", "kind"), DANGEROUS)
def test_what_is_done_at_the_far_end_is_said(line: str, level: str, kind: str, tmp_path: Path) -> None:
    found = assess(line, str(tmp_path), "bash")
    assert (found.level, kind in found.kinds) == (level, True), found


@pytest.mark.parametrize("line", HARMLESS)
def test_what_only_looks_there_is_low(line: str, tmp_path: Path) -> None:
    assert assess(line, str(tmp_path), "bash").level == "low"
