"""What one simple command does to the world: look, change or destroy. Not knowing is a change."""

from __future__ import annotations

from terma import regex as re
from terma.offline.trust.command import Simple
from terma.offline.trust.programs import DESTROYERS, DESTROYING, LOOKERS, LOOKING, SUBCOMMANDS

_NOWHERE = frozenset(("/dev/null", "/dev/stderr", "/dev/stdout", "/dev/tty", "&1", "&2", "1", "2", "-"))
# Programs that look, unless one of these options is there: then they change.
_CHANGES_WITH: dict[str, frozenset[str]] = {
    "find": frozenset(("-fprint", "-fls")), "sort": frozenset(("-o", "--output")), "sed": frozenset(("-i",
    "--in-place")),
    "perl": frozenset(("-i",)), "date": frozenset(("-s", "--set")), "dmesg": frozenset(("-c", "-C", "--clear")),
    "curl": frozenset(("-o", "-O", "-T", "-X", "-d", "--output", "--remote-name", "--data", "--request", "-F")),
    "gzip": frozenset(), "hostname": frozenset(), "journalctl": frozenset(("--vacuum-size", "--vacuum-time",
    "--rotate")),
    "exiftool": frozenset(("-all=", "-overwrite_original")), "yq": frozenset(("-i",)), "jq": frozenset(),
    "gpg": frozenset(("-c", "-e", "-d", "-s", "--import", "--encrypt", "--decrypt", "--sign", "--gen-key", "-o",
                      "--full-generate-key", "--quick-generate-key", "--export-secret-keys")),
    "tmux": frozenset(), "rpm": frozenset(("-i", "-U", "-e", "-F")), "pacman": frozenset(("-S", "-R", "-U", "-Sy")),
    "dpkg": frozenset(("-i", "-r", "-P", "--install", "--remove", "--purge")), "history": frozenset(("-c", "-d")),
    "crontab": frozenset(("-r", "-e")), "unzip": frozenset(), "sysctl": frozenset(("-w", "-p")), "xz": frozenset(),
    "iptables": frozenset(("-A", "-I", "-D", "-F", "-P", "-N", "-X")), "nmcli": frozenset(), "wget": frozenset(),
    "lsof": frozenset(), "mount": frozenset(), "xsel": frozenset(("-c",)), "ssh-keygen": frozenset(),
    "fc-cache": frozenset(),
    "smartctl": frozenset(("-t", "-s")), "update-alternatives": frozenset(("--set", "--install", "--remove",
    "--config")),
    "ncal": frozenset(), "auditctl": frozenset(("-w", "-a", "-d", "-D")), "nginx": frozenset(("-s",)),
    "ar": frozenset(),
}  # fmt: skip
_LOOKS_WITH: dict[str, frozenset[str]] = {  # programs that change, unless one of these is there
    "tar": frozenset(("-t", "--list", "-d")), "unzip": frozenset(("-l", "-t", "-p", "-v", "-Z")),
    "gzip": frozenset(("-l", "-t", "-c", "--list", "--test")), "xz": frozenset(("-l", "-t", "-c", "-dc")),
    "bzip2": frozenset(("-t", "-c")), "zstd": frozenset(("-l", "-t", "-c")), "7z": frozenset(),
    "zip": frozenset(("-T", "-sf")),
    "unrar": frozenset(), "cpio": frozenset(("-t",)), "ar": frozenset(("-t",)), "mount": frozenset(("-l",)),
    "fdisk": frozenset(("-l",)), "sfdisk": frozenset(("-l", "-d")), "sgdisk": frozenset(("-p",)),
    "parted": frozenset(("-l",)),
    "rsync": frozenset(("-n", "--dry-run", "--list-only")), "make": frozenset(("-n", "--dry-run")),
    "at": frozenset(("-l",)),
    "swapon": frozenset(("--show", "-s")), "wipefs": frozenset(("-n",)), "ssh-add": frozenset(("-l", "-L")),
    "ssh-keygen": frozenset(("-l", "-F", "-y", "-B")), "wget": frozenset(("--spider",)),
    "patch": frozenset(("--dry-run",)),
    "visudo": frozenset(("-c",)), "fsck": frozenset(("-n", "-N")), "e2fsck": frozenset(("-n",)),
    "kill": frozenset(("-l", "-0")),
    "losetup": frozenset(("-a", "-l")), "passwd": frozenset(("-S",)), "chage": frozenset(("-l",)),
    "logrotate": frozenset(("-d",)),
    "ufw": frozenset(), "certbot": frozenset(("--dry-run",)), "apt-get": frozenset(("-s",)),
    "tune2fs": frozenset(("-l",)),
    "useradd": frozenset(("-D",)), "ldconfig": frozenset(("-p",)), "scancel": frozenset(),
    "gunzip": frozenset(("-c", "-t", "-l")),
    "truncate": frozenset(), "split": frozenset(), "modprobe": frozenset(("-n", "--show-depends")),
    "sbatch": frozenset(("--test-only",)),
    "genisoimage": frozenset(), "hwclock": frozenset(("-r", "--show")), "dd": frozenset(),
}  # fmt: skip
_SQL = re.compile(r"\b(?:insert|update|delete|drop|alter|create|truncate|grant|revoke|vacuum|import)\b", re.I)
_SQL_LOSES = re.compile(r"\b(?:delete|drop|truncate)\b", re.I)
_NETWORK = re.compile(
    r"\b(?:add|set|del|delete|flush|replace|change|up|down|append|connect|disconnect|modify|on|off)\b"
)
_SCRIPT = re.compile(
    r"[\w./~-]*\w\.(?:py|pl|rb|js|mjs|cjs|php)"
)  # handed to an interpreter: what it does is not known
_SCRIPT_WRITES = re.compile(
    r"open\([^)]*['\"][wa]|\.write|unlink|remove|rmtree|to_csv|to_excel|system\(|savefig|print >"
)


def effect_of(simple: Simple) -> str:
    """`look`, `change` or `destroy` of one simple command by itself."""
    wrote = [t for t in simple.writes if t not in _NOWHERE]
    own = _program(simple)
    return "change" if wrote and own == "look" else own


def _program(simple: Simple) -> str:
    program, options = simple.program, frozenset(simple.options)
    if program.startswith("mkfs"):
        return "destroy"
    if program in _LOOKS_WITH and program not in ("7z", "unrar", "ufw"):
        if options & _LOOKS_WITH[program] or (program == "tar" and _old_tar(simple, "t")):
            return "look"
        return (
            "destroy"
            if program in DESTROYERS
            else ("look" if program == "make" and not simple.words[1:2] else "change")
        )
    if program in DESTROYERS:
        return "destroy"
    if program == "find":
        if "-delete" in options:
            return "destroy"
        return "change" if options & _CHANGES_WITH["find"] else "look"
    if program == "journalctl":
        return "destroy" if any(option.startswith("--vacuum") for option in options) else "look"
    if program == "crontab":
        return "destroy" if "-r" in options else "look" if "-l" in options else "change"
    if program in SUBCOMMANDS and simple.sub:
        return _subcommand(simple, options)
    if program in ("psql", "mysql", "sqlite3", "duckdb", "redis-cli"):
        text = " ".join(simple.operands)
        return "destroy" if _SQL_LOSES.search(text) else "change" if _SQL.search(text) else "look"
    if program in ("python3", "python", "perl", "ruby", "node", "awk", "gawk", "php"):
        if program == "perl" and any(option.startswith("-i") for option in options):
            return "change"
        if runs_a_file(simple):
            return "change"
        return "change" if any(_SCRIPT_WRITES.search(word) for word in simple.operands) else "look"
    if program in ("xargs", "ssh", "bash", "sh", "zsh", "sudo", "parallel"):
        return (
            "look"
            if program in ("xargs", "parallel") or len(simple.operands) < 2 or " " in simple.words[-1]
            else "change"
        )
    if program in ("7z", "unrar"):
        return "look" if simple.words[1:2] and simple.words[1][0] in "lt" else "change"
    if program in ("hostname", "nohup", "tee", "export"):
        return "change" if simple.operands else "look"
    if program == "fuser":
        return "destroy" if "-k" in options else "look"
    if program not in LOOKERS:
        return "change"
    if options & _CHANGES_WITH.get(program, frozenset()):
        lost = program in ("rpm", "pacman", "dpkg", "crontab", "iptables") and options & {
            "-e",
            "-R",
            "-r",
            "-P",
            "-F",
            "-D",
        }
        return "destroy" if lost else "change"
    return "look"


def runs_a_file(simple: Simple) -> bool:
    """Whether an interpreter is handed somebody's own program: what that does is not known."""
    first = simple.operands[0] if simple.operands else ""
    return simple.program not in ("awk", "gawk") and _SCRIPT.fullmatch(first) is not None


def _old_tar(simple: Simple, letter: str) -> bool:
    return bool(simple.words[1:]) and simple.words[1].isalpha() and letter in simple.words[1]


def _subcommand(simple: Simple, options: frozenset[str]) -> str:
    program, sub = simple.program, simple.sub
    words = [word for word in simple.words[1:5] if word[:1] != "-"]
    if program in ("ip", "nmcli", "timedatectl", "hostnamectl", "ufw", "iw"):
        verbs = frozenset(words[1:]) | {sub}
        if verbs & {"del", "delete", "flush", "reset"}:
            return "destroy"
        changing = _NETWORK.search(" ".join(words)) or any(
            w.startswith(("set-", "allow", "deny", "enable", "disable")) for w in verbs
        )
        return "change" if changing else "look"
    if program == "git":
        return _git(sub, options, words)
    if options & {"--dry-run", "--simulate", "-s"} and program not in ("docker", "git"):
        return "look"
    nouns = ("image", "container", "volume", "network", "system", "compose", "s3", "ec2", "config", "rollout", "pr",
             "issue", "repo", "run", "node", "builder", "context", "state", "job", "server", "release", "profile",
             "pool")  # fmt: skip
    verb = words[1] if sub in nouns and len(words) > 1 else sub
    if verb in DESTROYING:
        return "destroy"
    if program == "redis-cli":
        return (
            "look"
            if verb.lower() in ("get", "keys", "info", "ping", "scan", "ttl", "monitor", "dbsize")
            else "change"
        )
    return (
        "look" if verb in LOOKING or (program == "docker" and verb in ("ps", "version", "port")) else "change"
    )


def _git(sub: str, options: frozenset[str], words: list[str]) -> str:
    if sub in ("branch", "tag", "remote", "stash", "config", "worktree", "submodule", "bisect", "notes"):
        rest = words[1:]
        if options & {"-d", "-D", "--delete", "--unset"} or rest[:1] in (
            ["drop"],
            ["clear"],
            ["remove"],
            ["rm"],
            ["prune"],
        ):
            return "destroy"
        if sub in ("branch", "tag"):
            listing = options & {"-l", "--list", "--merged", "--no-merged", "--contains", "-a", "-r", "-v", "--sort",
                                 "--show-current", "--points-at", "-n", "--all"}  # fmt: skip
            return "look" if listing or not rest else "change"
        if sub == "config":
            return "look" if len(rest) < 2 or options & {"--get", "--list", "-l"} else "change"
        return (
            "look"
            if rest[:1] in (["list"], ["show"], ["get-url"], ["log"], ["status"])
            or (not rest and sub != "stash")
            else "change"
        )
    if sub in ("clean", "reset", "filter-branch", "filter-repo"):
        return (
            "look"
            if options & {"-n", "--dry-run"}
            else "destroy"
            if sub == "clean" or "--hard" in options
            else "change"
        )
    if sub == "push" and options & {"--delete", "-d", "--force", "-f", "--mirror"}:
        return "destroy"
    return "look" if sub in LOOKING else "change"
