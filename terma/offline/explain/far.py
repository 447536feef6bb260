"""Whose machine a message speaks of: a program that carries others' words shows what was said elsewhere.

"No such file" of a container, of a host behind ssh or of the receiving side of a copy is true there. A look at this
machine's files, users and ports proves nothing about it, so none is taken, and nothing is offered that works here."""

from __future__ import annotations

import re
from dataclasses import replace

from terma.offline.explain.case import Case
from terma.offline.explain.model import Explanation, Failure
from terma.offline.explain.unrecognised import NO_MORE

# What runs a command on another machine or in another root, and which of its subcommands do.
_SUBCOMMANDS = {
    **dict.fromkeys(("docker", "podman", "nerdctl"), "build buildx run exec compose logs start attach container"),
    **dict.fromkeys(("docker-compose", "podman-compose"), "build run exec up logs"),
    **dict.fromkeys(("kubectl", "oc"), "exec logs run debug attach"),
    **dict.fromkeys(("lxc", "incus"), "exec"),
    "vagrant": "ssh provision up",
    "adb": "shell",
    "flatpak": "run",
}  # fmt: skip
_ALWAYS = frozenset("ssh mosh rsh chroot nsenter systemd-nspawn ansible ansible-playbook".split())
_PLACES = {"kubectl": "in the pod", "oc": "in the pod", "vagrant": "in the virtual machine", "adb": "on the device",
           "flatpak": "in its sandbox", "chroot": "in the other root", "nsenter": "in the other root"}  # fmt: skip
_COPIES = frozenset(("scp", "sftp", "rsync"))
_ON_PLAY = re.compile(r"^(?:fatal|failed): \[(?P<host>[\w.-]+)\]|^(?P<b>[\w.-]+) \| (?:FAILED|UNREACHABLE)")
_BUILD_ROW = re.compile(
    r"^(?:#\d+ )?\d+\.\d+ +|^[\w.-]+ +\| "
)  # BuildKit's clock, compose's name of a service
_SPEAKER = re.compile(r"^(?:-?)(?P<name>[\w./+-]+)(?:\[\d+\])?(?:: line \d+|: \d+)?: \S")
_RAISED = re.compile(r"^(?:\w+\.)*[A-Z]\w*(?:Error|Exception)\b")
# How those programs begin what they say themselves.
_OWN = re.compile(
    r"(?i)(?:error|fatal|warning|unknown|usage|unable|failed to solve|oci runtime|cannot connect|ambiguous|"
    r"the command '|(?:copy|add) failed|dockerfile|kex_|host key|load key|banner|client_loop|command-line)\b"
)
_BUILDERS_OWN = re.compile(
    r"(?i)error: (?:failed to|process|resolve|unable|invalid|cannot connect|target)|error response"
)
_STEP = re.compile(r"(?m)^ *> \[|^Step \d+/|^#\d+ |^ *=> ")  # a build got so far that it ran something
_COPIED_TO = re.compile(r"(?:[\w.-]+@)?(?P<host>[\w.-]+|\[[\da-fA-F:]+\]):(?P<path>(?!//)\S*)")


class FarCase(Case):
    """A failure of another machine: nothing of it can be looked up from here."""

    def __init__(self, failure: Failure, where: str) -> None:
        super().__init__(failure)
        self.where = where

    def exists(self, path: str) -> bool:
        """What the message names it misses; of the folders on the way nothing is known, so none is called missing."""
        return not re.search(rf"(?<![\w./-]){re.escape(path)}(?![\w/-])", self.output)

    def is_dir(self, path: str) -> bool:
        return False

    def installed(self, name: str) -> bool:
        return False

    def listing(self, folder: str = ".") -> list[str]:
        return []

    def read(self, name: str, limit: int = 65536) -> str:
        return ""

    def bytes_of(self, name: str, limit: int = 65536) -> bytes:
        return b""

    def owner(self, path: str) -> str:
        return ""


def far(case: Case) -> FarCase | None:
    """`case` as one of the machine that its message speaks of; None where that is this one."""
    where = _where(case)
    return FarCase(case.failure, where) if where else None


def only_said(found: Explanation, where: str) -> Explanation:
    """`found` as what was said `where`: its first sentence, which tells the message, and nothing to type."""
    if found.rule == "unknown":
        told = f"{found.text.replace(NO_MORE, '')} What it shows was said {where}."
        return replace(found, text=f"{told}{NO_MORE}")
    said = re.split(r"(?<=[.?!]) (?=[A-Z])", found.text, maxsplit=1)[0]
    return Explanation(f"{said} That was said {where}, where terma cannot look.", (), found.rule)


def _where(case: Case) -> str:
    line = _BUILD_ROW.sub("", case.evidence.line)
    if not line:
        return ""
    if case.program in _COPIES:
        return "" if "no matches found" in line else _other_side(case, line)
    played = _ON_PLAY.match(line)
    if played and case.program.startswith("ansible"):
        return f"on {played['host'] or played['b']}"
    if not _carries(case) or not _is_anothers(case, line):
        return ""
    return _PLACES.get(case.program) or (
        f"on {_host(case)}" if case.program in _ALWAYS else "in the container"
    )


def _carries(case: Case) -> bool:
    """Whether the failed program shows what another one, elsewhere, has printed."""
    subs = _SUBCOMMANDS.get(case.program, "").split()
    return case.program in _ALWAYS or bool(subs and set(subs) & set(case.operands[:2]))


def _is_anothers(case: Case, line: str) -> bool:
    """Whether `line` is of the program that was started there, and not of the one that was typed here."""
    if line != case.evidence.line or _RAISED.match(line):
        return True
    speaker = _SPEAKER.match(line)
    if speaker is None or case.is_file(speaker["name"]):
        return False  # a file of this machine is what the message is about
    name = speaker["name"].rpartition("/")[2]
    if name.lower() == "error" and {"build", "buildx"} & set(case.operands[:2]):
        return bool(_STEP.search(case.output)) and not _BUILDERS_OWN.match(line)
    unstarted = name.endswith("sh") and re.match(rf"\S+: (?:line \d+: )?{re.escape(case.program)}: ", line)
    return name != case.program and not _OWN.match(line) and not unstarted


def _host(case: Case) -> str:
    return next(iter(case.operands), "") or "the other side"


def _other_side(case: Case, line: str) -> str:
    """The host to which a copy goes or from which it comes, where `line` names a path of it and none of this side."""
    remote = [hit for hit in map(_COPIED_TO.fullmatch, case.operands) if hit]
    here = [value for value in case.operands if not _COPIED_TO.fullmatch(value)]
    if not remote or any(value.rstrip("/") and value.rstrip("/") in line for value in here if len(value) > 1):
        return ""
    paths = [hit["path"].rstrip("/") for hit in remote]
    told = any(
        len(path) > 1 and re.search(rf"(?<![\w.-]){re.escape(path)}(?![\w.-])", line) for path in paths
    )
    return f"on {remote[0]['host']}" if told else ""
