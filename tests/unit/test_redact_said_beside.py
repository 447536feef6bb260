"""Secrets that what stands beside or above them gives away, and what looks like them and is none."""

from __future__ import annotations

import pytest

from terma.redact import redact

HIDDEN = [
    ("(0) {}", "0x" + "8f3a61c2" * 8),
    ("tls-crypt-key: {}", "51b8fe1c03d9a74e"),
    ("    Key Content            : {}", "mZ7$qpW2rK"),
    ("$ cat recovery.txt\n{}", "cruel ladder orbit tunnel wagon zebra noble jungle hazard fiber echo dune"),
    ("[mysqld] generated for root@db: {}", "plum-anchor-731"),
    (
        "SENTRY_DSN=https://{}:0c1d2e3f4a5b6c7d8e9f0a1b2c3d4e5f@o1.example/4",
        "a1b2c3d4e5f60718293a4b5c6d7e8f90",
    ),
    (".x.example\tTRUE\t/\tTRUE\t1790000000\tsid\t{}", "k3v9q1z7m5x2b8n4c6l0j"),
    ("$ nmcli -s -g 802-11-wireless-security.psk connection show Attic\n{}", "Tulip_77xQb!"),
    ('<input type="password" name="p" value="{}">', "vQ9!rtL2"),
]


@pytest.mark.parametrize(("text", "secret"), HIDDEN)
def test_a_secret_is_known_by_what_stands_beside_it(text: str, secret: str) -> None:
    assert secret not in redact(text.format(secret)).text


@pytest.mark.parametrize(
    "text",
    [
        "ii  passwd  1:4.13+dfsg1-4  amd64  change and administer password and group data",
        "Set `API_KEY` to your key, e.g. `API_KEY=abc123...`",
        "(0) 0x8f3a61c28f3a61c28f3a61c28f3a61c28f3a61c2",
        "$ cat seeds.txt\nsow these in april",
        "$ ls recovery\nbin boot dev home media mnt opt proc root run",
    ],
)
def test_what_looks_like_it_stays(text: str) -> None:
    assert redact(text).text == text
