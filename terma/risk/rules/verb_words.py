"""The verb in a word or an option of a program that nobody here knows, however the word is joined: `db:drop`,
`service-instance-delete`, `ecto.drop`, `rmpool`, `--delete-by-query`."""

from __future__ import annotations

from collections.abc import Container, Iterator
from itertools import pairwise
from typing import Literal

from terma import regex as re
from terma.risk.model import Call, Finding

WORD = re.compile(r"[A-Za-z][A-Za-z0-9]*(?:[-_:.][A-Za-z0-9]+)*")
PIECES = re.compile(r"[-_:.]+|(?<=[a-z])(?=[A-Z])")
_NEGATED = {"no", "not", "never", "dont", "without", "skip", "keep", "non"}
_LOOKS = {"get", "list", "describe", "show", "is", "has", "can", "check", "view", "find"}
_LONG_ENOUGH = 4  # letters of a verb behind a dot: `mplayer film.rm`
_OF_SETTINGS = frozenset(
    "cfg config configuration settings data log logs cache history state nvram bios eeprom flash keys rules".split()
)
_NOTHING = frozenset("false no 0 none never off".split())
# Options of what only pretends, or whose verb is of the output: `--remove-prefix`, `--drop-empty`.
_LOSES = frozenset("delete destroy purge wipe erase nuke drop prune".split())
_LOSES_MUCH = frozenset("destroy wipe purge erase nuke prune expire delete reset".split())
_LOSES_THINGS = _LOSES_MUCH | {"remove", "clear", "drop", "uninstall", "revoke", "forget"}
_OF_OUTPUT = frozenset(
    "prefix suffix header headers footer empty blank whitespace spaces space newline newlines newer duplicates dups "
    "color colors colour ansi comments comment quotes column columns field fields nulls na signal timeout on source "
    "attachments orphans imports unused lines tags author password cache style styles screen margin".split()
)
_FOR_REAL = frozenset(
    "--doit --do-it --for-real --really --no-dry-run --no-dryrun --no-test --full-refresh".split()
)
_ALL_OF = frozenset(
    "all by everything existing old older data database databases files source sources volumes before after target "
    "extra extraneous missing remote unmatched untracked".split()
)
_SURE = re.compile(
    r"--(?:yes-i-\w[\w-]*|i-(?:am|know|really|understand|accept|want)\b[\w-]*|accept-data-loss|really-\w[\w-]*"
    r"|allow-(?:destroy|destructive|delet\w+|data-loss)[\w-]*|force-(?:destroy|delete|remove|wipe|format|erase)(?:-\w+)*)"
)
_GUARD_OFF = re.compile(
    r"--(?:unsafe|dangerous(?:ly)?\b[\w-]*|disable-safety[\w-]*|ignore-safety[\w-]*|no-safety[\w-]*)"
)
_OVER = re.compile(r"--(?:overwrite|clobber)(?:-[\w-]+)?")


def pieces_of(word: str) -> list[str]:
    """The words that `word` is joined of, in small letters."""
    return [piece.lower() for piece in PIECES.split(word.strip("-_:."))]


def verb_in(word: str, verbs: Container[str], nouns: set[str]) -> tuple[str, str]:
    """The one of `verbs` that `word` says: its first piece, its last, or one that is glued to one of `nouns`, which is
    given with it. Both are "" where there is none."""
    pieces = pieces_of(word)
    if not _NEGATED.isdisjoint(pieces) or (len(pieces) > 1 and pieces[0] in _LOOKS):
        return "", ""
    if pieces[0] in verbs and "." not in word:  # `delete.txt` is the name of a file
        return pieces[0], ""
    spaced = re.search(r":([A-Za-z]+)[-_]", word)
    if spaced and spaced[1].lower() in verbs:  # `store:delete_old_content`
        return spaced[1].lower(), ""
    last = pieces[-1]
    if last in verbs and (word[-len(last) - 1 :][:1] != "." or len(last) >= _LONG_ENOUGH):
        return last, ""
    return glued(pieces[0], verbs, nouns) if len(pieces) == 1 else ("", "")


def glued(word: str, verbs: Container[str], nouns: Container[str]) -> tuple[str, str]:
    """`rmpool`, `racresetcfg`: the verb in front of a noun without anything between; twice "" where there is none."""
    for start in range(len(word)):
        for end in range(start + (2 if start == 0 else 5), len(word) - 1):
            if word[start:end] in verbs and (word[end:] in nouns or word[end:] in _OF_SETTINGS):
                return word[start:end], word[end:]
    return "", ""


def first_words(call: Call, operands: list[str]) -> tuple[list[str], list[str]]:
    """The words of the tool itself, without those that stand behind an option and with them: behind a name, a path, a
    number comes no noun of its own, unless that may be what the option in front of it takes."""
    values = {
        word.text for option, word in pairwise(call.args) if option.text[:1] == "-" and "=" not in option.text
    }
    words: list[str] = []
    for text in operands:
        if WORD.fullmatch(text):
            words.append(text)
        elif text not in values:
            break
    return [text for text in words if text not in values], words


def of_options(texts: list[str], nouns: set[str]) -> Iterator[Finding]:
    """What long options say by themselves: that much is lost, that a guard is off, that the person is sure."""
    for text in texts:
        name, equals, value = text.partition("=")
        if not name.startswith("--") or (equals and value.lower() in _NOTHING):
            continue
        verb, *rest = pieces_of(name[2:])
        if _SURE.fullmatch(name):
            yield Finding("high", "asks no more, where the program itself warns", "deletes")
        elif verb in _LOSES and rest and (rest[0] in nouns or rest[0] in _ALL_OF):
            yield Finding("high", "deletes, with no way back", "deletes")
        elif rest and (
            (verb in _LOSES_MUCH and rest[0] not in _OF_OUTPUT)
            or (verb in _LOSES_THINGS and (rest[0] in nouns or rest[-1] in _LOSES_MUCH))
        ):
            yield Finding("medium", "deletes", "deletes")
        elif name in _FOR_REAL and not equals:
            yield Finding("medium", "does what it would only say otherwise", "changes")
        elif _OVER.fullmatch(name):
            level: Literal["medium", "high"] = "high" if not nouns.isdisjoint(texts) else "medium"
            yield Finding(level, "overwrites what is there", "overwrites")
        elif _GUARD_OFF.fullmatch(name):
            yield Finding("medium", "switches a guard of the program off", "changes")
