"""sudo and its kin: root is said; by itself it is a danger where a shell opens or what runs does more than read."""

from __future__ import annotations

import re
from collections.abc import Callable

from terma.risk.model import Call, Finding, Findings
from terma.risk.rules import verbs
from terma.risk.rules.table import NEEDS_ROOT, Rule, asks, operand_texts, rows
from terma.risk.syntax import read
from terma.risk.wrapper_table import SHELLS, WRAPPERS
from terma.risk.wrappers import after, scripts

RULES = rows("""
sudoedit |  |  | medium root: needs root
""")

_READS = Finding("low", "needs root", "root")
_SHELL = Finding("high", "needs root: opens a root shell", "root")
_UNSEEN = Finding("high", "needs root: runs as root what nobody sees here", "root")
_MERELY_ASKS = {
    "-l",
    "-k",
    "-K",
    "-v",
    "-V",
    "--list",
    "--help",
    "--version",
    "-h",
    "--validate",
    "--reset-timestamp",
}
_SHELL_FLAGS = {"-i", "-s", "--login", "--shell"}
_DEEPEST = 4
_LANGUAGES = {"pip", "pip3", "npm", "gem", "yarn", "pnpm", "cargo", "cpan", "cpanm", "luarocks"}

RuleOf = Callable[[Call], Rule | None]


def becoming(call: Call, rule_of: RuleOf) -> Findings:
    """What is said of `call`, a program that runs another as root or as somebody else."""
    wrapper = WRAPPERS[call.name]
    inner = after(call.args, wrapper)
    own = Call(call.words[: len(call.words) - len(inner)]).flags() if inner else call.flags()
    user = call.value("-u", "--user", "-U") if call.name in ("sudo", "runuser", "doas", "pkexec") else None
    as_root = user is None or user.text in ("root", "#0", "0")
    if call.name == "sudo" and own & {"-e", "--edit"}:
        yield NEEDS_ROOT
    elif not inner:
        if not own & _MERELY_ASKS and (as_root and own & _SHELL_FLAGS):
            yield _SHELL
        elif not own & _MERELY_ASKS:
            yield NEEDS_ROOT
    elif as_root:
        yield _of_inner(call.inner(inner), rule_of)


def _of_inner(call: Call, rule_of: RuleOf, depth: int = 0) -> Finding:
    name, texts = call.name, [word.text for word in call.args]
    if name in ("su", "login", "bash", "sh", "zsh", "dash", "fish", "ksh") and not [
        text for text in texts if text[:1] != "-"
    ]:
        if call.feed is not None and call.feed.text is not None:
            return NEEDS_ROOT
        return _SHELL if not asks(call) else _READS
    if name == "su" and texts[-1] in ("-", "root", "-l"):
        return _SHELL
    if name == "dd" and not any(text.startswith("of=") and text != "of=/dev/null" for text in texts):
        return _READS
    if name in _LANGUAGES and "install" in texts and not asks(call):
        return Finding("high", "needs root: lets the scripts of packages do as they like", "root")
    return _READS if harmless(call, rule_of, depth) else _root_of(call)


def _root_of(call: Call) -> Finding:
    """A script that nobody sees (`sudo sh -c "$CMD"`) is worse than a program by its name."""
    unseen = call.name in SHELLS and any(
        re.fullmatch(r"\$\{?\w+\}?", script.strip()) for script in scripts(call)
    )
    return _UNSEEN if unseen or (call.words[0].dynamic and call.words[0].text.startswith("$")) else NEEDS_ROOT


def harmless(call: Call, rule_of: RuleOf, depth: int = 0) -> bool:
    """Whether `call`, as far as its own name tells, only reads: what its rules find besides speaks for itself."""
    if not call.words or asks(call):
        return True
    if depth > _DEEPEST:
        return False
    wrapper = WRAPPERS.get(call.name)
    if wrapper and not wrapper.joined and (inner := after(call.args, wrapper)):
        return harmless(call.inner(inner), rule_of, depth + 1)
    if call.name in SHELLS:
        given = list(scripts(call))
        return bool(given) and all(
            harmless(one, rule_of, depth + 1) for script in given for one in read(script)[0]
        )
    rule = rule_of(call)
    return rule.level == "low" if rule is not None else verbs.only_looks(operand_texts(call))


def shell_inside(call: Call) -> Findings:
    """A shell without a script that runs as root, whoever started it: `find -exec sh`, `vim -c '!sh'`."""
    if call.name in SHELLS and not call.args and call.feed is None:
        yield _SHELL


def switching(call: Call) -> Findings:
    """su: a shell of somebody else's, or a command as them."""
    texts = [word.text for word in call.args]
    users = [text for text in texts if text[:1] != "-"]
    if asks(call):
        return
    if call.flags() & {"-c", "--command"}:
        yield NEEDS_ROOT
    elif not users or users[0] == "root":
        yield _SHELL
    else:
        yield Finding("medium", "needs root or a password: becomes somebody else", "root")


def entering(call: Call) -> Findings:
    """nsenter, chroot, unshare: a shell inside what nobody else may enter."""
    inner = after(call.args, WRAPPERS[call.name]) if call.name in WRAPPERS else ()
    if call.name == "nsenter" and (not inner or Call(inner).name in SHELLS):
        yield _SHELL
    elif call.name != "unshare" and not asks(call):
        yield NEEDS_ROOT


CHECKS = {"su": switching, "nsenter": entering, "chroot": entering}
