"""Editors without a person in front of them: sed's own writes, and vi, ed or emacs told what to do on the line."""

from __future__ import annotations

from terma import regex as re
from terma.risk import paths
from terma.risk.embedded_commands import VIMS, ex_commands, sed_scripts
from terma.risk.model import Call, Finding, Findings, Word
from terma.risk.overwrite import VITAL, overwriting
from terma.risk.persisted import placing
from terma.risk.sed import effects

_IN_PLACE = Finding("medium", "rewrites files in place", "overwrites")
_SED_IN_PLACE = re.compile(r"-[nErsuzb]*i|--in-place")
_EX_WRITES = re.compile(
    r"(?:^|[|\n])[:\s]*(?:sil\w*!?\s+|bufdo\s+|argdo\s+)*%?(?:w|wq|wa|wqa|x|xa|xit|up|update|exit)!?(?=\s*(?:$|["
    r"|\n]))"
)
_EX_WRITES_TO = re.compile(r"\bwritefile\(|\bredir\b|\bsav(?:eas)?\b|\bw(?:rite)?!?\s+(?:>>\s*)?\S")
_NAMES = re.compile(r"[^\s\"'(),]+")
_ED_WRITES = re.compile(r"^[\d,$.%\s]*(?:w|wq|W)\b", re.M)
_LISP = (
    (re.compile(r"\(\s*delete-directory\b"), Finding("high", "deletes files, recursively", "deletes")),
    (re.compile(r"\(\s*(?:delete-file|move-file-to-trash)\b"), Finding("medium", "deletes files", "deletes")),
    (re.compile(r"\(\s*(?:save-buffer|write-file|write-region|save-some-buffers)\b"), _IN_PLACE),
)

RULES = ()


def sweeping(call: Call) -> bool:
    """Whether the list that `call` works through is all of a home directory or of the system."""
    upstream = call.feed.calls if call.feed is not None else ()
    named = [word for one in (call, *upstream) for word in one.args]
    return any("home" in word.holds or paths.whole_home(word.text) for word in named)


def _sed(call: Call) -> Findings:
    if any(_SED_IN_PLACE.match(word.text) for word in call.args):
        yield _IN_PLACE
        yield from _of_the_system(call)
        if call.bulk and sweeping(call):
            yield Finding("high", "rewrites every file of a home or of the system", "overwrites")
    for script in sed_scripts(call):
        for effect in effects(script):
            if effect.kind == "runs" and not effect.text:
                yield Finding("medium", "runs lines of its input as commands", "runs-unknown-code")
            elif effect.kind == "writes" and effect.text:
                yield from overwriting(Word(effect.text), call)


def _of_the_system(call: Call) -> Findings:
    """Files that the machine lives by, and records that nobody rewrites with a good reason."""
    texts = [word.text for word in call.operands("-e -f --expression --file")]
    if any(map(VITAL.match, texts)):
        yield Finding("high", "changes files without which the machine does not start", "overwrites")
    if any(text.startswith("/var/log/") for text in texts):
        yield Finding("high", "rewrites the record of what happened", "history")


def _vi(call: Call) -> Findings:
    """What `-c`, `+` and, for a script from a pipe, standard input tell it to write."""
    fed = call.feed.text if call.feed is not None else None
    if any(_EX_WRITES.search(line) for line in ex_commands(call)) or (fed and _ED_WRITES.search(fed)):
        yield _IN_PLACE
    for line in ex_commands(call):
        if _EX_WRITES_TO.search(line):
            for name in _NAMES.findall(line):
                yield from placing(name, call)


def _emacs(call: Call) -> Findings:
    for word in call.values("--eval", "-eval", "--execute"):
        for pattern, finding in _LISP:
            if pattern.search(word.text):
                yield finding


CHECKS = {
    **dict.fromkeys(("sed", "gsed"), _sed),
    **dict.fromkeys((*VIMS, "ed", "red"), _vi),
    **dict.fromkeys(("emacs", "emacsclient"), _emacs),
}
