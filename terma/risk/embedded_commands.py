"""Shell text that hides in another program's options, variables or small language: `tar --to-command='rm x'`."""

from __future__ import annotations

from collections.abc import Iterator

from terma import regex as re
from terma.risk.model import Call, Word
from terma.risk.sed import effects
from terma.risk.values import substitutions

# Names of programs, and the options whose value they hand to a shell or start as a program.
_OPTIONS = (
    (
        "tar gtar bsdtar",
        "-I --use-compress-program --to-command --info-script --new-volume-script --rsh-command",
    ),
    ("rsync", "-e --rsh --rsync-path"),
    ("scp sftp", "-S"),
    ("man", "-P --pager -H --html"),
    ("rg", "--pre"),
    ("fzf sk", "--preview"),
    ("split", "--filter"),
    ("zip", "-TT --unzip-command"),
    ("tcpdump", "-z"),
    ("nc ncat netcat", "-c --sh-exec -e --exec"),
    ("nodemon", "-x --exec"),
    ("hyperfine", "-p --prepare -c --cleanup -s --setup"),
    ("nix-shell", "--run --command"),
    ("npx", "-c --call"),
    ("git", "--upload-pack --receive-pack --exec --extcmd"),
)
_CARRIERS: dict[str, tuple[str, ...]] = {
    name: tuple(options.split()) for names, options in _OPTIONS for name in names.split()
}
_VARIABLES = re.compile(
    r"(?:GIT_|MAN|SYSTEMD_|AWS_)?PAGER|(?:GIT_|SUDO_|GIT_SEQUENCE_)?EDITOR|VISUAL|GIT_SSH(?:_COMMAND)?|GIT_ASKPASS|"
    r"GIT_EXTERNAL_DIFF|GIT_PROXY_COMMAND|SSH_ASKPASS|RSYNC_RSH|LESSOPEN|LESSCLOSE|PROMPT_COMMAND|BROWSER|"
    r"FZF_DEFAULT_COMMAND"
)
_PROMPTS = re.compile(r"PS[0-4]|R?PROMPT[2-4]?|RPS[12]|SPROMPT")  # expanded again whenever they are shown
_LOADED = re.compile(r"(?:LD_PRELOAD|LD_AUDIT|DYLD_INSERT_LIBRARIES)=.")
GIT_KEYS = re.compile(
    r"core\.(?:pager|editor|sshcommand|fsmonitor|askpass|gitproxy)|pager\..+|sequence\.editor|credential\.(?:.+\.)?helper|"
    r"diff\.(?:external|.+\.(?:command|textconv))|merge\..+\.driver|(?:diff|merge)tool\..+\.cmd|gpg\.(?:.+\.)?program|"
    r"filter\..+\.(?:clean|smudge|process)|uploadpack\.packobjectshook|interactive\.difffilter",
    re.I,
)
_SSH_COMMAND = re.compile(r"\s*(?:Proxy|Local|KnownHosts|Remote)Command[\s=]+(.+)", re.I | re.S)
VIMS = "vim vi nvim view ex gvim rvim vimdiff nvimdiff".split()
_EX_SHELL = re.compile(
    r"^[:\s]*(?:(?:sil\w*!?|exe\w*|r|read|w|write|ter|term\w*|vert\w*|tab\w*)\s+)*"
    r"[%.,$'<>\d]*\s*(?:!|(?<=term )|(?<=terminal ))(.+)",
    re.S,
)
_SOCAT = re.compile(r"(?:EXEC|SYSTEM|SHELL):(.+?)(?:,|$)", re.I | re.S)
_TYPED = re.compile(r"\s*\"[^\"]+\"\s*:\s*\"(.+?)\\[nrC].*\"\s*", re.S)  # `"KEY": "CMD\n"` of readline
_EXPECT = re.compile(r"\b(?:spawn|exec|system)\s+([^;\n\]]+)")
_DATABASE = re.compile(
    r"^\s*(?:\.(?:shell|system)\s+|\\!\s*|system\s+)(.+)|\\[og]\s*\|\s*(.+)|\bprogram\s+'([^']+)'",
    re.I | re.M,
)
_DATABASES = "psql pgcli mysql mycli mariadb sqlite3 sqlite litecli duckdb".split()


def embedded(call: Call) -> Iterator[str]:
    """Every piece of shell text in `call` that is neither its own words nor a wrapper's: what else it starts."""
    yield from _in_variables(call)
    name = call.name
    yield from (word.text for word in call.values(*_CARRIERS[name]) if word.text) if name in _CARRIERS else ()
    yield from _READERS[name](call) if name in _READERS else ()


def loads_code(call: Call) -> bool:
    """Whether a variable in front of `call` puts a library into the program."""
    return any(_LOADED.match(word.text) for word in [*call.assigned, *_env_words(call)])


def _env_words(call: Call) -> tuple[Word, ...]:
    return call.args if call.name in ("env", "sudo", "doas") else ()


def _in_variables(call: Call) -> Iterator[str]:
    for word in [*call.assigned, *_env_words(call)]:
        name, _, value = word.text.partition("=")
        if _PROMPTS.fullmatch(name):
            yield from (script for _, _, script in substitutions(value))
        elif value and _VARIABLES.fullmatch(name) and not value.startswith("$"):
            yield value.lstrip("|- ") if name.startswith("LESS") else value


def _bind(call: Call) -> Iterator[str]:
    """What a key of bash's runs, or types together with an Enter."""
    for word in call.values("-x"):
        yield word.text.partition(":")[2].strip(" \"'")
    for word in call.operands("-x -f -m -q -u -r"):
        if found := _TYPED.fullmatch(word.text):
            yield found[1]


def _bindkey(call: Call) -> Iterator[str]:
    if "-s" in call.flags():
        yield from (re.sub(r"(?:\\[nrCM]|\^[MJ])", "\n", word.text) for word in call.operands("-M")[1:])


def _completed(call: Call) -> Iterator[str]:
    """The words of `-W` are expanded at each completion."""
    for word in call.values("-W"):
        yield from (script for _, _, script in substitutions(word.text))


def _tar(call: Call) -> Iterator[str]:
    for word in call.values("--checkpoint-action"):
        if word.text.startswith("exec="):
            yield word.text[5:]


def _ssh(call: Call) -> Iterator[str]:
    for word in call.values("-o"):
        if found := _SSH_COMMAND.match(word.text):
            yield found[1]


def _rsync(call: Call) -> Iterator[str]:
    for at, word in enumerate(call.args[:-1]):
        if re.fullmatch(r"-[a-zA-Z]+e", word.text):
            yield call.args[at + 1].text


def _git(call: Call) -> Iterator[str]:
    for word in call.values("-c", "--config"):
        key, _, value = word.text.partition("=")
        if key.startswith("alias."):
            yield value[1:] if value.startswith("!") else f"git {value}"
        elif GIT_KEYS.fullmatch(key):
            yield value.lstrip("!")
    texts = [word.text for word in call.operands("-C -c --git-dir --work-tree --file -f")]
    if texts[:1] == ["config"]:
        key, value = ([text for text in texts[1:] if text not in ("set", "add")] + ["", ""])[:2]
        if (key.startswith("alias.") and value.startswith("!")) or GIT_KEYS.fullmatch(key):
            yield value.lstrip("!")
    if option := {"clone": "-u", "rebase": "-x", "difftool": "-x"}.get(next(iter(texts), "")):
        yield from (word.text for word in call.values(option))
    for text in texts:
        if text.startswith("ext::"):
            yield re.sub(r"%(.)", lambda found: " " if found[1] == " " else "", text[5:])


def _vim(call: Call) -> Iterator[str]:
    for line in ex_commands(call):
        if found := _EX_SHELL.match(line):
            yield found[1]


def ex_commands(call: Call) -> list[str]:
    """What an editor of vi's family is told to do before anyone types: `-c CMD`, `--cmd CMD`, `+CMD`."""
    lines = [word.text for word in call.values("-c", "--cmd", "-sc", "-esc", "-Esc")]
    lines += [word.text[1:] for word in call.args if word.text.startswith("+") and len(word.text) > 1]
    return lines


def _less(call: Call) -> Iterator[str]:
    yield from (word.text.lstrip("+!") for word in call.args if re.match(r"\+\+?!", word.text))


def sed_scripts(call: Call) -> list[str]:
    """The sed scripts of `call`, as far as they stand on its line."""
    given = [word.text for word in call.values("-e", "--expression")]
    clustered = [
        call.args[at + 1].text
        for at, word in enumerate(call.args[:-1])
        if re.fullmatch(r"-[nErsuz]+e", word.text)
    ]
    if given or clustered:
        return ["\n".join(given + clustered)]
    return [] if call.flags() & {"-f", "--file"} else [word.text for word in call.operands("-l")[:1]]


def _sed(call: Call) -> Iterator[str]:
    for script in sed_scripts(call):
        yield from (effect.text for effect in effects(script) if effect.kind == "runs" and effect.text)


def _awk(call: Call) -> Iterator[str]:
    for word in call.args:
        for printed, read in re.findall(
            r'\|&?\s*"((?:[^"\\]|\\.)+)"|"((?:[^"\\]|\\.)+)"\s*\)*\s*\|&?\s*getline', word.text
        ):
            yield printed or read


def _emacs(call: Call) -> Iterator[str]:
    for word in call.values("--eval", "-eval", "--execute"):
        yield from re.findall(r'shell-command(?:-to-string)?\s+"((?:[^"\\]|\\.)+)"', word.text)


def _debugger(call: Call) -> Iterator[str]:
    """`gdb -ex 'shell rm x'`: of a debugger's commands, those that start a shell."""
    for word in call.values("-ex", "-iex", "--ex", "-o"):
        if found := re.match(r"\s*(?:shell|!|platform shell|pipe .*\|)\s*(.+)", word.text):
            yield found[1]


def _socat(call: Call) -> Iterator[str]:
    for word in call.args:
        if found := _SOCAT.match(word.text):
            yield found[1]


def _expect(call: Call) -> Iterator[str]:
    for word in [*call.values("-c"), *((Word(call.feed.text),) if call.feed and call.feed.text else ())]:
        yield from _EXPECT.findall(word.text)


def _make(call: Call) -> Iterator[str]:
    """A makefile that is typed: its recipes."""
    if (
        call.feed
        and call.feed.text
        and (call.value("-f", "--file", "--makefile") or Word("")).text in ("-", "/dev/stdin")
    ):
        yield from (line.strip("\t@-+") for line in call.feed.text.splitlines() if line.startswith("\t"))


def _database(call: Call) -> Iterator[str]:
    texts = [word.text for word in call.args] + ([call.feed.text] if call.feed and call.feed.text else [])
    for text in texts:
        yield from ("".join(found) for found in _DATABASE.findall(text))


_READERS = {
    **dict.fromkeys(("tar", "gtar", "bsdtar"), _tar),
    **dict.fromkeys(("ssh", "scp", "sftp", "sshfs", "ssh-copy-id"), _ssh),
    **dict.fromkeys(VIMS, _vim),
    **dict.fromkeys(("sed", "gsed"), _sed),
    **dict.fromkeys(("awk", "gawk", "mawk", "nawk"), _awk),
    **dict.fromkeys(("emacs", "emacsclient"), _emacs),
    **dict.fromkeys(("gdb", "lldb"), _debugger),
    **dict.fromkeys(("make", "gmake"), _make),
    **dict.fromkeys(_DATABASES, _database),
    **dict.fromkeys(("complete", "compgen"), _completed),
    "bind": _bind,
    "bindkey": _bindkey,
    "git": _git,
    "rsync": _rsync,
    "less": _less,
    "socat": _socat,
    "expect": _expect,
}
