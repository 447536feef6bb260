"""What the name of a value promises: a password, a key, a number, or nothing that is secret."""

from __future__ import annotations

import functools
import re

from terma.redact.nouns import KEY_KINDS

# The last words of a name that holds a secret, after camelCase and separators are split: "db password", "api key".
PASSWORDS = frozenset(
    "password passwd passphrase pwd pass passwort pswd psk userpass pgpassword mysqlpwd pw sshpass passcode masterpass "
    "pinentry rootpw bindpw requirepass masterauth authtok "
    # as others write them without their accents
    "passwort kennwort motdepasse mdp passe contrasena contrasenya clave senha parola haslo heslo jelszo wachtwoord "
    "losenord loesenord adgangskode passord salasana sifre lozinka parool geslo geheimnis geheim katasandi "
    "palavrapasse zugangswort".split()
)
KEYS = frozenset(
    "secret token apikey apitoken secretkey accesskey privatekey authtoken accesstoken refreshtoken credential "
    "credentials clientsecret sharedkey authkey signingkey encryptionkey bearer jwt pat sessionid sessid "
    "phpsessid jsessionid sharedaccesskey accountkey masterkey appsecret webhooksecret xsrftoken csrftoken "
    "deploykey licensekey presharedkey passkey dockerconfigjson dockercfg instrumentationkey "
    "jeton schluessel zugangsschluessel apischluessel streamkey botkey".split()
)
PAIRS = frozenset((first, "key") for first in KEY_KINDS) | {
    ("session", "id"),
    ("secret", "id"),
    ("key", "data"),
    ("basic", "auth"),
    ("npm", "auth"),
    ("x", "auth"),
    ("erlang", "cookie"),
    *(
        (first, last)
        for first in ("clave", "cle", "chave", "chiave", "klucz", "llave")
        for last in ("api", "secreta")
    ),
    *(
        (first, last)
        for first in ("jeton", "token", "cle")
        for last in ("acces", "acceso", "acesso", "secrete")
    ),
    ("stream", "key"),
    *((first, last) for first in ("totp", "otp", "hotp", "mfa", "authenticator") for last in ("seed", "key")),
}
# Words for what is a secret where its value could be nothing else, unless another word says that it is public.
PERHAPS = frozenset("key keys session seed oauth cookie nonce private refresh bearer signing".split())
# Words for what may be as short as it likes: digits alone, or a few letters that are no word.
NUMBERS = frozenset("pin pincode otp totp cpin puk mpin upin".split())
SHORT = frozenset("salt pepper community".split())
PUBLIC = frozenset(
    "public pub cache primary foreign sort partition row object site socket hosts dedup idempotency "
    "group index map file path name id fingerprint type lookup sorting column shard hash range natural "
    "unique translation i18n message lock did item node fk pk s3 bucket registry kms master_key_id verify "
    "verifying trusted known recipient cert ca".split()
)
TRAILERS = frozenset(
    "value data base64 b64 prod production dev test live staging raw plain text str string new old base current "
    "previous next secondary b ro rw readonly readwrite".split()
)
WIRELESS = frozenset("wireless wifi wlan wpa ssid".split())
# What a name speaks of that is shown to everybody, and words of messages about a secret.
SHOWN = frozenset("public pub publishable".split())
TOLD = frozenset(
    "label placeholder title hint message msg tooltip caption description checksum digest fingerprint".split()
)
OF_OTHERS = ("kennwort", "wachtwoord", "contrasena", "geheimnis")
# rpcpassword, bottoken
COMPOUND = (
    "password",
    "passwd",
    "passphrase",
    "passwort",
    "secret",
    "token",
    "apikey",
    "pwd",
    "schluessel",
    *OF_OTHERS,
)
# dbpass, mailpw: words for whose password it is, since many others end so (compass, lowpass).
OWNED = re.compile(
    r"(?:db|database|sql|mysql|maria|pg|postgres|mongo|redis|ldap|bind|mail|email|e|smtp|imap|pop|ftp|sftp|ssh|vpn|http|proxy"
    r"|user|usr|admin|root|su|sudo|login|wifi|wlan|ap|key|store|keystore|trust|cert|auth|app|api|web|site|host|account|acct|svc"
    r"|service|backup|zip|rar|wp|mqtt|amqp|rabbit|sip|snmp|enable|guest|owner|upload|sys|sa|bot|test|dev|prod|new|old|my|the"
    r"|master|server|client|router|nas|kibana|elastic|become|temp|tmp|default|repo|registry)(?:pass|pw)$"
)
NAME_PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")


@functools.lru_cache(20_000)
def family(name: str) -> str:
    """ "password", "key" or "" : what a name like `dbPassword` or `X-API-Key` promises."""
    parts = [part.lower() for part in NAME_PARTS.findall(name[-80:])]
    while (
        len(parts) > 1 and (parts[-1] in TRAILERS or parts[-1].isdigit()) and tuple(parts[-2:]) not in PAIRS
    ):
        parts.pop()
    if not parts or not TOLD.isdisjoint(parts):
        return ""
    compound = next((end for end in COMPOUND if parts[-1].endswith(end)), "")
    if parts[-1] in PASSWORDS or compound.startswith("p") or compound in OF_OTHERS or OWNED.match(parts[-1]):
        if len(parts) > 1 and parts[-2] in ("by", "without", "no", "one"):
            return ""
        return "" if parts in (["pwd"], ["old", "pwd"], ["oldpwd"]) and name.isupper() else "password"
    if not SHOWN.isdisjoint(parts):
        return ""
    if parts[-3:] == ["private", "key", "id"]:
        return "key"  # of an account of a cloud, beside the key itself
    joined = "".join(parts[-2:])
    if name == "Session-ID":  # of TLS
        return ""
    if joined == "sessionid" or parts[-1] in ("sessionid", "session"):
        return "session"
    known = (
        (parts[-1].endswith("key") and parts[-1][:-3] in KEY_KINDS)
        or parts[-1] in KEYS
        or joined in KEYS
        or tuple(parts[-2:]) in PAIRS
        or parts == ["auth"]
    )
    known = known or bool(compound) or (name.isupper() and _of_a_variable(parts))
    if known:
        return "key"
    if parts[-1] == "key" and not WIRELESS.isdisjoint(parts):
        return "password"
    if parts[-1] in NUMBERS:
        return "number"
    if (parts[-1] in SHORT or (parts[-1].endswith("salt") and len(parts[-1]) > 6)) and PUBLIC.isdisjoint(
        parts
    ):
        return "short"
    if parts[-1].endswith(("pass", "pw")) and len(parts[-1]) > 3:
        return "pass"
    if parts[-1] not in PERHAPS or len(parts) < 2 or not PUBLIC.isdisjoint(parts):
        return ""
    return "keys" if parts[-1] == "key" else "perhaps"


def _of_a_variable(parts: list[str]) -> bool:
    """Of a name in capitals, whether its last word says key or auth and no other that it is public: MAPS_KEY."""
    return len(parts) > 1 and parts[-1] in ("key", "auth") and PUBLIC.isdisjoint(parts)
