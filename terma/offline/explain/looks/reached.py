"""Looks at what could not be reached or is taken: a port of this machine, another host, an address, a process."""

from __future__ import annotations

import re
from collections.abc import Iterator

from terma.offline.explain.case import Case
from terma.offline.explain.line import quote
from terma.offline.explain.looks.named import HOST, folder_above, said
from terma.offline.explain.seen import LOCAL, unserved
from terma.offline.explain.shapes.told import URL

_REFUSED = re.compile(
    r"connection (?:was )?refused|could ?n[o']t connect|failed to connect|cannot connect|econnrefused|was refused"
    r"|unable to connect|not connect to|is the server running|connection to server",
    re.IGNORECASE,
)
_UNNAMED = re.compile(
    r"could not resolve|couldn't resolve|name or service not known|name resolution|unknown host|no such host"
    r"|nodename nor servname|enotfound|getaddrinfo|unable to resolve",
    re.IGNORECASE,
)
_SLOW = re.compile(
    r"timed? ?out|no route to host|network is unreachable|host is (?:down|unreachable)", re.IGNORECASE
)
_TAKEN = re.compile(
    r"address (?:is )?already in use|eaddrinuse|port \S+ is (?:already )?(?:in use|allocated|taken)",
    re.IGNORECASE,
)
_ANSWERED = re.compile(
    r"\b(?:HTTP\S*|error:?|status(?: code)?:?|returned) [45]\d\d\b"
    r"|\b[45]\d\d (?:not found|forbidden|unauthori|bad|internal|service|moved|gone)",
    re.IGNORECASE,
)
_NO_PROCESS = re.compile(r"no such process|no process found|esrch", re.IGNORECASE)
_PORT = re.compile(
    rf"\bport[ =:]+(\d{{2,5}})\b|(?:{HOST}|\*)[:.](\d{{2,5}})(?![\w.])|(?<=\s):(\d{{2,5}})\b", re.IGNORECASE
)
_SOCKET = re.compile(r"(?:unix://)?(/[\w./+-]*(?:\.sock(?:et)?|/\.s\.[\w.]+))(?![\w/])")
_RUNTIME = frozenset(("/run", "/var/run", "/tmp"))  # noqa: S108


def reached(case: Case) -> Iterator[str]:
    """What shows who listens, whether a name leads anywhere, what answers at an address."""
    lines = said(case)
    if _TAKEN.search(lines):
        port = _port(lines) or _port(case.command)
        yield f"ss -ltnp 'sport = :{port}'" if port else "ss -ltnp"
        yield f"lsof -i :{port}" if port else "lsof -i -P"
    running = re.search(
        r"(?:already running|in use by|locked by|held by|another \w+)[^\n]*?\bpid:? ?(\d+)",
        lines,
        re.IGNORECASE,
    )
    if running:
        yield f"ps -p {running[1]}"
    if _NO_PROCESS.search(lines):
        yield from _processes(case, lines)
    if _UNNAMED.search(lines):
        yield from (f"getent hosts {quote(host)}" for host in _hosts(case, lines))
    elif _REFUSED.search(lines):
        yield from _not_answering(case, lines)
    elif _SLOW.search(lines):
        yield from (f"ping -c 3 {quote(host)}" for host in _hosts(case, lines))
    if _ANSWERED.search(lines):
        yield from (f"curl -I {quote(value)}" for value in case.operands if URL.match(value))
    for typed, _ in unserved(case):
        yield f"curl -I {quote(typed)}" if URL.match(typed) and case.program != "curl" else "ss -ltn"


def _not_answering(case: Case, lines: str) -> Iterator[str]:
    socket = _SOCKET.search(lines)
    if socket:
        above = folder_above(case, socket[1])
        yield f"ls -l {socket[1]}" if above in _RUNTIME else f"ls -la {quote(above)}"
        return
    if LOCAL.search(f"{lines}\n{case.command}"):
        yield "ss -ltn"
        yield "netstat -ltn"
        return
    for host in _hosts(case, lines):
        port = _port(lines)
        if port:
            yield f"nc -vz {quote(host)} {port}"
        yield f"ping -c 3 {quote(host)}"


def _processes(case: Case, lines: str) -> Iterator[str]:
    for value in case.operands:
        if re.fullmatch(r"[1-9]\d*", value) and value in lines:
            yield f"ps -p {value}"
        elif re.fullmatch(r"[A-Za-z][\w.-]*", value) and value in lines:
            yield f"pgrep -af {quote(value)}"


def _port(text: str) -> str:
    """The port that `text` names as one, "" where it names none."""
    told = _PORT.search(text)
    if told:
        return str(told[told.lastindex or 0])
    alone = re.findall(r"(?<=\s)(\d{4,5})(?=\s|$)", text)
    return str(alone[0]) if len(alone) == 1 else ""


def _hosts(case: Case, lines: str) -> Iterator[str]:
    """The hosts that were typed and that the lines name, then those of addresses in the lines."""
    typed = [re.sub(r"^[\w.+-]+://|^[^@\s]*@", "", word.value) for word in case.arguments]
    names = [re.split(r"[/:]", one)[0] for one in typed]
    names += [re.split(r"[/:]", hit.group().partition("://")[2])[0] for hit in URL.finditer(lines)]
    for name in dict.fromkeys(names):
        said = re.search(rf"(?<![\w.-]){re.escape(name)}(?![\w-])", lines)
        if said and re.fullmatch(HOST, name) and not name.isdigit():
            yield name
