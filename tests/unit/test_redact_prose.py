"""What people tell each other of a secret is hidden, in the languages that they write; what is said about one stays."""

from __future__ import annotations

import pytest

from terma.redact import redact

TOLD = [
    "the database password on the new host is §Teapot_19Reed§",
    "my pw is still §walnut§",
    "set the root password to §Quill-and-Ink7§ for now",
    "take §Heron.Lake.31§ as the password",
    "the passphrase of the backup key: §three grey herons walk home§",
    "PIN of the door: §8120§",
    "your verification code is §402917§",
    "recovery codes: §4kd8-s0ql§ §zz31-9xwp§",
    "unlock the vault with §Copper?Gate5§",
    "use the token §d41c7f0b3e9a5526d41c7f0b3e9a5526ab§ from now on",
    "das neue Kennwort für den Drucker lautet §Ahornblatt_8§",
    "nimm §Distel.Feld.4§ als Passwort",
    "le mot de passe du serveur est §Hibou!9921§",
    "la contraseña del router ahora es «§Lince-azul-8§»",
    "la password del sito è §Gelso?44§",
    "a senha do roteador é §tucano_771§",
    "hasło do drukarki to §Zajac-Lesny5§",
    "пароль от роутера §Belka_7719§",
    "şifre: §Yunus?Koy12§",
    "salasana on §Karhu_Jarvi2§",
    "服务器的密码是 §Zhuzi-5512§",
    "パスワードは「§Kitsune_70!§」です",
    "서버 비밀번호는 §Horangi?818§ 입니다",
    "סיסמה: §Rimon_4402§",
]
SAID = [
    "the password for web-42 expired yesterday",
    "the password manager is KeePassXC2",
    "the token is valid for 24h",
    "your password is stored in 1Password",
    "passwords are hashed with argon2id-v19",
    "the password is base64-encoded in config.yaml:12",
    "reset the password on https://id.example.org/reset?step=2",
    "the password must hold 12 characters",
    "the public key token is b77a5c561934e089",
    "pass the result to start_response2",
    "the exit code is 137",
    "pin the version to 4.11",
    "GPIO pin 17 is high",
    "das Passwort läuft am 2026-04-01 ab",
    "le mot de passe est trop court",
    "la contraseña no es válida",
    "пароль на web-7 не подходит",
    "密码错误",
    "the secret is db-credentials",
    "token count: 4096",
]


@pytest.mark.parametrize("line", TOLD)
def test_what_is_told_is_hidden(line: str) -> None:
    values = line.split("§")[1::2]
    shown = redact(line.replace("§", "")).text
    assert values
    assert [value for value in values if value in shown] == []


@pytest.mark.parametrize("line", SAID)
def test_what_is_said_about_one_stays(line: str) -> None:
    assert redact(line).text == line


VALUE = "Xk9!mmQz2#rT"
FIELDS = (
    '{"msg": "the token expired", "trace_id": "a22fa0e70e239758b061a3ed96474138"}',
    '{"level":"warn","msg":"password reset requested","request_id":"6d95e150-7710-7cc1-ce4d-79cbab4f8970"}',
    r"{\"msg\":\"password reset requested\",\"request_id\":\"6d95e150-7710-7cc1-ce4d-79cbab4f8970\"}",
    'level=info msg="the refresh token" request_id=a22fa0e70e239758b061a3ed96474138',
    '["no such token", "a22fa0e70e239758b061a3ed96474138"]',
    "revoked token id=a0e0280f869716a3ae302181",
)


@pytest.mark.parametrize("line", FIELDS)
def test_a_sentence_ends_with_the_string_that_holds_it(line: str) -> None:
    assert redact(line).text == line


@pytest.mark.parametrize(
    "line",
    [
        f'{{"msg": "the password for bob is {VALUE}", "n": 3}}',
        f'the password is "{VALUE}"',
        f'msg="new password: {VALUE}" n=3',
        f'a 5" disk, and the password is {VALUE}',
    ],
)
def test_what_the_string_itself_tells_is_hidden(line: str) -> None:
    assert VALUE not in redact(line).text
