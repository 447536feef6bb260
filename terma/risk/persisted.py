"""What is put where something will run it later: a start-up file, a table of jobs, a hook, a unit."""

from __future__ import annotations

from collections.abc import Iterator

from terma import regex as re
from terma.risk import paths
from terma.risk.model import Call, Finding, Findings
from terma.risk.values import printed

_FOREIGN = {"network", "decoded", "unpacked", "obscured", "cloned"}
_TAKES_OVER = re.compile(
    r"\bPATH=[\"']?(?:\.(?=[:/])|:|/tmp|/var/tmp|/dev/shm|\$\{?TMPDIR)|PROMPT_COMMAND=|\bprecmd|LD_PRELOAD|LD_AUDIT|BASH_ENV=|DYLD_INSERT"
    r"|\balias\s+(?:sudo|su|ssh|scp|git|ls|cd|passwd|gpg|doas|kubectl|docker)=\S*/|\btrap\b.*\bDEBUG\b|function\s+(?:sudo|ssh|su)\b|^(?:sudo|ssh|su)\s*\(\)"
    r"|(?:ExecStart\w*|Exec)=\S*(?:/tmp/|/dev/shm/|/var/tmp/|/\.\w)|NOPASSWD|nc\s+-|/dev/tcp/|\|\s*(?:ba|z|da)?sh\b|command=\""
    r"|(?:Proxy|Local|Remote)Command\s+\S*/(?:tmp|dev/shm|\.\w)|(?:^|[\s\"'])(?:/tmp|/var/tmp|/dev/shm)/\S|curl\b|wget\b|base64\s+-d",
    re.M,
)
_CRON = re.compile(r"^\s*(?:@\w+|(?:[\d*/,\-A-Za-z]+\s+){4}[\d*/,\-A-Za-z]+)\s+(.+)$", re.M)
_CRON_USER = re.compile(r"^(?:root|[a-z][\w-]*)\s+(?=[/~$\w])")
_UNIT = re.compile(r"^\s*(?:Exec\w*|Run|ProgramArguments)\s*=\s*[-@+!:]*(.+)$", re.M)
_UDEV = re.compile(r"RUN\+?=\"([^\"]+)\"")
_PIECES = re.compile(r"/etc/(?:cron|anacron)|/var/spool/cron|crontab")


def content(call: Call) -> str:
    """What `call` writes, as far as it can be known; "" otherwise."""
    text = printed(call)
    if text is None and call.feed is not None:
        text = call.feed.text
    return text or ""


def placing(name: str, call: Call) -> Findings:
    """`call` writes, appends to or replaces the file `name`: what that starts later, and whom it lets in."""
    if paths.grants(name):
        yield Finding(
            "high", f"changes {name.rsplit('/', 1)[-1] or name}, which says who may do what", "grants"
        )
    if paths.shadows(name):
        yield Finding("high", f"puts another program in the place of {name.rsplit('/', 1)[-1]}", "persists")
    found = paths.startup(name)
    if found is None or name.startswith("$(") or "\n" in name:
        return
    kind, when = found
    text = content(call) or (
        " ".join(word.text for word in call.args) if call.name in ("sed", "gsed", "perl") else ""
    )
    origins = call.feed.origins if call.feed is not None else frozenset[str]()
    origins = origins.union(*(word.holds | word.origins for word in call.args)) if call.args else origins
    if kind == "login":
        yield Finding("high", f"changes {when}", "grants")
        yield Finding("high", "leaves a way back in", "persists")
        return
    serious = kind == "system" or call.name in ("curl", "wget") or takes_over(text, origins)
    yield Finding("high" if serious else "medium", f"runs at {when}", "persists")


def takes_over(text: str, origins: frozenset[str]) -> bool:
    """Whether `text`, of `origins` and to be run later, comes from elsewhere or takes the place of what is trusted."""
    return bool(origins & _FOREIGN or _TAKES_OVER.search(text))


def later(call: Call) -> Iterator[str]:
    """The shell text that `call` leaves behind to be run later."""
    targets = [one.target.text for one in call.redirects if one.operator in (">", ">>", ">|", "&>", "&>>")]
    if call.name in ("tee", "sponge"):
        targets += [word.text for word in call.operands()]
    if call.name == "crontab" or any(map(paths.startup, targets)):
        yield from commands_in(content(call), " ".join([call.name, *targets]))


def commands_in(text: str, where: str) -> Iterator[str]:
    """The commands in the text of a start-up file, by its form: a crontab, a unit, a rule of udev, else a script."""
    if not text.strip():
        return
    if _PIECES.search(where):
        for line in _CRON.findall(text):
            yield _CRON_USER.sub("", line) if "/etc/" in where else line
    elif ".service" in where or "ExecStart" in text or ".desktop" in where:
        yield from _UNIT.findall(text)
    elif "udev" in where:
        yield from _UDEV.findall(text)
    elif "authorized_keys" not in where:
        yield text
