"""The machine: disks, memory, services, processes, users, mounts."""

from __future__ import annotations

import os
import re
from itertools import pairwise

from terma.offline.explain.case import Case
from terma.offline.explain.line import quote
from terma.offline.explain.near import nearest
from terma.offline.explain.neighbours import elsewhere
from terma.offline.explain.rule import Facts, Rule, sudo
from terma.offline.explain.subcommands import SUBCOMMANDS


def _free(case: Case, path: str) -> str:
    """What is free there, when it is little: by now the disk may have room again."""
    left = case.free(path or ".") if case.exists(path or ".") else ""
    return f"{left[:1].upper()}{left[1:]}. " if re.match(r"\d+ (?:B|KiB|MiB)", left) else ""


def _has_room(case: Case, path: str) -> bool:
    """Whether the disk that holds `path` has a fiftieth left by now."""
    place = case.at(path or ".")
    while not place.exists() and place != place.parent:
        place = place.parent
    try:
        disk = os.statvfs(place)
    except OSError:
        return False
    return bool(case.cwd or path.startswith("/")) and disk.f_bavail > disk.f_blocks / 50 and disk.f_favail > 0


def _written_to(case: Case) -> str:
    """The file that the failed command was to write, as it says: behind `>`, `of=`, `-o` or `-C`; "" where it does not."""
    mine = [word for word in case.words if word.part == case.part]
    behind = [word.value for word in mine if ">" in word.after]
    named = [value.partition("=")[2] for value in case.args if value.startswith("of=")]
    given = [
        after for flag, after in pairwise(case.args) if flag in ("-o", "--output", "-C", "--target", "-O")
    ]
    return next(iter([*behind, *named, *given]), "")


def _full(case: Case, facts: Facts) -> str:
    told = facts["path"]
    path = told or _written_to(case)
    said = f"no space left on device{f' for {told}' if told else ''}."
    look = "df -h shows every disk, du -sh * what fills one (df -i if the small files ran out)."
    if not path and case.cwd and _has_room(case, "."):
        return f"A disk that it wrote to was full: {said} The one of this folder has room. {look}"
    if path and case.exists(path) and not case.is_dir(path) and not case.at(path).is_file():
        return f"{path} is a device, and it takes no more: {said}"
    state = "The disk was full, and has room again" if _has_room(case, path) else "The disk is full"
    return f"{state}: {said} {_free(case, path)}{look}"


def _by_library_path(case: Case, facts: Facts) -> list[str]:
    """The command with the folder named that holds the library, near here."""
    found = elsewhere(case, facts["name"]) or [facts["name"]] * case.is_file(facts["name"])
    folder = found[0].rpartition("/")[0] or "." if len(found) == 1 else ""
    return (
        [f"LD_LIBRARY_PATH={quote(folder)} {case.command}"]
        if folder and "LD_LIBRARY_PATH" not in case.command
        else []
    )


def _tmux(case: Case) -> list[str]:
    values = {after for flag, after in pairwise(case.args) if flag in ("-L", "-S", "-f", "-c")}
    word = next((one for one in case.operands if one not in values), "")
    known = [*SUBCOMMANDS["tmux"].split(), "attach", "new", "ls", "kill-session", "send-keys", "detach"]
    return [case.swap(word, near) for near in nearest(word, known, 2)] if word and word not in known else []


def _started(case: Case, facts: Facts) -> list[str]:
    """The session that was to be attached, started: where no server runs there is none of another name either."""
    found = re.fullmatch(r"(\s*tmux)\s+(?:a|at|attach|attach-session)\s+-t\s*([\w.-]+)\s*", case.command)
    return [f"{found[1]} new -s {found[2]}"] if found and "find session" not in facts["why"] else []


# Who speaks of the users and groups of the system; an application has users of its own.
_OF_USERS = (
    "useradd usermod userdel adduser deluser groupadd groupmod groupdel addgroup delgroup gpasswd passwd chpasswd chage chfn"
    " chsh newusers su sudo doas runuser newgrp setpriv chroot login chown chgrp install id groups finger pinky getent"
    " crontab at loginctl systemctl systemd-run start-stop-daemon pgrep pkill ps find setfacl setquota quota edquota nice"
    " renice write wall last lslogins tar rsync docker podman"
)


def _from_terminal(case: Case) -> list[str]:
    """The command without the file that was given for its standard input, where it is that which is no terminal."""
    given = [word for word in case.words if word.part == case.part and word.after == "<"]
    if len(given) != 1 or not re.search(r"standard input|stdin|ioctl", case.about_command, re.IGNORECASE):
        return []
    before = case.command[: given[0].start].rstrip().removesuffix("<").rstrip()
    return [before + case.command[given[0].end :]]


RULES = (
    Rule("system.user_home", "no such user or named directory", r"no such user or named directory: (?P<name>\S+)", "~{name} means the home of a user {name}, and there is no such user or named directory. ~/ with a slash is your own home.", rank=18),
    Rule("system.disk_full", ("no space left on device", "enospc", "disk full", "not enough free space"), r"(?:[‘'\"]?(?P<path>/[^:'’\"\n]+)['’\"]?: )?", _full, rank=16),
    Rule("system.quota", "disk quota exceeded", "", "Your disk quota is used up (quota exceeded). Delete something of yours, or ask for more.", rank=16),
    Rule("system.read_only", ("read-only file system", "erofs"), r"(?:[‘'\"]?(?P<path>[^\s:'’\"]+)['’\"]?: Read-only)?", "{path} lies on a read-only file system, so nothing can be written there. mount shows how it is mounted; after disk errors dmesg says why.", rank=16),
    Rule("system.unit", ("unit", "not found", "not loaded"), r"Unit (?P<name>\S+?)(?:\.service)? (?:could not be found|not found|not loaded|does not exist)|Failed to \w+ (?:unit )?(?P<b>\S+?)(?:\.service)?: Unit", "systemd knows no unit {name}{b}: not found. systemctl list-unit-files lists them.",
         lambda c, f: [c.swap(f["name"] or f["b"], n) for n in nearest(f["name"] or f["b"], [u.removesuffix(".service") for d in ("/usr/lib/systemd/system", "/lib/systemd/system", "/etc/systemd/system") for u in c.listing(d) if u.endswith(".service")])], program="systemctl service journalctl", rank=18),
    Rule("system.unit_failed", ("job for", "see \"systemctl status"), r"Job for (?P<name>\S+) failed", "The service {name} failed to start. Its own log says why: systemctl status and journalctl -xeu.", ("journalctl -xeu {name}",), rank=18),
    Rule("system.no_systemd", "system has not been booted with systemd", "", lambda c, f: f"This machine was not started with systemd (a container, WSL), so {c.program} has nobody to talk to." + (" service may work instead." if c.program == "systemctl" else ""),
         lambda c, f: [f"service {quote(c.operands[1])} {quote(c.operands[0])}"] if len(c.operands) == 2 and c.exists("/etc/init.d/" + c.operands[1]) else [], rank=16),
    Rule("system.service_unknown", "unrecognized service", r"(?P<name>\S+): unrecognized service", "There is no service {name}: unrecognized. service --status-all lists them.", rank=18),
    Rule("system.no_process", "no such process", r"\(?(?P<pid>-?\d+)?\)? ?- ?No such process", "There is no such process {pid}: it is not running, or ended already. pgrep -a NAME finds the right number.", rank=18),
    Rule("system.killall", "no process found", r"(?P<name>\S+): no process found", "No process named {name} is running: no process found. ps aux lists what runs.", rank=18),
    Rule("system.kill_args", ("arguments must be process or job ids", "no such job", "garbage process id", "failed to parse argument"), r"(?:kill: |fg: |bg: |%)?(?P<name>[\w%-]+)?:? (?:arguments must|no such job)",
         lambda c, f: f"{c.program} got {f['name'] or 'a word'}, which is no process number or job. " + ("pkill ends programs by name." if c.program == "kill" else "jobs lists the jobs of this shell."),
         rank=18, typed=("name",)),
    Rule("system.no_job", "no current job", "", "This shell has no stopped or background job: no current job.", rank=18),
    Rule("system.fork", ("resource temporarily unavailable", "cannot fork", "fork: retry"), "", lambda c, f: "No new process could be started: a limit of processes or memory is reached (resource temporarily unavailable). ulimit -u shows yours." if re.search(r"fork|clone|thread|process|pthread|spawn", c.about_command.lower()) else "", rank=60),
    Rule("system.memory", ("cannot allocate memory", "out of memory", "memoryerror", "heap out of memory", "bad_alloc", "oom-kill", "virtual memory exhausted"), "", "The program ran out of memory: it asked for more than there is. free -h shows what is left; give it less to do at once.", rank=23),
    Rule("system.user", ("user", "does not exist"), r"(?:\buser '?(?=\S+?['’]?(?: does not exist|: no such user| or the user))|invalid user: ['‘]?|unknown user:? ['‘]?|no such user:? ['‘]?|[‘'](?=\S+['’]: no such user))(?P<name>\w[\w.-]*)['’]?(?: does not exist|['’]?: no such user|['’]?$| or the user)", "There is no user {name} here: it does not exist. getent passwd lists them.",
         lambda c, f: [c.swap(f["name"], n) for n in nearest(f["name"], [line.partition(":")[0] for line in c.read("/etc/passwd").splitlines()], 1)], rank=40, speakers=_OF_USERS),
    Rule("system.user_chown", ("invalid user", "invalid group", "no such user", "unknown user"), r"(?:invalid|unknown|no such) (?P<kind>user|group)(?![\w-]):? ?[‘'\"]?(?P<name>\w[\w.:-]*)|[‘'](?P<b>[\w.-]+)[’']: no such user|unknown user:? (?P<c>\S+)", "There is no user or group {name}{b}{c} here: invalid, it does not exist. getent passwd and getent group list them.", rank=42, speakers=_OF_USERS),
    Rule("system.group", "group '", r"group '(?P<name>[^']+)' does not exist", "There is no group {name}: it does not exist. getent group lists them; groupadd makes one.", rank=40, speakers=_OF_USERS),
    Rule("system.user_exists", "already exists", r"(?:user|group) '?(?P<name>[\w-]+)'? already exists", "{name} already exists as a user or group. id shows it.", program="useradd adduser groupadd addgroup", rank=40),
    Rule("system.mount_type", ("wrong fs type", "unknown filesystem type"), r"(?:type '(?P<name>[^']+)')?", "mount could not read that file system: wrong or unknown type {name}, bad option, or a helper is missing. lsblk -f shows what it is.", rank=18),
    Rule("system.mount_device", "special device", r"(?P<path>[^\s:]+): special device (?P<name>\S+) does not exist", lambda c, f: f"There is no device {f['name']} to mount at {f['path']}: it does not exist. lsblk lists the disks." + (f" The type {c.args[c.args.index('-t') + 1]} may be unknown too." if "-t" in c.args[:-1] else ""), program="mount", rank=18),
    Rule("system.mount_point", ("mount point does not exist", "not mounted", "can't find in /etc/fstab", "can't find"), r"(?:mount|umount): (?P<path>[^:]+): (?:[^:\n]*)(?P<why>mount point does not exist|not mounted|can't find in /etc/fstab)", "{path}: {why}. findmnt shows what is mounted where.",
         lambda c, f: [f"sudo mkdir -p {quote(f['path'])} && {c.command}"] if f["why"].startswith("mount point") else [], rank=18),
    Rule("system.io", "input/output error", "", "The system reported an input/output error: a read or a write failed below the program, as on a failing disk. dmesg tells more.", rank=20),
    Rule("system.stale", "stale file handle", "", "The network share changed underneath (stale file handle). Leave the folder and mount it again.", rank=20),
    Rule("system.display", ("cannot open display", "no display", "unable to open display", "can't open display"), "", "There is no graphical display here: cannot open display. Over ssh, -X forwards one; DISPLAY says which is used.", rank=18),
    Rule("system.locale", "setting locale failed", "", "The locale that LANG or LC_ALL names is not installed on this machine. It is a warning: locale -a lists what is there.", rank=80),
    Rule("system.library", "error while loading shared libraries", r"shared libraries: (?P<name>[^:]+): (?P<why>[^:\n]+)", "The program needs the shared library {name}, which cannot be opened or found: {why}. Install its package, or run ldconfig after installing it.", _by_library_path, rewrites=True, rank=16),
    Rule("system.glibc", ("version `glibc", "version `cxxabi", "version `glibcxx"), r"version `(?P<name>[^']+)' not found", "The program was built for a newer system: version {name} of the C library is not found here.", rank=16),
    Rule("system.tty", ("not a tty", "inappropriate ioctl for device", "standard in must be a tty", "no tty present"), "", lambda c, f: "The program wants a terminal, and its input or output is none (not a tty)." + (" -t gives it one." if c.program == "ssh" else "") if re.search(r"not a tty|must be a tty|no tty|stty|tc[gs]etattr|terminal", c.about_command.lower()) else "", lambda c, f: [c.insert("-t")] if c.program == "ssh" else _from_terminal(c), rank=60, rewrites=True),
    Rule("system.crontab", "no crontab for", r"no crontab for (?P<name>\S+)", "The user {name} has no crontab yet: no scheduled jobs. crontab -e makes one.", rank=18),
    Rule("system.man", "no manual entry for", r"[Nn]o manual entry for (?P<name>\S+)", "There is no manual entry for {name}: misspelt, a shell builtin (help {name}), or its page is not installed.",
         lambda c, f: [f"{f['name']} --help"] if c.installed(f["name"]) else [c.swap(f["name"], n) for n in nearest(f["name"], c.programs)], rank=18, rewrites=True),
    Rule("system.whatis", "nothing appropriate", r"(?P<name>\S+): nothing appropriate", "The manual knows nothing appropriate for {name}.", rank=18, program="whatis apropos man"),
    Rule("system.tmux_server", ("no server running on", "error connecting to"), r"(?:no server running on|error connecting to) (?P<path>\S+)", "No tmux server answers at {path}: none was started there. tmux new starts one.", lambda c, f: _tmux(c), program="tmux", rank=17),
    Rule("system.tmux_none", ("no server running on", "no sessions", "error connecting to", "can't find session"), r"(?P<why>no server running|no sessions|error connecting|can't find session:? ?\S*)", "tmux has no such session: {why}. tmux ls lists those there are, tmux new starts one.", lambda c, f: _tmux(c) or _started(c, f), program="tmux", rank=18, rewrites=True),
    Rule("system.running", "server is already running", r"already running\. Check (?P<path>\S+)", "A server is already running, by its file {path}. Stop that one, or remove the file if it is a left-over.", rank=30),
    Rule("system.hostname", "you must be root to change the host name", "", "Only root may change the host name.", sudo, rank=18),
)  # fmt: skip
