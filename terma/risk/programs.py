"""Which program a word names when it is spelled so that a reader does not see it: `/bin/r?`, `{rm,-rf,x}`, `r$@m`."""

from __future__ import annotations

import fnmatch
from dataclasses import replace

from terma import regex as re
from terma.risk.model import Call, Word

# What a wildcard in a program's place is taken for, the most dangerous first.
_WORTH_HIDING = (
    "rm dd mkfs shred sh bash zsh dash python3 python perl ruby nc ncat netcat socat curl wget chmod chown mv cp kill "
    "killall reboot shutdown halt poweroff cat tee su sudo eval base64 ssh scp crontab find xargs tar id whoami ls"
).split()
_SEPARATOR = re.compile(r"\$\{?IFS\}?(?:%\?+|%%\?+)?")
_NOTHING = re.compile(r"\$(?:[@*]|\d|\{\w*[:#%/]?\w*\}|\{[@*]\})|\$\(\)|``")
_BRACES = re.compile(r"\{([^{}\s]+,[^{}]*)\}")


def obscured_program(call: Call) -> Call:
    """`call` with the program that its first word amounts to; the word says so by its origin "obscured"."""
    if not call.words:
        return call
    first = call.words[0]
    text = first.text
    if _SEPARATOR.search(text):
        pieces = tuple(replace(first, text=piece) for piece in _SEPARATOR.sub(" ", text).split())
        return _named(call, pieces) if pieces else call
    if (found := _BRACES.fullmatch(text)) and first.globs:
        return _named(call, tuple(Word(piece) for piece in found[1].split(",")))
    if first.globs and (name := _by_wildcard(text)):
        return _named(call, (replace(first, text=name),))
    if first.dynamic and _NOTHING.search(text) and (left := _NOTHING.sub("", text)) and "$" not in left:
        return _named(call, (replace(first, text=left, dynamic=False),))
    return call


def _named(call: Call, instead: tuple[Word, ...]) -> Call:
    first = replace(instead[0], origins=instead[0].origins | {"obscured"})
    return replace(call, words=(first, *instead[1:], *call.words[1:]))


def _by_wildcard(text: str) -> str:
    """The program that a pattern such as `/bin/r?` may find; "" for one in a directory of the person's own."""
    folder, _, pattern = text.rpartition("/")
    if folder and not re.match(r"/(?:[*?]|\S*(?:bin|[?*\[])\S*)", folder):
        return ""
    if not re.search(r"[*?\[]", pattern):
        return pattern if pattern in _WORTH_HIDING else ""
    return next((name for name in _WORTH_HIDING if fnmatch.fnmatchcase(name, pattern)), "")
