"""Code from elsewhere: downloaded, decoded or piped into an interpreter."""

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
INTERPRETERS = {
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
AWKS = {"awk", "gawk", "mawk", "nawk"}
# Programs that print their own set-up code for `eval "$(…)"`.
HONEST = frozenset(
    "ssh-agent gpg-agent keychain dircolors brew direnv starship zoxide atuin mise pyenv rbenv nodenv fnm fzf thefuck "
    "terma register-python-argcomplete opam luarocks conda micromamba docker-machine minikube".split()
)
_DOWNLOADED = Finding("high", "runs what it downloads")
_HIDDEN = Finding("high", "runs code that cannot be read here")
_SAVED_AS = ("-o", "-O", "--output", "--output-document")


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
                if call.name in SHELLS | INTERPRETERS | {"source", "."}
                else call.words[:1]
            )
            if any(word.text.rsplit("/", 1)[-1] in saved for word in runs):
                yield _DOWNLOADED


def _curl(call: Call) -> Findings:
    method = call.value("-X", "--request")
    if method is not None and method.text.upper() == "DELETE":
        yield Finding("medium", "deletes at the other end")


def _socat(call: Call) -> Findings:
    texts = [word.text for word in call.args]
    if any(re.match(r"(TCP|UDP|SCTP|SSL|OPENSSL|DTLS|VSOCK)", text, re.I) for text in texts) and any(
        re.match(rf"(EXEC|SYSTEM|SHELL):.*\b({'|'.join(SHELLS)})\b", text, re.I) for text in texts
    ):
        yield Finding("high", "hands a shell to another machine")


def _at(call: Call) -> Findings:
    if call.feed is not None and call.feed.text is None and call.feed.programs:
        yield from _from(call.feed)


CHECKS = {
    **dict.fromkeys(SHELLS | INTERPRETERS | AWKS | {"eval", "source", "."}, fed),
    **dict.fromkeys(("at", "batch"), _at),
    "curl": _curl,
    "socat": _socat,
}
