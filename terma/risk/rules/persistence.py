"""What stays after the command: variables that load code, git's keys that name programs, edits of start-up files."""

from __future__ import annotations

from terma import regex as re
from terma.risk import paths
from terma.risk.embedded_commands import GIT_KEYS
from terma.risk.flow import DECLARES
from terma.risk.model import Call, Finding, Findings
from terma.risk.persisted import content, placing, takes_over
from terma.risk.rules.table import operand_texts
from terma.risk.sources import is_secret_value

RULES = ()

_FROM_ELSEWHERE = Finding("high", "runs by the clock what comes from elsewhere", "persists")

_LOADERS = re.compile(
    r"(?:LD_PRELOAD|LD_AUDIT|DYLD_INSERT_LIBRARIES|BASH_ENV|ENV|PROMPT_COMMAND|ZDOTDIR|PYTHONSTARTUP|PERL5OPT"
    r"|PERL5DB|RUBYOPT|PYTHONINSPECT"
    r"|GCONV_PATH|GIO_EXTRA_MODULES|NODE_REPL_EXTERNAL_MODULE|PERLLIB|GLIBC_TUNABLES)"
)
_MAY_LOAD = {
    "NODE_OPTIONS": re.compile(r".*--(?:require|import|loader|experimental-loader)"),
    "JAVA_TOOL_OPTIONS": re.compile(r".*-(?:javaagent|agentpath)"),
    "_JAVA_OPTIONS": re.compile(r".*-(?:javaagent|agentpath)"),
    "LD_LIBRARY_PATH": re.compile(r"(?:\.|/tmp|/var/tmp|/dev/shm)(?:[/:]|$)"),
    "PYTHONPATH": re.compile(r"(?:/tmp|/var/tmp|/dev/shm)(?:[/:]|$)"),
    **dict.fromkeys(("GIT_SSH_COMMAND", "GIT_SSH", "GIT_EXTERNAL_DIFF", "PAGER", "GIT_PAGER", "EDITOR", "VISUAL",
    "BROWSER", "SUDO_ASKPASS", "SSH_ASKPASS", "SHELL"), re.compile(r"(?:/tmp|/var/tmp|/dev/shm|\./)")),
    "PATH": re.compile(r"(?::|\.(?=[:/])(?!/node_modules|/bin:|/venv|/\.venv)|/tmp|/var/tmp|/dev/shm|\$\{?TMPDIR)"),
}  # fmt: skip
_FORGETS = {
    "HISTFILE": re.compile(r"/dev/null|"),
    **dict.fromkeys(("HISTSIZE", "HISTFILESIZE", "SAVEHIST"), re.compile(r"0|")),
}
_HONEST = re.compile(
    r"(?:true|false|cat|less|more|most|bat|delta|diff-so-fancy|vim?|nvim|nano|emacs(?:client)?|code|subl|micro|hx"
    r"|helix|kate|gedit|mate|idea|pycharm|zed|cursor|joe|pico|ed"
    r"|store|cache|osxkeychain|manager(?:-core)?|libsecret|wincred|oauth|gpg2?|gh|git-credential-\w+"
    r"|/usr/(?:local/)?bin/gh|ssh|ssh-keygen|difft|difftastic|meld|kdiff3|opendiff|vimdiff|nvimdiff|git-lfs"
    r"|op-ssh-sign|aws|gcloud(?:\.sh)?|git|rs-git-fsmonitor|watchman|lesspipe|batcat|moar|diff-highlight|glow"
    r"|column|tig)\b",
)


def assignments(call: Call) -> Findings:
    """Variables that make later programs load or run something, or forget what was typed."""
    for word in call.assigned:
        name, _, value = word.text.partition("=")
        if not word.dynamic and is_secret_value(name, value):
            yield Finding("medium", "writes a key where the history keeps it", "leaks")
        if name in _FORGETS and (not call.words or call.name in DECLARES) and _FORGETS[name].fullmatch(value):
            yield Finding("medium", "keeps no history of what follows", "history")
        elif _LOADERS.fullmatch(name) and value:
            foreign = paths.temporary(value) or bool({"network", "decoded"} & (word.holds | word.origins))
            yield Finding(
                "high" if foreign else "medium", f"lets ${name} run code in later programs", "persists"
            )
        elif name in _MAY_LOAD and _MAY_LOAD[name].match(value):
            yield Finding("medium", f"lets programs from a foreign directory in by ${name}", "persists")


def _git_config(call: Call) -> Findings:
    """`git config core.pager X`: git starts X from then on."""
    texts = operand_texts(call)
    if texts[:1] != ["config"] or call.flags() & {
        "--get",
        "--get-all",
        "--unset",
        "--unset-all",
        "-l",
        "--list",
        "--get-regexp",
        "-e",
        "--edit",
    }:
        return
    given = [text for text in texts[1:] if text not in ("set", "add", "--add")]
    if len(given) < 2 or given[0] in ("get", "list", "unset", "edit"):
        return
    key, value = given[0].lower(), given[1]
    if (key == "core.hookspath" or GIT_KEYS.fullmatch(key)) and not _HONEST.match(value.lstrip("!")):
        serious = paths.temporary(value) or re.search(
            r"/(?:tmp|dev/shm)/|/\.\w+(?:/|;|$| )|curl|nc |base64|bash -c|sh -c", value
        )
        yield Finding("high" if serious else "medium", "git runs that program from now on", "persists")
    elif key.startswith("alias.") and re.search(r"curl|wget|/tmp/|\bnc\b|base64", value):
        yield Finding("high", "git runs that program from now on", "persists")
    elif key == "http.sslverify" and value.lower() in ("false", "0", "no"):
        yield Finding("medium", "git no longer checks whom it talks to", "network")
    elif key in ("http.proxy", "https.proxy", "core.gitproxy") or _sends_elsewhere(key, value):
        yield Finding("medium", "git talks through another machine", "network")
    elif key in ("include.path", "init.templatedir", "safe.directory") and (
        value == "*" or key != "safe.directory"
    ):
        yield Finding("medium", "git trusts settings from elsewhere", "persists")
    elif key == "protocol.ext.allow":
        yield Finding("medium", "git runs programs that an address names", "persists")


def _sends_elsewhere(key: str, value: str) -> bool:
    """`url.A.insteadOf B`: where A is another host than B, or says nothing of who it is."""
    found = re.fullmatch(r"url\.(.+)\.(?:push)?insteadof", key)
    if found is None:
        return False
    hosts = [re.search(r"(?:://|@|^)(?:[^@/]*@)?([\w-]+(?:\.[\w-]+)+)", text) for text in (found[1], value)]
    same = hosts[0] and hosts[1] and hosts[0][1] == hosts[1][1].lower()
    return "http://" in key or (not same and hosts[0] is not None and hosts[1] is not None)


def _edited(call: Call) -> Findings:
    """`sed -i … ~/.bashrc`: a start-up file that is edited in place."""
    if not any(re.match(r"-[nErsuzbp]*i|--in-place", word.text) for word in call.args):
        return
    for word in call.operands("-e -f --expression"):
        yield from placing(word.text, _without_input(call))


def _without_input(call: Call) -> Call:
    return call.inner(call.words)


def _link(call: Call) -> Findings:
    operands = call.operands()
    if len(operands) < 2:
        return
    yield from placing(operands[-1].text, call)
    if operands[0].text == "/dev/null":
        history = paths.HISTORIES.search(operands[-1].text)
        yield Finding(
            "high" if call.bulk or history else "medium",
            "makes a file a link to nothing",
            "history" if history else "overwrites",
        )


def _scheduled(call: Call) -> Findings:
    """schtasks, `systemd-run --on-calendar`, a PAM module: jobs by other names."""
    if call.flags() & {"/create", "--create"} or any(word.text.lower() == "/create" for word in call.args):
        yield Finding("medium", "runs something later", "persists")


def _desktop(call: Call) -> Findings:
    """xdg-settings and friends decide which program opens what."""
    if call.name == "xdg-mime" and operand_texts(call)[:1] == ["default"]:
        yield Finding("medium", "another program opens these files from now on", "persists")


def _traps(call: Call) -> Findings:
    texts = [word.text for word in call.args]
    if call.name == "trap" and set(texts[1:]) & {"DEBUG", "RETURN"} and texts[0] not in ("-", ""):
        yield Finding("medium", "runs at each command of this shell", "persists")
    elif call.name == "complete" and "-C" in texts:
        yield Finding("medium", "runs at each completion in this shell", "persists")


def _restarts(call: Call) -> Findings:
    if operand_texts(call)[:1] == ["update"] and any(word.text != "no" for word in call.values("--restart")):
        yield Finding("medium", "starts a container again for ever", "persists")


def _crontab(call: Call) -> Findings:
    operands = call.operands("-u")
    foreign = any(
        (word.holds | word.origins) & {"network"} or paths.temporary(word.text) for word in operands
    )
    if foreign and "-l" not in call.flags():
        yield _FROM_ELSEWHERE
    yield from _clocked(call)


def _clocked(call: Call) -> Findings:
    """What the clock is given to run, by a pipe."""
    if call.feed is not None and takes_over(content(call), call.feed.origins):
        yield _FROM_ELSEWHERE


def _alias(call: Call) -> Findings:
    for word in call.args:
        name, equals, value = word.text.partition("=")
        if (
            equals
            and name in ("sudo", "su", "ssh", "git", "passwd", "doas", "gpg")
            and re.search(r"/(?:tmp)|/\.\w|curl|tee|nc ", value)
        ):
            yield Finding("high", f"puts another program in the place of {name}", "persists")


CHECKS = {
    "git": _git_config, "ln": _link, "schtasks": _scheduled, "xdg-mime": _desktop, "docker": _restarts,
    **dict.fromkeys(("trap", "complete"), _traps), "crontab": _crontab,
    **dict.fromkeys(("at", "batch"), _clocked),
    "alias": _alias,
    **dict.fromkeys(("sed", "gsed", "perl"), _edited),
}  # fmt: skip
