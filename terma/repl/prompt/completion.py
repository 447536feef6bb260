"""What Tab offers at the conversation's prompt: /commands with their arguments, programs, and paths of the shell."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path

from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document

from terma.repl.prompt.slash import COMMANDS
from terma.text import sanitize

MAX_OFFERS = 200  # offers
_SPECIAL = re.compile(r"([\s\\'\"`$&|;<>()*?\[\]{}#!~])")
_BREAKS = re.compile(r"(?:^|[\s=:])((?:\\.|[^\s\\=:])*)\Z")
_FIRST = re.compile(r"(?:^|[|;&(]\s*|\b(?:sudo|then|do|else|time)\s+)([!$>]?\s*)([\w.+-]*)\Z")


class ChatCompleter(Completer):
    """`cwd` and `path` are the shell's, asked for at each Tab. `names` gives what may follow /role or /model."""

    def __init__(
        self,
        cwd: Callable[[], str],
        path: Callable[[], str],
        names: Callable[[str], Sequence[str]],
        more: Callable[[], Iterable[str]] = tuple,
    ) -> None:
        self._cwd = cwd
        self._path = path
        self._names = names
        self._more = more  # aliases and functions

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterator[Completion]:
        before = document.text_before_cursor
        if before.startswith("/") and "\n" not in before:
            offers = list(self._slash(before))
            if offers or " " in before:
                yield from offers
                return
        yield from islice(self._words(before), MAX_OFFERS)

    def _words(self, before: str) -> Iterator[Completion]:
        first = _FIRST.search(before)
        if first and first[2]:
            yield from self._programs(first[2])
        word = _BREAKS.search(before)
        if word is not None and word[1].startswith("@"):
            yield from self._files(word[1][1:])  # a file that the question brings along
        elif word is not None and (word[1] or not first):
            yield from self._files(word[1])

    def _slash(self, before: str) -> Iterator[Completion]:
        name, blank, argument = before[1:].partition(" ")
        if not blank:
            for command in COMMANDS:
                if command.name.startswith(name):
                    yield Completion(
                        command.name + " ", -len(name), f"/{command.name}", display_meta=command.about
                    )
            return
        if name == "save":
            yield from self._files(argument)
            return
        for one in self._names(name):
            if one.startswith(argument):
                yield Completion(one + " ", -len(argument), one)

    def _programs(self, start: str) -> Iterator[Completion]:
        seen = set(name for name in self._more() if name.startswith(start))
        for folder in self._path().split(os.pathsep):
            with suppress(OSError), os.scandir(folder or ".") as entries:
                seen |= {entry.name for entry in entries if entry.name.startswith(start) and _runs(entry)}
        for name in sorted(seen)[:MAX_OFFERS]:
            if _shows(name):
                yield Completion(name + " ", -len(start), name)

    def _files(self, typed: str) -> Iterator[Completion]:
        plain = re.sub(r"\\(.)", r"\1", typed)
        head, slash, start = plain.rpartition("/")
        folder = Path(os.path.expanduser(head + slash) if head + slash else ".")  # noqa: PTH111 - keeps "~x" as it is
        if not folder.is_absolute():
            folder = Path(self._cwd() or ".") / folder
        offers = []
        with suppress(OSError), os.scandir(folder) as entries:
            for entry in entries:
                if entry.name.startswith(start) and (start.startswith(".") or not entry.name.startswith(".")):
                    offers.append((entry.name, _is_folder(entry)))
        for name, is_folder in sorted(offers)[:MAX_OFFERS]:
            if _shows(name):
                end = "/" if is_folder else " "
                text = _SPECIAL.sub(r"\\\1", name) + end
                length = len(typed.rpartition("/")[2])
                yield Completion(text, -length, (name + end).rstrip())


def _shows(name: str) -> bool:
    """Whether a name can be offered: one that hides something cannot."""
    return bool(name) and sanitize(name) == name and "\n" not in name


def _runs(entry: os.DirEntry[str]) -> bool:
    with suppress(OSError):
        return entry.is_file() and os.access(entry.path, os.X_OK)
    return False


def _is_folder(entry: os.DirEntry[str]) -> bool:
    with suppress(OSError):
        return entry.is_dir()
    return False
