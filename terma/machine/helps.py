"""What a program says about itself when asked for help: asked of known, harmless programs alone, locked in."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from functools import cache
from pathlib import Path

TIMEOUT = 0.5  # seconds
MAX_TEXT = 400_000
# Their help prints and ends, whatever the machine's state: no service, no file, no terminal is touched.
SAFE = frozenset(
    "ls cp mv rm ln cat head tail sort uniq wc cut tr tee touch mkdir rmdir chmod chown chgrp df du"
    " stat date seq split join paste comm fold fmt nl od shuf tac base64 md5sum sha1sum sha256sum"
    " sha512sum readlink realpath basename dirname env nice nohup timeout truncate install id uname"
    " uptime who grep egrep fgrep zgrep sed gawk find xargs diff cmp diff3 patch tar gzip gunzip bzip2"
    " xz zstd zip unzip cpio rsync curl wget make gcc g++ ld objdump nm readelf strings strip less more"
    " file ps free pgrep pkill top watch vmstat kill mount umount lsblk findmnt dmesg column cal"
    " ssh-keygen gpg jq rg fd bat tree ncdu sqlite3 psql pg_dump mysql redis-cli ss ip lsof htop cmake"
    " ctest ninja cargo rustc rustup node shellcheck parallel journalctl systemctl hostname lscpu lsusb"
    " numfmt expr which whereis pstree nproc arch logname sum yes tty expand unexpand csplit dd mktemp"
    " pr ptx tsort users whoami factor b2sum cksum chroot stdbuf sync link unlink mkfifo mknod pathchk"
    " dircolors dir vdir runcon chcon printenv pwdx pmap slabtop w fdupes hyperfine eza exa delta dust"
    " duf procs tokei lsns lsipc lsmem cal rev look getopt flock taskset ionice namei fallocate hexdump"
    " git docker podman kubectl helm uv loginctl timedatectl hostnamectl localectl networkctl resolvectl"
    " busctl ffprobe bc indent m4 bison flex gdb terraform".split()
)
# Help that tells a part only: without a manual page beside it nobody knows the rest.
PARTIAL = frozenset(
    "jq apt apt-get apt-cache dpkg gcc g++ cc clang zip unzip ps java ffmpeg ffprobe openssl ld less more"
    " top htop gpg ssh-keygen cmake ctest file mysql sqlite3 redis-cli ip lsof kill tree rustc node gdb"
    " flex terraform".split()
)
# How each is asked for a subcommand's help, and of which: what is not listed could be a program of somebody's own.
_GIT = (
    "add am apply archive bisect blame branch bundle cat-file check-ignore checkout cherry cherry-pick"
    " clean clone commit config count-objects describe diff difftool fetch for-each-ref format-patch"
    " fsck gc grep init log ls-files ls-remote ls-tree maintenance merge merge-base mergetool mv notes"
    " prune pull push range-diff rebase reflog remote repack replace reset restore rev-list rev-parse"
    " revert rm shortlog show show-ref sparse-checkout stash status submodule switch symbolic-ref tag"
    " update-index update-ref verify-commit whatchanged worktree"
)
_DOCKER = (
    "attach build commit compose config container context cp create diff events exec export history"
    " image images import info inspect kill load login logout logs network node pause plugin port ps"
    " pull push rename restart rm rmi run save search secret service stack start stats stop swarm system"
    " tag top unpause update version volume wait manifest trust buildx builder"
)
_KUBECTL = (
    "annotate api-resources api-versions apply attach auth autoscale certificate cluster-info"
    " completion config cordon cp create debug delete describe diff drain edit events exec explain"
    " expose get kustomize label logs patch port-forward proxy replace rollout run scale set taint top"
    " uncordon version wait"
)
_CARGO = (
    "add bench build check clean doc fetch fix generate-lockfile init install locate-project metadata"
    " new owner package publish remove run search test tree uninstall update vendor verify-project yank"
)
_TERRAFORM = "metadata providers state workspace"
_UV = "add build cache export init lock pip publish python remove run self sync tool tree venv version"
SUBCOMMANDS: dict[str, tuple[str, frozenset[str]]] = {
    "git": ("-h", frozenset(_GIT.split())),
    "docker": ("--help", frozenset(_DOCKER.split())),
    "podman": ("--help", frozenset(_DOCKER.split()) | {"pod", "generate", "machine", "play", "kube"}),
    "kubectl": ("--help", frozenset(_KUBECTL.split())),
    "cargo": ("-h", frozenset(_CARGO.split())),
    "terraform": ("-help", frozenset(_TERRAFORM.split())),
    "uv": ("--help", frozenset(_UV.split())),
    "helm": ("--help", frozenset("install upgrade uninstall list template repo rollback status history lint".split())),
}  # fmt: skip
# git's own -h of these leaves out what they hand on, to the family of diff and log or to a word of their own.
PARTIAL_OF_GIT = frozenset(
    "diff difftool format-patch log range-diff reflog rev-list shortlog show stash whatchanged blame grep"
    " rev-parse bisect bundle maintenance notes remote sparse-checkout submodule worktree".split()
)
_SYSTEM = ("/usr/", "/bin/", "/sbin/", "/opt/homebrew/", "/home/linuxbrew/")
_ENVIRONMENT = {
    "PATH": "/usr/bin:/bin:/usr/sbin:/sbin", "LC_ALL": "C", "TERM": "dumb", "HOME": "/nonexistent", "COLUMNS": "200",
    "GIT_CONFIG_NOSYSTEM": "1", "PAGER": "cat", "SYSTEMD_PAGER": "",
    "DOCKER_HOST": "unix:///nonexistent", "KUBECONFIG": "/dev/null",
}  # fmt: skip


def help_text(program: str, path: Path, sub: tuple[str, ...] = ()) -> str:
    """What `program`, the file at `path`, or its subcommand says of itself; "" unless it is known to be harmless.

    Raises TimeoutError when it does not end within TIMEOUT seconds: ask again another time."""
    words = _question(program, sub)
    if program not in SAFE or not words or not _is_systems(path):
        return ""
    said = _ask([str(path), *words])
    if program == "kubectl" and said and not sub:
        said += _ask([str(path), "options"])
    return said if not sub or _is_about(said, sub[-1]) else ""


def is_own(program: str, path: Path, words: tuple[str, ...]) -> bool:
    """Whether `program`, the file at `path`, has a help of its own for a subcommand that is on no list: asked like the
    others, of those alone that are known to be harmless. Raises TimeoutError like `help_text`."""
    flag = SUBCOMMANDS.get(program, ("",))[0]
    plain = all(re.fullmatch(r"[a-z][a-z0-9-]{1,30}", word) for word in words)
    if program not in SAFE or not flag or not plain or not _is_systems(path):
        return False
    said = _ask([str(path), *words, flag])
    if not (usage := _usage(said)):
        return False
    return _is_about(said, words[-1]) or usage != _usage(
        _ask([str(path), *words[:-1], flag])
    )  # `terraform env` is told as `terraform workspace`


def _is_systems(path: Path) -> bool:
    return str(path).startswith(_SYSTEM) and ".." not in path.parts


def _is_about(said: str, sub: str) -> bool:
    """Whether the usage names the subcommand: docker answers for one that it has not with the help of all."""
    return bool(re.search(rf"(?<![\w-]){re.escape(sub)}(?![\w-])", _usage(said)))


def _usage(said: str) -> str:
    found = re.search(r"^usage:?.*(?:\n.+)?", said, re.IGNORECASE | re.MULTILINE)
    return found[0] if found else ""


def is_whole(program: str, sub: tuple[str, ...]) -> bool:
    """Whether its help names every option."""
    return program not in PARTIAL and not (program == "git" and (not sub or sub[0] in PARTIAL_OF_GIT))


def _question(program: str, sub: tuple[str, ...]) -> list[str]:
    if not sub:
        return {"curl": ["--help", "all"], "ps": ["--help", "all"]}.get(program, ["--help"])
    flag, known = SUBCOMMANDS.get(program, ("", frozenset()))
    if sub[0] not in known or not all(re.fullmatch(r"[a-z][a-z0-9-]{1,30}", word) for word in sub):
        return []
    return [*sub, flag]


def _ask(words: list[str]) -> str:
    cell = _cell()
    try:
        done = subprocess.run(
            [*cell, *words], stdin=subprocess.DEVNULL, capture_output=True, timeout=TIMEOUT, cwd="/",
            env=_ENVIRONMENT, check=False, start_new_session=True,
        )  # fmt: skip
    except subprocess.TimeoutExpired as error:
        raise TimeoutError from error
    except OSError:
        return ""
    if done.returncode not in (0, 1, 129):  # git's -h ends with 129, less careful programs with 1
        return ""
    return (done.stdout + done.stderr)[:MAX_TEXT].decode("utf-8", "replace")


@cache
def _cell() -> tuple[str, ...]:
    """Words before a command that take the network and every writable file from it, where the system can do that
    cheaply. Raises TimeoutError, and is asked anew, where the machine is too busy to tell."""
    bwrap = shutil.which("bwrap", path="/usr/bin:/bin")
    if not bwrap or (os.geteuid() == 0 and not Path("/proc/self/ns/net").exists()):
        return ()
    words = (bwrap, "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp",  # noqa: S108
             "--unshare-net", "--die-with-parent", "--")  # fmt: skip
    try:
        done = subprocess.run([*words, "true"], capture_output=True, timeout=TIMEOUT, check=False)
    except subprocess.TimeoutExpired as error:
        raise TimeoutError from error
    except OSError:
        return ()
    return words if done.returncode == 0 else ()
