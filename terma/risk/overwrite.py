"""What is written over: a redirect, `dd of=`, tee, truncate, cp and mv onto something that is there."""

from __future__ import annotations

import os
import re
from pathlib import Path

from terma.risk.model import Call, Finding, Findings, Word
from terma.risk.wrappers import SHELLS
from terma.text import one_line

_HARMLESS = re.compile(
    r"/dev/(null|zero|full|stdin|stdout|stderr|tty\w*|fd/\d+|pts/\d+|(tcp|udp)/.*)|&?\d+|-|"
)
SYSTEM = re.compile(r"/(etc|usr|bin|sbin|lib\w*|boot|opt|root|var(?!/tmp)|System|Library)(/|$)")


def located(text: str, call: Call) -> Path | None:
    """The path that `text` names on this machine, or None when that cannot be told."""
    if call.elsewhere:
        return None
    if text.startswith("~/"):
        text = os.environ.get("HOME", "/") + text[1:]
    if text.startswith("/"):
        return Path(text)
    return Path(call.cwd) / text if call.cwd else None


def size_of(text: str, call: Call) -> int:
    """Bytes of the regular file that `text` names, -1 when there is none, -2 when nobody knows."""
    path = located(text, call)
    try:
        return -2 if path is None else path.stat().st_size if path.is_file() else -1
    except (OSError, ValueError):
        return -2


def named(text: str) -> str:
    """`text` short enough for a reason; a name of which nothing can be shown is "a file"."""
    return one_line(text.rstrip("/").rsplit("/", 1)[-1] or text, 32) or "a file"


def overwriting(word: Word, call: Call, text: str | None = None) -> Findings:
    """`call` empties the file that `word` names (`text`: the part that is the name) and writes it anew."""
    name = word.text if text is None else text
    if _HARMLESS.fullmatch(name):
        return
    if name.startswith("/dev/"):
        yield Finding("high", f"writes straight to the device {named(name)}")
    elif name == "/proc/sysrq-trigger":
        yield Finding("high", "shuts the machine down or restarts it")
    elif name.startswith(("/proc/", "/sys/")):
        yield Finding("medium", "changes a kernel setting")
        yield Finding("medium", "needs root")
    elif word.dynamic:
        yield Finding("medium", "may overwrite a file")
    else:
        size = size_of(name, call)
        if SYSTEM.match(name):
            yield Finding("high", f"overwrites the system file {named(name)}")
            yield Finding("medium", "needs root")
        elif size > 0:
            yield Finding("high", f"overwrites {named(name)}, which is not empty")
        else:
            yield Finding("medium", f"overwrites {named(name)}")


def appending(word: Word) -> Findings:
    """`>>` and `tee -a` lose nothing, but a device or a system file is another matter."""
    if word.text.startswith("/dev/") and not _HARMLESS.fullmatch(word.text):
        yield Finding("high", f"writes straight to the device {named(word.text)}")
    elif SYSTEM.match(word.text):
        yield Finding("medium", f"changes the system file {named(word.text)}")
        yield Finding("medium", "needs root")
    elif word.text.endswith("authorized_keys"):
        yield Finding("medium", "changes who may log in")


def replacing(word: Word, call: Call) -> Findings:
    """`call` writes to a path by its nature (cp, mv, -o FILE): worth a word only when something is there."""
    name = word.text
    if name.startswith("/dev/") and not _HARMLESS.fullmatch(name):
        yield Finding("high", f"writes straight to the device {named(name)}")
    elif SYSTEM.match(name):
        yield Finding("medium", "changes system files")
        yield Finding("medium", "needs root")
    elif not word.dynamic and size_of(name, call) > 0:
        yield Finding("medium", f"overwrites {named(name)}, which is not empty")


def redirects(call: Call) -> Findings:
    """What the redirects of `call` write over."""
    for redirect in call.redirects:
        if redirect.target.process:
            continue
        if call.name in SHELLS and redirect.target.text.startswith(("/dev/tcp/", "/dev/udp/")):
            yield Finding("high", "hands this shell to another machine")
        if redirect.operator in (">", ">|", "&>", ">&", "<>"):
            yield from overwriting(redirect.target, call)
        elif redirect.operator in (">>", "&>>"):
            yield from appending(redirect.target)
