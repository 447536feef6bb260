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
    # names in other languages
    ("Zugangsschlüssel={}", "M0MTzm6csjsozV0HReKAYJMjfLuN"),
    ("mot_de_passe={}", "Tournesol&Vent9"),
    ('jeton_acces: "{}"', "eOBtdAqP3skXgFWZxt9JlwhRGztdoUOj"),
    ("clave_api = {}", "5d6bkf348bp8xbocdagwl6c7gn53084d"),
    ('{{"benutzer":"lager","geheimnis":"{}"}}', "vT5!pzQ-12w"),
    ("Passwort {}", "parade-lantern-690"),
    # protocols, devices and their command languages
    ("mount.cifs //nas/d /mnt -o user=svc,pass={}", "Kl4mmer.Affe"),
    ("# sasl_passwd: [smtp.example.net]:587 mailer:{}", "Porto.Frei6"),
    ("HELLO 3 AUTH default {}", "Lantern99!"),
    ("a1 LOGIN ole {}", "violet_otter1"),
    ("ntp authentication-key 1 md5 {}", "ctQUy$1xvC"),
    ("wpa_cli set_network 0 psk '\"{}\"'", "Ladder93!"),
    ("enable secret level 15 {}", "Xk29qLmz"),
    # what a value is for
    ("ffmpeg -i a.mp4 -f flv rtmp://live.example/live2/{}", "f0es-gr4q-7j28-iihp-2lrv"),
    ("youtube streamkey {}", "ssrr-xq3m-2plp-pjsm-uezq"),
    ("MATLAB activation key {}", "82812-64644-60495-66053"),
    ("totp seed {}", "YUSLG7L4J5GHUU7VU5U7ZNKPMPDUDV2B"),
    ("NTLM hash {}", "88c3ce72a40c19b0ea0ac1e3dc300db5"),
    ("hashcat potfile 8846f7eaee8fb117ad06bdd830b7586c:{}", "walnut-river-830"),
    ('{{"username":"mei","key":"{}"}}', "2a4b3583f449031d0301b44a30cb5739"),
    ("Client('ole', '{}')", "4Qwb8$DwkN"),
    ("curl --user {}: https://x.example", "sk_7tOtHWnsCGRlrwZbqcabUGJm"),
    ('export BORG_PASSPHRASE="{}"', "Korb voll Nuesse!"),
    ('connect(user="ETL", password="{}")', "Schn33.Flocke"),
    ("Use {} to log in the first time", "Parade56!"),
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
        "loaded 32000 tokens from vocab.json (sha1 2a29eed565e700cb1720525d001af17d8206568e)",
        "ansible-vault encrypt_string --name db_password",
        "enable secret level 15",
        "Schlüssel: Spalte 12",
        "primary key in orders-items-2024",
        'hash = password("Base64.Encode")',
        "rtmp://live.example/app/stream-name",
        "backup code 3 of 8",
        "use ed25519-sha256 to log in",
    ],
)
def test_what_looks_like_it_stays(text: str) -> None:
    assert redact(text).text == text
