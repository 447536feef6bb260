"""What the embedded engine and this machine know of a sentence, for a model that is asked: candidates and options."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, cast

from terma.machine.programs import where
from terma.suggest.gbnf import MAX_PROGRAMS, Vocabulary
from terma.suggest.model_call import Offers
from terma.types import Candidate, Problem, Provider, Query

if TYPE_CHECKING:
    from terma.machine.entries import Entry
    from terma.providers.offline import OfflineProvider

CANDIDATES = 5  # of the engine's that a model is told
PROGRAMS = 2  # whose options it is told
OPTIONS = 8  # of each
SECONDS = 0.1  # for looking options up: a page that was read before takes a millisecond
LONGEST = 300  # code points of one line
_WORD = re.compile(r"[^\W_]{3,}")


async def offers(query: Query, engine: Provider) -> Offers:
    """What `engine`, the embedded one, has. Raises ProviderError where its data cannot be read."""
    sure, near, unsure = await cast("OfflineProvider", engine).offers(query)
    return Offers(sure, near, unsure)


async def facts(query: Query, found: Offers, *, names_files: bool) -> Sequence[str]:
    """Lines for a model. Past commands are left out, `privacy.history` decides on those; and without `names_files` the
    candidates are, since they may name what lies in the directory."""
    candidates = [one for one in (*found.sure, *found.near) if one.source != "history"][:CANDIDATES]
    lines = []
    if names_files and candidates:
        told = "\n".join(one.command[:LONGEST] for one in candidates if "\n" not in one.command)
        lines.append(f"What a small engine would say, which may be wrong:\n{told}")
    with suppress(TimeoutError):
        async with asyncio.timeout(SECONDS):
            lines += await asyncio.to_thread(_options, query, candidates)
    return lines


def _options(query: Query, candidates: Sequence[Candidate]) -> list[str]:
    """For the programs that the words name, else those of the candidates: their options that the words are about."""
    names = [word for word in query.words.split() if re.fullmatch(r"[a-z][\w.+-]+", word)]
    firsts = [one.command.split(maxsplit=1)[0] for one in candidates]
    named = [name for name in names if name in firsts]
    found = dict.fromkeys((*named, *firsts))
    return [line for name in list(found)[:PROGRAMS] for line in _line(name, query)]


def _line(name: str, query: Query) -> Iterator[str]:
    from terma.machine.told import told

    if not (file := where(name, query.path, "")):
        return
    said = set(_WORD.findall(query.words.lower()))
    near = sorted(
        ((len(said & set(_WORD.findall(entry.says.lower()))), option, entry.says))
        for option, entry in told(name, file).options.items()
    )
    best = [f"{option}: {says}" for shared, option, says in reversed(near) if shared][:OPTIONS]
    if best:
        yield f"Options of {name} on this machine:\n" + "\n".join(best)


async def checked(command: str, query: Query) -> Sequence[Problem]:
    """What of a command is not so on this machine. In a thread: it looks at files."""
    return await asyncio.to_thread(_checked, command, query)


async def checks(command: str, query: Query) -> bool:
    """Whether all that a command names can be held against this machine. In a thread, as `checked`."""
    from terma.grounding import can_tell

    return await asyncio.to_thread(can_tell, command, query.path, query.cwd, query.shell, query.aliases)


async def vocabulary(query: Query, found: Offers, tools: Sequence[str]) -> Vocabulary:
    """What a small model may answer with: the programs that the words name, those of the engine's candidates, and
    `tools`; what they take as far as that is known at once."""
    candidates = [one for one in (*found.sure, *found.near) if one.source != "history"]
    names = {one: where(one, query.path, "") for one in _programs(query, candidates, tools)}
    made = Vocabulary(
        {name: () for name, file in names.items() if file}, {}, [one.command for one in candidates]
    )
    with suppress(TimeoutError):
        async with asyncio.timeout(SECONDS):
            return await asyncio.to_thread(_described, made, names, query)
    return made


def _programs(query: Query, candidates: Sequence[Candidate], tools: Sequence[str]) -> list[str]:
    from terma.risk.syntax import read

    said = [word for word in query.words.split() if re.fullmatch(r"[a-z][\w.+-]+", word)]
    called = [call.name for one in candidates for call in read(one.command)[0] if call.words]
    known = set(called) | set(tools)
    return list(dict.fromkeys((*(word for word in said if word in known), *called, *tools)))[:MAX_PROGRAMS]


def _described(made: Vocabulary, files: Mapping[str, str], query: Query) -> Vocabulary:
    """With options and subcommands, those that the sentence is about first. Looks until its time is over."""
    from terma.machine.told import told

    options: dict[str, Sequence[str]] = dict(made.programs)
    commands: dict[str, Sequence[str]] = {}
    said, end = set(_WORD.findall(query.words.lower())), time.monotonic() + SECONDS / 2

    def near(entry: tuple[str, Entry]) -> int:
        return -len(said & set(_WORD.findall(f"{entry[0]} {entry[1].says}".lower())))

    for name in made.programs:
        if time.monotonic() > end:
            break
        page = told(name, files[name])
        options[name] = [option for option, _ in sorted(page.options.items(), key=near)]
        if page.commands:
            commands[name] = [command for command, _ in sorted(page.commands.items(), key=near)]
    return replace(made, programs=options, subcommands=commands)


def _checked(command: str, query: Query) -> list[Problem]:
    from terma.grounding import problems

    found = problems(command, query.path, query.cwd, query.shell, aliases=query.aliases)
    return [replace(each, kind="absent") if _is_elsewhere(each, query) else each for each in found]


def _is_elsewhere(problem: Problem, query: Query) -> bool:
    """Whether a program that no package here is known to bring is one all the same: terma knows one of that name, or
    the person named it."""
    name = problem.program
    if problem.kind != "invented" or problem.text != f"no such program: {name}":
        return False
    from terma.pieces import known
    from terma.providers.offline import PLUGIN
    from terma.routing.dictionary import is_usual

    said = name.removeprefix("./") in query.words.split()
    return said or is_usual(name) or known.entry(name) is not None or PLUGIN.knows(name)


async def is_words(command: str, query: Query) -> bool:
    """Whether what a model wrote as a command is a sentence. In a thread: it looks at PATH."""
    from terma.routing import Known, is_prose

    known = Known(query.path, query.shell, query.aliases, cwd=query.cwd)
    return await asyncio.to_thread(is_prose, command, known)
