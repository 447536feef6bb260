"""Secrets that only their surroundings give away: assignments, headers, URLs, flags, key blocks."""

# A table: a row reads better whole.
# ruff: noqa: E501

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from terma.redact.plausible import family, is_secret, looks_random, stands_in

Span = tuple[int, int]
# What a value may be: quoted (a backslash escapes), or bare up to a delimiter. Every quantifier is bounded.
QUOTED = r"""(?P<q>["'])(?P<quoted>(?:\\.|(?!(?P=q))[^\\\n]){1,4000})"""
ESCAPED = r"""\\["'](?P<escaped>[^"'\\\n]{1,4000})"""
BARE = r"""(?P<bare>[^\s"'`;,|<>(){}\[\]&]{1,4000}[^\s"'`;,|<>]{0,200})"""
NAME = r"(?<![\w.-])(?P<name>[A-Za-z_](?:[\w.-]|\[['\"]?|['\"]?\]){0,90})"
HINTS = tuple(
    "pass pwd pswd psk secret token key auth cred bearer jwt sessid session_id sessionid _pat basic".split()
)

# How much of a line is read around a hint, in characters: most of a line of a megabyte is of no interest.
BEFORE, AFTER = 150, 1200


@dataclass(frozen=True, slots=True)
class Surrounding:
    """`pattern` runs on the lines that hold one of `hints` (lower case); `judge` gives the span of the secret."""

    hints: tuple[str, ...]
    pattern: re.Pattern[str]
    judge: Callable[[re.Match[str]], Span | None]


def _value(match: re.Match[str]) -> tuple[str, Span, bool]:
    """The value, where it stands, and whether it was quoted."""
    kind = next(kind for kind in ("escaped", "quoted", "bare") if match[kind] is not None)
    return match[kind], match.span(kind), kind != "bare"


def _assignments(text: str, start: int, end: int) -> Iterator[Span]:
    """Two steps, a name and then its value: a value that belongs to no secret may hold names of its own."""
    while name := ASSIGN.search(text, start, end):
        start = name.end()
        kind = family(name["name"])
        match = VALUE.match(text, start) if kind else None
        if match:
            value, span, quoted = _value(match)
            if is_secret(value, kind, literal=quoted):
                yield span
            if span[1] - start > 200 or value == match["quoted"]:
                start = span[1]  # never over the same long value twice: time stays linear


def _setting(match: re.Match[str]) -> Span | None:
    """A whole line `NAME=value` or `name: value`: nothing follows, so the value is no variable of a program."""
    kind = family(match["name"])
    value = match["v"].rstrip()
    if (
        not kind
        or not value
        or " " in value
        or value[0] in "\"'"
        or (match["sep"] == ":" and value.endswith((",", "{", ";")))
    ):
        return None
    literal = match["sep"] != " = " or (kind == "password" and not re.fullmatch(r"[a-z_]+|[A-Z_]+", value))
    start = match.start("v")
    return (start, start + len(value)) if is_secret(value, kind, literal=literal) else None


def _whole(match: re.Match[str]) -> Span | None:
    return None if stands_in(match["v"]) else match.span("v")


def _random(match: re.Match[str]) -> Span | None:
    return match.span("v") if not stands_in(match["v"]) and looks_random(match["v"]) else None


def _credential(match: re.Match[str]) -> Span | None:
    """After an Authorization header's scheme."""
    value = match["v"]
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
    value, span, quoted = _value(match)
    literal = quoted or match["sep"] == "="
    return span if not value.startswith("-") and is_secret(value, kind, literal=literal) else None


def _rule(hints: str, pattern: str, judge: Callable[[re.Match[str]], Span | None]) -> Surrounding:
    return Surrounding(
        tuple(hints.split("|")), re.compile(pattern, re.ASCII | re.IGNORECASE | re.MULTILINE), judge
    )


V = r"""['"]?(?P<v>[^\s'"]{1,400})"""
ASSIGN = re.compile(
    NAME + r"\\?[\"']?[ \t]{0,12}(?:(?<![=!<>~])=(?![=~])>?|:=?)[ \t]{0,12}(?:[bru]{1,2}(?=[\"'])|@)?",
    re.ASCII,
)
VALUE = re.compile(rf"{ESCAPED}|{QUOTED}|{BARE}")
RULES = (
    _rule("|".join(HINTS), r"^[ \t]{0,40}(?:-[ \t]|export[ \t]{1,4}|set[ \t]|\$env:|declare -x |[+>] ?)?[\"']?"
          r"(?P<name>[A-Za-z_/][\w.:/-]{0,90})[\"']?(?P<sep>=| = |:(?=[ \t]))[ \t]{0,12}(?P<v>[^\n]{1,400})$", _setting),
    _rule("|".join(HINTS), r"(?<![\w-])--(?P<name>[a-z][\w-]{0,60})(?P<sep>=|[ \t])(?:" + ESCAPED + "|" + QUOTED + "|" + BARE + ")",
          _flag),
    _rule("://", r"://[^\s/:@\"'<>|]{0,120}:(?P<v>[^\s/\"'<>|]{1,300})@", _whole),
    _rule("://", r"://[^\s/:@\"'<>|]{1,120}:(?P<v>[^\s@\"'<>|]{6,200})@[\w.-]{2,100}[:/]", _random),
    _rule("authorization", r"authorization\\?[\"']?\]?[ \t]{0,8}(?:[:=]>?|,)[ \t]{0,8}\\?[\"'f]{0,2}(?:(?:bearer|basic|token|digest|"
          r"apikey|negotiate|key|bot|splunk|snowflake|ntlm)[ \t=]{1,4})?(?P<v>[^\s\"',;\\]{1,8000})", _credential),
    _rule("bearer |basic |token ", r"\b(?:bearer|basic|token)[ \t]{1,4}(?P<v>[\w.~+/-]{16,4000}={0,2})(?![\w.])", _random),
    _rule("signature", r"\b(?:x-amz-)?signature=(?P<v>[0-9a-z%+/]{32,120})", _random),
    _rule("sig=", r"[?&]sig=(?P<v>[\w%+/-]{20,120}=?)", _random),
    _rule("accountkey=", r"key=(?P<v>[a-z0-9+/]{40,100}={0,2})", _whole),
    _rule("cookie", r"(?<=[;:,'\" ])[\w.%-]{1,80}=(?P<v>[\w.%+/:~-]{16,4000}={0,2})", _random),
    _rule("-b |--cookie", r"(?:-b|--cookie)[ \t=]{1,3}['\"]?[\w.-]{1,80}=(?P<v>[\w.%+/:~-]{8,4000}={0,2})", _random),
    _rule("cookie", r"cookie:(?:(?!cookie:)[^\n]){0,400}?\b(?:\w{0,20}sess\w{0,20}|sid|auth\w{0,20}|\w{0,20}token)=(?P<v>[^\s;,\"']{6,4000})",
          _whole),
    _rule(" -p|\t-p", r"\b(?:mysql\w{0,12}|mariadb[\w-]{0,12}|mycli|mytop|xtrabackup|7z[ar]?|sshpass)\b[^\n|;]{0,400}?\s-p(?!\s|rotocol|ort)"
          + V, _whole),
    _rule("sshpass|-p |docker|-w |mongo", r"\b(?:sshpass|(?:docker|podman|buildah|nerdctl|helm|skopeo|oc|az|oras|crane|cf)\b(?:(?!docker|podman|\boc\b)[^\n|;]){0,80}?"
          r"\blogin|mongo\w{0,10}|bosh|svn)\b(?:(?!login|mongo|svn|sshpass)[^\n|;]){0,200}?\s-p[ \t]{1,4}" + V, _whole),
    _rule("-u|--user|--proxy-user", r"\b(?:curl|http|https|xh|lftp|wget|ab|hey)\b(?:(?!curl|http|wget)[^\n|;]|https?:){0,800}?\s(?:-u|-U|--user|--proxy-user|-a|-A)"
          r"[ \t=]{0,3}['\"]?[^\s:'\",]{1,120}[:,](?P<v>[^\s'\"]{1,300})", _whole),
    _rule("ldap|redis-cli|sqlcmd|bcp |unzip|zip ", r"\b(?:ldap\w{1,12}\b[^\n|;]{0,300}?\s-w|redis-cli\b[^\n|;]{0,200}?\s-a|"
          r"(?:sqlcmd|bcp|(?:un)?zip)\b[^\n|;]{0,200}?\s-P)[ \t]{0,3}" + V, _whole),
    _rule("smbclient|-u ", r"\b(?:smbclient|rpcclient|mount\.cifs|net|wmic)\b[^\n|;]{0,200}?\s-U[ \t]{0,3}['\"]?[^\s%]{1,80}%(?P<v>[^\s'\"]{1,200})",
          _whole),
    _rule("htpasswd", r"\bhtpasswd[ \t][^\n|;]{0,20}-\w{0,6}b\w{0,6}[ \t]+[^\n]{1,200}?[ \t]" + V + "$", _whole),
    _rule("chpasswd", r"['\"]?[a-z_][\w-]{0,31}:(?P<v>[^\s'\"|]{1,200})['\"]?[ \t]{0,4}\|[ \t]{0,4}(?:sudo[ \t]+)?chpasswd", _whole),
    _rule("sudo -s|passwd --stdin|docker login|cryptsetup", r"\b(?:echo|printf)[ \t]{1,4}(?:-n[ \t]+)?" + V + r"['\"]?[ \t]{0,4}\|[ \t]{0,4}"
          r"(?:sudo[ \t]+-\w{0,4}S|(?:sudo[ \t]+)?passwd --stdin|docker login|(?:sudo[ \t]+)?cryptsetup)", _whole),
    _rule("pass:", r"-pass(?:in|out|word)?[ \t]{1,4}['\"]?pass:(?P<v>[^\s'\"]{1,200})", _whole),
    _rule("password", r"\b(?:login|user(?:name)?|account)[ \t]{1,8}\S{1,120}[ \t]{1,8}password[ \t]{1,8}" + V, _random),
    _rule("password", r"\bmachine[ \t]+\S{1,200}[ \t]{1,8}login[ \t]+\S{1,120}[ \t]{1,8}password[ \t]{1,8}" + V, _whole),
    _rule("passw", r"^[ \t]{0,8}passw(?:or)?d[ \t]{1,8}(?P<v>[^\s'\"]{4,200})[ \t]*$", _random),
    _rule("identified|passw", r"\b(?:identified(?:[ \t]+with[ \t]+\w{1,40})?[ \t]+by|(?:encrypted[ \t]+)?password)[ \t]{1,4}'(?P<v>[^'\n]{1,200})'",
          _whole),
    _rule("|".join(HINTS), r"\b(?:setenv|setx|set[ \t]+-\w{1,4}|ENV|config[\w:.-]{0,12}[ \t]+set|configure[ \t]+set|config[ \t]+(?:--\w+[ \t]+)?)[ \t]+"
          r"(?P<name>[\w./:-]{1,120})[ \t=]" + V, _named),
    _rule("|".join(HINTS), r"(?:name|key)\\?[\"']?[ \t]{0,4}[:=][ \t]{0,4}\\?[\"']?(?P<name>[\w.:-]{1,90})\\?[\"']?[ \t]{0,4},?\s{0,40}"
          r"(?:-[ \t])?\\?[\"']?value\\?[\"']?[ \t]{0,4}[:=][ \t]{0,4}\\?[\"']?(?P<v>[^\s'\"\\]{1,400})", _named),
    _rule("|".join(HINTS), r"<(?P<name>[\w:.-]{1,60})>(?P<v>[^<>\s]{1,400})</", _named),
    _rule("|".join(HINTS), r"['\"](?P<name>[\w.-]{1,60})['\"][ \t]{0,4},[ \t]{0,4}['\"](?P<v>[^'\"\n\s]{1,400})['\"]", _named),
    _rule("|".join(HINTS), r"^[ \t]{0,40}(?P<name>[\w.-]{1,60}):[ \t]{0,4}[|>][-+]?[ \t]*\n[ \t]{1,40}(?P<v>[^\s]{1,4000})", _named),
    _rule("5432|*:|3306|6432", r"^[\w.*-]{1,100}:(?:\d{4,5}|\*):[\w*-]{1,64}:[\w*-]{1,64}:(?P<v>\S{4,200})$", _whole),
)  # fmt: skip


def spans(text: str) -> Iterator[Span]:
    """Start and end of every secret that its surroundings give away; they may overlap."""
    low = text.replace("\u0130", "i").lower()  # the one character whose lower case is longer than itself
    ranges: dict[tuple[str, ...], list[Span]] = {HINTS: hot_lines(low, HINTS)}
    for start, end in ranges[HINTS]:
        yield from _assignments(text, start, end)
    for rule in RULES:
        if rule.hints not in ranges:
            ranges[rule.hints] = hot_lines(low, rule.hints)
        for start, end in ranges[rule.hints]:
            for match in rule.pattern.finditer(text, start, end):
                span = rule.judge(match)
                if span:
                    yield span


def hot_lines(low: str, hints: tuple[str, ...]) -> list[Span]:
    """The lines of `low` that hold one of `hints`, each with the line after it: a value may stand there.

    Of a long line only what is near the hint. No search leaves the window, so that time stays linear."""
    found: list[Span] = []
    for hint in hints:
        at = low.find(hint)
        while at >= 0:
            limit = min(at + AFTER, len(low))
            start = low.rfind("\n", max(0, at - BEFORE), at) + 1 or max(0, at - BEFORE)
            end = low.find("\n", at, limit)
            after = low.find("\n", end + 1, limit) if end >= 0 else limit
            found.append((start, limit if after < 0 else after))
            at = low.find(hint, end if end >= 0 else max(at + 1, limit - BEFORE))
    return _joined(sorted(found))


def _joined(ranges: list[Span]) -> list[Span]:
    merged: list[Span] = []
    for start, end in ranges:
        if merged and start <= merged[-1][1] + 1:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged
