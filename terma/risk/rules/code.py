"""Code from elsewhere: downloaded, decoded or piped into an interpreter, and one-liners that delete."""

from __future__ import annotations

import re

from terma.risk.model import Call, Feed, Finding, Findings
from terma.risk.rules.table import Rule
from terma.risk.wrappers import SHELLS

RULES = (Rule("nc ncat netcat", "high", "hands a shell to another machine", flags="-e --exec --sh-exec"),)

_DOWNLOADS = {
    "curl",
    "wget",
    "fetch",
    "http",
    "https",
    "xh",
    "aria2c",
    "lynx",
    "nc",
    "ncat",
    "netcat",
    "socat",
    "ftp",
    "tftp",
}
_DECODES = {
    "base64",
    "base32",
    "xxd",
    "openssl",
    "uudecode",
    "rev",
    "tr",
    "gunzip",
    "zcat",
    "gpg",
    "basenc",
    "hexdump",
}
_INTERPRETERS = {
    "python",
    "python2",
    "python3",
    "perl",
    "ruby",
    "node",
    "nodejs",
    "deno",
    "php",
    "osascript",
    "lua",
    "tclsh",
}
# Programs that print their own set-up code for `eval "$(…)"`.
HONEST = frozenset(
    "ssh-agent gpg-agent keychain dircolors brew direnv starship zoxide atuin mise pyenv rbenv nodenv fnm fzf thefuck "
    "terma register-python-argcomplete opam luarocks conda micromamba docker-machine minikube".split()
)
_DOWNLOADED = Finding("high", "runs what it downloads")
_HIDDEN = Finding("high", "runs code that cannot be read here")
_CODE = (
    (re.compile(r"rmtree|rm_rf|rmSync|rmdirSync|remove_entire|FileUtils\.rm|fs\.rm\b|shutil\.move|rimraf"),
     "high", "deletes files, recursively"),
    (re.compile(r"os\.(remove|unlink|rmdir|removedirs|truncate)|\bunlink\b|unlinkSync|File\.delete"),
     "medium", "deletes files"),
    (re.compile(r"fork\s+while\s+fork|while.{0,12}os\.fork\(\)|fork\(\)\s*while"), "high", "fork bomb"),
    (re.compile(r"os\.(kill|killpg)\(\s*-1"), "high", "ends every process it may"),
    (re.compile(r"""open\([^)]*['"][wx]b?\+?['"]|write_text|write_bytes|writeFileSync|File\.write"""),
     "medium", "may overwrite a file"),
    (re.compile(r"\b(exec|eval)\s*\(.*(urlopen|requests\.get|b64decode|fetch\()"),
     "high", "runs what it downloads"),
    (re.compile(r"print[^;}|()]*[^>]>\s*[\"$]"), "medium", "may overwrite a file"),  # awk's own redirect
)  # fmt: skip
_SAVED_AS = ("-o", "-O", "--output", "--output-document")
_STARTS = re.compile(
    r"(?:\bsystem|\bpopen|os\.system|subprocess\.\w+|\bexec|\bexecSync|`)\s*\(?\s*\[?\s*['\"](.+?)['\"]", re.S
)


def _interpreter(call: Call) -> Findings:
    """`python -c`, `perl -e`, `awk 'system("…")'`: the code is not shell, so words must do."""
    for word in call.args:
        for pattern, level, reason in _CODE:
            if pattern.search(word.text):
                yield Finding(level, reason)  # type: ignore[arg-type]
    yield from fed(call)


def fed(call: Call) -> Findings:
    """What an interpreter is given to run by a pipe, a substitution or a file that is downloaded first."""
    programs = frozenset[str]().union(*(word.programs for word in call.args))
    code_given = any(re.fullmatch(r"-[a-zA-Z]*[ce]|--command|-", word.text) for word in call.args)
    operands = [
        word for word in call.operands("-o -O -m -W -X -c -e --rcfile --init-file -u") if word.text != "-"
    ]
    reads_input = not [word for word in operands if not word.process] and not any(
        re.fullmatch(r"-[a-zA-Z]*[cem]", word.text) for word in call.args
    )
    if (
        code_given or any(word.process for word in call.args) or call.name in ("eval", "source", ".")
    ) and programs:
        yield from _from(Feed(programs))
    if call.bulk and code_given and call.feed is not None and call.feed.programs & _DOWNLOADS:
        yield _DOWNLOADED
    if reads_input or "-s" in call.flags():
        if call.feed is not None and call.feed.text is None:
            yield from _from(call.feed) if call.feed.programs else ()
        elif call.feed is not None and call.feed.programs & _DOWNLOADS:
            yield _DOWNLOADED


def _from(feed: Feed) -> Findings:
    if feed.programs <= HONEST:
        return
    if feed.programs & _DOWNLOADS:
        yield _DOWNLOADED
    elif feed.programs & _DECODES:
        yield _HIDDEN
    else:
        yield Finding("medium", "runs what another command prints")


def run_after_download(calls: list[Call]) -> Findings:
    """`curl -o i.sh URL && sh i.sh`: saved first, run later in the same line."""
    saved: set[str] = set()
    for call in calls:
        if call.name in _DOWNLOADS:
            named = call.value(*_SAVED_AS)
            names = [named] if named else []
            names += [redirect.target for redirect in call.redirects] + list(call.operands()[-1:])
            saved.update(word.text.rsplit("/", 1)[-1] for word in names)
        else:
            runs = (
                call.operands()[:1]
                if call.name in SHELLS | _INTERPRETERS | {"source", "."}
                else call.words[:1]
            )
            if any(word.text.rsplit("/", 1)[-1] in saved for word in runs):
                yield _DOWNLOADED


def started(call: Call) -> list[str]:
    """Shell text inside the code of another language: `awk '{ system("rm " $1) }'`."""
    if call.name not in _INTERPRETERS and call.name not in ("awk", "gawk", "mawk", "vim", "nvim", "ex"):
        return []
    return [text for word in call.args for text in _STARTS.findall(word.text)]


def _curl(call: Call) -> Findings:
    method = call.value("-X", "--request")
    if method is not None and method.text.upper() == "DELETE":
        yield Finding("medium", "deletes at the other end")


def _at(call: Call) -> Findings:
    if call.feed is not None and call.feed.text is None and call.feed.programs:
        yield from _from(call.feed)


CHECKS = {
    **dict.fromkeys(_INTERPRETERS, _interpreter),
    **dict.fromkeys(SHELLS | {"eval", "source", "."}, fed),
    **dict.fromkeys(("awk", "gawk", "mawk"), _interpreter),
    **dict.fromkeys(("at", "batch"), _at),
    "curl": _curl,
}
