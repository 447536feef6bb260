"""A wish that no table holds: the engine reads it with the command as one sentence (`git log by anna`), and what its
answer has beside the command is the change."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from terma import regex as re
from terma.offline.cases.grafts import head_length
from terma.offline.edits.find_tests import tests_end
from terma.offline.edits.learned import Read
from terma.offline.edits.pipelines import pipeline
from terma.offline.edits.wishes import BESIDE
from terma.offline.trust.command import harm
from terma.offline.trust.programs import VALUED
from terma.shell_syntax import nodes as tree
from terma.types import Candidate

ENOUGH = (
    0.4  # how sure the engine has to be of a line that keeps the whole command and only looks, as that does
)
FEW = 3  # words that such a line has beside the command
_CLUSTER = re.compile(r"-[A-Za-z0-9]+")
_PLAIN = re.compile(r"[\w./:@%+=,*-]+")
_SHOWS = frozenset(("cat",))  # what it prints is its operands' own text: who reads those does the same


@dataclass(frozen=True, slots=True)
class Base:
    """The command on the line: `head` words are its program and subcommand; no `sudo` stands before them."""

    text: str
    words: tuple[tree.Word, ...]
    head: int

    @property
    def texts(self) -> list[str]:
        return [word.text for word in self.words]

    @property
    def operands(self) -> list[str]:
        """Its head and operands, without options and their values; of `find` the folders alone."""
        texts = self.texts
        valued = VALUED.get(texts[0], frozenset())
        found = texts[: self.head]
        skip = False
        for text in texts[self.head :]:
            if text.startswith("-") and texts[0] == "find":
                break
            if not skip and not text.startswith("-"):
                found.append(text)
            skip = not skip and text in valued
        return found


def composed(command: str, wish: str, reads: Callable[[str], Read]) -> str:
    """The command with the change that the engine reads from the wish; "" where it reads none for certain."""
    base = base_of(command)
    if base is None:
        return ""
    for kept in _readings(base):
        sure, near = reads(" ".join((*kept, wish)))
        beside = not BESIDE.isdisjoint(wish.lower().split())
        found = [made for one in sure if (made := _changed(base, kept, one, beside))]
        for one in near:
            made = _changed(base, kept, one, beside) if one.score >= ENOUGH else ""
            if made and harm(made) == harm(command) == "look":
                found.append(made)
        if found:  # and of one that does more than another of them, that other
            most = _pieces(found[0])
            made = min((one for one in found if _pieces(one) <= most), key=len)
            sure_of_it = any(made == _changed(base, kept, one, beside) for one in sure)
            return made if sure_of_it or _is_little(_pieces(made) - _pieces(command)) else ""
    return ""


def _is_little(added: set[str]) -> bool:
    """Whether it is one thing: an option with its value, or a filter."""
    return len(added) <= FEW and sum(bool(_CLUSTER.fullmatch(one)) for one in added) < 2


def _pieces(command: str) -> set[str]:
    """The words of a command, letters one by one."""
    return {
        piece
        for text in command.split()
        for piece in ([f"-{one}" for one in text[1:]] if _CLUSTER.fullmatch(text) else [text])
    }


def base_of(command: str) -> Base | None:
    calls = pipeline(command)
    if len(calls) != 1 or calls[0].redirects or calls[0].assignments:
        return None
    words = calls[0].words
    front = int(words[0].text == "sudo" and len(words) > 1)
    return Base(command, words[front:], head_length(calls[0]) - front)


def _readings(base: Base) -> Iterator[list[str]]:
    """What of the command is said with the wish: all that a sentence can hold, and then less."""
    seen: list[list[str]] = []
    for kept in (base.texts, base.operands, base.texts[: base.head]):
        if kept not in seen and all(map(_PLAIN.fullmatch, kept)):
            seen.append(kept)
            yield kept


def _changed(base: Base, kept: Sequence[str], answer: Candidate, beside: bool) -> str:
    """The command with what `answer`, to a sentence with the words `kept`, has beside them; "" where it does not keep
    them or has nothing else. `beside`: whether something is to be there too: then no filter takes away."""
    calls = pipeline(answer.command)
    if not calls or answer.placeholders or (beside and len(calls) > 1):
        return ""
    words = calls[0].words[int(calls[0].words[0].text == "sudo") :]
    behind = answer.command[calls[0].words[-1].end :].strip()
    added = _beside(kept, words) if words and words[0].text == kept[0] else None
    if added is not None:
        narrows = any(word.text[:1] != "-" for word in added) and len(base.operands) == base.head
        if beside and narrows:
            return ""  # what names files where none was named shows those alone
        sources = [answer.command[word.start : word.end] for word in added]
        if len(kept) == len(base.words) and words == calls[0].words and base.text == " ".join(base.texts):
            return answer.command if added or behind else ""
        ends = [word.end for word in words if word.text == base.texts[-1]]
        news = [word for word in added if word.text not in base.texts]
        # What stands behind the command's last word is that one's value.
        value = bool(ends and news) and answer.command[ends[-1] : news[0].start].isspace()
        made = with_words(base, sources, behind, value) if added or behind else ""
    elif (
        kept[0] in _SHOWS and kept == base.operands == base.texts and _beside(kept[1:], words[1:]) is not None
    ):
        made = answer.command
    else:
        return ""
    return made if made != base.text else ""


def _beside(kept: Sequence[str], words: Sequence[tree.Word]) -> list[tree.Word] | None:
    """The words of the answer that are not the command's; None where it does not keep those, in their order."""
    letters = {letter for word in words if _CLUSTER.fullmatch(word.text) for letter in word.text[1:]}
    left = list(words)
    at = 0
    for text in kept:
        place = next((n for n in range(at, len(words)) if words[n].text == text), -1)
        if place >= 0:
            at = at if text.startswith("-") else place + 1
            left = [word for word in left if word is not words[place]]
        elif not _CLUSTER.fullmatch(text) or not letters.issuperset(text[1:]):
            return None
    said = {letter for text in kept if _CLUSTER.fullmatch(text) for letter in text[1:]}
    return [word for word in left if not (_CLUSTER.fullmatch(word.text) and said.issuperset(word.text[1:]))]


def with_words(base: Base, added: Sequence[str], behind: str = "", value: bool = False) -> str:
    """The command with the added words: options right behind its head; "" where an option of it has another value
    already, or where something is added that is no option and no `value` of its last one."""
    there = base.texts
    names = {text.partition("=")[0] for text in there if text.startswith("--")}
    options: list[str] = []
    operands: list[str] = []
    for text in added:
        if text in there:
            continue
        if text.partition("=")[0] in names:
            return ""
        (options if text.startswith("-") or options else operands).append(text)
    if operands and not value:
        return ""
    place = base.words[base.head - 1].end
    if there[0] == "find" and options:
        end = tests_end(base.words[1:])
        if end < 0:
            return ""
        place = base.words[end].end
    line = base.text[:place] + "".join(f" {one}" for one in options) + base.text[place:]
    return " ".join((line, *operands, *([behind] if behind else [])))
