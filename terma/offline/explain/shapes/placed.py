"""Words in each other's place: a value where an operand belongs, an option behind what it should stand before."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator

from terma.offline.explain.case import Case
from terma.offline.explain.finding import Finding
from terma.offline.explain.line import Word
from terma.offline.explain.lookups import groups, users
from terma.offline.explain.shapes.told import (
    URL,
    exchanged,
    moved,
    named,
    pairs,
    told,
    without,
    without_words,
)
from terma.offline.explain.subcommands import SUBCOMMANDS

_REFUSED = re.compile(
    r"invalid|\bbad\b|not a (?:valid )?(?:number|integer|mode)|fail\w* to parse|illegal|no such user"
    r"|unknown user|unrecognized|not an? \w+|must be",
    re.IGNORECASE,
)
_SYNTAX = re.compile(
    r"syntax|is not defined|unterminated|compile error|unknown command|parse error|near \"", re.IGNORECASE
)
# The option itself is wrong, and not what stands behind it.
_OPTION = re.compile(
    r"(?:unrecogni[sz]ed|unknown|no such|unexpected) (?:arguments?|options?|flags?):? .?-", re.IGNORECASE
)
# What a line says that it wanted, and how such a value looks.
_WANTED: tuple[tuple[str, str], ...] = (
    (r"mode\b", r"[0-7]{3,4}|[ugoa]*[-+=][rwxXst]+"),
    (r"port", r"\d{1,5}"),
    (r"interval|duration|timeout|seconds|delay", r"\d+(?:\.\d+)?[smhd]?"),
    (r"(?<!magic )number|integer|count|lines|bytes|columns|width|level|depth|limit|priority|argument|adjustment",
     r"[-+]?\d+(?:\.\d+)?[kKMGT]?"),
)  # fmt: skip


def swapped(case: Case) -> Iterator[Finding]:
    """Two words in each other's place, where what is on the disk or how a value looks tells which is which."""
    yield from _value_elsewhere(case)
    yield from _owner(case)
    yield from _file_and_text(case)
    yield from _target_and_source(case)


def displaced(case: Case) -> Iterator[Finding]:
    """A word that an option took for its value, and options that the program wants before the operands."""
    yield from _behind_cluster(case)
    yield from _swallowed(case)
    yield from _options_first(case)


def _wrong(case: Case) -> Iterator[Word]:
    """The words that a line which tells the failure refuses."""
    lines = [line for line in told(case).splitlines() if _REFUSED.search(line)]
    for word in case.arguments:
        if any(re.search(rf"(?<![\w/-]){re.escape(word.value)}(?![\w/-])", line) for line in lines):
            yield word


def _looks(case: Case) -> str:
    """How the value looks that the output wanted; "" when it does not say."""
    refused = " ".join(line for line in without_words(case).splitlines() if _REFUSED.search(line))
    return next((look for noun, look in _WANTED if re.search(noun, refused, re.IGNORECASE)), "")


def _value_elsewhere(case: Case) -> Iterator[Finding]:
    """`ssh -p user@host 22`, `chmod script.sh +x`: the value stands where the operand belongs."""
    look = _looks(case)
    if _OPTION.search(told(case)):
        return
    for word in _wrong(case):
        if not look or re.fullmatch(look, word.value) or word.value.startswith("-"):
            continue
        other = [
            one
            for one in case.arguments
            if re.fullmatch(look, one.value)
            and one is not word
            and not case.exists(one.value)
            and not re.fullmatch(r"-\d", one.value)
        ]
        if len(other) == 1 and _has_a_place(case, word):
            yield Finding(
                f"{other[0].value} and {word.value} stand in each other's place.",
                exchanged(case, word, other[0]),
            )


def _has_a_place(case: Case, word: Word) -> bool:
    """Whether `word` is plainly something else than a value: a file, a host, or an operand that an option took."""
    behind = any(value is word for _, value in pairs(case.arguments))
    return behind or "@" in word.value or case.exists(word.value) or _is_host(case, word.value)


def _owner(case: Case) -> Iterator[Finding]:
    """`chown data/ ann:ann`: the file stands where the owner belongs."""
    if not re.search(r"invalid (?:user|group|owner|spec)", case.low):
        return
    known = {*users(case), *groups(case)}
    for word in _wrong(case):
        other = [
            one
            for one in case.arguments
            if one is not word
            and not one.value.startswith("-")
            and set(re.split(r"[:.]", one.value.strip(":."))) <= known
        ]
        if case.exists(word.value) and len(other) == 1:
            yield Finding(
                f"{other[0].value} is the owner, and {word.value} the file.", exchanged(case, word, other[0])
            )


def _plain(case: Case) -> list[Word]:
    """The operands: neither options nor, as far as it shows, what stands behind one."""
    values = {
        id(value)
        for option, value in pairs(case.arguments)
        if re.fullmatch(r"-\w", option.value) and option.value[1] in "nckpotdfFmsu"
    }
    return [word for word in case.arguments if not word.value.startswith("-") and id(word) not in values]


def _holds(case: Case, name: str) -> bool:
    """Whether `name` is a file with something in it: a program may have made an empty one by mistake."""
    return case.exists(name) and (case.is_dir(name) or bool(case.bytes_of(name, 1)))


def _file_and_text(case: Case) -> Iterator[Finding]:
    """`jq data.json .name`, `sqlite3 'select 1' app.db`: a file was read as a text of the program's language."""
    words = _plain(case)
    if len(words) != 2 or not _SYNTAX.search(told(case)) or (case.shell_spoke and "sh: " in case.output):
        return
    here = [word for word in words if _holds(case, word.value)]
    if len(here) != 1:
        return
    other = next(word for word in words if word is not here[0])
    stem = re.split(r"[./]", here[0].value)[0]
    if (
        named(case, here[0].value)
        or re.search(rf"\b{re.escape(stem)}/0\b|near \"{re.escape(stem)}\"", told(case))
    ) and not re.fullmatch(r"[\w/-]+\.\w+", other.value):
        yield Finding(
            f"{here[0].value} is the file, and stands where the text belongs.", exchanged(case, *words)
        )


def _target_and_source(case: Case) -> Iterator[Finding]:
    """`tar czf src backup.tgz`: what is there was to be written, and what is to be made was to be read."""
    words = [word for word in case.arguments if not re.fullmatch(r"-.*", word.value)]
    if len(words) not in (2, 3) or not re.search(r"is a directory|cannot stat|cowardly", case.low):
        return
    first, last = words[-2], words[-1]
    if case.is_dir(first.value) and named(case, first.value) and not case.exists(last.value):
        archive = re.search(r"\.(?:tar|tgz|txz|tbz2?|zip|gz|xz|bz2|7z|zst|iso)(?:\.\w+)?$", last.value)
        if archive and "directory" in case.low:
            yield Finding(f"{last.value} is to be made of {first.value}.", exchanged(case, first, last))


def _behind_cluster(case: Case) -> Iterator[Finding]:
    """`tar -xvf -C out app.tar`: an option that wants a file got the next option instead."""
    words = case.arguments
    for at, (before, word) in enumerate(itertools.pairwise(words)):
        if not re.fullmatch(r"-\w+", before.value) or not re.fullmatch(r"-{1,2}\w[\w-]*", word.value):
            continue
        quoted = re.search(
            rf"{re.escape(word.value)}['’]?: (?:cannot |no such|.{{0,20}}open)", told(case), re.IGNORECASE
        )
        files = [one for one in words[at + 2 :] if case.exists(one.value) and not case.is_dir(one.value)]
        if quoted and len(files) == 1 and files[0] is words[-1]:
            yield Finding(f"{before.value} wants its file right behind it.", moved(case, [files[0]], word))


def _swallowed(case: Case) -> Iterator[Finding]:
    """`head -n data.txt`: the option took the operand for its value; without the option the operand stands again."""
    wrong = list(_wrong(case))
    missing = re.search(r"(?:missing|no) (?:url|file|host|operand)", told(case), re.IGNORECASE)
    for option, value in pairs(case.arguments):
        if not re.fullmatch(r"-\w{1,4}", option.value):
            continue
        lost = (
            missing
            and URL.match(value.value)
            and not [w for w in case.operands if w != value.value and URL.match(w)]
        )
        if lost and option.value == "-o":
            yield Finding(
                "-o took the address for the file's name; -O keeps the name that it has there.",
                case.command[: option.start] + "-O" + case.command[option.end :],
            )
            return
        refused = (
            value in wrong
            and _looks(case)
            and (
                case.exists(value.value)
                or (case.installed(value.value) and not any(map(case.exists, case.operands)))
                or _is_host(case, value.value)
            )
        )
        if refused or lost:
            kept = option.value[:-1] if len(option.value) > 2 else ""
            fix = (
                case.command[: option.start] + kept + case.command[option.end :]
                if kept
                else without(case, option)
            )
            yield Finding(f"{option.value} took {value.value} for its value.", fix)
            return


def _is_host(case: Case, name: str) -> bool:
    return name == "localhost" or (
        bool(re.fullmatch(r"(?:[\w-]+\.)+[a-z]{2,}|\d+(?:\.\d+){3}", name)) and not case.exists(name)
    )


def _options_first(case: Case) -> Iterator[Finding]:
    """`scp a host: -P 22`, `gpg --encrypt a -r ann`: options that this program wants before the operands."""
    words = case.arguments
    first = next((word for word in words if not word.value.startswith("-")), None)
    if first is None or first.value in SUBCOMMANDS.get(case.program, "").split():
        return
    if re.search(rf"(?<!\S){re.escape(case.program)} {re.escape(first.value)}\b", case.output):
        return  # a subcommand
    behind = [at for at, word in enumerate(words) if word.start > first.start]
    late = [at for at in behind if re.fullmatch(r"-{1,2}\w[\w-]*", words[at].value)]
    before = (word.value.partition("=")[0] for word in words if word.start < first.start)
    if any(named(case, name) for name in before):
        return  # it is that one which is wrong
    if len(late) != 1 or ("usage" not in case.low and not named(case, words[late[0]].value)):
        return
    tail = list(words[late[0] :])
    usage = re.search(r"(?i)usage:?[^\n]*\[(?:options?|-)[^\n]*\b(?:\w+)", case.output)
    read = re.search(
        rf"{re.escape(tail[0].value)}['’]?: no such file",
        case.low.replace(tail[0].value.lower(), tail[0].value),
    )
    if len(tail) == 2 and not case.exists(tail[1].value) and (usage or read):
        yield Finding(f"{case.program} wants its options before the operands.", moved(case, tail, first))
