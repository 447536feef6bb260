"""Programs that no row knows: what their verbs tell, a disk or SQL on their line, and what they are given to send."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

from terma import regex as re
from terma.risk.model import Call, Finding, Findings, Word
from terma.risk.rules import handed, named, verbs
from terma.risk.rules.code import AWKS, INTERPRETERS
from terma.risk.rules.databases import statements
from terma.risk.rules.table import VALUE_OPTIONS, Rule, asks, operand_texts
from terma.risk.rules.verb_words import WORD as VERB
from terma.risk.wrapper_table import SHELLS, WRAPPERS

# Whose words are names, text or a language of its own: no verb of theirs says what they do.
_FREE = set(
    "cd pushd popd mkdir touch cp mv ln rm dd chmod chown install rsync scp sftp curl wget ftp http https xh nc "
    "vim vi nvim view nano emacs emacsclient code codium subl micro hx helix ed kate gedit open xdg-open start "
    "less man gcc cc clang g++ clang++ ld ar as rustc javac java kotlin cl nasm tsc esbuild export declare "
    "typeset local readonly unset set source trap kill wait eval exec builtin command type hash bind complete "
    "compgen shopt setopt unsetopt zmodload autoload zle bindkey function return break continue exit test notify-send "
    "say espeak espeak-ng figlet toilet cowsay zenity dialog whiptail gum kdialog yad tldr cheat howdoi dict "
    "trans translate aspell fzf sk peco rofi dmenu mdfind mdls tmux screen terma apropos whereis ffmpeg ffprobe "
    "convert magick pandoc gs qpdf pdftk sox mpv vlc mpc playerctl spotify cmus feh latex pdflatex xelatex tee "
    "sponge sort truncate tar zip unzip 7z gzip xz zstd ssh mosh telnet ssh-keygen ssh-add ansible "
    "ansible-playbook pytest jest mocha vitest tox nox rspec phpunit ctest cmake configure hyperfine parallel "
    "xargs for "
    "shellcheck hadolint bats pactl wpctl brightnessctl hyprctl exiftool git conda mamba module ml mail mailx "
    "mutt msmtp swaks logger wall write crontab at batch pass".split()
)
_TEXT = frozenset(
    "echo printf print grep egrep fgrep rg ag ack sed gsed jq yq tr cut cat head tail test [ [[".split()
)
# Tools of many verbs that a row calls harmless as a whole, so that root alone is no danger there.
_TOOLS = (VALUE_OPTIONS.keys() - {"git", "ip", "tmux", "nmcli"}) | set(
    "brew lxc lxd-client incus multipass k3s ipmitool pcs crm ceph gluster drbdadm supervisorctl pm2 monit "
    "nomad gitlab-ctl snapper timeshift snap flatpak btrfs crictl varnishadm unbound-control chronyc".split()
)
_SHELL_LIKE = {"pwsh", "powershell", "groovy", "julia", "osascript"}
# With these words a tool hands on what follows; without one of them `aws s3 rm` is a word of its own.
_HANDS_ON = {
    "exec",
    "run",
    "ssh",
    "sh",
    "shell",
    "--",
    "command",
    "console",
    "--command",
    "-C",
    "-c",
    "remote-exec",
}
# The script of a project that an interpreter is given: what follows are words of its own.
_SCRIPT = re.compile(r"\.\w+$|(?:^|/)bin/[\w-]+$|^(?:artisan|yii|spark|craft|occ|ace|cake|console|please)$")
_CODE = {"-c", "-e", "-p", "-r", "--eval", "--print", "--execute"}
_NAME = re.compile(r"[\w.+-]+")  # and no prompt in front of a command: `root@web:~#`
_NO_LOSS = {"shutdown", "debug", "logging", "pager", "banner"}
# Where what is typed, or comes by a pipe, are commands.
_TAKES_COMMANDS = re.compile(
    r".*(?:console|cli|shell|ctl|adm|admin|sh|sql|ftp)|rman|nc|ncat|netcat|telnet|socat"
)
_RESTARTS = {"reload", "restart"}
_OPENS_ONE = {"shell", "console", "repl", "cli", "sql"}
_DISK = re.compile(
    r"(?:(?!if=)\w+=)?/dev/(?:r?disk\d|sd[a-z]|nvme\d|vd[a-z]|hd[a-z]|xvd[a-z]|mmcblk\d|md\d|dm-\d|mapper/|loop\d).*"
)
_LOOKS_AT_DISKS = {
    "blockdev",
    "hddtemp",
    "photorec",
    "testdisk",
    "badblocks",
    "debugfs",
    "sgdisk",
    "udisksctl",
    "disktype",
}
_LOOKS = {
    "info",
    "list",
    "show",
    "status",
    "check",
    "smart-log",
    "id-ctrl",
    "detail",
    "scan",
    "print",
    "dump",
    "query",
}
_ADDRESS = re.compile(
    r"(?:[a-z][a-z0-9+.-]*://|[\w.-]+@[\w.-]+(?::|$)|[\w-]+(?:\.[\w-]+)+:\d+|//[\w.-]+/).*", re.I
)
_FETCHED = re.compile(r"(?:https?|ftp|git)(?:\+\w+)?://(?!localhost|127\.).*", re.I)
_TAKES_IN = {
    "install",
    "add",
    "apply",
    "load",
    "source",
    "import",
    "include",
    "run",
    "exec",
    "eval",
    "plugin",
    "use",
}
_GIVES_OUT = set(
    "upload put push send share publish post sync backup scp paste submit attach deliver mail".split()
)
_PRIVATE = frozenset({"secret", "private", "environment"})
_PRODUCTION = frozenset({"--prod", "--production"})
_ANYBODY = re.compile(r"(?:[\w.-]+[=:])*(?:0\.0\.0\.0/0|::/0|allUsers|allAuthenticatedUsers)")


def findings(call: Call, rule: Rule | None) -> Findings:
    """What is said of `call`, whose row is `rule`; nothing where a row that tells more than "harmless" fits."""
    if asks(call) or not call.words:
        return
    name = call.name
    yield from named.findings(call, not _unknown(name, rule))
    if not _unknown(name, rule):
        if rule is not None and _says_little(rule):
            told = verbs.told(call, operand_texts(call), known=True)
            yield from (one for one in (*told, *named.program(call)) if one.level == "high")
        return
    operands = operand_texts(call)
    if name in INTERPRETERS:
        operands = operands[1:]
        if call.flags() & _CODE or not _SCRIPT.search(next(iter(operand_texts(call)), "")):
            return
    yield from verbs.told(call, operands, rule is not None)
    yield from named.program(call)
    if call.elsewhere and rule is None:
        yield from _of_a_device(call)
    for script in _own_scripts(call):
        yield from verbs.told(script, operand_texts(script), known=False)
    yield from _given(call, operands, rule is not None)


def _own_scripts(call: Call) -> Iterator[Call]:
    """`lftp -e 'mirror --delete x'`, `vtysh -c 'clear ip bgp *'`: the commands of a language of its own."""
    given = [
        *call.values("-c", "-e", "-q", "-x", "--command", "--execute", "--exec", "--eval", "--run-command")
    ]
    given += [word for option, word in pairwise(call.args) if re.fullmatch(r"-[a-zA-Z]+[cexq]", option.text)]
    operands = call.operands()
    given += [word for word in operands[-1:] if len(operands) == 1 and " " in word.text]
    opened = bool(_OPENS_ONE & {word.text for word in operands[:2]})
    if call.feed is not None and call.feed.text and (opened or _TAKES_COMMANDS.fullmatch(call.name)):
        given.append(Word(call.feed.text))
    for word in given:
        for line in re.split(r"[;\n]", word.text):
            said = line.split()
            if said[:1] == ["no"]:  # as devices are told to forget a setting
                said = [] if {*said[1:2]} <= _NO_LOSS else ["remove", *said[1:]]
            words = tuple(replace(word, text=text) for text in said)
            if (
                words
                and VERB.match(words[0].text)
                and (len(words) > 1 or _TAKES_COMMANDS.fullmatch(call.name))
            ):
                yield call.inner((call.words[0], *words))


def _of_a_device(call: Call) -> Findings:
    """`ssh sw1 'delete flash:x; reload'`: on a machine that may have no shell the verb stands where a program does."""
    if call.name in _RESTARTS and len(call.args) < 3:
        yield Finding("high", "shuts down or restarts", "stops")
    elif call.name == "format":
        yield Finding("high", "deletes, with no way back, by its own words", "deletes")
    elif VERB.fullmatch(call.name):
        said = call.inner((Word("device"), *call.words))
        told = verbs.told(said, [call.name, *operand_texts(call)], known=False)
        yield from (one for one in told if one.kind in ("deletes", "stops"))


def commands(call: Call, rule: Rule | None) -> Iterator[str]:
    """Shell text that `call`, whose row is `rule`, is handed where nobody knows what it does with it."""
    if asks(call) or not _unknown(call.name, rule):
        return
    if rule is not None and not _HANDS_ON & {word.text for word in call.args}:
        return
    if call.name not in INTERPRETERS or call.name in _SHELL_LIKE:
        yield from handed.commands(call)


def _unknown(name: str, rule: Rule | None) -> bool:
    if (
        not _NAME.fullmatch(name)
        or name in _FREE
        or name in AWKS
        or name in SHELLS
        or name in WRAPPERS
        or name in named.RUNNERS
    ):
        return False
    plain = rule is not None and not (rule.reason or rule.words or rule.groups or rule.without)
    return rule is None or (plain and (name in _TOOLS or name in INTERPRETERS))


def is_free(name: str) -> bool:
    """Whether the words of the program `name` are names, text or a language of its own."""
    return name in _FREE or name in _TEXT or name in AWKS or name in SHELLS or name in WRAPPERS


def only_looks(call: Call) -> bool:
    """Whether the words of `call` say that it looks and no more."""
    return verbs.only_looks(operand_texts(call))


def _says_little(rule: Rule) -> bool:
    """A row of "changes …", or for whatever a program does: how bad a verb of it is, that row does not know."""
    return rule.level == "medium" and (rule.kind == "changes" or not (rule.words or rule.groups))


def _given(call: Call, operands: list[str], known: bool) -> Findings:
    """What stands on the line of a program that nobody here knows: a whole disk, SQL, addresses, secrets."""
    here = {text.lower() for text in operands[:3]}
    disk = any(_DISK.fullmatch(word.text) for word in call.args) and call.name not in _LOOKS_AT_DISKS
    if disk and not here & _LOOKS:
        yield Finding("high", "is given a whole disk, and may write to it", "disks")
    yield from statements(call)
    if any(_ANYBODY.fullmatch(word.text) for word in call.args):
        yield Finding("high", "lets everybody in", "network")
    if not known and _PRODUCTION & call.flags() and not verbs.only_looks(operands):
        yield Finding("medium", "changes what others use", "changes")
    reaches = any(_ADDRESS.match(word.text) for word in call.args) or bool(here & _GIVES_OUT)
    held = frozenset[str]().union(*(word.holds | word.origins for word in call.args))
    held |= call.feed.origins if call.feed is not None else frozenset()
    if reaches and held & _PRIVATE:
        yield Finding("high", "sends a key, a password or private files away", "leaks")
    if not known and here & _TAKES_IN and any(_FETCHED.match(word.text) for word in call.args):
        yield Finding("medium", "takes in what lies at an address", "runs-unknown-code")
