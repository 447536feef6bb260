"""Where what a command is to have besides is put: letters into those that are there, options, find's tests."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from terma import regex as re
from terma.offline.edits.find_tests import tests_end
from terma.offline.edits.wishes import table
from terma.shell_syntax import nodes as tree

_CLUSTER = re.compile(r"-[A-Za-z0-9]+")
_GLOBAL = ("-maxdepth", "-mindepth")  # of find: these hold for all of it, and stand before its tests


@dataclass(slots=True)
class Call:
    """One simple command of the line: `key` names its row of the table, `at` is where its options may stand."""

    key: str
    at: int
    end: int
    words: tuple[tree.Word, ...]
    whole: tuple[tree.Word, ...] = ()
    options: list[str] = field(default_factory=list)
    named: list[tuple[int, str]] = field(default_factory=list)  # (where, option)
    replaced: dict[tuple[int, int], str] = field(default_factory=dict)  # (start, end): what stands there then

    @property
    def row(self) -> dict[str, str]:
        found: dict[str, str] = table().get(self.key, {}) if self.key else {}
        return found


def letters_of(calls: Sequence[Call]) -> str:
    """The letters of all short options, those included that are to come."""
    texts = [text for call in calls for text in (*(word.text for word in call.words), *call.options)]
    return "".join(text[1:] for text in texts if _CLUSTER.fullmatch(text))


def with_options(command: str, calls: Sequence[Call]) -> str:
    for call in reversed(calls):
        for start, end, text in reversed(sorted(_insertions(call), key=lambda one: one[:2])):
            gap = not text and end > start and command[start - 1 : start] == " "
            command = command[: start - gap] + text + command[end:]
    return command


def _insertions(call: Call) -> Iterator[tuple[int, int, str]]:
    """(start, end, text) of what is put there: letters into the first letters that are there, else options in front."""
    there = {word.text for word in call.words}
    letters = call.row.get("letters", "")
    first = call.words[0] if call.words else None
    cluster = first.text[1:] if first is not None and _CLUSTER.fullmatch(first.text) else ""
    joins = bool(cluster) and all(letter in letters for letter in cluster)
    held = set("".join(word[1:] for word in there if _CLUSTER.fullmatch(word)))
    added = ""
    apart: list[str] = []
    late: list[str] = []  # find takes its actions last, and ps its old letters first
    for option in call.options:
        if letters and _CLUSTER.fullmatch(option):
            added += "".join(letter for letter in option[1:] if letter not in held and letter not in added)
        elif option not in there:
            last = call.key == "find" or option.startswith(("--sort=-%", "*"))
            (late if last else apart).append(option)
    if added and joins and first is not None:
        yield first.start, first.end, f"-{cluster}{added}"
    elif added:
        apart.insert(0, f"-{added}")
    if apart:
        yield call.at, call.at, "".join(f" {option}" for option in apart)
    for place in dict.fromkeys(at for at, _ in call.named):
        yield place, place, "".join(f" {option}" for at, option in call.named if at == place)
    yield from ((*place, text) for place, text in call.replaced.items())
    if late:
        everywhere = [option for option in late if option.startswith(_GLOBAL)]
        folders = next((n for n, word in enumerate(call.words) if word.text[:1] in "-(!"), len(call.words))
        at = tests_end(call.words) if call.key == "find" else len(call.words)
        for place, options in ((folders, everywhere), (at, [one for one in late if one not in everywhere])):
            end = call.words[place - 1].end if place else call.at
            yield end, end, "".join(f" {option}" for option in options)
