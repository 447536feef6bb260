"""What a person asks beside the failure, answered from the evidence and from the machine, or said not to be known from here."""

from __future__ import annotations

import re
import time
from collections.abc import Callable

from terma.offline.explain.case import Case
from terma.offline.explain.outcome import (
    UNKNOWN,
    arrived,
    done,
    ended,
    forced,
    is_there,
    lies_elsewhere,
    may_write,
    never_started,
    took,
    turned_away,
    whose_code,
)
from terma.offline.explain.packages import package_for
from terma.offline.explain.place_questions import (
    disk_space,
    how_to_stop,
    of_address,
    place_of,
    port_of,
    user_of,
)
from terma.offline.explain.suspicion import suspicion
from terma.text import ago

# Programs that only read, whatever their arguments are.
READERS = frozenset(
    "cat less more head tail grep rg wc ls tree stat file du df ps top free uptime date whoami id which whereis type diff cmp"
    " jq yq pwd env printenv ping dig host nslookup ss lsof netstat uname hostname man echo printf test md5sum sha256sum"
    " journalctl dmesg readelf objdump strings xmllint yamllint shellcheck mypy pyflakes identify ffprobe".split()
)
READING = frozenset(
    "git status|git log|git diff|git show|git branch|git remote|docker ps|docker images|docker logs|kubectl get|kubectl describe"
    "|kubectl logs|terraform plan|terraform validate|systemctl status|apt list|apt search|pip list|pip show|npm ls|go vet".split(
        "|"
    )
)
# A question that wants a yes, a name or a number, and one that the explanation itself answers.
_CLOSED = re.compile(
    r"(?:and |but |so )?(?:who|when|how (?:many|often|long)|whose|since when|is|are|am|was|were|did|do|does|has|have|will|would|can|could)\b"
)
_FOR_A_FIX = re.compile(
    r"\b(?:fix|mean|wrong|matter|explain|happen\w*|help|why|solve|way to|should|missing|misspel\w*|typo|fail\w*)\b"
)
NOT_TOLD = f"{UNKNOWN}: neither the output nor the machine tells it."
_SHORT = 3
_SAY_NOTHING = frozenset(
    "this that with does have been from what when where which will would could should then than them they there your"
    " still just again even only also need know more some about".split()
)


def answer(case: Case) -> str:
    """One sentence that answers the question, "" when none was asked, or one that the explanation answers."""
    asked = case.failure.question.lower()
    if not asked.strip(" ?!.,:"):
        return ""
    for asks, find in _KINDS:
        if re.search(asks, asked):
            said = find(case, asked)
            if said is not None:
                return said or NOT_TOLD
    if _CLOSED.match(asked) and not _FOR_A_FIX.search(asked):
        return NOT_TOLD
    return ""


def tells(explanation: str, asked: str) -> bool:
    """Whether an explanation speaks of what was asked: it has all words of the question that say something."""
    said = set(re.findall(r"[a-z]+", explanation.lower()))
    words = {word for word in re.findall(r"[a-z]+", asked.lower()) if len(word) > _SHORT}
    return bool(words - _SAY_NOTHING) and words - _SAY_NOTHING <= said


def _changed(case: Case, asked: str) -> str | None:
    """The files of this folder that changed last: no command is run for it."""
    now, rows = time.time(), []
    for name in case.listing()[:500]:
        try:
            rows.append((case.at(name).stat().st_mtime, name))
        except OSError:
            continue
    recent = [(at, name) for at, name in sorted(rows, reverse=True)[:3] if now - at < 86400]
    if not recent:
        return f"{UNKNOWN}: nothing in this folder changed within a day."
    told = ", ".join(f"{name} ({ago(now - at)})" for at, name in recent)
    return f"What changed since it last worked is not known from here; changed last in this folder: {told}."


def _did(case: Case, asked: str) -> str | None:
    if said := done(case, asked):
        return said
    if said := never_started(case):
        return said
    if _only_reads(case):
        return f"No: {_what(case)} only reads."
    return turned_away(case) or ended(case)


def _what(case: Case) -> str:
    two = f"{case.program} {case.operands[0]}" if case.operands else case.program
    return two if two in READING else case.program


def _only_reads(case: Case) -> bool:
    parts = {word.part for word in case.words}
    return len(parts) == 1 and ">" not in case.command and (case.program in READERS or _what(case) in READING)


def _again(case: Case, asked: str) -> str | None:
    from terma.risk import assess  # here: its grammar is loaded when it is wanted

    risk = assess(case.command, case.cwd)
    if risk.level != "low":
        return f"Not without a look: it {', '.join(risk.reasons) or 'changes things'} ({risk.level} risk)."
    if _only_reads(case):
        return f"Yes: {_what(case)} only reads."
    return f"{UNKNOWN}: nothing dangerous is seen in it, but what it did before it failed is not told."


def _package(case: Case, asked: str) -> str | None:
    if case.installed(case.program):
        return None
    package = package_for(case, case.program)
    return (
        f"The package {package} carries {case.program}."
        if package
        else f"{UNKNOWN}: no package is known to carry {case.program}."
    )


def _branch(case: Case, asked: str) -> str | None:
    if case.repo is None:
        return f"{UNKNOWN}: this folder is in no git repository."
    where = f"on the branch {case.repo.branch}" if case.repo.branch else "on no branch (HEAD is detached)"
    remotes = f"its remotes are {', '.join(case.repo.remotes)}" if case.repo.remotes else "it has no remote"
    return f"This repository is {where}, and {remotes}."


def _folder(case: Case, asked: str) -> str | None:
    return f"The command ran in {case.cwd}." if case.cwd else ""


Find = Callable[[Case, str], str | None]
_KINDS: tuple[tuple[str, Find], ...] = (
    (r"\bforc(?:e|ing)\b.*|\boverwrit\w+ (?:it )?(?:safe|ok)", forced),
    (r"\b(?:my|our|own)\b.*\b(?:code|file|script|fault)\b|\blibrary\b", whose_code),
    (r"somewhere else|elsewhere|other (?:folder|directory|place)|\b(?:it|file|folder|directory|path)\b.*\bexist\b|where is (?:it|the file|that file)\b|where did (?:it|the file) go", lies_elsewhere),
    (r"\bwhere am i\b|which (?:folder|directory)|what (?:folder|directory)", _folder),
    (r"\bagain\b|\bretry\b|re-?run|\brepeat|second (?:run|time|try)|safe\b", _again),
    (r"did (?:it|that|this)\b.*\b(?:do|change|write|delete|finish|work|anything|something)|half|\bpart(?:ial\w*|s)?\b|\bundo\b|anything (?:done|changed)|\b(?:has|have|did|was|were) (?:any|some|every)(?:thing|body|one)\b", _did),
    (r"^(?:and |so )?(?:did|has|have|was|were|is|are)\b.*\b(?:arriv|went|go(?:ne)? through|succe|sent|upload|push|sav|finish|complet|work(?:ed)?$|copied|install|creat|writ)\w*", arrived),
    (r"\b(?:kill|stop|end|close)\b", how_to_stop),
    (r"what (?:has |have |is |did )?chang|what.s (?:changed|different|new)|worked (?:before|yesterday)|since (?:yesterday|when)", _changed),
    (r"\bports?\b|listen|\b(?:server|service|daemon)\b.*\b(?:running|up|alive|there)\b|\b(?:who|what)\b.*\b(?:us|hold|tak|own|occup)\w*", port_of),
    (r"\b(?:who|what|which)\b.*\b(?:us|hold|lock|block|open)\w*", user_of),
    (r"\bwho\b", of_address),
    (r"\b(?:disk|space|full|room|storage|memory|ram)\b|how (?:much|many)\b.*\b(?:left|free|have|remain\w*)|\bleft\b.*\?*$", disk_space),
    (r"\bslow\w*\b|\b(?:so|how|that) long\b|\btook\b|\btake so\b", took),
    (r"\bwhere\b|which (?:line|file)|what (?:line|file)", place_of),
    (r"\b(?:is|was|could|may|might|isn.t) (?:it|this|that)\b.*|\b(?:because of|due to)\b|\b(?:problem|issue|error|fault)\s*\?*$", suspicion),
    (r"\b(?:own\w*|whose|permissions?|denied|allowed|access|writable|write|edit)\b", may_write),
    (r"\b(?:package|install\w*)\b", _package),
    (r"\b(?:branch|upstream|remotes?)\b", _branch),
    (r"\b(?:is|are|was)\b.*\b(?:missing|gone|there)\b", is_there),
)  # fmt: skip
