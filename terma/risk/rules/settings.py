"""What a setting does to a guard, in any program: `security.privileged true`, `--no-auth`, `auth.enabled=false`,
`State=DOWN`. The words of a key say what it guards or opens, its value says which way."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

from terma import regex as re
from terma.risk.model import Call, Finding, Findings
from terma.risk.rules.lexicon import VERBS
from terma.risk.rules.verb_words import pieces_of

_GUARDS = frozenset(
    "auth authentication authorization authorisation tls ssl https verify verification mfa 2fa otp encryption encrypt "
    "encrypted firewall protection protected protect sandbox sandboxing seccomp apparmor selinux csrf signature "
    "signatures signing gpgcheck certificate certificates hostkey integrity acl acls security secure lockout".split()
)
_ONLY_KEPT = frozenset(
    "password passwords audit auditing logging backup backups versioning".split()
)  # as settings
_DOORS = frozenset(
    "privileged public anonymous insecure superuser nopasswd passwordless unrestricted unauthenticated guest guests "
    "unconfined permissive world".split()
)
_OFF = frozenset("off false no 0 none disabled disable never n unconfined permissive".split())
_ON = frozenset("on true yes 1 all enabled enable always any * everyone public y".split())
_TAKES_AWAY = frozenset("no disable skip without ignore bypass".split())
_LETS_IN = frozenset("allow accept trust enable permit".split())
_EVERYBODY = frozenset("all any everyone everybody".split())
_SETS = frozenset("set config setting settings update modify put edit configure option".split())
_STATES = frozenset("state status mode availability".split())
_ACTIONS = frozenset("action op operation ensure command".split())
_LOSES = re.compile(r"delete|remove|destroy|purge|erase|wipe|replace|truncate|overwrite")
_WHOLE = frozenset({"source=/", "src=/", "hostPath=/", "host_path=/"})
# Where a program takes its packages from, or sends what it says.
_ELSEWHERE = re.compile(
    r"-{0,2}\w*[\w.-]*(?:registry|index[_-]?url|mirror|repo|repository|repo\.remote|goproxy)[\w.-]{0,10}=http://(?!localhost|127\.)\S+",
    re.I,
)
_KEY_AND_VALUE = re.compile(r"(-{0,2}[A-Za-z][\w.-]*)[=:]([\w*.-]+)")
_PROGRAMS = frozenset("shell hook hooks command cmd exec helper pager editor handler preload startup".split())
_A_PROGRAM = re.compile(r"(?!/(?:usr/)?(?:local/)?s?bin/[\w-]+$)[~./$]\S*/\S+|[\w./-]+ \S.*")
# What chooses the parts of a program that is built: nothing runs without a guard yet.
_BUILDERS = frozenset(
    "configure cmake make meson scons ninja cargo bazel waf autoreconf gn conan vcpkg".split()
)
_NO_PASSWORD = re.compile(r"-{0,2}(?:[A-Za-z]\w*\.)+(?:token|password|passwd|secret)=|-{0,2}token=")
_ONE_CALL = Finding("medium", "does without a check that guards it", "network")
_KEPT = Finding("high", "turns a protection off", "stops")
_OPENED = Finding("high", "lets in whoever comes", "grants")


def of(call: Call, looks: bool) -> Findings:
    """What the settings among the words of `call` do; nothing where it only `looks`: what guards that is its matter."""
    if call.name in _BUILDERS or looks:
        return
    texts = [word.text for word in call.args]
    yield from _options(text for text in texts if text.startswith("--") and "=" not in text)
    if not _WHOLE.isdisjoint(texts):
        yield Finding("high", "opens the whole file system to what runs there", "grants")
    if any(map(_ELSEWHERE.fullmatch, texts)):
        yield Finding("medium", "takes packages from an index of somebody else's", "runs-unknown-code")
    if any(map(_NO_PASSWORD.fullmatch, texts)):
        yield _OPENED
    pairs = [(found[1], found[2]) for text in texts if (found := _KEY_AND_VALUE.fullmatch(text))]
    yield from _values(pairs)
    if _SETS & {piece for text in texts[:4] for piece in pieces_of(text)}:
        apart = [pair for pair in pairwise(texts) if pair[0][:1] != "-"]
        yield from _values(apart)
        if any(_PROGRAMS & {*pieces_of(key)} and _A_PROGRAM.fullmatch(value) for key, value in apart):
            yield Finding("medium", "runs that program from now on", "persists")


def _options(texts: Iterable[str]) -> Findings:
    for text in texts:
        first, *rest = pieces_of(text[2:])
        if (first in _TAKES_AWAY and _GUARDS & {*rest}) or first in ("insecure", "unauthenticated"):
            yield _ONE_CALL
        elif first in _LETS_IN and (_DOORS & {*rest} or (rest and rest[-1] in _EVERYBODY)):
            yield Finding("medium", "lets in whoever comes", "grants")


def _values(pairs: Iterable[tuple[str, str]]) -> Findings:
    for key, value in pairs:
        pieces, says = {*pieces_of(key.lstrip("-"))}, value.lower()
        option = key.startswith("-")
        if says in _ON and pieces & _DOORS:
            yield _OPENED
        elif says in _OFF and pieces & _GUARDS:
            yield _ONE_CALL if option else _KEPT
        elif says in _OFF and pieces & _ONLY_KEPT and not option:
            yield _KEPT
        elif pieces & _STATES and (verb := VERBS.get(says)) is not None and verb.kind == "stops":
            yield Finding(verb.alone, f"{verb.reason}, by its own words", verb.kind)
        elif pieces & _ACTIONS and (lost := _LOSES.match(says)):
            yield Finding("medium", f"{lost[0]}s, by its own words", "deletes")
