"""Permission: no execute bit, root needed, a folder that is not yours, a set-up that asks for sudo."""

from __future__ import annotations

import os
import re

from terma.offline.explain.case import INTERPRETER, Case
from terma.offline.explain.line import quote
from terma.offline.explain.lookups import can_run, noexec, script_runner
from terma.offline.explain.pathnames import LOCAL, is_path, starts_program
from terma.offline.explain.reach import is_root
from terma.offline.explain.rule import Facts, Rule, sudo

_DENIED = r"^(?:\w*sh: (?:line \d+: )?)(?P<path>[^:\n]+): Permission denied|^zsh(?::\d+)?: permission denied: (?P<other>\S+)"


NOT_RUN = 126  # the status of a shell, of env and the like for a program that is there and cannot be run


def _which(facts: Facts) -> str:
    return facts.get("path") or facts.get("other") or ""


def _redirect(case: Case, path: str) -> bool:
    return any(word.after and ">" in word.after and word.value == path for word in case.words)


def _exec_text(case: Case, facts: Facts) -> str:
    path = _which(facts)
    if _redirect(case, path) and _is_own_readonly(case, path):
        return f"{path}: permission denied. It belongs to you, and its mode lacks the right to write: chmod u+w gives it."
    if _redirect(case, path):
        return f"{path}: permission denied. The shell itself does the redirection and opens it for writing, so sudo before the command would not help; let tee write it as root."
    if case.ended not in (NOT_RUN, -1) and not case.is_dir(path):
        return _opened_text(case, path)
    if case.is_dir(path):
        return f"{path} is a directory and cannot be executed."
    if noexec(case, path):
        return f"{path} lies on a file system that is mounted noexec: no program there may be run (permission denied), though its interpreter may read it."
    if path.startswith("/") and not os.access(case.at(path).parent, os.W_OK) and not case.is_dir(path):
        seen = (
            " Root may (sudo)."
            if case.exists(path)
            else " Its mode lacks the right to execute, or its file system is mounted noexec."
        )
        return f"{path}: permission denied, so you may not execute it.{seen}"
    if not can_run(case, path):
        return f"{path} is not executable: permission denied. Nothing in it says that it is a program."
    return f"{path} is not executable: permission denied. chmod +x makes it executable."


def _opened_text(case: Case, path: str) -> str:
    """A shell's refusal with another status than that of a program that cannot run: it was to open a file, in a
    redirection of a function or script."""
    if not is_path(case, path) or not _is_local(case, path):
        return ""
    whose = (
        "It belongs to you, and its mode bars you." if _is_own_readonly(case, path) else _whose(case, path)
    )
    return f"{path}: permission denied. The shell was to open it, as > or < does. {whose}".rstrip()


def _exec_fixes(case: Case, facts: Facts) -> list[str]:
    path = _which(facts)
    if not _redirect(case, path) and case.ended not in (NOT_RUN, -1) and not case.is_dir(path):
        return []
    if _redirect(case, path) and _is_own_readonly(case, path):
        return [f"chmod u+w {quote(path)} && {case.command}"]
    if _redirect(case, path):
        word = next(w for w in case.words if w.value == path and w.after)
        head = case.command[: word.start].rstrip().removesuffix(word.after).rstrip()
        append = " -a" if word.after.endswith(">>") else ""
        head = head.removeprefix("sudo ")  # what only prints needs no root
        return [f"{head} | sudo tee{append} {quote(path)}{case.command[word.end :]}"]
    if case.is_dir(path):
        return [f"cd {quote(path)}"]
    if noexec(case, path) or (path.startswith("/") and not case.exists(path)):
        runner = script_runner(case, path)
        return [case.swap(path, f"{runner} {quote(path)}", raw=True)] if runner else []
    if path.startswith("/") and not os.access(case.at(path).parent, os.W_OK):
        return [case.with_sudo()]
    by_ending = {".py": "python3", ".sh": "bash", ".rb": "ruby", ".pl": "perl", ".js": "node"}
    runner = next((run for end, run in by_ending.items() if path.endswith(end)), "")
    return [
        f"chmod +x {quote(path)} && {case.command}" if can_run(case, path) else "",
        case.swap(path, f"{runner} {quote(path)}", raw=True) if runner else "",
    ]


def _is_local(case: Case, path: str) -> bool:
    """Whether a file of this machine, or what root alone may do here, was refused; not a table, a page or a login."""
    seen = path and (case.exists(path) or path in case.args or ("/" in path and case.is_dir(_parent(path))))
    if case.program not in LOCAL and not seen:
        return False
    return case.blamed and not (
        _OF_A_SERVER.search(case.about_command) or _REFUSED_AFAR.search(_unnamed(case, path))
    )


# What a service calls its own things, and how one refuses who asks over the network.
_OF_A_SERVER = re.compile(
    r"(?:for|to) (?:table|relation|schema|database|function|sequence|bucket|resource)\b"
)
_REFUSED_AFAR = re.compile(r"HTTP|\b40[13]\b|publickey")


def _unnamed(case: Case, path: str) -> str:
    """What is told beside the names of files: /srv/401/a is no answer of a server."""
    told = case.about_command
    for name in sorted({path, *case.args} - {""}, key=len, reverse=True):
        told = re.sub(rf"(?<![\w.-]){re.escape(name)}(?![\w.-])", " ", told)
    return re.sub(r"\S*/\S*", " ", told)


def _path(case: Case, facts: Facts) -> str:
    """The path that was refused, "" where none is told."""
    path, target = facts.get("path", ""), facts.get("target", "")
    if path == case.program and path not in case.args:
        return ""  # who speaks, and nothing that was refused
    if target and not os.access(case.at(_folder(target)), os.W_OK):
        return target
    return path if is_path(case, path) else ""


def _folder(path: str) -> str:
    """What holds `path`: "." for a bare name, "/" for one at the root."""
    above = _parent(path)
    return above or ("/" if path.startswith("/") else ".")


def _whose(case: Case, path: str) -> str:
    """Whose the thing is that was refused; of what does not exist yet, whose the folder is."""
    if not path:
        return ""
    seen, what = (path, "It") if case.exists(path) else (_folder(path), f"Its folder {_folder(path)}")
    owner = case.owner(seen) if case.exists(seen) or case.is_dir(seen) else ""
    return f"{what} belongs to {owner}. " if owner else ""


def _denied_text(case: Case, facts: Facts) -> str:
    path = _path(case, facts)
    if not _is_local(case, path):
        return ""
    if _unmarked(case, path):
        return f"{path} is not executable: permission denied. chmod +x makes it executable."
    who = f"{path}: permission denied. " if path else f"Permission denied for {case.program}. "
    if case.program in ("cd", "pushd"):
        return (
            who
            + "You may not enter that directory, and sudo cannot help: cd is the shell's own. ls -ld shows whose it is."
        )
    if _own_folder(case, path):
        return (
            who
            + f"The folder {_parent(path)} is not writable, though it belongs to whoever owns this one: chmod u+w changes that."
        )
    if case.command.startswith("sudo "):
        return who + "Even root was refused: look at the file's attributes (lsattr) and how it is mounted."
    if path and not path.startswith(("/", "~")) and case.exists(path) and _barred(case, path, 0o400):
        return (
            who
            + f"It is in your own folder, but its mode lets nobody read it: chmod {_to_read(case, path)} {path} changes that."
        )
    if _is_own_readonly(case, path):
        return who + "It belongs to you, and its mode lacks the right to write: chmod u+w gives it."
    whose = _whose(case, path)
    return (
        who
        + whose
        + "Your user may not do that; root may (sudo)."
        + ("" if whose or not path else " ls -ld shows whose it is.")
    )


def _not_permitted(case: Case, facts: Facts) -> str:
    path = facts["path"]
    if is_path(case, path):
        return f"{path}: operation not permitted. {_whose(case, path)}Root may do it (sudo)."
    if case.program not in LOCAL and not _is_the_systems(case):
        return ""  # what an application calls its own rules
    return f"{case.program} was not allowed to do that: operation not permitted. Root may (sudo)."


def _is_the_systems(case: Case) -> bool:
    """Whether the program came with the system, and is none that runs what others wrote."""
    return case.program_file.startswith(("/usr/", "/bin/", "/sbin/")) and not INTERPRETER.fullmatch(
        case.program
    )


def _bound(case: Case, facts: Facts) -> str:
    told = (
        facts.get("port")
        or facts.get("b")
        or next((v.rpartition(":")[2] for v in case.args if v.rpartition(":")[2].isdigit()), "")
    )
    return told if told.isdigit() and int(told) < 1024 else ""


def _low_port(case: Case, facts: Facts) -> str:
    port = _bound(case, facts)
    return (
        f"Only root may listen on port {port}: permission denied for ports below 1024. Take a higher one, or run it with sudo."
        if port
        else ""
    )


def _low_port_fixes(case: Case, facts: Facts) -> list[str]:
    port = _bound(case, facts)
    return [case.with_sudo(), case.swap(port, str(8000 + int(port)))]


def _own_prefix(case: Case, facts: Facts) -> list[str]:
    """A global install into a folder of one's own; as root where npm itself is not told to install."""
    into = {"-g", "--global"} & {*case.args}
    mine = case.program == "npm" and into and "--prefix" not in case.command
    return [case.insert("--prefix ~/.local", into.pop()) if mine else "", case.with_sudo()]


def _parent(path: str) -> str:
    return path.rstrip("/").rpartition("/")[0]


def _unmarked(case: Case, path: str) -> bool:
    """Whether another program was to start `path`, a file of this person that nobody may execute."""
    starts = re.search(r"\b(?:run|exec\w*|start|spawn)\b[^\n]*permission denied", case.low)
    if not (starts or case.ended == NOT_RUN) or not path or case.is_dir(path) or not case.exists(path):
        return False
    return _barred(case, path, 0o111)


def _own_folder(case: Case, path: str) -> bool:
    """Whether `path` is new in a folder beneath this one that has the same owner and no write bit, or was to leave it:
    who takes a name away or changes it writes to its folder."""
    folder = _parent(path)
    leaves = re.search(r"(?i)\b(?:remov|unlink|delet|renam|mov)\w*\b[^\n]*permission denied", case.output)
    if (
        not folder
        or folder.startswith(("/", "~"))
        or (case.exists(path) and not leaves)
        or not case.is_dir(folder)
    ):
        return False
    return _barred(case, folder, 0o200)


def _barred(case: Case, path: str, bit: int) -> bool:
    """Whether `path` has the owner that this folder has, and lacks the owner's `bit`."""
    try:
        there, here = case.at(path).stat(), case.at(".").stat()
    except OSError:
        return False
    return there.st_uid == here.st_uid and not there.st_mode & bit


def _is_own_readonly(case: Case, path: str) -> bool:
    """Whether `path` is a file of this person that may be read and not written."""
    mine = case.is_file(path) and os.geteuid() != 0 and os.access(case.at(path), os.R_OK)
    return mine and case.at(path).stat().st_uid == os.geteuid() and _barred(case, path, 0o200)


def _readonly(case: Case) -> str:
    """The file of the command, or that the output names, which its owner may not write."""
    named = (*case.args, *case.evidence.names)
    return next((path for path in named if case.is_file(path) and _barred(case, path, 0o200)), "")


def _denied_fixes(case: Case, facts: Facts) -> list[str]:
    path = _path(case, facts)
    if case.program in ("cd", "pushd"):
        return []
    if _unmarked(case, path):
        return [f"chmod +x {quote(path)} && {case.command}"]
    if _own_folder(case, path):
        return [f"chmod u+w {quote(_parent(path))} && {case.command}"]
    if path and not path.startswith(("/", "~")) and case.exists(path) and _barred(case, path, 0o400):
        return [f"chmod {_to_read(case, path)} {quote(path)} && {case.command}"]
    if _is_own_readonly(case, path):
        return [f"chmod u+w {quote(path)} && {case.command}"]
    return [case.with_sudo()]


def _to_read(case: Case, path: str) -> str:
    """The change of mode that lets its owner read it: of a folder, look what is in it and go there as well."""
    return "u+rx" if case.is_dir(path) else "u+r"


def _python_text(case: Case, facts: Facts) -> str:
    if starts_program(case):
        return ""
    return f"Python may not open or make {facts['path']}: PermissionError, permission denied. {_whose(case, facts['path'])}Root may (sudo)."


def _docker_text(case: Case, facts: Facts) -> str:
    if is_root():
        return (
            "The docker daemon's socket is closed to this user (permission denied), who is root already: sudo changes "
            "nothing. A rootless docker, a user namespace or SELinux keeps it shut: docker context ls."
        )
    return (
        "Your user may not talk to the docker daemon: permission denied on its socket. sudo works; to do without, join "
        "the group docker (sudo usermod -aG docker $USER) and log in again."
    )


RULES = (
    Rule("permission.execute", "permission denied", _DENIED, _exec_text, _exec_fixes, rewrites=True, rank=35),
    Rule("permission.apt", ("are you root?", "could not open lock file"), r"(?:lock file (?P<path>\S+))?",
         "The package database is locked for all but root: it needs root privileges (permission denied on its lock). Run it with sudo.",
         sudo, program="apt apt-get dpkg aptitude", rank=30),
    Rule("permission.needs_root", ("must be root", "run as root", "must be run as root", "you need to be root", "are you root", "requires root",
         "need root", "superuser privileges", "root privileges", "must be superuser", "only root can", "only root may", "only the superuser", "use sudo", "requires superuser",
         "you cannot perform this operation unless you are root", "permission denied (you must be root)", "administrator privileges", "as the root user", "need to be root"),
         r"(?P<line>[^\n]*(?:root|sudo|superuser|administrator)[^\n]*)",
         lambda c, f: f"{c.program} may be run by root alone: it needs root privileges (sudo)." if c.blamed and c.program and f["line"].strip() in c.about_command else "", sudo, rank=36),
    Rule("permission.unsudo", ("should not be run as root", "don't run this as root", "do not run as root", "running as root is not", "as root is extremely dangerous", "cannot be run as root"), "",
         "{program} refuses to run as root. Run it as your own user, without sudo.", lambda c, f: [c.command.removeprefix("sudo ")] if c.command.startswith("sudo ") else [], rewrites=True),
    Rule("permission.not_sudoer", "is not in the sudoers file", r"(?P<user>\S+) is not in the sudoers file",
         "The user {user} may not use sudo: it is not in the sudoers file. Ask whoever administers this machine."),
    Rule("permission.sudo_password", ("incorrect password attempt", "a password is required", "a terminal is required to read the password"), "",
         "sudo got no valid password. It asks for your own password, not root's; without a terminal it cannot ask at all."),
    Rule("permission.docker", "permission denied while trying to connect to the docker", "",
         _docker_text, lambda c, f: [] if is_root() else [c.with_sudo()], rank=25),
    Rule("permission.ssh_key", ("permission denied (publickey", "permission denied, please try again"), r"(?:(?P<host>\S+@\S+): )?Permission denied",
         "{host} refused the login: permission denied, no key that you offered fits. ssh-add -l lists your keys; the public one must stand in ~/.ssh/authorized_keys there (or in your account's settings).", rank=25),
    Rule("permission.npm_global", "eacces", r"EACCES[^\n]*?(?:'(?P<path>[^']+)'|$)",
         "npm may not write to {path}: EACCES, permission denied. A global install goes to the system's folder; use sudo, or give npm a prefix of your own.",
         _own_prefix, program="npm yarn pnpm", rewrites=True),
    Rule("permission.pip", ("errno 13", "permissionerror"), r"\[Errno 13\] Permission denied: '(?P<path>[^']+)'",
         "pip may not write to {path}: permission denied. Install into a virtual environment, or for yourself with --user.",
         lambda c, f: [c.append("--user")] if c.program.startswith("pip") else [], program="pip pip3"),
    Rule("permission.low_port", ("permissionerror", "eacces", "permission denied", "bind"), r"(?:PermissionError: \[Errno 13\] Permission denied\s*$|listen(?: EACCES|ing)\b[^\n]*?:(?P<port>\d{1,4})(?![\d:])|bind[^\n]*?:(?P<b>\d{1,4})\)?[^\n]*[Pp]ermission denied)", _low_port, _low_port_fixes, rewrites=True, rank=20),
    Rule("permission.readonly", ("readonly database", "read-only database", "read-only file", "readonly file", "is read-only", "is readonly", "file is write-protected"), r"(?P<why>(?:readonly|read-only|write-protected)(?! file system))", lambda c, f: f"{_readonly(c)} may only be read ({f['why'].lower()}): it is yours, and its mode lacks the right to write. chmod u+w gives it." if _readonly(c) else "",
         lambda c, f: [f"chmod u+w {quote(_readonly(c))} && {c.command}"], rewrites=True, rank=20),
    Rule("permission.python", "permissionerror", r"PermissionError: \[Errno 13\] Permission denied: '(?P<path>[^']+)'",
         _python_text, sudo, rank=44),
    Rule("permission.not_permitted", "operation not permitted", r"(?:['‘\"(]?(?P<path>[^\s:'’\")(]+)['’\")]?:? )?-? ?Operation not permitted",
         _not_permitted, sudo, rank=56),
    Rule("permission.quoted", ("permission denied", "access denied"), r"[‘'`\"](?P<path>[^’'\"\n]+)[’'\"](?: to [‘'](?P<target>[^’'\n]+)[’'])?[^:\n]*: (?:Permission|Access) denied", _denied_text, _denied_fixes, rank=57),
    Rule("permission.denied", ("permission denied", "access denied"), r"(?:^|: )(?P<path>[^:\n]+): (?:Permission denied|Access denied)", _denied_text, _denied_fixes, rank=59),
    Rule("permission.plain", ("permission denied", "eacces", "access is denied", "insufficient permissions", "not authorized", "authentication is required",
         "access denied", "interactive authentication required"), "", _denied_text, _denied_fixes, rank=72),
)  # fmt: skip
