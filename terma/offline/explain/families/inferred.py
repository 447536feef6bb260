"""Nothing was captured: what the command, its status and the machine let one infer, and worded as that."""

from __future__ import annotations

import os
import re

from terma.offline.explain.case import Case
from terma.offline.explain.families.commands import _fixes as program_fixes
from terma.offline.explain.families.commands import _text as program_text
from terma.offline.explain.families.git_remotes import fresh_repository
from terma.offline.explain.line import quote
from terma.offline.explain.lookups import can_run
from terma.offline.explain.near import meant
from terma.offline.explain.rule import Facts, Rule
from terma.offline.explain.subcommands import SUBCOMMANDS
from terma.offline.explain.syntax import complaint, repaired, unclosed

BLIND = "No output was captured; "
READERS = (
    "cat less more head tail wc sort uniq cut tac nl od xxd file stat ls du python3 python node ruby perl bash sh zsh source ."
    " vim nano diff cmp gunzip unzip gcc g++ javac md5sum sha256sum chmod chown rm mv cp touch rmdir open xdg-open bat jq"
).split()
_SKIP_FIRST = ("chmod", "chown", "chgrp")


def _blind(case: Case) -> bool:
    silent = not case.output.strip() and not case.only_contents
    return silent and 0 < case.status < 129 and case.status != 124 and bool(case.words)


def _syntax(case: Case, facts: Facts) -> str:
    said = complaint(case) if _blind(case) else ""
    return f"{BLIND}but the shell cannot have understood that line: {said}." if said else ""


def _syntax_fixes(case: Case, facts: Facts) -> list[str]:
    return [] if unclosed(case.command)[1] else repaired(case)


def _bracket(case: Case, facts: Facts) -> str:
    """[ and ] without the blanks that they need."""
    if not _blind(case) or _brackets(case, facts)[0] == case.command:
        return ""
    return f"{BLIND}but [ is a command of its own: it needs a blank after it, and ] one before it."


def _brackets(case: Case, facts: Facts) -> list[str]:
    fixed = re.sub(r"(^|[;&|]\s*|\b(?:if|while|until)\s+)\[(?=[^\s\[])", r"\1[ ", case.command)
    return [re.sub(r"((?:^|\s)\[ [^\[\]]*?[^\s\[\]])\](?=\s|;|$)", r"\1 ]", fixed)]


def _assign(case: Case, facts: Facts) -> str:
    found = re.match(r"\s*([A-Za-z_]\w*)\s+=\s", case.command + " ")
    if not _blind(case) or case.status != 127 or not found:
        return ""
    return f"{BLIND}but status 127 says that {found[1]} was taken for a command: an assignment has no blanks around its =."


def _not_program(case: Case, facts: Facts) -> str:
    name = case.program
    if not _blind(case) or not name or case.status not in (127, 1) or _at_path(case):
        return ""
    if case.installed(name) or (case.status == 1 and not meant(name, case.programs)):
        return ""
    return f"{BLIND}status {case.status} and PATH tell: {program_text(case, {'name': name})}"


def _at_path(case: Case) -> bool:
    """Whether the program was named by a path, as in ./run.sh."""
    return any("/" in word.value and word.value.endswith("/" + case.program) for word in case.words)


def _script(case: Case) -> str:
    return next((w.value for w in case.words if "/" in w.value and w.value.endswith("/" + case.program)), "")


def _started(case: Case, facts: Facts) -> str:
    path = _script(case) if _blind(case) else ""
    if not path:
        return ""
    if not case.exists(path):
        near = case.near_path(path)
        return f"{BLIND}but {path} does not exist." + (f" There is {near}." if near else "")
    if case.is_dir(path):
        return f"{BLIND}but {path} is a directory, which cannot be run."
    if not _executable(case, path):
        how = "chmod +x changes that." if can_run(case, path) else "Nothing in it says that it is a program."
        return f"{BLIND}but {path} is not executable: permission denied, most likely. {how}"
    return ""


def _executable(case: Case, path: str) -> bool:
    try:
        return bool(case.at(path).stat().st_mode & 0o111)
    except OSError:
        return False


def _started_fixes(case: Case, facts: Facts) -> list[str]:
    path = _script(case)
    if not case.exists(path):
        return [case.swap(path, case.near_path(path))] if case.near_path(path) else []
    if case.is_dir(path):
        return [f"cd {quote(path)}"]
    return [f"chmod +x {quote(path)} && {case.command}"] if can_run(case, path) else []


def _folder(case: Case, facts: Facts) -> str:
    if not _blind(case) or case.program not in ("cd", "pushd") or not case.args:
        return ""
    path = case.args[0]
    if len(case.operands) > 1:
        return f"{BLIND}but cd takes one folder and got {len(case.operands)} words: too many arguments."
    if path == "-":
        return f"{BLIND}but cd - needs a former folder, and this shell may have none yet (OLDPWD not set)."
    if not case.exists(path):
        near = case.near_path(path, folder=True)
        return f"{BLIND}but the folder {path} does not exist." + (f" There is {near}." if near else "")
    if not case.is_dir(path):
        return f"{BLIND}but {path} is a file, not a directory."
    return (
        f"{BLIND}but {path} may not be entered: permission denied."
        if not os.access(case.at(path), os.X_OK)
        else ""
    )


def _folder_fixes(case: Case, facts: Facts) -> list[str]:
    joined = " ".join(case.operands)
    if len(case.operands) > 1:
        return [f"cd {quote(joined)}"] if case.is_dir(joined) else []
    near = case.near_path(joined, folder=True)
    return [case.swap(joined, near)] if near else []


def _absent(case: Case) -> str:
    """The first file that the command would read and that is not there."""
    if not case.cwd:
        return ""
    for word in case.words:
        if word.after == "<" and not case.exists(word.value) and "$" not in word.value:
            return word.value
    if case.program not in READERS or "-c" in case.args or "-m" in case.args or "-e" in case.args:
        return ""
    names = [
        v
        for v in case.operands[case.program in _SKIP_FIRST :]
        if not v.isdigit() and not re.search(r"[$*?`{]|=", v)
    ]
    if case.program in ("cp", "mv"):
        names = names[:-1]
    if case.program in (
        "python3",
        "python",
        "node",
        "ruby",
        "perl",
        "bash",
        "sh",
        "zsh",
        "source",
        ".",
        "jq",
    ):
        names = names[:1] if case.program != "jq" else names[1:]
    if case.program == "touch":
        return ""
    return next((name for name in names if not case.exists(name)), "")


def _suspected(case: Case) -> str:
    """The first file that is not there of any command that may have failed; the case is turned to that one."""
    for part in case.suspects:
        case.turn_to(part)
        if path := _absent(case):
            return path
    return ""


def _file(case: Case, facts: Facts) -> str:
    path = _suspected(case) if _blind(case) else ""
    near = case.near_path(path) if path else ""
    return f"{BLIND}but {path} does not exist here." + (f" There is {near}." if near else "") if path else ""


def _file_fixes(case: Case, facts: Facts) -> list[str]:
    path = _absent(case)
    near = case.near_path(path)
    return [case.swap(path, near)] if near else []


def _git(case: Case, facts: Facts) -> str:
    if not _blind(case) or case.program != "git" or not case.operands:
        return ""
    sub, rest = case.operands[0], case.operands[1:]
    if sub not in SUBCOMMANDS["git"].split() and meant(sub, SUBCOMMANDS["git"].split()):
        return f"{BLIND}but {sub} is no git command that terma knows. It looks like {meant(sub, SUBCOMMANDS['git'].split())[0]} misspelt."
    if case.repo is None and case.cwd and case.status == 128 and sub not in ("clone", "init"):
        return f"{BLIND}but this folder is not a git repository, nor is any above it."
    if case.repo and sub == "push" and not rest and case.repo.branch and not case.repo.upstream:
        return f"{BLIND}but the branch {case.repo.branch} has no upstream, so git does not know where to push it."
    if case.repo and sub == "grep" and case.status == 1:
        return "git grep found no match: status 1, no error."
    if case.repo and sub == "diff" and case.status == 1:
        return "There are differences: that is what status 1 of git diff means."
    return ""


def _git_fixes(case: Case, facts: Facts) -> list[str]:
    sub = case.operands[0]
    known = SUBCOMMANDS["git"].split()
    if sub not in known:
        return [case.swap(sub, name) for name in meant(sub, known)]
    if case.repo is None:
        return fresh_repository(case)
    if sub == "push" and case.repo.remotes:
        return [
            case.swap(
                "push",
                f"push --set-upstream {quote(case.repo.remotes[0])} {quote(case.repo.branch)}",
                raw=True,
            )
        ]
    return []


_BUILTIN = {
    "fg": "there is no stopped or background job here, most likely", "bg": "there is no stopped job here, most likely",
    "exit": "exit takes a number alone (numeric argument required)", "wait": "wait knows only processes that this shell started: {first} is none of its children",
    "kill": "there is no process or job {first}, or it is not yours", "export": "{first} is no name for a variable (not a valid identifier)",
    "unset": "{first} is no name that can be unset", "unalias": "there is no alias {first}", "mkdir": "{first} exists already, or the folder above it does not",
    "rmdir": "{first} is not empty, is missing, or is no directory", "let": "the sum is 0 or cannot be read", "[": "the test did not hold, or its operands are wrong: an integer was expected, or an unset variable left a hole",
    "read": "there was nothing left to read", "unzip": "{first} is no zip file, or is missing", "make": "a target failed, or there is none of that name",
    "curl": "the address could not be fetched", "ssh": "the connection failed", "ping": "the host did not answer",
}  # fmt: skip


def _builtin(case: Case, facts: Facts) -> str:
    if not _blind(case) or case.program not in _BUILTIN:
        return ""
    if case.program in ("exit", "return") and re.fullmatch(r"\d+\)*", " ".join(case.operands)):
        return ""
    if case.program in ("export", "unset") and re.fullmatch(
        r"[A-Za-z_]\w*(=.*)?", case.operands[0] if case.operands else "A"
    ):
        return ""
    first = case.operands[0] if case.operands else "what you named"
    return f"{BLIND}a guess from status {case.status}: {_BUILTIN[case.program].format(first=first)}."


def _expansion(case: Case, facts: Facts) -> str:
    if not _blind(case):
        return ""
    if re.search(r"\$\{\w+ ", case.command):
        return f"{BLIND}but ${{… }} with a blank in it is a bad substitution; a command stands in $( )."
    if re.search(r"/\s*0+\b[^.]", case.command) and "((" in case.command:
        return f"{BLIND}but the arithmetic divides by zero."
    if re.search(r"\(\([^)]*\b0[0-7]*[89]", case.command):
        return f"{BLIND}but a number with a leading 0 is octal, and 8 and 9 are no digits of that base."
    unset = re.search(r"set -\w*u\w*\b.*?\$\{?(\w+)", case.command)
    if unset:
        return f"{BLIND}but set -u forbids a variable without a value, and {unset[1]} may have none."
    noclobber = re.search(r"noclobber.*>\s*(\w\S*)", case.command)
    if noclobber:
        return f"{BLIND}but noclobber keeps > from overwriting {noclobber[1]}."
    return ""


RULES = (
    Rule("inferred.syntax", "", "", _syntax, _syntax_fixes, status=(1, 2, 127), rank=80, rewrites=True),
    Rule("inferred.bracket", "", "", _bracket, _brackets, status=(1, 2, 127), rank=80, rewrites=True),
    Rule("inferred.expansion", "", "", _expansion, status=(1, 2, 127), rank=80),
    Rule("inferred.assignment", "", "", _assign, lambda c, f: [re.sub(r"^(\s*\w+)\s+=\s*", r"\1=", c.command)], rank=80),
    Rule("inferred.started", "", "", _started, _started_fixes, status=(1, 2, 126, 127), rank=81),
    Rule("inferred.program", "", "", _not_program, lambda c, f: program_fixes(c, {"name": c.program}), rank=81),
    Rule("inferred.folder", "", "", _folder, _folder_fixes, rank=81),
    Rule("inferred.git", "", "", _git, _git_fixes, rank=81),
    Rule("inferred.file", "", "", _file, _file_fixes, rank=82),
    Rule("inferred.builtin", "", "", _builtin, rank=84),
)  # fmt: skip
