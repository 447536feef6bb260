"""Tells a secret from what stands in its place: variables, stars, examples, types and calls are no secret."""

from __future__ import annotations

import re

# The last words of a name that holds a secret, after camelCase and separators are split: "db password", "api key".
PASSWORDS = frozenset(
    "password passwd passphrase pwd pass passwort pswd psk userpass pgpassword mysqlpwd pw sshpass passcode masterpass "
    "pinentry rootpw bindpw requirepass masterauth".split()
)
KEYS = frozenset(
    "secret token apikey apitoken secretkey accesskey privatekey authtoken accesstoken refreshtoken credential "
    "credentials clientsecret sharedkey authkey signingkey encryptionkey bearer jwt pat sessionid sessid "
    "phpsessid jsessionid sharedaccesskey accountkey masterkey appsecret webhooksecret xsrftoken csrftoken "
    "deploykey licensekey presharedkey passkey dockerconfigjson dockercfg instrumentationkey".split()
)
PAIRS = frozenset(
    (first, "key")
    for first in "api secret access private auth signing encryption account master shared app client service "
    "license deploy preshared admin hmac jwt session token storage write read license".split()
) | {
    ("session", "id"),
    ("secret", "id"),
    ("subscription", "key"),
    ("functions", "key"),
    ("consumer", "key"),
    ("unseal", "key"),
    ("tls", "key"),
    ("authentication", "key"),
    ("wifi", "key"),
    ("fi", "key"),
    ("integration", "key"),
    ("bot", "key"),
    ("key", "data"),
    ("basic", "auth"),
    ("npm", "auth"),
    ("auth", "key"),
    ("x", "auth"),
}
# Words for what is a secret where its value could be nothing else, unless another word says that it is public.
PERHAPS = frozenset("key keys salt pepper session seed oauth cookie pin nonce".split())
PUBLIC = frozenset(
    "public pub cache primary foreign sort partition row object host hosts dedup idempotency routing group index map "
    "file path name id fingerprint type lookup sorting column shard hash range natural unique translation i18n message "
    "lock item node fk pk s3 bucket registry kms master_key_id verify verifying trusted known recipient cert ca".split()
)
UUID = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$")
HEX = re.compile(r"(?:0x)?(?:[0-9a-f]+|[0-9A-F]+)$")
TRAILERS = frozenset(
    "value data base64 b64 prod production dev test live staging raw plain text str new old base".split()
)
NOT_A_SECRET = frozenset(
    "true false null none nil yes no on off undefined string str int bytes text any object required optional "
    "password passwd pass pwd secret token user username admin_password changeme change_me change-me default "
    "example sample placeholder redacted hidden masked prompt enter invalid incorrect missing expired empty unset "
    "set unknown basic bearer digest wrong failed denied disabled enabled self function void boolean const "
    "char number varchar secretstr securestring env stdin ask never always auto error warning your is not must "
    "the for and file vault key value test keyword field identifier input select option param parameter".split()
)
# What a name speaks of that is shown to everybody, and words of messages about a secret.
SHOWN = frozenset("public pub publishable".split())
TOLD = frozenset("label placeholder title hint message msg tooltip caption description".split())
COMPOUND = ("password", "passwd", "passphrase", "secret", "token", "apikey")  # rpcpassword, bottoken
NAME_PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
STANDS_IN = re.compile(
    r"\$[A-Za-z_{(\[@*#?!]|\$\d|%\w+%$|%\(|%s|[<{(\[`@|>]|\\?\*{3}|x{4,}|\.{3}|\.[*+]|\\[sSwWd]|\[\^|#|!(?:vault|ref)|&\w|-{2}|\\$|…|•"
    r"|your[-_ ]|my[-_ ](?:token|secret|password|api)|insert[-_ ]|replace[-_ ]|example|changeme|change[-_]me"
    r"|env\.|process\.env|os\.environ|var\.|local\.|data\.|module\.|secrets?\.|arn:|vault:|ref\+|op://|file:|https?://[^@]*$",
    re.I,
)  # fmt: skip
SHELL_HASH = re.compile(r"\$(?:1|5|6|7|y|2[aby]|apr1|argon2\w*)\$")
# It opens like a variable, an anchor or a comment, and goes on as none does.
ODD = re.compile(
    r"[$@&%](?=[^!#^*%+]*[!#^*%+])(?=\D*\d)[^\s\"'(){}\[\]<>$/:]{5,}(?<!%)$"
    r"|#(?=[^a-z]*[a-z])(?=[^A-Z]*[A-Z])(?=\D*\d)(?![0-9a-fA-F]{3,8}$)[^\s(){}\[\]<>]{5,}$"
)
CODE = re.compile(
    r"[A-Za-z_]\w*(?:(?:\.|::|->)[A-Za-z_]\w*)*[(\[{]|[A-Za-z_]\w*(?:(?:\.|::|->)[A-Za-z_]\w*)+;?$"
)
VERSION = re.compile(r"[\^~<>=v ]*\d+(?:\.(?:\d+|x|\*)){1,3}(?:[-+.]?[a-z]+[.\d]*)?$", re.I)
DATE = re.compile(r"(?<!\d)(?:19|20)\d\d-[01]\d-[0-3]\d(?!\d)")
# Words, numbers and sums in a row, as caches, pods and branches are called.
SLUG = re.compile(
    r"(?=.{0,60}?[a-z]{3})(?:[a-z]+\d{0,3}|v?\d{1,14}|[0-9a-f]{5,64})(?:[-_./:](?:[a-z]+\d{0,3}|v?\d{1,14}|[0-9a-f]{5,64}))+$"
)
PATH = re.compile(r"(?:~|\.{1,2})?/?(?:[\w.@-]+/)+[\w.@-]*$|/[\w.-]+$")
PLACEHOLDER = re.compile(r"<SECRET_\d+>")
WORD = re.compile(r"[A-Za-z]+$")
WORDS = re.compile(r"[A-Za-z]{2,}(?:[-_ ][A-Za-z]{2,})*$")


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
    if parts[-1] in PASSWORDS or compound.startswith("pass"):
        if len(parts) > 1 and parts[-2] in ("by", "without", "no", "one"):
            return ""
        return "" if parts in (["pwd"], ["old", "pwd"], ["oldpwd"]) and name.isupper() else "password"
    if not SHOWN.isdisjoint(parts):
        return ""
    joined = "".join(parts[-2:])
    if joined == "sessionid" or parts[-1] in ("sessionid", "session"):
        return "session"
    known = parts[-1] in KEYS or joined in KEYS or tuple(parts[-2:]) in PAIRS or parts == ["auth"]
    known = known or bool(compound) or (name.isupper() and _of_a_variable(parts))
    if known:
        return "key"
    return (
        "perhaps"
        if parts[-1] in PERHAPS
        and (len(parts) > 1 or parts[-1] in ("salt", "pepper"))
        and PUBLIC.isdisjoint(parts)
        else ""
    )


def _of_a_variable(parts: list[str]) -> bool:
    """Of a name in capitals, whether its last word says key or auth and no other that it is public: MAPS_KEY."""
    return len(parts) > 1 and parts[-1] in ("key", "auth") and PUBLIC.isdisjoint(parts)


def stands_in(value: str) -> bool:
    """A variable, a mask, an example or an earlier placeholder, where a secret would be."""
    if PLACEHOLDER.search(value) or not value.strip():
        return True
    if STANDS_IN.match(value) and not (SHELL_HASH.match(value) or ODD.match(value)):
        return True
    return value.lower().rstrip(".,:;!") in NOT_A_SECRET or len(set(value)) < 3 or "***" in value


def is_code(value: str) -> bool:
    """A call, an index, or dotted names as of a program, unless digits or capitals are strewn all over it."""
    if not (CODE.match(value.rstrip(",;)")) or CODE.match(value)) or len(CHURN.findall(value)) >= 0.4 * len(
        value
    ):
        return False
    return value.find("(") > 4 or len(CHANGES.findall(value)) < 3


def looks_random(value: str) -> bool:
    """Mixed enough that it is neither a word, a path, a version, nor a piece of code."""
    if len(value) < 5 or VERSION.match(value) or is_code(value) or DATE.search(value):
        return False
    kinds = (
        any(c.islower() for c in value) + any(c.isupper() for c in value) + any(c.isdigit() for c in value)
    )
    symbols = any(not c.isalnum() and c not in "-_ ." for c in value)
    if PATH.match(value):
        return (
            kinds == 3
            and len(value) >= 20
            and value.count("/") < 4
            and (len(value.rsplit("/", maxsplit=1)[-1]) > 8 or len(CHANGES.findall(value)) >= 5)
        )
    return kinds + symbols >= 3 or (any(c.isdigit() for c in value) and kinds + symbols >= 2)


def _certain(value: str, kind: str) -> bool:
    """Whether nothing but a secret looks like this: a name alone does not say so."""
    if UUID.match(value) or len(value) < (20 if kind == "perhaps" else 16) or PATH.match(value):
        return False
    return kind == "session" or (very_random(value) and not HEX.match(value) and not SLUG.match(value))


def is_secret(value: str, kind: str, *, literal: bool) -> bool:
    """Whether `value` may be what a name of family `kind` holds. `literal`: quoted, or alone on a line of settings,
    so that it can be no variable or type."""
    if kind in ("perhaps", "session") and not _certain(value, kind):
        return False
    if stands_in(value) or (VERSION.match(value) and not value.replace(".", "").isdigit()):
        return False
    if kind == "key" and len(value) in (8, 16, 40) and HEX.match(value) and value.isupper():
        return False  # how a public key is named
    if value.isdigit():
        return len(value) >= (4 if kind == "password" and literal else 10)
    if " " in value:
        if literal and kind == "password" and PASSPHRASE.match(value) and not ABOUT.search(value):
            return FILLERS.isdisjoint(value.split())
        if is_prose(value):
            return False
        symbols = sum(not c.isalnum() for c in value)
        return literal and looks_random(value) and (
            (kind == "password" and len(value) < 80) or (len(value) >= 24 and symbols > 6 and value.count(" ") < 5)
        )  # fmt: skip
    if looks_random(value):
        return len(value) >= (5 if kind == "password" else 8)
    if not literal or PATH.match(value) or is_code(value):
        return False
    if kind == "password":
        return len(value) >= 5
    return (len(value) >= 12 and not WORDS.match(value)) or (len(value) >= 20 and bool(WORD.match(value)))


def is_prose(value: str) -> bool:
    """Three plain words or more, and little else."""
    words = value.split()
    plain = sum(PLAIN_WORD.match(word) is not None for word in words)
    return plain >= 3 and plain * 4 >= len(words) * 3


PLAIN_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*[.,:;!?…]*$")
PASSPHRASE = re.compile(r"[a-z]{3,12}(?:[ -][a-z]{3,12}){1,7}$")
FILLERS = frozenset(
    "the and for must not your with from this that will are was has have been one any may can should least when where "
    "which use used using enter type make set new old same other into does did least only than too very".split()
)
ALGORITHM = re.compile(
    r"(?:sha|md|aes|des|rsa|utf|base|pbkdf|argon|hs|rs|es|ed|blake|chacha|crc|iso|p|x|tls|ssl|oauth|http)[-_]?\d[\w-]*$",
    re.I,
)
CHURN = re.compile(r"(?=[a-z][A-Z0-9]|[A-Z][a-z0-9]|[0-9][A-Za-z])", re.ASCII)
CHANGES = re.compile(r"\d(?=[A-Za-z])|[A-Za-z](?=\d)", re.ASCII)
METAVARIABLE = re.compile(
    r"[A-Z_]*(?:PASS|PW|SECRET|TOKEN|KEY|USER|NAME|WORD|STRING|VALUE|FILE)[A-Z_]*$|[A-Z_]*_[A-Z_]*$"
)
ALWAYS_ONE = frozenset(
    "password passwd pass pwd username user your_password yourpassword mypassword string none null true false "
    "prompt stdin pw passphrase password1 env file option options argument value the a an".split()
)


def placeholder(value: str) -> bool:
    """Where a secret surely stands (`mysql -p…`), even a word is one: only what cannot be one is left."""
    if PLACEHOLDER.search(value) or not value.strip() or METAVARIABLE.match(value):
        return True
    if STANDS_IN.match(value) and not (SHELL_HASH.match(value) or ODD.match(value)):
        return True
    return value.lower().rstrip(".,:;") in ALWAYS_ONE or "***" in value or len(set(value)) < 2


def very_random(value: str) -> bool:
    """So mixed that no sentence holds it by chance."""
    return (
        len(value) >= 8
        and looks_random(value)
        and not ALGORITHM.match(value)
        and (len(CHANGES.findall(value)) >= 2 or (len(value) >= 10 and any(c in "!@#$%^&*+~" for c in value)))
        and any(c.isalpha() for c in value)
    )


ABOUT = re.compile(
    r"pass|pw|secret|token|key|user|field|value|param|string|input|prompt|requi|option|crypt|login|auth|name|self",
    re.I,
)


def word_may_be_secret(text: str, start: int, name: str, value: str, end: int) -> bool:
    """Whether the bare word `value` of `NAME=word` or `NAME: word` is a password and not a variable of a program:
    no call is open before it on its line, nothing is called or indexed after it, and it says nothing of passwords."""
    if (
        not re.fullmatch(r"[A-Za-z][A-Za-z_-]{4,60}[!?]?", value)
        or stands_in(value)
        or METAVARIABLE.match(value)
    ):
        return False
    line = text[max(text.rfind("\n", 0, start) + 1, start - 300) : start]
    if ABOUT.search(value) or line.count("(") > line.count(")"):
        return False
    after, between = text[end : end + 1], text[start + len(name) : end - len(value)]
    if between == "=":
        return after in ("", " ", "\t", "\n", "\r", "&", ";", ",", '"', "'") and (
            name.isupper() or len(name) > 4 or line[-1:] in (",", "&", "?", ";")
        )
    return (
        between == ": " and after in ("", "\n", "\r") and line.count("{") <= line.count("}") and ":" in line
    )


SETTING = re.compile(r"\n?(?:\[[^\n]{1,80}\]|[a-zA-Z][\w.-]{0,60} = \S{1,200})[ \t]*\n$")


ALONE = re.compile(r"[a-z]{4,20} = ([a-z]{5,30})\r?(?:\n|$)")


def among_settings(text: str, start: int) -> bool:
    """Whether a section's head or another setting stands on the line before, as in an INI file, or the line is
    not indented at all and says no more."""
    if (start == 0 or text[start - 1] == "\n") and (alone := ALONE.match(text, start)):
        return not ABOUT.search(alone[1])
    before = text[max(0, start - 300) : start]
    line = before.rfind("\n", 0, len(before) - 1) + 1
    return bool(SETTING.match(before, line))


PROSE = re.compile(r"[ \t]+[a-z]{2,}[ \t]+[a-z]{2,}(?:[ \t.,]|$)|[\])]")


def plain_words_follow(text: str, at: int) -> bool:
    """Whether two plain words follow, as in a sentence, or the end of a synopsis."""
    return bool(PROSE.match(text, at))
