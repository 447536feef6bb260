"""What is written over: a redirect, `dd of=`, tee, truncate, cp and mv onto something that is there."""

from __future__ import annotations

import os
from pathlib import Path

from terma import regex as re
from terma.risk import making, paths
from terma.risk.model import Call, Finding, Findings, Word
from terma.risk.persisted import placing
from terma.risk.wrapper_table import SHELLS
from terma.text import one_line

_HARMLESS = re.compile(
    r"/dev/(null|zero|full|stdin|stdout|stderr|tty\w*|fd/\d+|pts/\d+|(tcp|udp)/.*)|&?\d+|-|"
)
SYSTEM = paths.SYSTEM
# Without what lies here the machine does not start, nobody logs in, or a database is gone.
VITAL = re.compile(
    r"/(?:boot|lib\w*|s?bin|usr/(?:s?bin|lib\w*(?!/systemd))|var/lib/(?:mysql|pgsql|postgresql|mongo\w*|docker|dpkg|rpm|etcd)"
    r"|etc/(?:fstab|hosts|resolv\.conf|netplan|network|ld\.so\.\w+))(?:/|$)"
)
_ELSEWHERE = re.compile(r"^\s*(?!127\.|0\.0\.0\.0|::1|#)[\d.:a-f]+\s+\S+\.\S+", re.M)
_MAKES_NAMES = {"date", "mktemp", "uuidgen"}  # what they print is in a name so that it is a new one
_TAKES_AWAY = re.compile(r"/sys/(?:block|bus|class|devices)/.*/(?:delete|remove|unbind)")
_DEVICE = "writes straight to the device"


def located(text: str, call: Call) -> list[Path] | None:
    """The paths that `text` may name on this machine, one for each directory that `call` may run in; None when that
    cannot be told of all of them."""
    if call.elsewhere:
        return None
    if text.startswith("~/"):
        text = os.environ.get("HOME", "/") + text[1:]
    if text.startswith("/"):
        return [Path(text)]
    known = [Path(place) / text for place in call.places if place]
    return known if known and not text.startswith("~") else None


def size_of(text: str, call: Call) -> int:
    """Bytes of the largest regular file that `text` may name, -1 when there is none, -2 when nobody knows."""
    sizes = [_bytes(path) for path in located(text, call) or ()]
    return max(sizes, default=-2)


def _bytes(path: Path) -> int:
    try:
        return path.stat().st_size if path.is_file() else -1
    except (OSError, ValueError):
        return -2


def is_new(text: str, call: Call) -> bool:
    """Whether it is certain that nothing has the name `text` where `call` runs."""
    found = located(text, call)
    if not found or ("" in call.places and not text.startswith(("/", "~/"))):
        return False
    return all(map(_absent, found))


def _absent(path: Path) -> bool:
    try:
        path.lstat()
    except FileNotFoundError:
        return True
    except (OSError, ValueError):
        return False
    return False


def named(text: str) -> str:
    """`text` short enough for a reason; a name of which nothing can be shown is "a file"."""
    return one_line(text.rstrip("/").rsplit("/", 1)[-1] or text, 32) or "a file"


def overwriting(word: Word, call: Call, text: str | None = None, *, product: bool = False) -> Findings:
    """`call` empties the file that `word` names (`text`: the part that is the name) and writes it anew. `product`: it
    is a result with a name of its own, which is no danger where nobody can look."""
    name = word.text if text is None else text
    if _HARMLESS.fullmatch(name) or "temporary" in word.origins:
        return
    yield from placing(name, call)
    if paths.DEVICE.match(name):
        yield Finding("high", f"{_DEVICE} {named(name)}", "disks")
    elif name in ("/proc/sysrq-trigger", "/sys/power/state"):
        yield Finding("high", "shuts the machine down or restarts it", "stops")
    elif _TAKES_AWAY.fullmatch(name):
        yield Finding("high", "takes a device away", "disks")
    elif name.startswith(("/proc/", "/sys/")):
        yield Finding("medium", "changes a kernel setting")
        yield Finding("medium", "needs root", "root")
    elif (call.bulk and name == "{}") or ("many" in word.origins and not product):
        yield Finding("high", "overwrites every file on a list", "overwrites")
    elif word.dynamic:
        if not product and (not word.programs or not word.programs <= _MAKES_NAMES):
            yield Finding("medium", "may overwrite a file", "overwrites")
    else:
        yield from _emptied(name, call, product and located(name, call) is None, word.globs)


def _emptied(name: str, call: Call, product: bool, globs: bool) -> Findings:
    size = size_of(name, call)
    if SYSTEM.match(name):
        yield Finding("high", f"overwrites the system file {named(name)}", "overwrites")
        yield Finding("medium", "needs root", "root")
    elif paths.HISTORIES.search(name):
        yield Finding("high", f"overwrites {named(name)}: no history is left", "history")
    elif size > 0:
        yield Finding("high", f"overwrites {named(name)}, which is not empty", "overwrites")
    elif paths.startup(name) or paths.secrecy(name):
        yield Finding("high", f"overwrites {named(name)} with what is written here", "overwrites")
    elif not product and not paths.temporary(name) and not (is_new(name, call) and not globs):
        yield Finding("medium", f"overwrites {named(name)}", "overwrites")


def appending(word: Word, call: Call) -> Findings:
    """`>>` and `tee -a` lose nothing, but a device or a system file is another matter."""
    yield from placing(word.text, call)
    if paths.DEVICE.match(word.text):
        yield Finding("high", f"{_DEVICE} {named(word.text)}", "disks")
    elif word.text == "/etc/hosts" and call.feed is not None and _ELSEWHERE.search(call.feed.text or ""):
        yield Finding("high", "network: sends a name to another address", "network")
    elif SYSTEM.match(word.text) and not word.text.startswith("/var/log/"):
        yield Finding("medium", f"changes the system file {named(word.text)}")
        yield Finding("medium", "needs root", "root")


def replacing(word: Word, call: Call) -> Findings:
    """`call` writes to a path by its nature (cp, mv, -o FILE): worth a word only when something is there."""
    name = word.text
    yield from placing(name, call)
    if paths.DEVICE.match(name):
        yield Finding("high", f"{_DEVICE} {named(name)}", "disks")
    elif SYSTEM.match(name):
        fetched = call.name in ("curl", "wget") or any("network" in one.holds for one in call.args)
        whole = re.fullmatch(r"/(?:\w+/?)?", name) or VITAL.match(name)
        yield Finding("high" if fetched or whole else "medium", "changes system files", "overwrites")
        yield Finding("medium", "needs root", "root")
    elif not word.dynamic and size_of(name, call) > 0:
        yield Finding("medium", f"overwrites {named(name)}, which is not empty", "overwrites")
    elif (
        call.name in ("cp", "mv", "install")
        and paths.secrecy(name)
        and _is_a_file(name)
        and not is_new(name, call)
        and not word.dynamic
    ):
        if not all(map(_is_a_template, (one.text for one in call.operands()[:-1]))):
            yield Finding("medium", f"overwrites {named(name)}, where secrets are kept", "overwrites")
    elif (
        paths.startup(name) is None
        and name.startswith(("~/.", "$HOME/."))
        and not paths.secrecy(name)
        and name.count("/") == 1
    ):
        yield Finding("medium", f"overwrites the settings {named(name)}", "overwrites")


def _is_a_file(name: str) -> bool:
    """Whether `name` is no directory by its looks, such as ~/.ssh."""
    return "." in name.rsplit("/", 1)[-1][1:] or name.rsplit("/", 1)[-1] in (
        ".env",
        ".netrc",
        ".pgpass",
        ".envrc",
    )


def _is_a_template(name: str) -> bool:
    return bool(re.search(r"example|sample|template|dist|tmpl|default", name.rsplit("/", 1)[-1]))


def redirects(call: Call) -> Findings:
    """What the redirects of `call` write over."""
    for redirect in call.redirects:
        if redirect.target.process:
            continue
        if call.name in SHELLS and redirect.target.text.startswith(("/dev/tcp/", "/dev/udp/")):
            yield Finding("high", "hands this shell to another machine", "runs-unknown-code")
        if redirect.operator in (">", ">|", "&>", ">&", "<>"):
            product = redirect.operator != ">|" and making.is_product(redirect.target, call)
            yield from overwriting(redirect.target, call, product=product)
            if _loses(redirect.target, call):
                yield Finding(
                    "high", f"overwrites {named(redirect.target.text)} before it is read", "overwrites"
                )
        elif redirect.operator in (">>", "&>>"):
            yield from appending(redirect.target, call)


def _loses(target: Word, call: Call) -> bool:
    """Whether the shell empties `target` before `call` comes to read it."""
    plain = not (target.dynamic or _HARMLESS.fullmatch(target.text) or paths.DEVICE.match(target.text))
    return plain and making.reads(target, call)
