"""Code from elsewhere: downloaded, decoded or piped into whatever runs it."""

from __future__ import annotations

from terma import regex as re
from terma.risk import paths
from terma.risk.model import Call, Feed, Finding, Findings, Word
from terma.risk.rules.table import rows
from terma.risk.wrapper_table import SHELLS

RULES = rows("""
powershell pwsh powershell.exe |  | -enc -EncodedCommand -encodedcommand -ec -e -E \
    | high runs-unknown-code: runs code that cannot be read here
mshta regsvr32 certutil bitsadmin rundll32 wscript cscript installutil |  | +http* -urlcache /i:http* +*http* | \
    high runs-unknown-code: runs what it downloads
""")

_DECODES = set("base64 base32 xxd openssl uudecode rev tr gunzip zcat gpg basenc hexdump bzcat xzcat".split())
_DOWNLOADS = set("curl wget fetch http https xh aria2c lynx nc ncat netcat socat ftp tftp".split())
INTERPRETERS = {
    "python", "python2", "python3", "perl", "ruby", "node", "nodejs", "deno", "php", "osascript", "lua", "tclsh",
    "pwsh", "R",
    "powershell", "Rscript", "groovy", "guile", "bun", "julia", "elixir", "luajit", "ipython", "ghci", "irb",
    "jshell",
}  # fmt: skip
AWKS = {"awk", "gawk", "mawk", "nawk"}
# Programs that print their own set-up code for `eval "$(…)"`.
HONEST = frozenset(
    "ssh-agent gpg-agent keychain dircolors brew direnv starship zoxide atuin mise pyenv rbenv nodenv fnm fzf "
    "thefuck resize "
    "terma register-python-argcomplete opam luarocks conda micromamba docker-machine minikube kubectl helm gh "
    "pip rustup poetry "
    "perl lesspipe locale tput stty asdf jenv goenv nodebrew aws_completer pipx uv docker podman terraform npm "
    "mcfly oh-my-posh "
    "navi carapace devbox nix op ssh-add completion tmuxifier hub just pnpm deno go python3 luaver cat sed grep "
    "printf echo".split()
)
_PRINTERS = {"cat", "sed", "grep", "printf", "echo", "perl", "python3"}  # of whatever the line or a file says
PLACES = HONEST - _PRINTERS  # what they print may stand before a program: `$(brew --prefix)/bin/bash`
SETUP = PLACES - {"aws", "docker", "podman", "go", "npm", "nix"}
_TOOLS = set(
    "kubectl helm gh pip docker podman npm just go deno op rustup poetry uv pipx hub nix terraform conda".split()
)
_SETS_UP = re.compile(
    r"\b(?:completions?|init|hook|env|docker-env|shellenv|activate|shell|gen-completions|hook-env)\b"
)
_DOWNLOADED = Finding("high", "runs what it downloads", "runs-unknown-code")
_HIDDEN = Finding("high", "runs code that cannot be read here", "runs-unknown-code")
_PRINTED = Finding("medium", "runs what another command prints", "runs-unknown-code")
_LOOSE = Finding("medium", "runs what lies where anybody may write", "runs-unknown-code")
_SHELL_OUT = Finding("high", "hands a shell to another machine", "runs-unknown-code")
_UNSEEN = {"decoded", "obscured", "unpacked"}  # of what is run, nothing can be read before
_TALKERS = {"nc", "ncat", "netcat", "socat", "telnet", "openssl", "cryptcat", "websocat"}


def fed(call: Call) -> Findings:
    """What an interpreter is given to run by a pipe, a substitution or a file that came from elsewhere."""
    code_given = any(re.fullmatch(r"-[a-zA-Z]*[ce]|--command|--eval|-r|-", word.text) for word in call.args)
    operands = [
        word
        for word in call.operands("-o -O -m -W -X -c -e -r --rcfile --init-file -u -E")
        if word.text not in ("-", "/dev/stdin", "/dev/fd/0")
    ]
    reads_input = not [word for word in operands if not word.process] and not any(
        re.fullmatch(r"-[a-zA-Z]*[cemr]|--eval", word.text) and len(word.text) < 7 for word in call.args
    )
    if code_given or any(word.process for word in call.args) or call.name in ("eval", "source", "."):
        yield from _given(call.args)
    if (
        call.bulk
        and code_given
        and call.feed is not None
        and (call.feed.programs & _DOWNLOADS or "network" in call.feed.origins)
    ):
        yield _DOWNLOADED
    if call.feed is not None and (
        reads_input or "-s" in call.flags() or (call.args[:1] and call.args[0].text in ("-", "/dev/stdin"))
    ):
        yield from _from(call.feed)
    if (
        operands
        and call.name != "eval"
        and not (call.name in SHELLS and call.flags() & {"-n"})
        and call.name not in AWKS
    ):
        yield from _file(operands[0])


def _given(words: tuple[Word, ...]) -> Findings:
    programs = frozenset[str]().union(*(word.programs for word in words)) if words else frozenset[str]()
    origins = frozenset[str]().union(*(word.origins for word in words)) if words else frozenset[str]()
    said = " ".join(word.text for word in words)
    if "network" in origins and not (programs and _honest(programs, said)):
        yield _DOWNLOADED
    if origins & _UNSEEN:
        yield _HIDDEN
    elif programs and not _honest(programs, said):
        yield from _from(Feed(programs))


def _honest(programs: frozenset[str], said: str) -> bool:
    """Whether `programs` print set-up code of their own, as far as their words say."""
    return programs <= SETUP and (not programs & _TOOLS or bool(_SETS_UP.search(said)))


def _from(feed: Feed) -> Findings:
    if "network" in feed.origins:
        yield _DOWNLOADED
    elif feed.origins & _UNSEEN or (feed.programs & _DECODES and feed.text is None):
        yield _HIDDEN
    elif feed.programs & _DOWNLOADS:
        yield _DOWNLOADED
    elif feed.programs and feed.text is None and not _honest(feed.programs, _words_of(feed)):
        yield _PRINTED


def _words_of(feed: Feed) -> str:
    return " ".join(word.text for call in feed.calls for word in call.args)


def _file(word: Word) -> Findings:
    """A script that this line fetched first."""
    if "network" in word.holds:
        yield _DOWNLOADED
    elif word.holds & _UNSEEN:
        yield _HIDDEN
    elif paths.loose(word.text) and not word.dynamic:
        yield _LOOSE
    elif word.text.endswith(".run"):
        yield Finding("medium", "runs an installer or a program of somebody else's", "runs-unknown-code")


def _hosted(call: Call) -> Findings:
    """`java -jar X`, `wine X`: a program that runs in another, which is the file that the line names."""
    named = call.value("-jar") if call.name == "java" else next(iter(call.operands()), None)
    if named is not None:
        yield from _file(named)


def program(call: Call) -> Findings:
    """The program itself: fetched by this line, or spelled so that nobody sees which it is."""
    if not call.words:
        return
    first = call.words[0]
    if "network" in first.holds | first.origins:
        yield _DOWNLOADED
    elif "cloned" in first.holds:
        yield Finding(
            "high" if call.name in ("sudo", "doas") else "medium",
            "runs what it fetched just now",
            "runs-unknown-code",
        )
    elif paths.loose(first.text):
        yield _LOOSE
    elif re.fullmatch(r".*/[^/]+\.(?:bin|run|AppImage|elf|out)", first.text) and call.name != "a.out":
        yield Finding("medium", "runs an installer or a program of somebody else's", "runs-unknown-code")
    if "obscured" in first.origins:
        yield Finding("high", "runs code that is spelled so that nobody reads it", "runs-unknown-code")
    elif first.origins & _UNSEEN:
        yield _HIDDEN


def _talks(call: Call) -> Findings:
    """A shell before or behind a program that talks to another machine."""
    flags = call.flags()
    if flags & {"-e", "-c", "--exec", "--sh-exec"} and call.name in ("nc", "ncat", "netcat"):
        value = call.value("-e", "--exec", "-c", "--sh-exec")
        clustered = any(re.fullmatch(r"-[a-z]*e", word.text) for word in call.args)
        if (
            clustered
            or "-e" in flags
            or "--exec" in flags
            or (value is not None and re.search(r"sh\b|cmd", value.text))
        ):
            yield _SHELL_OUT
    if call.feed is not None and call.feed.programs & SHELLS and call.name in _TALKERS:
        shells = [one for one in call.feed.calls if one.name in SHELLS]
        if not shells or any(not one.operands() for one in shells):
            yield _SHELL_OUT
    if (
        call.name in ("nc", "ncat", "netcat")
        and (flags & {"-l", "--listen"})
        and (flags & {"-k", "--keep-open"})
    ):
        yield Finding("medium", "listens for whoever comes", "network")


def _socat(call: Call) -> Findings:
    texts = [word.text for word in call.args]
    if any(re.match(r"(TCP|UDP|SCTP|SSL|OPENSSL|DTLS|VSOCK)", text, re.I) for text in texts) and any(
        re.match(rf"(EXEC|SYSTEM|SHELL):.*\b({'|'.join(SHELLS)})\b", text, re.I) for text in texts
    ):
        yield _SHELL_OUT
    elif any(
        re.match(r"(TCP4?|UDP4?)-LISTEN", text, re.I) and "fork" in text and "bind=127" not in text
        for text in texts
    ):
        yield Finding("medium", "opens a port to everybody", "network")
    yield from _talks(call)


def _at(call: Call) -> Findings:
    if call.feed is not None:
        yield from _from(call.feed)


def _loads(call: Call) -> Findings:
    """insmod, dpkg, rpm and their like, given a file that this line fetched."""
    if any("network" in word.holds | word.origins for word in call.args):
        yield Finding("high", "installs what it downloads", "runs-unknown-code")


def _xargs(call: Call) -> Findings:
    """`curl … | xargs sh -c`, `… | xargs -I{} {}`: the lines that come are the commands."""
    inner = [word.text for word in call.args if not word.text.startswith("-")]
    if call.feed is not None and inner[-1:] == ["{}"] and inner[:1] == ["{}"]:
        yield from _from(call.feed)


# Programs that do what their standard input says, by the words that make them read it.
_DOES_WHAT_IT_READS = {
    "make": r".*-f ?(?:-|/dev/stdin)", "gmake": r".*-f ?(?:-|/dev/stdin)",
    "kubectl": r".*(?:apply|create|replace).*-f ?-", "oc": r".*(?:apply|create).*-f ?-",
    "ansible-playbook": r".*/dev/stdin",
    **dict.fromkeys(AWKS, r".*-f ?(?:-|/dev/stdin)"),
    "docker": r"(?:build|load|import|buildx build).*(?: -(?:$| )|-f ?-|load|import)", "ssh": r".*", "gdb": r".*",
    "Rscript": r".*-",
    "R": r".*", "xonsh": r".*", "tclsh": r".*", "ed": r".*", "parallel": r".*", "batch": r".*", "crontab": r".*",
    "sudo": r"^$", "tee": r"^$", "redis-cli": r".*",
    "psql": r".*", "mysql": r".*", "mariadb": r".*", "sqlite3": r".*", "mongosh": r".*", "patch": r".*",
    "git": r"(?:apply|am|fast-import)\b.*", "bc": r"^$", "helm": r".*-f ?-",
    "terraform": r"^$", "nft": r".*-f ?-", "iptables-restore": r".*", "debconf-set-selections": r".*",
    "chpasswd": r".*", "newusers": r".*", "apt-key": r".*", "visudo": r".*",
}  # fmt: skip
_MILD = {"patch", "git", "sqlite3"}


def _obeys(call: Call) -> Findings:
    """`curl … | make -f -`: a program that does what it reads, and reads what comes from elsewhere."""
    line = " ".join(word.text for word in call.args)
    if call.feed is None or not re.match(f"(?:{_DOES_WHAT_IT_READS[call.name]})(?: .*)?$", line, re.S):
        return
    if call.name == "ssh" and not re.search(r"\b(?:ba|z|da)?sh\b", line):
        return
    if call.feed.origins & {"network", "decoded"}:
        yield Finding(
            "medium" if call.name in _MILD else "high", "does what it downloads", "runs-unknown-code"
        )


_MANY = "runs commands on many machines"


def _remote(call: Call) -> Findings:
    """pssh, pdsh, ansible -m shell: one line, many machines."""
    texts = [word.text for word in call.args]
    if call.name == "ansible":
        module = call.value("-m", "--module-name")
        if (
            "--check" in texts
            or "-C" in texts
            or (
                module is not None
                and module.text
                in (
                    "ping",
                    "setup",
                    "debug",
                    "gather_facts",
                    "stat",
                    "ansible.builtin.ping",
                    "ansible.builtin.setup",
                )
            )
        ):
            return
        if not call.operands("-m -i -u -a -f -l -e"):
            return
        yield Finding("medium", _MANY, "runs-unknown-code")
    else:
        yield Finding("medium", _MANY, "runs-unknown-code")


MORE_CHECKS = {
    **dict.fromkeys(_DOES_WHAT_IT_READS, _obeys),
    **dict.fromkeys(("java", "wine", "wine64", "mono", "dotnet", "qemu-x86_64", "box64"), _hosted),
}
CHECKS = {
    **dict.fromkeys(SHELLS | INTERPRETERS | AWKS | {"eval", "source", "."}, fed), **dict.fromkeys(("at", "batch"),
    _at),
    "socat": _socat, "xargs": _xargs, **dict.fromkeys(("nc", "ncat", "netcat", "telnet", "openssl",
    "cryptcat"), _talks),
    **dict.fromkeys(("dpkg", "rpm", "apt", "apt-get", "dnf", "yum", "insmod", "installer", "snap", "pip", "pip3",
    "npm", "docker", "kubectl", "terraform", "ansible-playbook", "make", "vim", "psql", "mysql", "sqlite3", "gdb",
    "tclsh"), _loads),
    **dict.fromkeys(("pssh", "parallel-ssh", "dsh", "cssh", "mussh", "sshpt", "ansible", "rundeck", "fab",
    "clusterssh", "prsync", "pnuke", "pscp.pssh"), _remote),
}  # fmt: skip
