"""Tells a secret from what stands in its place: variables, stars, examples, types and calls are no secret."""

from __future__ import annotations

import re

from terma.redact.nouns import NOUN
from terma.redact.value_shapes import (
    ABOUT,
    ALGORITHM,
    CHANGES,
    DIGEST,
    DOTTED_WORDS,
    HEX,
    JOINED,
    LEET_DOTTED,
    LEET_PAIR,
    MIXED,
    PATH,
    SLUG,
    SSH_PUBLIC,
    TWO_WORDS,
    UUID,
    VERSION,
    WORD,
    WORDS,
    is_code,
    looks_random,
    very_random,
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
STANDS_IN = re.compile(
    r"\$[A-Za-z_{(\[@*#?!]|\$\d|%\w+%$|%\w*\(|%s|[<{(\[`@|>]|\\?\*{3}|x{4,}|\.{3}|\.[*+]|\\[sSwWd]|\[\^|#|!(?:vault|ref)|\\?&\w|0x[0-9a-f]{1,8}$|-{2}|\\$|…|•"
    r"|[a-z_]+(?:::[a-z_]+)+$|__[A-Z]|ENC[(\[]"
    r"|your[-_ ]|my[-_ ](?:token|secret|password|api)|insert[-_ ]|replace[-_ ]|example|change[-_]?me(?![\w-]*\d)"
    r"|env\.|process\.env|os\.environ|var\.|local\.|data\.|module\.|secrets?\.|arn:|vault:|ref\+|op://|file:|https?://[^@]*$",
    re.I,
)  # fmt: skip
MASKED = re.compile(
    r"(?:\.{3}|…)$|([xX0])\1{7}[\w-]*$|[_-]x{3,}$|_here$|EXAMPLE|REPLACE|CHANGE[-_]?ME|PLACEHOLDER|REDACTED"
    r"|^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*_(?:PASSWORD|PASS|PWD|PW|SECRET|TOKEN|KEY)$"
)
SHELL_HASH = re.compile(r"\$(?:1|5|6|7|y|2[aby]|apr1|argon2\w*)\$")
# It opens like a variable, an anchor or a comment, and goes on as none does.
ODD = re.compile(
    r"[$@&%](?=[^!#^*%+]*[!#^*%+])(?=\D*\d)[^\s\"'(){}\[\]<>$/:]{5,}(?<!%)$"
    r"|#(?=[^a-z]*[a-z])(?=[^A-Z]*[A-Z])(?=\D*\d)(?![0-9a-fA-F]{3,8}$)[^\s(){}\[\]<>]{5,}$"
    r"|#(?=[^a-z]*[a-z])(?=[^A-Z]*[A-Z])(?=[^!^*%+&@$~]*[!^*%+&@$~])[^\s(){}\[\]<>\"'=:/]{7,}$"
    # a bracket that nothing closes
    r"|[(\[{<](?=[^a-z]*[a-z])(?=\D*\d)[A-Za-z0-9+/.]{20,}$"
    r"|[(\[{<](?=[^a-z]*[a-z])(?=[^A-Z]*[A-Z])(?=\D*\d)(?=[^!#^*%+&@$~]*[!#^*%+&@$~])[^\s\"'(){}\[\]<>=]{6,}$"
)
# Signs, letters and digits strewn as Django's generator strews them, whatever it opens with; no call and no pattern.
STREWN = re.compile(r"(?=\D*\d)(?=.{24})(?:[A-Za-z0-9_-]*[!@#$%^&*()=+]){5,}[A-Za-z0-9_-]*$")
PLACEHOLDER = re.compile(r"<SECRET_\d+>")


IDENTIFIER = re.compile(r"[a-z][a-z0-9]*(?:_[a-z0-9]+)*_(?:password|passwd|pass|secret|token|key)$")


# What a test or a manual says of one: `wrong-password`, `invalid_token`.
OF_NOBODY = re.compile(
    r"(?:wrong|invalid|incorrect|bad|missing|expired|fake|dummy|another|some|no|unknown|old|new|current)"
    r"[-_ ](?:\w{1,12}[-_ ])?(?:password|passwd|passphrase|pass|pw|pwd|token|secret|key|credentials?)$",
    re.I,
)


def stands_in(value: str) -> bool:
    """A variable, a mask, an example or an earlier placeholder, where a secret would be."""
    if PLACEHOLDER.search(value) or not value.strip():
        return True
    if STANDS_IN.match(value) and not (SHELL_HASH.match(value) or ODD.match(value) or STREWN.match(value)):
        return True
    if value.lower().strip(" .,:;!?") in NOT_A_SECRET or len(set(value)) < 3 or "***" in value:
        return True
    return (
        MASKED.search(value) is not None
        or OF_NOBODY.match(value) is not None
        or DIGEST.match(value) is not None
        or NOUN.fullmatch(value.lower()) is not None
    )  # what a field is called


def names_a_key(value: str) -> bool:
    """Whether `value` is how a public key is named: `gpg --recv-keys 79ABF44917614D22`."""
    return len(value) in (8, 16, 40) and HEX.match(value) is not None and value.isupper()


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
    if kind == "key" and names_a_key(value):
        return False
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
            return FILLERS.isdisjoint(value.lower().split())
        if literal and kind == "password" and _is_numbered_phrase(value):
            return True
        if (
            literal
            and kind == "password"
            and PHRASE.fullmatch(value)
            and FILLERS.isdisjoint(value.lower().split())
        ):
            return not ABOUT.search(value)
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
    if (
        literal
        and kind == "password"
        and LEET_DOTTED.match(value)
        and not ALGORITHM.match(value.partition(".")[0])
    ):
        return True
    if literal and kind == "password" and LEET_PAIR.match(value) and MIXED.match(value):
        return True
    if not literal or PATH.match(value) or is_code(value):
        return False
    if kind == "password":
        return len(value) >= 5
    if JOINED.search(value) and len(value) >= 8 and not ABOUT.search(value):
        return True
    return (len(value) >= 12 and not WORDS.match(value)) or (len(value) >= 20 and bool(WORD.match(value)))


def may_be_string(value: str, kind: str) -> bool:
    """As `is_secret`, of a string or the text of an element, where no attribute of a program can stand."""
    if is_secret(value, kind, literal=True):
        return True
    return (
        kind == "password"
        and bool(DOTTED_WORDS.match(value))
        and not (ABOUT.search(value) or stands_in(value))
    )


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


WORD_OR_NUMBER = re.compile(r"[^\W_]+[!?.]?$")
PLAIN_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*[.,:;!?…]*$")
# A message opens with a capital; further on a word may have one, as nouns do in German.
PASSPHRASE = re.compile(r"[a-zà-ÿ]{3,12}(?:[ -][A-Za-zÀ-ÿ][a-zà-ÿ]{2,11}){1,7}$")
# Words that a mark ends as no title and no label is ended, or among which one has a digit within.
PHRASE = re.compile(
    r"(?:[^\W\d_]{2,14} ){1,5}[^\W\d_]{2,14}!|(?:\w{2,14} ){1,5}\w{0,12}[a-z]\d+[a-z]\w{0,12}"
)
APP_PASSWORD = re.compile(r"[a-z]{4}(?: [a-z]{4}){3}$")  # as a mail service gives them out
FILLERS = frozenset(
    "the and for must not your with from this that will are was has have been one any may can should least when where "
    "which use used using enter type make set new old same other into does did least only than too very".split()
)
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
    if PLACEHOLDER.search(value) or not value.strip() or METAVARIABLE.match(value) or OF_NOBODY.match(value):
        return True
    if STANDS_IN.match(value) and not (SHELL_HASH.match(value) or ODD.match(value)):
        return True
    return (
        value.lower().rstrip(".,:;)]}>").lstrip("[<{(") in ALWAYS_ONE or "***" in value or len(set(value)) < 2
    )
