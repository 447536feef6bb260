"""What a fix does that nobody asked for: an option of the failed command that it loses, a danger that it adds.

A person who takes a fix expects their own command, mended. So every option stays unless the output calls it wrong, and
a fix that destroys or overwrites more than what was typed is offered only where the output itself says that command,
or the question asks for it; else it is told in words, for the person to type."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from terma.offline.explain.case import Case
from terma.offline.explain.commands import Command, commands_of
from terma.offline.explain.evidence import Weight
from terma.offline.explain.line import words_of
from terma.offline.explain.near import nearest
from terma.offline.explain.secret import given
from terma.offline.explain.subcommands import SUBCOMMANDS

_ORDER = {"low": 0, "medium": 1, "high": 2}
# What the proof judges by other means: whether root, a registry and a network are to be had.
_JUDGED_ELSEWHERE = frozenset(("root", "runs-unknown-code"))
_OVERRIDES = re.compile(
    r"--?(?:[\w-]*-)?(?:force|overwrite|destroy|delete|purge|prune|hard|clobber|insecure|unsafe|no-verify|no-check\S*|allow-(?:unauth|untrust|insecure)\S*"
    r"|ignore\S*|skip\S*|break\S*|replace|legacy\S*|yes|assume-yes|auto-approve|no-preserve-root)$"
)
_WARNED = re.compile(
    r"incorrect|broken|breaking|own risk|not recommended|dangerous|insecure|potentially", re.IGNORECASE
)
_WANTS = re.compile(
    r"\b(?:forc|overwrit|replac|delet|remov|destroy|anyway|regardless|discard)\w*", re.IGNORECASE
)
_OPEN = r"(?: (?:\.\.\.|…|<|\[))"  # what an advised line leaves to be filled in


def keeps(case: Case, fix: str, knows: bool) -> bool:
    """Whether the failed command's options live on in `fix`. `knows`: a rule that knows the program changes them."""
    mine = _failed(case)
    version = _version(case, mine, fix)
    if mine is None or version is None or is_advised(case, version):
        return True
    secrets = {word.value for word in given(case)}
    lost = [
        word
        for word in _lost(mine, version)
        if word.startswith("-") and len(word) > 1 and not case.exists(word) and word not in secrets
    ]
    added = [word for word in _lost(version, mine) if word.startswith("-")]
    unexplained = [word for word in lost if not _is_named_wrong(case, word) and not nearest(word, added, 1)]
    if not knows:
        return not unexplained
    kept = {word.value for word in words_of(fix)}
    return len(unexplained) <= 1 and all(_value_stays(mine, kept, word, added) for word in unexplained)


def danger_of(case: Case, fix: str) -> str:
    """What `fix` does beyond what was asked for, in words; "" where nothing."""
    if case.failure.question and _WANTS.search(case.failure.question):
        return ""
    mine = _failed(case)
    version = _version(case, mine, fix)
    for command in commands_of(fix, case.failure.shell):
        text = fix[command.start : command.end]
        if command == version and mine is not None and _is_reworded(case, mine, version):
            continue
        said = _raised(case, text) or _override(case, mine, command)
        fine = is_advised(case, command) or _is_mend(case, command) or _is_asked_for(case, mine, command)
        if said and not fine:
            return said
    return ""


def _is_asked_for(case: Case, mine: Command | None, command: Command) -> bool:
    """Whether this is the failed command with one option more, and the output names that option and no other."""
    if mine is None or mine.program != command.program:
        return False
    added, gone = _lost(command, mine), _lost(mine, command)
    if gone or len(added) != 1 or not added[0].startswith("-"):
        return False
    told = " ".join(case.evidence.lines[index] for index in case.evidence.decisive[:2])
    return set(re.findall(r"(?<![\w-])--?[A-Za-z][\w-]*", told)) == {added[0]} and not _is_warned_of(
        case, added[0]
    )


def is_advised(case: Case, command: Command) -> bool:
    """Whether the output says this very command, or one that leaves its end open (`git pull ...`)."""
    told = re.sub(r"[`'‘’\"“”]", "", re.sub(r"\s+", " ", case.evidence.flat))
    words = [word.strip("'\"") for word in command.words]
    if len(words) < 2:
        return False
    whole = re.escape(" ".join(words))
    if re.search(rf"(?<![\w/-]){whole}(?![\w/-])", told):
        return not _is_warned_of(case, " ".join(words))
    begun = re.escape(" ".join(words[:2]))
    return bool(re.search(rf"(?<![\w/-]){begun}{_OPEN}", told)) and not any(
        _OVERRIDES.match(word) for word in words
    )


def with_context(case: Case, fix: str) -> str:
    """`fix` with the options that stand between the failed program and its subcommand (`git -C dir`) put into each
    command of the same program that lacks them: they say where it works."""
    mine = _failed(case)
    known = SUBCOMMANDS.get(case.program, "").split()
    if mine is None or not known or len(mine.words) < 3 or not mine.words[1].startswith("-"):
        return fix
    at = next((index for index, word in enumerate(mine.words) if index and word in known), 0)
    context = mine.words[1:at]
    if not context or any(
        "=" in word and not word.startswith("-") for word in context
    ):  # a setting, no place
        return fix
    raw = [word for word in case.arguments[: len(context)] if word.value in context]
    text = case.command[raw[0].start : raw[-1].end] if raw else ""
    out = fix
    for command in reversed(commands_of(fix, case.failure.shell)):
        if (
            command.program == mine.program
            and len(command.words) > 1
            and not set(context) & {part for word in command.words for part in (word, word.partition("=")[0])}
        ):
            place = out.find(command.words[0], command.start) + len(command.words[0])
            out = f"{out[:place]} {text}{out[place:]}"
    return out


def _failed(case: Case) -> Command | None:
    """The simple command that failed."""
    mine = [word for word in case.words if word.part == case.part]
    for command in commands_of(case.command, case.failure.shell):
        if mine and command.words and command.start <= mine[-1].start < command.end:
            return command
    return None


def _version(case: Case, mine: Command | None, fix: str) -> Command | None:
    """The command of `fix` that is the failed one, changed; None where the fix is another step altogether."""
    if mine is None or not mine.words:
        return None
    best, most = None, 0
    for command in commands_of(fix, case.failure.shell):
        shared = sum((Counter(command.words[1:]) & Counter(mine.words[1:])).values())
        same = command.program == mine.program
        slip = any(nearest(word, command.words[1:], 1) for word in mine.words[1:])
        if not shared and not slip and len(mine.words) != len(command.words):
            continue  # `npm install` for `npm run build`
        score = 2 * same + shared
        if score > most and (same or shared):
            best, most = command, score
    return best


def _lost(mine: Command, other: Command) -> list[str]:
    """The words of `mine` that `other` lacks; a letter lives on in a cluster of letters."""
    gone = list((Counter(mine.words[1:]) - Counter(other.words[1:])).elements())
    joined = {word.partition("=")[0] for word in other.words[1:] if "=" in word}
    gone = [word for word in gone if word not in joined]
    clusters = "".join(word[1:] for word in other.words[1:] if re.fullmatch(r"-[A-Za-z]+", word))
    return [
        word
        for word in gone
        if not (re.fullmatch(r"-[A-Za-z]{1,4}", word) and set(word[1:]) <= set(clusters))
    ]


def _is_named_wrong(case: Case, option: str) -> bool:
    """Whether a line that tells the failure names this option; a letter of a cluster as getopt writes it."""
    name = option.partition("=")[0]
    letters = re.escape(name.lstrip("-")) if len(name.lstrip("-")) <= 2 else ""
    alone = rf"(?:option|flag|switch|argument)s?\b[^\n]{{0,12}}(?:-- )?['‘`\"]?-?(?:{letters or 'never'})\b"
    dashed = rf"(?<![\w-]){re.escape(name)}(?![\w-])"
    cluster = rf"(?:option|flag)\b[^\n]{{0,12}}['‘`\"]-?([{re.escape(name[1:])}])['’`\"]"
    for line, weight in zip(case.evidence.lines, case.evidence.weights, strict=True):
        if weight >= Weight.NOTE and (
            re.search(dashed, line)
            or (letters and re.search(alone, line))
            or (re.fullmatch(r"-\w{2,5}", name) and re.search(cluster, line))
        ):
            return True
    return False


def _value_stays(mine: Command, kept: set[str], option: str, added: Sequence[str]) -> bool:
    """Whether only the option is exchanged: what stood behind it is there still, or it had no value and another option
    has its place."""
    at = mine.words.index(option)
    value = mine.words[at + 1] if at + 1 < len(mine.words) else ""
    if not value or value.startswith("-"):
        return len(added) == 1
    return value in kept


def _is_reworded(case: Case, mine: Command, version: Command) -> bool:
    """Whether the fix says what was typed: the same letters, or a wrong word exchanged for the right one."""
    if re.sub(r"[\s=-]", "", " ".join(mine.words)) == re.sub(r"[\s=-]", "", " ".join(version.words)):
        return True
    if len(mine.words) != len(version.words):
        return False
    changed = [(old, new) for old, new in zip(mine.words, version.words, strict=True) if old != new]
    if sorted(mine.words) == sorted(version.words):
        return True
    if len(changed) != 1:
        return False
    old, new = changed[0]
    return not new.startswith("-") or bool(nearest(old, [new], 1))


def _raised(case: Case, text: str) -> str:
    """What makes one command of the fix more dangerous than the whole line that failed."""
    from terma.risk.judge import judge  # here: its grammar is loaded when it is wanted

    before: dict[str, int] = {}
    for finding in judge(case.command, case.cwd, case.failure.shell):
        before[finding.kind] = max(before.get(finding.kind, 0), _ORDER[finding.level])
    for finding in judge(text, case.cwd, case.failure.shell):
        if _ORDER[finding.level] > before.get(finding.kind, 0) and finding.kind not in _JUDGED_ELSEWHERE:
            return finding.said
    return ""


def _override(case: Case, mine: Command | None, command: Command) -> str:
    """An added option that makes a program go on where it stopped, and that the output does not name."""
    typed = mine.words if mine else ()
    for at, word in enumerate(command.words[1:], 1):
        following = command.words[at + 1 : at + 2]
        forced = word == "-f" and (not following or following[0] in typed)
        if word in typed or not (forced or _OVERRIDES.match(word)):
            continue
        if not _is_named_wrong(case, word) or _is_warned_of(case, word):
            return f"{word} overrides what stopped it"
    return ""


def _is_warned_of(case: Case, words: str) -> bool:
    """Whether the output names `words` and says itself that they do harm."""
    lines = case.evidence.lines
    return any(
        words in line.replace("'", "").replace('"', "") and _WARNED.search(" ".join(lines[index : index + 2]))
        for index, line in enumerate(lines)
    )


def _is_mend(case: Case, command: Command) -> bool:
    """Whether this edits lines of one file of the person, by sed: what it changes was read in that file."""
    return command.program == "sed" and "-i" in command.words and len(command.words) == 4
