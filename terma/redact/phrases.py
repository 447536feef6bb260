"""Headers, URLs, settings, code and prose: surroundings that give a secret away, one rule a form."""

# A table: a row reads better whole.
# ruff: noqa: E501

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from terma.redact.lazy import ANY_CASE, compiled
from terma.redact.plausible import (
    ABOUT,
    NAME_PARTS,
    PUBLIC,
    SLUG,
    among_settings,
    family,
    is_code,
    is_secret,
    looks_random,
    placeholder,
    plain_words_follow,
    stands_in,
    very_random,
)

Span = tuple[int, int]
Judge = Callable[[re.Match[str]], "Span | None"]
# What a value may be: quoted (a backslash escapes), or bare up to a delimiter. Every quantifier is bounded.
QUOTED = r"""(?P<q>["'])(?P<quoted>(?:\\.|(?!(?P=q))[^\\\n]){1,4000})"""
ESCAPED = r"""\\["'](?P<escaped>[^"'\\\n]{1,4000})"""
BARE = r"""(?P<bare>[^\s"'`;,|<>(){}\[\]&]{1,4000}[^\s"'`;,|<>]{0,200})"""
V = r"""['"]?(?P<v>[^\s'"]{1,400})"""
S = r"""["'](?P<v>[^"'\n]{1,400})["']"""  # a string of a program
HINTS = tuple(
    "pass pwd pswd psk secret token key auth cred bearer jwt session _pat basic pw salt pepper".split()
)


@dataclass(frozen=True, slots=True)
class Surrounding:
    """`pattern` runs on the lines that hold one of `hints` (lower case); `judge` gives the span of the secret."""

    hints: tuple[str, ...]
    source: str
    judge: Judge
    needs: tuple[str, ...] = ()  # one of these stands near, too, in lower case
    looks_back: bool = False  # whether the judge reads the line before

    @property
    def pattern(self) -> re.Pattern[str]:
        return compiled(self.source, ANY_CASE)


def value_of(match: re.Match[str]) -> tuple[str, Span, bool]:
    """The value, where it stands, and whether it was quoted."""
    kind = next(kind for kind in ("escaped", "quoted", "bare") if match[kind] is not None)
    value, (start, end) = match[kind], match.span(kind)
    if kind == "bare" and value.isascii() and not re.search(r"[(\[{]", value):
        value = value.rstrip(")]}")  # they close what opened before the name
        end = start + len(value)
    return value, (start, end), kind != "bare"


TAIL = re.compile(r"[ \t]*(?:\*/|-->)$")


def _setting(match: re.Match[str]) -> Span | None:
    """A whole line `NAME=value` or `name: value`: nothing follows, so the value is no variable of a program."""
    kind = family(match["name"])
    value = TAIL.sub("", match["v"].rstrip())
    if (
        not kind
        or (value.endswith(",") and value[:-1].lower().endswith(match["name"].lower()))
        or value == match["name"]
        or (match["name"] == "PASS" and match["sep"] == ":")
        or not value
        or " " in value
        or value[0] in "\"'"
        or (match["sep"] == ":" and value.endswith((",", "{", ";")))
        or (match["sep"] == "=" and value.endswith((",", ")", "(")) and is_code(value))
    ):
        return None
    literal = (
        match["sep"] != " = "
        or (kind == "password" and not re.fullmatch(r"[a-z_]+|[A-Z_]+", value))
        or (kind == "password" and among_settings(match.string, match.start()))
    )
    start = match.start("v")
    return (start, start + len(value)) if is_secret(value, kind, literal=literal) else None


def _in_a_command(match: re.Match[str]) -> bool:
    """Whether an option stands in a command line, not in a manual: a word before it, and none of prose after it."""
    text, start = match.string, match.start()
    before = text[text.rfind("\n", 0, start) + 1 : start].strip()
    return bool(before) and before[-1] not in ",[(|`'\"" and not plain_words_follow(text, match.end())


def _whole(match: re.Match[str]) -> Span | None:
    return None if placeholder(match["v"]) else match.span("v")


def _said(match: re.Match[str]) -> Span | None:
    """In a sentence, only what no sentence says by itself."""
    value = match["v"].rstrip(".,;:!?)")
    what = match["what"].lower()
    sure = match["mid"].strip() == "" and what.startswith("pass") and what != "pass"
    mixed = what.startswith("p") and MIXED.match(value) is not None and not is_code(value)
    good = looks_random(value) and len(value) >= 6 if sure or mixed else very_random(value)
    start = match.start("v")
    return (start, start + len(value)) if good and not stands_in(value) else None


MIXED = re.compile(r"(?=[^a-z]*[a-z])(?=[^A-Z]*[A-Z])(?=[^0-9]*[0-9])")


def _put(match: re.Match[str]) -> Span | None:
    """`put NAME value`: what no sentence says."""
    kind = family(match["name"])
    good = kind and looks_random(match["v"]) and is_secret(match["v"], kind, literal=True)
    return match.span("v") if good else None


def _wrapped(match: re.Match[str]) -> Span | None:
    """`secret = Some("…")`: what is called may as well fetch a secret by its name."""
    kind = family(match["name"])
    good = kind and very_random(match["v"]) and is_secret(match["v"], kind, literal=True)
    return match.span("v") if good and len(match["v"]) >= 16 else None


def _spoken(match: re.Match[str]) -> Span | None:
    """In a chat: words that are joined by marks or hold a digit, and are no name of a file or a host."""
    value = match["v"].rstrip(".,;:!?")
    good = (
        any(char.isdigit() for char in value) and any(char.isalpha() for char in value) and not is_code(value)
    )
    start = match.start("v")
    return (start, start + len(value)) if good and not stands_in(value) else None


def _as(match: re.Match[str]) -> Span | None:
    good = MIXED.match(match["v"]) or very_random(match["v"])
    return match.span("v") if good and looks_random(match["v"]) and not stands_in(match["v"]) else None


def _column(match: re.Match[str]) -> Span | None:
    kind = family(match["name"])
    good = kind and not stands_in(match["v"]) and looks_random(match["v"]) and len(match["v"]) >= 6
    return match.span("v") if good else None


def _call(match: re.Match[str]) -> Span | None:
    return None if placeholder(match["v"]) or " " in match["v"] else match.span("v")


def _random(match: re.Match[str]) -> Span | None:
    return match.span("v") if not stands_in(match["v"]) and looks_random(match["v"]) else None


def _credential(match: re.Match[str]) -> Span | None:
    """After an Authorization header's scheme."""
    value = match["v"]
    if is_code(value):
        return None
    return match.span("v") if len(value) >= 6 and not stands_in(value) and (
        looks_random(value) or len(value) >= 16) else None  # fmt: skip


def _named(match: re.Match[str]) -> Span | None:
    """A name and, apart from it, a value: `set NAME value`, {"name": …, "value": …}, <name>value</name>."""
    kind = family(match["name"])
    return match.span("v") if kind and is_secret(match["v"], kind, literal=True) else None


def _flag(match: re.Match[str]) -> Span | None:
    kind = family(match["name"])
    if not kind:
        return None
    value, span, quoted = value_of(match)
    literal = quoted or match["sep"] == "=" or _in_a_command(match)
    return span if not value.startswith("-") and is_secret(value, kind, literal=literal) else None


def _userinfo(match: re.Match[str]) -> Span | None:
    """Up to the last @ before the host; a port and a path may look like that."""
    value = match["v"]
    if re.match(r"\d{1,5}(?:[/?#]|$)", value):
        return None
    return _whole(match)


def _held(match: re.Match[str]) -> Span | None:
    """The first value of an object that is named for what it holds: {"github-oauth": {"github.com": "…"}}."""
    name = match["name"].rstrip("s")
    good = (family(name) or name.endswith("oauth")) and looks_random(match["v"]) and not stands_in(match["v"])
    return match.span("v") if good else None


def _mixed(match: re.Match[str]) -> Span | None:
    good = looks_random(match["v"]) and not placeholder(match["v"])
    return match.span("v") if good else None


def _spaced(match: re.Match[str]) -> Span | None:
    """`storePassword "x"`, `X-Api-Key x`: a name of several words, or alone in front, and a value that no sentence has."""
    name, value, text = match["name"], match["v"], match.string
    several = bool(re.search(r"[a-z][A-Z]|[_-]", name)) or name.isupper()
    kind = family(name) if several else ""
    if not kind or placeholder(value) or stands_in(value):
        return None
    start = text.rfind("\n", 0, match.start()) + 1
    alone = text[start : match.start()].strip(" \t+-") == "" and text[match.end() :][:1] in (
        "",
        "\n",
        "\r",
        ";",
    )
    good = looks_random(value) and len(value) >= (6 if kind == "password" else 12)
    quoted = bool(match["q"]) and kind == "password" and is_secret(value, kind, literal=True)
    word = alone and is_secret(value, kind, literal=True) and not ABOUT.search(value)
    return match.span("v") if good or quoted or word else None


def _odd(match: re.Match[str]) -> Span | None:
    return match.span("v") if very_random(match["v"]) and not stands_in(match["v"]) else None


def _bare_key(match: re.Match[str]) -> Span | None:
    """`key: value`, where no word before says that it is of a cache or public, and it does not end in a checksum."""
    before = match.string[max(0, match.start() - 40) : match.start()]
    words = NAME_PARTS.findall(before.rpartition("\n")[2])
    if (
        (words and words[-1].lower() in PUBLIC)
        or re.search(r"[0-9a-f]{32}$", match["v"])
        or SLUG.match(match["v"])
    ):
        return None
    return _odd(match)


def _labelled(match: re.Match[str]) -> Span | None:
    """`New password: word`, and no more on the line."""
    value = match["v"]
    good = is_secret(value, "password", literal=True) and not (value.isalpha() and ABOUT.search(value))
    return match.span("v") if good else None


def _inserted(match: re.Match[str]) -> Span | None:
    """The value of the first column of a row that is named as a password or a key."""
    at = match.start("values")
    for name, value in zip(match["names"].split(","), match["values"].split(","), strict=False):
        text = value.strip()
        start = at + value.find(text)
        kind = family(name.strip(' `"[]'))
        if (
            kind
            and len(text) > 2
            and text[0] == text[-1] == "'"
            and is_secret(text[1:-1], kind, literal=True)
        ):
            return start + 1, start + len(text) - 1
        at += len(value) + 1
    return None


def _phrase(match: re.Match[str]) -> Span | None:
    return match.span("v")


def _rule(
    hints: str, pattern: str, judge: Judge, needs: tuple[str, ...] = (), *, looks_back: bool = False
) -> Surrounding:
    return Surrounding(tuple(hints.split("|")), pattern, judge, needs, looks_back)


# How others call a password.
FOREIGN = (
    "passwort|kennwort|mot de passe|contraseña|senha|palavra-passe|parola|hasło|heslo|jelszó|wachtwoord|lösenord|"
    "adgangskode|passord|salasana|şifre|пароль|密码|密碼|パスワード|비밀번호|lozinka|mật khẩu|κωδικός"
)
RULES = (
    _rule("|".join(HINTS), r"^[ \t]{0,40}(?:(?:[#;*]{1,3}|//|/\*|--|<!--|rem)[ \t]{0,3})?(?:-[ \t]|export[ \t]{1,4}|set[ \t]|\$env:|declare -x |[+>] ?)?[\"']?"
          r"(?P<name>[A-Za-z_/][\w.:/-]{0,90})[\"']?(?P<sep>=| = | -> |:(?=[ \t])|:(?=[^\s:/][^\s]{4,100}$))[ \t]{0,12}(?P<v>[^\n]{1,400})$", _setting, looks_back=True),
    _rule("|".join(HINTS), r"(?<![\w-])--?(?P<name>[a-z][\w.-]{0,60}+)(?P<sep>=|[ \t])(?:" + ESCAPED + "|" + QUOTED + "|" + BARE + ")",
          _flag),
    _rule("://", r"://[^\s/:@\"'<>|]{0,120}:(?P<v>(?:(?!://)[^\s\"'<>|\[]){1,300})@(?=[\w.\[$%{-])", _userinfo),
    _rule("://", r"://[^\s/:@\"'<>|]{0,120}:(?P<v>[^\s/\"'<>|]{1,300})@", _whole),
    _rule("authorization", r"authorization\\?[\"']?\]?[ \t]{0,8}(?:[:=]>?|,)[ \t]{0,8}\\?[\"'f]{0,2}(?:(?!digest[ \t])[a-z][\w-]{1,24}[ \t=]{1,4})?(?:token=|key=)?"
          r"(?P<v>[^\s\"',;\\]{1,8000})", _credential),
    _rule("bearer |basic |token ", r"\b(?:bearer|basic|token)[ \t]{1,4}(?P<v>[\w.~+/-]{16,4000}={0,2})(?![\w.])", _random),
    _rule("signature", r"\b(?:x-amz-)?signature=(?P<v>[0-9a-z%+/]{32,120})", _random),
    _rule("sig=", r"[?&]sig=(?P<v>[\w%+/-]{20,120}=?)", _random),
    _rule("accountkey=", r"key=(?P<v>[a-z0-9+/]{40,100}={0,2})", _whole),
    _rule("cookie", r"(?<=[;:,'\" ])[\w.%-]{1,80}=(?P<v>[\w.%+/:~-]{16,4000}={0,2})", _random),
    _rule("-b |--cookie", r"(?:-b|--cookie)[ \t=]{1,3}['\"]?[\w.-]{1,80}=(?P<v>[\w.%+/:~-]{8,4000}={0,2})", _random),
    _rule("cookie", r"cookie:(?:(?!cookie:)[^\n]){0,400}?\b(?:\w{0,20}sess\w{0,20}|sid|auth\w{0,20}|\w{0,20}token)=(?P<v>[^\s;,\"']{6,4000})",
          _whole),
    _rule("chpasswd", r"['\"]?[a-z_][\w-]{0,31}:(?P<v>[^\s'\"|]{1,200})['\"]?[ \t]{0,4}\|[ \t]{0,4}(?:sudo[ \t]+)?chpasswd", _whole),
    _rule("sudo -s|passwd|docker login|cryptsetup|kinit| su |-stdin|-fd 0|-with-token|registry login|stdin:|pass stdin",
          r"\b(?:echo|printf|yes)[ \t]{1,4}(?:-\w{1,3}[ \t]+)?(?:['\"]%s(?:\\n)?['\"][ \t]+)?" + V[:-len("{1,400})")] + r"{1,200}?)(?:\\n[^\n|]{0,100}?)?['\"]?[ \t]{0,4}\|[ \t]{0,4}"
          r"(?:sudo[ \t]+-\w{0,4}S|(?:sudo[ \t]+)?(?:passwd|smbpasswd|vncpasswd|kinit|su|cryptsetup|docker login)\b|[^\n|]{1,160}(?:-stdin|-fd[ =]0|--?with-token|pass(?:in|out)? stdin))", _whole),
    _rule("password", r"\b(?:login|user(?:name)?|account)[ \t]{1,8}\S{1,120}[ \t]{1,8}password[ \t]{1,8}" + V, _random, ("login", "user", "account")),
    _rule("password", r"\bmachine[ \t]+\S{1,200}[ \t]{1,8}login[ \t]+\S{1,120}[ \t]{1,8}password[ \t]{1,8}" + V, _whole, ("machine",)),
    _rule("passw", r"^[ \t]{0,8}passw(?:or)?d[ \t]{1,8}(?P<v>[^\s'\"]{4,200})[ \t]*$", _random),
    _rule("identified|passw", r"\b(?:identified(?:[ \t]+with[ \t]+\w{1,40})?[ \t]+by|(?:encrypted[ \t]+)?password)[ \t]{1,4}'(?P<v>[^'\n]{1,200})'",
          _whole, ("'",)),
    _rule("|".join(HINTS), r"\b(?:setenv|setx|set[ \t]+-\w{1,4}|ENV|config[\w:.-]{0,12}[ \t]+set|configure[ \t]+set|config(?:[ \t]+--\w+)?|SetEnv|fastcgi_param|proxy_set_header)[ \t]+"
          r"(?P<name>[\w./:-]{1,120})[ \t=]" + V, _named, ("set", "env", "config", "fastcgi", "proxy_")),
    _rule("|".join(HINTS), r"(?:name|key)\\?[\"']?[ \t]{0,4}[:=][ \t]{0,4}\\?[\"']?(?P<name>[\w.:-]{1,90})\\?[\"']?[ \t]{0,4},?\s{0,40}"
          r"(?:-[ \t])?\\?[\"']?\w{0,20}value\\?[\"']?[ \t]{0,4}[:=][ \t]{0,4}\\?[\"']?(?P<v>[^\s'\"\\]{1,400})", _named, ("value",)),
    _rule("|".join(HINTS), r"<(?P<name>[\w:.-]{1,60})>(?P<v>[^<>\s]{1,400})</", _named, ("</",)),
    _rule("|".join(HINTS), r"(?<=[(\[{])[ \t]{0,2}['\"](?P<name>[\w.-]{1,60})['\"][ \t]{0,4},[ \t]{0,4}['\"](?P<v>[^'\"\n\s]{1,400})['\"]", _named, ("(", "[", "{")),
    _rule("|".join(HINTS), r"^[ \t]{0,40}(?P<name>[\w.-]{1,60}):[ \t]{0,4}[|>][-+]?[ \t]*\n[ \t]{1,40}(?P<v>[^\s]{1,4000})", _named, (": |", ": >", ":|", ":>")),
    _rule("5432|*:|3306|6432", r"(?:^|[ \t\"'])[\w.*-]{1,100}:(?:\d{4,5}|\*):[\w*-]{1,64}:[\w*-]{1,64}:(?P<v>(?![\d:]{1,200}$)\S{4,200})$", _whole),
    _rule("://", r"://(?P<v>[a-z0-9_~.-]{20,400})@(?=[\w.-])", _random),
    _rule("@tcp(|@unix(", r"(?<![\w/])[\w.-]{1,80}:(?P<v>[^\s\"'@]{1,200})@(?:tcp|unix)\(", _whole),
    _rule("jdbc:oracle", r"jdbc:oracle:\w+:\w{1,60}/(?P<v>[^\s@/\"']{1,100})@", _whole),
    _rule("|".join(HINTS), r"(?<![\w$@])(?P<name>[\w$@]{1,60}+)[ \t]{0,3}(?::[ \t]{0,3}[&\w.\[\]<>|?' ]{1,40}|[ \t](?:string|str|String))[ \t]{0,3}=[ \t]{0,3}(?:b|r|u)?" + S, _named, ("= \"", "= '", "=\"", "='", "= b", "= r", "= u")),
    _rule("|".join(HINTS), r"#[ \t]{0,3}define[ \t]{1,8}(?P<name>\w{1,60})[ \t]{1,40}L?" + S, _named, ("define",)),
    _rule("auth=|auth =|.login(|basicauth(|basic_auth(|basic_auth=(|credential|authentication(|.auth(|ftp_login(",
          r"(?:\bauth[ \t]?=[ \t]?|\.login|basic_?auth=?|credentials?|authentication|\.auth|ftp_login)"
          r"\((?:\$\w{1,20},[ \t]?)?['\"][\w@.+-]{1,80}['\"],[ \t]{0,3}" + S, _call),
    _rule("getconnection(|new pdo(|mysqli|connect(|logon(", r"(?:getconnection|new pdo|new mysqli|mysqli_connect|oci_connect|(?:->|\.)connect|logon)"
          r"\((?:[^\n\"'(),]{1,60}|['\"][^\n\"']{0,200}['\"]),[ \t]{0,3}['\"][\w@.+-]{1,80}['\"],[ \t]{0,3}" + S, _call),
    _rule("jwt.", r"\bjwt\.(?:sign|verify|encode|decode)\([^\n\"']{1,200},[ \t]{0,3}" + S, _call),
    _rule("client|api|sdk", r"(?:client|api|sdk)\w{0,20}(?:(?:::|\.)\w{1,12})?\([ \t]{0,3}['\"](?P<v>[\w-]{20,200})['\"]", _odd),
    _rule("|".join(HINTS), r"\.(?:set|with|add)?_?(?P<name>\w{1,30})\([ \t]{0,3}" + S + r"[ \t]{0,3}\)", _named, ("(\"", "('", "( ")),
    _rule("|".join(HINTS), r"(?<![\w.-])(?P<name>[\w.-]{1,60}+)[\"']?[\])]?[ \t]{0,3}(?:\|\||\?\?|\bor\b)[ \t]{0,3}" + S, _named, ("||", "??", "or ")),
    _rule("|".join(HINTS), r"\$\{(?P<name>[\w.]{1,60}):[-=]?(?P<v>[^{}\s$]{3,200})\}", _named, ("${",)),
    _rule("?|&", r"[?&](?:code|state|ticket|nonce|sid|session|key|k|sig|hmac|signature|hash)=(?P<v>[\w%+/~.-]{20,400}={0,2})", _odd),
    _rule("api", r"^[ \t]{0,20}\w{0,20}api\w{0,20}:[ \t]*\n[ \t]{1,20}(?:key|value):[ \t]{1,4}[\"']?(?P<v>[^\s\"']{12,200})", _random, ("key:", "value:")),
    _rule("--from-literal", r"--from-literal[= \t]['\"]?[\w.-]{1,100}=['\"]?(?P<v>[^\s'\"]{1,400})", _whole),
    _rule("|".join((*HINTS, "http-basic")), r"\"(?P<name>[\w-]{1,60})\"[ \t]{0,3}:\s{0,20}\{\s{0,40}\"[\w.:/-]{1,100}\"[ \t]{0,3}:[ \t]{0,3}\"(?P<v>[^\"\s]{12,400})\"", _held, ("{",)),
    _rule("pwd=|password=|pass=", r";[ \t]?(?:pwd|password|pass)=(?P<v>[^\s;\"'<>]{1,200})", _whole, (";p", "; p", ";\tp")),
    _rule("bindpw|rootpw|psk|auth_pass|requirepass|masterauth|keypw|stats auth| on >|key-password|truststorepass|keystorepass",
          r"^[ \t]{0,20}(?:root)?(?:bindpw|rootpw|\w{0,12}-?psk|auth_pass|requirepass|masterauth|keypw|key-password|stats[ \t]+auth[ \t]+[\w.-]{1,60}:|user[ \t]+[\w.-]{1,60}[ \t]+on[ \t]+>)"
          r"[ \t]{0,8}(?<=[ \t:>])[\"']?(?P<v>[^\s\"']{3,200})", _whole),
    _rule("passw|user_pass", r"pass(?:word|wd)?[ \t]{0,3}=[ \t]{0,3}\w{2,14}\([ \t]{0,2}'(?P<v>[^'\n]{1,200})'", _whole, ("(",)),
    _rule("insert into", r"insert[ \t]+into[ \t]+\S{1,100}[ \t]{0,3}\((?P<names>[^()\n]{3,400})\)[ \t]{0,3}values[ \t]{0,3}\((?P<values>[^()\n]{3,1000})\)", _inserted),
    _rule("|".join(HINTS), r"(?<![\w.-])(?P<name>[\w.-]{3,60}+)[ \t]{1,8}(?P<q>[\"']?)(?P<v>[^\s\"'=:(){}<>,;|]{4,400})(?P=q)(?=[;\s]|$)", _spaced),
    _rule("://", r"://(?P<v>[\w~.-]{16,400}):@", _random),
    _rule("/t/", r"/t/(?P<v>[\w-]{24,80})/", _random),
    _rule("credentials(", r"credentials\((?:\"[^\"\n]{0,200}\",[ \t]{0,3}){3}\"(?P<v>[^\"\n]{1,200})\"", _call),
    _rule("oracle", r"oracle\w*\.(?:connect|create_pool|session\w*)\((?:[\"'][\w@.-]{1,60}[\"'],[ \t]{0,3}[\"']|[\"']\w{1,60}/)(?P<v>[^\"'\n@]{1,200})", _call),
    _rule("fernet(|hmac|aesgcm(|aes.new(", r"(?:fernet|hmac\.new|hmac|aesgcm|aes\.new|createhmac)\((?:['\"]sha\d+['\"],[ \t]?)?b?['\"](?P<v>[^'\"\n]{8,400})['\"]", _call),
    _rule("|".join(HINTS), r"name=[\"'](?P<name>[\w:.-]{1,60})[\"'][^<>\n]{0,60}>\s{0,20}<value>(?P<v>[^<>\s]{1,400})</", _named, ("<value>",)),
    _rule("option key", r"option[ \t]+key[ \t]+[\"'](?P<v>[^\"'\n]{4,100})[\"']", _whole),
    _rule("isakmp key", r"isakmp[ \t]+key[ \t]+(?:\d[ \t]+)?(?P<v>\S{3,100})", _whole),
    _rule("key", r"\bkey[\"']?[ \t]{0,4}[:=][ \t]{0,4}[\"']?(?P<v>(?!AAAA|[0-9a-fA-F-]{1,200}(?![\w+/=.-]))[\w+/=.-]{20,200})(?![\w+/=.-])", _bare_key),
    _rule("plain-text-password", r"plain-text-password(?:-value)?[ \t]+[\"']?(?P<v>[^\s\"']{3,100})", _whole),
    _rule("convertto-securestring", r"convertto-securestring[ \t]{1,4}(?:-\w{4,12}[ \t]{1,4}){0,3}" + S, _whole),
    _rule("password(", r"\bpassword\([ \t]{0,2}'(?P<v>[^'\n]{1,200})'[ \t]{0,2}\)", _whole),
    _rule("|".join(HINTS), r"\b(?:key|name|id)=[\"'](?P<name>[\w:.-]{1,60})[\"'][^<>\n]{0,60}>(?P<v>[^<>\s]{1,400})</", _named, ("</",)),
    _rule("|".join(HINTS), r"<(?:key|name)>(?P<name>[\w:. -]{1,60})</(?:key|name)>\s{0,40}<(?:string|value)>(?P<v>[^<>\s]{1,400})</", _named, ("</",)),
    _rule("assword", r"assword[^\n]{0,30}\n?[^\n]{0,12}\bsend(?:[ \t]+--?)?[ \t]+\"(?P<v>[^\"\n\\]{1,100})\\[rn]", _whole, ("send",)),
    _rule("-command", r"--pass\w{1,10}-command[ \t=]{1,3}[\"']echo[ \t]{1,3}(?P<v>[^\s\"']{1,200})", _whole),
    _rule("auth |requirepass|masterauth", r"^(?:[\w.:-]{1,60}(?:\[\d+\])?>[ \t]*)?(?:AUTH(?:[ \t]+[\w.-]{1,60})?|requirepass|masterauth)[ \t]{1,8}(?P<v>[^\s'\"]{4,200})[ \t]*$", _mixed),
    _rule("enable |username |line vty|community|com2sec|rootpw|set passw| key 7|tacacs|radius|neighbor", r"^[ \t+-]{0,8}(?:enable[ \t]+(?:password|secret)|username[ \t]+\S{1,60}[ \t]+(?:privilege[ \t]+\d+[ \t]+)?(?:password|secret)|"
          r"neighbor[ \t]+\S{1,60}[ \t]+password|(?:tacacs|radius)-server[ \t]+(?:[^\n]{0,80}[ \t])?key|snmp-server[ \t]+community|r[ow]community6?|com2sec6?[ \t]+\S{1,60}[ \t]+\S{1,60}|rootpw|set[ \t]+passw(?:or)?d)"
          r"[ \t]{1,8}(?:(?:level[ \t]+)?\d{1,2}[ \t]+|--\w{1,20}[ \t]+){0,2}(?P<v>[^\s-]\S{2,200})", _whole),
    _rule("pass|pw|token|secret|key|credential|pin|recovery|backup", r"(?<![A-Za-z0-9])(?P<what>pass(?:word|phrase|code|wd)?|pwd?|secret(?:[ _-]key)?|wi-?fi[ _-]key|(?:api|access|secret access|auth|encryption|recovery|private|unseal|master|signing|license)[ _-]key(?:[ _-]id)?|(?:recovery|backup)[ _-]codes?|token|credentials?)\b"
          r"(?P<mid>[^\n=\"`]{0,60}?)(?:(?:[ \t](?:is|was|to|are)[ \t]?:?|:|[ \t][-–—]|[ \t]?=)[ \t]{1,3}|[ \t]{2,20}(?=\S{1,200}$))[\"'`]?(?=[^\s\"'`]*[\d!@#$%^*+])(?P<v>[^\s\"'`<>(){}\[\]]{6,400})", _said),
    _rule("pass|token|secret|key", r"\b(?P<what>pass(?:word|phrase|code|wd)|secret|(?:api|access|auth)[ _-]?key|token)(?P<mid>)[ \t]{1,3}[\"'`](?P<v>[^\s\"'`<>(){}\[\]]{6,400})[\"'`]", _said),
    _rule("|".join(HINTS), r"^[ \t|]{0,40}(?P<name>[\w.-]{1,60})[ \t]{0,40}(?:\t|[ \t]{2}|\|)[ \t]{0,40}(?P<v>[^\s|]{6,400})[ \t|]*$", _column, ("\t", "  ", "|")),
    _rule("creds|credential|user/pass|login:|user:pass", r"(?:creds?|credentials?|user/pass\w{0,4}|user:pass\w{0,4}|login):[ \t]{0,3}[\w@.+-]{1,60}[ \t]{0,2}[:/][ \t]{0,2}(?P<v>[^\s\"'/]{5,200})", _mixed),
    _rule("api key |api-key |access key |secret key |token ", r"\b(?:(?:api|access|secret)[ -]key|token)[ \t](?P<v>[\w+/.=-]{20,400})(?=[\s,;.]|$)", _odd),
    _rule("as the p|as my p|as your p|as password|as a password|as the t|as token|as api|as the api", r"(?<![^\s\"'`(])(?P<v>[^\s\"'`<>(){}=:/]{6,100})[\"'`]?[ \t]{1,3}as[ \t](?:(?:the|my|your|a|an)[ \t])?(?:\w{1,12}[ \t])?"
          r"(?:pass(?:word|phrase|code)?|pw|token|api[ -]key)\b(?![ \t](?!(?:for|on|to|in|and|at|when)\b)\w)", _as),
    _rule(FOREIGN, r"(?:" + FOREIGN + r")(?:[ \t]\w{1,20}){0,3}?(?:[ \t]{0,3}[:：=][ \t]{0,3}|[ \t](?:ist|est|es|è|é|jest|is|—|-)[ \t]:?[ \t]{0,2})[\"'`«]?(?P<v>[^\s\"'`<>(){}\[\]»]{5,200})", _mixed),
    _rule("eap|xauth|ntlm", r":[ \t]{0,4}(?:EAP|XAUTH|NTLM)[ \t]{1,4}\"(?P<v>[^\"\n]{3,200})\"", _whole, (": ",)),
    _rule("]:25|]:465|]:587", r"^\[[\w.-]{1,100}\]:\d{2,3}[ \t]{1,20}[\w.@+-]{1,80}:(?P<v>\S{3,200})$", _whole),
    _rule("|".join(HINTS), r"\b(?:put|add|set|write)[ \t]{1,3}(?P<name>[\w./:-]{3,100})[ \t]{1,3}[\"']?(?P<v>[^\s\"'=]{5,400})", _put, ("put ", "add ", "set ", "write ")),
    _rule("|".join(HINTS), r"(?<![\w.-])(?P<name>[\w.-]{3,60}+)[\"']?[ \t]{0,3}[:=][ \t]{0,3}(?:new[ \t])?(?:[A-Za-z][\w.:]{0,30}\(|\[)[ \t]{0,3}[bru]?" + S, _wrapped, ("(", "[")),
    _rule("pass |password |pw ", r"\b(?:pass|password|pw)[ \t](?P<v>[^\s\"'`<>(){}\[\]=:/,]{8,100})(?=[\s,;]|$)", _odd),
    _rule("password:|passphrase:|passwd:", r"^(?P<label>[^\n:=(){}\"']{0,48})\bpass(?:word|phrase|wd):[ \t]{1,3}(?P<v>[^\s\"'`<>(){},;]{5,100})[ \t]*$", _labelled),
    _rule("wifi.begin", r"wifi\.begin\([^\n,]{1,80},[ \t]{0,3}" + S, _call),
    _rule("* \"|*\t\"", r"^\"?[^\"\s]{1,80}\"?[ \t]{1,20}\*[ \t]{1,20}\"(?P<v>[^\"\n]{4,200})\"", _whole),
    _rule("user |login |account ", r"\b(?:user(?:name)?|login|account)[ \t]+[\w@.+-]{1,60}[ \t]{0,2}[/|][ \t]{0,2}(?P<v>[^\s\"'/]{8,200})", _odd),
    _rule("recovery|bitlocker", r"(?P<v>(?:\d{6}-){7}\d{6})(?!\d)", _whole),
    _rule("twilio|account_sid|accountsid", r"\bAC[0-9a-f]{32}[^\w\n]{1,6}(?P<v>[0-9a-f]{32})\b", _whole, ("'", '"', ":", ",")),
    _rule("pw for|password for|pass for|passwd for|token for|key for", r"\b(?:pw|pass(?:word|wd)?|token|key)[ \t]+for[ \t][^\n]{1,60}?(?:[?:=]|[ \t]is)[ \t]{1,3}(?:<[\w.-]{1,40}>[ \t]*)?[\"'`]?(?P<v>[^\s\"'`<>()\[\]{}]{6,200})", _spoken),
    _rule("digest ", r"\bresponse=\"?(?P<v>[0-9a-f]{32,64})", _whole),
    _rule('"key"', r"\"key\"[ \t]{0,3}:[ \t]{0,3}\"(?P<v>(?![0-9a-f-]{1,200}\")[\w+/=-]{20,200})\"", _odd),
    _rule("|".join(HINTS), r"[\"']--?(?P<name>[\w-]{1,60})[\"'],[ \t]{0,3}" + S, _named, ("\"-", "'-")),
    _rule("msmtp|pass|secret", r"^[ \t]{0,8}(?:\w{1,12}[ \t]{1,4})?(?:passw(?:or)?d|passphrase|secret)[ \t]{1,8}(?P<v>[^\s'\"]{6,200})[ \t]*$", _random),
    _rule("akia|asia", r"A[KS]IA[A-Z0-9]{16}[\"']?[\s,:;|]{1,4}[\"']?(?P<v>[A-Za-z0-9/+=]{40})(?![A-Za-z0-9/+=])", _whole),
    _rule('"kty"', r"\"(?:d|p|q|dp|dq|qi|k)\"[ \t]{0,3}:[ \t]{0,3}\"(?P<v>[\w-]{16,2000})\"", _whole),
    _rule("mnemonic|seed phrase|seed_phrase|recovery phrase", r"(?:mnemonic|(?:seed|recovery)[ _]phrase)[\"']?[ \t]{0,3}[:=][ \t]{0,3}[\"']?(?P<v>[a-z]{3,8}(?: [a-z]{3,8}){11,23})\b", _phrase),
)  # fmt: skip
