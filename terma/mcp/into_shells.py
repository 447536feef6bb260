"""Whether a line of a shell may hold a secret: where it would, or might, be written to a file, it may not, and where
its own characters would be read as syntax, it may not either.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from terma.conversation.harmless import only_reads
from terma.risk.model import Call
from terma.risk.syntax import read
from terma.risk.wrapper_table import BECOMING
from terma.risk.wrappers import inner_calls
from terma.tools._touching import writes

SHELLS = ("bash", "fish", "sh", "zsh")
_KEEP_NOTHING = Path(__file__).with_name("keeps_nothing.toml")
_NO_FILE = re.compile(r"/dev/(?:null|std\w+|tty\w*|fd/\d+)|&?\d+|-|")
_AT_A_PROMPT = ("idle", "continuation")
# The shells' own words that hold what they are given in memory, print it or compare it.
_IN_MEMORY = frozenset(
    ": [ [[ cd declare echo exit export false let local popd printf pushd pwd read readonly return set shift test true"
    " type typeset unset wait".split()
)
_FISH_SETS = ("read", "set")
_FISH_OWN = ("--local", "--global", "--function")
_HANDS_ON = BECOMING | {"builtin", "command", "env", "nice", "timeout"}


def at_a_prompt(info: Mapping[str, object]) -> str:
    """The shell that would read what is typed into the session of `info`; "" where another program does."""
    shell = str(info.get("kind", ""))
    return shell if shell in SHELLS and info.get("state") in _AT_A_PROMPT else ""


def file_of(line: str, shell: str) -> str | None:
    """The file that `line` would write, by name; "" when it writes none, None where it cannot be read in full."""
    calls, _, whole = read(line, shell)
    if not whole:
        return None
    for outer in calls:
        for redirect in outer.redirects:
            if ">" in redirect.operator and not _NO_FILE.fullmatch(redirect.target.text):
                return redirect.target.text
        for call in (outer, *inner_calls(outer)):
            for name in writes(call):
                return name
    return ""


def might_keep(line: str, shell: str, names: Sequence[str]) -> str:
    """The first program of `line` of which nobody knows that it writes none of what it is given into a file; "" where
    there is none. `names` stand for the secrets.

    A list of those that do would never be complete. All of the line's programs count, since the shell itself carries
    values from one to the next."""
    return next(_keepers(read(line, shell)[0], names, shell), "")


def stands(line: str, filled: str, values: Mapping[str, str], shell: str) -> bool:
    """Whether `filled` is `line` with each name of `values` as its value, and nothing else to the shell: no value ends
    a quote, or is a substitution or an operator."""
    before, after = read(line, shell), read(filled, shell)
    return (
        before[2]
        and after[2]
        and [_filled(call, values) for call in before[0]] == [_filled(call, {}) for call in after[0]]
    )


def _keepers(calls: Sequence[Call], names: Sequence[str], shell: str) -> Iterator[str]:
    for call in calls:
        if not call.words:
            continue
        if call.words[0].text in _IN_MEMORY:
            if shell == "fish" and call.words[0].text in _FISH_SETS and not _of_this_fish(call):
                yield call.words[0].text
            continue
        inner = list(inner_calls(call)) if call.words[0].text in _HANDS_ON else []
        logs = call.name in BECOMING and any(name in word.text for word in call.words for name in names)
        if logs or not (inner or _known(call)):
            yield call.name or call.words[0].text
        yield from _keepers(inner, names, shell)


def _of_this_fish(call: Call) -> bool:
    """Whether what fish sets is said to be its own alone. A variable without a scope keeps the one that it has, and
    universal ones are kept in a file."""
    if any(word.dynamic or word.globs for word in call.words[1:]):
        return False
    options = list(itertools.takewhile(lambda text: text[:1] == "-", (word.text for word in call.words[1:])))
    letters = "".join(text[1:] for text in options if text[:2] != "--")
    longs = [text for text in options if text[:2] == "--"]
    if "U" in letters or any(text.startswith("--u") for text in longs):
        return False
    return bool(set(letters) & set("lgf")) or any(text in _FISH_OWN for text in longs)


def _known(call: Call) -> bool:
    if any(word.globs or (word.dynamic and word.text[:1] in "$`") for word in call.words):
        return False  # one more option may come of it
    words = [word.text for word in call.words]
    return only_reads(words) or (call.feed is None and only_reads(words, _KEEP_NOTHING))


def _filled(call: Call, values: Mapping[str, str]) -> list[object]:
    words = [*call.words, *call.assigned, *(redirect.target for redirect in call.redirects)]
    told: list[object] = [redirect.operator for redirect in call.redirects]
    for word in words:
        text = word.text
        for name, value in values.items():
            text = text.replace(name, value)
        told += [text, word.dynamic, word.globs]
    feed = (call.feed.text if call.feed is not None else None) or ""
    for name, value in values.items():
        feed = feed.replace(name, value)
    return [*told, feed]
