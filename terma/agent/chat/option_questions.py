"""Questions about a program's options: what one does, how two differ, which one does this. Read off terma's own texts
and this machine's; where neither says it, that is what is said."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from math import log

from terma.agent.chat.unanswered import and_the_rest, beside, norms
from terma.machine.options import options
from terma.machine.programs import where
from terma.offline.lexicon import LIGHT, STOP
from terma.offline.sentence import Sentence
from terma.offline.trust.association import Association
from terma.pieces import Asked, explain
from terma.pieces.sources import Source
from terma.text import one_line
from terma.types import Query

A_VALUE = "…"  # where an option takes one
MAX_OPTIONS = 3  # options that are shown for one question
_WORD = re.compile(r"[^\s\"'`?,;:!()]+(?:=[^\s\"'`?,;!()]*)?")
_OPTION = re.compile(r"--?[A-Za-z0-9#@][\w-]*(?:=\S*)?")
_NAME = re.compile(r"[a-zA-Z0-9][\w.+-]*")
_ASKS = re.compile(
    r"(?i)\?\s*$|^\W*(?:what|which|how|does|do|is|are|can|explain|describe|tell me|show me|compare|meaning)\b"
    r"|\b(?:mean(?:s|ing)?|stands? for|difference|versus|vs|options?|flags?|switch(?:es)?)\b"
)
_OF_A_FAILURE = re.compile(r"(?i)\b(?:why|fail\w*|error|wrong|broke\w*|doesn't work|not work\w*)\b")
_NOUNS = frozenset(
    "option options flag flags switch switches argument arguments parameter parameters".split()
)
_NAMES_NEXT = frozenset(
    "of in with for using make get tell have force let ask does can command program".split()
)
_SAYS_LITTLE = frozenset(
    "make get tell have force let ask use do want need way thing command program mean".split()
)
_OF_DEFAULT = re.compile(r"(?i)^\W*(?:(?:and|so|but|ok)\s+)*(?:how\s+)?(?:does|is|will|would)\b")


@dataclass(frozen=True, slots=True)
class _Named:
    """A program or subcommand in the question: its words, where they end, and how plainly it is meant."""

    words: tuple[str, ...]
    end: int
    plain: int


def answered(question: str, query: Query) -> str:
    """Markdown; "" where the question is none of these. Blocks for some milliseconds, the first time with a page that
    was never read up to half a second."""
    if not _ASKS.search(question) or _OF_A_FAILURE.search(question):
        return ""
    words = [match.group().rstrip(".") for match in _WORD.finditer(question)]
    named = list(_named(words, query))
    if not named:
        return ""
    asked = [n for n, word in enumerate(words) if _OPTION.fullmatch(word)]
    rest = beside(words, {*asked, *(one.end for one in named)}, _NOUNS | _SAYS_LITTLE)
    if asked:
        return and_the_rest(_what_they_do(words, asked, named, query), rest)
    if told := _letters(words, named, query):
        return and_the_rest(told, rest)
    best = max(named, key=lambda one: one.plain)
    about_options = not _NOUNS.isdisjoint(word.lower() for word in words)
    if not best.plain:
        return ""
    told = _which_does(question, best, query, about_options=about_options)
    if told and not about_options and _OF_DEFAULT.search(question):
        return f"What it does without an option is not told here. What options say of that:\n\n{told}"
    return told


def _named(words: list[str], query: Query) -> Iterable[_Named]:
    at = 0
    while at < len(words):
        source = _source((words[at],), query)
        if source is None:
            at += 1
            continue
        end, said = at + 1, source.words
        while end < len(words) and (child := source.child(words[end])):
            source, said, end = child, child.words, end + 1
        behind = words[end] if end < len(words) else ""
        before = words[at - 1].lower() if at else ""
        plain = 2 * bool(_OPTION.fullmatch(behind))
        if words[at].lower() not in STOP:  # "which option", "is there": no programs there
            plain += 2 * (behind.lower() in _NOUNS | {"command", "program"})
            plain += (len(said) > 1) + (before in _NAMES_NEXT)
        yield _Named(said, end, plain)
        at = end


def _source(words: tuple[str, ...], query: Query) -> Source | None:
    """Who knows the program; None where there is none of that name."""
    if not _NAME.fullmatch(words[0]):
        return None
    file = where(words[0], query.path, query.cwd or "/")
    source = Source(words, file)
    return source if source.ours or file else None


def _what_they_do(words: list[str], asked: list[int], named: list[_Named], query: Query) -> str:
    rows: list[str] = []
    for program, given in _by_program(words, asked, named):
        line = " ".join((*program, *(f"{option} {A_VALUE}" for option in given)))
        told = explain(Asked(line, query.shell, query.path, query.cwd or "/"))
        about = [piece for piece in told.pieces if piece.kind == "option"]
        for piece in about:
            says = piece.says or _not_known(program, piece.text, query)
            rows.append(f"- `{' '.join(program)} {one_line(piece.text)}`: {says}")
    return "\n".join(dict.fromkeys(rows))


def _letters(words: list[str], named: list[_Named], query: Query) -> str:
    """Of letters without a dash, as in `tar xjf` and `ps aux`, the one that the question names, else all."""
    for program in named:
        cluster = words[program.end] if program.end < len(words) else ""
        if not re.fullmatch(r"[A-Za-z]{2,6}", cluster) or cluster in STOP | LIGHT:
            continue
        told = explain(Asked(" ".join((*program.words, cluster)), query.shell, query.path, query.cwd or "/"))
        letters = [
            piece for piece in told.pieces if piece.kind == "option" and piece.says and len(piece.text) == 1
        ]
        if len(letters) == len(cluster):
            asked = [piece for piece in letters if piece.text in words] or letters
            return "\n".join(f"- `{' '.join(program.words)} {piece.text}`: {piece.says}" for piece in asked)
    return ""


def _by_program(
    words: list[str], asked: list[int], named: list[_Named]
) -> Iterable[tuple[tuple[str, ...], list[str]]]:
    """The options by the program that each stands behind, else by the one that is meant most plainly."""
    plainest = max(named, key=lambda one: one.plain)
    found: dict[tuple[str, ...], list[str]] = {}
    for at in asked:
        start = at
        while start - 1 in asked:
            start -= 1
        own = next((one for one in named if one.end == start), plainest)
        found.setdefault(own.words, []).append(words[at])
    return found.items()


def _not_known(program: tuple[str, ...], option: str, query: Query) -> str:
    file = where(program[0], query.path, query.cwd or "/")
    here = options(program[0], file, program[1:])
    name = option.partition("=")[0]
    if here and here.sure and not _has(name, here.long | here.dashed, here.letters):
        return f"`{' '.join(program)}` has no such option here"
    return f"nothing here says what it does; `man {'-'.join(program)}` may"


def _has(name: str, spelled: frozenset[str], letters: frozenset[str]) -> bool:
    return name in spelled or name.lstrip("-") in letters or name in letters


def _which_does(question: str, named: _Named, query: Query, *, about_options: bool) -> str:
    """The options whose texts say most of what is wanted. Not `about_options`: only where all of it is said, since a
    whole command may be meant."""
    source = _source(named.words[:1], query)
    for word in named.words[1:]:
        source = source.child(word) if source else None
    sentence = Sentence.parse(question)
    wanted = {
        token.norm
        for token in sentence.tokens
        if not (token.stop or token.norm in LIGHT | _SAYS_LITTLE or token.text in named.words)
        and token.text.lower() not in _NOUNS
    }
    values = any(token.kind not in ("word", "ident") for token in sentence.tokens)
    if source is None or not wanted or (values and not about_options):
        return ""
    texts = _texts(source)
    evidence = _evidence(wanted, texts, named.words, source)
    most = {word: max((one[word] for one in evidence.values()), default=0.0) for word in wanted}
    whole = sum(
        value or log(2 * len(texts) + 2) for value in most.values()
    )  # unmet: as telling as the rarest word
    share = {text: sum(one.values()) / whole for text, one in evidence.items()}
    best = max(share.values(), default=0.0)
    program = " ".join(named.words)
    if best < (0.5 if about_options else 1.0):  # half of what is wanted, or all
        return (
            f"Nothing that is known here of `{program}` speaks of that; `man {program.replace(' ', '-')}` may."
            * (about_options and bool(texts))
        )
    least = best if best == 1 else 0.5
    found = sorted((text for text in share if share[text] >= least), key=lambda text: -share[text])
    return "\n".join(f"- `{program} {', '.join(texts[text])}`: {text}" for text in found[:MAX_OPTIONS])


def _texts(source: Source) -> dict[str, list[str]]:
    """What is said of options, each with the names of the options that it is said of."""
    names = {*(source.ours.options if source.ours else ()), *source.theirs.options}
    found: dict[str, list[str]] = {}
    for name in sorted(names, key=lambda one: (len(one), one)):
        option = source.option(name)
        says = one_line(option.of(A_VALUE if option.takes else None)) if option else ""
        if says and name.startswith("-"):
            found.setdefault(says, []).append(name)
    return found


def _evidence(
    wanted: Iterable[str], texts: dict[str, list[str]], program: tuple[str, ...], source: Source
) -> dict[str, dict[str, float]]:
    """Of each text that has one of the words how much each speaks for it, in nats: by standing in few of the texts, and
    by what people mean who say it."""
    told = {
        text: norms(" ".join((" ".join(names).replace("-", " "), text, *_theirs(source, names))))
        for text, names in texts.items()
    }
    rare = {
        word: log((len(told) + 1) / (sum(word in said for said in told.values()) + 0.5)) for word in wanted
    }
    return {
        text: {
            word: rare[word] * (word in said) + _goes_with(word, program[0], texts[text]) for word in wanted
        }
        for text, said in told.items()
        if not said.isdisjoint(wanted)  # people's words alone tell which are said together, not what is meant
    }


def _goes_with(word: str, program: str, names: list[str]) -> float:
    """Log odds that who says the word means the option; 0 where they are against it, or unknown."""
    said = [token for name in names if (token := f"{program} {name}") in _association().tokens]
    return max(0.0, _association().fit(word, said) or 0.0) if said else 0.0


@cache
def _association() -> Association:
    return Association.load()


def _theirs(source: Source, names: list[str]) -> Iterable[str]:
    """What this machine's texts say of the options, in whose words they may be asked for."""
    return (source.theirs.options[name].says for name in names if name in source.theirs.options)
