"""What leaves for strangers though nothing about it is private: paste places, senders of files, uploads, raw pipes."""

from __future__ import annotations

import re
from collections.abc import Iterator

from terma.risk.model import Call, Finding, Findings
from terma.risk.rules.sinks import LOCAL
from terma.risk.rules.table import asks

RULES = ()

_PASTES = (
    "pastebinit pastebin ix sprunge termbin gist fpaste pbincli hastebin haste paste.rs 0x0 dpaste "
    "wgetpaste".split()
)
_SENDERS = "wormhole magic-wormhole croc webwormhole ffsend transfer transfer.sh onionshare-cli qrcp".split()
_RAW = "nc ncat netcat socat telnet".split()
_TAKES = {"receive", "recv", "get", "download", "dl", "list", "ls", "-l", "--list"}
_UPLOADED = re.compile(r"(?:[\w\[\]-]+=)?[@<](?!-?$).+")
# What an address of a program is asked with: no copy of somebody's file.
_STRUCTURED = re.compile(r".*\.(?:json|ndjson|jsonl|xml|graphql|gql|ya?ml|soap|form)", re.I)
_LISTENS = {"-l", "--listen", "-z"}


def _pasted(call: Call) -> Findings:
    texts = {word.text for word in call.args}
    if not asks(call) and not texts & _TAKES and (call.feed is not None or call.args or call.redirects):
        yield Finding("medium", "shows what it is given to everybody who has the address", "leaks")


def _handed_over(call: Call) -> Findings:
    operands = [word.text for word in call.operands()]
    if asks(call) or not operands or operands[0] in _TAKES:
        return
    if len(operands) > 1 or call.name not in ("croc", "wormhole", "magic-wormhole", "webwormhole"):
        yield Finding("medium", "sends files to another machine", "leaks")


def _posted(call: Call) -> Findings:
    """`curl -T FILE`, `curl -F x=@FILE`, `wget --post-file=FILE`."""
    if any(LOCAL.match(word.text) for word in call.args):
        return
    if any(True for _ in _bodies(call)):
        yield Finding("medium", "sends a file to another machine", "leaks")


def _bodies(call: Call) -> Iterator[str]:
    """The files that go out as they are."""
    if call.name == "wget":
        yield from (word.text for word in call.values("--post-file", "--body-file"))
        return
    yield from (word.text for word in call.values("-T", "--upload-file"))
    yield from (word.text for word in call.values("-F", "--form") if _UPLOADED.fullmatch(word.text))
    for word in call.values("--data-binary"):
        if _UPLOADED.fullmatch(word.text) and not _STRUCTURED.fullmatch(word.text):
            yield word.text


def _piped(call: Call) -> Findings:
    """`cat FILE | nc HOST PORT`: what a line spells out itself is a request."""
    if call.flags() & _LISTENS or asks(call) or any(LOCAL.match(word.text) for word in call.args):
        return
    read = any(one.operator == "<" and one.target.text != "/dev/null" for one in call.redirects)
    if read or (call.feed is not None and call.feed.text is None and (call.feed.calls or call.feed.origins)):
        yield Finding("medium", "sends what it reads to another machine, for all to read", "leaks")


CHECKS = {
    **dict.fromkeys(_PASTES, _pasted),
    **dict.fromkeys(_SENDERS, _handed_over),
    **dict.fromkeys(("curl", "wget"), _posted),
    **dict.fromkeys(_RAW, _piped),
}
