"""The options that a program takes: from its manual page, its own --help where that is safe, or its completions."""

from __future__ import annotations

import re
import subprocess
from contextlib import suppress
from pathlib import Path

HELP_TIMEOUT = 0.2  # seconds
MAX_TEXT = 400_000
MAX_KNOWN = 256
# Programs whose --help prints and ends, whatever the machine's state: no service, no file, no terminal is touched.
SAFE = frozenset(
    "ls cp mv rm ln cat head tail sort uniq wc cut tr tee touch mkdir rmdir chmod chown chgrp df du stat date seq split join"
    " paste comm fold fmt nl od shuf tac base64 md5sum sha256sum readlink realpath basename dirname env nice nohup timeout"
    " truncate install id uname uptime who grep egrep fgrep zgrep sed gawk find xargs diff cmp diff3 patch tar gzip gunzip"
    " bzip2 xz zstd zip unzip cpio rsync curl wget make gcc g++ ld objdump nm readelf strings strip less more file ps free"
    " pgrep pkill top watch vmstat kill mount umount lsblk findmnt dmesg column cal ssh-keygen gpg jq rg fd bat tree ncdu"
    " sqlite3 psql pg_dump mysql redis-cli ss ip lsof htop cmake ctest ninja cargo rustc rustup node shellcheck parallel"
    " journalctl systemctl hostname lscpu lsusb numfmt expr test which whereis pstree nproc arch logname sum yes".split()
)
_OPTION = re.compile(r"(?<![\w-])--[a-zA-Z][\w-]+")
_ZSH = ("Unix", "Linux", "Darwin", "BSD", "Debian", "Redhat", "Zsh", "X")


# For programs whose subcommands have options of their own, which no manual page of one name lists.
_RUN = (
    "--name --publish --env --env-file --volume --detach --interactive --tty --rm --network --restart --entrypoint --user"
    " --workdir --mount --memory --cpus --gpus --hostname --link --label --privileged --pull --platform --read-only --init"
)
OPTIONS = {
    "docker run": _RUN, "podman run": _RUN, "docker create": _RUN,
    "docker build": "--tag --file --build-arg --no-cache --pull --target --platform --progress --quiet --rm --secret --output",
    "docker ps": "--all --filter --format --last --latest --no-trunc --quiet --size", "docker logs": "--follow --tail --since --until --timestamps --details",
    "docker exec": "--interactive --tty --user --workdir --env --detach --privileged", "docker images": "--all --filter --format --no-trunc --quiet --digests",
    "git commit": "--all --amend --message --no-edit --no-verify --author --date --signoff --patch --allow-empty --fixup --squash --verbose --dry-run --only --include",
    "git log": "--oneline --graph --all --stat --patch --author --since --until --grep --decorate --follow --reverse --name-only --name-status --merges --no-merges --pretty --format --abbrev-commit",
    "git push": "--force --force-with-lease --set-upstream --tags --delete --all --dry-run --no-verify --follow-tags --mirror --prune --quiet",
    "git pull": "--rebase --no-rebase --ff-only --no-ff --all --tags --prune --autostash --quiet --verbose --squash --allow-unrelated-histories",
    "git reset": "--hard --soft --mixed --merge --keep --patch --quiet", "git rebase": "--interactive --continue --abort --skip --onto --autostash --autosquash --root --quit",
    "git diff": "--staged --cached --stat --name-only --name-status --word-diff --color --ignore-all-space --no-index --exit-code --summary --check",
    "git branch": "--all --delete --move --remotes --list --merged --no-merged --contains --set-upstream-to --unset-upstream --show-current --verbose --force --copy",
    "git checkout": "--orphan --track --force --detach --patch --ours --theirs --quiet --merge", "git stash": "--include-untracked --all --patch --keep-index --message --quiet",
    "git clone": "--depth --branch --recursive --recurse-submodules --bare --mirror --single-branch --shallow-since --no-checkout --quiet --jobs --origin",
    "git merge": "--no-ff --ff-only --squash --abort --continue --no-commit --allow-unrelated-histories --strategy --quiet", "git add": "--all --patch --update --force --intent-to-add --interactive --verbose --dry-run",
    "git fetch": "--all --prune --tags --depth --unshallow --force --dry-run", "git clean": "--force --dry-run --interactive --exclude --quiet",
    "npm install": "--save-dev --save --global --legacy-peer-deps --force --production --omit --no-save --save-exact --ignore-scripts --no-audit",
    "cargo build": "--release --target --features --all-features --no-default-features --workspace --package --bin --example --verbose --jobs --offline --locked --frozen",
    "pip install": "--upgrade --user --requirement --editable --no-cache-dir --index-url --extra-index-url --target --pre --force-reinstall --no-deps --break-system-packages --quiet",
    "kubectl get": "--all-namespaces --namespace --output --selector --watch --show-labels --field-selector --sort-by --context --kubeconfig --no-headers",
    "kubectl apply": "--filename --kustomize --recursive --dry-run --namespace --server-side --force --prune", "kubectl logs": "--follow --tail --since --container --previous --timestamps --namespace --selector",
    "pytest": "--verbose --quiet --maxfail --exitfirst --last-failed --failed-first --collect-only --durations --cov --capture --tb --markers --fixtures --pdb --junitxml --ignore --import-mode",
}  # fmt: skip
for _name in ("cargo run", "cargo test", "cargo check", "cargo bench"):
    OPTIONS[_name] = OPTIONS["cargo build"] + " --lib --bins --tests --no-run"
OPTIONS["pip3 install"] = OPTIONS["pip install"]


_known: dict[tuple[str, str, int], frozenset[str]] = {}  # by program, file and its time of change


def options_of(program: str, path: str) -> frozenset[str]:
    """The long options of `program`, the file at `path` ("" when it is not installed); empty when unknown."""
    if not re.fullmatch(r"[\w.+-]{1,64}", program):
        return frozenset()
    try:
        version = (program, path, Path(path).stat().st_mtime_ns if path else 0)
    except (OSError, ValueError):
        return frozenset()
    if version in _known:
        return _known[version]
    for source in (_manual, _help, _completions):
        found = frozenset(_OPTION.findall(source(program, path)))
        if len(found) > 3:  # fewer is a text that only mentions one
            if len(_known) >= MAX_KNOWN:
                _known.clear()
            _known[version] = found
            return found
    return frozenset()  # not kept: a busy machine may have cut it short


def _help(program: str, path: str) -> str:
    if program not in SAFE or not path.startswith(("/usr/", "/bin/", "/opt/homebrew/", "/sbin/")):
        return ""
    words = ["--help", "all"] if program == "curl" else ["--help"]
    with suppress(OSError, subprocess.SubprocessError):
        done = subprocess.run(
            [path, *words], stdin=subprocess.DEVNULL, capture_output=True, timeout=HELP_TIMEOUT, cwd="/",
            env={"PATH": "/usr/bin:/bin", "LC_ALL": "C", "TERM": "dumb", "HOME": "/nonexistent"}, check=False,
        )  # fmt: skip
        return (done.stdout + done.stderr)[:MAX_TEXT].decode("utf-8", "replace")
    return ""


def _manual(program: str, _path: str) -> str:
    import gzip

    for folder in ("/usr/share/man", "/usr/local/share/man", "/opt/homebrew/share/man"):
        for section in ("1", "8"):
            for end in ("", ".gz"):
                page = Path(f"{folder}/man{section}/{program}.{section}{end}")
                with suppress(OSError, EOFError):
                    with gzip.open(page) if end else page.open("rb") as file:
                        text = file.read(MAX_TEXT).decode("utf-8", "replace")
                    return re.sub(r"\bFl -", "--", re.sub(r"\\f.|\\", "", text))  # Fl: BSD's pages
    return ""


def _completions(program: str, _path: str) -> str:
    places = [f"/usr/share/bash-completion/completions/{program}"]
    places += [f"/usr/share/zsh/functions/Completion/{kind}/_{program}" for kind in _ZSH]
    places += ["/usr/share/zsh/site-functions/_" + program, "/usr/share/zsh/vendor-completions/_" + program]
    text = ""
    for place in places:
        with suppress(OSError), Path(place).open(encoding="utf-8", errors="replace") as file:
            text += file.read(MAX_TEXT).replace("\\", "")
    return re.sub(r"[\"'{}(),\[\]*=+:]", " ", text)
