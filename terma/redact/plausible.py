"""Tells a secret from what stands in its place: variables, stars, examples, types and calls are no secret."""

from __future__ import annotations

import functools
import re

from terma.redact.nouns import KEY_KINDS, NOUN

# The last words of a name that holds a secret, after camelCase and separators are split: "db password", "api key".
PASSWORDS = frozenset(
    "password passwd passphrase pwd pass passwort pswd psk userpass pgpassword mysqlpwd pw sshpass passcode masterpass "
    "pinentry rootpw bindpw requirepass masterauth authtok".split()
)
KEYS = frozenset(
    "secret token apikey apitoken secretkey accesskey privatekey authtoken accesstoken refreshtoken credential "
    "credentials clientsecret sharedkey authkey signingkey encryptionkey bearer jwt pat sessionid sessid "
    "phpsessid jsessionid sharedaccesskey accountkey masterkey appsecret webhooksecret xsrftoken csrftoken "
    "deploykey licensekey presharedkey passkey dockerconfigjson dockercfg instrumentationkey".split()
)
PAIRS = frozenset((first, "key") for first in KEY_KINDS) | {
    ("session", "id"),
    ("secret", "id"),
    ("key", "data"),
    ("basic", "auth"),
    ("npm", "auth"),
    ("x", "auth"),
    ("erlang", "cookie"),
}
# Words for what is a secret where its value could be nothing else, unless another word says that it is public.
PERHAPS = frozenset("key keys session seed oauth cookie nonce private refresh bearer signing".split())
# Words for what may be as short as it likes: digits alone, or a few letters that are no word.
NUMBERS = frozenset("pin pincode otp totp cpin puk mpin upin".split())
SHORT = frozenset("salt pepper community".split())
PUBLIC = frozenset(
    "public pub cache primary foreign sort partition row object site socket hosts dedup idempotency routing "
    "group index map file path name id fingerprint type lookup sorting column shard hash range natural "
    "unique translation i18n message lock did item node fk pk s3 bucket registry kms master_key_id verify "
    "verifying trusted known recipient cert ca".split()
)
SSH_PUBLIC = re.compile(r"AAAA(?:[BC][0-9]NzaC1|E2VjZHNh|G[A-Za-z0-9]{2}zay1)")
UUID = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$")
HEX = re.compile(r"(?:0x)?(?:[0-9a-f]+|[0-9A-F]+)$")
TRAILERS = frozenset(
    "value data base64 b64 prod production dev test live staging raw plain text str new old base current previous next "
    "secondary b ro rw readonly readwrite".split()
)
NOT_A_SECRET = frozenset(
    "true false null none nil yes no on off undefined string str int bytes text any object required optional "
    "password passwd pass pwd secret token user username admin_password changeme change_me change-me default "
    "example sample placeholder redacted hidden masked prompt enter invalid incorrect missing expired empty "
    "unset set unknown basic bearer digest wrong failed denied disabled enabled self function void boolean "
    "const char number varchar secretstr securestring env stdin ask never always auto error warning your is "
    "not must the for and file vault key value test keyword field identifier input select option options flags "
    "required session account arguments param parameter".split()
)
# What a name speaks of that is shown to everybody, and words of messages about a secret.
SHOWN = frozenset("public pub publishable".split())
TOLD = frozenset(
    "label placeholder title hint message msg tooltip caption description checksum digest fingerprint".split()
)
COMPOUND = ("password", "passwd", "passphrase", "secret", "token", "apikey", "pwd")  # rpcpassword, bottoken
# dbpass, mailpw: words for whose password it is, since many others end so (compass, lowpass).
OWNED = re.compile(
    r"(?:db|database|sql|mysql|maria|pg|postgres|mongo|redis|ldap|bind|mail|email|e|smtp|imap|pop|ftp|sftp|ssh|vpn|http|proxy"
    r"|user|usr|admin|root|su|sudo|login|wifi|wlan|ap|key|store|keystore|trust|cert|auth|app|api|web|site|host|account|acct|svc"
    r"|service|backup|zip|rar|wp|mqtt|amqp|rabbit|sip|snmp|enable|guest|owner|upload|sys|sa|bot|test|dev|prod|new|old|my|the"
    r"|master|server|client|router|nas|kibana|elastic|become|temp|tmp|default|repo|registry)(?:pass|pw)$"
)
NAME_PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
STANDS_IN = re.compile(
    r"\$[A-Za-z_{(\[@*#?!]|\$\d|%\w+%$|%\(|%s|[<{(\[`@|>]|\\?\*{3}|x{4,}|\.{3}|\.[*+]|\\[sSwWd]|\[\^|#|!(?:vault|ref)|\\?&\w|0x[0-9a-f]{1,8}$|-{2}|\\$|…|•"
    r"|[a-z_]+(?:::[a-z_]+)+$|__[A-Z]|ENC[(\[]"
    r"|your[-_ ]|my[-_ ](?:token|secret|password|api)|insert[-_ ]|replace[-_ ]|example|change[-_]?me(?![\w-]*\d)"
    r"|env\.|process\.env|os\.environ|var\.|local\.|data\.|module\.|secrets?\.|arn:|vault:|ref\+|op://|file:|https?://[^@]*$",
    re.I,
)  # fmt: skip
MASKED = re.compile(
    r"([xX0])\1{7}[\w-]*$|[_-]x{3,}$|_here$|EXAMPLE|REPLACE|CHANGE[-_]?ME|PLACEHOLDER|REDACTED"
    r"|^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*_(?:PASSWORD|PASS|PWD|PW|SECRET|TOKEN|KEY)$"
)
SHELL_HASH = re.compile(r"\$(?:1|5|6|7|y|2[aby]|apr1|argon2\w*)\$")
# It opens like a variable, an anchor or a comment, and goes on as none does.
ODD = re.compile(
    r"[$@&%](?=[^!#^*%+]*[!#^*%+])(?=\D*\d)[^\s\"'(){}\[\]<>$/:]{5,}(?<!%)$"
    r"|#(?=[^a-z]*[a-z])(?=[^A-Z]*[A-Z])(?=\D*\d)(?![0-9a-fA-F]{3,8}$)[^\s(){}\[\]<>]{5,}$"
)
CODE = re.compile(
    r"[A-Za-z_]\w*(?:(?:\.|::|->)[A-Za-z_]\w*)*[(\[{]|[A-Za-z_]\w*(?:(?:\.|::|->)[A-Za-z_]\w*)+;?$"
)
# Two words and a number, as no attribute is called: it has a capital, or two digits behind no algorithm's name.
DOTTED = re.compile(
    r"(?=[^A-Z]*[A-Z])[A-Za-z]{2,20}\.[A-Za-z]+\d+[A-Za-z]{0,2}$"
    r"|[a-z]{3,20}\.(?!(?:sha|md|aes|rsa|ed|utf|int|float|uint|base|crc|blake|latin|python|ipv|sse|avx)\d)[a-z]{4,20}\d{2}$"
)
# The same where no program is read: an attribute of so long a name seldom ends in a number.
TWO_WORDS = re.compile(
    r"[a-z]{4,20}\.(?!(?:sha|blake|utf|int|float|uint|base|latin|python)\d)[a-z]{4,20}\d{1,4}[!?]?$"
)
VERSION = re.compile(
    r"[\^~<>=v ]*\d+(?:\.(?:\d+|x|\*)){1,3}(?:[-+.]?[a-z]+[.\d]*)?(?:[-+~]\d+[a-z]*[.\d]*)?$", re.I
)
DATE = re.compile(r"(?<!\d)(?:19|20)\d\d-[01]\d-[0-3]\d(?!\d)")
# Words, numbers and sums in a row, as caches, pods and branches are called.
SLUG = re.compile(
    r"(?=.{0,60}?[a-z]{3})(?:[a-z]+\d{0,3}|v?\d{1,14}|[0-9a-f]{5,64})(?:[-_./:](?:[a-z]+\d{0,3}|v?\d{1,14}|[0-9a-f]{5,64}))+$"
)
PATH = re.compile(r"(?:~|\.{1,2})?/?(?:[\w.@-]+/)+[\w.@-]*$|/[\w.-]+$")
PLACEHOLDER = re.compile(r"<SECRET_\d+>")
WORD = re.compile(r"[A-Za-z]+$")
WORDS = re.compile(r"[A-Za-z]{2,}(?:[-_ ][A-Za-z]{2,})*$")


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
    if parts[-1] in PASSWORDS or compound.startswith("p") or OWNED.match(parts[-1]):
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
    if parts[-1] in NUMBERS:
        return "number"
    if parts[-1] in SHORT and PUBLIC.isdisjoint(parts):
        return "short"
    if parts[-1].endswith(("pass", "pw")) and len(parts[-1]) > 3:
        return "pass"
    if parts[-1] not in PERHAPS or len(parts) < 2 or not PUBLIC.isdisjoint(parts):
        return ""
    return "keys" if parts[-1] == "key" else "perhaps"


def _of_a_variable(parts: list[str]) -> bool:
    """Of a name in capitals, whether its last word says key or auth and no other that it is public: MAPS_KEY."""
    return len(parts) > 1 and parts[-1] in ("key", "auth") and PUBLIC.isdisjoint(parts)


IDENTIFIER = re.compile(r"[a-z][a-z0-9]*(?:_[a-z0-9]+)*_(?:password|passwd|pass|secret|token|key)$")


def stands_in(value: str) -> bool:
    """A variable, a mask, an example or an earlier placeholder, where a secret would be."""
    if PLACEHOLDER.search(value) or not value.strip():
        return True
    if STANDS_IN.match(value) and not (SHELL_HASH.match(value) or ODD.match(value)):
        return True
    if value.lower().strip(" .,:;!?") in NOT_A_SECRET or len(set(value)) < 3 or "***" in value:
        return True
    return (
        MASKED.search(value) is not None
        or DIGEST.match(value) is not None
        or NOUN.fullmatch(value.lower()) is not None
    )  # what a field is called


def is_code(value: str) -> bool:
    """A call, an index, or dotted names as of a program, unless digits or capitals are strewn all over it."""
    if not (CODE.match(value.rstrip(",;)")) or CODE.match(value)) or len(CHURN.findall(value)) >= 0.4 * len(
        value
    ):
        return False
    if DOTTED.match(value) and not ABOUT.search(value):
        return False
    return value.find("(") > 4 or len(CHANGES.findall(value)) < 3


def looks_random(value: str) -> bool:
    """Mixed enough that it is neither a word, a path, a version, nor a piece of code."""
    if len(value) < 5 or VERSION.match(value) or is_code(value) or DATE.search(value):
        return False
    kinds, symbols = _kinds(value)
    if kinds == 2 and value.isalpha() and len(value) >= 16:
        return len(CHURN.findall(value)) >= 0.4 * len(value)
    if PATH.match(value):  # base64 with a slash or more looks like one, but for how often its letters change
        return (
            kinds == 3
            and len(value) >= 20
            and (
                len(CHURN.findall(value)) >= 0.4 * len(value)
                or (
                    value.count("/") < 4
                    and (len(value.rsplit("/", maxsplit=1)[-1]) > 8 or len(CHANGES.findall(value)) >= 5)
                )
            )
        )
    return kinds + symbols >= 3 or (any(c.isdigit() for c in value) and kinds + symbols >= 2)


def _kinds(value: str) -> tuple[int, bool]:
    """How many of small letters, capitals and digits stand in `value`, and whether a mark that no name has."""
    if value.isascii():
        kinds = (value != value.upper()) + (value != value.lower()) + (_DIGIT.search(value) is not None)
        return kinds, _SYMBOL.search(value) is not None
    kinds = (
        any(c.islower() for c in value) + any(c.isupper() for c in value) + any(c.isdigit() for c in value)
    )
    return kinds, any(not c.isalnum() and c not in "-_ ." for c in value)


_DIGIT, _SYMBOL = re.compile(r"[0-9]"), re.compile(r"[^A-Za-z0-9_ .-]")


def _certain(value: str, kind: str) -> bool:
    """Whether nothing but a secret looks like this: a name alone does not say so."""
    if kind == "keys" and HEX.match(value) and len(value) in (32, 48, 64) and not value.isdigit():
        return True
    least = 20 if kind == "perhaps" else 16
    if UUID.match(value) or len(value) < least or PATH.match(value):
        return False
    return kind == "session" or (very_random(value) and not HEX.match(value) and not SLUG.match(value))


def _is_short(value: str, kind: str, *, literal: bool) -> bool:
    """Of a PIN its digits; of a salt what is no word or size; of `remotepass` what nothing else looks like."""
    if kind == "number":
        return bool(re.fullmatch(r"\d{4,8}", value))
    if (
        is_code(value)
        or PATH.match(value)
        or VERSION.match(value)
        or ALGORITHM.match(value)
        or re.search(r"[ \\]", value)
    ):
        return False
    mixed = MIXED.match(value) is not None
    if kind == "pass":
        return (
            len(value) >= 8
            and (mixed or very_random(value))
            and not (SLUG.match(value) or ABOUT.search(value))
        )
    if not literal:
        return len(value) >= 8 and mixed
    odd = bool(re.search(r"[a-z][A-Z]", value)) or (
        re.search("[A-Za-z]", value) is not None and re.search(r"\d(?!$)", value) is not None
    )
    return len(value) >= 4 and odd and not re.match(r"[a-z]+\d$|\d+[A-Za-z]{1,5}$", value)


def is_secret(value: str, kind: str, *, literal: bool) -> bool:
    """Whether `value` may be what a name of family `kind` holds. `literal`: quoted, or alone on a line of settings,
    so that it can be no variable or type."""
    if kind != "password" and SSH_PUBLIC.match(value):
        return False
    if kind in ("perhaps", "session", "keys") and not _certain(value, kind):
        return False
    if kind in ("number", "short", "pass"):
        return not stands_in(value) and _is_short(value, kind, literal=literal)
    if stands_in(value) or (VERSION.match(value) and not value.replace(".", "").isdigit()):
        return False
    if kind == "key" and len(value) in (8, 16, 40) and HEX.match(value) and value.isupper():
        return False  # how a public key is named
    if (
        kind == "key"
        and not literal
        and value.isidentifier()
        and ABOUT.search(value)
        and len(CHANGES.findall(value)) < 3
    ):
        return False  # a variable or a type
    if value.isdigit():
        return len(value) >= (4 if kind == "password" and literal else 10)
    if " " in value:
        if APP_PASSWORD.match(value):
            return True
        if literal and kind == "password" and PASSPHRASE.match(value) and not ABOUT.search(value):
            return FILLERS.isdisjoint(value.split())
        if literal and kind == "password" and _is_numbered_phrase(value):
            return True
        if is_prose(value):
            return False
        symbols = sum(not c.isalnum() for c in value)
        return literal and looks_random(value) and (
            (kind == "password" and len(value) < 80) or (len(value) >= 24 and symbols > 6 and value.count(" ") < 5)
        )  # fmt: skip
    if looks_random(value):
        return len(value) >= (5 if kind == "password" else 8)
    if literal and kind == "password" and TWO_WORDS.match(value) and not ABOUT.search(value):
        return True
    if not literal or PATH.match(value) or is_code(value):
        return False
    if kind == "password":
        return len(value) >= 5
    if JOINED.search(value) and len(value) >= 8 and not ABOUT.search(value):
        return True
    return (len(value) >= 12 and not WORDS.match(value)) or (len(value) >= 20 and bool(WORD.match(value)))


def is_phrase(value: str) -> bool:
    """Three to eight words, numbers among them, none of which a message would need: where a shell or an option puts
    them in quotes they are a pass phrase."""
    words = value.split(" ")
    short = 3 <= len(words) <= 8 and len(value) >= 12 and all(word.isalnum() for word in words)
    return short and not ABOUT.search(value) and FILLERS.isdisjoint(value.lower().split())


def _is_numbered_phrase(value: str) -> bool:
    """Two to eight words, some with a digit: as people make a phrase fit for a password. A message has words that a
    sentence needs."""
    words = value.lower().split(" ")
    digits = any(char.isdigit() for char in value)
    return (
        2 <= len(words) <= 8 and len(value) >= 8 and digits and all(map(WORD_OR_NUMBER.match, words))
        and FILLERS.isdisjoint(words)
    )  # fmt: skip


def is_prose(value: str) -> bool:
    """Three plain words or more, and little else."""
    words = value.split()
    plain = sum(PLAIN_WORD.match(word) is not None for word in words)
    return plain >= 3 and plain * 4 >= len(words) * 3


MIXED = re.compile(r"(?=[^a-z]*[a-z])(?=[^A-Z]*[A-Z])(?=[^0-9]*[0-9])")
DIGEST = re.compile(r"(?:hmac[-_])?(?:sha|md|blake)\d{1,3}[:$=-][0-9a-f]{16,}$", re.I)
JOINED = re.compile(r"^[A-Za-z][a-z]+-[A-Z][a-z]+[!?]?$")  # two words as people join them for a password
WORD_OR_NUMBER = re.compile(r"[^\W_]+[!?.]?$")
PLAIN_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*[.,:;!?…]*$")
PASSPHRASE = re.compile(r"[a-z]{3,12}(?:[ -][a-z]{3,12}){1,7}$")
APP_PASSWORD = re.compile(r"[a-z]{4}(?: [a-z]{4}){3}$")  # as a mail service gives them out
FILLERS = frozenset(
    "the and for must not your with from this that will are was has have been one any may can should least when where "
    "which use used using enter type make set new old same other into does did least only than too very".split()
)
ALGORITHM = re.compile(
    r"(?:sha|md|aes|des|rsa|utf|base|pbkdf|argon|hs|rs|es|ed|blake|chacha|crc|iso|p|x|tls|ssl|oauth|http)[-_]?"
    r"\d{1,4}(?:[-_]?(?-i:[a-z]{1,14}|[A-Z]{1,8}|\d{1,5})){0,4}$",
    re.I,
)
CHURN = re.compile(r"(?=[a-z][A-Z0-9]|[A-Z][a-z0-9]|[0-9][A-Za-z])", re.ASCII)
CHANGES = re.compile(r"\d(?=[A-Za-z])|[A-Za-z](?=\d)", re.ASCII)
METAVARIABLE = re.compile(
    r"[A-Z_]*(?:PASS|PW|SECRET|TOKEN|KEY|USER|NAME|WORD|STRING|VALUE|FILE)[A-Z_]*$|[A-Z_]*_[A-Z_]*$"
)
ALWAYS_ONE = frozenset(
    "password passwd pass pwd username user your_password yourpassword mypassword string none null true false "
    "prompt stdin pw passphrase password1 deleted public private "
    "env file option options argument value the a an".split()
)


def placeholder(value: str) -> bool:
    """Where a secret surely stands (`mysql -p…`), even a word is one: only what cannot be one is left."""
    if PLACEHOLDER.search(value) or not value.strip() or METAVARIABLE.match(value):
        return True
    if STANDS_IN.match(value) and not (SHELL_HASH.match(value) or ODD.match(value)):
        return True
    return (
        value.lower().rstrip(".,:;)]}>").lstrip("[<{(") in ALWAYS_ONE or "***" in value or len(set(value)) < 2
    )


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
    r"(?<!com)(?<!tres)pass(?!ion|enger|age|port)|pw|secret|token|(?<!mon)(?<!don)(?<!tur)(?<!hoc)(?<!joc)(?<!whis)key(?!stone)|user|field|value|param|string|input|prompt|requi|option|crypt|login|auth|name|self",
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
    if between == " = " and after in ("", "\n", "\r") and IN_SETTINGS.search(line):
        return True
    if between == " ?= " and after in ("", "\n", "\r") and name.isupper():
        return True  # of make
    if between == ": " and after in ("'", '"') and line[-1:] == after and "-" in value:
        return True  # a header in its quotes
    if between == "=" and name.islower() and CAPITALS.fullmatch(value) and after in ("", " ", "\n"):
        return True
    if between == "=":
        return after in ("", " ", "\t", "\n", "\r", "&", ";", ",", '"', "'") and (
            name.isupper() or len(name) > 4 or line[-1:] in (",", "&", "?", ";")
        )
    return (
        between == ": " and after in ("", "\n", "\r") and line.count("{") <= line.count("}") and ":" in line
    )


CAPITALS = re.compile(r"[A-Z][a-z]+(?:-[a-z]+)*-[A-Z][a-z]+[!?]?")
# The name of a file, as grep and people put it before its lines.
IN_SETTINGS = re.compile(r"^[\w./-]*\.(?:ini|cnf|conf|cfg|properties|env|toml)(?::\d+)?[:-][ \t]*$")
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


PROSE = re.compile(r"[ \t]+[a-z]{2,}[ \t]+[a-z]{2,}(?:[ \t.,-]|$)|[\])]")


def plain_words_follow(text: str, at: int) -> bool:
    """Whether two plain words follow, as in a sentence, or the end of a synopsis."""
    return bool(PROSE.match(text, at))
