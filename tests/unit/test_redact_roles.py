"""Secrets by the place in which they stand: codes in messages, lists of users, hashes being made, names in quotes;
and what a test says of a password that nobody has."""

from __future__ import annotations

import pytest

from terma.redact import redact

HIDDEN = [
    ("482913 is your Acme verification code.", "482913"),
    ("use code 482913 to sign in", "482913"),
    ("G-482913 is your login code", "G-482913"),
    ("backup code 4829 1377", "4829 1377"),
    ("the safe combination is 48-29-13", "48-29-13"),
    ("le code d'accès root est Tilleul4#ub", "Tilleul4#ub"),
    ("totp key MFZWIZTHMJ2W4Z3K", "MFZWIZTHMJ2W4Z3K"),
    ('frob user-secrets set "Db:Password" "Tilleul4#ub"', "Tilleul4#ub"),
    ('bcrypt.hashpw(b"Tilleul4#ub", bcrypt.gensalt())', "Tilleul4#ub"),
    ("['password' => bcrypt('Tilleul4#ub')]", "Tilleul4#ub"),
    ("ann * Tilleul4#ub *", "Tilleul4#ub"),
    ("ann\t*\tTilleul4#ub\t10.0.0.7", "Tilleul4#ub"),
    ('"ann" "Tilleul4#ub"', "Tilleul4#ub"),
    ("ann:{PLAIN}Tilleul4#ub", "Tilleul4#ub"),
    ("relay.example.com ann:Tilleul4#ub", "Tilleul4#ub"),
    ("rsync --password-file=<(echo Tilleul4#ub) a h::m", "Tilleul4#ub"),
    ("printf '%s' 'Tilleul4#ub' > /run/secrets/db_password", "Tilleul4#ub"),
    ("define( 'AUTH_KEY', 'q7Lw3ZpX9vTr2MnB6yKd4HsF8aJc1GeU ' );", "q7Lw3ZpX9vTr2MnB6yKd4HsF8aJc1GeU"),
]
LEFT = [
    'assert login("ann", "wrong-password") is False',
    'client.login("ann", "invalid_token")',
    "status code 404 1377",
    "the verification code 2026-01-02 was logged",
    "exit code 137 to stop",
    "0 * * * * root",
    "5 * 4 *",
    '"name" "version"',
    "bcrypt.hashpw(password, bcrypt.gensalt())",
    "mail.example.com mail:received",
    "printf '%s' \"$X\" > /run/secrets/db_password",
]


@pytest.mark.parametrize(("text", "secret"), HIDDEN)
def test_the_place_gives_it_away(text: str, secret: str) -> None:
    done = redact(text)
    assert secret not in done.text
    assert done.secrets


@pytest.mark.parametrize("text", LEFT)
def test_the_same_place_with_nothing_in_it_stays(text: str) -> None:
    assert redact(text).text == text
